"""Matrices that count, plainly or weighted, how often two objects share a cluster."""

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import DTypeLike, NDArray

from engine.blocks import map_blocks
from engine.ensemble import Ensemble
from engine.errors import InvalidParameterError
from engine.evidence.cluster_reliability import ensemble_driven_cluster_index
from engine.memory import require_square
from engine.monitor import SILENT, Monitor


def co_association(ensemble: Ensemble, monitor: Monitor = SILENT, dtype: DTypeLike = np.float32) -> NDArray:
    """Share of base clusterings that put two objects together, a_ij = (1/M) sum_m [same_m(i, j)]   (eq. 12).

    Parameters
    ----------
    ensemble : Ensemble
    monitor : Monitor, optional
    dtype : float32 | float64

    Returns
    -------
    (n, n) array
        On microclusters; symmetric, diagonal 1, values in {0, 1/M, ..., 1}.

    Raises
    ------
    TooLargeError
        If the matrix would not fit.

    References
    ----------
    fred2005eac; huang2018lwea, Definition 6.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]])
    >>> co_association(ensemble).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.5], [0.0, 0.5, 1.0]]
    """
    return weighted_co_association(ensemble, np.ones(ensemble.n_clusters_total), monitor, dtype)


def locally_weighted_co_association(
    ensemble: Ensemble, theta: float = 0.4, monitor: Monitor = SILENT, dtype: DTypeLike = np.float32
) -> NDArray:
    """Co-association in which every cluster counts with its reliability, w = ECI(C; theta)   (eq. 15).

    Parameters
    ----------
    ensemble : Ensemble
    theta : float
        Greater than 0; see `ensemble_driven_cluster_index`.
    monitor : Monitor, optional
    dtype : float32 | float64

    Returns
    -------
    (n, n) array
        On microclusters; symmetric, in [0, 1]. The diagonal is the value between two objects of the same
        microcluster: the mean ECI of its clusters.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    The published code writes 1 on the diagonal; linkage never reads it, expansion to objects does.

    References
    ----------
    huang2018lwea, Definition 7.
    """
    eci = ensemble_driven_cluster_index(ensemble, theta, monitor)
    return weighted_co_association(ensemble, eci, monitor, dtype)


def weighted_co_association(
    ensemble: Ensemble, weights: NDArray, monitor: Monitor = SILENT, dtype: DTypeLike = np.float32
) -> NDArray:
    """Co-association in which cluster C counts with weight w_C, (1/M) sum_m w_C [i and j both in C].

    Parameters
    ----------
    ensemble : Ensemble
    weights : (K,) float
        One a cluster, ordered by base clustering, then by first appearance.
    monitor : Monitor, optional
    dtype : float32 | float64

    Returns
    -------
    (n, n) array
        On microclusters, symmetric; sums are taken in float64, in the order of the base clusterings.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    Each row adds only where clusters are shared, so time is the number of co-occurrences, about
    n^2 sum_m 1/k_m, rather than n^2 M.
    """
    n = len(ensemble.microclusters)
    fill = row_filler(ensemble, weights)
    require_square("a co-association matrix", n, itemsize=np.dtype(dtype).itemsize)
    out = np.empty((n, n), dtype)
    map_blocks(
        lambda start, stop: fill(start, stop, out[start:stop]),
        n, monitor, "counting how often objects meet",
    )  # fmt: skip
    return out


def row_filler(ensemble: Ensemble, weights: NDArray) -> Callable[[int, int, NDArray], None]:
    """The weighted co-association matrix by rows, for those who never need all of it.

    Parameters
    ----------
    ensemble : Ensemble
    weights : (K,) float
        See `weighted_co_association`.

    Returns
    -------
    callable
        `fill(start, stop, out)` writes rows start..stop into `out` (stop - start, n), float32 or float64.

    Raises
    ------
    InvalidParameterError
        If there is not one weight a cluster.
    """
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (ensemble.n_clusters_total,):
        raise InvalidParameterError(f"weights must have shape ({ensemble.n_clusters_total},). Got {weights.shape}")
    clusters = ensemble.microclusters.labels + ensemble.offsets[:-1].astype(np.int32)
    members, first = _members(clusters, ensemble.n_clusters_total)
    return lambda start, stop, out: _rows_kernel(start, stop, clusters, weights, members, first, out)


def _members(clusters: NDArray[np.int32], n_clusters: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Microclusters of every cluster, ascending: `members[first[c] : first[c + 1]]`."""
    n, m = clusters.shape
    first = np.concatenate([[0], np.cumsum(np.bincount(clusters.ravel(), minlength=n_clusters))])
    members = np.empty(n * m, np.int32)
    _members_kernel(clusters, first[:-1].copy(), members)
    return members, first


@njit(cache=True, nogil=True)
def _members_kernel(clusters, position, members):
    """Counting sort of the rows into their clusters."""
    for i in range(clusters.shape[0]):
        for m in range(clusters.shape[1]):
            c = clusters[i, m]
            members[position[c]] = i
            position[c] += 1


@njit(cache=True, nogil=True)
def _rows_kernel(start, stop, clusters, weights, members, first, out):
    """Rows start..stop, into `out`: spread every cluster's weight over the members it shares."""
    n, n_clusterings = clusters.shape
    row = np.empty(n)
    for i in range(start, stop):
        row[:] = 0
        for m in range(n_clusterings):
            c = clusters[i, m]
            for t in range(first[c], first[c + 1]):
                row[members[t]] += weights[c]
        for j in range(n):
            out[i - start, j] = row[j] / n_clusterings
