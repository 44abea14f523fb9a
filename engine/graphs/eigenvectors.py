"""Leading eigenvectors of a symmetric matrix, without holding the GIL: pages and other tasks go on meanwhile.

With them the normalised cut of a dense graph, eigenvectors turned into parts by rotation (Shi and Malik, Yu and Shi).
"""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba.extending import get_cython_function_address
from numpy.typing import NDArray
from scipy import sparse

from ..ensemble.renumbering import first_appearance
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor
from .library_calls import singular_vectors

#: Above this many rows, Lanczos iterations find the few eigenvectors needed faster than a full solver.
_DENSE_SOLVER_LIMIT = 1_000
#: Up to this many rows equal eigenvalues are looked for behind the last one asked for: all of them take a second there.
_FIXED_LIMIT = 1_500
#: Eigenvalues that differ by less than this share of the largest are equal: rounding parts them by some 1e-14.
_EQUAL = 1e-10


def top_eigenvectors(symmetric: NDArray, k: int) -> NDArray[np.float64]:
    """Eigenvectors of the k largest eigenvalues, largest first: (n, k); `symmetric` (n, n) is overwritten.

    Crossed base clusterings make eigenvalues repeat. There any basis of the equal ones is right, solvers differ in the
    one they find, and dsyevr may find none (scipy #13913). Where the k-th eigenvalue equals the next, all are found by
    divide and conquer instead, and the equal ones are taken along fixed directions: see `_fixed_basis`. Beyond
    _FIXED_LIMIT rows that takes too long, and the basis is the one the iterations end with.
    """
    n = len(symmetric)
    if n <= _DENSE_SOLVER_LIMIT or k > n // (20 if n <= _FIXED_LIMIT else 4):  # nor are many found so
        return _dense(symmetric, k)
    start = np.random.default_rng(0).random(n)
    product = sparse.linalg.LinearOperator((n, n), lambda vector: _product(symmetric, vector), dtype=np.float64)
    asked = k + 1 if n <= _FIXED_LIMIT else k
    try:
        values, vectors = sparse.linalg.eigsh(product, k=asked, which="LA", v0=start, ncv=min(n, 4 * k + 20))
    except sparse.linalg.ArpackError:
        return _all_of_them(symmetric, k)
    if asked > k and _equal_at_the_end(values):
        return _all_of_them(symmetric, k)
    return vectors[:, ::-1][:, :k]


def _dense(symmetric: NDArray, k: int) -> NDArray[np.float64]:
    """The top k by dsyevr, where it finds them and they are not equal to what comes next."""
    n = len(symmetric)
    asked, diagonal = min(k + 1, n), symmetric.diagonal().copy()
    values, vectors = _relatively_robust(symmetric, asked)
    if len(values) == asked and (asked == k or not _equal_at_the_end(values)):
        return vectors[:, ::-1][:, :k]
    symmetric.flat[:: n + 1] = diagonal  # all that dsyevr leaves of the matrix is the triangle it did not read
    return _all_of_them(symmetric, k)


def _equal_at_the_end(values: NDArray) -> bool:
    """Whether the two smallest of ascending eigenvalues are equal."""
    return bool(values[1] - values[0] <= _EQUAL * np.abs(values).max())


def _all_of_them(symmetric: NDArray, k: int) -> NDArray[np.float64]:
    """The top k of all eigenvectors, by a basis of its own for every set of equal values; reads the lower triangle."""
    require_memory("all eigenvectors of a graph", 2 * symmetric.nbytes)
    values, vectors = _divided(symmetric)
    values, vectors = values[::-1], vectors[:, ::-1]
    ends = np.append(np.flatnonzero(np.diff(values) < -_EQUAL * np.abs(values).max()) + 1, len(values))
    starts = np.concatenate([[0], ends[:-1]])
    parts = [_fixed_basis(vectors[:, a:b], min(b, k) - a) for a, b in zip(starts, ends, strict=True) if a < k]
    return np.concatenate(parts, axis=1)


def _fixed_basis(vectors: NDArray, n_kept: int) -> NDArray[np.float64]:
    """Orthonormal directions that hang on a space alone, not on the basis it comes in: fixed ones, projected."""
    if vectors.shape[1] == 1:
        return vectors
    directions = np.random.default_rng(0).random((len(vectors), n_kept))
    return np.linalg.qr(vectors @ (vectors.T @ directions))[0]


def _product(symmetric: NDArray, vector: NDArray) -> NDArray[np.float64]:
    """BLAS's dsymv: it reads one triangle, and memory is what a product of a matrix and a vector waits for."""
    vector, found = np.ascontiguousarray(vector, np.float64), np.empty(len(vector))
    n, step = _int(len(vector)), _int(1)
    _dsymv()(b"L", n, _float(1), symmetric.ctypes, n, vector.ctypes, step, _float(0), found.ctypes, step)
    return found


def top_eigenvalues(symmetric: NDArray, k: int) -> NDArray[np.float64]:
    """The k largest eigenvalues, largest first: (k,). Arguments as for `top_eigenvectors`; nothing is overwritten."""
    vectors = top_eigenvectors(symmetric.copy(), k)
    return np.einsum("ij,ij->j", vectors, symmetric @ vectors)


def _relatively_robust(symmetric: NDArray, k: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """LAPACK's dsyevr, which `scipy.linalg.eigh` calls too, but holding the GIL: values ascend, and may be too few."""
    n = len(symmetric)
    values, vectors = np.empty(n), np.empty((k, n))  # by columns, as LAPACK writes them
    support, found, info = np.empty(2 * n, np.int32), ctypes.c_int(), ctypes.c_int()

    def call(work: NDArray, n_work: int, iwork: NDArray, n_iwork: int) -> None:
        which = b"V", b"I", b"L", _int(n), symmetric.ctypes, _int(n), _float(0), _float(0), _int(n - k + 1), _int(n)
        out = _float(0), ctypes.byref(found), values.ctypes, vectors.ctypes, _int(n), support.ctypes
        scratch = work.ctypes, _int(n_work), iwork.ctypes, _int(n_iwork)
        _lapack("dsyevr", 3, 18)(*which, *out, *scratch, ctypes.byref(info))

    _with_scratch(call)
    n_found = 0 if info.value else found.value
    return values[:n_found], vectors[:n_found].T


def _divided(symmetric: NDArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """LAPACK's dsyevd: all eigenvalues, ascending, and eigenvectors, equal ones too."""
    n, info = len(symmetric), ctypes.c_int()
    values = np.empty(n)

    def call(work: NDArray, n_work: int, iwork: NDArray, n_iwork: int) -> None:
        which = b"V", b"U", _int(n), symmetric.ctypes, _int(n), values.ctypes  # the other triangle: rows are columns
        _lapack("dsyevd", 2, 9)(*which, work.ctypes, _int(n_work), iwork.ctypes, _int(n_iwork), ctypes.byref(info))

    _with_scratch(call)
    if info.value:
        raise np.linalg.LinAlgError(f"dsyevd did not converge (info {info.value})")
    return values, symmetric.T


def _with_scratch(call: Callable[[NDArray, int, NDArray, int], None]) -> None:
    """Call LAPACK twice: it first says how much scratch it wants."""
    work, iwork = np.empty(1), np.empty(1, np.int32)
    call(work, -1, iwork, -1)
    work, iwork = np.empty(int(work[0])), np.empty(int(iwork[0]), np.int32)
    call(work, len(work), iwork, len(iwork))


@cache
def _lapack(name: str, n_letters: int, n_pointers: int) -> Any:
    """A function scipy offers to compiled code; called through ctypes it runs without the GIL."""
    address = get_cython_function_address("scipy.linalg.cython_lapack", name)
    return ctypes.CFUNCTYPE(None, *[ctypes.c_char_p] * n_letters, *[ctypes.c_void_p] * n_pointers)(address)


@cache
def _dsymv() -> Any:
    address = get_cython_function_address("scipy.linalg.cython_blas", "dsymv")
    return ctypes.CFUNCTYPE(None, ctypes.c_char_p, *[ctypes.c_void_p] * 9)(address)


def _int(value: int) -> Any:
    return ctypes.byref(ctypes.c_int(value))


def _float(value: float) -> Any:
    return ctypes.byref(ctypes.c_double(value))


#: Weaker links are dropped, every self-loop gets so much more weight, and every degree twice as much, as published.
_WEAKEST, _REGULARISATION = 1e-6, 0.5
#: Rotations found from so many rows; rounds of each; by how much an objective must be better to count.
_N_STARTS, _ROUNDS, _BETTER = 20, 21, 1e-9


def normalized_cut(similarity: NDArray, n_parts: int, monitor: Monitor = SILENT) -> NDArray[np.int32]:
    """Parts of a graph that cut few links relative to the links they have.

    The top k eigenvectors of D^-1/2 (Z + I/2) D^-1/2 with D = Z 1 + 1, times D^-1/2, columns to one length and rows to
    unit length, are rotated towards indicators: argmax and the best rotation in turns.

    Parameters
    ----------
    similarity : (n, n) float64
        Z, symmetric, not negative.
    n_parts : int
        k, at most n.
    monitor : Monitor, optional

    Returns
    -------
    (n,) int32
        Numbered by first appearance: at most k parts, for a rotation may give nothing to one of them.

    Raises
    ------
    InvalidParameterError
        If k exceeds n.

    Notes
    -----
    O(n^3) time. The authors draw the row a rotation starts from; here min(n, 20) rows, evenly spread, are tried, and
    the highest objective wins, the first of equals: nothing is drawn.

    References
    ----------
    shi2000ncut; yu2003multiclass.

    Examples
    --------
    >>> normalized_cut(np.array([[1, 0.8, 0.1, 0], [0.8, 1, 0, 0.1], [0.1, 0, 1, 0.9], [0, 0.1, 0.9, 1]]), 2).tolist()
    [0, 0, 1, 1]
    """
    n = len(similarity)
    if n_parts > n:
        raise InvalidParameterError(
            f"n_clusters must be at most {n}, the clusters of all base clusterings together. Got {n_parts}"
        )
    rows = cut_directions(similarity, n_parts, monitor)
    n_starts = min(n, _N_STARTS)
    best, highest = np.zeros(n, np.int64), -np.inf
    for start in range(n_starts):
        monitor.tick("turning eigenvectors into parts", start, n_starts)
        labels, objective = rotated_parts(rows, start * n // n_starts)
        if objective > highest + _BETTER:
            best, highest = labels, objective
    monitor.tick("turning eigenvectors into parts", n_starts, n_starts)
    return first_appearance(best)


def cut_directions(similarity: NDArray, n_parts: int, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Rows of unit length, (n, k): what `normalized_cut` rotates."""
    monitor.tick("finding the cut of the graph", 0, 1)
    graph = np.where(similarity < _WEAKEST, 0, similarity)
    root = 1 / np.sqrt(graph.sum(axis=1) + 2 * _REGULARISATION)
    graph.flat[:: len(graph) + 1] += _REGULARISATION
    graph *= root[:, None]
    graph *= root
    vectors = root[:, None] * top_eigenvectors(graph, n_parts)
    vectors /= np.linalg.norm(vectors, axis=0)
    monitor.tick("finding the cut of the graph", 1, 1)
    length = np.linalg.norm(vectors, axis=1)[:, None]  # 0 in components beyond the first k, where there are more
    return np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)


def rotated_parts(rows: NDArray, start: int) -> tuple[NDArray[np.int64], float]:
    """Parts (n,) after rotating from one row, and the objective reached: the higher, the nearer to indicators."""
    k = rows.shape[1]
    rotation, objective = _first_rotation(rows, start), -np.inf
    for _ in range(_ROUNDS):
        labels = (rows @ rotation).argmax(axis=1)
        sums = np.zeros((k, k))
        np.add.at(sums, labels, rows)
        left, values, right = singular_vectors(sums)
        if abs(values.sum() - objective) < np.finfo(float).eps:
            break
        objective = float(values.sum())
        rotation = right.T @ left.T
    return labels, objective


def _first_rotation(rows: NDArray, start: int) -> NDArray[np.float64]:
    """The row to start from, then each time the row most orthogonal to those taken: (k, k), one a column."""
    k = rows.shape[1]
    taken, overlap = np.empty((k, k)), np.zeros(len(rows))
    taken[0] = rows[start]
    for t in range(1, k):
        overlap += np.abs(rows @ taken[t - 1])
        taken[t] = rows[overlap.argmin()]
    return taken.T
