"""The ensemble: N objects, M base clusterings, and what follows from the labels alone."""

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from engine.blocks import map_blocks
from engine.errors import InvalidEnsembleError


@dataclass(frozen=True, eq=False)
class Microclusters:
    """Groups of objects that every base clustering keeps together; in order of first appearance.

    Attributes
    ----------
    assignment : (N,) int32
        Microcluster of each object.
    sizes : (n,) int64
        Objects in each microcluster.
    representatives : (n,) int64
        First object of each microcluster, ascending.
    rows : (N, M) int32
        The labels they were found in.
    """

    assignment: NDArray[np.int32]
    sizes: NDArray[np.int64]
    representatives: NDArray[np.int64]
    rows: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.sizes)

    @cached_property
    def labels(self) -> NDArray[np.int32]:
        """The ensemble's rows, each once: (n, M). Made when first asked for, since n may be near N."""
        return self.rows if len(self) == len(self.rows) else _frozen(self.rows[self.representatives])

    def expand(self, labels: NDArray) -> NDArray:
        """Give every object the value of its microcluster: (n, ...) -> (N, ...)."""
        return labels[self.assignment]

    def expand_matrix(self, matrix: NDArray, rows: ArrayLike, cols: ArrayLike) -> NDArray:
        """Window of the object-level matrix that an (n, n) matrix stands for.

        Parameters
        ----------
        matrix : (n, n)
            Its diagonal holds the value between two objects of one microcluster.
        rows, cols : (a,), (b,) int
            Objects, 0-based.

        Returns
        -------
        (a, b) array
            Value between object rows[i] and object cols[j].
        """
        return matrix[np.ix_(self.assignment[np.asarray(rows)], self.assignment[np.asarray(cols)])]


@dataclass(frozen=True, eq=False)
class Ensemble:
    """M base clusterings of N objects. Build it with `Ensemble.from_labels`; all arrays are read-only.

    Attributes
    ----------
    labels : (N, M) int32
        Column m holds labels 0..k_m-1, numbered by first appearance.
    memberships : (N, K) float64 or None
        Soft memberships in the clusters of all base clusterings, in the order of `offsets`.
    provenance : dict
        Where the labels come from, for display.
    """

    labels: NDArray[np.int32]
    memberships: NDArray[np.float64] | None = None
    provenance: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def from_labels(
        cls,
        labels: ArrayLike,
        memberships: ArrayLike | None = None,
        provenance: dict[str, Any] | None = None,
    ) -> "Ensemble":
        """Build an ensemble from labels of any value.

        Parameters
        ----------
        labels : (N, M) array of int, bool, str, or integer-valued float
            One base clustering a column; N >= 2, M >= 1. Values may have gaps and be negative.
        memberships : (N, K) array of float, optional
            Rows of soft memberships, K clusters in all.
        provenance : dict, optional
            Where the labels come from.

        Raises
        ------
        InvalidEnsembleError
            If the shape or a value is not that of labels.

        Examples
        --------
        >>> Ensemble.from_labels([[7, 0], [7, -1], [3, 0]]).labels.tolist()
        [[0, 0], [0, 1], [1, 0]]
        """
        renumbered = _renumber_columns(_as_label_matrix(labels))
        ensemble = cls(_frozen(renumbered), _as_memberships(memberships, renumbered), dict(provenance or {}))
        return ensemble

    @property
    def n_objects(self) -> int:
        """N."""
        return self.labels.shape[0]

    @property
    def n_clusterings(self) -> int:
        """M."""
        return self.labels.shape[1]

    @cached_property
    def n_clusters_each(self) -> NDArray[np.int64]:
        """Clusters in every base clustering, k_m: (M,)."""
        return _frozen(self.labels.max(axis=0).astype(np.int64) + 1)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Global id of the first cluster of every base clustering, and K at the end: (M + 1,)."""
        return _frozen(np.concatenate([[0], np.cumsum(self.n_clusters_each)]))

    @property
    def n_clusters_total(self) -> int:
        """K, the clusters of all base clusterings together."""
        return int(self.offsets[-1])

    @cached_property
    def cluster_index(self) -> NDArray[np.int32]:
        """Global cluster id of every object in every base clustering: (N, M)."""
        return _frozen(self.labels + self.offsets[:-1].astype(np.int32))

    @cached_property
    def cluster_sizes(self) -> NDArray[np.int64]:
        """Objects in every cluster: (K,)."""
        counts = [
            np.bincount(column, minlength=k) for column, k in zip(self.labels.T, self.n_clusters_each, strict=True)
        ]
        return _frozen(np.concatenate(counts))

    @cached_property
    def incidence(self) -> sparse.csr_array:
        """Which object is in which cluster: CSR (N, K) of ones, uint8."""
        n, m = self.labels.shape
        indptr = np.arange(0, n * m + 1, m)
        return sparse.csr_array(
            (np.ones(n * m, np.uint8), self.cluster_index.ravel(), indptr), shape=(n, self.n_clusters_total)
        )

    @cached_property
    def microclusters(self) -> Microclusters:
        """The groups of objects no base clustering tells apart."""
        return find_microclusters(self.labels)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the content (labels and memberships), 32 hexadecimal digits."""
        digest = hashlib.blake2b(repr(self.labels.shape).encode(), digest_size=16)
        digest.update(self.labels.data)
        if self.memberships is not None:
            digest.update(self.memberships.data)
        return digest.hexdigest()

    @cached_property
    def canonical_order(self) -> NDArray[np.int64]:
        """Permutation that sorts the base clusterings by content: (M,)."""
        digests = [hashlib.blake2b(np.ascontiguousarray(c).data, digest_size=16).digest() for c in self.labels.T]
        return _frozen(np.array(sorted(range(self.n_clusterings), key=digests.__getitem__), dtype=np.int64))

    @cached_property
    def canonical(self) -> "Ensemble":
        """The same base clusterings sorted by content, so that no sum can depend on their order."""
        sorted_ensemble = self.select(self.canonical_order)
        micro = replace(self.microclusters, rows=sorted_ensemble.labels)
        sorted_ensemble.__dict__["microclusters"] = micro  # the groups do not depend on the order of columns
        return sorted_ensemble

    def select(self, clusterings: ArrayLike) -> "Ensemble":
        """The ensemble of some base clusterings, in the order given.

        Parameters
        ----------
        clusterings : (M',) int or (M,) bool
            Columns to keep.

        Raises
        ------
        InvalidEnsembleError
            If none is left.
        """
        chosen = np.arange(self.n_clusterings)[np.asarray(clusterings)]
        if not len(chosen):
            raise InvalidEnsembleError("an ensemble needs at least 1 base clustering. Got none")
        if np.array_equal(chosen, np.arange(self.n_clusterings)):
            return self
        memberships = None if self.memberships is None else _frozen(self.memberships[:, self._columns_of(chosen)])
        return Ensemble(_frozen(np.take(self.labels, chosen, axis=1)), memberships, self.provenance)

    def in_given_order(self, values: NDArray) -> NDArray:
        """Values on the clusters of `canonical`, (K,), put back into this ensemble's order."""
        given = np.empty_like(values)
        given[self._columns_of(self.canonical_order)] = values
        return given

    def _columns_of(self, clusterings: NDArray) -> NDArray[np.int64]:
        """Global ids of the clusters of some base clusterings, in their order."""
        return np.concatenate([np.arange(self.offsets[m], self.offsets[m + 1]) for m in clusterings])


def find_microclusters(labels: NDArray[np.int32]) -> Microclusters:
    """Group equal rows, in order of first appearance.

    One pass with a hash table whose every hit is checked against the row itself: O(N M) time, and
    exact whatever the hash does.

    Parameters
    ----------
    labels : (N, M) int32, C-contiguous

    Returns
    -------
    Microclusters
    """
    n_objects = len(labels)
    assignment = np.empty(n_objects, np.int32)
    representatives = np.empty(n_objects, np.int64)
    table = np.full(1 << max(4, (2 * n_objects - 1).bit_length()), -1, np.int32)
    n = _distinct_rows_kernel(labels, table, assignment, representatives)
    representatives = representatives[:n].copy()
    sizes = np.bincount(assignment, minlength=n)
    return Microclusters(_frozen(assignment), _frozen(sizes), _frozen(representatives), labels)


@njit(cache=True, nogil=True)
def _distinct_rows_kernel(rows, table, assignment, representatives):
    """Fill the group of each row and the first row of each group; return how many groups there are."""
    mask = np.uint64(len(table) - 1)
    n_found = 0
    for i in range(rows.shape[0]):
        h = np.uint64(0x9E3779B97F4A7C15)
        for m in range(rows.shape[1]):
            h = (h ^ np.uint64(rows[i, m])) * np.uint64(0xFF51AFD7ED558CCD)
            h ^= h >> np.uint64(32)
        slot = np.int64(h & mask)
        while True:
            group = table[slot]
            if group < 0:
                table[slot] = n_found
                representatives[n_found] = i
                assignment[i] = n_found
                n_found += 1
                break
            first = representatives[group]
            same = True
            for m in range(rows.shape[1]):
                if rows[first, m] != rows[i, m]:
                    same = False
                    break
            if same:
                assignment[i] = group
                break
            slot = np.int64(np.uint64(slot + 1) & mask)
    return n_found


def _as_label_matrix(labels: ArrayLike) -> NDArray:
    """Check shape and values at the door; integers or strings come out."""
    matrix = np.asarray(labels)
    if matrix.ndim != 2:
        raise InvalidEnsembleError(f"labels must be a matrix (objects x base clusterings). Got shape {matrix.shape}")
    if matrix.shape[0] < 2 or matrix.shape[1] < 1:
        raise InvalidEnsembleError(f"labels must have at least 2 rows and 1 column. Got shape {matrix.shape}")
    if matrix.dtype.kind == "f":
        return _integers(matrix)
    if matrix.dtype.kind not in "iubUS":
        raise InvalidEnsembleError(f"labels must be integers or strings. Got dtype {matrix.dtype}")
    return matrix


def _integers(matrix: NDArray) -> NDArray:
    """Floats that are whole numbers, as int64."""
    whole = np.isfinite(matrix) & (matrix == np.floor(matrix)) & (np.abs(matrix) < 2**53)
    if not whole.all():
        row, column = np.argwhere(~whole)[0]
        raise InvalidEnsembleError(
            f"labels must be whole numbers. Got {matrix[row, column]} in row {row + 1}, column {column + 1}"
        )
    return matrix.astype(np.int64)


def _as_memberships(memberships: ArrayLike | None, labels: NDArray) -> NDArray[np.float64] | None:
    """Soft rows: finite, non-negative, one column a cluster."""
    if memberships is None:
        return None
    soft = np.array(memberships, dtype=np.float64)
    expected = (len(labels), int((labels.max(axis=0) + 1).sum()))
    if soft.shape != expected:
        raise InvalidEnsembleError(f"memberships must have shape {expected} (objects x clusters). Got {soft.shape}")
    if not np.isfinite(soft).all() or soft.min() < 0:
        raise InvalidEnsembleError("memberships must be finite and not negative")
    return _frozen(soft)


def _renumber_columns(matrix: NDArray) -> NDArray[np.int32]:
    """Number every column 0..k-1 by first appearance."""
    out = np.empty(matrix.shape, np.int32)

    def renumber(start: int, stop: int) -> None:
        for m in range(start, stop):
            codes, n_codes = _small_codes(matrix[:, m])
            _first_appearance_kernel(codes, np.full(n_codes, -1, np.int32), out[:, m])

    map_blocks(renumber, matrix.shape[1], block=1)
    return out


def _small_codes(column: NDArray) -> tuple[NDArray, int]:
    """Non-negative codes of a column's values, and a bound on them."""
    if column.dtype.kind in "iu" and column.dtype.itemsize <= 8:
        low, high = int(column.min()), int(column.max())
        if low >= 0 and high < 2 * len(column) + 1024:
            return column, high + 1
    values, codes = np.unique(column, return_inverse=True)
    return codes, len(values)


@njit(cache=True, nogil=True)
def _first_appearance_kernel(codes, number, out):
    """Renumber codes by first appearance; `number` (-1 = not seen) is scratch."""
    following = 0
    for i in range(len(codes)):
        code = codes[i]
        if number[code] < 0:
            number[code] = following
            following += 1
        out[i] = number[code]


def first_appearance(labels: ArrayLike) -> NDArray[np.int32]:
    """Renumber labels (N,) to 0..k-1 by first appearance.

    >>> first_appearance([5, 5, 2, 9, 2]).tolist()
    [0, 0, 1, 2, 1]
    """
    return _renumber_columns(np.asarray(labels)[:, None])[:, 0]


def _frozen(array: NDArray) -> NDArray:
    """Make an array read-only, and hand it back."""
    array.setflags(write=False)
    return array
