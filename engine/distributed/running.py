"""A consensus over tiles of rows: what is shared with the one-machine methods, and what is summed instead.

LWGP, U-SENC and HBGF cut the graph between clusters, which is a sum over rows; KCC and SEC count labels in clusters, in
rounds: centres are found from a sample, rows assigned where they lie, sums added up, centres moved here.
"""

import os
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..clusters.reliability import relative_eci, uncertainty_of_counts
from ..consensus import find_method, run_consensus, several_clusters
from ..ensemble import Ensemble
from ..ensemble.canonical import row_codes
from ..graphs.spectral_cuts import require_columns, transfer_vectors
from ..medians.label_kmeans import MAX_ROUNDS, utility_weights
from ..medians.label_means import centres_kernel
from ..medians.lloyd import MAX_ITER, TOLERANCE
from ..medians.restarts import weighted_kmeans
from ..methods.kcc import KCCParams
from ..methods.lwgp import LWGPParams
from ..params import Params, one_of, require_integer
from ..runtime.errors import InvalidParameterError, MissingEvidenceError
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor, Quiet
from .crew import Crew, crew
from .files import heard_by, numbered, require_writable, write_labels
from .passes import (
    LabelCentres,
    Sums,
    between,
    cut_labels,
    cut_round,
    embedded,
    label_labels,
    label_round,
    sampled,
    shared,
)
from .tiles import TILE, Coding, LabelMatrix, Tile, as_integers, coding_of, marked, open_labels, scan


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
    """ECI of every cluster over the largest, (K,)."""
    counts = workers.added(matrix.tiles, "counting what clusters share", shared, coding)
    uncertainty = uncertainty_of_counts(np.maximum(counts, counts.T), coding.offsets)
    return relative_eci(uncertainty, theta, matrix.n_clusterings)


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
    entropic, begun = utility.endswith("H"), _counted(coding, rows, found.labels, method)
    if entropic:  # a label that the sample of a cluster lacks would cost all rows 52 bits, wherever they belong
        begun = replace(begun, sums=begun.sums + (coding.sizes / matrix.n_objects)[:, None], mass=begun.mass + 1)
    return LabelPlan(coding, values, entropic, method == "sec", begun)


def _counted(coding: Coding, rows: NDArray, labels: NDArray, method: str) -> Sums:
    """What the sample adds up to under the labels it got."""
    clusters = coding.clusters(Tile(0, rows))
    ids = clusters.ids.reshape(len(rows), -1)
    counts = np.zeros((len(coding.sizes), int(labels.max()) + 1))
    np.add.at(counts, (ids, labels[:, None]), 1.0)
    weights = coding.sizes[ids].sum(axis=1) if method == "sec" else np.ones(len(rows))
    return Sums(counts, np.bincount(labels, weights), 0.0, 0.0, ids[0])


def _require_told_apart(rows: NDArray, n_clusters: int) -> None:
    """Refuse a sample in which fewer than k groups of rows differ: k centres would begin nowhere."""
    n_groups = len(np.unique(row_codes(as_integers(rows).view(np.float64))))
    if n_groups < n_clusters:
        raise InvalidParameterError(
            f"n_clusters must be at most {n_groups:,}, the groups that the sample, {len(rows):,} of all rows, "
            f"tells apart. Got {n_clusters:,}: ask for fewer clusters, or for a larger sample"
        )


#: Rows of the sample in which k-means finds its centres. What is no larger is answered by the one-machine method.
SAMPLE = 100_000

_PLANS: dict[str, Callable[..., Plan]] = {
    "lwgp": cut_plan,
    "usenc": cut_plan,
    "hbgf": cut_plan,
    "kcc": median_plan,
    "sec": median_plan,
}
#: Methods that touch objects in sums alone.
METHODS = tuple(_PLANS)


@dataclass(frozen=True, eq=False)
class DistributedConsensus:
    """What a method answered.

    Attributes
    ----------
    labels : (N,) int32 or None
        0..k-1, numbered by first appearance; None where they were written to a file.
    method : str
    params : Params
    n_clusters : int
        The number of clusters found.
    n_objects : int
        N.
    n_clusterings : int
        M: columns that were read as base clusterings.
    seed : int
    rounds : int
        Passes of k-means over all rows; 0 where the sample was everything.
    seconds : float
        Wall-clock time, reading included.
    """

    labels: NDArray[np.int32] | None
    method: str
    params: Params
    n_clusters: int
    n_objects: int
    n_clusterings: int
    seed: int
    rounds: int
    seconds: float


def distributed_consensus(
    labels: Any,
    method: str,
    n_clusters: int,
    params: Mapping[str, Any] | Params | None = None,
    seed: int = 0,
    out: str | os.PathLike | None = None,
    scheduler: str | None = None,
    monitor: Monitor = SILENT,
    sample: int = SAMPLE,
    tile: int = TILE,
) -> DistributedConsensus:
    """Find the consensus of a label matrix that need not fit into memory.

    The labels are the same for any chunks or files, and for any number of workers: rows are cut into tiles by their
    number, and sums are added in the order of the tiles. Workers hand back sums over clusters (K x K, k x K), a sample
    of rows, and in the end the labels.

    Parameters
    ----------
    labels : str, path, list of paths, (N, M) dask.array or (N, M) array
        One base clustering a column; whole numbers, -1 and NaN are missing, which KCC and SEC refuse here. Files as in
        `open_labels`.
    method : {"lwgp", "usenc", "hbgf", "kcc", "sec"}
    n_clusters : int
        k, at least 2.
    params : mapping or Params, optional
        Of the method. HBGF: the spectral partitioner. KCC and SEC move single objects in the sample alone.
    seed : int
    out : path, optional
        Where to write the labels: .parquet (column "label") or .npy. Without it they are handed back.
    scheduler : str, optional
        Address of a Dask scheduler, whose workers see the same files; by default threads of this process.
    monitor : Monitor, optional
    sample : int
        Rows in which k-means finds the centres it starts from, about; the one-machine method separates them.
    tile : int
        Rows of a tile: another number may round sums otherwise.

    Returns
    -------
    DistributedConsensus

    Raises
    ------
    InvalidEnsembleError
        Before any work: files that do not belong together, or a row that cannot be labels; named with its row.
    InvalidParameterError, MissingEvidenceError, MissingExtraError, TooLargeError
    SchedulerError
        If the scheduler cannot be reached, or its workers are lost again and again.
    Cancelled
        The monitor asked to stop.

    Examples
    --------
    >>> rows = np.repeat([[0, 0], [1, 1], [1, 2]], 4, axis=0)
    >>> distributed_consensus(rows, "lwgp", 2).labels.tolist()
    [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]
    """
    begun, chosen, seed = time.perf_counter(), _checked(method, params), require_integer("seed", seed)
    for name, value in (("sample", sample), ("tile", tile)):
        require_integer(name, value, 1)
    require_writable(out, labels)
    with heard_by(Quiet(lambda: monitor.tick("looking at the files", 0, 1))):
        matrix = open_labels(labels, tile)
    with crew(scheduler, monitor) as workers:
        seen = list(workers.over(matrix.tiles, "looking through the labels", scan))
        coding, matrix = coding_of(matrix, seen), marked(matrix, seen)
        _require_possible(method, n_clusters, coding)
        found, rounds = _answer(workers, matrix, coding, method, chosen, n_clusters, seed, sample, monitor)
        held = None if out is not None else np.concatenate(list(found))
        k = int(held.max()) + 1 if held is not None else write_labels(found, matrix.n_objects, out or "")
    seconds, n, m = time.perf_counter() - begun, matrix.n_objects, matrix.n_clusterings
    return DistributedConsensus(held, method, chosen, k, n, m, seed, rounds, seconds)


def _checked(method: str, params: Mapping[str, Any] | Params | None) -> Params:
    chosen = find_method(one_of("method", method, _PLANS)).params.of(params)
    if chosen.as_dict().get("partitioner", "spectral") != "spectral":
        raise InvalidParameterError("HBGF over tiles needs partitioner='spectral': METIS sees the whole graph at once")
    return chosen


def _require_possible(method: str, n_clusters: int, coding: Coding) -> None:
    several_clusters(n_clusters)
    if method in ("kcc", "sec") and not coding.complete:
        raise MissingEvidenceError(
            f"{find_method(method).title} over tiles needs a label of every object in every base clustering; "
            "LWGP, U-SENC and HBGF take missing ones"
        )


def _answer(
    workers: Crew,
    matrix: LabelMatrix,
    coding: Coding,
    method: str,
    params: Params,
    n_clusters: int,
    seed: int,
    sample: int,
    monitor: Monitor,
) -> tuple[Iterator[NDArray[np.int32]], int]:
    """Labels of the tiles in order, and the rounds they took."""
    share = min(1.0, sample / matrix.n_objects)
    rows = np.concatenate(list(workers.over(matrix.tiles, "drawing a sample", sampled, share)))
    if share == 1:
        whole = run_consensus(method, Ensemble.from_labels(rows), n_clusters, params, seed, monitor)
        return iter([whole.labels]), 0
    _require_told_apart(rows, n_clusters)
    plan = _PLANS[method](workers, matrix, coding, method, params, n_clusters, seed, rows)
    rounds = plan.settle(workers, matrix)
    labels = workers.over(matrix.tiles, "labelling", plan.labels, *plan.shared())
    return numbered(labels, n_clusters), rounds
