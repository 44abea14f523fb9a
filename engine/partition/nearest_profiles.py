"""The most similar group of every group, by bounds over inverted lists."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..blocks import map_blocks, n_threads
from ..monitor import Monitor
from .profiles import InvertedLists, Profiles

#: Searches a block: what runs before a wish to stop is heard.
SEARCHES = 1000
#: Shares are kept in float32: what the bounds promise is widened by more than they can be off.
_SLACK = 1 + 1e-6


@dataclass(frozen=True, eq=False)
class Scratch:
    """What one thread searches with; a search leaves it as it was.

    Attributes
    ----------
    row : (K,) float64
        Counts of the group that searches, 0 elsewhere.
    partial : (G,) float64
        What is known of the similarity to each group, 0 for those not met.
    met : (G,) int32
    """

    row: NDArray[np.float64]
    partial: NDArray[np.float64]
    met: NDArray[np.int32]

    @classmethod
    def of(cls, n_groups: int, n_clusters: int) -> "Scratch":
        """For so many groups and clusters."""
        return cls(np.zeros(n_clusters), np.zeros(n_groups), np.empty(n_groups, np.int32))


def search_nearest(
    groups: Profiles,
    lists: InvertedLists,
    weights: NDArray[np.float64],
    asked: NDArray[np.int64],
    nearest: NDArray[np.int32],
    values: NDArray[np.float64],
    monitor: Monitor,
    block: int = SEARCHES,
) -> None:
    """Find, for the groups asked, the group B that is largest in S(A, B) = sum_c w_c p_A(c) p_B(c); ties to the lowest.

    Lists are visited by what they promise an entry; `rest` is what those not visited can still add. Once the best
    similarity found exceeds it, a group never met cannot win, and those met whose partial sum and `rest` reach the
    best are worked out exactly. What is found is the maximum, whatever the order of visits, threads or blocks.

    Parameters
    ----------
    groups : Profiles
    lists : InvertedLists
    weights : (K,) float64
        w_c, at least 0.
    asked : (a,) int64
        Groups.
    nearest : (G,) int32
        Read and written: a group that may be near, -1 where none is known, becomes the nearest.
    values : (G,) float64
        Written: S(A, nearest). Sums are taken by ascending c, so that S(A, B) and S(B, A) are the same bits.
    monitor : Monitor
    block : int
        Searches a block.
    """
    spare = [Scratch.of(len(groups), len(weights)) for _ in range(n_threads())]
    rows = groups.start, groups.ids, groups.counts, groups.sizes, weights
    transposed = lists.first, lists.members, lists.shares, lists.largest

    def search(start: int, stop: int) -> None:
        one = spare.pop()
        _search_kernel(asked[start:stop], rows, transposed, (one.row, one.partial, one.met), nearest, values)
        spare.append(one)

    map_blocks(search, len(asked), monitor, block=block)


@njit(cache=True, nogil=True)
def _search_kernel(asked, rows, lists, scratch, nearest, values):
    start, ids, counts, _, _ = rows
    row, partial, met = scratch
    for a in asked:
        for t in range(start[a], start[a + 1]):
            row[ids[t]] = counts[t]
        partial[a] = -np.inf  # nothing is its own neighbour
        best, near, rest, n_met = _visit_lists(a, nearest[a], rows, lists, scratch)
        for g in met[:n_met]:
            if (partial[g] + rest) * _SLACK >= best:
                best, near = _better(best, near, g, a, rows, row)
            partial[g] = 0.0
        partial[a] = 0.0
        for t in range(start[a], start[a + 1]):
            row[ids[t]] = 0.0
        nearest[a], values[a] = near, best
        if best <= 0.0:  # similar to none
            nearest[a], values[a] = 1 if a == 0 else 0, 0.0


@njit(cache=True, nogil=True)
def _visit_lists(a, guess, rows, lists, scratch):
    """Visit lists until none that is left can lift a group never met to the best known.

    Returns that best similarity, its group, what the lists not visited can add, and how many groups were met.
    """
    partial, met = scratch[1], scratch[2]
    best, near, n_met = -1.0, np.int32(-1), 0
    if guess >= 0:
        best, near = _better(best, near, guess, a, rows, scratch[0])
        partial[guess] = -np.inf  # known exactly: not asked again
        met[0], n_met = guess, 1
    terms, rest, order = _visits(a, rows, lists)
    for visit in range(len(order)):
        if rest[visit] * _SLACK < best:
            return best, near, rest[visit], n_met
        c = rows[1][rows[0][a] + order[visit]]
        lead, n_met = _add_list(c, terms[order[visit]], lists, partial, met, n_met)
        if lead >= 0:
            best, near = _better(best, near, lead, a, rows, scratch[0])
            partial[lead] = -np.inf
    return best, near, 0.0, n_met


@njit(cache=True, nogil=True)
def _add_list(c, term, lists, partial, met, n_met):
    """Add a cluster's terms to the partial sums; the group that leads among its members, and how many were met."""
    first, members, shares, _ = lists
    lead, high = -1, 0.0
    for t in range(first[c], first[c + 1]):
        g, more = members[t], term * shares[t]
        if partial[g] == 0.0 and more > 0.0:
            met[n_met] = g
            n_met += 1
        partial[g] += more
        if partial[g] > high:
            lead, high = g, partial[g]
    return lead, n_met


@njit(cache=True, nogil=True)
def _visits(a, rows, lists):
    """w_c p_A(c) of a group's clusters, the order of visits by what a list promises an entry, the rest at each."""
    start, ids, counts, sizes, weights = rows
    first, _, _, largest = lists
    n = start[a + 1] - start[a]
    terms, promise, an_entry = np.empty(n), np.empty(n), np.empty(n)
    for s in range(n):
        c = ids[start[a] + s]
        terms[s] = weights[c] * (counts[start[a] + s] / sizes[a])
        promise[s] = terms[s] * largest[c]
        an_entry[s] = -promise[s] / (first[c + 1] - first[c])
    order, rest = np.argsort(an_entry), np.zeros(n + 1)
    for visit in range(n - 1, -1, -1):
        rest[visit] = rest[visit + 1] + promise[order[visit]]
    return terms, rest, order


@njit(cache=True, nogil=True)
def _better(best, near, g, a, rows, row):
    """The better of what was found and S(a, g), the counts of a being in `row`; of equals the lower group."""
    start, ids, counts, sizes, weights = rows
    total = 0.0
    for t in range(start[g], start[g + 1]):
        total += weights[ids[t]] * (row[ids[t]] * counts[t])
    value = total / (np.float64(sizes[a]) * np.float64(sizes[g]))
    if value > best or (value == best and g < near):
        return value, np.int32(g)
    return best, near
