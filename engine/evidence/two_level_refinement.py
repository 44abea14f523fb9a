"""TOME: co-association refined by distances inside clusters and by how stable clusters are.

Zhong, Yue, Zhang and Lei, "A clustering ensemble: two-level-refined co-association matrix with path-based
transformation", Pattern Recognition 48(8), 2015. A reconstruction: see `two_level_co_association`.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..pairs.counts import co_association
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_square
from ..runtime.monitor import SILENT, Monitor


def two_level_co_association(
    ensemble: Ensemble, published: bool = False, monitor: Monitor = SILENT
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Co-association in which near pairs and stable clusters count more.

    Level 1: a pair inside cluster c counts I' = 1 - d_ij / L_c, L_c the largest distance in c (1 where that is 0).
    Level 2: a cluster counts with the mean of sum_m I' / M over its pairs, min-max scaled over all clusters (0 for
    single objects); the sum over base clusterings is divided by its largest value.

    Parameters
    ----------
    ensemble : Ensemble
    published : bool
        As the experiments of a survey had it: N instead of the cluster's own size is taken off each sum over pairs for
        its diagonal, which leaves the stabilities nearly alike.
    monitor : Monitor, optional

    Returns
    -------
    refined : (n, n) float64
        On microclusters, in [0, 1]; the diagonal is the value between two objects of one microcluster.
    stability : (K,) float64
        Of every cluster, scaled to [0, 1]; all 1 where they are equal.

    Raises
    ------
    InvalidParameterError
        If every cluster is one object.
    TooLargeError

    Notes
    -----
    The formulas follow an independent implementation, the paper was not at hand. The paper measures d between the
    objects' features; here it is measured between rows of cluster memberships, d = sqrt(2 (M - M a_ij)), which asks for
    labels alone. O(n^2 M) time.

    References
    ----------
    zhong2015tome.
    """
    n = len(ensemble.microclusters)
    require_square("the refined co-association", n, n_arrays=3, itemsize=8)
    if ensemble.cluster_sizes.max() == 1:
        raise InvalidParameterError("TOME needs a cluster of two objects. Got an ensemble of single objects")
    # Distances come from whole counts, so that equal ones are equal to the last bit.
    agreed = np.rint(co_association(ensemble, monitor, np.float64) * ensemble.n_clusterings)
    distance = np.sqrt(2.0 * (ensemble.n_clusterings - agreed))
    longest = _longest(ensemble, distance, monitor)
    plain = _counted(ensemble, distance, longest, np.ones(len(longest)), monitor) / ensemble.n_clusterings
    stability = _stability(ensemble, plain, published)
    refined = _counted(ensemble, distance, longest, stability, monitor)
    return refined / refined.max(), stability


def _longest(ensemble: Ensemble, distance: NDArray, monitor: Monitor) -> NDArray[np.float64]:
    """Largest distance inside every cluster: (K,)."""
    first, members = ensemble.clusters.members
    longest = np.empty(len(first) - 1)
    map_blocks(
        lambda start, stop: _longest_kernel(start, stop, first, members, distance, longest),
        len(longest),
        monitor,
        "measuring clusters",
    )
    return longest


def _counted(
    ensemble: Ensemble, distance: NDArray, longest: NDArray, values: NDArray, monitor: Monitor
) -> NDArray[np.float64]:
    """Sum over base clusterings of the value of a shared cluster times 1 - d / L: (n, n)."""
    n = len(distance)
    out, ids = np.empty((n, n)), ensemble.clusters.ids.reshape(n, -1)
    map_blocks(
        lambda start, stop: _counted_kernel(start, stop, ids, distance, longest, values, out),
        n,
        monitor,
        "refining the co-association",
    )
    return out


def _stability(ensemble: Ensemble, plain: NDArray, published: bool) -> NDArray[np.float64]:
    """Mean of the level-1 co-association over the pairs of every cluster, scaled: (K,)."""
    sizes, r = ensemble.cluster_sizes.astype(np.float64), ensemble.microclusters.sizes
    first, members = ensemble.clusters.members
    groups = (members[low:high] for low, high in zip(first[:-1], first[1:], strict=True))
    sums = np.array([r[own] @ plain[np.ix_(own, own)] @ r[own] for own in groups])
    taken = float(r.sum()) if published else sizes
    pairs = sizes * (sizes - 1)
    stability = np.divide(sums - taken, pairs, out=np.zeros_like(sums), where=pairs > 0)
    low, high = stability.min(), stability.max()
    return (stability - low) / (high - low) if high - low > 1e-12 else np.ones_like(stability)


@njit(cache=True, nogil=True)
def _longest_kernel(start, stop, first, members, distance, longest):
    for c in range(start, stop):
        longest[c] = 0.0
        for s in range(first[c], first[c + 1]):
            for t in range(first[c], s):
                longest[c] = max(longest[c], distance[members[s], members[t]])


@njit(cache=True, nogil=True)
def _counted_kernel(start, stop, ids, distance, longest, values, out):
    for i in range(start, stop):
        for j in range(len(ids)):
            out[i, j] = 0.0
            for m in range(ids.shape[1]):
                c = ids[i, m]
                if c == ids[j, m]:
                    out[i, j] += values[c] * (1 - distance[i, j] / longest[c] if longest[c] > 0 else 1.0)
