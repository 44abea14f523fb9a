"""Objects that every base clustering keeps together, and the object-level matrices they stand for."""

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError, shown


@dataclass(frozen=True, eq=False)
class Microclusters:
    """Groups of objects that every base clustering keeps together.

    Those of an ensemble are in canonical order (see `engine.ensemble.canonical`): no order of the rows decides it.

    Attributes
    ----------
    assignment : (N,) int32
        Microcluster of each object.
    sizes : (n,) int64
        Objects in each microcluster.
    representatives : (n,) int64
        First object of each microcluster.
    """

    assignment: NDArray[np.int32]
    sizes: NDArray[np.int64]
    representatives: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.sizes)

    def reordered(self, order: NDArray[np.int64]) -> "Microclusters":
        """The same groups, numbered by their place in `order`, a permutation of 0..n-1.

        Parameters
        ----------
        order : (n,) int64
            The microcluster that comes at every place.

        Returns
        -------
        Microclusters
            Of the same objects.
        """
        number = np.empty(len(order), np.int32)
        number[order] = np.arange(len(order), dtype=np.int32)
        return Microclusters(
            frozen(number[self.assignment]), frozen(self.sizes[order]), frozen(self.representatives[order])
        )

    def expand(self, labels: NDArray) -> NDArray:
        """Give every object the value of its microcluster: (n, ...) -> (N, ...).

        Parameters
        ----------
        labels : (n, ...) array
            One row a microcluster.

        Returns
        -------
        (N, ...) array
            One row an object.
        """
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

        Raises
        ------
        InvalidParameterError
            If the matrix is not (n, n).
        """
        self.require_own(matrix)
        return matrix[np.ix_(self.assignment[np.asarray(rows)], self.assignment[np.asarray(cols)])]

    def block_means(self, matrix: NDArray | sparse.sparray, rows: ArrayLike, cols: ArrayLike, n_bins: int) -> NDArray:
        """Window of the object-level matrix, averaged into at most n_bins x n_bins blocks of equal size.

        Parameters
        ----------
        matrix : (n, n) array or sparse array
        rows, cols : (a,), (b,) int
            Objects in the order in which they are shown.
        n_bins : int

        Returns
        -------
        (min(a, n_bins), min(b, n_bins)) float64
            Means of the true cells; the cells themselves where a and b are at most n_bins.

        Raises
        ------
        InvalidParameterError
            If the matrix is not (n, n).

        Notes
        -----
        O(N n) at most, less for few rows, in threads: neither an N x N array nor a copy of the matrix is built.
        """
        self.require_own(matrix)
        left, right = self._shares(rows, n_bins), self._shares(cols, n_bins)
        if sparse.issparse(matrix):
            return ((left @ matrix) @ right.T).toarray()
        seen = np.ascontiguousarray(matrix).view()
        seen.flags.writeable = False  # one kernel for what may be written to and what may not
        means = np.zeros((left.shape[0], len(self)))
        map_blocks(
            lambda start, stop: _mean_rows_kernel(start, stop, left.indptr, left.indices, left.data, seen, means),
            left.shape[0],
        )
        return means @ right.T

    def require_own(self, matrix: NDArray | sparse.sparray) -> None:
        """Refuse a matrix that is not one of these microclusters, such as one of all objects.

        Parameters
        ----------
        matrix : array or sparse array

        Raises
        ------
        InvalidParameterError
            If it is not (n, n).
        """
        if np.shape(matrix) != (len(self), len(self)):
            raise InvalidParameterError(
                f"matrix must be ({len(self)}, {len(self)}), one row a microcluster. Got shape {np.shape(matrix)}"
            )

    def _shares(self, objects: ArrayLike, n_bins: int) -> sparse.csr_array:
        """Share of each microcluster in each bin of consecutive objects: (bins, n), rows sum to 1."""
        objects = np.asarray(objects)
        n_bins = min(n_bins, len(objects))
        bins = np.arange(len(objects)) * n_bins // len(objects)
        weight = 1.0 / np.bincount(bins, minlength=n_bins)
        return sparse.csr_array((weight[bins], (bins, self.assignment[objects])), shape=(n_bins, len(self)))


@njit(cache=True, nogil=True)
def _mean_rows_kernel(start, stop, first, members, shares, matrix, out):
    """Add to rows start..stop the rows of the matrix by their shares: a sparse matrix times a dense one of any type."""
    for b in range(start, stop):
        for t in range(first[b], first[b + 1]):
            row, share = matrix[members[t]], shares[t]
            for j in range(len(row)):
                out[b, j] += share * row[j]


def as_sizes(sizes: ArrayLike, n: int) -> NDArray[np.int64]:
    """How many objects each of n stands for: (n,), whole and at least 1."""
    given = np.asarray(sizes)
    whole = given.dtype.kind in "iufb" and given.shape == (n,) and bool((given >= 1).all() and (given % 1 == 0).all())
    if not whole:
        raise InvalidParameterError(f"sizes must be {n:,} whole numbers of at least 1. Got {shown(sizes)}")
    return given.astype(np.int64)


def consecutive(sizes: NDArray[np.int64]) -> Microclusters:
    """Microclusters of objects that are sorted by them."""
    assignment = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    return Microclusters(frozen(assignment), sizes, frozen(np.cumsum(sizes) - sizes))


def find_microclusters(labels: NDArray[np.int32]) -> Microclusters:
    """Group equal rows, in order of first appearance.

    One pass with a hash table whose every hit is checked against the row itself: O(N M) time, and
    exact whatever the hash does.
    """
    n_objects = len(labels)
    assignment = np.empty(n_objects, np.int32)
    representatives = np.empty(n_objects, np.int64)
    table = np.full(1 << max(4, (2 * n_objects - 1).bit_length()), -1, np.int32)
    n = _distinct_rows_kernel(labels, table, assignment, representatives)
    representatives = representatives[:n].copy()
    sizes = np.bincount(assignment, minlength=n)
    return Microclusters(frozen(assignment), frozen(sizes), frozen(representatives))


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


def frozen(array: NDArray) -> NDArray:
    """Make an array read-only, and hand it back."""
    array.setflags(write=False)
    return array
