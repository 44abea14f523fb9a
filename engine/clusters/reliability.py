"""How much the rest of the ensemble agrees with one cluster: uncertainty and ECI (Huang et al. 2018)."""

from collections.abc import Callable

import numpy as np
from numba import njit
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..ensemble.clusters import overlap_table, require_overlaps, room_for_overlaps
from ..ensemble.microclusters import frozen
from ..params import Float, require
from ..runtime.blocks import map_blocks, map_sums
from ..runtime.memory import ACCOUNT, SMALL, memory_limit, require_memory
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
    O(n M^2) time on the n microclusters, one copy of their labels in memory. What every base clustering adds to every
    cluster, (M, K), is kept up to 256 MiB and an eighth of the memory left, and answers for whatever `select` leaves
    out in O(K L), L base clusterings; without it, few that are left out are taken back in O(n M L). A cluster's own
    base clustering adds 0. What a share adds is rounded to a part of 2^44 of a bit: sums are the same in any order.

    References
    ----------
    huang2018lwea, Definitions 3 and 4.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 1]])
    >>> cluster_uncertainty(ensemble).round(3).tolist()
    [1.0, 0.0, 0.0, 0.918]
    """

    def in_bits() -> NDArray[np.float64]:
        parts = ensemble.in_given_order(_parts_of_bits(ensemble.canonical, monitor))
        return frozen(parts / _parts_a_bit(ensemble))

    return ensemble.remember("cluster_uncertainty", in_bits)


_PARTS, _TABLE = "parts of bits of uncertainty", "what every base clustering adds to uncertainty"
#: Bytes of that table at most, and share of the memory that is left.
_MOST_BYTES, _SHARE_OF_ROOM = 2**28, 1 / 8


def _parts_a_bit(ensemble: Ensemble) -> float:
    """To whole parts of a bit all terms are rounded: their sums are the same in any order, and can be taken back.

    A power of two, and the same for any base clusterings of these objects, as long as no cluster's sum is too large for
    63 bits.
    """
    most = ensemble.n_clusterings * np.log2(ensemble.n_objects)
    return 2.0 ** min(44, 62 - int(np.ceil(np.log2(most))))


def _parts_of_bits(ensemble: Ensemble, monitor: Monitor) -> NDArray[np.int64]:
    """The uncertainty of every cluster of a canonical ensemble, in parts of a bit: (K,).

    Where base clusterings of another ensemble were left out, what they added there is taken back if that is known, or
    soon counted.
    """

    def parts() -> NDArray[np.int64]:
        if ensemble.choice is not None:
            whole, clusters, left_out = ensemble.choice
            known, table = whole.remembered(_PARTS), whole.remembered(_TABLE)
            if known is not None and _parts_a_bit(whole) == _parts_a_bit(ensemble):
                if table is not None:
                    return (known - _sum_of_rows(table, left_out))[clusters]
                if 2 * len(left_out) < ensemble.n_clusterings:
                    return (known - _added(whole, left_out, monitor))[clusters]
        if _kept(8 * ensemble.n_clusterings * ensemble.n_clusters_total):
            return ensemble.remember(_TABLE, lambda: _added_by_each(ensemble, monitor)).sum(axis=0)
        return _added(ensemble, np.empty(0, np.int64), monitor)

    return ensemble.remember(_PARTS, parts)


def _kept(n_bytes: int) -> bool:
    """Whether a table of so many bytes is kept: a small one always, a larger one where others leave much more room.

    It is asked for as all memory is, but nobody waits, or is refused, for what only saves time.
    """
    if n_bytes <= SMALL:
        return True
    if n_bytes > min(_MOST_BYTES, _SHARE_OF_ROOM * (memory_limit() - ACCOUNT.held)):
        return False
    require_memory(_TABLE, n_bytes)
    return True


def _added(ensemble: Ensemble, by: NDArray[np.int64], monitor: Monitor) -> NDArray[np.int64]:
    """What some base clusterings add to the uncertainty of the clusters of all others; by none: all to all."""
    order = np.concatenate([by, np.setdiff1d(np.arange(ensemble.n_clusterings), by)])
    like = np.zeros((1, ensemble.n_clusters_total), np.int64)
    return map_sums(_adding(ensemble, order, len(by)), len(by) or len(order), like, monitor, _STAGE, _block(order))[0]


def _added_by_each(ensemble: Ensemble, monitor: Monitor) -> NDArray[np.int64]:
    """What every base clustering adds to the uncertainty of every cluster: (M, K)."""
    order = np.arange(ensemble.n_clusterings)
    table, add = np.zeros((len(order), ensemble.n_clusters_total), np.int64), _adding(ensemble, order, 0)
    map_blocks(lambda begin, end: add(begin, end, table), len(order), monitor, _STAGE, _block(order))
    return frozen(table)


_STAGE = "measuring the uncertainty of clusters"


def _block(order: NDArray[np.int64]) -> int:
    return max(1, len(order) // 256)


def _adding(ensemble: Ensemble, order: NDArray[np.int64], first: int) -> Callable[[int, int, NDArray[np.int64]], None]:
    """Counts what base clusterings order[begin:end], and those after them from order[first] on, add to each other."""
    require_overlaps(ensemble.n_clusters_each)
    columns, weights = ensemble.clusters.columns(np.uint32), ensemble.clusters.weights
    offsets, a_bit, complete = ensemble.offsets, _parts_a_bit(ensemble), ensemble.complete
    logs = np.log2(np.maximum(np.arange(ensemble.cluster_sizes.max() + 1), 1))
    return lambda begin, end, added: _parts_kernel(
        begin, end, first, order, columns, offsets, weights, logs, a_bit, complete, added
    )


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
    theta = require("theta", Float(low=0, low_open=True), theta)
    with np.errstate(over="ignore"):  # of next to no theta: 0 is meant
        return np.exp(-uncertainty / (theta * n_clusterings))


def relative_eci(uncertainty: NDArray, theta: float, n_clusterings: int) -> NDArray[np.float64]:
    """ECI (K,) over the largest of them, for what hangs on no scale: none of a small theta ends in zeros alone."""
    return eci_of(uncertainty - uncertainty.min(), theta, n_clusterings)


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


@njit(cache=True, nogil=True)
def _parts_kernel(begin, end, first, order, columns, offsets, weights, logs, a_bit, complete, added):
    """Add what base clusterings order[begin:end] and those after them, from order[first] on, add to each other.

    Into a row of `added` for each that adds, whose cells no two threads share, or into one row for all. One table of
    overlaps serves both: p log2 p, with p = overlap / whole, is known from logarithms of whole numbers.
    """
    rows = np.arange(len(added)) if len(added) > 1 else np.zeros(len(order), np.int64)
    room, widest = room_for_overlaps(offsets), np.diff(offsets).max()
    in_rows, in_columns = np.zeros(widest, np.int64), np.zeros(widest, np.int64)
    for place in range(begin, end):
        m = order[place]
        for beside in range(max(place + 1, first), len(order)):
            other = order[beside]
            table = overlap_table(m, other, columns, offsets, weights, complete, room)
            in_rows[:], in_columns[:] = 0, 0
            for c in range(table.shape[0]):
                for d in range(table.shape[1]):
                    in_rows[c] += table[c, d]
                    in_columns[d] += table[c, d]
            for c in range(table.shape[0]):
                for d in range(table.shape[1]):
                    overlap = table[c, d]
                    if overlap > 0:
                        table[c, d] = 0
                        added[rows[other], offsets[m] + c] += _parts(overlap, in_rows[c], logs, a_bit)
                        added[rows[m], offsets[other] + d] += _parts(overlap, in_columns[d], logs, a_bit)


@njit(cache=True, nogil=True)
def _parts(overlap, whole, logs, a_bit):
    """What a share of a cluster adds, in whole parts of a bit."""
    return np.int64(np.rint(overlap * (logs[whole] - logs[overlap]) / whole * a_bit))


@njit(cache=True, nogil=True)
def _sum_of_rows(table, rows):
    """table[rows].sum(axis=0) without a copy of them."""
    out = np.zeros(table.shape[1], table.dtype)
    for row in rows:
        out += table[row]
    return out
