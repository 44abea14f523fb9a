"""The ensemble: N objects, M base clusterings, and what follows from the labels alone."""

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from engine.errors import InvalidEnsembleError
from engine.microclusters import Microclusters, find_microclusters, frozen
from engine.renumbering import renumber_columns


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
        renumbered = renumber_columns(_as_label_matrix(labels))
        ensemble = cls(frozen(renumbered), _as_memberships(memberships, renumbered), dict(provenance or {}))
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
        return frozen(self.labels.max(axis=0).astype(np.int64) + 1)

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Global id of the first cluster of every base clustering, and K at the end: (M + 1,)."""
        return frozen(np.concatenate([[0], np.cumsum(self.n_clusters_each)]))

    @property
    def n_clusters_total(self) -> int:
        """K, the clusters of all base clusterings together."""
        return int(self.offsets[-1])

    @cached_property
    def cluster_index(self) -> NDArray[np.int32]:
        """Global cluster id of every object in every base clustering: (N, M)."""
        return frozen(self.labels + self.offsets[:-1].astype(np.int32))

    @cached_property
    def cluster_sizes(self) -> NDArray[np.int64]:
        """Objects in every cluster: (K,)."""
        counts = [
            np.bincount(column, minlength=k) for column, k in zip(self.labels.T, self.n_clusters_each, strict=True)
        ]
        return frozen(np.concatenate(counts))

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
        digests = [self._digest_of(m) for m in range(self.n_clusterings)]
        return frozen(np.array(sorted(range(self.n_clusterings), key=digests.__getitem__), dtype=np.int64))

    def _digest_of(self, m: int) -> bytes:
        """Content hash of one base clustering, soft memberships included: equal labels may have other memberships."""
        digest = hashlib.blake2b(np.ascontiguousarray(self.labels[:, m]).data, digest_size=16)
        if self.memberships is not None:
            digest.update(np.ascontiguousarray(self.memberships[:, self.offsets[m] : self.offsets[m + 1]]).data)
        return digest.digest()

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
        memberships = (
            None if self.memberships is None else frozen(np.take(self.memberships, self._columns_of(chosen), axis=1))
        )
        return Ensemble(frozen(np.take(self.labels, chosen, axis=1)), memberships, self.provenance)

    def in_given_order(self, values: NDArray) -> NDArray:
        """Values on the clusters of `canonical`, (K,), put back into this ensemble's order."""
        given = np.empty_like(values)
        given[self._columns_of(self.canonical_order)] = values
        return given

    def _columns_of(self, clusterings: NDArray) -> NDArray[np.int64]:
        """Global ids of the clusters of some base clusterings, in their order."""
        return np.concatenate([np.arange(self.offsets[m], self.offsets[m + 1]) for m in clusterings])


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
    return frozen(soft)
