"""Leading eigenvectors of a symmetric matrix, without holding the GIL: pages and other tasks go on meanwhile."""

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numba.extending import get_cython_function_address
from numpy.typing import NDArray
from scipy import sparse

#: Above this many rows, Lanczos iterations find the few eigenvectors needed faster than a full solver.
_DENSE_SOLVER_LIMIT = 1_500


def top_eigenvectors(symmetric: NDArray, k: int) -> NDArray[np.float64]:
    """Eigenvectors of the k largest eigenvalues, largest first: (n, k).

    Parameters
    ----------
    symmetric : (n, n) float64
        C-contiguous; it is overwritten.
    k : int
        1..n.

    Raises
    ------
    numpy.linalg.LinAlgError
        If the iteration does not converge, as for a matrix that holds nan.
    """
    n = len(symmetric)
    if n <= _DENSE_SOLVER_LIMIT or k > n // 4:
        return _relatively_robust(symmetric, k)[:, ::-1]
    start = np.random.default_rng(0).random(n)
    product = sparse.linalg.LinearOperator((n, n), lambda vector: _product(symmetric, vector), dtype=np.float64)
    return sparse.linalg.eigsh(product, k=k, which="LA", v0=start, ncv=min(n, 4 * k + 20))[1][:, ::-1]


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


def _relatively_robust(symmetric: NDArray, k: int) -> NDArray[np.float64]:
    """LAPACK's dsyevr, which `scipy.linalg.eigh` calls too, but holding the GIL; eigenvalues ascend."""
    n = len(symmetric)
    values, vectors = np.empty(n), np.empty((k, n))  # by columns, as LAPACK writes them
    support, found, info = np.empty(2 * n, np.int32), ctypes.c_int(), ctypes.c_int()
    work, iwork = np.empty(1), np.empty(1, np.int32)
    for lengths in ((-1, -1), None):  # the first call only asks how much scratch it wants
        if lengths is None:
            work, iwork = np.empty(int(work[0])), np.empty(int(iwork[0]), np.int32)
            lengths = len(work), len(iwork)
        _dsyevr()(
            b"V",
            b"I",
            b"L",
            _int(n),
            symmetric.ctypes,
            _int(n),
            _float(0),
            _float(0),
            _int(n - k + 1),
            _int(n),
            _float(0),
            ctypes.byref(found),
            values.ctypes,
            vectors.ctypes,
            _int(n),
            support.ctypes,
            work.ctypes,
            _int(lengths[0]),
            iwork.ctypes,
            _int(lengths[1]),
            ctypes.byref(info),
        )
    if info.value or found.value < k:
        raise np.linalg.LinAlgError(f"dsyevr found {found.value} of {k} eigenvectors (info {info.value})")
    return vectors.T


@cache
def _dsyevr() -> Any:
    """The function scipy offers to compiled code; called through ctypes it runs without the GIL."""
    address = get_cython_function_address("scipy.linalg.cython_lapack", "dsyevr")
    return ctypes.CFUNCTYPE(None, *[ctypes.c_char_p] * 3, *[ctypes.c_void_p] * 18)(address)


@cache
def _dsymv() -> Any:
    address = get_cython_function_address("scipy.linalg.cython_blas", "dsymv")
    return ctypes.CFUNCTYPE(None, ctypes.c_char_p, *[ctypes.c_void_p] * 9)(address)


def _int(value: int) -> Any:
    return ctypes.byref(ctypes.c_int(value))


def _float(value: float) -> Any:
    return ctypes.byref(ctypes.c_double(value))
