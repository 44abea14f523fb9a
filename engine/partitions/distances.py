"""How far apart partitions are, every pair of many."""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray
from scipy.special import entr

from ..ensemble import Ensemble
from ..ensemble.clusters import contingencies, entropies, require_overlaps
from ..ensemble.microclusters import find_microclusters
from ..ensemble.reading_labels import as_array, as_labels_and_missing
from ..ensemble.renumbering import renumber_columns
from ..metrics import normalised
from ..params import one_of
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor

#: Distances between two partitions, and what they are called, with their unit.
DISTANCES = {
    "vi": "variation of information (bits)",
    "nmi": "1 - NMI (max)",
    "element_centric": "1 - element-centric similarity",
}

#: Bits below which two partitions are equal.
_ROUNDING = 1e-12


def partition_distances(partitions: ArrayLike, distance: str = "vi", monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Distance between every two partitions of the same objects.

    Parameters
    ----------
    partitions : (N, P) labels of any values
        One partition a column: base clusterings, answers, the truth. -1, NaN and None are missing labels: two
        partitions are compared on the objects both label. Where these are none, they are as far apart as independent
        ones: H(a) + H(b) for "vi", 1 for the others.
    distance : str
        One of `DISTANCES`. "vi" is a metric, H(a|b) + H(b|a) in bits; "element_centric" is the mean over objects of
        1 - x / max(a, b), a and b the sizes of its two clusters and x of what they share.
    monitor : Monitor, optional

    Returns
    -------
    (P, P) float64
        Symmetric, not negative, diagonal 0.

    Raises
    ------
    InvalidParameterError
        If there is no such distance.
    InvalidEnsembleError
        If a value is no label, or a partition labels fewer than two objects.
    TooLargeError
        If what two partitions share takes more memory than there may be.

    Notes
    -----
    O(N P + (n + k^2) P^2) time, n the groups of objects that some partition tells apart.

    References
    ----------
    meila2007vi; strehl2002; gates2019element.

    Examples
    --------
    >>> partition_distances([[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1]]).tolist()
    [[0.0, 2.0, 0.0], [2.0, 0.0, 2.0], [0.0, 2.0, 0.0]]
    """
    kind = _kind(distance)
    labels = renumber_columns(*as_labels_and_missing(partitions))
    micro = find_microclusters(labels)
    rows = np.ascontiguousarray(labels[micro.representatives].T)
    n_each = rows.max(axis=1) + 1
    require_overlaps(n_each)
    counts = np.arange(len(labels) + 1, dtype=np.float64)
    logs = counts * np.log2(np.maximum(counts, 1))
    out = np.zeros((len(rows), len(rows)))

    def compare(start: int, stop: int) -> None:
        _distances_kernel(start, stop, rows, micro.sizes, n_each, logs, kind, out)

    map_blocks(compare, len(rows), monitor, "comparing partitions", block=1)  # the first have the most to compare
    return np.maximum(out, out.T)


def distances_to(ensemble: Ensemble, partition: ArrayLike, distance: str = "vi") -> NDArray[np.float64]:
    """Distance of every base clustering to one partition, as `partition_distances` has it.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects in M base clusterings.
    partition : (N,) labels of any values
        -1, NaN and None are missing labels.
    distance : str
        One of `DISTANCES`.

    Returns
    -------
    (M,) float64

    Raises
    ------
    InvalidParameterError
        If there is no such distance, or not one label an object.
    InvalidEnsembleError
        If the partition labels fewer than two objects.
    TooLargeError
        As `partition_distances`.

    Notes
    -----
    O(N M + K k) time for the K clusters of all base clusterings and the k of the partition.

    Examples
    --------
    >>> distances_to(Ensemble.from_labels([[0, 0], [0, 1], [1, 0], [1, 1]]), ["a", "a", "b", "b"]).round(9).tolist()
    [0.0, 2.0]
    """
    _kind(distance)
    given = as_array(partition)
    if given.shape != (ensemble.n_objects,):
        raise InvalidParameterError(f"partition must have shape ({ensemble.n_objects:,},). Got {given.shape}")
    beside_one = np.ma.column_stack([np.ones(len(given), given.dtype), given])  # alone no label may be missing
    own = renumber_columns(*as_labels_and_missing(beside_one))[:, 1]
    labels, seen = (ensemble.labels, own) if own.min() >= 0 else (ensemble.labels[own >= 0], own[own >= 0])
    found = np.concatenate([_apart(distance, *tables) for tables in contingencies(labels, ensemble.offsets, seen)])
    if np.isnan(found).any():
        found[np.isnan(found)] = _alone(ensemble, seen)[np.isnan(found)] if distance == "vi" else 1.0
    return found


def _kind(distance: str) -> int:
    """The place of a distance among `DISTANCES`."""
    return list(DISTANCES).index(one_of("distance", distance, DISTANCES))


def _apart(distance: str, table: NDArray, seen: NDArray, offsets: NDArray) -> NDArray[np.float64]:
    """Distances from the tables of `contingencies`: (M,); NaN for who saw nothing of it."""
    own, its, joint = entropies(table, seen, offsets)
    n_seen = np.where(seen.any(axis=1), seen.sum(axis=1), np.nan)
    if distance == "element_centric":
        larger = np.maximum(table.sum(axis=1, keepdims=True), np.repeat(seen, np.diff(offsets), axis=0))
        alike = (table * (table / np.maximum(larger, 1))).sum(axis=1)
        return np.maximum(1 - np.add.reduceat(alike, offsets[:-1]) / n_seen, 0)
    if distance == "nmi":
        return np.where(n_seen > 0, 1 - normalised(own + its - joint, own, its, "max"), np.nan)
    apart = (2 * joint - own - its) / np.log(2)
    return np.where(n_seen > 0, np.where(apart < _ROUNDING, 0.0, apart), np.nan)


def _alone(ensemble: Ensemble, partition: NDArray[np.int32]) -> NDArray[np.float64]:
    """Entropy in bits of every base clustering on all that it labels, and that of a partition, summed: (M,)."""
    sizes = ensemble.cluster_sizes[:, None]
    alone, _, _ = entropies(sizes, np.add.reduceat(sizes, ensemble.offsets[:-1]), ensemble.offsets)
    return (alone + entr(np.bincount(partition) / len(partition)).sum()) / np.log(2)


@njit(cache=True, nogil=True)
def _entropy(row, sizes, logs):
    """Entropy of one partition in bits, on the objects it labels."""
    counts, total = np.zeros(row.max() + 1, np.int64), 0
    for i in range(len(row)):
        if row[i] >= 0:
            counts[row[i]] += sizes[i]
            total += sizes[i]
    summed = 0.0
    for c in range(len(counts)):
        summed += logs[counts[c]]
    return (logs[total] - summed) / total


@njit(cache=True, nogil=True)
def _distances_kernel(start, stop, rows, sizes, n_each, logs, kind, out):
    """Rows start..stop of the upper triangle of distances."""
    most, beside = n_each.max(), np.sort(n_each)[-2] if len(n_each) > 1 else 1
    own, room = np.zeros(most * beside, np.int64), np.empty((2, most), np.int64)
    for one in range(start, stop):
        for other in range(one + 1, len(rows)):
            table = own[: n_each[one] * n_each[other]].reshape((n_each[one], n_each[other]))
            first, second = room[0, : n_each[one]], room[1, : n_each[other]]
            total = _count(rows[one], rows[other], sizes, table, first, second)
            if total == 0:
                apart = _entropy(rows[one], sizes, logs) + _entropy(rows[other], sizes, logs)
                out[one, other] = apart if kind == 0 else 1.0
                continue
            joint, alike = _use_up(table, first, second, logs)
            if kind == 2:
                out[one, other] = max(0.0, 1 - alike / total)
                continue
            in_first, in_second = logs[first].sum(), logs[second].sum()
            apart = max(0.0, (in_first + in_second - 2 * joint) / total)  # 2 H(a, b) - H(a) - H(b)
            apart = 0.0 if apart < _ROUNDING else apart
            h_a, h_b = (logs[total] - in_first) / total, (logs[total] - in_second) / total
            out[one, other] = apart if kind == 0 else _not_shared(apart, h_a, h_b)


@njit(cache=True, nogil=True)
def _count(own, its, sizes, table, first, second):
    """Contingency of two partitions on what both label, with its margins; how many objects that is."""
    first[:], second[:], total = 0, 0, 0
    small = len(first) * len(second) <= len(own)  # margins are read off such a table in half the time of counting them
    for i in range(len(own)):
        if own[i] >= 0 and its[i] >= 0:
            table[np.uint32(own[i]), np.uint32(its[i])] += sizes[i]
            if not small:
                first[own[i]] += sizes[i]
                second[its[i]] += sizes[i]
    for c in range(len(first)):
        if small:
            for j in range(len(second)):
                first[c] += table[c, j]
                second[j] += table[c, j]
        total += first[c]
    return total


@njit(cache=True, nogil=True)
def _use_up(table, first, second, logs):
    """Sums over the cells x of x log x and of x^2 / max(a, b), with a and b its margins; cells become 0."""
    joint, alike = 0.0, 0.0
    for c in range(len(first)):
        for j in range(len(second)):
            shared = table[c, j]
            if shared > 0:
                joint += logs[shared]
                alike += shared * (shared / max(first[c], second[j]))
                table[c, j] = 0
    return joint, alike


@njit(cache=True, nogil=True)
def _not_shared(apart, h_a, h_b):
    """1 - I / max(H): 0 where neither has several clusters, 1 where just one has."""
    if min(h_a, h_b) <= 1e-12:
        return 0.0 if max(h_a, h_b) <= 1e-12 else 1.0
    return min(1.0, max(0.0, 1 - (h_a + h_b - apart) / 2 / max(h_a, h_b)))
