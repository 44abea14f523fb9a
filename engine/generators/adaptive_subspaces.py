"""Locally adaptive clustering: k-means in which every cluster weighs the features by how closely it keeps to them.

Al-Razgan and Domeniconi, "Weighted clustering ensembles", SIAM Conf. Data Mining, 2006, sections 3 and 4.1; after
Domeniconi, Papadopoulos, Gunopulos and Ma, "Subspace clustering of high dimensional data", same conference, 2004.
"""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..ensemble.microclusters import frozen
from ..ensemble.reading_labels import as_points
from ..ensemble.renumbering import first_appearance
from ..params import Float, require, require_integer
from ..runtime.blocks import kept_threads
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor
from .nearest_clusters import NearestClusters, mean_squares, means, refill, spread_of, squared_distances

#: 1/h that `lac` accepts: beyond them nothing changes any more, and rounding would enter the objective.
INVERSE_H_BOUNDS = (1e-12, 1e12)

_SAMPLE_PER_CLUSTER = 10  # objects the seeds are chosen from: few enough that an outlier is rarely among them
_LEAST_WEIGHT = 1e-100


@dataclass(frozen=True, eq=False)
class LACResult:
    """What one run found. All arrays are read-only; clusters are numbered by first appearance.

    Attributes
    ----------
    labels : (N,) int32
        0..k-1, every one occurs. The nearest centroid under its cluster's weights, eq. (3.1); of equally near
        ones the cluster that appears first.
    centroids : (k, D)
        In the units of the features.
    weights : (k, D)
        How much each feature counts in each cluster; rows sum to 1.
    posterior : (N, k)
        P(C | x), eq. (4.6); rows sum to 1, all entries are positive.
    objective : (T,)
        Error of the partition after every iteration, never rising; squared units of the features.
    inverse_h : float
        1/h of the run.
    """

    labels: NDArray[np.int32]
    centroids: NDArray[np.float64]
    weights: NDArray[np.float64]
    posterior: NDArray[np.float64]
    objective: NDArray[np.float64]
    inverse_h: float


def lac(
    features: ArrayLike,
    k: int,
    inverse_h: float,
    seed: int | np.random.SeedSequence = 0,
    *,
    max_iter: int = 200,
    tol: float = 1e-9,
    monitor: Monitor = SILENT,
) -> LACResult:
    """Cluster the objects, and find for every cluster the features it keeps closest to.

    Parameters
    ----------
    features : (N, D) float
        Scaled as you wish; finite. 1/h means something relative to this scaling.
    k : int
        Clusters, from 2 to N. Fewer come back only if fewer than k objects differ, or if all weight went to a feature
        in which they do not.
    inverse_h : float
        1/h > 0. Near 0 all features count alike; large, one feature decides.
    seed : int or SeedSequence
    max_iter : int
    tol : float
        Stop once an iteration lowers the objective by less than this share of it.
    monitor : Monitor, optional

    Returns
    -------
    LACResult

    Raises
    ------
    InvalidParameterError, Cancelled

    Notes
    -----
    Every iteration goes in the paper's order: partition (3.1), weights (3.4), partition, centroids (3.5). The
    objective is the paper's error (3.3), with every cluster counted by its share of the objects, the constant
    h log D added so that it is a non-negative mean of squared distances at any h, and the best centroids and
    weights for the partition put in::

        sum_j |S_j|/N min_w sum_i (w_i X_ji + h w_i log(D w_i)) = -h sum_j |S_j|/N log mean_i exp(-X_ji / h)

    Weights and centroids lower the error, but the partition looks at the distances alone and may raise the entropy
    term: an iteration that would raise the objective is not taken, and the run ends there. The labels are the
    partition (3.1) under the last centroids and weights; with the best ones of its own it may have a higher error.

    The seeds are well scattered: from a random one on, each is the farthest from those before, among 10 k objects
    drawn at random (as in PROCLUS), since the farthest of all objects would be outliers. An emptied cluster
    takes the object farthest from its own centroid.

    Examples
    --------
    >>> points = np.random.default_rng(0).normal(size=(60, 2)) * [1, 3]
    >>> points[30:] += [20, 0]
    >>> found = lac(points, 2, inverse_h=0.5)
    >>> found.labels.tolist() == [0] * 30 + [1] * 30, bool((found.weights[:, 0] > 0.9).all())
    (True, True)
    """
    points = _as_points(features)
    _check(points, k, inverse_h, max_iter, tol)
    centroids = _well_scattered(points, k, _generator(seed))
    weights = np.full(centroids.shape, 1 / points.shape[1])
    objective: list[float] = []
    nearest = NearestClusters(points)
    with kept_threads():
        for iteration in range(max_iter):
            monitor.tick("adapting the weights of the features", iteration, max_iter)
            step = _iterate(nearest, centroids, weights, inverse_h)
            if objective and step[2] > objective[-1]:
                break
            centroids, weights = step[:2]
            objective.append(step[2])
            if len(objective) > 1 and objective[-2] - objective[-1] <= tol * objective[-2]:
                break
        return _result(points, centroids, weights, np.array(objective), float(inverse_h))


def _iterate(
    nearest: NearestClusters, centroids: NDArray, weights: NDArray, inverse_h: float
) -> tuple[NDArray, NDArray, float]:
    """Centroids and weights after one iteration, and the error of its partition."""
    points = nearest.points
    labels, counts, centroids, _ = _partition(nearest, centroids, weights)
    weights = _feature_weights(mean_squares(points, labels, counts, centroids), inverse_h)
    labels, counts, centroids, weights = _partition(nearest, centroids, weights)
    centroids = means(points, labels, counts, centroids)
    return centroids, weights, _objective(mean_squares(points, labels, counts, centroids), counts, inverse_h)


def _partition(
    nearest: NearestClusters, centroids: NDArray, weights: NDArray
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray, NDArray]:
    """Eq. (3.1), with emptied clusters filled: labels (N,), objects in each cluster (k,), centroids, weights (k, D)."""
    labels = nearest.update(centroids, weights)
    counts = np.bincount(labels, minlength=len(centroids))
    if not counts.all():
        own = squared_distances(nearest.points, centroids, weights)[np.arange(len(labels)), labels]
        centroids, weights = refill(nearest.points, own, labels, counts, centroids, weights)
        nearest.forget()
    return labels, counts, centroids, weights


def _feature_weights(dispersion: NDArray, inverse_h: float) -> NDArray:
    """Eq. (3.4); the smallest dispersion is taken off first, so that no exponential vanishes altogether."""
    raw = np.exp(-inverse_h * (dispersion - dispersion.min(axis=1, keepdims=True)))
    raw[raw < _LEAST_WEIGHT] = 0  # subnormal numbers would slow every product down, and count for nothing
    return raw / raw.sum(axis=1, keepdims=True)


def _objective(dispersion: NDArray, counts: NDArray, inverse_h: float) -> float:
    """Error of a partition at its best weights; exact for tiny 1/h too, where it is the mean dispersion."""
    shares = counts / counts.sum()
    least = dispersion.min(axis=1)
    above = np.expm1(-inverse_h * (dispersion - least[:, None])).mean(axis=1)
    return float((shares * (least - np.log1p(above) / inverse_h)).sum())


@njit(cache=True, nogil=True)
def _posterior(squares, clusters):
    """Eq. (4.6): squared distances (N, k) to rows (N, len(clusters)) that sum to 1.

    Equal distances, zeros too, count all clusters alike.
    """
    posterior, distances = np.empty((len(squares), len(clusters))), np.empty(squares.shape[1])
    for i in range(len(squares)):
        row, farthest, total = posterior[i], 0.0, 0.0
        for j in range(len(distances)):
            distances[j] = np.sqrt(squares[i, j])
        for j in range(len(clusters)):
            row[j] = distances[clusters[j]]
            farthest = max(farthest, row[j])
        for j in range(len(clusters)):
            row[j] = farthest - row[j] + 1
            total += row[j]
        row *= 1 / total
    return posterior


def _result(points: NDArray, centroids: NDArray, weights: NDArray, objective: NDArray, inverse_h: float) -> LACResult:
    """The partition that centroids and weights induce, without empty clusters, numbered by first appearance."""
    squares = squared_distances(points, centroids, weights)
    induced = squares.argmin(axis=1)
    for _ in centroids:  # a filled cluster may draw objects from others, and empty one; rarely more than once
        counts = np.bincount(induced, minlength=len(centroids))
        if counts.all():
            break
        own = squares[np.arange(len(induced)), induced]
        centroids, weights = refill(points, own, induced, counts, centroids, weights)
        squares = squared_distances(points, centroids, weights)
        induced = squares.argmin(axis=1)
    labels = first_appearance(induced)
    kept = np.empty(labels.max() + 1, np.int64)
    kept[labels] = induced  # the cluster behind every new number
    return LACResult(
        labels=frozen(labels),
        centroids=frozen(centroids[kept]),
        weights=frozen(weights[kept]),
        posterior=frozen(_posterior(squares, kept)),
        objective=frozen(objective),
        inverse_h=inverse_h,
    )


def _well_scattered(points: NDArray, k: int, rng: np.random.Generator) -> NDArray:
    """Objects far from each other, (k, D): each the farthest from those before, in a sample."""
    sample = points[rng.choice(len(points), min(len(points), _SAMPLE_PER_CLUSTER * k), replace=False)]
    chosen = [0]
    nearest = ((sample - sample[0]) ** 2).sum(axis=1)
    for _ in range(k - 1):
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, ((sample - sample[chosen[-1]]) ** 2).sum(axis=1))
    return sample[chosen]


def _as_points(features: ArrayLike) -> NDArray[np.float64]:
    points = np.ascontiguousarray(as_points(features))
    spread_of(points)  # which refuses what is too small
    return points


def _generator(seed: int | np.random.SeedSequence) -> np.random.Generator:
    known = isinstance(seed, np.random.SeedSequence)
    return np.random.default_rng(seed if known else require_integer("seed", seed))


def _check(points: NDArray, k: int, inverse_h: float, max_iter: int, tol: float) -> None:
    low, high = INVERSE_H_BOUNDS
    if isinstance(k, bool) or not isinstance(k, int | np.integer) or not 2 <= k <= len(points):
        raise InvalidParameterError(f"k must be an integer from 2 to {len(points):,}, the objects. Got {k!r}")
    require("inverse_h", Float(low=low, high=high), inverse_h)
    require_integer("max_iter", max_iter, 1)
    if require("tol", Float(low=0), tol) >= 1:
        raise InvalidParameterError(f"tol must be a number in [0, 1). Got {tol!r}")
