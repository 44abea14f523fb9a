"""Sharpened graphs: angles between the rows of a factor, to a power that leaves the small ones; and their spectral cut.

Liu, Lin, Yan, Sun, Yu and Ma, "Robust recovery of subspace structures by low-rank representation", IEEE TPAMI 35(1),
2013, Section 5, as the codes of DREC and RSEC have it.
"""

import numpy as np
from numpy.typing import NDArray

from ..medians.restarts import weighted_kmeans
from ..runtime.blocks import map_blocks
from ..runtime.monitor import SILENT, Monitor
from .bipartite_graphs import reciprocal
from .eigenvectors import top_eigenvectors

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
