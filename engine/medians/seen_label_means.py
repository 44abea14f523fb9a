"""Kernels of k-means on labels some of which are missing; see `label_means`, which these follow step by step.

A row has an entry only for the base clusterings that saw it, and a base clustering m compares on the objects it saw:
the total is

    sum_a sum_m v_m sum_{c in m} c_ac^2 / n_am      or      sum_a sum_m v_m (sum_{c in m} h(c_ac) - h(n_am)),

n_am the mass of the members of a that m saw (Wu et al. 2015, on incomplete base clusterings). With `one_mass` it is the
mass of all members for every m: a missing entry is then a 0 (SEC). Arrays beside those of `label_means`: rows i are
ids[start[i] : start[i + 1]]; `of` (K,) the base clustering of a cluster; `mass` and `squares` (M, k), n_am and
sum_{c in m} c_ac^2.
"""

import numpy as np
from numba import njit

from .label_means import refill

_EPSILON = 2.0**-52
_LEAST_GAIN = 1e-9


@njit(cache=True, nogil=True)
def seen_tally_kernel(start, ids, of, sizes, spread, values, logs, one_mass, labels, counts, mass, squares, members):
    """Fill counts, mass, squares and members of every cluster; a microcluster labelled -1 is in none."""
    counts[:], mass[:], squares[:], members[:] = 0.0, 0.0, 0.0, 0
    for i in range(len(labels)):
        if labels[i] >= 0:
            row = ids[start[i] : start[i + 1]]
            _carry(row, of, sizes[i], sizes[i] * spread[i], labels[i], one_mass, counts, mass, squares)
            members[labels[i]] += 1


@njit(cache=True, nogil=True)
def seen_total_kernel(of, values, logs, counts, mass, squares):
    """The total that rounds and moves raise."""
    total, weight = 0.0, _weights(of, values, len(mass))
    for m in range(len(mass)):
        for a in range(mass.shape[1]):
            if len(logs) > 0:
                total -= weight[m] * logs[np.int64(mass[m, a])]
            elif mass[m, a] > 0:
                total += weight[m] * squares[m, a] / mass[m, a]
    if len(logs) > 0:
        for c in range(len(values)):
            for a in range(counts.shape[1]):
                total += values[c] * logs[np.int64(counts[c, a])]
    return total


@njit(cache=True, nogil=True)
def seen_round_kernel(start, ids, of, sizes, spread, values, logs, one_mass, labels, counts, mass, squares, members):
    """One round of Lloyd's; returns how many changed, and how many emptied clusters were given a microcluster."""
    n, k = len(labels), len(members)
    table, offset = _centres(of, values, logs, counts, mass, squares)
    scores, costs, changed = np.empty(k), np.empty(n), 0
    everywhere = offset.sum(axis=0)
    for i in range(n):
        scores[:] = 0.0
        whole = 0.0
        for t in range(start[i], start[i + 1]):
            c = ids[t]
            whole += values[c]
            for a in range(k):
                scores[a] += table[c, a] / spread[i]
                if not one_mass:
                    scores[a] += offset[of[c], a]
        if one_mass:
            scores += everywhere
        best = scores.argmax()
        square = whole / spread[i] ** 2 if len(logs) == 0 else 0.0
        costs[i] = (square - scores[best]) * sizes[i] * spread[i]
        changed += best != labels[i]
        labels[i] = best
    members[:] = 0
    for own in labels:
        members[own] += 1
    refilled = refill(labels, costs, members)
    seen_tally_kernel(start, ids, of, sizes, spread, values, logs, one_mass, labels, counts, mass, squares, members)
    return changed, refilled


@njit(cache=True, nogil=True)
def seen_sweep_kernel(start, ids, of, sizes, spread, values, logs, one_mass, labels, counts, mass, squares, members):
    """Move single microclusters, each to the cluster that raises the total most; returns how many moved."""
    k, moved, weight = len(members), 0, _weights(of, values, len(mass))
    gains = np.empty(k)
    for i in range(len(labels)):
        own, r, w, row = labels[i], sizes[i], sizes[i] * spread[i], ids[start[i] : start[i + 1]]
        if members[own] == 1:
            continue
        for a in range(k):
            sign = -1.0 if a == own else 1.0
            if len(logs) > 0:
                gains[a] = _entropy_gain(row, of, sign * r, a, values, logs, counts, mass)
            elif one_mass:
                gains[a] = _shared_mass_gain(row, of, sign * r, sign * w, a, weight, counts, mass, squares)
            else:
                gains[a] = _square_gain(row, of, sign * r, sign * w, a, values, counts, mass, squares)
        lost, gains[own] = gains[own], -np.inf
        to, whole = gains.argmax(), 0.0
        for c in row:
            whole += values[c]
        if gains[to] + lost > _LEAST_GAIN * r * whole / spread[i]:
            _carry(row, of, -r, -w, own, one_mass, counts, mass, squares)
            _carry(row, of, r, w, to, one_mass, counts, mass, squares)
            members[own] -= 1
            members[to] += 1
            labels[i] = to
            moved += 1
    return moved


@njit(cache=True, nogil=True)
def _carry(row, of, r, w, a, one_mass, counts, mass, squares):
    """Add a microcluster to a cluster; negative weights take it away."""
    for c in row:
        m = of[c]
        squares[m, a] += (2 * counts[c, a] + r) * r
        counts[c, a] += r
        if not one_mass:
            mass[m, a] += w
    if one_mass:
        for m in range(len(mass)):
            mass[m, a] += w


@njit(cache=True, nogil=True)
def _weights(of, values, n_clusterings):
    """Weight of every base clustering: (M,)."""
    weight = np.zeros(n_clusterings)
    for c in range(len(of)):
        weight[of[c]] = values[c]
    return weight


@njit(cache=True, nogil=True)
def _centres(of, values, logs, counts, mass, squares):
    """What an entry of a row scores in every cluster, (K, k), and a base clustering that saw the row, (M, k)."""
    table, offset, weight = np.zeros(counts.shape), np.zeros(mass.shape), _weights(of, values, len(mass))
    for c in range(len(values)):
        for a in range(counts.shape[1]):
            share = counts[c, a] / mass[of[c], a] if mass[of[c], a] > 0 else 0.0
            table[c, a] = 2 * values[c] * share if len(logs) == 0 else values[c] * np.log2(share + _EPSILON)
    if len(logs) == 0:
        for m in range(len(mass)):
            for a in range(mass.shape[1]):
                if mass[m, a] > 0:
                    offset[m, a] = -weight[m] * squares[m, a] / mass[m, a] ** 2
    return table, offset


@njit(cache=True, nogil=True)
def _square_gain(row, of, r, w, a, values, counts, mass, squares):
    """How the squares over masses change as r objects join, where base clusterings compare what they saw."""
    gain = 0.0
    for c in row:
        m = of[c]
        before = squares[m, a] / mass[m, a] if mass[m, a] > 0 else 0.0
        grown, heavier = squares[m, a] + 2 * r * counts[c, a] + r * r, mass[m, a] + w
        gain += values[c] * ((grown / heavier if heavier > 0 else 0.0) - before)
    return gain


@njit(cache=True, nogil=True)
def _shared_mass_gain(row, of, r, w, a, weight, counts, mass, squares):
    """The same where all base clusterings divide by one mass."""
    before, grown = 0.0, 0.0
    for m in range(len(mass)):
        before += weight[m] * squares[m, a]
    grown = before
    for c in row:
        grown += weight[of[c]] * (2 * r * counts[c, a] + r * r)
    return grown / (mass[0, a] + w) - before / mass[0, a]


@njit(cache=True, nogil=True)
def _entropy_gain(row, of, r, a, values, logs, counts, mass):
    """How the total of entropies changes as r objects join."""
    gain = 0.0
    for c in row:
        count, n = np.int64(counts[c, a]), np.int64(mass[of[c], a])
        gain += values[c] * (logs[count + np.int64(r)] - logs[count] - logs[n + np.int64(r)] + logs[n])
    return gain
