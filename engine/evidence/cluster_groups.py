"""How far objects take part in groups of clusters, the meta-clusters (Strehl and Ghosh 2002)."""

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..ensemble import Ensemble


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
    belongs = sparse.csr_array((1 / n_in_group[groups], (np.arange(len(groups)), groups)), shape=shape)
    return (ensemble.clusters.incidence() @ belongs).toarray()
