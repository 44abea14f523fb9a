"""A map of partitions: points whose distances are those between partitions, as far as a plane allows (metric MDS)."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..ensemble.reading_labels import as_numbers
from ..graphs.eigenvectors import top_eigenvectors
from ..params import require_integer
from ..runtime.blocks import single_threaded_libraries
from ..runtime.errors import InvalidParameterError

#: The last round lowers stress by less than this share.
TOLERANCE = 2e-4
MAX_ROUNDS = 300
#: Distances above this have squares whose sums overflow.
LARGEST = 1e140


@dataclass(frozen=True, eq=False)
class PartitionMap:
    """Points of partitions.

    Attributes
    ----------
    points : (P, d) float64
        Centred; the first axis has the largest spread, and on every axis the point farthest out has a positive place.
    stress : float
        Kruskal's stress 1: root of the squared errors of the distances over the squared distances drawn. 0 is a
        faithful map.
    rounds : int
        Of SMACOF.
    """

    points: NDArray[np.float64]
    stress: float
    rounds: int

    @property
    def spans(self) -> bool:
        """Whether the points span their space, so that others can be placed among them."""
        spread = np.linalg.svd(self.points - self.points.mean(axis=0), compute_uv=False)
        return bool(spread[-1] > 1e-6 * spread[0])


def partition_map(distances: ArrayLike, dimensions: int = 2) -> PartitionMap:
    """Metric multidimensional scaling: SMACOF from classical scaling; nothing is drawn, so it is the same every time.

    Parameters
    ----------
    distances : (P, P) float
        Symmetric, not negative, diagonal 0: from `partition_distances`.
    dimensions : int
        d, at least 1.

    Returns
    -------
    PartitionMap
        Partitions that are equal coincide.

    Raises
    ------
    InvalidParameterError
        If the distances are none, or `dimensions` is not a positive integer.

    Notes
    -----
    O(P^2 d) time a round.

    References
    ----------
    borg2005mds, chapters 8 and 12.

    Examples
    --------
    >>> found = partition_map([[0, 3, 4], [3, 0, 5], [4, 5, 0]])
    >>> round(found.stress, 3), np.linalg.norm(found.points[1] - found.points[2]).round(3).item()
    (0.0, 5.0)
    """
    given = _checked(distances, dimensions)
    with single_threaded_libraries():
        start = _classical(given, dimensions)
    points, stress, rounds = _smacof_kernel(given, start, TOLERANCE, MAX_ROUNDS)
    return PartitionMap(_settled(points), float(stress), int(rounds))


def map_with(found: PartitionMap, distances: ArrayLike) -> PartitionMap:
    """The same map with further partitions on it: what stands there stays, the others go where they fit best.

    Parameters
    ----------
    found : PartitionMap
        Of P partitions, whose points span their space.
    distances : (Q, P + Q) float
        Of the others, to those of the map and among themselves (`distances_to`, `partition_distances`).

    Returns
    -------
    PartitionMap
        P + Q points, the first P as they were, and the stress of all.

    Raises
    ------
    InvalidParameterError
        If the distances are none, or the points do not span their space (fewer than three partitions that differ, for a
        plane): they cannot hold others, and all must be mapped anew.

    Notes
    -----
    O((P + Q) Q d) time a round: SMACOF on the new points alone, from Gower's place of each among the old ones.

    References
    ----------
    borg2005mds, chapter 8; gower1968adding.

    Examples
    --------
    >>> square = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [0.5, 0.5]])
    >>> distances = np.linalg.norm(square[:, None] - square, axis=2)
    >>> found = map_with(partition_map(distances[:4, :4]), distances[4:])
    >>> round(found.stress, 3), np.abs(found.points[4]).max() < 1e-3
    (0.0, np.True_)
    """
    points = found.points
    given = np.ascontiguousarray(as_numbers(distances, "distances"))
    if given.ndim != 2 or not len(given) or given.shape[1] != len(points) + len(given):
        raise InvalidParameterError(
            f"distances must be those of others to the {len(points):,} points and each other. Got shape {given.shape}"
        )
    _require_distances(given, given[:, len(points) :])
    if not found.spans:
        raise InvalidParameterError("the points of a map that is to hold others must span their space. Got a line")
    middle = points.mean(axis=0)
    squared = given[:, : len(points)] ** 2
    lengths = (points**2).sum(axis=1)
    wanted = lengths - lengths.mean() - squared + squared.mean(axis=1)[:, None]
    start = wanted @ np.linalg.pinv(points - middle).T / 2
    placed, errors, drawn, rounds = _placing_kernel(given, np.vstack([points, start]), TOLERANCE, MAX_ROUNDS)
    drawn_before = len(points) * ((points - middle) ** 2).sum()  # the squared distances of all pairs
    errors, drawn = errors + found.stress**2 * drawn_before, drawn + drawn_before
    return PartitionMap(placed, float(np.sqrt(errors / drawn)), int(rounds))


def stress_scree(distances: ArrayLike, most: int = 5) -> NDArray[np.float64]:
    """Stress 1 of maps of 1, 2, .. dimensions: how many the distances need.

    Parameters
    ----------
    distances : (P, P) float
        As for `partition_map`.
    most : int
        The largest number of dimensions, at least 1.

    Returns
    -------
    (most,) float64

    Raises
    ------
    InvalidParameterError
        As for `partition_map`, or if `most` is not a positive integer.
    """
    require_integer("most", most, 1)
    return np.array([partition_map(distances, dimensions).stress for dimensions in range(1, most + 1)])


def _checked(given: ArrayLike, dimensions: int) -> NDArray[np.float64]:
    require_integer("dimensions", dimensions, 1)
    distances = np.ascontiguousarray(as_numbers(given, "distances"))
    if distances.ndim != 2 or distances.shape[0] != distances.shape[1] or not len(distances):
        raise InvalidParameterError(f"distances must be a square matrix. Got shape {distances.shape}")
    _require_distances(distances, distances)
    return distances


def _require_distances(given: NDArray, square: NDArray) -> None:
    """That values are distances; those in `square`, between the same partitions, symmetric."""
    if not (given <= LARGEST).all() or given.min() < 0:
        raise InvalidParameterError(f"distances must be finite values from 0 to {LARGEST:g}. Got others")
    if np.abs(square - square.T).max() > 1e-9 or square.diagonal().any():
        raise InvalidParameterError("distances must be symmetric, with 0 on the diagonal. Got others")


def _classical(distances: NDArray, dimensions: int) -> NDArray[np.float64]:
    """Torgerson's scaling: the top eigenvectors of the centred squared distances, times the roots of their values."""
    squared = distances**2
    means = squared.mean(axis=0)
    centred = -(squared - means - means[:, None] + means.mean()) / 2
    n_found = min(dimensions, len(distances))
    vectors = top_eigenvectors(centred.copy(), n_found)
    values = np.einsum("pd,pq,qd->d", vectors, centred, vectors, optimize=True)
    points = np.zeros((len(distances), dimensions))
    points[:, :n_found] = vectors * np.sqrt(np.where(values > 1e-10 * max(values.max(), 1e-300), values, 0))
    return points


def _settled(points: NDArray) -> NDArray[np.float64]:
    """Centred, turned to its principal axes, the farthest point of every axis on its positive side."""
    centred = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    turned = centred @ axes[:, ::-1]
    farthest = np.abs(turned).round(9).argmax(axis=0)
    turned *= np.where(turned[farthest, np.arange(turned.shape[1])] < 0, -1.0, 1.0)
    return turned


@njit(cache=True, nogil=True)
def _smacof_kernel(distances, points, tolerance, most):
    """Guttman transforms until stress hardly falls; the points, stress 1, and how many rounds.

    The first step and the last are plain transforms, which also settle the scale. Those between go twice as far: stress
    is majorised by a bowl around the transform, so it cannot rise there either, and half the rounds will do.
    """
    now = np.ascontiguousarray(points.T)
    n, moved, work = now.shape[1], np.empty_like(now), np.empty((2, now.shape[1]))
    before, rounds, last = np.inf, 0, False
    while True:
        errors, drawn = _transform(distances, now, moved, work)
        if errors <= 1e-18 * drawn or last:
            return now.T.copy(), np.sqrt(errors / drawn) if drawn > 0 else 0.0, rounds
        rounds += 1
        last = before - errors <= tolerance * errors or rounds == most
        before = errors
        now = moved / n if last or rounds == 1 else 2 * moved / n - now


@njit(cache=True, nogil=True)
def _placing_kernel(distances, points, tolerance, most):
    """Guttman transforms of one after the other of the last points, those of `distances` (Q, P + Q).

    The points; of the pairs with one that moved the squared errors and distances, summed; and how many rounds.
    """
    n, d = points.shape
    fixed = n - len(distances)
    before, there = np.inf, np.empty(d)
    rounds = -1
    while True:
        rounds += 1
        errors = 0.0  # of pairs with a point that moves, as they stand when it does
        for i in range(fixed, n):
            there[:] = 0.0
            for j in range(n):
                if j != i:
                    length, wanted = _length(points, i, j), distances[i - fixed, j]
                    errors += (wanted - length) ** 2
                    for t in range(d):
                        there[t] += points[j, t] + wanted * (points[i, t] - points[j, t]) / max(length, 1e-12)
            points[i] = there / (n - 1)
        if before - errors <= tolerance * errors or errors <= 1e-18 or rounds == most:
            break
        before = errors
    errors, drawn = 0.0, 0.0
    for i in range(fixed, n):
        for j in range(i):
            length = _length(points, i, j)
            errors += (distances[i - fixed, j] - length) ** 2
            drawn += length * length
    return points, errors, drawn, rounds


@njit(cache=True, nogil=True)
def _length(points, i, j):
    """How far two points are apart."""
    total = 0.0
    for t in range(points.shape[1]):
        total += (points[i, t] - points[j, t]) ** 2
    return np.sqrt(total)


@njit(cache=True, nogil=True, fastmath={"contract", "reassoc", "nsz", "ninf"})
def _transform(distances, now, moved, work):
    """Write n times the Guttman transform of points (d, n) into `moved`; squared errors, squared distances drawn."""
    d, n = now.shape
    errors, drawn = 0.0, 0.0
    moved[:] = 0.0
    for i in range(n):
        squares, ratios, wanted = work[0], work[1], distances[i]
        squares[i + 1 :] = 0.0
        for t in range(d):
            own, here = now[t, i], now[t]
            for j in range(i + 1, n):
                squares[j] += (own - here[j]) ** 2
        for j in range(i + 1, n):
            length = np.sqrt(squares[j])
            errors += (wanted[j] - length) ** 2
            drawn += squares[j]
            ratios[j] = wanted[j] / max(length, 1e-12)
        for t in range(d):
            own, here, there, total = now[t, i], now[t], moved[t], 0.0
            for j in range(i + 1, n):
                step = ratios[j] * (own - here[j])
                there[j] -= step
                total += step
            there[i] += total
    return errors, drawn
