"""Spectral clustering of a sharpened graph (see `engine.numerics.sharpening`)."""

import numpy as np
from numpy.typing import NDArray

from ..numerics.eigenvectors import top_eigenvectors
from ..numerics.sharpening import degree_scaled
from ..runtime.monitor import SILENT, Monitor
from .bipartite_graphs import reciprocal
from .restarts import weighted_kmeans


def spectral_partition(
    graph: NDArray[np.float64],
    sizes: NDArray,
    n_clusters: int,
    rng: np.random.Generator,
    n_restarts: int,
    monitor: Monitor = SILENT,
) -> NDArray[np.int32]:
    """Labels from the top k eigenvectors of the scaled graph, rows at length 1, separated by k-means.

    Parameters
    ----------
    graph : (n, n) float64
        Non-negative, symmetric; it is overwritten.
    sizes : (n,)
        Objects each row stands for.
    n_clusters : int
        k, at most n; k = n returns the rows themselves.
    rng : Generator
    n_restarts : int
    monitor : Monitor, optional
        Receives `embedding` (n, k) and `repaired`.

    Returns
    -------
    (n,) int32
        Labels 0..k - 1, none empty.
    """
    if n_clusters == len(graph):
        return np.arange(n_clusters, dtype=np.int32)
    monitor.tick("finding eigenvectors", 0, 1)
    embedding = top_eigenvectors(degree_scaled(graph, sizes), n_clusters)
    embedding = embedding * reciprocal(np.linalg.norm(embedding, axis=1))[:, None]
    monitor.tick("finding eigenvectors", 1, 1)
    monitor.record("embedding", embedding)
    labels, n_repaired = weighted_kmeans(embedding, sizes, n_clusters, rng, n_restarts, monitor)
    monitor.record("repaired", n_repaired)
    return labels
