"""How representative an object is: local density, and distance to whatever is denser (Li, Qian and Wang 2021)."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor


def local_density(ensemble: Ensemble) -> NDArray[np.float64]:
    """Mean share of all objects that lie in an object's clusters, rho_i = (1/M) sum_b |C^b(x_i)| / N   (eq. 3).

    Parameters
    ----------
    ensemble : Ensemble

    Returns
    -------
    (n,) float64
        On microclusters, in (0, 1]; cluster sizes count objects. Equal sums are equal bits.

    References
    ----------
    li2021got.

    Examples
    --------
    >>> local_density(Ensemble.from_labels([[0, 0], [0, 0], [0, 1], [1, 1]])).tolist()
    [0.625, 0.625, 0.375]
    """
    met = ensemble.clusters.incidence() @ ensemble.cluster_sizes
    return met / (ensemble.n_clusterings * ensemble.n_objects)


def representative_capacity(distance: NDArray, density: NDArray, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Distance to the nearest denser object, delta_i = min {p_ij : rho_j > rho_i}   (eq. 4).

    Parameters
    ----------
    distance : (n, n) real
        Symmetric, on the same microclusters.
    density : (n,) float
    monitor : Monitor, optional

    Returns
    -------
    (n,) float64
        In the unit of the distance. The densest takes the largest distance of all.

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    Of equal densities the one with the lower index ranks higher: this is what the epsilon of eq. 6 is for. Of the
    objects in a microcluster the first carries delta; the others are at distance 0 from it. O(n^2) time.

    References
    ----------
    li2021got.

    Examples
    --------
    >>> distance = np.array([[0, 0.2, 0.9], [0.2, 0, 1], [0.9, 1, 0]])
    >>> representative_capacity(distance, np.array([0.5, 0.5, 0.4])).tolist()
    [1.0, 0.2, 0.9]
    """
    distance, density = np.asarray(distance), np.asarray(density)
    n = len(density)
    if distance.shape != (n, n) or n < 1:
        raise InvalidParameterError(f"distance must have shape ({n}, {n}), one density a row. Got {distance.shape}")
    rank = np.empty(n, np.int64)
    rank[np.argsort(-density, kind="stable")] = np.arange(n)
    out = np.empty(n)
    map_blocks(
        lambda start, stop: _capacity_kernel(start, stop, distance, rank, out),
        n,
        monitor,
        "looking for denser neighbours",
    )
    out[rank == 0] = distance.max()
    return out


def prototype_ranking(density: NDArray, capacity: NDArray) -> NDArray[np.int64]:
    """Microclusters from the most to the least representative, by r = rho delta   (eq. 5): (n,).

    The first k are the prototypes. Values that differ by less than 1e-12 are equal; of equals the lower index
    comes first.

    Parameters
    ----------
    density : (n,) float
        rho, at least 0.
    capacity : (n,) float
        delta, at least 0.

    Returns
    -------
    (n,) int64
        A permutation of 0..n - 1.

    Examples
    --------
    >>> prototype_ranking(np.array([0.5, 0.5, 0.4]), np.array([1.0, 0.2, 0.9])).tolist()
    [0, 2, 1]
    """
    return np.argsort(-np.round(np.asarray(density) * capacity, 12), kind="stable")


@njit(cache=True, nogil=True)
def _capacity_kernel(start, stop, distance, rank, out):
    """The smallest distance to a node of higher rank, for nodes start..stop."""
    for i in range(start, stop):
        nearest = np.inf
        for j in range(len(rank)):
            if rank[j] < rank[i] and distance[i, j] < nearest:
                nearest = distance[i, j]
        out[i] = nearest
