"""Labels numbered by first appearance, so that nothing can depend on their names."""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from engine.blocks import map_blocks


def renumber_columns(matrix: NDArray) -> NDArray[np.int32]:
    """Number every column 0..k-1 by first appearance."""
    out = np.empty(matrix.shape, np.int32)

    def renumber(start: int, stop: int) -> None:
        for m in range(start, stop):
            codes, n_codes = _small_codes(matrix[:, m])
            _first_appearance_kernel(codes, np.full(n_codes, -1, np.int32), out[:, m])

    map_blocks(renumber, matrix.shape[1], block=1)
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
    """Renumber labels (N,) to 0..k-1 by first appearance.

    >>> first_appearance([5, 5, 2, 9, 2]).tolist()
    [0, 0, 1, 2, 1]
    """
    return renumber_columns(np.asarray(labels)[:, None])[:, 0]
