"""The nearest centroid of every object, where each cluster weighs the features its own way.

From round to round centroids and weights move little, and most objects cannot have changed sides. As in Hamerly's
k-means (SIAM Conf. Data Mining, 2010) every object keeps a bound above the distance to its own cluster and one below
those to all others; here the bounds follow changing weights too. Labels are those of looking at everything.
"""

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..runtime.blocks import map_blocks, n_threads

#: Objects of a tile: few enough that tile and sums stay in the fastest cache, and a multiple of every vector width.
_TILE = 64
#: Objects that take longer to look at than a thread to be told of them.
_WORTH_A_THREAD = 4_096
#: Bounds must be apart by this share before an object is passed over: far more than rounding.
_SLACK = 1e-9
#: Features that weigh less count by the whole span of the data: their weights may change by any factor.
_LIGHT = 1e-12


class NearestClusters:
    """Labels of objects (N, D) that follow centroids and weights; centroids must lie within the objects' range."""

    def __init__(self, points: NDArray[np.float64]) -> None:
        self.points = points
        self.labels = np.zeros(len(points), np.int64)
        self.n_looked_at = 0
        self._spans = np.ptp(points, axis=0) ** 2
        self._upper, self._lower = np.empty(len(points)), np.zeros(len(points))
        self._doubtful = np.empty(len(points), np.int64)
        self._seen: tuple[NDArray, NDArray] | None = None

    def update(self, centroids: NDArray, weights: NDArray) -> NDArray[np.int64]:
        """The nearest centroid of every object under its cluster's weights, the first of equals: (N,) int64."""
        before = self._seen or (centroids, weights)
        grown, shrunk, light, shift = _changes(*before, centroids, weights, self._spans)
        roots = np.sqrt(weights)
        bounds = roots, roots * centroids, self.labels, self._upper, self._lower
        moves = grown, light, shift, shrunk.min(), light.max(), shift.max()
        self.n_looked_at = _doubt_kernel(self.points, *bounds, *moves, self._doubtful)
        chosen = self._doubtful[: self.n_looked_at]
        _in_threads(lambda start, stop: _settle_kernel(self.points, chosen[start:stop], *bounds), len(chosen))
        self._seen = centroids.copy(), weights.copy()
        return self.labels

    def forget(self) -> None:
        """Look at all objects next time; to be called where labels were changed from outside."""
        self._lower[:] = 0.0


def squared_distances(points: NDArray, centroids: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """Weighted squared distances (N, k) of the objects to the centroids, by the operations of `NearestClusters`."""
    squares = np.empty((len(points), len(centroids)))
    roots = np.sqrt(weights)
    shifts = roots * centroids
    _in_threads(
        lambda start, stop: _distance_kernel(points[start:stop], roots, shifts, squares[start:stop]), len(points)
    )
    return squares


def _in_threads(kernel: Callable[[int, int], object], n: int) -> None:
    """One block of objects a thread, if they are many: each goes through the same operations in any block."""
    map_blocks(kernel, n, block=max(_WORTH_A_THREAD, -(-n // n_threads())))


def _changes(
    old_centroids: NDArray, old_weights: NDArray, centroids: NDArray, weights: NDArray, spans: NDArray
) -> tuple[NDArray, NDArray, NDArray, NDArray]:
    """How far each cluster's squared distances may have changed, (k,) each, and the way of its centroid.

    Factors up and down from the heavy features, then what the light ones can add or take.
    """
    heavy = (old_weights > _LIGHT) & (weights > _LIGHT)
    factor = np.divide(weights, old_weights, out=np.ones_like(weights), where=heavy)
    grown = np.where(heavy, factor, 0.0).max(axis=1)
    shrunk = np.where(heavy, factor, 1.0).min(axis=1)  # at most 1, as rows sum to 1
    light = np.where(heavy, 0.0, np.maximum(weights, old_weights)) @ spans
    return grown, shrunk, light, np.sqrt((weights * (centroids - old_centroids) ** 2).sum(axis=1))


@njit(cache=True, nogil=True)
def _doubt_kernel(
    points, roots, shifts, labels, upper, lower, grown, light, shift, shrunk, lightest, farthest, doubtful
):
    """Let the bounds follow; list the objects whose nearest cluster may be another one, and return how many."""
    n = 0
    for i in range(len(points)):
        own = labels[i]
        if lower[i] > 0:
            lower[i] = np.sqrt(max(shrunk * (lower[i] ** 2 - lightest), 0.0)) - farthest
        if lower[i] > 0:
            upper[i] = np.sqrt(grown[own] * upper[i] ** 2 + light[own]) + shift[own]
            if upper[i] * (1 + _SLACK) < lower[i]:
                continue
            upper[i] = np.sqrt(_square(points[i], roots[own], shifts[own]))
            if upper[i] * (1 + _SLACK) < lower[i]:
                continue
        doubtful[n] = i
        n += 1
    return n


@njit(cache=True, nogil=True, fastmath={"contract", "reassoc"})
def _square(point, roots, shifts):
    """Squared distance of one object to one centroid, but for rounding."""
    square = 0.0
    for d in range(len(point)):
        apart = roots[d] * point[d] - shifts[d]
        square += apart * apart
    return square


@njit(cache=True, nogil=True, fastmath={"contract"})
def _settle_kernel(points, chosen, roots, shifts, labels, upper, lower):
    """Labels and bounds of the chosen objects; each goes through the same operations, whoever shares its tile."""
    mine, others, tile = np.empty(_TILE), np.empty(_TILE), np.zeros((points.shape[1], _TILE))
    least, following, who = np.empty(_TILE), np.empty(_TILE), np.empty(_TILE, np.int64)
    for first in range(0, len(chosen), _TILE):
        members = chosen[first : first + _TILE]
        _gather(points, members, tile)
        least[:], following[:] = np.inf, np.inf
        for j in range(0, len(roots), 2):
            other = min(j + 1, len(roots) - 1)
            _pair_kernel(tile, roots[j], shifts[j], roots[other], shifts[other], mine, others)
            _come_nearer(mine, j, least, following, who)
            if other > j:
                _come_nearer(others, other, least, following, who)
        for i in range(len(members)):
            labels[members[i]] = who[i]
            upper[members[i]], lower[members[i]] = np.sqrt(least[i]), np.sqrt(following[i])


@njit(cache=True, nogil=True, fastmath={"contract"})
def _distance_kernel(points, roots, shifts, out):
    """All distances, by the same operations as the smallest ones."""
    mine, others, tile = np.empty(_TILE), np.empty(_TILE), np.zeros((points.shape[1], _TILE))
    everyone = np.arange(len(points))
    for first in range(0, len(points), _TILE):
        members = everyone[first : first + _TILE]
        _gather(points, members, tile)
        for j in range(0, len(roots), 2):
            other = min(j + 1, len(roots) - 1)
            _pair_kernel(tile, roots[j], shifts[j], roots[other], shifts[other], mine, others)
            for i in range(len(members)):
                out[first + i, j], out[first + i, other] = mine[i], others[i]


@njit(cache=True, nogil=True, inline="always")
def _gather(points, members, tile):
    """The members side by side in a tile, a feature of all of them in a row."""
    for i in range(len(members)):
        row = points[members[i]]
        for d in range(len(row)):
            tile[d, i] = row[d]


@njit(cache=True, nogil=True, inline="always")
def _come_nearer(squares, cluster, least, following, who):
    """Enter the distances to a further cluster: the smallest, the next one, and whose the smallest is."""
    for i in range(_TILE):
        following[i] = min(following[i], max(squares[i], least[i]))
        if squares[i] < least[i]:
            least[i], who[i] = squares[i], cluster


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
