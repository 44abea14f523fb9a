"""LWGP, U-SENC and HBGF over tiles: the graph between clusters is a sum over rows, and so is every round of k-means."""

import numpy as np
from numpy.typing import NDArray

from ..clusters.reliability import eci_of, uncertainty_of_counts
from ..graphs.transfer_cuts import require_columns, transfer_vectors
from ..medians.lloyd import MAX_ITER, TOLERANCE
from ..medians.restarts import weighted_kmeans
from ..methods.lwgp import LWGPParams
from ..params import Params
from ..runtime.memory import require_memory
from ..runtime.monitor import Monitor
from .coding import Coding
from .crew import Crew
from .passes import Sums, between, cut_labels, cut_round, embedded, shared
from .plans import Plan
from .tiles import LabelMatrix, Tile


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
