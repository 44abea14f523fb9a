"""Clusters that weigh the features: distances to them, deviations inside them, and filling those left empty."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

#: Objects of a tile: few enough that tile and sums stay in the fastest cache, and a multiple of every vector width.
_TILE = 64


def tiled(points: NDArray) -> NDArray[np.float64]:
    """The objects for `nearest`: (tiles, D, objects), a feature of all objects of a tile side by side, 0 at the end."""
    n, d = points.shape
    tiles = np.zeros((-(-n // _TILE), d, _TILE))
    _tiling_kernel(points, tiles)
    return tiles


def nearest(
    tiles: NDArray, n_objects: int, centroids: NDArray, weights: NDArray
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Nearest centroid of every object under its cluster's weights, the first of equals, and its squared distance."""
    labels, own = np.empty(n_objects, np.int64), np.empty(n_objects)
    roots = np.sqrt(weights)
    _nearest_kernel(tiles, roots, roots * centroids, labels, own)
    return labels, own


def squared_distances(tiles: NDArray, n_objects: int, centroids: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """Weighted squared distances (N, k) of the objects to the centroids."""
    squares = np.empty((n_objects, len(centroids)))
    roots = np.sqrt(weights)
    _distance_kernel(tiles, roots, roots * centroids, squares)
    return squares


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
def _tiling_kernel(points, tiles):
    """Objects side by side in tiles."""
    for i in range(len(points)):
        for d in range(points.shape[1]):
            tiles[i // _TILE, d, i % _TILE] = points[i, d]


@njit(cache=True, nogil=True, fastmath={"contract"})
def _nearest_kernel(tiles, roots, shifts, labels, own):
    """Labels and squared distances; every object goes through the same operations, wherever in its tile it stands."""
    k = len(roots)
    mine, others, least, who = np.empty(_TILE), np.empty(_TILE), np.empty(_TILE), np.empty(_TILE, np.int64)
    for t in range(len(tiles)):
        least[:] = np.inf
        for j in range(0, k, 2):
            other = min(j + 1, k - 1)
            _pair_kernel(tiles[t], roots[j], shifts[j], roots[other], shifts[other], mine, others)
            for i in range(_TILE):
                if mine[i] < least[i]:
                    least[i], who[i] = mine[i], j
                if others[i] < least[i]:
                    least[i], who[i] = others[i], other
        first = t * _TILE
        for i in range(min(_TILE, len(labels) - first)):
            labels[first + i], own[first + i] = who[i], least[i]


@njit(cache=True, nogil=True, fastmath={"contract"})
def _distance_kernel(tiles, roots, shifts, out):
    """All distances, by the same operations as the smallest ones."""
    k = len(roots)
    mine, others = np.empty(_TILE), np.empty(_TILE)
    for t in range(len(tiles)):
        first = t * _TILE
        for j in range(0, k, 2):
            other = min(j + 1, k - 1)
            _pair_kernel(tiles[t], roots[j], shifts[j], roots[other], shifts[other], mine, others)
            for i in range(min(_TILE, len(out) - first)):
                out[first + i, j], out[first + i, other] = mine[i], others[i]


@njit(cache=True, nogil=True, fastmath={"contract"}, inline="always")
def _pair_kernel(tile, roots, shifts, other_roots, other_shifts, mine, others):
    """Squared distances of the objects of a tile to two centroids: each value read serves both.

    With the root r of a weight, w (x - c)^2 = (r x - r c)^2: two operations where the processor has fused ones.
    """
    mine[:] = 0.0
    others[:] = 0.0
    for d in range(0, len(tile) - 1, 2):
        v, a, w, b = roots[d], shifts[d], roots[d + 1], shifts[d + 1]  # locals, or they are read again and again
        r, p, s, q = other_roots[d], other_shifts[d], other_roots[d + 1], other_shifts[d + 1]
        for i in range(_TILE):
            x, y = tile[d, i], tile[d + 1, i]
            first, second = v * x - a, w * y - b
            mine[i] += first * first + second * second
            first, second = r * x - p, s * y - q
            others[i] += first * first + second * second
    if len(tile) % 2:
        v, a, r, p = roots[-1], shifts[-1], other_roots[-1], other_shifts[-1]
        for i in range(_TILE):
            x = tile[-1, i]
            mine[i] += (v * x - a) * (v * x - a)
            others[i] += (r * x - p) * (r * x - p)


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
