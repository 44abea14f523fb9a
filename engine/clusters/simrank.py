"""Objects are alike if their clusters are, and clusters if their objects are: SimRank, on clusters alone."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor
from .overlaps import cluster_links, shared_objects, shared_weight
from .triples import check_decay

_STAGE = "letting similarity spread between clusters"
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
    if isinstance(R, bool) or not isinstance(R, int | np.integer) or R < 2:
        raise InvalidParameterError(f"R must be an integer of at least 2. Got {R!r}")
    shared = shared_objects(ensemble, monitor)
    sizes = np.diagonal(shared).copy()
    similarity = np.eye(len(sizes))
    if R % 2:
        similarity = _unit_diagonal(dc * shared / (sizes[:, None] * sizes))
    for done in range((R - 2) // 2):
        monitor.tick(_STAGE, done, (R - 2) // 2)
        similarity = _two_rounds_on(ensemble, similarity, shared, sizes, dc)
    monitor.tick(_STAGE, 1, 1)
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
    monitor.tick(_STAGE, 0, 1)
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
    monitor.tick(_STAGE, 1, 1)
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
