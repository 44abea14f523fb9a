"""One run of weighted k-means: greedy k-means++ seeds, then Lloyd's iterations, without ever holding the GIL.

Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007; Lloyd, "Least squares quantization
in PCM", IEEE T. Information Theory 28(2), 1982. scikit-learn's KMeans does the same, but its many short calls keep
threads waiting for each other: beside a study, or several restarts at once, it is slower than alone.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

#: An iteration that moves the centres by less than this share of the data's variance is the last.
_TOLERANCE = 1e-4
_MAX_ITER = 300


def n_draws(n_clusters: int) -> tuple[int, int]:
    """Shape of the random numbers one run needs: centres, and candidates for each."""
    return n_clusters, 2 + int(np.log(n_clusters))


def kmeans_run(points: NDArray, weights: NDArray, n_clusters: int, uniforms: NDArray) -> NDArray[np.int32]:
    """Labels of one run; the same for the same random numbers.

    Parameters
    ----------
    points : (n, d) float64
    weights : (n,) float64
        Positive.
    n_clusters : int
        At most n.
    uniforms : `n_draws(n_clusters)` float64
        In [0, 1).

    Returns
    -------
    (n,) int32
        Fewer than k values occur only where fewer than k points differ.
    """
    labels = np.empty(len(points), np.int32)
    centres = np.empty((n_clusters, points.shape[1]))
    upper, lower = np.empty(len(points)), np.empty(len(points))
    _seed_kernel(points, weights, uniforms, centres, upper, lower)
    mean = np.average(points, axis=0, weights=weights)
    variance = float(np.average(((points - mean) ** 2).mean(axis=1), weights=weights))
    _lloyd_kernel(points, weights, centres, _TOLERANCE * variance, _MAX_ITER, labels, upper, lower)
    return labels


@njit(cache=True, nogil=True)
def _squared(points, i, centre):
    total = 0.0
    for t in range(len(centre)):
        step = points[i, t] - centre[t]
        total += step * step
    return total


@njit(cache=True, nogil=True)
def _drawn(cumulated, total, uniform):
    """First place where the cumulated weight passes a share of the total."""
    low, high, goal = 0, len(cumulated) - 1, uniform * total
    while low < high:
        middle = (low + high) // 2
        if cumulated[middle] > goal:
            high = middle
        else:
            low = middle + 1
    return low


@njit(cache=True, nogil=True)
def _seed_kernel(points, weights, uniforms, centres, nearest, cumulated):
    """Draw the first centre by weight, the others by weighted squared distance: the best of several candidates each.

    `nearest` and `cumulated` (n,) are scratch.
    """
    n, k = len(points), len(centres)
    total = 0.0
    for i in range(n):
        total += weights[i]
        cumulated[i] = total
    first = _drawn(cumulated, total, uniforms[0, 0])
    centres[0] = points[first]
    for i in range(n):
        nearest[i] = _squared(points, i, centres[0])
    for c in range(1, k):
        total = 0.0
        for i in range(n):
            total += weights[i] * nearest[i]
            cumulated[i] = total
        lowest, chosen = np.inf, 0
        for draw in range(uniforms.shape[1]):
            candidate = _drawn(cumulated, total, uniforms[c, draw])
            potential = 0.0
            for i in range(n):
                potential += weights[i] * min(nearest[i], _squared(points, i, points[candidate]))
            if potential < lowest:
                lowest, chosen = potential, candidate
        centres[c] = points[chosen]
        for i in range(n):
            nearest[i] = min(nearest[i], _squared(points, i, centres[c]))


@njit(cache=True, nogil=True)
def _lloyd_kernel(points, weights, centres, tolerance, max_iter, labels, upper, lower):
    """Assign and move until no label changes, or the centres hardly move; then assign once more."""
    k, d = centres.shape
    sums, mass, moves = np.empty((k, d)), np.empty(k), np.zeros(k)
    labels[:] = -1
    for _ in range(max_iter):
        if _assign(points, centres, moves, labels, upper, lower) == 0:
            return
        _sum_up(points, weights, labels, sums, mass)
        _refill(points, weights, labels, upper, lower, sums, mass)
        moved = 0.0
        for c in range(k):
            squared = 0.0
            if mass[c] > 0:
                for t in range(d):
                    centre = sums[c, t] / mass[c]
                    squared += (centre - centres[c, t]) ** 2
                    centres[c, t] = centre
            moves[c] = np.sqrt(squared)
            moved += squared
        if moved <= tolerance:
            break
    _assign(points, centres, moves, labels, upper, lower)


@njit(cache=True, nogil=True)
def _assign(points, centres, moves, labels, upper, lower):
    """Nearest centre of every point, the lowest if they tie; returns how many points changed.

    Distances are bounded (Hamerly, "Making k-means even faster", SDM 2010): `upper` to the own centre, `lower` to
    any other. After the centres have moved, a point whose bounds stay apart is left where it is.
    """
    k, d = centres.shape
    columns, norms, scores = np.ascontiguousarray(centres.T), np.zeros(k), np.empty(k)
    first = second = 0.0  # the two largest moves
    leader = -1
    for c in range(k):
        for t in range(d):
            norms[c] += centres[c, t] * centres[c, t]
        if moves[c] > first:
            first, second, leader = moves[c], first, c
        elif moves[c] > second:
            second = moves[c]
    changed = 0
    for i in range(len(points)):
        own = labels[i]
        if own >= 0:
            upper[i] += moves[own]
            lower[i] -= second if own == leader else first
            if upper[i] < lower[i]:
                continue
            upper[i] = np.sqrt(_squared(points, i, centres[own]))
            if upper[i] < lower[i]:
                continue
        best = _nearest_two(points, i, columns, norms, scores, upper, lower)
        if own != best:
            labels[i] = best
            changed += 1
    return changed


@njit(cache=True, nogil=True)
def _nearest_two(points, i, columns, norms, scores, upper, lower):
    """The nearest centre of a point; distances to it and to the next go into the bounds."""
    d, k = columns.shape
    norm = 0.0
    for c in range(k):
        scores[c] = norms[c]
    for t in range(d):
        x = points[i, t]
        norm += x * x
        for c in range(k):
            scores[c] -= 2 * x * columns[t, c]
    best, nearest, following = 0, scores[0], np.inf
    for c in range(1, k):
        if scores[c] < nearest:
            best, nearest, following = c, scores[c], nearest
        elif scores[c] < following:
            following = scores[c]
    upper[i] = np.sqrt(max(nearest + norm, 0.0))
    lower[i] = np.sqrt(max(following + norm, 0.0))
    return best


@njit(cache=True, nogil=True)
def _sum_up(points, weights, labels, sums, mass):
    """Weighted sum and weight of every cluster."""
    sums[:] = 0
    mass[:] = 0
    for i in range(len(points)):
        c = labels[i]
        mass[c] += weights[i]
        for t in range(points.shape[1]):
            sums[c, t] += weights[i] * points[i, t]


@njit(cache=True, nogil=True)
def _refill(points, weights, labels, upper, lower, sums, mass):
    """Give every emptied cluster the point farthest from its centre (by its bound), if one is apart from it."""
    d = points.shape[1]
    for empty in range(len(mass)):
        if mass[empty] > 0:
            continue
        farthest, most = -1, 1e-6
        for i in range(len(points)):
            if upper[i] > most and mass[labels[i]] > weights[i]:
                farthest, most = i, upper[i]
        if farthest < 0:
            return
        giver, weight = labels[farthest], weights[farthest]
        for t in range(d):
            sums[giver, t] -= weight * points[farthest, t]
            sums[empty, t] = weight * points[farthest, t]
        mass[giver] -= weight
        mass[empty] = weight
        labels[farthest] = empty
        upper[farthest], lower[farthest] = np.inf, -np.inf  # so that it is looked at again, and not taken twice
