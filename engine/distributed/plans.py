"""Rounds over tiles: centres are found from a sample, rows assigned where they lie, sums added up, centres moved here.

LWGP, U-SENC and HBGF cut the graph between clusters, which is a sum over rows; KCC and SEC count labels in clusters.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..clusters.reliability import eci_of, uncertainty_of_counts
from ..consensus import run_consensus
from ..ensemble import Ensemble
from ..graphs.transfer_cuts import require_columns, transfer_vectors
from ..medians.label_kmeans import MAX_ROUNDS
from ..medians.label_means import centres_kernel
from ..medians.label_rows import utility_weights
from ..medians.lloyd import MAX_ITER, TOLERANCE
from ..medians.restarts import weighted_kmeans
from ..methods.kcc import KCCParams
from ..methods.lwgp import LWGPParams
from ..params import Params
from ..runtime.memory import require_memory
from ..runtime.monitor import Monitor
from .coding import Coding
from .crew import Crew
from .passes import LabelCentres, Sums, between, cut_labels, cut_round, embedded, label_labels, label_round, shared
from .tiles import LabelMatrix, Tile


class Plan(ABC):
    """Centres, and how they move: `round(tile, *shared())` gives Sums, `labels` likewise (rows,); `most` rounds."""

    round: Callable[..., Sums]
    labels: Callable[..., Any]
    most: int

    @abstractmethod
    def shared(self) -> tuple:
        """What every tile needs to know, the centres among it."""

    @abstractmethod
    def move(self, sums: Sums) -> bool:
        """Move the centres to the means; whether they have come to rest."""

    def settle(self, workers: Crew, matrix: LabelMatrix) -> int:
        """Go round until the centres rest; how many rounds it took."""
        for done in range(1, self.most + 1):
            if self.move(workers.added(matrix.tiles, f"moving centres, round {done}", self.round, *self.shared())):
                return done
        return self.most


class _TiledGraph:
    """Objects and the clusters they lie in, through what eigenvectors need: one sum over all rows."""

    def __init__(self, workers: Crew, matrix: LabelMatrix, coding: Coding, weights: NDArray) -> None:
        self._workers, self._matrix, self._coding, self._weights = workers, matrix, coding, weights
        self.shape = matrix.n_objects, len(weights)

    def between_clusters(self, row_weights: NDArray, monitor: Monitor) -> NDArray[np.float64]:
        """B^T D_x^-1 B: (K, K); rows weigh 1 here."""
        shared = self._coding, self._weights
        return self._workers.added(self._matrix.tiles, "joining clusters through objects", between, *shared)


class CutPlan(Plan):
    """k-means of the spectral embedding, which is made anew for every tile and never stored."""

    round, labels, most = staticmethod(cut_round), staticmethod(cut_labels), MAX_ITER

    def __init__(self, coding: Coding, weights: NDArray, vectors: NDArray, points: NDArray, labels: NDArray) -> None:
        self._given = coding, weights, vectors
        k = int(labels.max()) + 1
        self._centres = np.stack([points[labels == a].mean(axis=0) for a in range(k)])
        self._tolerance = TOLERANCE * float(points.var(axis=0).mean())

    def shared(self) -> tuple:
        """Coding, weights, vectors, centres."""
        return *self._given, self._centres

    def move(self, sums: Sums) -> bool:
        """To the means; an emptied part begins anew at the row that lies farthest from its centre."""
        full = sums.mass > 0
        means = np.where(full[:, None], sums.sums / np.maximum(sums.mass, 1)[:, None], self._centres)
        if not full.all():
            means[int(np.flatnonzero(~full)[0])] = sums.worst_row
        moved = float(((means - self._centres) ** 2).sum())
        self._centres = means
        return moved <= self._tolerance and bool(full.all())


def cut_plan(
    workers: Crew,
    matrix: LabelMatrix,
    coding: Coding,
    method: str,
    params: Params,
    n_clusters: int,
    seed: int,
    rows: NDArray,
) -> CutPlan:
    """Vectors of the cut from all rows, centres from the rows of the sample."""
    require_columns(n_clusters, len(coding.sizes))
    require_memory("the graph between clusters", 3 * 8 * len(coding.sizes) ** 2)
    weights = np.ones(len(coding.sizes))
    if isinstance(params, LWGPParams):
        weights = _reliabilities(workers, matrix, coding, params.theta)
    vectors = transfer_vectors(_TiledGraph(workers, matrix, coding, weights), np.ones(0), n_clusters)
    points = embedded(Tile(0, rows), coding, weights, vectors)
    labels, _ = weighted_kmeans(points, np.ones(len(points)), n_clusters, np.random.default_rng(seed))
    return CutPlan(coding, weights, vectors, points, labels)


def _reliabilities(workers: Crew, matrix: LabelMatrix, coding: Coding, theta: float) -> NDArray[np.float64]:
    """ECI of every cluster, (K,)."""
    counts = workers.added(matrix.tiles, "counting what clusters share", shared, coding)
    return eci_of(uncertainty_of_counts(np.maximum(counts, counts.T), coding.offsets), theta, matrix.n_clusterings)


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
