"""Whether partitions agree about every single object, without renaming their clusters."""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..ensemble.microclusters import find_microclusters
from ..ensemble.reading_labels import as_labels_and_missing
from ..ensemble.renumbering import renumber_columns
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor


def element_centric_consistency(partitions: ArrayLike, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Mean similarity of the clusters an object lies in, over all pairs of partitions.

    For two partitions it is 1 - (1/2) sum_j |p_ij - q_ij| with p_ij = 1 / |cluster of i| for its members, else 0;
    where clusters do not overlap that is x / max(a, b), a and b the sizes of the two clusters of i and x of what they
    share.

    Parameters
    ----------
    partitions : (N, B) labels of any values
        One partition a column, at least 2. -1, NaN and None say that a partition did not see an object: two partitions
        are compared on what both saw.
    monitor : Monitor, optional

    Returns
    -------
    (N,) float64
        In (0, 1]; 1 where an object always has the same company, and where no two partitions saw it.

    Raises
    ------
    InvalidEnsembleError, InvalidParameterError

    Notes
    -----
    O(N B + n B^2) time, n the objects that some partition tells apart.

    References
    ----------
    gates2019element.

    Examples
    --------
    >>> element_centric_consistency([[0, 0], [0, 0], [0, 1], [1, 1]]).round(3).tolist()
    [0.667, 0.667, 0.333, 0.5]
    """
    labels = renumber_columns(*as_labels_and_missing(partitions))
    n_partitions = labels.shape[1]
    if n_partitions < 2:
        raise InvalidParameterError(f"partitions must have at least 2 columns, to be compared. Got {n_partitions}")
    micro = find_microclusters(labels)
    rows = np.ascontiguousarray(labels[micro.representatives].T)
    n_each = rows.max(axis=1) + 1
    totals, n_compared = np.zeros((n_partitions, len(micro))), np.zeros((n_partitions, len(micro)), np.int64)

    def compare(start: int, stop: int) -> None:
        for b in range(start, stop):
            table = np.empty((n_each[b], n_each.max()), np.int64)
            _similarities_kernel(b, rows, micro.sizes, n_each, table, totals[b], n_compared[b])

    map_blocks(compare, n_partitions, monitor, "comparing partitions", block=1)
    pairs = n_compared.sum(axis=0)
    return micro.expand(np.divide(totals.sum(axis=0), pairs, out=np.ones(len(micro)), where=pairs > 0))


@njit(cache=True, nogil=True)
def _similarities_kernel(b, rows, sizes, n_each, table, out, n_compared):
    """Add x / max(a, b) of every row between partition b and each later one, on the rows both saw."""
    n = rows.shape[1]
    for other in range(b + 1, rows.shape[0]):
        table[:, : n_each[other]] = 0
        in_first, in_second = np.zeros(n_each[b], np.int64), np.zeros(n_each[other], np.int64)
        for i in range(n):
            if rows[b, i] >= 0 and rows[other, i] >= 0:
                table[rows[b, i], rows[other, i]] += sizes[i]
                in_first[rows[b, i]] += sizes[i]
                in_second[rows[other, i]] += sizes[i]
        for i in range(n):
            own, its = rows[b, i], rows[other, i]
            if own >= 0 and its >= 0:
                out[i] += table[own, its] / max(in_first[own], in_second[its])
                n_compared[i] += 1
