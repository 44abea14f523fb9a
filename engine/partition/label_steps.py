"""Rounds and sweeps of k-means on labels, bound to what they change."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..numerics.label_means import round_kernel, sweep_kernel, tally_kernel, total_kernel
from ..numerics.seen_label_means import seen_round_kernel, seen_sweep_kernel, seen_tally_kernel, seen_total_kernel
from .label_rows import LabelRows


@dataclass(frozen=True, eq=False)
class LabelSteps:
    """What may be done with a partition of rows; all change its labels and its centres in place.

    Attributes
    ----------
    labels : (n,) int32
        Clusters 0..k-1; -1 is in none, until a round gives it one.
    tally : callable
        Makes the centres from the labels.
    round : callable
        Lloyd's: labels from the centres, then centres; how many changed, and how many clusters were made anew.
    sweep : callable
        Single moves; how many.
    total : callable
        What both raise.
    """

    labels: NDArray[np.int32]
    tally: Callable[[], None]
    round: Callable[[], tuple[int, int]]
    sweep: Callable[[], int]
    total: Callable[[], float]

    @classmethod
    def of(cls, rows: LabelRows, logs: NDArray[np.float64], n_clusters: int) -> "LabelSteps":
        """Steps on labels that are all -1 yet; `logs` are those of the rows, which starts share."""
        labels = np.full(len(rows.sizes), -1, np.int32)
        make = _steps if rows.start is None else _steps_where_seen
        return make(rows, logs, labels, n_clusters)


def _steps(rows: LabelRows, logs: NDArray, labels: NDArray, k: int) -> LabelSteps:
    counts, table = np.empty((2, len(rows.values), k))
    mass, members = np.empty(k), np.empty(k, np.int64)
    state = (labels, counts, mass, members)
    own = (rows.ids, rows.sizes, rows.spread, rows.values, logs, *state)
    return LabelSteps(
        labels,
        lambda: tally_kernel(rows.ids, rows.sizes, rows.spread, *state),
        lambda: round_kernel(*own, table),
        lambda: sweep_kernel(*own),
        lambda: total_kernel(rows.ids, rows.values, logs, counts, mass),
    )


def _steps_where_seen(rows: LabelRows, logs: NDArray, labels: NDArray, k: int) -> LabelSteps:
    """`_steps` where labels are missing."""
    assert rows.start is not None
    assert rows.clustering_of is not None
    counts, members = np.empty((len(rows.values), k)), np.empty(k, np.int64)
    mass, squares = np.empty((2, int(rows.clustering_of[-1]) + 1, k))
    given = (rows.start, rows.ids, rows.clustering_of, rows.sizes, rows.spread, rows.values, logs, rows.one_mass)
    own = (*given, labels, counts, mass, squares, members)
    return LabelSteps(
        labels,
        lambda: seen_tally_kernel(*own),
        lambda: seen_round_kernel(*own),
        lambda: seen_sweep_kernel(*own),
        lambda: seen_total_kernel(rows.clustering_of, rows.values, logs, counts, mass, squares),
    )
