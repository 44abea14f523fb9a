"""Runs of weighted k-means: seeds, then Lloyd's iterations, all inside one kernel that never holds the GIL.

Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007: centres drawn by weighted squared
distance, the best of several candidates each. Lloyd, "Least squares quantization in PCM", IEEE T. Information Theory
28(2), 1982; bounds after Hamerly, "Making k-means even faster", SDM 2010. scikit-learn's KMeans does the same, but its
many short calls keep threads waiting for each other: beside a study, or several restarts at once, it is slower than
alone.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

#: Points whose distances are held at once: small enough for the fastest cache, long enough for vector units.
TILE = 256


def n_draws(n_clusters: int) -> tuple[int, int]:
    """Shape of the random numbers the seeds need: centres, and candidates for each."""
    return n_clusters, 2 + int(np.log(n_clusters))


@njit(cache=True, nogil=True)
def seed_kernel(columns, weights, uniforms, centres, labels, nearest, following):
    """Fill `centres` (k, d), and for each point its nearest centre, the lowest if they tie.

    `nearest` and `following` (n,) become the squared distances to that centre and to the next one.
    """
    candidates = np.empty((uniforms.shape[1], centres.shape[1]))
    masses, distances = np.empty(-(-len(weights) // TILE)), np.empty(TILE)
    nearest[:] = 1.0
    _draw(columns, weights, nearest, uniforms[0, :1], masses, candidates)
    centres[0] = candidates[0]
    nearest[:], following[:] = np.inf, np.inf
    _come_nearer(columns, centres, 0, labels, nearest, following, distances)
    for c in range(1, len(centres)):
        _draw(columns, weights, nearest, uniforms[c], masses, candidates)
        centres[c] = candidates[_best_candidate(columns, weights, candidates, nearest, distances)]
        _come_nearer(columns, centres, c, labels, nearest, following, distances)


@njit(cache=True, nogil=True, fastmath={"contract"})
def squared_distances(columns, first, centre, out):
    """Squared distances of len(out) points from `first` on, stored by columns (d, n), to one centre (d,)."""
    out[:] = 0.0
    for t in range(len(centre)):
        values, middle = columns[t, first : first + len(out)], centre[t]
        for j in range(len(out)):
            step = values[j] - middle
            out[j] += step * step


@njit(cache=True, nogil=True)
def _draw(columns, weights, nearest, uniforms, masses, candidates):
    """Points drawn by weight times squared distance: the first where the sum passes a share of the whole."""
    for tile in range(len(masses)):
        here = slice(tile * TILE, (tile + 1) * TILE)
        masses[tile] = _product(weights[here], nearest[here])
    total = masses.sum()
    for draw in range(len(uniforms)):
        left, tile = uniforms[draw] * total, 0
        while tile < len(masses) - 1 and left >= masses[tile]:
            left -= masses[tile]
            tile += 1
        i, last = tile * TILE, min((tile + 1) * TILE, len(weights)) - 1
        while i < last and left >= weights[i] * nearest[i]:
            left -= weights[i] * nearest[i]
            i += 1
        candidates[draw] = columns[:, i]


@njit(cache=True, nogil=True)
def _best_candidate(columns, weights, candidates, nearest, distances):
    """The candidate that would leave the least weighted squared distance."""
    potentials = np.zeros(len(candidates))
    for first in range(0, len(nearest), TILE):
        here, mass = nearest[first : first + TILE], weights[first : first + TILE]
        out = distances[: len(here)]
        for draw in range(len(candidates)):
            squared_distances(columns, first, candidates[draw], out)
            for j in range(len(here)):
                out[j] = here[j] if here[j] < out[j] else out[j]
            potentials[draw] += _product(mass, out)
    return potentials.argmin()


@njit(cache=True, nogil=True, fastmath={"contract", "reassoc"})
def _product(a, b):
    """Sum of products, in whatever order is fastest: the same order every time on one machine."""
    total = 0.0
    for j in range(len(a)):
        total += a[j] * b[j]
    return total


@njit(cache=True, nogil=True)
def _come_nearer(columns, centres, c, labels, nearest, following, distances):
    """Let every point know of one more centre."""
    for first in range(0, len(nearest), TILE):
        near, far = nearest[first : first + TILE], following[first : first + TILE]
        own, out = labels[first : first + TILE], distances[: len(near)]
        squared_distances(columns, first, centres[c], out)
        for j in range(len(near)):
            a, b, s = out[j], near[j], far[j]
            far[j] = b if a < b else (a if a < s else s)
            own[j] = c if a < b else own[j]
            near[j] = a if a < b else b


#: An iteration that moves the centres by less than this share of the data's variance is the last.
TOLERANCE = 1e-4
MAX_ITER = 300


def best_run(columns: NDArray, weights: NDArray, uniforms: NDArray) -> tuple[NDArray[np.int32], float, int]:
    """Labels (n,) of the best of several runs of k-means on columns (d, n), their weighted scatter, and its number.

    `uniforms` is (runs, k, candidates) in [0, 1), as `kmeans_seeds.n_draws` asks: the same numbers, the same answer.
    """
    means = columns @ weights / weights.sum()
    variance = float(sum(((row - mean) ** 2) @ weights for row, mean in zip(columns, means, strict=True)))
    return _runs_kernel(columns, weights, uniforms, TOLERANCE * variance / (weights.sum() * len(columns)), MAX_ITER)


@njit(cache=True, nogil=True)
def _runs_kernel(columns, weights, uniforms, tolerance, max_iter):
    d, n = columns.shape
    k = uniforms.shape[1]
    centres, sums, mass = np.empty((k, d)), np.empty((k, d)), np.empty(k)
    upper, lower, active = np.empty(n), np.empty(n), np.empty(n, np.int32)
    labels, best = np.empty(n, np.int32), np.empty(n, np.int32)
    highest, chosen = -1.0, 0
    for run in range(len(uniforms)):
        seed_kernel(columns, weights, uniforms[run], centres, labels, upper, lower)
        lloyd_kernel(columns, weights, centres, tolerance, max_iter, labels, upper, lower, active, sums, mass)
        scatter = 0.0
        for c in range(k):
            if mass[c] > 0:
                scatter += (sums[c] ** 2).sum() / mass[c]
        if scatter > highest:
            highest, chosen = scatter, run
            best, labels = labels, best
    return best, highest, chosen


def run_on_subset(
    columns: NDArray, subset: NDArray[np.int64], uniforms: NDArray, max_iter: int = MAX_ITER
) -> NDArray[np.int32]:
    """Labels (s,) of one run of k-means on the points (d, n) in `subset` (s,), all of weight 1; see `best_run`."""
    return _subset_kernel(columns, subset, uniforms, TOLERANCE, max_iter)


@njit(cache=True, nogil=True)
def _subset_kernel(columns, subset, uniforms, tolerance, max_iter):
    """Points are copied, so that they lie side by side; the tolerance is a share of their variance."""
    d, n, k = len(columns), len(subset), len(uniforms)
    points, variance = np.empty((d, n)), 0.0
    for t in range(d):
        for j in range(n):
            points[t, j] = columns[t, subset[j]]
        variance += points[t].var() / d
    centres, sums, mass, weights = np.empty((k, d)), np.empty((k, d)), np.empty(k), np.ones(n)
    upper, lower, active, labels = np.empty(n), np.empty(n), np.empty(n, np.int32), np.empty(n, np.int32)
    seed_kernel(points, weights, uniforms, centres, labels, upper, lower)
    lloyd_kernel(points, weights, centres, tolerance * variance, max_iter, labels, upper, lower, active, sums, mass)
    return labels


@njit(cache=True, nogil=True)
def lloyd_kernel(columns, weights, centres, tolerance, max_iter, labels, upper, lower, active, sums, mass):
    """Move and assign until no label changes, or the centres hardly move.

    `labels`, `upper` and `lower` (n,) come as the seeds leave them: nearest centre, squared distance to it and to the
    next. `sums` (k, d) and `mass` (k,) end as the weighted sum and the weight of every cluster; `active` is scratch.
    """
    moves = np.empty(len(centres))
    sums[:], mass[:] = 0.0, 0.0
    for i in range(len(labels)):
        upper[i], lower[i] = np.sqrt(upper[i]), np.sqrt(lower[i])
        _carry(columns, i, weights[i], labels[i], sums, mass)
    for _ in range(max_iter):
        _refill(columns, weights, labels, upper, lower, sums, mass)
        moved = _move(centres, sums, mass, moves)
        changed = _assign(columns, weights, centres, moves, labels, upper, lower, active, sums, mass)
        if changed == 0 or moved <= tolerance:
            return


@njit(cache=True, nogil=True)
def _move(centres, sums, mass, moves):
    """Centres become means; `moves` is how far each went, the sum of squares is returned."""
    moved = 0.0
    for c in range(len(centres)):
        squared = 0.0
        if mass[c] > 0:
            for t in range(centres.shape[1]):
                centre = sums[c, t] / mass[c]
                squared += (centre - centres[c, t]) ** 2
                centres[c, t] = centre
        moves[c] = np.sqrt(squared)
        moved += squared
    return moved


@njit(cache=True, nogil=True)
def _assign(columns, weights, centres, moves, labels, upper, lower, active, sums, mass):
    """Nearest centre of every point, the lowest if they tie; returns how many points changed.

    Distances are bounded: `upper` to the own centre, `lower` to any other. After the centres have moved, a point whose
    bounds stay apart is left where it is.
    """
    n_active, changed = _unsettled(moves, labels, upper, lower, active), 0
    points, scratch = np.empty((len(columns), TILE)), np.empty((3, TILE))
    which = np.empty(TILE, np.int64)
    for first in range(0, n_active, TILE):
        here = active[first : min(first + TILE, n_active)]
        for t in range(len(columns)):
            for j in range(len(here)):
                points[t, j] = columns[t, here[j]]
        _nearest_two(points, centres, len(here), scratch, which)
        for j in range(len(here)):
            i, own, new = here[j], labels[here[j]], which[j]
            upper[i], lower[i] = np.sqrt(scratch[1, j]), np.sqrt(scratch[2, j])
            if own != new:
                labels[i] = new
                changed += 1
                _carry(points, j, -weights[i], own, sums, mass)
                _carry(points, j, weights[i], new, sums, mass)
    return changed


@njit(cache=True, nogil=True)
def _unsettled(moves, labels, upper, lower, active):
    """Loosen the bounds by how far the centres went; writes the points whose bounds meet, and returns how many."""
    order = np.argsort(moves)
    leader, first = order[-1], moves[order[-1]]
    second = moves[order[-2]] if len(moves) > 1 else 0.0  # a single centre has no rival
    n_active = 0
    for i in range(len(labels)):
        own = labels[i]
        upper[i] += moves[own]
        lower[i] -= second if own == leader else first
        active[n_active] = i
        n_active += upper[i] >= lower[i]
    return n_active


@njit(cache=True, nogil=True, fastmath={"contract"})
def _nearest_two(points, centres, n, scratch, which):
    """Nearest centre `which` of n points of a tile; `scratch` rows: work, its squared distance, the next one's."""
    distances, nearest, following = scratch[0, :n], scratch[1, :n], scratch[2, :n]
    nearest[:], following[:] = np.inf, np.inf
    for c in range(len(centres)):
        distances[:] = 0.0
        for t in range(len(points)):
            values, middle = points[t, :n], centres[c, t]
            for j in range(n):
                step = values[j] - middle
                distances[j] += step * step
        for j in range(n):
            a, b, s = distances[j], nearest[j], following[j]
            following[j] = b if a < b else (a if a < s else s)
            which[j] = c if a < b else which[j]
            nearest[j] = a if a < b else b


@njit(cache=True, nogil=True)
def _carry(points, i, weight, c, sums, mass):
    """Add a point to the sums of a cluster; a negative weight takes it away."""
    mass[c] += weight
    for t in range(len(points)):
        sums[c, t] += weight * points[t, i]


@njit(cache=True, nogil=True)
def _refill(columns, weights, labels, upper, lower, sums, mass):
    """Give every emptied cluster the point farthest from its centre (by its bound), if one is apart from it."""
    for empty in range(len(mass)):
        if mass[empty] > 0:
            continue
        farthest, most = -1, 1e-6
        for i in range(len(labels)):
            if upper[i] > most and mass[labels[i]] > weights[i]:
                farthest, most = i, upper[i]
        if farthest < 0:
            return
        sums[empty], mass[empty] = 0.0, 0.0
        _carry(columns, farthest, -weights[farthest], labels[farthest], sums, mass)
        _carry(columns, farthest, weights[farthest], empty, sums, mass)
        labels[farthest] = empty
        upper[farthest], lower[farthest] = np.inf, -np.inf  # so that it is looked at again, and not taken twice
