"""What the statistics take: arrays of scores, checked at the door."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..runtime.errors import InvalidParameterError

#: NMI and its like are sums of thousands of terms in [0, 1]: what differs beyond these decimals is rounding.
DECIMALS = 12


def as_scores(values: ArrayLike, name: str, ndim: int) -> NDArray[np.float64]:
    """Numbers of the right number of axes, none infinite, NaN where there is no score; `name` is for the message."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != ndim or (array.size == 0 and ndim > 1):
        raise InvalidParameterError(f"{name} must be an array of {ndim} axes, none empty. Got shape {array.shape}")
    if np.isinf(array).any():
        raise InvalidParameterError(f"{name} must be finite. Got {array[np.isinf(array)][0]}")
    return array


def refuse_missing(missing: NDArray, block: str) -> None:
    """Name the first of the cells (n_blocks, n_methods) that have no score; `block` is what a row is called."""
    if missing.any():
        row, column = np.argwhere(missing)[0]
        raise InvalidParameterError(
            f"every method must have a score in every {block}. Got none for method {column + 1} in {block} {row + 1}, "
            f"{missing.sum():,} missing in all"
        )


def check_alpha(alpha: float) -> float:
    """The level of a test, if it lies strictly between 0 and 1."""
    if not 0 < alpha < 1:
        raise InvalidParameterError(f"alpha must be between 0 and 1, both excluded. Got {alpha!r}")
    return alpha
