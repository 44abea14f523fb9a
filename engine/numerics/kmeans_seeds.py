"""Greedy k-means++ seeds: centres drawn by weighted squared distance, the best of several candidates each.

Arthur and Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.
"""

import numpy as np
from numba import njit

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
