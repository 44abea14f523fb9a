"""How much the rest of the ensemble agrees with one cluster: uncertainty and ECI (Huang et al. 2018)."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..ensemble.microclusters import frozen
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor


def cluster_uncertainty(ensemble: Ensemble, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Entropy of the ensemble's labels inside each cluster, summed over the base clusterings.

    H(C_i) = - sum_m sum_j p(C_i, C_j^m) log2 p(C_i, C_j^m),  p = |C_i and C_j^m| / |C_i|   (eqs. 7-9)

    Where labels are missing, p is over the members that base clustering m saw; one that saw none of them adds nothing.

    Parameters
    ----------
    ensemble : Ensemble
    monitor : Monitor, optional

    Returns
    -------
    (K,) float64
        In bits, at least 0; clusters ordered by base clustering, then by first appearance.

    Notes
    -----
    O(n M^2) time on the n microclusters, one copy of their labels in memory. A cluster's own base
    clustering adds 0.

    References
    ----------
    huang2018lwea, Definitions 3 and 4.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 1]])
    >>> cluster_uncertainty(ensemble).round(3).tolist()
    [1.0, 0.0, 0.0, 0.918]
    """
    return ensemble.remember("cluster_uncertainty", lambda: frozen(_measured_uncertainty(ensemble, monitor)))


def _measured_uncertainty(ensemble: Ensemble, monitor: Monitor) -> NDArray[np.float64]:
    micro = ensemble.microclusters
    columns = ensemble.clusters.columns(np.uint32)  # an index that cannot be negative is not asked whether it is
    n_each, offsets = ensemble.n_clusters_each, ensemble.offsets
    out = np.zeros(ensemble.n_clusters_total)

    def of_clusterings(start: int, stop: int) -> None:
        for m in range(start, stop):
            own = slice(offsets[m], offsets[m + 1])
            table = np.empty((n_each[m], n_each.max()), np.int64)
            whole = ensemble.cluster_sizes[own]
            if not ensemble.complete or whole.sum() > 2 * ensemble.n_clusterings * n_each[m]:
                whole = whole[:0]  # fewer logarithms as they come
            _uncertainty_kernel(columns, m, n_each, micro.sizes, ensemble.complete, table, whole, out[own])

    map_blocks(of_clusterings, ensemble.n_clusterings, monitor, "measuring the uncertainty of clusters", block=1)
    return out


def ensemble_driven_cluster_index(
    ensemble: Ensemble, theta: float = 0.4, monitor: Monitor = SILENT
) -> NDArray[np.float64]:
    """Reliability of each cluster, ECI(C) = exp(-H(C) / (theta M))   (eq. 10).

    Parameters
    ----------
    ensemble : Ensemble
    theta : float
        Greater than 0. Small values punish uncertain clusters harder; the paper advises [0.2, 1].
    monitor : Monitor, optional

    Returns
    -------
    (K,) float64
        In (0, 1] (0 where the exponential underflows); ordered as `cluster_uncertainty`.

    Raises
    ------
    InvalidParameterError
        If theta is not a positive number.

    References
    ----------
    huang2018lwea, Definition 5.
    """
    return eci_of(cluster_uncertainty(ensemble, monitor), theta, ensemble.n_clusterings)


def eci_of(uncertainty: NDArray, theta: float, n_clusterings: int) -> NDArray[np.float64]:
    """ECI (K,) from what `cluster_uncertainty` or `uncertainty_of_counts` says."""
    if not theta > 0 or not np.isfinite(theta):
        raise InvalidParameterError(f"theta must be a number in (0, inf). Got {theta!r}")
    return np.exp(-uncertainty / (theta * n_clusterings))


def uncertainty_of_counts(shared: NDArray, offsets: NDArray) -> NDArray[np.float64]:
    """`cluster_uncertainty` from the objects that every two clusters share: (K,) float64.

    >>> shared = np.array([[2.0, 0, 1, 1], [0, 2, 0, 2], [1, 0, 1, 0], [1, 2, 0, 3]])
    >>> uncertainty_of_counts(shared, np.array([0, 2, 4])).round(3).tolist()
    [1.0, 0.0, 0.0, 0.918]
    """
    out = np.zeros(len(shared))
    for first, stop in zip(offsets[:-1], offsets[1:], strict=True):
        counts = shared[:, first:stop]
        seen = counts.sum(axis=1, keepdims=True)
        shares = np.divide(counts, seen, out=np.ones(counts.shape), where=counts > 0)  # an empty share adds nothing
        out -= (shares * np.log2(shares)).sum(axis=1)
    return np.maximum(out, 0)


_MISSING = np.iinfo(np.uint32).max


@njit(cache=True, nogil=True)
def _uncertainty_kernel(columns, m, n_each, sizes, complete, table, whole, out):
    """Add the entropy of every other base clustering inside each cluster of base clustering m.

    `whole`: objects in each, where what a share adds is to be looked up; else nothing.
    """
    first, terms = _terms(whole)
    for other in range(columns.shape[0]):
        if other == m:
            continue
        table[:, : n_each[other]] = 0
        for i in range(columns.shape[1]):
            if complete or (columns[m, i] != _MISSING and columns[other, i] != _MISSING):
                table[columns[m, i], columns[other, i]] += sizes[i]
        if len(whole) == 0:
            _add_of_seen(table, n_each[m], n_each[other], out)
        for c in range(len(whole)):
            for j in range(n_each[other]):
                out[c] -= terms[first[c] + table[c, j]]


@njit(cache=True, nogil=True)
def _add_of_seen(table, n_clusters, width, out):
    """The entropies of one other base clustering, inside what it saw of every cluster."""
    for c in range(n_clusters):
        total = 0
        for j in range(width):
            total += table[c, j]
        for j in range(width):
            if 0 < table[c, j] < total:
                out[c] -= _term(table[c, j] / total)


@njit(cache=True, nogil=True)
def _terms(whole):
    """What 0, 1, ... of a cluster's objects add, and where that begins for each cluster.

    A logarithm takes longer than counting, and there are as many base clusterings to take it for.
    """
    first = np.zeros(len(whole), np.int64)
    first[1:] = np.cumsum(whole[:-1] + 1)
    terms = np.zeros(np.sum(whole + 1))
    for c in range(len(whole)):
        for part in range(1, whole[c]):
            terms[first[c] + part] = _term(part / whole[c])
    return first, terms


@njit(cache=True, nogil=True)
def _term(p):
    """What a share adds."""
    return p * np.log2(p)
