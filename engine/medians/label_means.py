"""Kernels of k-means on labels: the centre of a cluster says how its members spread over the base clusters.

A row b_i is 1 at the M clusters microcluster i lies in, 0 elsewhere; nothing of size n x K is made. A cluster a has
counts c_a = sum_i r_i b_i over its members, and mass n_a = sum_i r_i w_i. The total to be raised is

    sum_a sum_c v_c c_ac^2 / n_a                                 (squares), or
    sum_a sum_m v_m (sum_{c in m} h(c_ac) - h(n_a))              (entropies; h(x) = x log2 x, w = 1),

v being the weight of a base clustering, written once for each of its clusters. Arrays: `ids` (n, M) clusters of every
microcluster, `sizes` r and `spread` w (n,), `values` v (K,), `counts` (K, k), `mass` and `members` (k,), `logs` h of
0..N, empty for squares.
"""

import numpy as np
from numba import njit

#: What a share of 0 counts as under a logarithm: 52 bits, as in the published code.
_EPSILON = 2.0**-52
#: A move must gain more than this share of the row's own weight: less is rounding.
_LEAST_GAIN = 1e-9


@njit(cache=True, nogil=True)
def tally_kernel(ids, sizes, spread, labels, counts, mass, members):
    """Fill counts, mass and members of every cluster; a microcluster labelled -1 is in none."""
    counts[:], mass[:], members[:] = 0.0, 0.0, 0
    for i in range(len(ids)):
        if labels[i] >= 0:
            _carry(ids[i], sizes[i], sizes[i] * spread[i], labels[i], counts, mass)
            members[labels[i]] += 1


@njit(cache=True, nogil=True)
def total_kernel(ids, values, logs, counts, mass):
    """The total that rounds and moves raise."""
    total, whole = 0.0, _whole(ids, values)
    squares = _squares(values, counts)
    for a in range(len(mass)):
        if len(logs) == 0:
            total += squares[a] / mass[a]
        else:
            total -= whole * logs[np.int64(mass[a])]
            for c in range(len(values)):
                total += values[c] * logs[np.int64(counts[c, a])]
    return total


@njit(cache=True, nogil=True)
def round_kernel(ids, sizes, spread, values, logs, labels, counts, mass, members, table):
    """One round of Lloyd's: every microcluster to its nearest centre, the lowest if they tie; returns how many changed.

    Emptied clusters get the microcluster that costs most where it is, if its cluster has another one; the second
    value returned counts them. `table` (K, k) is scratch.
    """
    offset, costs = centres_kernel(values, logs, counts, mass, table), np.empty(len(ids))
    changed = assign_kernel(ids, sizes, spread, values, len(logs) == 0, table, offset, labels, costs)
    members[:] = 0
    for i in range(len(ids)):
        members[labels[i]] += 1
    refilled = refill(labels, costs, members)
    tally_kernel(ids, sizes, spread, labels, counts, mass, members)
    return changed, refilled


@njit(cache=True, nogil=True)
def assign_kernel(ids, sizes, spread, values, squared, table, offset, labels, costs):
    """Label every microcluster by its nearest centre, the lowest if they tie; returns how many labels changed.

    `table` and `offset` come from `centres_kernel`; `costs` (n,) becomes what each costs there. `squared`: distances,
    else entropies.
    """
    whole, scores, changed = _whole(ids, values), np.empty(len(offset)), 0
    for i in range(len(ids)):
        scores[:] = 0.0
        for m in range(ids.shape[1]):
            row = table[ids[i, m]]
            for a in range(len(scores)):
                scores[a] += row[a]
        best, own = -np.inf, 0
        for a in range(len(scores)):
            score = scores[a] / spread[i] + offset[a]
            if score > best:
                best, own = score, a
        square = whole / spread[i] ** 2 if squared else 0.0
        costs[i] = (square - best) * sizes[i] * spread[i]
        changed += own != labels[i]
        labels[i] = own
    return changed


@njit(cache=True, nogil=True)
def sweep_kernel(ids, sizes, spread, values, logs, labels, counts, mass, members):
    """Move single microclusters, each to the cluster that raises the total most; returns how many moved.

    Hartigan's step: the gain is exact, so that the total never falls. The last member of a cluster stays.
    """
    squares, whole, moved = _squares(values, counts), _whole(ids, values), 0
    gains, dots = np.empty(len(mass)), np.empty(len(mass))
    for i in range(len(ids)):
        own, r, w = labels[i], sizes[i], sizes[i] * spread[i]
        if members[own] == 1:
            continue
        if len(logs) == 0:
            _dots(ids[i], values, counts, dots)
            for a in range(len(mass)):
                step = -1.0 if a == own else 1.0
                grown = squares[a] + step * 2 * r * dots[a] + r * r * whole
                gains[a] = grown / (mass[a] + step * w) - squares[a] / mass[a]
        else:
            _entropy_gains(ids[i], r, own, values, logs, counts, mass, gains)
        lost, to = gains[own], own
        gains[own] = -np.inf
        for a in range(len(mass)):
            if gains[a] > gains[to]:
                to = a
        if gains[to] + lost > _LEAST_GAIN * r * whole / spread[i]:
            squares[own] += r * r * whole - 2 * r * dots[own]
            squares[to] += r * r * whole + 2 * r * dots[to]
            _carry(ids[i], -r, -w, own, counts, mass)
            _carry(ids[i], r, w, to, counts, mass)
            members[own] -= 1
            members[to] += 1
            labels[i] = to
            moved += 1
    return moved


@njit(cache=True, nogil=True)
def _carry(row, r, w, a, counts, mass):
    """Add a microcluster to a cluster; negative weights take it away."""
    mass[a] += w
    for c in row:
        counts[c, a] += r


@njit(cache=True, nogil=True)
def _whole(ids, values):
    """Sum of the weights of the base clusterings: the squared length of every row."""
    total = 0.0
    for c in ids[0]:
        total += values[c]
    return total


@njit(cache=True, nogil=True)
def _squares(values, counts):
    """Weighted squared length of every cluster's counts."""
    squares = np.zeros(counts.shape[1])
    for c in range(len(values)):
        for a in range(len(squares)):
            squares[a] += values[c] * counts[c, a] ** 2
    return squares


@njit(cache=True, nogil=True)
def centres_kernel(values, logs, counts, mass, table):
    """What a row scores in every cluster, by its clusters (`table`), and what it scores in any case (returned)."""
    for c in range(len(values)):
        for a in range(len(mass)):
            share = counts[c, a] / mass[a]
            table[c, a] = 2 * values[c] * share if len(logs) == 0 else values[c] * np.log2(share + _EPSILON)
    if len(logs) > 0:
        return np.zeros(len(mass))
    return -_squares(values, counts) / mass**2


@njit(cache=True, nogil=True)
def refill(labels, costs, members):
    """Give every emptied cluster the costliest microcluster that is not alone; returns how many were given."""
    refilled = 0
    for empty in range(len(members)):
        if members[empty] > 0:
            continue
        costliest = -1
        for i in range(len(labels)):
            if members[labels[i]] > 1 and (costliest < 0 or costs[i] > costs[costliest]):
                costliest = i
        members[labels[costliest]] -= 1
        members[empty] += 1
        labels[costliest], costs[costliest] = empty, 0.0
        refilled += 1
    return refilled


@njit(cache=True, nogil=True)
def _dots(row, values, counts, dots):
    """Weighted product of a row with the counts of every cluster."""
    dots[:] = 0.0
    for c in row:
        own, weight = counts[c], values[c]
        for a in range(len(dots)):
            dots[a] += weight * own[a]


@njit(cache=True, nogil=True)
def _entropy_gains(row, r, own, values, logs, counts, mass, gains):
    """How the total changes as r objects of a row join each cluster, or leave their own."""
    gains[:] = 0.0
    for c in row:
        for a in range(len(mass)):
            count = np.int64(counts[c, a])
            gains[a] += values[c] * (logs[count + (-r if a == own else r)] - logs[count])
    whole = 0.0
    for c in row:
        whole += values[c]
    for a in range(len(mass)):
        n = np.int64(mass[a])
        gains[a] -= whole * (logs[n + (-r if a == own else r)] - logs[n])
