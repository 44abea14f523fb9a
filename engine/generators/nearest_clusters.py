"""The nearest centroid of every object, where each cluster weighs the features its own way.

From round to round centroids and weights move little, and most objects cannot have changed sides. As in Hamerly's
k-means (SIAM Conf. Data Mining, 2010) every object keeps a bound above the distance to its own cluster and one below
those to all others; here the bounds follow changing weights too. While many are in doubt, a look in single precision
sets all bounds anew, and what it cannot tell apart is settled in double. Labels are those of looking at everything.
What follows from labels is here, too: deviations inside clusters, their means, and filling those left empty.
"""

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..runtime.blocks import map_blocks, n_threads
from ..runtime.errors import InvalidParameterError

#: Objects of a tile: few enough that tile and sums stay in the fastest cache, and a multiple of every vector width.
_TILE = 64
#: Objects that take longer to look at than a thread to be told of them: exactly, and roughly, counted in tiles.
_WORTH_A_THREAD, _TILES_WORTH_A_THREAD = 4_096, 256
#: Bounds must be apart by this share before an object is passed over: far more than rounding.
_SLACK = 1e-9
#: Features that weigh less count by the whole span of the data: their weights may change by any factor.
_LIGHT = 1e-12
#: The share of objects in doubt from which a rough look at all is quicker than an exact one at these.
_ROUGH_FROM = 0.25
#: Squares of distances below this one lose digits in double precision, and vanish.
_LEAST_DISTANCE = 1e-150
#: Unit roundoff of single precision.
_ROUNDOFF = 2.0**-24


class NearestClusters:
    """Labels of objects (N, D) that follow centroids and weights; centroids must lie within the objects' range."""

    def __init__(self, points: NDArray[np.float64]) -> None:
        self.points = points
        self.labels = np.zeros(len(points), np.int64)
        self.n_looked_at = 0
        self._lowest, self._highest = _range_kernel(points)
        self._upper, self._lower = np.zeros(len(points)), np.zeros(len(points))
        self._doubtful = np.empty(len(points), np.int64)
        self._seen: tuple[NDArray, NDArray] | None = None
        self._tiles: NDArray[np.float32] | None = None

    def update(self, centroids: NDArray, weights: NDArray) -> NDArray[np.int64]:
        """The nearest centroid of every object under its cluster's weights, the first of equals: (N,) int64."""
        bounds = self.labels, self._upper, self._lower
        roots = np.sqrt(weights)
        clusters = roots, roots * centroids
        n = _follow_kernel(*bounds, *self._moves(centroids, weights), self._doubtful)
        self.n_looked_at = n
        if n > _ROUGH_FROM * len(self.points):
            self._look_roughly(centroids, roots)
            n, self.n_looked_at = _doubt_kernel(self._upper, self._lower, self._doubtful), len(self.points)
        else:
            n = _own_kernel(self.points, *clusters, *bounds, self._doubtful, n)
        chosen = self._doubtful[:n]
        _in_threads(lambda start, stop: _settle_kernel(self.points, chosen[start:stop], *clusters, *bounds), n)
        self._seen = centroids.copy(), weights.copy()
        return self.labels

    def forget(self) -> None:
        """Look at all objects next time; to be called where labels were changed from outside."""
        self._lower[:] = 0.0

    def _moves(self, centroids: NDArray, weights: NDArray) -> tuple[NDArray, NDArray, float, float]:
        """How distances may have changed since the last update: d to its own cluster to at most a d + b, (k,) both.

        The last two say it of all others: to at least s d - f. The heavy features change by factors; the light ones
        can add or take as much as all objects span; and the centroid has gone its way.
        """
        old_centroids, old_weights = self._seen or (centroids, weights)
        heavy = (old_weights > _LIGHT) & (weights > _LIGHT)
        factor = np.divide(weights, old_weights, out=np.ones_like(weights), where=heavy)
        grown = np.sqrt(np.where(heavy, factor, 0.0).max(axis=1))
        shrunk = np.sqrt(np.where(heavy, factor, 1.0).min())  # at most 1, as rows sum to 1
        light = np.sqrt(np.where(heavy, 0.0, np.maximum(weights, old_weights)) @ (self._highest - self._lowest) ** 2)
        shift = np.sqrt((weights * (centroids - old_centroids) ** 2).sum(axis=1))
        return grown, light + shift, shrunk, light.max() + shift.max()

    def _look_roughly(self, centroids: NDArray, roots: NDArray) -> None:
        """Labels and bounds of all objects from distances in single precision, as wide as its rounding.

        Objects are moved to the middle of their range and divided by its largest span, so that neither a far origin
        nor the unit costs digits. A distance is off by the rounding of values, and by a share of itself for its sum;
        one whose square double precision cannot hold is never decided here, as it would not be there.
        """
        middle, spans = (self._lowest + self._highest) / 2, self._highest - self._lowest
        unit = max(spans.max(), 1e-300)
        if self._tiles is None:
            self._tiles = np.zeros((-(-len(self.points) // _TILE), self.points.shape[1], _TILE), np.float32)
            tiling = self.points, middle, 1 / unit, self._tiles
            _in_threads(
                lambda start, stop: _tile_kernel(*tiling, start, stop),
                len(self._tiles),
                _TILES_WORTH_A_THREAD,
            )
        margin = (8 * _ROUNDOFF * np.sqrt((roots**2 @ (spans / unit) ** 2).max()) + 1e-17) * unit + _LEAST_DISTANCE
        share = (len(spans) + 8) * _ROUNDOFF
        with np.errstate(over="ignore"):  # of objects that are all alike: infinitely far is never decided here
            clusters = roots.astype(np.float32), (roots * ((centroids - middle) / unit)).astype(np.float32)
        looking = self._tiles, *clusters, unit, margin, share, self.labels, self._upper, self._lower
        _in_threads(lambda start, stop: _look_kernel(*looking, start, stop), len(self._tiles), _TILES_WORTH_A_THREAD)


#: Of what differs by less, squares of a small share leave double precision.
_LEAST_SPREAD = 1e-100


def spread_of(points: NDArray) -> float:
    """The largest difference inside a feature of (N, D); refused where distances would be lost, 0 is not."""
    spread = float((points.max(axis=0) - points.min(axis=0)).max())
    if 0 < spread < _LEAST_SPREAD:
        raise InvalidParameterError(
            f"features must differ by at least {_LEAST_SPREAD:g}, or not at all: double precision loses the distances "
            f"of less. Got a largest difference of {spread:.3g}. Scale them first"
        )
    return spread


def squared_distances(points: NDArray, centroids: NDArray, weights: NDArray) -> NDArray[np.float64]:
    """Weighted squared distances (N, k) of the objects to the centroids, by the operations of `NearestClusters`."""
    squares = np.empty((len(points), len(centroids)))
    roots = np.sqrt(weights)
    shifts = roots * centroids
    _in_threads(
        lambda start, stop: _distance_kernel(points[start:stop], roots, shifts, squares[start:stop]), len(points)
    )
    return squares


def _in_threads(kernel: Callable[[int, int], object], n: int, least: int = _WORTH_A_THREAD) -> None:
    """A block of objects, or of tiles, for each thread that is worth it: the same operations in any block."""
    map_blocks(kernel, n, block=max(1, -(-n // max(1, min(n_threads(), n // least)))))


@njit(cache=True, nogil=True)
def _range_kernel(points):
    """Smallest and largest value of every feature, in one pass."""
    lowest, highest = points[0].copy(), points[0].copy()
    for i in range(1, len(points)):
        for d in range(points.shape[1]):
            lowest[d], highest[d] = min(lowest[d], points[i, d]), max(highest[d], points[i, d])
    return lowest, highest


@njit(cache=True, nogil=True)
def _follow_kernel(labels, upper, lower, grown, moved, shrunk, farthest, doubtful):
    """Let the bounds follow; list the objects whose nearest cluster may be another one, and return how many."""
    for i in range(len(labels)):
        upper[i] = grown[labels[i]] * upper[i] + moved[labels[i]]
        lower[i] = max(shrunk * lower[i] - farthest, 0.0)
    return _doubt_kernel(upper, lower, doubtful)


@njit(cache=True, nogil=True)
def _doubt_kernel(upper, lower, doubtful):
    """List the objects whose bounds leave their nearest cluster open, and return how many."""
    n = 0
    for i in range(len(upper)):
        doubtful[n] = i
        n += not upper[i] * (1 + _SLACK) < lower[i]
    return n


@njit(cache=True, nogil=True)
def _own_kernel(points, roots, shifts, labels, upper, lower, doubtful, n):
    """Keep those in doubt whom the distance to their own cluster does not free; return how many."""
    kept = 0
    for i in doubtful[:n]:
        if lower[i] > 0:
            upper[i] = np.sqrt(_square(points[i], roots[labels[i]], shifts[labels[i]]))
        if not upper[i] * (1 + _SLACK) < lower[i]:
            doubtful[kept] = i
            kept += 1
    return kept


@njit(cache=True, nogil=True)
def _tile_kernel(points, middle, factor, tiles, start, stop):
    """The objects of some tiles, moved and scaled: a feature of all of a tile's in a row."""
    for t in range(start, stop):
        for i in range(min(_TILE, len(points) - t * _TILE)):
            row = points[t * _TILE + i]
            for d in range(len(row)):
                tiles[t, d, i] = (row[d] - middle[d]) * factor


@njit(cache=True, nogil=True, fastmath={"contract"})
def _look_kernel(tiles, roots, shifts, unit, margin, share, labels, upper, lower, start, stop):
    """Labels and bounds of the objects of some tiles, from distances that are off by `margin` and a share at most."""
    mine, others = np.empty(_TILE, np.float32), np.empty(_TILE, np.float32)
    least, following, who = np.empty(_TILE, np.float32), np.empty(_TILE, np.float32), np.empty(_TILE, np.int32)
    for t in range(start, stop):
        _smallest(tiles[t], roots, shifts, mine, others, least, following, who)
        first = t * _TILE
        for i in range(min(_TILE, len(labels) - first)):
            labels[first + i] = who[i]
            upper[first + i] = unit * np.sqrt(np.float64(least[i])) * (1 + share) + margin
            lower[first + i] = max(unit * np.sqrt(np.float64(following[i])) * (1 - share) - margin, 0.0)


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
        _smallest(tile, roots, shifts, mine, others, least, following, who)
        for i in range(len(members)):
            labels[members[i]] = who[i]
            upper[members[i]], lower[members[i]] = np.sqrt(least[i]), np.sqrt(following[i])


@njit(cache=True, nogil=True, fastmath={"contract"}, inline="always")
def _smallest(tile, roots, shifts, mine, others, least, following, who):
    """The smallest squared distance of the objects of a tile, the next one, and whose the smallest is."""
    least[:], following[:] = np.inf, np.inf
    for j in range(0, len(roots), 2):
        other = min(j + 1, len(roots) - 1)
        _pair_kernel(tile, roots[j], shifts[j], roots[other], shifts[other], mine, others)
        _come_nearer(mine, j, least, following, who)
        if other > j:
            _come_nearer(others, other, least, following, who)


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
            mine[i] = (mine[i] + first * first) + second * second
            first, second = r * x - p, s * y - q
            others[i] = (others[i] + first * first) + second * second
    if len(tile) % 2:
        v, a, r, p = roots[-1], shifts[-1], other_roots[-1], other_shifts[-1]
        for i in range(_TILE):
            x = tile[-1, i]
            mine[i] += (v * x - a) * (v * x - a)
            others[i] += (r * x - p) * (r * x - p)


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
