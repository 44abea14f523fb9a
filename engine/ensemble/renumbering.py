"""Labels numbered by first appearance, so that nothing can depend on their names; and sorting by them."""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..runtime.blocks import map_blocks
from .reading_labels import label_vector

#: Labels that a thread numbers in one go at least, and entries of its table at most.
_LABELS, _TABLE = 1 << 17, 1 << 20


def renumber_columns(matrix: NDArray, unseen: NDArray[np.bool_] | None = None) -> NDArray[np.int32]:
    """Number every column 0..k-1 by first appearance; -1 where `unseen`, of the same shape, is true."""
    out = np.empty(matrix.shape, np.int32)
    n_columns, bound = matrix.shape[1], _bound_of_codes(matrix) if unseen is None else None
    if bound is not None:  # many columns at once
        block = min(max(16, _LABELS // len(matrix)), max(1, _TABLE // bound))
        map_blocks(lambda start, stop: _number(matrix, start, stop, bound, out), n_columns, block=block)
        return out

    def renumber(start: int, stop: int) -> None:
        for m in range(start, stop):
            if unseen is not None and unseen[:, m].any():
                out[:, m] = -1
                out[~unseen[:, m], m] = first_appearance(matrix[~unseen[:, m], m])
                continue
            n_codes = _bound_of_codes(matrix[:, m])
            if n_codes is not None:
                _number(matrix, m, m + 1, n_codes, out)
            else:
                values, codes = np.unique(matrix[:, m], return_inverse=True)
                numbered = np.empty((len(codes), 1), np.int32)
                _number(codes.reshape(-1, 1), 0, 1, len(values), numbered)
                out[:, m] = numbered[:, 0]

    map_blocks(renumber, n_columns, block=-(-n_columns // 64))
    return out


def _bound_of_codes(matrix: NDArray) -> int | None:
    """More than the largest of whole numbers from 0 that are small enough to count by; else None."""
    if matrix.dtype.kind in "iu" and matrix.dtype.itemsize <= 8:
        low, high = int(matrix.min()), int(matrix.max())
        if low >= 0 and high < 2 * len(matrix) + 1024:
            return high + 1
    return None


def _number(codes: NDArray, start: int, stop: int, bound: int, out: NDArray[np.int32]) -> None:
    """Columns start..stop by first appearance, into `out`; codes are below `bound`."""
    n_columns = stop - start
    scratch = np.full((n_columns, bound), -1, np.int32), np.zeros(n_columns, np.int32)
    _first_appearance_kernel(codes, start, *scratch, out)


@njit(cache=True, nogil=True)
def _first_appearance_kernel(codes, start, number, n_found, out):
    """Renumber the codes of some columns; `number` (-1 = not seen) and `n_found` are scratch."""
    n = codes.shape[0]
    for top in range(0, n, 256):  # rows that stay at hand while the columns take their turns
        for m in range(len(n_found)):
            known, following = number[m], n_found[m]
            for i in range(top, min(top + 256, n)):
                code = codes[i, start + m]
                if known[code] < 0:
                    known[code] = following
                    following += 1
                out[i, start + m] = known[code]
            n_found[m] = following


def first_appearance(labels: ArrayLike) -> NDArray[np.int32]:
    """Renumber labels to 0..k-1 by first appearance.

    Parameters
    ----------
    labels : (N,) of any values

    Returns
    -------
    (N,) int32

    Raises
    ------
    InvalidEnsembleError, InvalidParameterError
        If a label is missing, or, of several kinds, neither a word nor a whole number.

    Examples
    --------
    >>> first_appearance([5, 5, 2, 9, 2]).tolist()
    [0, 0, 1, 2, 1]
    """
    return renumber_columns(label_vector(labels)[:, None])[:, 0]


def stable_order(keys: NDArray[np.int32], n_keys: int, order: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sort the entries of `order` by keys[entry] in 0..n_keys-1; equal keys keep their order."""
    out = np.empty_like(order)
    _counting_sort_kernel(keys, order, np.zeros(n_keys + 1, np.int64), out)
    return out


@njit(cache=True, nogil=True)
def _counting_sort_kernel(keys, order, position, out):
    for i in range(len(order)):
        position[keys[order[i]] + 1] += 1
    for key in range(1, len(position)):
        position[key] += position[key - 1]
    for i in range(len(order)):
        key = keys[order[i]]
        out[position[key]] = order[i]
        position[key] += 1
