"""Partitioning a bipartite graph of objects and clusters through its smaller side (Tcut)."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, sparse

from engine.ensemble import Ensemble
from engine.errors import InvalidParameterError
from engine.memory import require_memory
from engine.monitor import SILENT, Monitor
from engine.partition.restarts import weighted_kmeans

_BLOCK = 65_536
#: Above this many clusters, Lanczos iterations find the few eigenvectors needed faster than a full solver.
_DENSE_SOLVER_LIMIT = 1_500


@dataclass(frozen=True, eq=False)
class BipartiteGraph:
    """Microclusters joined to the clusters they lie in; never stored as a matrix, only as blocks of rows.

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

    def __getitem__(self, rows: slice) -> sparse.csr_array:
        clusters = (self.labels[self.representatives[rows]] + self.offsets[:-1]).astype(np.int32)
        n, m = clusters.shape
        indptr = np.arange(0, n * m + 1, m, dtype=np.int32)
        return sparse.csr_array((self.weights[clusters.ravel()], clusters.ravel(), indptr), shape=(n, self.shape[1]))


def tcut(
    graph: BipartiteGraph | NDArray,
    row_weights: NDArray,
    n_clusters: int,
    rng: np.random.Generator,
    monitor: Monitor = SILENT,
) -> NDArray[np.int32]:
    """Normalised cut of a bipartite graph by transfer cuts: labels of its rows.

    W_y = B^T diag(r / d_x) B; u = top k eigenvectors of D_y^-1/2 W_y D_y^-1/2; the rows' embedding is
    D_x^-1 B D_y^-1/2 u, row-normalised, and k-means separates it with weights r.

    Parameters
    ----------
    graph : BipartiteGraph, or (n, K) array
        Non-negative edge weights B between rows and clusters.
    row_weights : (n,)
        r, objects each row stands for (1 for PTGP).
    n_clusters : int
        k, at most min(n, K).
    rng : Generator
    monitor : Monitor, optional
        Receives `embedding` (n, k) and `repaired`.

    Returns
    -------
    (n,) int32
        Exactly k clusters. k = n returns the rows themselves.

    Raises
    ------
    InvalidParameterError
        If k exceeds the number of clusters K.

    Notes
    -----
    O(n M^2 + K^3) time; memory O(n k + K^2). A row without edges has a zero embedding.

    References
    ----------
    li2012tcut; huang2018lwea, Algorithm 2.
    """
    n, n_columns = graph.shape
    if n_clusters == n:
        return np.arange(n, dtype=np.int32)
    if n_clusters > n_columns:
        raise InvalidParameterError(
            f"n_clusters must be at most {n_columns}, the clusters of all base clusterings together. Got {n_clusters}"
        )
    embedding = transfer_embedding(graph, row_weights, n_clusters, monitor)
    monitor.record("embedding", embedding)
    labels, n_repaired = weighted_kmeans(embedding, row_weights, n_clusters, rng, monitor=monitor)
    monitor.record("repaired", n_repaired)
    return labels


def transfer_embedding(
    graph: BipartiteGraph | NDArray, row_weights: NDArray, n_clusters: int, monitor: Monitor = SILENT
) -> NDArray[np.float64]:
    """Row-normalised spectral embedding of the rows: (n, k). See `tcut`."""
    embedding = _lifted_eigenvectors(graph, row_weights, n_clusters, monitor)
    embedding *= _reciprocal(np.linalg.norm(embedding, axis=1))[:, None]
    return embedding


def spectral_layout(ensemble: Ensemble, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Two coordinates a microcluster, from its co-association alone: (n, 2).

    The second and third eigenvector of the bipartite graph of objects and clusters with unit weights: objects
    that share many clusters lie close together. Each column is scaled to [-1, 1]; its sign is fixed by making the
    entry of largest magnitude positive. A missing direction (fewer than three clusters in all) is 0.
    """
    graph = BipartiteGraph.of(ensemble, np.ones(ensemble.n_clusters_total))
    n_vectors = min(3, *graph.shape)
    layout = np.zeros((graph.shape[0], 2))
    vectors = _lifted_eigenvectors(graph, ensemble.microclusters.sizes, n_vectors, monitor)[:, 1:]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    layout[:, : vectors.shape[1]] = vectors * np.sign(largest) * _reciprocal(np.abs(largest))
    return layout


def _lifted_eigenvectors(graph, row_weights: NDArray, k: int, monitor: Monitor) -> NDArray[np.float64]:
    """D_x^-1 B D_y^-1/2 u for the top k eigenvectors u: (n, k)."""
    n, n_columns = graph.shape
    require_memory("the graph between clusters", 3 * 8 * n_columns**2)
    between = np.zeros((n_columns, n_columns))
    for rows, block in _row_blocks(graph, monitor, "joining clusters through objects"):
        scaled = block.T * (row_weights[rows] * _reciprocal(block.sum(axis=1)))
        product = scaled @ block
        between += product.toarray() if sparse.issparse(product) else product
    vectors = _top_eigenvectors(between, k)
    lifted = np.empty((n, k))
    for rows, block in _row_blocks(graph, monitor, "placing objects among clusters"):
        lifted[rows] = (block @ vectors) * _reciprocal(block.sum(axis=1))[:, None]
    return lifted


def _row_blocks(graph, monitor: Monitor, stage: str) -> Iterator[tuple[slice, NDArray]]:
    """Slices of rows and what they hold, with progress."""
    n = graph.shape[0]
    for start in range(0, n, _BLOCK):
        monitor.tick(stage, start, n)
        rows = slice(start, min(start + _BLOCK, n))
        yield rows, graph[rows]
    monitor.tick(stage, n, n)


def _top_eigenvectors(between: NDArray, k: int) -> NDArray:
    """D^-1/2 u for the top k eigenvectors u of D^-1/2 W D^-1/2: (K, k), largest first."""
    root = np.sqrt(_reciprocal(between.sum(axis=1)))
    between *= root[:, None]
    between *= root
    symmetric = (between + between.T) / 2
    n = len(symmetric)
    if n <= _DENSE_SOLVER_LIMIT or k > n // 4:
        vectors = linalg.eigh(symmetric, subset_by_index=[n - k, n - 1])[1]
    else:
        start = np.random.default_rng(0).random(n)
        vectors = sparse.linalg.eigsh(symmetric, k=k, which="LA", v0=start, ncv=min(n, 4 * k + 20))[1]
    return root[:, None] * vectors[:, ::-1]


def _reciprocal(values: NDArray) -> NDArray:
    """1 / x, and 0 where x is 0."""
    return np.divide(1.0, values, out=np.zeros(values.shape), where=values > 0)
