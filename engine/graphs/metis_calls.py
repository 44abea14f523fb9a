"""One call of METIS, as pymetis brings it: in a thread here, or in a process of its own (see `side_worker.py`).

Imports nothing of this package: a process that only cuts graphs starts at once.
"""

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

pymetis: Any
_extension: Any  # pymetis's compiled half, which holds METIS
try:
    import pymetis
    from pymetis import _internal as _extension
except ImportError:  # it is optional: whoever needs it says so
    pymetis = _extension = None

#: Integer type METIS was built with; its sums of weights must stay inside.
INDEX = np.dtype(pymetis.zero_copy_dtype() if pymetis else np.int32)
#: METIS's array of options; -1 = default.
_N_OPTIONS = 40
_POINTER = ctypes.c_void_p
_OUT_OF_MEMORY = -3
#: What METIS's codes mean; 1 is success.
_STATUS = {-2: "it took its input for wrong", _OUT_OF_MEMORY: "it had too little memory"}


class MetisError(Exception):
    """METIS gave up, and says why."""


def partition(
    start: NDArray,
    neighbors: NDArray,
    weights: NDArray,
    sizes: NDArray,
    n_parts: int,
    recursive: bool,
    wanted: dict[str, int],
) -> NDArray[np.int32]:
    """Labels (n,) of the vertices of a graph that was checked (see `metis_library.MetisGraph`); parts may be empty.

    `n_parts` is from 2 to n - 1: METIS errs on others. `recursive` bisection instead of the k-way scheme; `wanted` are
    METIS's options by name: seed, ncuts, no2hop.
    """
    library = _library()
    if library is None:
        with _silent():
            return _through_pymetis(start, neighbors, weights, sizes, n_parts, recursive, wanted)
    options = np.full(_N_OPTIONS, -1, INDEX)
    for name, value in wanted.items():
        options[int(getattr(_extension.options_indices, name.upper()))] = value
    labels, cut = np.zeros(len(sizes), INDEX), np.zeros(1, INDEX)
    n, n_constraints, k = (np.array([value], INDEX) for value in (len(sizes), 1, n_parts))
    arrays = (n, n_constraints, start, neighbors, sizes, None, weights, k, None, None)
    metis = library.METIS_PartGraphRecursive if recursive else library.METIS_PartGraphKway
    pointers = (None if array is None else array.ctypes.data_as(_POINTER) for array in (*arrays, options, cut, labels))
    with _silent():
        status = metis(*pointers)
    if status != 1:
        raise MetisError(_STATUS.get(status, f"it stopped with status {status}"))
    return labels.astype(np.int32)


def _through_pymetis(
    start: NDArray,
    neighbors: NDArray,
    weights: NDArray,
    sizes: NDArray,
    n_parts: int,
    recursive: bool,
    wanted: dict[str, int],
) -> NDArray[np.int32]:
    """The same labels where METIS's symbols are hidden; Python's lock is held meanwhile."""
    adjacency, options = pymetis.CSRAdjacency(start, neighbors), pymetis.Options(**wanted)
    given: dict[str, Any] = {"vweights": sizes, "eweights": weights, "options": options}
    try:
        found = pymetis.part_graph(n_parts, adjacency, recursive=recursive, **given)
    except (RuntimeError, MemoryError) as error:
        raise MetisError(str(error) or _STATUS[_OUT_OF_MEMORY]) from error
    return np.asarray(found.vertex_part, dtype=np.int32)


#: What C calls its standard output, by system.
_C_STDOUT = ("stdout", "__stdoutp")


@cache
def _c_output() -> tuple[Any, int] | None:
    """Where C's standard output is kept, and a stream into nothing; None where C does not let it be changed."""
    try:
        c = ctypes.CDLL(None)
        kept = next(_POINTER.in_dll(c, name) for name in _C_STDOUT if hasattr(c, name))
        c.fopen.restype, c.fopen.argtypes = _POINTER, [ctypes.c_char_p] * 2
        nothing = c.fopen(os.devnull.encode(), b"w")
    except (TypeError, OSError, AttributeError, StopIteration):  # on Windows there is no such library
        return None
    return (kept, nothing) if nothing else None


def speaks() -> bool:
    """Whether METIS, called here, may write into this process's standard output; in a process of its own never."""
    return _c_output() is None


@contextmanager
def _silent() -> Iterator[None]:
    """C's standard output leads nowhere meanwhile; Python's, with the answer of a command, is another one.

    METIS prints what it could not bisect, which is mended here. Calls take turns, so that none restores another's.
    """
    output = _c_output()
    if output is None:
        yield
        return
    kept, nothing = output
    before, kept.value = kept.value, nothing
    try:
        yield
    finally:
        kept.value = before


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


def solve(given: dict[str, NDArray]) -> NDArray[np.int32]:
    """What a process of its own is asked for: the arrays of `partition`, options as arrays of one number."""
    graph = {name: given[name] for name in ("start", "neighbors", "weights", "sizes")}
    wanted = {name: int(given[name]) for name in ("seed", "ncuts", "no2hop")}
    return partition(**graph, n_parts=int(given["n_parts"]), recursive=bool(given["recursive"]), wanted=wanted)
