"""Otsu's threshold: the division of values into low and high that sets the two means furthest apart."""

import numpy as np
from numpy.typing import NDArray


def otsu_threshold(values: NDArray, counts: NDArray) -> float:
    """Largest value of the lower class in the division that maximises the variance between the classes.

    Parameters
    ----------
    values : (v,) int
        Distinct, ascending.
    counts : (v,) int
        How often each occurs, at least once.

    Returns
    -------
    float
        Of equally good divisions the lowest; the value itself if there is one.

    Notes
    -----
    Otsu, "A threshold selection method from gray-level histograms", 1975, on the values themselves, not on bins.

    Examples
    --------
    >>> otsu_threshold(np.array([0, 1, 8, 9]), np.array([5, 5, 1, 1]))
    1.0
    """
    if len(values) == 1:
        return float(values[0])
    below, sums = np.cumsum(counts), np.cumsum(counts * values)
    n, total = below[-1], sums[-1]
    gap = (n * sums - below * total)[:-1].astype(np.float64)
    between = gap * (gap / (below * (n - below))[:-1])
    return float(values[np.flatnonzero(between >= between.max() * (1 - 1e-12))[0]])


def gray_threshold(values: NDArray[np.float64]) -> float:
    """Otsu's threshold on 256 bins, as MATLAB's graythresh: the mean of the best divisions, in [0, 1].

    >>> round(gray_threshold(np.array([0, 0, 0, 1.0])), 3)
    0.498
    """
    counts = np.bincount(np.floor(values * 255 + 0.5).astype(np.int64), minlength=256)
    share = counts / counts.sum()
    omega, mu = np.cumsum(share), np.cumsum(share * np.arange(1, 257))
    inside = omega * (1 - omega)
    between = np.divide((mu[-1] * omega - mu) ** 2, inside, out=np.full(256, -1.0), where=inside > 0)
    return float(np.flatnonzero(between == between.max()).mean() / 255)
