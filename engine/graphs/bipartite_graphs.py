"""Bipartite graphs of objects and clusters, through what spectral cuts need of them: two products."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..ensemble.clusters import Clusters
from ..pairs.counts import cluster_weights
from ..runtime.blocks import limited_threads, map_blocks
from ..runtime.errors import InvalidParameterError, shown
from ..runtime.monitor import Monitor

_BLOCK = 65_536
#: Rows and columns of a product of dense links, and rows lifted at a time: copies stay small.
_DENSE_ROWS, _DENSE_COLUMNS, _LIFTED_ROWS = 16_384, 256, 2_048
#: Rows whose products are summed in the precision of the links; their sums are added in double.
_SUMMED_ROWS = 1_024
_JOINING = "joining clusters through objects"


#: What is less than this share of the largest weight is none: its reciprocal is no number.
_LEAST_WEIGHT = 1e-100


@dataclass(frozen=True, eq=False)
class BipartiteGraph:
    """Microclusters joined to the clusters they lie in; never stored as a matrix.

    Attributes
    ----------
    clusters : Clusters
        Which microcluster lies in which cluster.
    weights : (K,) float64
        Weight of the edges into each cluster.
    """

    clusters: Clusters
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, ensemble: Ensemble, weights: NDArray) -> "BipartiteGraph":
        """Graph of an ensemble's microclusters with one weight a cluster, (K,).

        Parameters
        ----------
        ensemble : Ensemble
            Of n microclusters and K clusters.
        weights : (K,) float
            Of the clusters, none negative.

        Returns
        -------
        BipartiteGraph
            n rows, K columns, a link from every microcluster to each of its clusters.

        Raises
        ------
        InvalidParameterError
        """
        given = cluster_weights(ensemble, weights)
        if (given < 0).any():
            raise InvalidParameterError(f"weights must not be negative. Got {shown(given)}")
        return cls(ensemble.clusters, np.where(given < _LEAST_WEIGHT * given.max(initial=0.0), 0.0, given))

    @property
    def shape(self) -> tuple[int, int]:
        """(n, K)."""
        return len(self.clusters.weights), len(self.weights)

    def between_clusters(self, row_weights: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """B^T diag(r / d_x) B: (K, K).

        Parameters
        ----------
        row_weights : (n,) float
            Objects each row stands for, r.
        monitor : Monitor
            Hears of every block of rows.

        Returns
        -------
        (K, K) float64
            Symmetric, not negative.
        """
        between = np.zeros((len(self.weights), len(self.weights)))

        def add(start: int, stop: int) -> None:
            _between_kernel(start, stop, self.clusters.start, self.clusters.ids, self.weights, row_weights, between)

        _add_up(add, self.shape[0], monitor)
        _mirror_kernel(between)
        return between

    def lift(self, vectors: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """D_x^-1 B v for every column v of (K, k): (n, k), stored by columns.

        Parameters
        ----------
        vectors : (K, k) float64
            Vectors on the columns.
        monitor : Monitor
            Hears of every block of rows.

        Returns
        -------
        (n, k) float64
            The same on the rows.
        """
        lifted = np.empty((vectors.shape[1], self.shape[0]))

        def place(start: int, stop: int) -> None:
            _lift_kernel(start, stop, self.clusters.start, self.clusters.ids, self.weights, vectors, lifted)

        map_blocks(place, lifted.shape[1], monitor, "placing objects among clusters", block=_BLOCK)
        return lifted.T


@dataclass(frozen=True, eq=False)
class DenseGraph:
    """Rows joined to columns by a matrix of weights, not negative.

    Attributes
    ----------
    links : (n, K) float
    blocks : sequence of (rows, columns), optional
        Where links may differ from 0: rows of which each is in one block, and columns, ascending, in any number.
    """

    links: NDArray
    blocks: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]] = ()

    @property
    def shape(self) -> tuple[int, int]:
        """(n, K)."""
        return self.links.shape

    def between_clusters(self, row_weights: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """B^T diag(r / d_x) B: (K, K).

        Parameters
        ----------
        row_weights : (n,) float
            Objects each row stands for, r.
        monitor : Monitor
            Hears of every block of rows.

        Returns
        -------
        (K, K) float64
            Symmetric, not negative.
        """
        n, n_columns = self.shape
        between = np.zeros((n_columns, n_columns))
        for rows, columns in self.blocks or [(np.arange(n), np.arange(n_columns))]:
            for first in range(0, len(rows), _DENSE_ROWS):
                some = rows[first : first + _DENSE_ROWS]
                links = np.empty((len(some), len(columns)), self.links.dtype)
                scaled = partial(_scaled_kernel, self.links, some, columns, row_weights, links)
                map_blocks(scaled, len(some), stage=_JOINING)
                _add_gram(links, columns, between, monitor)
        _mirror_kernel(between)
        return between

    def lift(self, vectors: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """D_x^-1 B v for every column v of (K, k): (n, k), stored by columns.

        Parameters
        ----------
        vectors : (K, k) float64
            Vectors on the columns.
        monitor : Monitor
            Hears of every block of rows.

        Returns
        -------
        (n, k) float64
            The same on the rows.
        """
        lifted = np.empty((vectors.shape[1], self.shape[0]))

        def place(start: int, stop: int) -> None:
            links = self.links[start:stop].astype(np.float64)
            lifted[:, start:stop] = ((links @ vectors) * reciprocal(links.sum(axis=1))[:, None]).T

        map_blocks(place, self.shape[0], monitor, "placing objects among clusters", block=_LIFTED_ROWS)
        return lifted.T


@dataclass(frozen=True, eq=False)
class LinkedGraph:
    """A bipartite graph whose clusters are joined to each other too: they are rows beside the microclusters.

    Only microclusters are cut; what the further rows do is join clusters.

    Attributes
    ----------
    objects : BipartiteGraph
        Microclusters and the clusters they lie in.
    links : (K, K) float64
        Weights of the edges between clusters; no row is empty.
    share : float
        What the edges of microclusters are multiplied by, alpha.
    """

    objects: BipartiteGraph
    links: NDArray[np.float64]
    share: float

    @property
    def shape(self) -> tuple[int, int]:
        """(n, K)."""
        return self.objects.shape

    def between_clusters(self, row_weights: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """B^T diag(r / d_x) B over both kinds of rows, those of clusters with weight 1: (K, K).

        Parameters
        ----------
        row_weights : (n,) float
            Objects each microcluster stands for, r.
        monitor : Monitor
            Hears of every block of rows.

        Returns
        -------
        (K, K) float64
            Symmetric, not negative; over alpha where that is above 1.
        """
        between = self.objects.between_clusters(row_weights, monitor)
        between *= min(self.share, 1.0)  # a cut hangs on no scale, and a large share times anything has no end
        joined = (self.links.T / self.links.sum(axis=1)) @ self.links
        between += (joined + joined.T) / (2 * max(self.share, 1.0))
        return between

    def lift(self, vectors: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """D_x^-1 B v for the rows of microclusters, from which alpha falls out: (n, k), stored by columns.

        Parameters
        ----------
        vectors : (K, k) float64
            Vectors on the columns.
        monitor : Monitor
            Hears of every block of rows.

        Returns
        -------
        (n, k) float64
            The same on the rows of microclusters.
        """
        return self.objects.lift(vectors, monitor)


def _add_gram(links: NDArray, columns: NDArray, between: NDArray, monitor: Monitor) -> None:
    """Add B^T B to what joins these columns, on and above the diagonal."""

    def add(start: int, stop: int) -> None:
        found = np.zeros((stop - start, len(columns) - start))
        for first in range(0, len(links), _SUMMED_ROWS):
            some = links[first : first + _SUMMED_ROWS]
            found += some[:, start:stop].T @ some[:, start:]
        between[np.ix_(columns[start:stop], columns[start:])] += found

    map_blocks(add, len(columns), monitor, _JOINING, block=_DENSE_COLUMNS)


def _add_up(add: Callable[[int, int], None], n: int, monitor: Monitor) -> None:
    """Blocks of rows one after the other: they add to one matrix."""
    with limited_threads(1):
        map_blocks(add, n, monitor, _JOINING, block=_BLOCK)


def reciprocal(values: NDArray) -> NDArray:
    """1 / x, and 0 where x is 0."""
    return np.divide(1.0, values, out=np.zeros(values.shape), where=values > 0)


def unit_rows(embedding: NDArray) -> NDArray:
    """Rows brought to length 1 in place; a row of zeros stays one."""
    embedding *= reciprocal(np.linalg.norm(embedding, axis=1))[:, None]
    return embedding


@njit(cache=True, nogil=True)
def _between_kernel(begin, end, start, ids, weights, row_weights, between):
    """Add what rows begin..end join; above the diagonal only."""
    for i in range(begin, end):
        row = ids[start[i] : start[i + 1]]
        total = _degree(row, weights)
        if total == 0:
            continue
        share = row_weights[i] / total
        for a in range(len(row)):
            scaled = share * weights[row[a]]
            for b in range(a, len(row)):  # ids ascend along a row
                between[row[a], row[b]] += scaled * weights[row[b]]


@njit(cache=True, nogil=True)
def _scaled_kernel(links, rows, columns, row_weights, out, begin, end):
    """Rows begin..end of the part's links, each times the root of its weight over its sum."""
    for i in range(begin, end):
        total = 0.0
        for j in range(len(columns)):
            total += links[rows[i], columns[j]]
        factor = np.sqrt(row_weights[rows[i]] / total) if total > 0 else 0.0
        for j in range(len(columns)):
            out[i, j] = links[rows[i], columns[j]] * factor


@njit(cache=True, nogil=True)
def _mirror_kernel(matrix):
    for a in range(len(matrix)):
        for b in range(a):
            matrix[a, b] = matrix[b, a]


@njit(cache=True, nogil=True)
def _lift_kernel(begin, end, start, ids, weights, vectors, lifted):
    """Means of the vectors' rows of the clusters a row lies in, by the weight of its edges."""
    place = np.empty(vectors.shape[1])
    for i in range(begin, end):
        row = ids[start[i] : start[i + 1]]
        total = _degree(row, weights)
        place[:] = 0.0
        if total > 0:
            for c in row:
                for t in range(len(place)):
                    place[t] += weights[c] / total * vectors[c, t]
        for t in range(len(place)):
            lifted[t, i] = place[t]


@njit(cache=True, nogil=True)
def _degree(row, weights):
    """Sum of the weights of the edges into the clusters of a row."""
    total = 0.0
    for c in row:
        total += weights[c]
    return total
