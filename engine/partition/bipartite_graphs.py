"""Bipartite graphs of objects and clusters, through what spectral cuts need of them: two products."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from engine.blocks import limited_threads, map_blocks
from engine.ensemble import Ensemble
from engine.monitor import Monitor

_BLOCK = 65_536


@dataclass(frozen=True, eq=False)
class BipartiteGraph:
    """Microclusters joined to the clusters they lie in; never stored as a matrix.

    Attributes
    ----------
    labels : (N, M) int32
        Labels of the objects.
    representatives : (n,) int64
        An object of each microcluster.
    offsets : (M + 1,) int64
        Global id of each base clustering's first cluster.
    weights : (K,) float64
        Weight of the edges into each cluster.
    """

    labels: NDArray[np.int32]
    representatives: NDArray[np.int64]
    offsets: NDArray[np.int64]
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, ensemble: Ensemble, weights: NDArray) -> "BipartiteGraph":
        """Graph of an ensemble's microclusters with one weight a cluster, (K,)."""
        rows = ensemble.microclusters.representatives
        return cls(ensemble.labels, rows, ensemble.offsets, np.asarray(weights, dtype=np.float64))

    @property
    def shape(self) -> tuple[int, int]:
        """(n, K)."""
        return len(self.representatives), len(self.weights)

    def between_clusters(self, row_weights: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """B^T diag(r / d_x) B: (K, K)."""
        between = np.zeros((len(self.weights), len(self.weights)))

        def add(start: int, stop: int) -> None:
            _between_kernel(
                self.labels, self.representatives, self.offsets, self.weights, row_weights, start, stop, between
            )

        _add_up(add, len(self.representatives), monitor)
        _mirror_kernel(between)
        return between

    def lift(self, vectors: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """D_x^-1 B v for every column v of (K, k): (n, k), stored by columns."""
        lifted = np.empty((vectors.shape[1], len(self.representatives)))

        def place(start: int, stop: int) -> None:
            _lift_kernel(self.labels, self.representatives, self.offsets, self.weights, vectors, start, stop, lifted)

        map_blocks(place, lifted.shape[1], monitor, "placing objects among clusters", block=_BLOCK)
        return lifted.T


@dataclass(frozen=True, eq=False)
class DenseGraph:
    """Rows joined to columns by a matrix of weights, not negative.

    Attributes
    ----------
    links : (n, K) float64
    """

    links: NDArray[np.float64]

    @property
    def shape(self) -> tuple[int, int]:
        """(n, K)."""
        return self.links.shape

    def between_clusters(self, row_weights: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """B^T diag(r / d_x) B: (K, K)."""
        between = np.zeros((self.shape[1], self.shape[1]))

        def add(start: int, stop: int) -> None:
            block = self.links[start:stop]
            between[:] += (block.T * (row_weights[start:stop] * reciprocal(block.sum(axis=1)))) @ block

        _add_up(add, len(self.links), monitor)
        return (between + between.T) / 2

    def lift(self, vectors: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """D_x^-1 B v for every column v of (K, k): (n, k), stored by columns."""
        lifted = (self.links @ vectors) * reciprocal(self.links.sum(axis=1))[:, None]
        return np.asfortranarray(lifted)


def _add_up(add: Callable[[int, int], None], n: int, monitor: Monitor) -> None:
    """Blocks of rows one after the other: they add to one matrix."""
    with limited_threads(1):
        map_blocks(add, n, monitor, "joining clusters through objects", block=_BLOCK)


def reciprocal(values: NDArray) -> NDArray:
    """1 / x, and 0 where x is 0."""
    return np.divide(1.0, values, out=np.zeros(values.shape), where=values > 0)


@njit(cache=True, nogil=True)
def _between_kernel(labels, representatives, offsets, weights, row_weights, start, stop, between):
    """Add what rows start..stop join; above the diagonal only."""
    m = labels.shape[1]
    clusters, mass = np.empty(m, np.int64), np.empty(m)
    for i in range(start, stop):
        total = _edges(labels[representatives[i]], offsets, weights, clusters, mass)
        if total == 0:
            continue
        share = row_weights[i] / total
        for a in range(m):
            scaled = share * mass[a]
            for b in range(a, m):  # ids ascend along a row
                between[clusters[a], clusters[b]] += scaled * mass[b]


@njit(cache=True, nogil=True)
def _mirror_kernel(matrix):
    for a in range(len(matrix)):
        for b in range(a):
            matrix[a, b] = matrix[b, a]


@njit(cache=True, nogil=True)
def _lift_kernel(labels, representatives, offsets, weights, vectors, start, stop, lifted):
    """Means of the vectors' rows of the clusters a row lies in, by the weight of its edges."""
    m, k = labels.shape[1], vectors.shape[1]
    clusters, mass, place = np.empty(m, np.int64), np.empty(m), np.empty(k)
    for i in range(start, stop):
        total = _edges(labels[representatives[i]], offsets, weights, clusters, mass)
        place[:] = 0.0
        if total > 0:
            for a in range(m):
                for t in range(k):
                    place[t] += mass[a] / total * vectors[clusters[a], t]
        for t in range(k):
            lifted[t, i] = place[t]


@njit(cache=True, nogil=True)
def _edges(row, offsets, weights, clusters, mass):
    """Clusters of a row and the weights of its edges; returns their sum."""
    total = 0.0
    for t in range(len(row)):
        clusters[t] = row[t] + offsets[t]
        mass[t] = weights[clusters[t]]
        total += mass[t]
    return total
