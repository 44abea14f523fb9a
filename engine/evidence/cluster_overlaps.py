"""How far clusters of different base clusterings cover the same objects."""

from scipy import sparse

from ..ensemble import Ensemble
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor


def cluster_jaccard(ensemble: Ensemble, monitor: Monitor = SILENT) -> sparse.csr_array:
    """Jaccard index of every two clusters, objects in both / objects in either.

    Parameters
    ----------
    ensemble : Ensemble
    monitor : Monitor, optional

    Returns
    -------
    (K, K) csr_array of float64
        Symmetric; only pairs that share objects are stored, each with itself (1) included.

    Raises
    ------
    TooLargeError

    References
    ----------
    strehl2002, Section 3.4.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 1]])
    >>> cluster_jaccard(ensemble).toarray().round(2).tolist()
    [[1.0, 0.0, 0.5, 0.25], [0.0, 1.0, 0.0, 0.67], [0.5, 0.0, 1.0, 0.0], [0.25, 0.67, 0.0, 1.0]]
    """
    monitor.tick("comparing clusters", 0, 1)
    pairs = min(ensemble.n_clusters_total**2, len(ensemble.microclusters) * ensemble.n_clusterings**2)
    require_memory("the overlaps of clusters", 32 * pairs)
    clusters = ensemble.clusters
    shared = (clusters.incidence().T @ clusters.incidence(ensemble.microclusters.sizes)).tocoo()
    row, column = shared.coords
    sizes = ensemble.cluster_sizes
    jaccard = shared.data / (sizes[row] + sizes[column] - shared.data)
    monitor.tick("comparing clusters", 1, 1)
    return sparse.csr_array((jaccard, (row, column)), shape=shared.shape)
