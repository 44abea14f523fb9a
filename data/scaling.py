"""Bringing features to a common scale."""

from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import ArrayLike

from .errors import DataError

Scaling = Literal["standard", "minmax", "none"]
#: Their names, in the order of menus.
SCALINGS: tuple[Scaling, ...] = get_args(Scaling)


def check_scaling(name: str) -> Scaling:
    """The name of a scaling, if it is one.

    Parameters
    ----------
    name : str
        As a person, a URL or a file says it.

    Returns
    -------
    str
        The name, one of `SCALINGS`.

    Raises
    ------
    DataError
    """
    if name not in SCALINGS:
        raise DataError(f"scaling must be one of {', '.join(SCALINGS)}, got {name!r}.")
    return cast(Scaling, name)


def scale(features: ArrayLike, how: str) -> np.ndarray:
    """Return scaled features; "standard" is (x - mean) / sd, "minmax" is (x - min) / (max - min).

    Parameters
    ----------
    features : array-like of shape (N, D)
        Finite values in any unit. Never written to.
    how : {"standard", "minmax", "none"}
        "standard" gives every column mean 0 and standard deviation 1 (divisor N), "minmax" the
        range [0, 1]. A constant column becomes 0 under both.

    Returns
    -------
    ndarray of shape (N, D), float64
        A new array without NaN or infinity.

    Raises
    ------
    DataError
        If `how` is unknown or `features` is not a finite matrix with rows.

    Examples
    --------
    >>> scale([[1, 5], [3, 5]], "standard")
    array([[-1.,  0.],
           [ 1.,  0.]])
    >>> scale([[1, 5], [3, 5]], "minmax")
    array([[0., 0.],
           [1., 0.]])
    """
    how = check_scaling(how)
    if isinstance(features, np.ma.MaskedArray):  # what is hidden is missing, whatever lies below the mask
        features = np.where(np.ma.getmaskarray(features), np.nan, features.data)
    try:
        matrix = np.array(features, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise DataError("features must be a matrix of numbers, every row as long as the first.") from None
    if matrix.ndim != 2 or not len(matrix) or not np.isfinite(matrix).all():
        raise DataError(f"features must be a finite (N, D) matrix with N >= 1, got shape {matrix.shape}.")
    if how == "none":
        return matrix
    constant = (matrix == matrix[0]).all(axis=0)
    _, exponent = np.frexp(np.abs(matrix).max(axis=0, initial=0.0))
    matrix = np.ldexp(matrix, -exponent - 1)  # a power of two: exact, and no sum can overflow
    matrix -= matrix.mean(axis=0) if how == "standard" else matrix.min(axis=0)
    spread = matrix.std(axis=0) if how == "standard" else matrix.max(axis=0)
    matrix /= np.where(constant | (spread == 0), 1.0, spread)
    matrix[:, constant] = 0.0
    return matrix
