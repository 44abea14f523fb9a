"""In which trees the pair ended, and when and how clearly each of them joined."""

from collections.abc import Iterable

from ui.why.reasons import Pair, Reason


def explain(pair: Pair) -> Iterable[str]:
    """Trees, rounds and margins of both, for methods that grow trees."""
    growth = pair.result.trace.get("growth")
    if growth is None or pair.a == pair.b:
        return
    same = growth.tree[pair.a] == growth.tree[pair.b]
    yield f"Growing trees: they end in {'one tree' if same else 'two trees'}; {arrival(pair, pair.a, 'i')}; " + (
        f"{arrival(pair, pair.b, 'j')}."
    )


def arrival(pair: Pair, node: int, name: str) -> str:
    """When and how clearly a node joined."""
    growth = pair.result.trace["growth"]
    if growth.round[node] == 0:
        return f"object {name} belongs to a prototype"
    return f"object {name} joined in round {growth.round[node]} with a margin of {growth.margin[node]:.3f}"


REASON = Reason(place=60, explain=explain)
