"""Seeded runs of Leiden by igraph, in a process of its own that a cancel ends; and votes on the edges of its graphs.

Consensus methods for graphs weigh the edges by how often base clusterings keep their two ends together, and look for
communities once more. Microclusters are never split: each is one node, its inner edges are loops, which changes no
quality.

Traag, Waltman and van Eck, "From Louvain to Leiden: guaranteeing well-connected communities",
Scientific Reports 9, 2019.
"""

from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..ensemble import Ensemble, Graph
from ..params import Float, one_of, require, require_integer
from ..runtime.blocks import map_blocks, n_threads
from ..runtime.errors import InvalidParameterError, PartitionerError, imported, shown
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor, Relay
from ..runtime.side_process import SideProcessError, solve_aside

Quality = Literal["modularity", "first_level", "rb", "cpm"]
QUALITIES: tuple[Quality, ...] = get_args(Quality)
#: What people call the qualities, in the same order.
QUALITY_TITLES = (
    "modularity",
    "modularity, first level of Louvain",
    "all pairs alike (RB)",
    "constant Potts model (CPM)",
)
_WORKER = Path(__file__).with_name("leiden_worker.py")
#: What its process takes, measured at 300,000 and 1.5 million edges (210 to 220), and the arrays it is handed.
_BYTES_AN_EDGE = 250
#: Randomness with which Leiden refines communities, igraph's own; in the unit of the weights.
_BETA = 0.01
#: As a power of two: in smaller units that randomness would leave the range of numbers.
_LEAST_UNIT = -1000


def communities(
    ends: tuple[NDArray, NDArray],
    weights: NDArray[np.float64],
    sizes: NDArray,
    quality: Quality = "modularity",
    resolution: float = 1.0,
    seeds: ArrayLike = (0,),
    monitor: Monitor = SILENT,
) -> NDArray[np.int32]:
    """Communities of largest quality, as each seed finds them: sum over them of inner weight less what is expected.

    Expected of two nodes is, times the resolution: by "modularity" s_i s_j / 2m with s the weights that meet at a node
    (loops twice) and m all weight; by "rb" (Reichardt and Bornholdt over an Erdos-Renyi graph) the mean over all pairs;
    by "cpm" 1. Nodes that stand for several count so often. "first_level" is modularity, moving single nodes only: the
    many small communities with which Louvain begins.

    Parameters
    ----------
    ends : two (E,) int
        Of every edge; both may be one node.
    weights : (E,) float
        Above 0.
    sizes : (n,) int
        Objects each node stands for.
    quality : {"modularity", "first_level", "rb", "cpm"}
    resolution : float
        Above 0; the larger, the smaller the communities.
    seeds : (R,) int
        One run each.
    monitor : Monitor, optional
        Hears a cancel within 0.1 s; the work then ends at once.

    Returns
    -------
    (R, n) int32
        Communities 0, 1, ... of every node, a row a run.

    Raises
    ------
    InvalidParameterError, MissingExtraError, TooLargeError, PartitionerError, Cancelled

    Notes
    -----
    Runs last until nothing moves, at most five rounds. All qualities are handed to igraph as constant Potts models with
    weighted nodes, which is the same; its own modularity counts loops otherwise. In which unit weights are given
    changes no quality but "cpm"; yet the smaller they are, the more igraph leaves to chance where it refines.

    References
    ----------
    traag2019leiden; reichardt2006; blondel2008louvain.

    Examples
    --------
    >>> two = np.array([0, 0, 1, 3, 3, 4, 2]), np.array([1, 2, 2, 4, 5, 5, 3])
    >>> communities(two, np.ones(7), np.ones(6, int)).tolist()
    [[0, 0, 0, 1, 1, 1]]
    """
    imported("igraph", "Finding communities")
    one_of("quality", quality, QUALITIES)
    resolution = require("resolution", Float(low=0, low_open=True), resolution)
    chosen = np.array([require_integer("seeds", seed) for seed in np.atleast_1d(seeds).tolist()], np.int64)
    n = len(sizes)
    _check_edges(ends, weights, n)
    if not len(weights):
        return np.tile(np.arange(n, dtype=np.int32), (len(chosen), 1))
    require_memory("finding communities", _BYTES_AN_EDGE * len(weights))
    unit = _unit(weights, quality)
    weights = np.ldexp(weights, -unit)
    masses, scale = _expected(ends, weights, sizes, quality, unit)
    given = {
        "n": np.array(n),
        "sources": ends[0].astype(np.int64),
        "targets": ends[1].astype(np.int64),
        "weights": weights,
        "sizes": masses,
        "resolution": np.array(resolution * scale),
        "beta": np.ldexp(_BETA, -unit),
        "first_level": np.array(quality == "first_level"),
        "seeds": chosen,
    }
    try:
        return solve_aside(_WORKER, given, "finding communities", monitor)
    except SideProcessError as error:
        raise PartitionerError("igraph", f"a graph of {n:,} nodes and {len(weights):,} edges", str(error)) from error


def _check_edges(ends: tuple[NDArray, NDArray], weights: NDArray, n: int) -> None:
    """Refuse what is no list of edges among n nodes, each with a weight above 0."""
    first, second = np.asarray(ends[0]), np.asarray(ends[1])
    if not first.shape == second.shape == np.shape(weights) or first.ndim != 1:
        raise InvalidParameterError(
            f"ends and weights must be as many. Got shapes {first.shape}, {second.shape} and {np.shape(weights)}"
        )
    for nodes in (first, second):
        if nodes.size and (nodes.dtype.kind not in "iu" or nodes.min() < 0 or nodes.max() >= n):
            raise InvalidParameterError(f"ends must be nodes from 0 to {n - 1:,}. Got {shown(nodes)}")
    if not (np.isfinite(weights) & (np.asarray(weights) > 0)).all():
        raise InvalidParameterError(f"weights must be finite and above 0. Got {shown(weights)}")


def _unit(weights: NDArray[np.float64], quality: Quality) -> int:
    """The power of two that weights are handed over in, so that no product of two leaves the range of numbers.

    Near the largest weight; by "cpm", whose resolution is a weight too, never below 1.
    """
    return max(int(np.frexp(weights.max())[1]), 0 if quality == "cpm" else _LEAST_UNIT)


def _expected(
    ends: tuple[NDArray, NDArray], weights: NDArray[np.float64], sizes: NDArray, quality: Quality, unit: int
) -> tuple[NDArray[np.float64], float]:
    """Masses of the nodes, and the factor before the product of two masses that is what a pair is expected to weigh.

    Weights, and what is expected, are in units of 2^unit.
    """
    n, total, counts = len(sizes), float(weights.sum()), sizes.astype(np.float64)
    if quality == "cpm":
        return counts, float(np.ldexp(1.0, -unit))
    if quality == "rb":
        return counts, 2 * total / (counts.sum() * (counts.sum() - 1))
    if quality == "first_level":
        return counts, 1.0  # Louvain knows the masses
    strengths = np.bincount(ends[0], weights, n) + np.bincount(ends[1], weights, n)
    return strengths.astype(np.float64), 1 / (2 * total)


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
