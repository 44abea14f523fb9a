"""What the consensus made of the pair, and what the truth says."""

from collections.abc import Iterable

from ui.why.reasons import Pair, Reason


def explain(pair: Pair) -> Iterable[str]:
    """Together or apart, rightly or not."""
    labels = pair.result.labels
    together = labels[pair.i] == labels[pair.j]
    words = f"The consensus puts them **{'together' if together else 'apart'}**"
    if pair.truth is None:
        yield words + "."
        return
    alike = pair.truth[pair.i] == pair.truth[pair.j]
    verdict = "rightly" if alike == together else "wrongly"
    yield f"{words}, {verdict}: the truth has them in {'one class' if alike else 'two classes'}."


REASON = Reason(place=0, explain=explain)
