"""Leading eigenvectors of a symmetric matrix, without holding the GIL: pages and other tasks go on meanwhile."""

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba.extending import get_cython_function_address
from numpy.typing import NDArray
from scipy import sparse

from ..runtime.memory import require_memory

#: Above this many rows, Lanczos iterations find the few eigenvectors needed faster than a full solver.
_DENSE_SOLVER_LIMIT = 1_500
#: Eigenvalues that differ by less than this share of the largest are equal: rounding parts them by some 1e-14.
_EQUAL = 1e-10


def top_eigenvectors(symmetric: NDArray, k: int) -> NDArray[np.float64]:
    """Eigenvectors of the k largest eigenvalues, largest first: (n, k); `symmetric` (n, n) is overwritten.

    Crossed base clusterings make eigenvalues repeat. There any basis of the equal ones is right, solvers differ in the
    one they find, and dsyevr may find none (scipy #13913). Where the k-th eigenvalue equals the next, all are found by
    divide and conquer instead, and the equal ones are taken along fixed directions: see `_fixed_basis`.
    """
    n = len(symmetric)
    if n <= _DENSE_SOLVER_LIMIT or k > n // 4:
        return _dense(symmetric, k)
    start = np.random.default_rng(0).random(n)
    product = sparse.linalg.LinearOperator((n, n), lambda vector: _product(symmetric, vector), dtype=np.float64)
    try:
        return sparse.linalg.eigsh(product, k=k, which="LA", v0=start, ncv=min(n, 4 * k + 20))[1][:, ::-1]
    except sparse.linalg.ArpackError:
        return _all_of_them(symmetric, k)


def _dense(symmetric: NDArray, k: int) -> NDArray[np.float64]:
    """The top k by dsyevr, where it finds them and they are not equal to what comes next."""
    n = len(symmetric)
    asked, diagonal = min(k + 1, n), symmetric.diagonal().copy()
    values, vectors = _relatively_robust(symmetric, asked)
    if len(values) == asked and (asked == k or values[1] - values[0] > _EQUAL * np.abs(values).max()):
        return vectors[:, ::-1][:, :k]
    symmetric.flat[:: n + 1] = diagonal  # all that dsyevr leaves of the matrix is the triangle it did not read
    return _all_of_them(symmetric, k)


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
