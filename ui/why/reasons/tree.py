"""Where the method's tree joins the pair."""

from collections.abc import Iterable

from engine.partition import meeting
from ui.saying import counted, three_digits
from ui.why.reasons import Pair, Reason


def explain(pair: Pair) -> Iterable[str]:
    """The height at which they meet, and what meets there."""
    tree = pair.result.trace.get("dendrogram")
    if tree is None or pair.a == pair.b:
        return
    found = meeting(tree, pair.a, pair.b)
    left, right = (int(tree.sizes[side].sum()) for side in found.sides)
    most = tree.n_leaves - found.merge - 1
    yield (
        f"The tree joins them at similarity **{three_digits(found.similarity)}**, where groups of "
        f"{left:,} and {right:,} meet: they are together in every cut of up to {counted(most, 'cluster')}, and apart "
        "in finer ones."
    )


REASON = Reason(place=30, explain=explain)
