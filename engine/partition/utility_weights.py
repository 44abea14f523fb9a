"""What base clusterings weigh in k-means on labels, under the utilities of Wu et al. (2015)."""

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble


def clustering_weights(ensemble: Ensemble, utility: str) -> NDArray[np.float64]:
    """Weight of every base clustering: 1, or for NU_c and NU_H one over its own utility.

    A base clustering of one cluster has no utility and weighs nothing under NU_c and NU_H, where the published code
    divides by rounding errors.

    Parameters
    ----------
    ensemble : Ensemble
        Of M base clusterings.
    utility : {"U_c", "U_H", "NU_c", "NU_H"}

    Returns
    -------
    (M,) float64 array
    """
    return utility_weights(ensemble.cluster_sizes, ensemble.n_clusters_each, utility)


def utility_weights(sizes: NDArray, n_each: NDArray, utility: str) -> NDArray[np.float64]:
    """`clustering_weights` from sizes alone.

    Parameters
    ----------
    sizes : (K,) int array
        Of all clusters, those of a base clustering side by side.
    n_each : (M,) int array
        How many clusters each base clustering has.
    utility : {"U_c", "U_H", "NU_c", "NU_H"}

    Returns
    -------
    (M,) float64 array
    """
    if not utility.startswith("N"):
        return np.ones(len(n_each))
    first = np.cumsum(n_each) - n_each
    share = sizes / np.repeat(np.add.reduceat(sizes, first), n_each)  # of all objects, where no label is missing
    each = share**2 if utility == "NU_c" else -share * np.log2(share)
    own = np.add.reduceat(each, first)
    return np.divide(1.0, own, out=np.zeros_like(own), where=n_each > 1)
