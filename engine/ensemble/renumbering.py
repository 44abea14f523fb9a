"""Labels numbered by first appearance, so that nothing can depend on their names; and sorting by them."""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..runtime.blocks import map_blocks
from .reading_labels import label_vector


def renumber_columns(matrix: NDArray, unseen: NDArray[np.bool_] | None = None) -> NDArray[np.int32]:
    """Number every column 0..k-1 by first appearance; -1 where `unseen`, of the same shape, is true."""
    out = np.empty(matrix.shape, np.int32)

    def renumber(start: int, stop: int) -> None:
        for m in range(start, stop):
            if unseen is not None and unseen[:, m].any():
                out[:, m] = -1
                out[~unseen[:, m], m] = first_appearance(matrix[~unseen[:, m], m])
                continue
            codes, n_codes = _small_codes(matrix[:, m])
            _first_appearance_kernel(codes, np.full(n_codes, -1, np.int32), out[:, m])

    map_blocks(renumber, matrix.shape[1], block=-(-matrix.shape[1] // 64))
    return out


def _small_codes(column: NDArray) -> tuple[NDArray, int]:
    """Non-negative codes of a column's values, and a bound on them."""
    if column.dtype.kind in "iu" and column.dtype.itemsize <= 8:
        low, high = int(column.min()), int(column.max())
        if low >= 0 and high < 2 * len(column) + 1024:
            return column, high + 1
    values, codes = np.unique(column, return_inverse=True)
    return codes, len(values)


@njit(cache=True, nogil=True)
def _first_appearance_kernel(codes, number, out):
    """Renumber codes by first appearance; `number` (-1 = not seen) is scratch."""
    following = 0
    for i in range(len(codes)):
        code = codes[i]
        if number[code] < 0:
            number[code] = following
            following += 1
        out[i] = number[code]


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
        If a label is missing, or is neither a word nor a whole number.

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
