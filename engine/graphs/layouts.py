"""Where the nodes of a graph are drawn: linked ones close together, all others apart.

After LargeVis, Tang, Liu, Zhang and Mei, "Visualizing Large-scale and High-dimensional Data", WWW 2016: a link is as
likely as 1 / (1 + d^2) at distance d. Its ends are drawn together, and each is pushed away from some nodes by chance.
The code is our own; it runs in one thread, so that the same seed gives the same places.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble import Graph
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor

#: Rounds over all edges: at most, at least, and links drawn together in all where there are many.
_MOST_ROUNDS, _LEAST_ROUNDS, _STEPS = 400, 30, 2e7
#: Nodes by chance that each end is pushed away from; how far one step moves at most; width of the drawing begun with.
_PUSHES, _FARTHEST, _WIDTH = 5, 4.0, 10.0
#: Memory that is taken at most, as measured.
_BYTES_AN_EDGE, _BYTES_A_NODE = 180, 120
#: Steps of the walks that smooth the drawing begun with, so that what is linked begins on the same side.
_WALKS = 60
_LARGEST = float(2**64)


def graph_layout(graph: Graph, seed: int = 0, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Places of the nodes in the plane.

    Parameters
    ----------
    graph : Graph
    seed : int
        The same seed gives the same places.
    monitor : Monitor, optional

    Returns
    -------
    (N, 2) float64
        Nodes without any edge stand in rows below the others.

    Raises
    ------
    TooLargeError, Cancelled

    Notes
    -----
    Time O(rounds E), memory O(N + E); on two cores 20,000 nodes with 100,000 edges take 4 s.

    Examples
    --------
    >>> two = Graph.of_edges([0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3])
    >>> places = graph_layout(two)
    >>> bool(np.linalg.norm(places[0] - places[1]) < np.linalg.norm(places[0] - places[4]))
    True
    """
    require_memory("places of the nodes of a graph", _BYTES_AN_EDGE * graph.n_edges + _BYTES_A_NODE * graph.n_nodes)
    linked = np.flatnonzero(graph.degrees > 0)
    places = np.zeros((graph.n_nodes, 2))
    if len(linked):
        whole = len(linked) == graph.n_nodes
        places[linked] = _drawn(graph if whole else graph.of_nodes(linked), seed, monitor)
    alone = np.flatnonzero(graph.degrees == 0)
    places[alone] = _rows(len(alone), places[linked])
    return places


def _drawn(graph: Graph, seed: int, monitor: Monitor) -> NDArray[np.float64]:
    """Places of nodes that all have an edge."""
    places = _begun(graph, np.random.default_rng(seed))
    chances = graph.weights / graph.weights.max()
    rounds = int(np.clip(_STEPS / max(float(chances.sum()), 1.0), _LEAST_ROUNDS, _MOST_ROUNDS))
    state = np.array([(2 * seed + 0x9E3779B97F4A7C15) % 2**64], np.uint64)
    for now in range(rounds):
        monitor.tick("laying out the graph", now, rounds)
        _round_kernel(places, graph.sources, graph.targets, chances, 1 - now / rounds, state)
    return places - places.mean(axis=0)


def _begun(graph: Graph, rng: np.random.Generator) -> NDArray[np.float64]:
    """Two smooth functions on the nodes: noise after many steps of lazy walks, turned apart from each other."""
    matrix = graph.matrix / graph.weights.max()  # sums of the largest weights are no numbers
    strengths = np.asarray(matrix.sum(axis=1)).ravel()
    values = rng.normal(size=(graph.n_nodes, 2))
    share = strengths / strengths.sum()
    for _ in range(_WALKS):
        values = (values + matrix @ values / strengths[:, None]) / 2
        values -= share @ values
        values /= np.maximum(np.abs(values).max(axis=0), 1e-300)
    second = values[:, 1] - values[:, 0] * (share @ (values[:, 0] * values[:, 1])) / max(
        float(share @ values[:, 0] ** 2), 1e-300
    )
    both = np.column_stack([values[:, 0], second])
    ranks = both.argsort(axis=0, kind="stable").argsort(axis=0, kind="stable")  # evenly spread: no outlier stretches it
    return _WIDTH * (ranks / max(graph.n_nodes - 1, 1) - 0.5) + rng.normal(0, 0.01, both.shape)


def _rows(n: int, others: NDArray[np.float64]) -> NDArray[np.float64]:
    """Places in rows below the others, as far from each other as those are on average."""
    across = max(1, int(np.ceil(np.sqrt(8 * n))))
    wide = float(np.ptp(others[:, 0])) if len(others) else 0.0
    step = wide / across if wide > 0 else 1.0
    row, column = np.divmod(np.arange(n), across)
    left, bottom = (others[:, 0].min(), others[:, 1].min()) if len(others) else (0.0, 0.0)
    return np.column_stack([left + step * (column + 0.5), bottom - step * (row + 2.0)])


@njit(cache=True, nogil=True)
def _round_kernel(places, sources, targets, chances, rate, state):
    """Draw the ends of every edge together, as often as its chance says, and push each from nodes by chance."""
    n = len(places)
    word = state[0]
    for edge in range(len(sources)):
        word = _next(word)
        if word / _LARGEST >= chances[edge]:
            continue
        for way in range(2):
            one, other = (sources[edge], targets[edge]) if way == 0 else (targets[edge], sources[edge])
            x, y = places[one, 0] - places[other, 0], places[one, 1] - places[other, 1]
            pull = -rate / (1 + x * x + y * y)
            places[one, 0] += min(max(pull * x, -_FARTHEST), _FARTHEST)
            places[one, 1] += min(max(pull * y, -_FARTHEST), _FARTHEST)
            for _ in range(_PUSHES):
                word = _next(word)
                stranger = int(word % np.uint64(n))
                if stranger == one:
                    continue
                x, y = places[one, 0] - places[stranger, 0], places[one, 1] - places[stranger, 1]
                square = x * x + y * y
                push = rate / ((0.01 + square) * (1 + square))
                places[one, 0] += min(max(push * x, -_FARTHEST), _FARTHEST)
                places[one, 1] += min(max(push * y, -_FARTHEST), _FARTHEST)
    state[0] = word


@njit(cache=True, nogil=True)
def _next(word):
    """The next word of Marsaglia's xorshift (13, 7, 17)."""
    word ^= word << np.uint64(13)
    word ^= word >> np.uint64(7)
    word ^= word << np.uint64(17)
    return word
