"""Data without clusters: one Gaussian with the spread and the correlations of the data."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..runtime.errors import InvalidParameterError


def principal_scores(features: ArrayLike) -> NDArray[np.float64]:
    """Objects on their principal components, those without variance left out: (N, p), p <= min(N - 1, D).

    Distances are those between the rows of `features`, so that k-means finds the same on both.

    Parameters
    ----------
    features : (N, D) float
        Finite, N >= 2.

    Returns
    -------
    (N, p) float64
        Columns of mean 0 that do not correlate, by falling variance.

    Raises
    ------
    InvalidParameterError
        If features are no finite matrix, or do not differ.

    Examples
    --------
    >>> principal_scores([[0.0, 1.0], [0.0, 3.0], [0.0, 5.0]]).round(6).tolist()
    [[-2.0], [0.0], [2.0]]
    """
    points = np.asarray(features, dtype=np.float64)
    if points.ndim != 2 or len(points) < 2 or not np.isfinite(points).all():
        raise InvalidParameterError(f"features must be a finite matrix of at least 2 objects. Got shape {points.shape}")
    centred = points - points.mean(axis=0)
    small = centred.T @ centred if points.shape[1] <= len(points) else None
    scores = _by_features(centred, small) if small is not None else _by_objects(centred)
    spread = scores.std(axis=0)
    kept = spread > 1e-9 * max(spread.max(initial=0.0), 1e-300)
    if not kept.any() or spread.max() < 1e-12 * (1 + np.abs(points).max()):
        raise InvalidParameterError("features must differ between objects. Got the same values for all of them")
    scores = scores[:, kept]
    largest = scores[np.abs(scores).argmax(axis=0), np.arange(scores.shape[1])]
    return np.ascontiguousarray(scores * np.sign(largest) * _SIGN)


#: Signs are fixed by the entry of largest magnitude, the first of equals: it is negative.
_SIGN = -1.0


def _by_features(centred: NDArray, products: NDArray) -> NDArray[np.float64]:
    return centred @ np.linalg.eigh(products)[1][:, ::-1]


def _by_objects(centred: NDArray) -> NDArray[np.float64]:
    """For more features than objects: through the products of the objects."""
    values, vectors = np.linalg.eigh(centred @ centred.T)
    return (vectors * np.sqrt(np.maximum(values, 0)))[:, ::-1]


def without_clusters(scores: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """A set of as many objects drawn from the Gaussian whose components have the variances of `scores`: (N, p).

    Parameters
    ----------
    scores : (N, p) float64
        From `principal_scores`, whose columns do not correlate.
    rng : Generator

    Returns
    -------
    (N, p) float64
        Columns have mean 0 in expectation; they are not correlated.

    References
    ----------
    john2020m3c.
    """
    return rng.standard_normal(scores.shape) * scores.std(axis=0, ddof=1)
