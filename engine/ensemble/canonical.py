"""The canonical form of an ensemble: what no order of rows, columns or label names can change.

It rests on codes that tell clusters apart by content alone.
"""

import hashlib
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..runtime.blocks import map_blocks, map_sums
from .clusters import Clusters, overlap_table
from .graphs import ROUNDS as GRAPH_ROUNDS
from .graphs import Graph
from .microclusters import Microclusters, find_microclusters, frozen

#: Rounds by overlaps: a cluster is told apart by its overlaps, then by the overlaps of those it overlaps.
ROUNDS = 2
#: Up to so many steps of a refinement one thread is enough.
_SMALL = 1_000_000
#: Steps that breaking symmetries may take: some tenths of a second.
_MOST_STEPS = 50_000_000
#: Steps that sorting a node's code takes.
_SORTED = 16
#: Steps of a round of overlaps, from which it takes tenths of a second.
_LARGE = 100_000_000
#: Cells of a table of overlaps a microcluster, up to which the table is read.
_ROOMY = 2
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_ODD_1, _ODD_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)


def cluster_codes(clusters: Clusters, memberships: NDArray[np.float64] | None = None) -> NDArray[np.uint64]:
    """A code for every cluster: (K,).

    It begins with the cluster's size, and its column of soft memberships, sorted. The first round adds the multiset of
    its microclusters, a microcluster being its size and the multiset of its clusters' codes; each of two more the
    multiset of (overlap, other's code) over all clusters it overlaps. Rounds end as soon as everything is told apart;
    in large ensembles, where a round takes long, as soon as all is that is no copy.
    """
    codes = _first_codes(clusters, memberships)
    large = len(clusters.ids) * (len(clusters.offsets) - 1) > _LARGE
    for refined in (_refined_by_rows, *[_refined_by_overlaps] * ROUNDS):
        if not count_alike(codes, clusters.offsets).any():
            order, n_alike = _sorted_clusterings(clusters, codes, memberships)
            if not n_alike and (large or not _alike(clusters, codes, order).any()):
                break
        codes = refined(clusters, codes)
    return codes


def told_apart(
    clusters: Clusters,
    codes: NDArray[np.uint64],
    rng: np.random.Generator | None = None,
    near: "Neighbourhoods | None" = None,
) -> tuple[NDArray[np.uint64], bool]:
    """Codes with symmetries broken: of clusters that are alike one is marked, and the others refined by it: (K,).

    Where they are mirror images, whichever is marked, the same ensemble comes out, so that nothing decides more than
    which image is which: `rng` does, or without one the order of rows. The second value says whether there are any.
    Clusters of one microcluster are left: those alike in the end are interchangeable objects. McKay, "Practical graph
    isomorphism", 1981.
    """
    first, members = clusters.members
    several = np.diff(first) > 1
    codes, n_left = _settled(clusters, codes, _rounds_of(clusters), near)
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
            marked, n_left = _settled(clusters, marked, n_left - 1, near)
            found.append((int(_mixed_all(marked).sum()), marked))
        codes = min(found, key=lambda one: one[0])[1]


def _rounds_of(clusters: Clusters) -> int:
    """Rounds by overlaps that may be spent on symmetries."""
    return _MOST_STEPS // max(1, len(clusters.ids) * (len(clusters.offsets) - 1))


class Neighbourhoods:
    """What a graph says of clusters: where their objects lie in it, seen from the clusters that are told apart.

    `n_left` rounds may be asked for, which take some tenths of a second, but for two that any graph has.
    """

    def __init__(self, graph: Graph, assignment: NDArray):
        self._graph, self._assignment = graph, assignment
        self.n_left = max(2, _MOST_STEPS // (GRAPH_ROUNDS * (_SORTED * graph.n_nodes + 2 * graph.n_edges) + 1))

    def sums(self, clusters: Clusters, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """The multiset of places in the graph of every cluster's objects: (K,)."""
        self.n_left -= 1
        ends = np.concatenate([np.zeros(1, np.uint64), np.cumsum(_mixed_all(codes[clusters.ids]))])
        rows = ends[clusters.start[1:]] - ends[clusters.start[:-1]]  # sums wrap, their differences too
        places = np.zeros_like(rows)
        np.add.at(places, self._assignment, _mixed_all(self._graph.codes(rows[self._assignment])))
        found = np.zeros_like(codes)
        np.add.at(found, clusters.ids, np.repeat(places, np.diff(clusters.start)))
        return found


def _settled(
    clusters: Clusters, codes: NDArray[np.uint64], n_left: int, near: Neighbourhoods | None
) -> tuple[NDArray[np.uint64], int]:
    """Codes refined until no more clusters are told apart by it, and how many rounds are left of those allowed.

    Each round adds the multiset of its base clustering's codes: rows and overlaps know nothing of who belongs there.
    """
    n_codes, before, n_each = len(np.unique(codes)), 0, np.diff(clusters.offsets)
    while before < n_codes and n_left > 0:
        codes = _refined_by_overlaps(clusters, _refined_by_rows(clusters, codes))
        codes = _mixed_all(codes + _mixed_all(np.repeat(_sums(clusters, codes), n_each)))
        if near is not None and near.n_left > 0:
            codes = _mixed_all(codes + _mixed_all(near.sums(clusters, codes)))
        before, n_codes, n_left = n_codes, len(np.unique(codes)), n_left - 1
    return codes, n_left


def count_alike(codes: NDArray[np.uint64], offsets: NDArray) -> NDArray[np.int64]:
    """Clusters of every base clustering that share their code with another of it: (M,)."""
    of = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.lexsort((codes, of))
    same = (codes[order[1:]] == codes[order[:-1]]) & (of[order[1:]] == of[order[:-1]])
    alike = np.append(same, False) | np.insert(same, 0, False)
    return np.bincount(of[order[alike]], minlength=len(offsets) - 1)


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
    """Each cluster's code with the multiset of (overlap, other's code) mixed in.

    A small table says all overlaps of two base clusterings, for both of them at once; where it would be larger than
    what it counts, the members of each cluster are followed instead. Sums of codes are the same in any order.
    """
    n_clusterings = len(clusters.offsets) - 1
    small = len(clusters.ids) * n_clusterings < _SMALL
    if np.diff(clusters.offsets).max() ** 2 <= _ROOMY * len(clusters.weights):
        columns = clusters.columns(np.uint32)
        sums = map_sums(
            lambda a, b, own: _overlaps_kernel(
                a, b, columns, clusters.offsets, clusters.weights, codes, clusters.complete, own
            ),
            n_clusterings,
            codes,
            stage="numbering clusters",
            block=n_clusterings if small else -(-n_clusterings // 64),
        )
        return _mixed(codes + _GOLDEN * sums)
    out, (first, members) = np.empty_like(codes), clusters.members
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
def _overlaps_kernel(begin, end, columns, offsets, weights, codes, complete, sums):
    """Add what base clusterings begin..end and all after them share to the sums of both; labels (M, n)."""
    room = np.zeros(np.diff(offsets).max() ** 2, np.int64)  # each is beside itself, too
    for m in range(begin, end):
        for other in range(m, len(columns)):
            table = overlap_table(m, other, columns, offsets, weights, complete, room)
            for c in range(table.shape[0]):
                for d in range(table.shape[1]):
                    overlap, one, two = table[c, d], offsets[m] + c, offsets[other] + d
                    if overlap > 0:
                        table[c, d] = 0
                        sums[one] += _mixed(codes[two] + _GOLDEN * np.uint64(overlap))
                        if other > m:
                            sums[two] += _mixed(codes[one] + _GOLDEN * np.uint64(overlap))


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


_TOSS = "Some {} in the base clusterings: which is which is a toss."
#: Beside a seed, so that the toss is not drawn from the numbers a method then draws.
_TOSSED = 33


@dataclass(frozen=True, eq=False)
class CanonicalForm:
    """In which order methods see base clusterings (M,), clusters (K,) and microclusters, these in lexicographic order.

    `n_symmetric` clusters cannot be told from another by labels, nor by a graph: symmetric, or nearly so; `symmetry`
    says in a sentence what is a toss for want of any difference, and `mirrored` whether groups of objects are.
    """

    clusterings: NDArray[np.int64]
    numbers: NDArray[np.int32]
    microclusters: Microclusters
    clusters: Clusters
    n_symmetric: int
    symmetry: str
    mirrored: bool


def canonical_form(
    labels: NDArray[np.int32],
    memberships: NDArray[np.float64] | None = None,
    toss: int | None = None,
    graph: Graph | None = None,
) -> CanonicalForm:
    """Order base clusterings, clusters and microclusters by content alone; labels (N, M), memberships (N, K).

    The clusters of a base clustering are numbered by size, the largest first, and those of one size by their codes (see
    `cluster_codes`). Base clusterings are sorted by their number of clusters, then by the multiset of codes.

    O(N M) time where sizes and microclusters tell clusters apart, as they nearly always do; a round of overlaps takes
    O(n M^2). Clusters that share a code then are told apart by a graph, if there is one. Those that share it in the
    end are symmetric, or nearly so: they are counted, one is marked, and the others are refined by it, until all are
    told apart (`told_apart`). Which one of mirror images is marked is drawn by the seed `toss`; without one the first
    row decides.
    """
    found = find_microclusters(labels)
    offsets = np.concatenate([[0], np.cumsum(labels.max(axis=0).astype(np.int64) + 1)])
    table = np.empty((len(found), labels.shape[1]), np.int32)
    _table_kernel(labels, found.representatives, offsets, table)
    given = Clusters.of_table(table, offsets, found.sizes)
    codes = cluster_codes(given, memberships)
    clusterings, n_alike = _sorted_clusterings(given, codes, memberships)
    symmetry, mirrored, near = "", False, None
    if n_alike and graph is not None:
        near = Neighbourhoods(graph, found.assignment)
        codes, _ = _settled(given, codes, min(near.n_left, max(2, _rounds_of(given))), near)
        clusterings, n_alike = _sorted_clusterings(given, codes, memberships)
    if n_alike:
        rng = None if toss is None else np.random.default_rng([toss, _TOSSED])
        codes, mirrored = told_apart(given, codes, rng, near)
        clusterings, _ = _sorted_clusterings(given, codes, memberships)
        if mirrored:
            symmetry = _TOSS.format("groups of objects are mirror images of each other") + " Another seed tosses anew."
        elif count_alike(codes, given.offsets).any():
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
    n_each, alike_in = np.diff(clusters.offsets), count_alike(codes, clusters.offsets)
    order, n_alike = np.lexsort((_sums(clusters, codes), n_each)), int(alike_in.sum())
    bounds = np.flatnonzero(np.concatenate([[True], ~_alike(clusters, codes, order), [True]]))
    for first in np.flatnonzero(np.diff(bounds) > 1):
        group = slice(bounds[first], bounds[first + 1])
        digests = {m: _digest_of(clusters, m, memberships) for m in sorted(order[group].tolist())}
        order[group] = alike = sorted(digests, key=digests.__getitem__)
        if len(set(digests.values())) > 1:
            n_alike += int((n_each[alike] - alike_in[alike]).sum())
    return frozen(order), n_alike


def _sums(clusters: Clusters, codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """What stands for the multiset of codes of every base clustering: (M,)."""
    return np.add.reduceat(_mixed_all(codes), clusters.offsets[:-1])


def _alike(clusters: Clusters, codes: NDArray[np.uint64], order: NDArray) -> NDArray[np.bool_]:
    """Which base clusterings, sorted, have as many clusters as the one before, with the same codes: (M - 1,)."""
    n_each, sums = np.diff(clusters.offsets)[order], _sums(clusters, codes)[order]
    return (n_each[1:] == n_each[:-1]) & (sums[1:] == sums[:-1])


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
    """Rows, no two alike, sorted by the canonical ids of their clusters; a missing label comes after all clusters.

    As many columns as fit into a word are one key; the next word decides among those that have all before in common.
    """
    rank, rows, place = np.zeros(len(table), np.int64), np.arange(len(table)), 0  # a rank: how many come before
    while len(rows) and place < len(clusterings):
        word, room = np.zeros(len(rows), np.uint64), 2**64
        while place < len(clusterings) and (room := room // (n_keys := _n_keys(offsets, place))) > 0:
            given = table[rows, clusterings[place]]
            column = numbers[given] - np.int32(offsets[place])
            if not complete:
                column = np.where(given < 0, np.int32(n_keys - 1), column)
            word, place = word * np.uint64(n_keys) + column.astype(np.uint64), place + 1
        order = np.lexsort((word, rank[rows])) if rank.any() else np.argsort(word, kind="stable")
        rows, word, at = rows[order], word[order], np.arange(len(rows))
        anew = np.insert(np.diff(rank[rows]) != 0, 0, True)
        apart = anew | np.insert(np.diff(word) != 0, 0, True)
        rank[rows] += np.maximum.accumulate(at * apart) - np.maximum.accumulate(at * anew)
        rows = rows[~(apart & np.append(apart[1:], True))]
    order = np.empty_like(rank)
    order[rank] = np.arange(len(rank))
    return order


def _n_keys(offsets: NDArray[np.int64], place: int) -> int:
    """Clusters of a base clustering, and one for a missing label."""
    return int(offsets[place + 1] - offsets[place]) + 1


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
