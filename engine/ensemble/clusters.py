"""The clusters of all base clusterings, as sets of microclusters, and what they share with others."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import DTypeLike, NDArray
from scipy import sparse
from scipy.special import entr

from ..runtime.blocks import n_threads
from ..runtime.memory import SMALL, require_memory
from .microclusters import frozen
from .renumbering import stable_order


@dataclass(frozen=True, eq=False)
class Clusters:
    """Which microcluster lies in which cluster: a ragged table, and its transpose.

    Clusters have ids 0..K-1 across the base clusterings; nobody else adds offsets to labels.

    Attributes
    ----------
    start : (n + 1,) int64
        Where each microcluster begins in `ids`.
    ids : (start[n],) int32
        Microcluster i lies in the clusters ids[start[i] : start[i + 1]], ascending: one of each base clustering that
        labels it.
    offsets : (M + 1,) int64
        Id of the first cluster of every base clustering, and K at the end.
    weights : (n,) int64
        Objects in every microcluster.
    """

    start: NDArray[np.int64]
    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    weights: NDArray[np.int64]

    @classmethod
    def of_table(cls, table: NDArray[np.int32], offsets: NDArray[np.int64], weights: NDArray[np.int64]) -> "Clusters":
        """From ids in a rectangle, (n, M), ascending along rows; below 0 where a label is missing."""
        n, m = table.shape
        if n and table.min() < 0:
            seen = table >= 0
            start = np.concatenate([[0], np.cumsum(seen.sum(axis=1))])
            return cls(frozen(start), frozen(table[seen]), frozen(offsets), frozen(weights))
        return cls(frozen(np.arange(0, n * m + 1, m)), frozen(table.reshape(-1)), frozen(offsets), frozen(weights))

    def __len__(self) -> int:
        return int(self.offsets[-1])

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Objects in every cluster: (K,)."""
        sizes = np.zeros(len(self), np.int64)
        _sizes_kernel(self.start, self.ids, self.weights, sizes)
        return frozen(sizes)

    @cached_property
    def members(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The transpose (first, members), (K + 1,) and (start[n],).

        Cluster c holds the microclusters members[first[c] : first[c + 1]], ascending.
        """
        first = np.zeros(len(self) + 1, np.int64)
        _sizes_kernel(self.start, self.ids, np.broadcast_to(np.int64(1), self.weights.shape), first[1:])
        np.cumsum(first, out=first)
        members = np.empty(len(self.ids), np.int32)
        _members_kernel(self.start, self.ids, first[:-1].copy(), members)
        return frozen(first), frozen(members)

    def of(self, microcluster: int) -> NDArray[np.int32]:
        """Ids of the clusters a microcluster lies in, ascending."""
        return self.ids[self.start[microcluster] : self.start[microcluster + 1]]

    @property
    def n_members(self) -> NDArray[np.int64]:
        """Microclusters in every cluster: (K,)."""
        return np.diff(self.members[0])

    @property
    def complete(self) -> bool:
        """Whether every base clustering labels every microcluster."""
        return len(self.ids) == len(self.weights) * (len(self.offsets) - 1)

    @cached_property
    def clustering_of(self) -> NDArray[np.int32]:
        """Base clustering of every cluster: (K,)."""
        return frozen(np.repeat(np.arange(len(self.offsets) - 1, dtype=np.int32), np.diff(self.offsets)))

    @cached_property
    def presence(self) -> NDArray[np.uint64]:
        """Which base clusterings label a microcluster, a bit for each: (n, ceil(M / 64))."""
        bits = np.zeros((len(self.weights), -(-(len(self.offsets) - 1) // 64)), np.uint64)
        _presence_kernel(self.start, self.ids, self.clustering_of, bits)
        return frozen(bits)

    def columns(self, dtype: DTypeLike = np.int32) -> NDArray:
        """Labels of the microclusters, 0.. in every base clustering, which come one after the other: (M, n).

        -1, in an unsigned type its largest value, where a label is missing.
        """
        if not self.complete:
            out = np.full((len(self.offsets) - 1, len(self.weights)), -1, np.int32)
            _columns_kernel(self.start, self.ids, self.clustering_of, self.offsets, out)
            return out.astype(dtype)
        table = self.ids.reshape(len(self.weights), -1)
        return np.stack([(table[:, m] - low).astype(dtype, copy=False) for m, low in enumerate(self.offsets[:-1])])

    def label_order(self) -> NDArray[np.int64]:
        """Microclusters sorted by their labels, (n,); the base clustering with most clusters decides first.

        In this order those that share clusters stand together in memory. No label may be missing.
        """
        table, order = self.ids.reshape(len(self.weights), -1), np.arange(len(self.weights))
        for m in np.argsort(np.diff(self.offsets), kind="stable"):  # the last sort decides first
            low, high = self.offsets[m : m + 2]
            order = stable_order(table[:, m] - np.int32(low), int(high - low), order)
        return order

    def incidence(self, values: NDArray | None = None) -> sparse.csr_array:
        """The table as a matrix: (n, K) csr_array of int64, with values[i] (by default 1) in row i."""
        given = np.ones(len(self.weights), np.int64) if values is None else np.asarray(values, dtype=np.int64)
        entries = np.repeat(given, np.diff(self.start))
        start = self.start.astype(np.int32) if self.start[-1] < 2**31 else self.start
        return sparse.csr_array((entries, self.ids, start), shape=(len(self.weights), len(self)))


#: Cells of one table of base clusters and clusters: of more, base clusterings are gone through in parts.
_CELLS = 1 << 23


def contingencies(
    labels: NDArray[np.int32], offsets: NDArray[np.int64], partition: NDArray[np.int32]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]]:
    """`contingency_of` base labels (N, M) and a partition (N,), as many base clusterings at once as tables may hold.

    Yields the table, what of it each saw, and the offsets of their clusters in it, from 0.
    """
    k, most = int(partition.max()) + 1, int(np.diff(offsets).max())
    block = max(1, _CELLS // (k * most))
    for first in range(0, labels.shape[1], block):
        own = offsets[first : first + block + 1] - offsets[first]
        table, seen = contingency_of(np.ascontiguousarray(labels[:, first : first + block]), own, partition, k)
        yield table, seen, own


def contingency_of(
    labels: NDArray[np.int32], offsets: NDArray[np.int64], partition: NDArray[np.int32], k: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of base labels (n, M): what base cluster and cluster share (K, k), what of it a base clustering saw (M, k)."""
    require_table(int(offsets[-1]), k)
    table = np.zeros((offsets[-1], k), np.int64)
    _contingency_kernel(labels, offsets, partition, table)
    return table, np.add.reduceat(table, offsets[:-1], axis=0)


def entropies(
    table: NDArray[np.int64], seen: NDArray[np.int64], offsets: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Entropy in nats of every base clustering, of the partition on what it saw, and of both jointly: (M,) each."""
    n_seen = np.maximum(seen.sum(axis=1), 1)
    of_each, starts = np.repeat(n_seen, np.diff(offsets)), offsets[:-1]
    joint = np.add.reduceat(entr(table / of_each[:, None]).sum(axis=1), starts)
    return np.add.reduceat(entr(table.sum(axis=1) / of_each), starts), entr(seen / n_seen[:, None]).sum(axis=1), joint


@njit(cache=True, nogil=True)
def _contingency_kernel(labels, offsets, partition, table):
    for i in range(labels.shape[0]):
        for m in range(labels.shape[1]):
            if labels[i, m] >= 0:
                table[offsets[m] + labels[i, m], partition[i]] += 1


def require_table(n_rows: int, n_cols: int) -> None:
    """Ask for a table of what clusters share, and for what is computed from it; a small one goes unasked.

    Raises
    ------
    TooLargeError
    """
    needed = 3 * 8 * n_rows * n_cols
    if needed > SMALL:
        require_memory("what the clusters of two clusterings share", needed)


#: A missing label in unsigned columns.
_MISSING = np.iinfo(np.uint32).max


def require_overlaps(n_each: NDArray[np.integer]) -> None:
    """Ask for the tables of two base clusterings, one a thread, of those of most clusters; small ones go unasked.

    Raises
    ------
    TooLargeError
    """
    other, wide = np.sort(n_each)[-2:].tolist() if len(n_each) > 1 else (1, 1)
    needed = 8 * wide * other * n_threads()
    if needed > SMALL:
        require_memory(f"what two base clusterings share ({wide:,} x {other:,} clusters)", needed)


@njit(cache=True, nogil=True)
def room_for_overlaps(offsets):
    """Zeros for the table of any two base clusterings: a wide one beside another wide one takes most."""
    n_each = np.sort(np.diff(offsets))
    return np.zeros(n_each[-1] * n_each[-2] if len(n_each) > 1 else 1, np.int64)


@njit(cache=True, nogil=True)
def overlap_table(m, other, columns, offsets, weights, complete, room):
    """Objects that the clusters of two base clusterings share: (k_m, k_other), in `room`, which must be empty.

    `columns` (M, n) are unsigned: an index that cannot be negative is not asked whether it is.
    """
    n_rows, n_cols = offsets[m + 1] - offsets[m], offsets[other + 1] - offsets[other]
    table = room[: n_rows * n_cols].reshape((n_rows, n_cols))
    for i in range(len(weights)):
        if complete or (columns[m, i] != _MISSING and columns[other, i] != _MISSING):
            table[columns[m, i], columns[other, i]] += weights[i]
    return table


@njit(cache=True, nogil=True)
def _sizes_kernel(start, ids, weights, sizes):
    """Add the weight of every row to its clusters."""
    for i in range(len(start) - 1):
        for t in range(start[i], start[i + 1]):
            sizes[ids[t]] += weights[i]


@njit(cache=True, nogil=True)
def _members_kernel(start, ids, position, members):
    """Counting sort of the rows into their clusters."""
    for i in range(len(start) - 1):
        for t in range(start[i], start[i + 1]):
            members[position[ids[t]]] = i
            position[ids[t]] += 1


@njit(cache=True, nogil=True)
def _presence_kernel(start, ids, clustering_of, bits):
    """Set a bit for the base clustering of every cluster of a row."""
    for i in range(len(start) - 1):
        for t in range(start[i], start[i + 1]):
            m = clustering_of[ids[t]]
            bits[i, m // 64] |= np.uint64(1) << np.uint64(m % 64)


@njit(cache=True, nogil=True)
def _columns_kernel(start, ids, clustering_of, offsets, out):
    for i in range(len(start) - 1):
        for t in range(start[i], start[i + 1]):
            m = clustering_of[ids[t]]
            out[m, i] = ids[t] - offsets[m]
