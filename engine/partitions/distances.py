"""How far apart partitions are, every pair of many."""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..ensemble.microclusters import find_microclusters
from ..ensemble.reading_labels import as_labels_and_missing
from ..ensemble.renumbering import renumber_columns
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor

#: Distances between two partitions, and what they are called, with their unit.
DISTANCES = {
    "vi": "variation of information (bits)",
    "nmi": "1 - NMI (max)",
    "element_centric": "1 - element-centric similarity",
}


def partition_distances(
    partitions: ArrayLike, distance: str = "vi", monitor: Monitor = SILENT, known: ArrayLike | None = None
) -> NDArray[np.float64]:
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
    known : (Q, Q) float, optional
        The distances between the first Q of them, from an earlier call: only those of the others are found.

    Returns
    -------
    (P, P) float64
        Symmetric, not negative, diagonal 0.

    Raises
    ------
    InvalidParameterError
        If there is no such distance, or more are known than there are partitions.

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
    if distance not in DISTANCES:
        raise InvalidParameterError(f"distance must be one of {', '.join(DISTANCES)}. Got {distance!r}")
    labels = renumber_columns(*as_labels_and_missing(partitions))
    micro = find_microclusters(labels)
    rows = np.ascontiguousarray(labels[micro.representatives].T)
    n_each = rows.max(axis=1) + 1
    counts = np.arange(len(labels) + 1, dtype=np.float64)
    logs = counts * np.log2(np.maximum(counts, 1))
    out, kind = np.zeros((len(rows), len(rows))), list(DISTANCES).index(distance)
    given = np.zeros((0, 0)) if known is None else np.asarray(known, dtype=np.float64)
    n_known = len(given)
    if given.shape != (n_known, n_known) or n_known > len(rows):
        raise InvalidParameterError(
            f"known must be distances between the first of {len(rows):,} partitions. Got shape {given.shape}"
        )

    def compare(start: int, stop: int) -> None:
        _distances_kernel(start, stop, n_known, rows, micro.sizes, n_each, logs, kind, out)

    block = 64 if n_known else 1  # the first have the most to be compared with, but for those that are known
    map_blocks(compare, len(rows), monitor, "comparing partitions", block=block)
    out[:n_known, :n_known] = given
    new = np.maximum(out[:, n_known:], out.T[:, n_known:])
    out[:, n_known:], out[n_known:] = new, new.T
    return out


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
def _distances_kernel(start, stop, n_known, rows, sizes, n_each, logs, kind, out):
    """Rows start..stop of the upper triangle of distances, from column `n_known` on."""
    most = n_each.max()
    table, room = np.zeros((most, most), np.int64), np.empty((2, most), np.int64)
    for one in range(start, stop):
        for other in range(max(one + 1, n_known), len(rows)):
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
            apart = 0.0 if apart < 1e-12 else apart
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
