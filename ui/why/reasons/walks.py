"""How the pair is linked in the graph of elite neighbours, and how alike walkers from both travel."""

from collections.abc import Iterable

import numpy as np
from scipy.sparse.csgraph import shortest_path

from ui.saying import counted
from ui.scene.walks import walks
from ui.why.reasons import Pair, Reason


def explain(pair: Pair) -> Iterable[str]:
    """Strongest path and cosine of trajectories, for methods that walk."""
    graph, walk = pair.result.trace.get("graph"), pair.result.trace.get("walk")
    if graph is None or walk is None or pair.a == pair.b:
        return
    path = strongest_path(graph, pair.a, pair.b)
    cosines = walks(graph, pair.ensemble, (pair.a, pair.b), walk["T"]).cosines
    if path is None:
        yield f"Among elite neighbours (K = {walk['K']}) no path joins them; their walkers never meet."
        return
    weakest = min(float(graph[a, b]) for a, b in zip(path[:-1], path[1:], strict=True))
    steps = counted(walk["T"], "step")
    yield (
        f"Among elite neighbours (K = {walk['K']}) a path of {counted(len(path) - 1, 'link')} joins them, the weakest "
        f"of weight {weakest:.3f}; after {steps} their walkers' trajectories have a cosine of **{cosines[-1]:.3f}**."
    )


def strongest_path(graph, a: int, b: int) -> list[int] | None:
    """Nodes of the path from a to b with the largest product of weights, or None."""
    lengths = graph.copy()
    lengths.data = -np.log(lengths.data) + 1e-9  # a link of weight 1 is short, but it is a link
    _, before = shortest_path(lengths, directed=False, indices=a, return_predecessors=True)
    if before[b] < 0:
        return None
    path = [b]
    while path[-1] != a:
        path.append(int(before[path[-1]]))
    return path[::-1]


REASON = Reason(place=40, explain=explain)
