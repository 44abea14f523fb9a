"""Clusters that weigh the features: deviations inside them, their means, and filling those left empty."""

import numpy as np
from numba import njit
from numpy.typing import NDArray


def mean_squares(points: NDArray, labels: NDArray, counts: NDArray, centroids: NDArray) -> NDArray:
    """Mean squared deviation X of every cluster's objects from its centroid, a feature each: (k, D); 0 if empty."""
    out = np.zeros(centroids.shape)
    _deviation_kernel(points, labels, centroids, out)
    return out / np.maximum(counts, 1)[:, None]


def means(points: NDArray, labels: NDArray, counts: NDArray, centroids: NDArray) -> NDArray:
    """Eq. (3.5): (k, D); an empty cluster stays where it was."""
    sums = np.zeros(centroids.shape)
    _sum_kernel(points, labels, sums)
    return np.where(counts[:, None] > 0, sums / np.maximum(counts, 1)[:, None], centroids)


def refill(
    points: NDArray, own: NDArray, labels: NDArray, counts: NDArray, centroids: NDArray, weights: NDArray
) -> tuple[NDArray, NDArray]:
    """Give every empty cluster the object farthest from its centroid; the new centroids and weights.

    `labels` and `counts` follow. `own` (N,) is every object's squared distance to its centroid; that of an object
    that moves becomes 0. An object on its centroid stays where it is: with fewer distinct objects than clusters some
    remain empty. The error falls: the object leaves a cost behind and has none of its own, all features counting alike.
    """
    centroids, weights = centroids.copy(), weights.copy()
    _refill_kernel(points, own, counts, labels, centroids, weights)
    return centroids, weights


@njit(cache=True, nogil=True)
def _deviation_kernel(points, labels, centroids, out):
    """Squared deviations from the centroids, summed over the objects of each cluster."""
    for i in range(len(points)):
        j = labels[i]
        for d in range(points.shape[1]):
            apart = points[i, d] - centroids[j, d]
            out[j, d] += apart * apart


@njit(cache=True, nogil=True)
def _sum_kernel(points, labels, out):
    """Sums of the objects of each cluster."""
    for i in range(len(points)):
        j = labels[i]
        for d in range(points.shape[1]):
            out[j, d] += points[i, d]


@njit(cache=True, nogil=True)
def _refill_kernel(points, own, counts, labels, centroids, weights):
    """Fill empty clusters; `own` is every object's squared distance to its centroid."""
    for j in range(len(counts)):
        if counts[j] > 0:
            continue
        farthest = -1
        for i in range(len(own)):
            if own[i] > 0 and counts[labels[i]] > 1 and (farthest < 0 or own[i] > own[farthest]):
                farthest = i
        if farthest < 0:
            return
        counts[labels[farthest]] -= 1
        counts[j], labels[farthest], own[farthest] = 1, j, 0.0
        centroids[j] = points[farthest]
        weights[j] = 1.0 / points.shape[1]
