"""Similarity along the best path, and the normalised cut of graphs whose nodes stand for many objects."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..graphs.eigenvectors import top_eigenvectors
from ..medians.restarts import weighted_kmeans
from ..runtime.monitor import SILENT, Monitor, Quiet
from ..trees.agglomeration import linkage
from ..trees.branches import leaf_order


def path_similarity(similarity: NDArray, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """The weakest step of the best path between every two nodes: where single link puts them together.

    Parameters
    ----------
    similarity : (n, n) float
        Symmetric, non-negative; the diagonal is kept.
    monitor : Monitor, optional

    Returns
    -------
    (n, n) float64
        Off the diagonal at least `similarity`.

    Notes
    -----
    O(n^2).

    Examples
    --------
    >>> path_similarity(np.array([[1, 0.9, 0.1], [0.9, 1, 0.3], [0.1, 0.3, 1]])).tolist()
    [[1.0, 0.9, 0.3], [0.9, 1.0, 0.3], [0.3, 0.3, 1.0]]
    """
    n = len(similarity)
    out = np.diag(np.diag(similarity)).astype(np.float64)
    if n > 1:
        asked = Quiet(lambda: monitor.tick("following paths", 0, 1))
        tree = linkage(np.asarray(similarity, dtype=np.float64), method="single", monitor=asked)
        _meet_kernel(tree.merges, tree.similarities, leaf_order(tree), out)
    monitor.tick("following paths", 1, 1)
    return out


def spectral_normalized_cut(
    graph: NDArray[np.float64],
    own: NDArray[np.float64],
    sizes: NDArray,
    n_clusters: int,
    rng: np.random.Generator,
    monitor: Monitor = SILENT,
) -> NDArray[np.int32]:
    """Labels from the k smallest generalised eigenvectors of (D - W, D), W between objects, separated by k-means.

    Parameters
    ----------
    graph : (n, n) float64
        Non-negative; the diagonal is the weight between two objects of one node. It is overwritten.
    own : (n,) float64
        Weight of an object with itself.
    sizes : (n,)
        Objects each node stands for, r.
    n_clusters : int
        k, at most n; k = n returns the nodes themselves.
    rng : Generator
    monitor : Monitor, optional
        Receives `embedding` (n, k) and `repaired`.

    Returns
    -------
    (n,) int32
        Labels 0..k - 1, none empty.

    Notes
    -----
    With D = W r + own - diag(W): the objects' eigenvectors that are constant on nodes are q / sqrt(D r), q those of
    R^1/2 D^-1/2 W D^-1/2 R^1/2 + diag((own - diag(W)) / D).
    """
    if n_clusters == len(graph):
        return np.arange(n_clusters, dtype=np.int32)
    monitor.tick("finding eigenvectors", 0, 1)
    more = own - np.diag(graph)
    degrees = graph @ sizes + more
    scale = np.sqrt(sizes / degrees)
    graph *= scale
    graph *= scale[:, None]
    graph[np.diag_indices_from(graph)] += more / degrees
    embedding = top_eigenvectors(graph, n_clusters) / np.sqrt(degrees * sizes)[:, None]
    monitor.tick("finding eigenvectors", 1, 1)
    monitor.record("embedding", embedding)
    labels, n_repaired = weighted_kmeans(embedding, sizes, n_clusters, rng, monitor=monitor)
    monitor.record("repaired", n_repaired)
    return labels


@njit(cache=True, nogil=True)
def _meet_kernel(merges, similarities, order, out):
    """Write where leaves meet: in the order of leaves every node is a range."""
    n = len(order)
    low, high = np.zeros(2 * n - 1, np.int64), np.zeros(2 * n - 1, np.int64)
    for place in range(n):
        low[order[place]], high[order[place]] = place, place + 1
    for t in range(n - 1):
        a, b = merges[t, 0], merges[t, 1]
        low[n + t], high[n + t] = min(low[a], low[b]), max(high[a], high[b])
        for s in range(low[a], high[a]):
            for u in range(low[b], high[b]):
                i, j = order[s], order[u]
                out[i, j] = out[j, i] = similarities[t]
