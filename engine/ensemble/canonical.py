"""The canonical form of an ensemble: what no order of rows, columns or label names can change."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .cluster_codes import cluster_codes, clustering_codes, count_alike, digest, told_apart
from .clusters import Clusters
from .microclusters import Microclusters, find_microclusters, frozen
from .renumbering import stable_order

_TOSS = "Some {} in the base clusterings: which is which is a toss."
#: Beside a seed, so that the toss is not drawn from the numbers a method then draws.
_TOSSED = 33


@dataclass(frozen=True, eq=False)
class CanonicalForm:
    """In which order methods see base clusterings (M,), clusters (K,) and microclusters, these in lexicographic order.

    `n_symmetric` clusters cannot be told from another by the refinement: symmetric, or nearly so; `symmetry` says in a
    sentence what is a toss for want of any difference, and `mirrored` whether groups of objects are.
    """

    clusterings: NDArray[np.int64]
    numbers: NDArray[np.int32]
    microclusters: Microclusters
    clusters: Clusters
    n_symmetric: int
    symmetry: str
    mirrored: bool


def canonical_form(
    labels: NDArray[np.int32], memberships: NDArray[np.float64] | None = None, toss: int | None = None
) -> CanonicalForm:
    """Order base clusterings, clusters and microclusters by content alone; labels (N, M), memberships (N, K).

    The clusters of a base clustering are numbered by size, the largest first, and those of one size by their codes (see
    `cluster_codes`). Base clusterings are sorted by their number of clusters, then by the multiset of codes.

    O(N M) time where sizes and microclusters tell clusters apart, as they nearly always do; a round of overlaps takes
    O(n M^2). Clusters that share a code in the end are symmetric, or nearly so: they are counted, one is marked, and
    the others are refined by it, until all are told apart (`told_apart`). Which one of mirror images is marked is drawn
    by the seed `toss`; without one the first row decides.
    """
    found = find_microclusters(labels)
    offsets = np.concatenate([[0], np.cumsum(labels.max(axis=0).astype(np.int64) + 1)])
    table = np.empty((len(found), labels.shape[1]), np.int32)
    _table_kernel(labels, found.representatives, offsets, table)
    given = Clusters.of_table(table, offsets, found.sizes)
    codes = cluster_codes(given, memberships)
    clusterings, n_alike = _sorted_clusterings(given, codes, memberships)
    symmetry, mirrored = "", False
    if n_alike:
        codes, mirrored = told_apart(given, codes, None if toss is None else np.random.default_rng([toss, _TOSSED]))
        clusterings, _ = _sorted_clusterings(given, codes, memberships)
        if mirrored:
            symmetry = _TOSS.format("groups of objects are mirror images of each other") + " Another seed tosses anew."
        elif count_alike(codes, given.offsets):
            symmetry = _TOSS.format("objects are interchangeable")
    numbers, new_offsets = _numbered(given, codes, clusterings)
    order = _lexicographic(table, clusterings, numbers, new_offsets, given.complete)
    renumbered = np.empty_like(table)
    _renumber_kernel(table, order, clusterings, numbers, renumbered)
    micro = found.reordered(order)
    clusters = Clusters.of_table(renumbered, new_offsets, micro.sizes)
    return CanonicalForm(clusterings, numbers, micro, clusters, n_alike, symmetry, mirrored)


def _sorted_clusterings(
    clusters: Clusters, codes: NDArray[np.uint64], memberships: NDArray | None
) -> tuple[NDArray[np.int64], int]:
    """Base clusterings in canonical order, and how many clusters are not told apart.

    Base clusterings with the same codes are sorted by content, so that the order of columns decides nothing; if they
    are not copies of each other, all their clusters count.
    """
    offsets, n_alike = clusters.offsets, 0
    groups: dict[tuple[int, int], list[int]] = {}
    for m, key in enumerate(clustering_codes(codes, offsets)):
        groups.setdefault(key, []).append(m)
    order: list[int] = []
    for key in sorted(groups):
        alike = groups[key]
        digests = {m: _digest_of(clusters, m, memberships) for m in alike if len(alike) > 1}
        copies = len(set(digests.values())) <= 1
        n_alike += count_alike(codes, offsets, alike) if copies else key[0] * len(alike)
        order += sorted(alike, key=lambda m: digests.get(m, b""))
    return frozen(np.array(order, dtype=np.int64)), n_alike


def _digest_of(clusters: Clusters, m: int, memberships: NDArray | None) -> bytes:
    """Hash of one base clustering as given: its labels on the microclusters, and its memberships."""
    low, high = clusters.offsets[m], clusters.offsets[m + 1]
    if clusters.complete:
        column = clusters.ids.reshape(len(clusters.weights), -1)[:, m] - np.int32(low)
    else:
        column = np.ascontiguousarray(clusters.columns()[m])
    return digest(column) + (b"" if memberships is None else digest(np.ascontiguousarray(memberships[:, low:high])))


def _numbered(
    clusters: Clusters, codes: NDArray[np.uint64], clusterings: NDArray
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Canonical id of every cluster, and the offsets of these ids."""
    n_each = np.diff(clusters.offsets)
    place = np.empty(len(clusterings), np.int64)
    place[clusterings] = np.arange(len(clusterings))
    order = np.lexsort((codes, -clusters.sizes, np.repeat(place, n_each)))  # stable: of equals the first to appear
    numbers = np.empty(len(order), np.int32)
    numbers[order] = np.arange(len(order), dtype=np.int32)
    return frozen(numbers), np.concatenate([[0], np.cumsum(n_each[clusterings])])


def _lexicographic(
    table: NDArray[np.int32],
    clusterings: NDArray,
    numbers: NDArray[np.int32],
    offsets: NDArray[np.int64],
    complete: bool = True,
) -> NDArray[np.int64]:
    """Rows sorted by the canonical ids of their clusters: one stable counting sort a column, the last one first.

    A missing label comes after all clusters.
    """
    order = np.arange(len(table))
    for place in range(len(clusterings) - 1, -1, -1):
        given, n_keys = table[:, clusterings[place]], int(offsets[place + 1] - offsets[place])
        column = numbers[given] - np.int32(offsets[place])
        if not complete:
            column, n_keys = np.where(given < 0, np.int32(n_keys), column), n_keys + 1
        order = stable_order(column, n_keys, order)
    return order


@njit(cache=True, nogil=True)
def _table_kernel(labels, representatives, offsets, table):
    for i in range(len(table)):
        for m in range(table.shape[1]):
            label = labels[representatives[i], m]
            table[i, m] = label + offsets[m] if label >= 0 else -1


@njit(cache=True, nogil=True)
def _renumber_kernel(table, order, clusterings, numbers, out):
    for i in range(len(out)):
        row = table[order[i]]
        for m in range(len(clusterings)):
            c = row[clusterings[m]]
            out[i, m] = numbers[c] if c >= 0 else -1
