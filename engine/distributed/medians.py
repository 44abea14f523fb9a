"""KCC and SEC over tiles: centres are counts in the clusters, so that a round adds up K x k numbers."""

import numpy as np
from numpy.typing import NDArray

from ..consensus import run_consensus
from ..ensemble import Ensemble
from ..medians.label_kmeans import MAX_ROUNDS
from ..medians.label_means import centres_kernel
from ..medians.label_rows import utility_weights
from ..methods.kcc import KCCParams
from ..params import Params
from .coding import Coding
from .crew import Crew
from .passes import LabelCentres, Sums, label_labels, label_round
from .plans import Plan
from .tiles import LabelMatrix, Tile


class LabelPlan(Plan):
    """k-means on labels."""

    round, labels, most = staticmethod(label_round), staticmethod(label_labels), MAX_ROUNDS

    def __init__(self, coding: Coding, values: NDArray, entropic: bool, degrees: bool, sums: Sums) -> None:
        self._coding, self._values, self._entropic, self._degrees = coding, values, entropic, degrees
        self._sums = sums.sums
        self._centres = self._centres_of(sums)

    def shared(self) -> tuple:
        """Coding, centres."""
        return self._coding, self._centres

    def move(self, sums: Sums) -> bool:
        """To the means; an emptied part begins anew with the row that costs most where it is."""
        settled = np.array_equal(sums.sums, self._sums)
        if not sums.mass.all():
            empty, settled = int(np.flatnonzero(sums.mass == 0)[0]), False
            sums.sums[sums.worst_row, empty] = 1
            sums.mass[empty] = self._coding.sizes[sums.worst_row].sum() if self._degrees else 1
        self._sums, self._centres = sums.sums, self._centres_of(sums)
        return settled

    def _centres_of(self, sums: Sums) -> LabelCentres:
        table, mass = np.empty(sums.sums.shape), np.where(sums.mass > 0, sums.mass, 1.0)
        logs = np.zeros(1 if self._entropic else 0)  # only whether there are some is looked at
        offset = centres_kernel(self._values, logs, sums.sums, mass, table)
        return LabelCentres(table, offset, self._values, not self._entropic, self._degrees)


def median_plan(
    workers: Crew,
    matrix: LabelMatrix,
    coding: Coding,
    method: str,
    params: Params,
    n_clusters: int,
    seed: int,
    rows: NDArray,
) -> LabelPlan:
    """Centres from the rows of the sample, which the one-machine method has separated."""
    found = run_consensus(method, Ensemble.from_labels(rows), n_clusters, params, seed)
    utility = params.utility if isinstance(params, KCCParams) else "U_c"
    n_each = np.diff(coding.offsets)
    values = np.repeat(utility_weights(coding.sizes, n_each, utility), n_each)
    return LabelPlan(
        coding, values, utility.endswith("H"), method == "sec", _counted(coding, rows, found.labels, method)
    )


def _counted(coding: Coding, rows: NDArray, labels: NDArray, method: str) -> Sums:
    """What the sample adds up to under the labels it got."""
    clusters = coding.clusters(Tile(0, rows))
    ids = clusters.ids.reshape(len(rows), -1)
    counts = np.zeros((len(coding.sizes), int(labels.max()) + 1))
    np.add.at(counts, (ids, labels[:, None]), 1.0)
    weights = coding.sizes[ids].sum(axis=1) if method == "sec" else np.ones(len(rows))
    return Sums(counts, np.bincount(labels, weights), 0.0, 0.0, ids[0])
