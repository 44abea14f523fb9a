"""Partitioning a bipartite graph of objects and clusters through its smaller side (Tcut)."""

import numpy as np
from numpy.typing import NDArray

from engine.ensemble import Ensemble
from engine.errors import InvalidParameterError
from engine.memory import require_memory
from engine.monitor import SILENT, Monitor
from engine.partition.bipartite_graphs import BipartiteGraph, DenseGraph, reciprocal
from engine.partition.eigenvectors import top_eigenvectors
from engine.partition.restarts import weighted_kmeans


def tcut(
    graph: BipartiteGraph | DenseGraph,
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
    graph : BipartiteGraph or DenseGraph
        Edge weights B between n rows and K clusters.
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
    graph: BipartiteGraph | DenseGraph, row_weights: NDArray, n_clusters: int, monitor: Monitor = SILENT
) -> NDArray[np.float64]:
    """Row-normalised spectral embedding of the rows: (n, k). See `tcut`."""
    embedding = _lifted_eigenvectors(graph, row_weights, n_clusters, monitor)
    embedding *= reciprocal(np.linalg.norm(embedding, axis=1))[:, None]
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
    layout[:, : vectors.shape[1]] = vectors * np.sign(largest) * reciprocal(np.abs(largest))
    return layout


def _lifted_eigenvectors(
    graph: BipartiteGraph | DenseGraph, row_weights: NDArray, k: int, monitor: Monitor
) -> NDArray[np.float64]:
    """D_x^-1 B D_y^-1/2 u for the top k eigenvectors u of D_y^-1/2 W_y D_y^-1/2: (n, k)."""
    require_memory("the graph between clusters", 3 * 8 * graph.shape[1] ** 2)
    between = graph.between_clusters(np.asarray(row_weights, dtype=np.float64), monitor)
    root = np.sqrt(reciprocal(between.sum(axis=1)))
    between *= root
    between *= root[:, None]
    return graph.lift(root[:, None] * top_eigenvectors(between, k), monitor)
