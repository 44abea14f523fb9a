"""METIS: graphs checked, then cut in a process of its own, which a cancel ends and no graph takes this one with."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..runtime.errors import InvalidParameterError, MissingExtraError, PartitionerError
from ..runtime.monitor import Monitor
from ..runtime.side_process import SideProcessError, solve_aside
from . import metis_calls
from .metis_calls import INDEX

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
