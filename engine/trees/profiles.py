"""Groups of objects as sparse rows: how many of a group's objects lie in which base cluster."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble.clusters import Clusters


@dataclass(frozen=True, eq=False)
class Profiles:
    """G groups over K base clusters: group g has counts[i] objects in cluster ids[i], i from start[g] to start[g + 1].

    `ids` ascend in a group; counts are integers, so that what ties in theory ties in the machine; `sizes` (G,).
    """

    start: NDArray[np.int64]
    ids: NDArray[np.int32]
    counts: NDArray[np.int32]
    sizes: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sizes)

    def merged(self, place: NDArray[np.int32], n_groups: int) -> "Profiles":
        """The groups after merges of pairs: group g becomes, or becomes part of, group place[g]."""
        sources = np.full((n_groups, 2), -1, np.int32)
        _sources_kernel(place, sources)
        start = np.zeros(n_groups + 1, np.int64)
        _merged_lengths_kernel(sources, self.start, self.ids, start)
        ids, counts = np.empty(start[-1], np.int32), np.empty(start[-1], np.int32)
        _merged_rows_kernel(sources, self.start, self.ids, self.counts, start, ids, counts)
        sizes = self.sizes[sources[:, 0]] + np.where(sources[:, 1] < 0, 0, self.sizes[sources[:, 1]])
        return Profiles(start, ids, counts, sizes)


@dataclass(frozen=True, eq=False)
class InvertedLists:
    """Which groups have objects in a base cluster c: members[i], shares[i] of each, i from first[c] to first[c + 1].

    `members` ascend in a cluster; `largest` (K,) is the largest of its shares.
    """

    first: NDArray[np.int64]
    members: NDArray[np.int32]
    shares: NDArray[np.float32]
    largest: NDArray[np.float64]

    @classmethod
    def of(cls, groups: Profiles, n_clusters: int) -> "InvertedLists":
        """The transpose of the groups' rows."""
        first = np.zeros(n_clusters + 1, np.int64)
        members, shares = np.empty(len(groups.ids), np.int32), np.empty(len(groups.ids), np.float32)
        largest = np.zeros(n_clusters)
        _lists_kernel(groups.start, groups.ids, groups.counts, groups.sizes, first, members, shares, largest)
        return cls(first, members, shares, largest)


def sorted_microclusters(clusters: Clusters) -> tuple[Profiles, NDArray[np.int64]]:
    """Microclusters as groups, sorted by their labels, and which one stands where.

    Those a search meets together stand together in memory, see `Clusters.label_order`.
    """
    n, m = len(clusters.weights), len(clusters.offsets) - 1
    order = clusters.label_order()
    sizes = clusters.weights[order]
    counts = np.repeat(sizes.astype(np.int32), m)
    return Profiles(np.arange(0, n * m + 1, m), clusters.ids.reshape(n, m)[order].reshape(-1), counts, sizes), order


@njit(cache=True, nogil=True)
def _sources_kernel(place, sources):
    """Which one or two groups each new group is made of."""
    for g in range(len(place)):
        sources[place[g], 0 if sources[place[g], 0] < 0 else 1] = g


@njit(cache=True, nogil=True)
def _merged_lengths_kernel(sources, start, ids, new_start):
    """Where every new row begins: the clusters of either source, those of both once."""
    for g in range(len(sources)):
        a, b = sources[g]
        length = start[a + 1] - start[a]
        if b >= 0:
            length += start[b + 1] - start[b]
            s, t = start[a], start[b]
            while s < start[a + 1] and t < start[b + 1]:
                c, d = ids[s], ids[t]
                length -= c == d
                s += c <= d
                t += d <= c
        new_start[g + 1] = new_start[g] + length


@njit(cache=True, nogil=True)
def _merged_rows_kernel(sources, start, ids, counts, new_start, new_ids, new_counts):
    """Add the rows of the two sources of every group, clusters ascending."""
    for g in range(len(sources)):
        a, b = sources[g]
        s, s_end = start[a], start[a + 1]
        t, t_end = (start[b], start[b + 1]) if b >= 0 else (s_end, s_end)
        for u in range(new_start[g], new_start[g + 1]):
            from_a = t == t_end or (s < s_end and ids[s] <= ids[t])
            from_b = s == s_end or (t < t_end and ids[t] <= ids[s])
            new_ids[u] = ids[s] if from_a else ids[t]
            new_counts[u] = 0
            if from_a:
                new_counts[u] += counts[s]
                s += 1
            if from_b:
                new_counts[u] += counts[t]
                t += 1


@njit(cache=True, nogil=True)
def _lists_kernel(start, ids, counts, sizes, first, members, shares, largest):
    """Counting sort of the rows' entries by cluster."""
    for c in ids:
        first[c + 1] += 1
    for c in range(1, len(first)):
        first[c] += first[c - 1]
    position = first[:-1].copy()
    for g in range(len(sizes)):
        for t in range(start[g], start[g + 1]):
            c, share = ids[t], counts[t] / sizes[g]
            members[position[c]] = g
            shares[position[c]] = share
            position[c] += 1
            largest[c] = max(largest[c], share)
