"""How many objects every two clusters share, how alike that makes them, and how objects take part in groups of them."""

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy import sparse

from ..ensemble import Ensemble
from ..runtime.memory import require_square
from ..runtime.monitor import SILENT, Monitor

_BLOCK = 65_536


def shared_objects(ensemble: Ensemble, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Objects that two clusters share, O = Z^T diag(r) Z.

    Parameters
    ----------
    ensemble : Ensemble
    monitor : Monitor, optional

    Returns
    -------
    (K, K) float64
        Whole numbers, symmetric; the diagonal holds the sizes of the clusters. Clusters as in `Ensemble.clusters`.

    Raises
    ------
    TooLargeError

    Notes
    -----
    O(n M^2) time. Five matrices of this size must fit: whoever compares clusters needs some more of them.

    Examples
    --------
    >>> shared_objects(Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 1]])).tolist()
    [[2.0, 0.0, 1.0, 1.0], [0.0, 2.0, 0.0, 2.0], [1.0, 0.0, 1.0, 0.0], [1.0, 2.0, 0.0, 3.0]]
    """
    return shared_weight(ensemble, ensemble.microclusters.sizes, monitor)


def shared_weight(ensemble: Ensemble, weights: NDArray, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Weight of the microclusters that two clusters share, Z^T diag(w) Z for w (n,), not negative.

    Otherwise as `shared_objects`.
    """
    require_square("the graph between clusters", ensemble.n_clusters_total, n_arrays=5, itemsize=8)
    clusters, weights, n = ensemble.clusters, np.asarray(weights, dtype=np.float64), len(ensemble.microclusters)
    shared = np.zeros((len(clusters), len(clusters)))
    for start in range(0, n, _BLOCK):
        monitor.tick("counting what clusters share", start, n)
        count_kernel(start, min(start + _BLOCK, n), clusters.start, clusters.ids, weights, shared)
    monitor.tick("counting what clusters share", n, n)
    return np.maximum(shared, shared.T)


def cluster_links(shared: NDArray) -> NDArray[np.float64]:
    """Jaccard index of every two different clusters, J0 = O / (s_i + s_j - O) with an empty diagonal: (K, K).

    Parameters
    ----------
    shared : (K, K) float64
        From `shared_objects`.

    Returns
    -------
    (K, K) float64
        In [0, 1], symmetric; 0 where two clusters share no object.

    Examples
    --------
    >>> cluster_links(shared_objects(Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 1]]))).round(2).tolist()
    [[0.0, 0.0, 0.5, 0.25], [0.0, 0.0, 0.0, 0.67], [0.5, 0.0, 0.0, 0.0], [0.25, 0.67, 0.0, 0.0]]
    """
    sizes = np.diagonal(shared)
    links = shared / (sizes[:, None] + sizes - shared)
    np.fill_diagonal(links, 0)
    return links


@njit(cache=True, nogil=True)
def count_kernel(begin, end, start, ids, weights, shared):
    """Add the weights of rows begin..end; on and above the diagonal only, for ids ascend along a row."""
    for i in range(begin, end):
        for s in range(start[i], start[i + 1]):
            row = shared[ids[s]]
            for t in range(s, start[i + 1]):
                row[ids[t]] += weights[i]


def participation(ensemble: Ensemble, groups: NDArray) -> NDArray[np.float64]:
    """Share of each meta-cluster's clusters that hold a microcluster.

    Parameters
    ----------
    ensemble : Ensemble
    groups : (K,) int
        Meta-cluster of every cluster, numbered by first appearance: of equal shares the lowest number wins, the
        group that holds the earliest cluster.

    Returns
    -------
    (n, k) float64
        In [0, 1].

    References
    ----------
    strehl2002, Section 3.4.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]])
    >>> ensemble.microclusters.expand(participation(ensemble, np.array([0, 1, 0, 1]))).tolist()
    [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0]]
    """
    n_in_group = np.bincount(groups)
    shape = (len(groups), len(n_in_group))
    belongs = sparse.csr_array((np.ones(len(groups)), (np.arange(len(groups)), groups)), shape=shape)
    return (ensemble.clusters.incidence() @ belongs).toarray() / n_in_group  # whole numbers first: equal shares are so
