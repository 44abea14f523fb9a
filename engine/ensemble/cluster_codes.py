"""Codes that tell clusters apart by content alone: no order of rows, columns or names can change them."""

import hashlib
from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..runtime.blocks import map_blocks
from .clusters import Clusters

#: Rounds by overlaps: a cluster is told apart by its overlaps, then by the overlaps of those it overlaps.
ROUNDS = 2
#: Up to so many steps of a refinement one thread is enough.
_SMALL = 1_000_000
#: Steps that breaking symmetries may take: some tenths of a second.
_MOST_STEPS = 50_000_000
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ODD_1, _ODD_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)


def cluster_codes(clusters: Clusters, memberships: NDArray[np.float64] | None = None) -> NDArray[np.uint64]:
    """A code for every cluster: (K,).

    It begins with the cluster's size, and its column of soft memberships, sorted. The first round adds the multiset of
    its microclusters, a microcluster being its size and the multiset of its clusters' codes; each of two more the
    multiset of (overlap, other's code) over all clusters it overlaps. Rounds end as soon as everything is told apart.
    """
    codes, offsets = _first_codes(clusters, memberships), clusters.offsets
    for refined in (_refined_by_rows, *[_refined_by_overlaps] * ROUNDS):
        if not count_alike(codes, offsets) and len(set(clustering_codes(codes, offsets))) == len(offsets) - 1:
            break
        codes = refined(clusters, codes)
    return codes


def told_apart(
    clusters: Clusters, codes: NDArray[np.uint64], rng: np.random.Generator | None = None
) -> tuple[NDArray[np.uint64], bool]:
    """Codes with symmetries broken: of clusters that are alike one is marked, and the others refined by it: (K,).

    Where they are mirror images, whichever is marked, the same ensemble comes out, so that nothing decides more than
    which image is which: `rng` does, or without one the order of rows. The second value says whether there are any.
    Clusters of one microcluster are left: those alike in the end are interchangeable objects. McKay, "Practical graph
    isomorphism", 1981.
    """
    first, members = clusters.members
    several, n_clusterings = np.diff(first) > 1, len(clusters.offsets) - 1
    n_left = _MOST_STEPS // max(1, len(clusters.ids) * n_clusterings)
    codes, n_left = _settled(clusters, codes, n_left)
    mirrored = False
    while True:
        _, of, counts = np.unique(codes, return_inverse=True, return_counts=True)
        alike = np.flatnonzero(several & (counts[of] > 1))
        if not len(alike) or n_left <= 0:
            return codes, mirrored or len(alike) > 0
        largest = alike[counts[of[alike]] == counts[of[alike]].max()]  # marks in one base clustering alone say little
        cell = largest[of[largest] == of[largest].min()]
        groups: dict[tuple[int, ...], list[int]] = {}  # copies, in other base clusterings, are marked together
        for c in cell.tolist():
            groups.setdefault(tuple(members[first[c] : first[c + 1]].tolist()), []).append(c)
        if len(groups) == 1:
            several[cell] = False
            continue
        mirrored = True
        # Those that the refinement takes for alike and are not differ in what it makes of a mark on them.
        tried = sorted(groups)
        if rng is not None:
            tried = [tried[place] for place in rng.permutation(len(tried))]
        tried = tried[: max(1, n_left // 8)]
        found = []
        for own in tried:
            marked = codes.copy()
            marked[groups[own]] = _mixed_all(codes[groups[own]])
            marked, n_left = _settled(clusters, marked, n_left - 1)
            found.append((int(_mixed_all(marked).sum()), marked))
        codes = min(found, key=lambda one: one[0])[1]


def _settled(clusters: Clusters, codes: NDArray[np.uint64], n_left: int) -> tuple[NDArray[np.uint64], int]:
    """Codes refined until no more clusters are told apart by it, and how many rounds are left of those allowed."""
    n_codes, before = len(np.unique(codes)), 0
    while before < n_codes and n_left > 0:
        codes = _refined_by_overlaps(clusters, _refined_by_rows(clusters, codes))
        before, n_codes, n_left = n_codes, len(np.unique(codes)), n_left - 1
    return codes, n_left


def clustering_codes(codes: NDArray[np.uint64], offsets: NDArray) -> list[tuple[int, int]]:
    """What a base clustering is sorted by: how many clusters, and the multiset of their codes."""
    sums = np.add.reduceat(_mixed_all(codes), offsets[:-1])
    return list(zip(np.diff(offsets).tolist(), sums.tolist(), strict=True))


def count_alike(codes: NDArray[np.uint64], offsets: NDArray, of: Sequence[int] | None = None) -> int:
    """Clusters that share their code with another of their base clustering."""
    chosen = range(len(offsets) - 1) if of is None else of
    counts = [np.unique(codes[offsets[m] : offsets[m + 1]], return_counts=True)[1] for m in chosen]
    return int(sum(count[count > 1].sum() for count in counts))


def row_codes(rows: NDArray[np.float64]) -> NDArray[np.uint64]:
    """A hash of every row: (n,). Equal rows, equal codes."""
    out = np.empty(len(rows), np.uint64)
    _row_codes_kernel(np.ascontiguousarray(rows).view(np.uint64), out)
    return out


def digest(array: NDArray, size: int = 16) -> bytes:
    """Hash of an array's bytes."""
    return hashlib.blake2b(array.data, digest_size=size).digest()


def _first_codes(clusters: Clusters, memberships: NDArray | None) -> NDArray[np.uint64]:
    """A code by size, and by the soft memberships where there are some: (K,)."""
    codes = clusters.sizes.astype(np.uint64)
    if memberships is not None:
        columns = np.ascontiguousarray(np.sort(memberships, axis=0).T)
        codes ^= np.array([int.from_bytes(digest(column, 8), "little") for column in columns], np.uint64)
    return _mixed_all(codes)


def _refined_by_rows(clusters: Clusters, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each cluster's code with the multiset of its microclusters mixed in."""
    sums = np.zeros_like(codes)
    _rows_kernel(clusters.start, clusters.ids, clusters.weights, codes, sums)
    return _mixed_all(codes + _mixed_all(sums))


def _refined_by_overlaps(clusters: Clusters, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each cluster's code with the multiset of (overlap, other's code) mixed in."""
    out, (first, members) = np.empty_like(codes), clusters.members
    small = len(clusters.ids) * (len(clusters.offsets) - 1) < _SMALL
    map_blocks(
        lambda a, b: _refine_kernel(a, b, first, members, clusters.start, clusters.ids, clusters.weights, codes, out),
        len(clusters),
        stage="numbering clusters",
        block=len(clusters) if small else None,
    )
    return out


def _mixed_all(codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """`_mixed` of every code, and never 0 for small ones."""
    return _mixed(codes + _GOLDEN)


@njit(cache=True, nogil=True)
def _rows_kernel(start, ids, weights, codes, sums):
    """Add the code of every row, its weight and the codes of its clusters, to its clusters."""
    for i in range(len(weights)):
        row = _GOLDEN * np.uint64(weights[i])
        for s in range(start[i], start[i + 1]):
            row += _mixed(codes[ids[s]])
        row = _mixed(row)
        for s in range(start[i], start[i + 1]):
            sums[ids[s]] += row


@njit(cache=True, nogil=True)
def _refine_kernel(begin, end, first, members, start, ids, weights, codes, out):
    """New codes of clusters begin..end; overlaps are summed over a cluster's members, one cluster at a time."""
    overlap, met = np.zeros(len(codes), np.int64), np.empty(len(codes), np.int64)
    for c in range(begin, end):
        n_met = 0
        for t in range(first[c], first[c + 1]):
            i = members[t]
            for s in range(start[i], start[i + 1]):
                other = ids[s]
                if overlap[other] == 0:
                    met[n_met] = other
                    n_met += 1
                overlap[other] += weights[i]
        total = np.uint64(0)
        for t in range(n_met):
            other = met[t]
            total += _mixed(codes[other] + _GOLDEN * np.uint64(overlap[other]))
            overlap[other] = 0
        out[c] = _mixed(codes[c] + _GOLDEN * total)


@njit(cache=True, nogil=True)
def _mixed(x):
    """The finaliser of splitmix64: every bit of the code depends on every bit of x."""
    x = (x ^ (x >> _SHIFTS[0])) * _ODD_1
    x = (x ^ (x >> _SHIFTS[1])) * _ODD_2
    return x ^ (x >> _SHIFTS[2])


@njit(cache=True, nogil=True)
def _row_codes_kernel(rows, out):
    for i in range(rows.shape[0]):
        code = np.uint64(0)
        for j in range(rows.shape[1]):
            code = _mixed(code + _GOLDEN + rows[i, j])
        out[i] = code
