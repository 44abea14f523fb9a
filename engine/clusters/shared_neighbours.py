"""Clusters are alike because their neighbours are: connected triples, triple quality, SimRank (Iam-On et al. 2011)."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..params import require_integer
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError, shown
from ..runtime.monitor import SILENT, Monitor
from .overlaps import cluster_links, shared_objects, shared_weight

#: What progress is called.
_BY_TRIPLES = "comparing clusters through third ones"
_BY_SIMRANK = "letting similarity spread between clusters"


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
        monitor.tick(_BY_TRIPLES, m, ensemble.n_clusterings)
        overlaps = (links[low:high] > 0).astype(np.float64)
        block = (overlaps * rarity) @ overlaps.T
        quality[low:high, low:high] = (block + block.T) / 2
    monitor.tick(_BY_TRIPLES, ensemble.n_clusterings, ensemble.n_clusterings)
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
    if not np.isfinite(weights).all() or weights.min() < 0 or not weights.any():
        raise InvalidParameterError(f"weights must be finite, at least 0, and not all 0. Got {shown(weights)}")
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
    map_blocks(
        lambda start, stop: _triples_kernel(start, stop, links, weights, last, out), len(links), monitor, _BY_TRIPLES
    )
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


#: Clusters as alike as the two most alike, up to rounding.
_MOST = 1 - 1e-9


def cluster_simrank(ensemble: Ensemble, dc: float = 0.8, R: int = 5, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """What objects are looked up in to give their SimRank after R rounds, F = dc C.

    With S the SimRank of objects and C that of clusters, both 1 on the diagonal and 0 elsewhere in round 1,
    S'(x, y) = dc/M^2 times the sum of C over the clusters of x and y, C'(a, b) = dc/(s_a s_b) times the sum of S over
    the members of a and b. So S after R rounds is the mean of dc C over all pairs of clusters, C of the round before.

    Parameters
    ----------
    ensemble : Ensemble
    dc : float
        In [0, 1]: what a step is worth. At 0 nothing is alike.
    R : int
        Rounds, the start counted as the first; at least 2, which gives dc CA / M.
    monitor : Monitor, optional

    Returns
    -------
    (K, K) float64
        Symmetric, diagonal dc, in [0, dc]; for `mean_over_clusters` with "all" pairs. The mean for two objects of one
        microcluster is below 1, too: only an object itself has 1.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    Exact. The objects vanish: C_{r+1} = dc (dc/M^2 O C_{r-1} O + O - Z^T diag(r t) Z) / (s s^T) with diagonal 1, where
    t_i = dc/M^2 z_i C_{r-1} z_i and C_0 = I, C_1 = dc O / (s s^T). Every second C is enough: about R/2 steps of
    O(K^3 + n M^2) time, where the published code needs O(N^2 M^2) a round.

    References
    ----------
    iamon2008srs; iamon2010linkclue, function srs.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]])
    >>> cluster_simrank(ensemble, 0.8, R=2).diagonal().tolist()
    [0.8, 0.8, 0.8, 0.8]
    >>> cluster_simrank(ensemble, 0.8, R=3).round(2).tolist()
    [[0.8, 0.0, 0.32, 0.16], [0.0, 0.8, 0.0, 0.32], [0.32, 0.0, 0.8, 0.0], [0.16, 0.32, 0.0, 0.8]]
    """
    dc = check_decay(dc)
    require_integer("R", R, 2)
    shared = shared_objects(ensemble, monitor)
    sizes = np.diagonal(shared).copy()
    similarity = np.eye(len(sizes))
    if R % 2:
        similarity = _unit_diagonal(dc * shared / (sizes[:, None] * sizes))
    for done in range((R - 2) // 2):
        monitor.tick(_BY_SIMRANK, done, (R - 2) // 2)
        similarity = _two_rounds_on(ensemble, similarity, shared, sizes, dc)
    monitor.tick(_BY_SIMRANK, 1, 1)
    return dc * similarity


def _two_rounds_on(
    ensemble: Ensemble, similarity: NDArray, shared: NDArray, sizes: NDArray, dc: float
) -> NDArray[np.float64]:
    """C_{r+1} from C_{r-1}."""
    step, clusters, micro = dc / ensemble.n_clusterings**2, ensemble.clusters, ensemble.microclusters
    inside = np.empty(len(micro))
    _inside_kernel(clusters.start, clusters.ids, similarity, inside)
    spread = step * (shared @ similarity @ shared) + shared - shared_weight(ensemble, micro.sizes * step * inside)
    spread *= dc / (sizes[:, None] * sizes)
    return _unit_diagonal((spread + spread.T) / 2)


def approximate_simrank(
    ensemble: Ensemble, dc: float = 0.8, as_published: bool = False, monitor: Monitor = SILENT
) -> NDArray[np.float64]:
    """Similarity of any two clusters by the links they share, over their numbers of neighbours (ASRS).

    C_ij = sum_c J_ic J_jc / (nu_i nu_j), over the largest such value; F_ij = dc C_ij, F_ii = 1.

    Parameters
    ----------
    ensemble : Ensemble
    dc : float
        In [0, 1]: what the most alike of two different clusters count, beside 1 for one and the same.
    as_published : bool
        Let different clusters that are as alike as the most alike escape the decay, as the published code does: it
        takes whatever is 1 for one and the same cluster.
    monitor : Monitor, optional
        Receives `strongest_link`.

    Returns
    -------
    (K, K) float64
        Symmetric, diagonal 1, in [0, 1]; for `mean_over_clusters` with "all" pairs.

    Raises
    ------
    InvalidParameterError, TooLargeError

    Notes
    -----
    O(K^3) time, one product. Where no clusters overlap (M = 1) the identity comes back.

    References
    ----------
    iamon2010linkclue, function asrs.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]])
    >>> approximate_simrank(ensemble, 0.6).round(2).tolist()
    [[1.0, 0.6, 0.0, 0.0], [0.6, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.6], [0.0, 0.0, 0.6, 1.0]]
    """
    dc, links = check_decay(dc), cluster_links(shared_objects(ensemble, monitor))
    monitor.tick(_BY_SIMRANK, 0, 1)
    neighbours = np.maximum((links > 0).sum(axis=1), 1)
    similarity = links @ links.T / (neighbours[:, None] * neighbours)
    similarity = (similarity + similarity.T) / 2
    np.fill_diagonal(similarity, 0)
    strongest = float(similarity.max())
    monitor.record("strongest_link", strongest)
    if strongest > 0:
        similarity /= strongest
    most = similarity > _MOST
    similarity *= dc
    if as_published:
        similarity[most] = 1
    monitor.tick(_BY_SIMRANK, 1, 1)
    return _unit_diagonal(similarity)


def _unit_diagonal(matrix: NDArray) -> NDArray:
    np.fill_diagonal(matrix, 1)
    return matrix


@njit(cache=True, nogil=True)
def _inside_kernel(start, ids, similarity, inside):
    """Sum of the similarities between all clusters of every row."""
    for i in range(len(inside)):
        total = 0.0
        for a in ids[start[i] : start[i + 1]]:
            for b in ids[start[i] : start[i + 1]]:
                total += similarity[a, b]
        inside[i] = total
