"""Clusters that are the components of a learnt graph, mended where there are not k of them."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..runtime.monitor import SILENT, Monitor, Quiet
from ..trees.agglomeration import linkage
from ..trees.dendrograms import cut


def component_clusters(
    graph: NDArray[np.float64],
    similarity: NDArray,
    sizes: NDArray[np.int64],
    n_clusters: int,
    monitor: Monitor = SILENT,
) -> NDArray[np.int32]:
    """Components of a graph; the most similar are merged, or the least coherent split, until there are k.

    Parameters
    ----------
    graph : (n, n) float64
        Links are entries above 0.
    similarity : (n, n) float
        By which components are merged, and split, both by average link; the diagonal is not read.
    sizes : (n,) int64
        Objects each node stands for.
    n_clusters : int
        k, at most n.
    monitor : Monitor, optional
        Receives `repaired`, the merges or splits it took.

    Returns
    -------
    (n,) int32
        Labels 0..k - 1, none empty.
    """
    found, labels = connected_components(sparse.csr_array(graph > 0), directed=False)
    monitor.record("repaired", abs(found - n_clusters))
    asked = Quiet(lambda: monitor.tick("mending components", 0, 1))
    if found > n_clusters:
        share = np.zeros((found, len(labels)))
        share[labels, np.arange(len(labels))] = sizes
        weight = share.sum(axis=1)
        means = (share @ similarity @ share.T) / np.outer(weight, weight)
        return cut(linkage(means, weight.astype(np.int64), monitor=asked), n_clusters)[labels]
    if found < n_clusters:
        inside = np.where(labels[:, None] == labels, similarity, -1).astype(similarity.dtype)
        return cut(linkage(inside, sizes, monitor=asked, overwrite=True), n_clusters)
    return labels.astype(np.int32)
