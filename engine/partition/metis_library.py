"""METIS itself, as pymetis brings it: one call at a time, in a thread of its own, without Python's lock."""

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import MissingExtraError, PartitionerError
from ..monitor import Monitor

pymetis: Any
_extension: Any  # pymetis's compiled half, which holds METIS
try:
    import pymetis
    from pymetis import _internal as _extension
except ImportError:  # it is optional: whoever needs it says so
    pymetis = _extension = None

#: Integer type METIS was built with; its sums of weights must stay inside.
INDEX = np.dtype(pymetis.zero_copy_dtype() if pymetis else np.int32)
_LARGEST_SUM = 2**30 if INDEX.itemsize == 4 else 2**60
#: What the largest weight becomes where weights are not whole numbers.
WEIGHT_SCALE = 10_000
#: Cuts METIS makes to keep the thinnest.
N_CUTS = 5
#: METIS's array of options; -1 = default.
_N_OPTIONS = 40
_POINTER = ctypes.c_void_p
_OUT_OF_MEMORY = -3
#: What METIS's codes mean; 1 is success.
_STATUS = {-2: "it took its input for wrong", _OUT_OF_MEMORY: "it had too little memory"}
#: METIS draws from the C library's one random state: two calls at once would mix their draws.
_one_at_a_time = Lock()


@dataclass(frozen=True, eq=False)
class MetisGraph:
    """A graph in METIS's arrays, all of type `INDEX` and contiguous.

    Attributes
    ----------
    start : (n + 1,) int
        Vertex i has the edges start[i]..start[i + 1].
    neighbors, weights : (e,) int
        Where each edge leads, and its weight of at least 1; every edge is there from both ends.
    sizes : (n,) int
        Weights of the vertices, not negative.
    """

    start: NDArray
    neighbors: NDArray
    weights: NDArray
    sizes: NDArray


def require_metis() -> None:
    """Refuse where METIS is not there.

    Raises
    ------
    MissingExtraError
    """
    if pymetis is None:
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


def in_turn(task: Callable[[], NDArray], monitor: Monitor) -> NDArray:
    """Do a task in its turn in a thread of its own, and tick meanwhile; a cancel leaves it to end alone."""
    stage = "partitioning the graph"
    monitor.tick(stage, 0, 1)
    while not _one_at_a_time.acquire(timeout=0.1):
        monitor.tick(stage, 0, 1)
    pool = ThreadPoolExecutor(1)
    try:
        future = pool.submit(task)
        future.add_done_callback(lambda _: _one_at_a_time.release())
        while not wait([future], timeout=0.1).done:
            monitor.tick(stage, 0, 1)
    finally:
        pool.shutdown(wait=False)
    monitor.tick(stage, 1, 1)
    return future.result()


def cut_once(graph: MetisGraph, n_parts: int, seed: int, recursive: bool, two_hop: bool) -> NDArray[np.int32]:
    """Labels of the vertices, the best of five cuts; parts may be empty.

    Parameters
    ----------
    graph : MetisGraph
        With an edge at least.
    n_parts : int
        From 2 to n - 1: METIS errs on others.
    seed : int
    recursive : bool
        Recursive bisection instead of the k-way scheme.
    two_hop : bool
        Whether coarsening may join vertices that only share a neighbour.

    Raises
    ------
    PartitionerError
        If METIS gives up.
    """
    wanted = {"seed": seed, "ncuts": N_CUTS, "no2hop": int(not two_hop)}
    library = _library()
    if library is None:
        return _through_pymetis(graph, n_parts, recursive, wanted)
    options = np.full(_N_OPTIONS, -1, INDEX)
    for name, value in wanted.items():
        options[int(getattr(_extension.options_indices, name.upper()))] = value
    labels, cut = np.zeros(len(graph.sizes), INDEX), np.zeros(1, INDEX)
    n, n_constraints, k = (np.array([value], INDEX) for value in (len(graph.sizes), 1, n_parts))
    arrays = (n, n_constraints, graph.start, graph.neighbors, graph.sizes, None, graph.weights, k, None, None)
    metis = library.METIS_PartGraphRecursive if recursive else library.METIS_PartGraphKway
    pointers = (None if array is None else array.ctypes.data_as(_POINTER) for array in (*arrays, options, cut, labels))
    status = metis(*pointers)
    if status != 1:
        raise _gave_up(graph, n_parts, _STATUS.get(status, f"it stopped with status {status}"))
    return labels.astype(np.int32)


def _through_pymetis(graph: MetisGraph, n_parts: int, recursive: bool, wanted: dict[str, int]) -> NDArray[np.int32]:
    """The same labels where METIS's symbols are hidden; Python's lock is held meanwhile."""
    adjacency, options = pymetis.CSRAdjacency(graph.start, graph.neighbors), pymetis.Options(**wanted)
    given: dict[str, Any] = {"vweights": graph.sizes, "eweights": graph.weights, "options": options}
    try:
        found = pymetis.part_graph(n_parts, adjacency, recursive=recursive, **given)
    except (RuntimeError, MemoryError) as error:
        raise _gave_up(graph, n_parts, str(error) or _STATUS[_OUT_OF_MEMORY]) from error
    return np.asarray(found.vertex_part, dtype=np.int32)


def _gave_up(graph: MetisGraph, n_parts: int, reason: str) -> PartitionerError:
    n, n_edges = len(graph.sizes), len(graph.neighbors) // 2
    return PartitionerError("METIS", f"a graph of {n:,} vertices and {n_edges:,} edges into {n_parts:,} parts", reason)


@cache
def _library() -> Any:
    """METIS as pymetis brings it, called without Python's lock; None where its symbols are hidden."""
    try:
        library = ctypes.CDLL(_extension.__file__)
    except (AttributeError, OSError):  # built into something else, or not for loading by others
        return None
    for name in ("METIS_PartGraphKway", "METIS_PartGraphRecursive"):
        if not hasattr(library, name):
            return None
        getattr(library, name).argtypes = [_POINTER] * 13
        getattr(library, name).restype = ctypes.c_int
    return library
