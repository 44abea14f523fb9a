"""METIS: k parts of near-equal weight that cut few edges, and exactly k of them.

Graphs are checked, then cut in a process of its own, which a cancel ends and no graph takes this one with.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from ..medians.restarts import fill_empty_parts
from ..runtime.errors import InvalidParameterError, MissingExtraError, PartitionerError
from ..runtime.monitor import SILENT, Monitor
from ..runtime.side_process import SideProcessError, solve_aside
from . import metis_calls
from .metis_calls import INDEX


def metis_partition(
    graph: sparse.csr_array,
    vertex_weights: NDArray,
    n_parts: int,
    rng: np.random.Generator,
    monitor: Monitor = SILENT,
) -> tuple[NDArray[np.int32], int]:
    """Multilevel k-way partition of a graph by METIS, repaired to exactly k parts.

    Parameters
    ----------
    graph : (n, n) csr_array
        Symmetric, weights not negative; the diagonal is left out. Need not be connected.
    vertex_weights : (n,) int
        Not negative. METIS keeps every part within 3 % of the mean weight where it can.
    n_parts : int
        k, from 1 to n.
    rng : Generator
        Gives METIS its seed.
    monitor : Monitor, optional
        Hears a cancel within 0.1 s, also while METIS works.

    Returns
    -------
    labels : (n,) int32
        0..k-1, every one occurs. k = n returns the vertices themselves.
    n_repaired : int
        Parts METIS left empty all the same: the heaviest part gives half, those of least weight to its others.

    Raises
    ------
    InvalidParameterError
        If k is not in 1..n, the graph is not symmetric, or a weight is negative or not finite.
    MissingExtraError
        If pymetis is not installed.
    PartitionerError
        If METIS gives up.

    Notes
    -----
    Weights become integers by `integer_weights`. METIS cuts five times and keeps the thinnest cut: single ones differ
    by up to half from seed to seed. Where its k-way scheme leaves a part empty (a vertex heavier than a part), the
    same with the other way of coarsening, then its recursive bisection are asked; the one with fewest empty parts
    stays, the earlier of equals.

    METIS runs in a process of its own, which a cancel ends: it holds Python's lock while it cuts, and draws from the C
    library's one random state. So the same seed gives the same parts, whatever else goes on. With k near n METIS prints
    that it cannot bisect 0 vertices: that is mended here, and nothing of it reaches standard output.

    References
    ----------
    karypis1998metis
    """
    _check_n_parts(n_parts, graph.shape[0])
    if n_parts in (1, graph.shape[0]):
        return _trivial(graph.shape[0], n_parts), 0
    require_metis()
    labels = _metis(graph, vertex_weights, n_parts, rng, monitor, graph.shape[0])

    def tie(members: NDArray) -> NDArray:
        return graph[members][:, members].sum(axis=1)

    return fill_empty_parts(labels, vertex_weights, n_parts, tie, give="half")


def metis_bipartite(
    edges: sparse.csr_array,
    row_weights: NDArray,
    n_parts: int,
    rng: np.random.Generator,
    monitor: Monitor = SILENT,
    column_weight: int = 0,
    two_hop: bool = True,
) -> tuple[NDArray[np.int32], int]:
    """Cut the graph between rows and columns by METIS: labels of the rows.

    Parameters
    ----------
    edges : (n, K) csr_array
        Weights of the edges between row vertices and column vertices, not negative.
    row_weights : (n,) int
        Objects each row stands for.
    n_parts, rng, monitor
        See `metis_partition`; k is at most n.
    column_weight : int
        Weight of a column vertex; 0 balances the rows only.
    two_hop : bool
        Whether coarsening may join rows that only share a column. It is what makes sparse graphs fast (six times at
        20,000 rows); where every row meets every column it joins at random, and the cut is wide.

    Returns
    -------
    labels : (n,) int32
        0..k-1, every one occurs among the rows.
    n_repaired : int
        Parts without a row. The heaviest gives half: the rows that share least with its other rows through columns.

    Raises
    ------
    InvalidParameterError, MissingExtraError, PartitionerError
    """
    n, n_columns = edges.shape
    _check_n_parts(n_parts, n)
    if n_parts in (1, n):
        return _trivial(n, n_parts), 0
    require_metis()
    upper = sparse.hstack([sparse.csr_array((n, n), dtype=edges.dtype), edges], format="csr")
    lower = sparse.hstack([edges.T.tocsr(), sparse.csr_array((n_columns, n_columns), dtype=edges.dtype)], format="csr")
    graph = sparse.vstack([upper, lower], format="csr")
    weights = np.concatenate([row_weights, np.full(n_columns, column_weight)])
    labels = _metis(graph, weights, n_parts, rng, monitor, n, two_hop)

    def tie(members: NDArray) -> NDArray:
        inside = edges[members].astype(np.float64)
        return inside @ inside.sum(axis=0) - (inside**2).sum(axis=1)

    return fill_empty_parts(labels, row_weights, n_parts, tie, give="half")


def _check_n_parts(n_parts: int, n: int) -> None:
    if not 1 <= n_parts <= n:
        raise InvalidParameterError(f"n_parts must be in 1..{n}, the number of vertices. Got {n_parts}")


def _check_weights(graph: sparse.csr_array, vertex_weights: NDArray) -> None:
    """Refuse weights that no sum and no rounding makes whole numbers of."""
    for name, weights in (("edges", graph.data), ("vertices", np.asarray(vertex_weights))):
        if not np.isfinite(weights).all() or (weights < 0).any():
            raise InvalidParameterError(f"weights of {name} must be finite and not negative")
    if len(vertex_weights) != graph.shape[0]:
        raise InvalidParameterError(
            f"vertex_weights must have one for each of {graph.shape[0]:,} vertices. Got {len(vertex_weights):,}"
        )


def _trivial(n: int, n_parts: int) -> NDArray[np.int32]:
    """One part, or every vertex a part: METIS errs on both."""
    return np.zeros(n, np.int32) if n_parts == 1 else np.arange(n, dtype=np.int32)


def _metis(
    graph: sparse.csr_array,
    vertex_weights: NDArray,
    n_parts: int,
    rng: np.random.Generator,
    monitor: Monitor,
    n_rows: int,
    two_hop: bool = True,
) -> NDArray[np.int32]:
    """Labels of the first `n_rows` vertices as METIS gives them; parts may be empty."""
    _check_weights(graph, vertex_weights)
    graph = _plain(graph)
    seed = int(rng.integers(2**31 - 1))
    if graph.nnz == 0:  # nothing to cut: METIS would draw lots; equal runs of vertices keep the balance
        return _equal_runs(np.asarray(vertex_weights)[:n_rows], n_parts)
    start, neighbors, sizes = (
        np.ascontiguousarray(part, dtype=INDEX) for part in (graph.indptr, graph.indices, vertex_weights)
    )
    given = MetisGraph(start, neighbors, integer_weights(graph.data), sizes)
    tried: list[tuple[int, int, NDArray[np.int32]]] = []
    for attempt, (recursive, hops) in enumerate([(False, two_hop), (False, not two_hop), (True, two_hop)]):
        labels = cut(given, n_parts, seed, recursive, hops, monitor)[:n_rows]
        tried.append((n_parts - len(np.unique(labels)), attempt, labels))
        if tried[-1][0] == 0:
            break
    return min(tried, key=lambda one: one[:2])[2]


def _plain(graph: sparse.csr_array) -> sparse.csr_array:
    """The graph without loops and without edges of weight 0; itself if it has none."""
    if not _has_loop_or_zero_kernel(graph.indptr, graph.indices, graph.data):
        return graph
    owner = np.repeat(np.arange(graph.shape[0], dtype=graph.indices.dtype), np.diff(graph.indptr))
    kept = (graph.indices != owner) & (graph.data > 0)
    return sparse.csr_array((graph.data[kept], (owner[kept], graph.indices[kept])), shape=graph.shape)


@njit(cache=True, nogil=True)
def _has_loop_or_zero_kernel(start, neighbors, weights):
    """Whether an edge ends where it begins, or weighs nothing."""
    for i in range(len(start) - 1):
        found = False
        for e in range(start[i], start[i + 1]):
            found |= neighbors[e] == i or weights[e] <= 0
        if found:
            return True
    return False


def _equal_runs(weights: NDArray, n_parts: int) -> NDArray[np.int32]:
    """Consecutive vertices in parts of near-equal weight."""
    before = np.cumsum(weights) - weights
    return (before * n_parts // max(int(weights.sum()), 1)).clip(max=n_parts - 1).astype(np.int32)


_LARGEST_SUM = 2**30 if INDEX.itemsize == 4 else 2**60
#: What the largest weight becomes where weights are not whole numbers.
WEIGHT_SCALE = 10_000
#: Cuts METIS makes to keep the thinnest.
N_CUTS = 5
STAGE = "partitioning the graph"
_SCRIPT = Path(metis_calls.__file__)


@dataclass(frozen=True, eq=False)
class MetisGraph:
    """A graph in METIS's arrays, all of type `INDEX` and contiguous: vertex i has the edges start[i]..start[i + 1].

    Every edge is there from both ends, weights are at least 1, sizes not negative. Other arrays are refused: METIS does
    not look, and would end the process.
    """

    start: NDArray
    neighbors: NDArray
    weights: NDArray
    sizes: NDArray

    def __post_init__(self) -> None:
        _check(self)


def require_metis() -> None:
    """Refuse where METIS is not there."""
    if metis_calls.pymetis is None:
        raise MissingExtraError(
            "METIS needs the package pymetis, which is not installed. Install it: pip install pymetis"
        )


def integer_weights(weights: NDArray, largest_sum: int = _LARGEST_SUM) -> NDArray[np.integer]:
    """Weights as METIS takes them: whole numbers of at least 1, for weights above 0.

    Whole numbers stay as they are. Others are multiplied by the scale that makes the largest 10,000. If the sum
    would leave METIS's integers, the scale is lowered so that it fits. Then all are rounded, and nothing falls below 1.

    >>> integer_weights(np.array([0.5, 0.25, 0.00001])).tolist()
    [10000, 5000, 1]
    >>> integer_weights(np.array([3, 40])).tolist()
    [3, 40]
    """
    if weights.dtype.kind == "f":  # by a power of 2: sums of huge weights have an end
        weights = np.ldexp(weights, -int(np.frexp(weights.max(initial=0))[1]))
    total = float(weights.sum(dtype=np.float64))
    scale = 1.0 if weights.dtype.kind in "iu" else WEIGHT_SCALE / max(float(weights.max(initial=0)), 1e-300)
    if scale * total <= largest_sum and weights.dtype.kind in "iu":
        return weights.astype(INDEX, copy=False)
    scale = min(scale, largest_sum / max(total, 1e-300))
    return np.maximum(np.rint(weights * scale), 1).astype(INDEX)


def cut(
    graph: MetisGraph, n_parts: int, seed: int, recursive: bool, two_hop: bool, monitor: Monitor
) -> NDArray[np.int32]:
    """Labels of the vertices, the best of five cuts; parts may be empty. A cancel is heard within 0.1 s.

    The graph has an edge, and `n_parts` is from 2 to n - 1: METIS errs on others. `two_hop`: coarsening may join
    vertices that only share a neighbour.
    """
    asked = {"n_parts": n_parts, "recursive": recursive, "seed": seed, "ncuts": N_CUTS, "no2hop": not two_hop}
    try:
        return solve_aside(_SCRIPT, vars(graph) | {name: np.array(one) for name, one in asked.items()}, STAGE, monitor)
    except SideProcessError as error:
        n, n_edges = len(graph.sizes), len(graph.neighbors) // 2
        what = f"a graph of {n:,} vertices and {n_edges:,} edges into {n_parts:,} parts"
        raise PartitionerError("METIS", what, str(error)) from error


def _check(graph: MetisGraph) -> None:
    """Refuse what METIS would read or write outside its arrays for: it checks nothing, and the process would end."""
    if any(array.dtype != INDEX or not array.flags.c_contiguous for array in vars(graph).values()):
        raise InvalidParameterError(f"arrays of a graph for METIS must be contiguous and of type {INDEX}")
    n, n_edges = len(graph.sizes), len(graph.neighbors)
    fits = len(graph.start) == n + 1 and len(graph.weights) == n_edges
    if not fits or graph.start[0] != 0 or graph.start[-1] != n_edges or (np.diff(graph.start) < 0).any():
        raise InvalidParameterError("a graph for METIS must have as many rows and weights as vertices and edges")
    if n_edges and not 0 <= graph.neighbors.min() <= graph.neighbors.max() < n:
        raise InvalidParameterError(f"edges of a graph for METIS must lead to its vertices 0..{n - 1}")
    if (graph.weights < 1).any() or (graph.sizes < 0).any():
        raise InvalidParameterError("weights of a graph for METIS must be at least 1 on edges, at least 0 on vertices")
    if int(graph.sizes.sum(dtype=np.float64)) > _LARGEST_SUM:
        raise InvalidParameterError(f"weights of vertices must sum to at most {_LARGEST_SUM:,} for METIS")
    if _asymmetry_kernel(graph.start, graph.neighbors, graph.weights):
        raise InvalidParameterError("a graph for METIS must be symmetric: every edge there and back, of equal weight")


@njit(cache=True, nogil=True)
def _asymmetry_kernel(start, neighbors, weights):
    """0 for a symmetric graph, and for hardly any other: hashes of edges there, less those of edges back."""
    total = np.uint64(0)
    for i in range(len(start) - 1):
        for e in range(start[i], start[i + 1]):
            total += _mixed(i, neighbors[e], weights[e]) - _mixed(neighbors[e], i, weights[e])
    return total


@njit(cache=True, nogil=True)
def _mixed(i, j, weight):
    """64 bits that hang on three numbers and their order."""
    mixed = np.uint64(i) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(j)
    for number in (np.uint64(weight), np.uint64(0)):
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9) + number
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
