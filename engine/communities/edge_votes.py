"""Votes that count on edges only: how often base clusterings keep the two ends of an edge together, and what follows.

Consensus methods for graphs weigh the edges by votes and look for communities once more. Microclusters are never split:
each is one node, its inner edges are loops, which changes no quality (see `engine.communities.leiden`).
"""

from typing import Literal

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble import Ensemble, Graph
from ..runtime.blocks import map_blocks, n_threads
from ..runtime.monitor import Monitor, Relay
from .leiden import Quality, communities

#: Qualities that communities of votes are chosen by: all but the first level, which is no answer.
FinalQuality = Literal["modularity", "rb", "cpm"]


def graph_of(ensemble: Ensemble) -> Graph:
    """The graph of an ensemble that has one, as `check_needs` saw to."""
    assert ensemble.graph is not None
    return ensemble.graph


def votes_between(columns: NDArray[np.int32], first: NDArray, second: NDArray, monitor: Monitor) -> NDArray[np.float64]:
    """Share of the base clusterings, among those that saw both, that keep two groups together: (E,), 0 if none did.

    `columns` (M, n) has the labels of the groups, -1 where one is missing.
    """
    together, seen = np.zeros(len(first), np.int64), np.zeros(len(first), np.int64)
    for m, labels in enumerate(columns):
        monitor.tick("counting votes on edges", m, len(columns))
        one, other = labels[first], labels[second]
        both = (one >= 0) & (other >= 0)
        together += both & (one == other)
        seen += both
    return np.divide(together, seen, out=np.zeros(len(first)), where=seen > 0)


def edge_votes(ensemble: Ensemble, monitor: Monitor) -> NDArray[np.float64]:
    """Share of the base clusterings that keep the ends of every edge of the graph together: (E,)."""
    graph, of = graph_of(ensemble), ensemble.microclusters.assignment
    return votes_between(ensemble.clusters.columns(), of[graph.sources], of[graph.targets], monitor)


def voted_communities(
    ensemble: Ensemble,
    ends: tuple[NDArray, NDArray],
    weights: NDArray[np.float64],
    quality: Quality,
    resolution: float,
    seeds: NDArray,
    monitor: Monitor,
) -> NDArray[np.int32]:
    """Communities of the microclusters under new weights of edges between objects, a row a seed: (R, n).

    Edges of weight 0 do not count.
    """
    micro, n = ensemble.microclusters, len(ensemble.microclusters)
    one, other = micro.assignment[ends[0]].astype(np.int64), micro.assignment[ends[1]].astype(np.int64)
    codes, place = np.unique(np.minimum(one, other) * n + np.maximum(one, other), return_inverse=True)
    sums = np.bincount(place, weights, len(codes)).astype(np.float64)
    kept = sums > 0
    between, found, relay = (codes[kept] // n, codes[kept] % n), np.empty((len(seeds), n), np.int32), Relay(monitor)

    def find(start: int, stop: int) -> None:
        some = seeds[start:stop]
        found[start:stop] = communities(between, sums[kept], micro.sizes, quality, resolution, some, relay.inner)

    map_blocks(find, len(seeds), relay, "finding communities", -(-len(seeds) // n_threads()))
    return found


def two_core(graph: Graph) -> NDArray[np.bool_]:
    """Which nodes are left once nodes with fewer than two edges are taken away, again and again: (N,)."""
    there = np.ones(graph.n_nodes, np.bool_)
    _peel(graph.matrix.indptr, graph.matrix.indices, graph.degrees.copy(), there)
    return there


@njit(cache=True, nogil=True)
def _peel(start, near, degrees, there):
    """Take loose nodes away, and what becomes loose by that; a node is waiting at most once."""
    loose = np.flatnonzero(degrees < 2)
    stack, n_waiting = np.empty(len(degrees), np.int64), len(loose)
    stack[:n_waiting] = loose
    while n_waiting:
        n_waiting -= 1
        node = stack[n_waiting]
        there[node] = False
        for t in range(start[node], start[node + 1]):
            other = near[t]
            degrees[other] -= 1
            if degrees[other] == 1:
                stack[n_waiting] = other
                n_waiting += 1
