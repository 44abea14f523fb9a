"""Graphs cut by their eigenvectors: bipartite ones through the smaller side (Tcut), and dense ones that were sharpened.

Sharpened: angles between the rows of a factor, to a power that leaves the small ones. Liu, Lin, Yan, Sun, Yu and Ma,
"Robust recovery of subspace structures by low-rank representation", IEEE TPAMI 35(1), 2013, Section 5, as the codes of
DREC and RSEC have it.
"""

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..medians.restarts import weighted_kmeans
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor
from .bipartite_graphs import BipartiteGraph, DenseGraph, LinkedGraph, reciprocal, unit_rows
from .eigenvectors import top_eigenvalues, top_eigenvectors

#: Singular values below this share of the largest are left out.
_LEAST_SHARE = 1e-4
#: Rows of a product that are found at a time, and rows up to which it is one.
_ROWS, _FEW = 256, 1_024


def sharpened_graph(
    vectors: NDArray[np.float64], values: NDArray[np.float64], monitor: Monitor = SILENT
) -> NDArray[np.float64]:
    """Weights of links between all rows: W = (U U')^4 by elements, U the rows of vectors * sqrt(values) at length 1.

    Parameters
    ----------
    vectors, values : (n, d), (d,) float64
        Left singular vectors and singular values of what is sharpened, largest first.
    monitor : Monitor, optional

    Returns
    -------
    (n, n) float64
        Symmetric, in [0, 1], diagonal 1 but for rows of zeros.
    """
    real = values > _LEAST_SHARE * values[0]
    rows = vectors[:, real] * np.sqrt(values[real])
    rows *= reciprocal(np.linalg.norm(rows, axis=1))[:, None]
    graph = rows @ rows.T if len(rows) <= _FEW else _inner_products(rows, monitor)
    np.square(graph, out=graph)
    return np.square(graph, out=graph)


def _inner_products(rows: NDArray[np.float64], monitor: Monitor) -> NDArray[np.float64]:
    """Rows @ rows.T, symmetric to the last bit, so many rows at a time that a cancel is heard."""
    found = np.empty((len(rows), len(rows)))

    def some(start: int, stop: int) -> None:
        found[start:stop, start:stop] = rows[start:stop] @ rows[start:stop].T
        found[start:stop, stop:] = rows[start:stop] @ rows[stop:].T
        found[stop:, start:stop] = found[start:stop, stop:].T

    map_blocks(some, len(rows), monitor, "sharpening the graph", _ROWS)
    return found


def degree_scaled(graph: NDArray[np.float64], sizes: NDArray) -> NDArray[np.float64]:
    """Overwrite W with R^1/2 D^-1/2 W D^-1/2 R^1/2, D = diag(W r): its eigenvectors over sqrt(r) are the objects'."""
    scale = np.sqrt(sizes * reciprocal(graph @ sizes))
    graph *= scale
    graph *= scale[:, None]
    return graph


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


Graph = BipartiteGraph | DenseGraph | LinkedGraph


class Summed(Protocol):
    """What the vectors of a cut need of a graph: its shape (n, K), and its clusters joined through its rows."""

    @property
    def shape(self) -> tuple[int, int]:
        """(n, K)."""
        ...

    def between_clusters(self, row_weights: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """B^T diag(r / d_x) B: (K, K)."""
        ...


def tcut(
    graph: Graph,
    row_weights: NDArray,
    n_clusters: int,
    rng: np.random.Generator,
    monitor: Monitor = SILENT,
    separate: Callable[[NDArray], tuple[NDArray[np.int32], int]] | None = None,
) -> NDArray[np.int32]:
    """Normalised cut of a bipartite graph by transfer cuts: labels of its rows.

    W_y = B^T diag(r / d_x) B; u = top k eigenvectors of D_y^-1/2 W_y D_y^-1/2; the rows' embedding is
    D_x^-1 B D_y^-1/2 u, row-normalised, and k-means separates it with weights r.

    Parameters
    ----------
    graph : BipartiteGraph, DenseGraph or LinkedGraph
        Edge weights B between n rows and K clusters.
    row_weights : (n,)
        r, objects each row stands for (1 for PTGP).
    n_clusters : int
        k, at most min(n, K).
    rng : Generator
    monitor : Monitor, optional
        Receives `embedding` (n, k) and `repaired`.
    separate : callable, optional
        `separate(embedding) -> (labels, n_repaired)`; by default `weighted_kmeans`.

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
    require_columns(n_clusters, n_columns)
    embedding = transfer_embedding(graph, row_weights, n_clusters, monitor)
    monitor.record("embedding", embedding)
    if separate is not None:
        labels, n_repaired = separate(embedding)
    else:
        labels, n_repaired = weighted_kmeans(embedding, row_weights, n_clusters, rng, monitor=monitor)
    monitor.record("repaired", n_repaired)
    return labels


def require_columns(n_clusters: int, n_columns: int) -> None:
    """Refuse more parts than there are clusters to cut through.

    Parameters
    ----------
    n_clusters : int
        k, the parts wanted.
    n_columns : int
        K, the clusters of all base clusterings together.

    Raises
    ------
    InvalidParameterError
    """
    if n_clusters > n_columns:
        raise InvalidParameterError(
            f"n_clusters must be at most {n_columns}, the clusters of all base clusterings together. Got {n_clusters}"
        )


def transfer_embedding(
    graph: Graph, row_weights: NDArray, n_clusters: int, monitor: Monitor = SILENT
) -> NDArray[np.float64]:
    """Row-normalised spectral embedding of the rows: (n, k). See `tcut`."""
    return unit_rows(_lifted_eigenvectors(graph, row_weights, n_clusters, monitor))


def transfer_spectrum(
    graph: Graph, row_weights: NDArray, n_values: int, monitor: Monitor = SILENT
) -> NDArray[np.float64]:
    """The largest eigenvalues of D_y^-1/2 W_y D_y^-1/2, at most K of them, largest first; in [0, 1]. See `tcut`.

    As many of them are 1 as the graph has components.

    Parameters
    ----------
    graph : BipartiteGraph, DenseGraph or LinkedGraph
        Of n rows and K columns.
    row_weights : (n,) float
        Objects each row stands for, r.
    n_values : int
        How many, at least 1.
    monitor : Monitor, optional

    Returns
    -------
    (min(n_values, K),) float64
        Falling, in [0, 1].
    """
    between, _ = _normalised_between(graph, row_weights, monitor)
    return top_eigenvalues(between, min(n_values, len(between)))


def spectral_layout(ensemble: Ensemble, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Two coordinates a microcluster, from its co-association alone: (n, 2).

    The second and third eigenvector of the bipartite graph of objects and clusters with unit weights: objects
    that share many clusters lie close together. Each column is scaled to [-1, 1]; its sign is fixed by making the
    entry of largest magnitude positive. A missing direction (fewer than three clusters in all) is 0.

    Parameters
    ----------
    ensemble : Ensemble
        Of n microclusters.
    monitor : Monitor, optional

    Returns
    -------
    (n, 2) float64
        In [-1, 1].
    """
    graph = BipartiteGraph.of(ensemble, np.ones(ensemble.n_clusters_total))
    n_vectors = min(3, *graph.shape)
    layout = np.zeros((graph.shape[0], 2))
    vectors = _lifted_eigenvectors(graph, ensemble.microclusters.sizes, n_vectors, monitor)[:, 1:]
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(vectors.shape[1])]
    layout[:, : vectors.shape[1]] = vectors * np.sign(largest) * reciprocal(np.abs(largest))
    return layout


def _lifted_eigenvectors(graph: Graph, row_weights: NDArray, k: int, monitor: Monitor) -> NDArray[np.float64]:
    """D_x^-1 B D_y^-1/2 u for the top k eigenvectors u of D_y^-1/2 W_y D_y^-1/2: (n, k)."""
    return graph.lift(transfer_vectors(graph, row_weights, k, monitor), monitor)


def transfer_vectors(graph: Summed, row_weights: NDArray, k: int, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """D_y^-1/2 u for the top k eigenvectors u of D_y^-1/2 W_y D_y^-1/2: (K, k). See `tcut`.

    The embedding of a row is the mean of its clusters' rows, by the weight of its edges.
    """
    between, root = _normalised_between(graph, row_weights, monitor)
    return root[:, None] * top_eigenvectors(between, k)


def _normalised_between(graph: Summed, row_weights: NDArray, monitor: Monitor) -> tuple[NDArray, NDArray]:
    """D_y^-1/2 W_y D_y^-1/2, and the diagonal of D_y^-1/2."""
    require_memory("the graph between clusters", 3 * 8 * graph.shape[1] ** 2)
    between = graph.between_clusters(np.asarray(row_weights, dtype=np.float64), monitor)
    root = np.sqrt(reciprocal(between.sum(axis=1)))
    between *= root
    between *= root[:, None]
    return between, root
