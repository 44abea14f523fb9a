"""How alike random walks from two clusters run over the graph of clusters (Huang et al. 2021)."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..clusters.overlaps import cluster_links, shared_objects
from ..ensemble import Ensemble
from ..runtime.monitor import SILENT, Monitor
from .trajectories import trajectory_similarity


def propagated_similarity(ensemble: Ensemble, T: int = 20, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Cosine of the trajectories of two clusters, Z_ij = G_ij / sqrt(G_ii G_jj).

    G = sum_{t=1..T} P^t (P^t)^T, P the walk that steps to another cluster in proportion to their Jaccard index.

    Parameters
    ----------
    ensemble : Ensemble
    T : int
        Length of the walks, t in the paper; at least 1.
    monitor : Monitor, optional

    Returns
    -------
    (K, K) float64
        Symmetric, diagonal 1, in [0, 1]; clusters as in `Ensemble.clusters`.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    Time as `trajectory_similarity` on K nodes: O(K^3) for any T in the spectral form. A cluster that meets no other
    (M = 1) is like itself alone, where the paper leaves 0.

    References
    ----------
    huang2021ecpcs.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [2, 2]])
    >>> propagated_similarity(ensemble, 1)[:3, :3].round(3).tolist()
    [[1.0, 0.555, 0.0], [0.555, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    links = sparse.csr_array(cluster_links(shared_objects(ensemble, monitor)))
    return trajectory_similarity(links, np.ones(links.shape[0]), T, monitor, np.float64)
