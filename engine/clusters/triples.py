"""Clusters that are alike because they overlap with the same third clusters (Iam-On et al. 2011)."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor
from .overlaps import cluster_links, shared_objects

_STAGE = "comparing clusters through third ones"


def connected_triples(ensemble: Ensemble, dc: float = 0.8, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Similarity of two clusters of one base clustering by weighted connected triples (WCT).

    WCT_ij = sum_c min(J_ic, J_jc) over the clusters c of the other base clusterings, J the Jaccard index;
    F_ij = dc WCT_ij / max WCT, F_ii = 1.

    Parameters
    ----------
    ensemble : Ensemble
    dc : float
        In [0, 1]: what the most alike of two different clusters count, beside 1 for sharing a cluster.
    monitor : Monitor, optional
        Receives `strongest_link`, max WCT.

    Returns
    -------
    (K, K) float64
        Symmetric, diagonal 1, in [0, 1]; 0 between clusters of different base clusterings, which are not compared.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    O(K^2 max k_m) time. The maximum is taken over all base clusterings together; where it is 0 (M = 1) the identity
    comes back, and the similarity of objects is their co-association.

    References
    ----------
    iamon2011link; iamon2010linkclue, whose function is called cts.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [2, 2]])
    >>> connected_triples(ensemble, 0.5)[:3, :3].round(3).tolist()
    [[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    dc, links = check_decay(dc), cluster_links(shared_objects(ensemble, monitor))
    last = np.repeat(ensemble.offsets[1:], ensemble.n_clusters_each)
    return _decayed(_triples(links, np.ones(len(links)), last, monitor), dc, monitor)


def triple_quality(ensemble: Ensemble, dc: float = 0.8, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Similarity of two clusters of one base clustering by the rarity of their common neighbours (WTQ).

    WTQ_ij = sum of 1 / W_c over the clusters c that overlap with both, W_c = sum_j J_cj; then as `connected_triples`.

    Parameters
    ----------
    ensemble, dc, monitor
        See `connected_triples`.

    Returns
    -------
    (K, K) float64
        As `connected_triples`.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    A reconstruction: neither the paper's formulas nor code were at hand, and the definition is the one commonly given
    for this name. How much two clusters share with a third does not count, only whether. O(K^2 max k_m) time.

    References
    ----------
    iamon2011link.
    """
    dc, links = check_decay(dc), cluster_links(shared_objects(ensemble, monitor))
    strength = links.sum(axis=0)
    rarity = np.divide(1.0, strength, out=np.zeros(len(strength)), where=strength > 0)
    quality = np.zeros_like(links)
    for m, (low, high) in enumerate(zip(ensemble.offsets[:-1], ensemble.offsets[1:], strict=True)):
        monitor.tick(_STAGE, m, ensemble.n_clusterings)
        overlaps = (links[low:high] > 0).astype(np.float64)
        block = (overlaps * rarity) @ overlaps.T
        quality[low:high, low:high] = (block + block.T) / 2
    monitor.tick(_STAGE, ensemble.n_clusterings, ensemble.n_clusterings)
    return _decayed(quality, dc, monitor)


def source_aware_triples(ensemble: Ensemble, weights: NDArray, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Similarity of any two clusters by connected triples whose third cluster has a weight (SACT).

    SACT_ij = sum_c w_m(c) min(J_ic, J_jc) over all clusters c, i and j among them (J_ii = 1); over the largest entry,
    and then 1 on the diagonal.

    Parameters
    ----------
    ensemble : Ensemble
    weights : (M,) float
        One a base clustering, at least 0 and not all 0.
    monitor : Monitor, optional

    Returns
    -------
    (K, K) float64
        Symmetric, diagonal 1, in [0, 1].

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    O(K^3) time. The largest entry stands on the diagonal; others there are lower until they become 1.

    References
    ----------
    huang2015crowd.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]])
    >>> source_aware_triples(ensemble, np.ones(2)).round(2).tolist()
    [[1.0, 0.18, 0.55, 0.36], [0.18, 1.0, 0.0, 0.55], [0.55, 0.0, 1.0, 0.18], [0.36, 0.55, 0.18, 1.0]]
    """
    weights = np.asarray(weights, dtype=np.float64)
    if weights.shape != (ensemble.n_clusterings,):
        raise InvalidParameterError(f"weights must have shape ({ensemble.n_clusterings},). Got {weights.shape}")
    links = cluster_links(shared_objects(ensemble, monitor))
    np.fill_diagonal(links, 1)
    of_cluster = np.repeat(weights, ensemble.n_clusters_each)
    similarity = _triples(links, of_cluster, np.full(len(links), len(links)), monitor)
    similarity /= (links @ of_cluster).max()
    np.fill_diagonal(similarity, 1)
    return similarity


def check_decay(dc: float) -> float:
    """The decay, if it is a number from 0 to 1."""
    if not 0 <= dc <= 1:
        raise InvalidParameterError(f"dc must be a number in [0, 1]. Got {dc!r}")
    return float(dc)


def _decayed(similarity: NDArray, dc: float, monitor: Monitor) -> NDArray[np.float64]:
    """The largest entry off the diagonal becomes dc, the diagonal 1; in place."""
    np.fill_diagonal(similarity, 0)
    strongest = float(similarity.max())
    monitor.record("strongest_link", strongest)
    if strongest > 0:
        similarity *= dc / strongest
    np.fill_diagonal(similarity, 1)
    return similarity


def _triples(links: NDArray, weights: NDArray, last: NDArray, monitor: Monitor) -> NDArray[np.float64]:
    """Sum of w_c min(J_ic, J_jc) over all c, for j up to last[i] and mirrored: (K, K), diagonal 0."""
    out = np.zeros_like(links)
    map_blocks(lambda start, stop: _triples_kernel(start, stop, links, weights, last, out), len(links), monitor, _STAGE)
    return out


@njit(cache=True, nogil=True)
def _triples_kernel(start, stop, links, weights, last, out):
    """Rows start..stop right of the diagonal; each entry is written with its mirror image, by one thread."""
    for i in range(start, stop):
        for j in range(i + 1, last[i]):
            out[i, j] = out[j, i] = _shared_weight(links[i], links[j], weights)


@njit(cache=True, nogil=True, fastmath={"contract", "reassoc"})
def _shared_weight(a, b, weights):
    """Weighted sum of the smaller entries, in whatever order is fastest: the same order every time on one machine."""
    total = 0.0
    for c in range(len(a)):
        total += weights[c] * (a[c] if a[c] < b[c] else b[c])
    return total
