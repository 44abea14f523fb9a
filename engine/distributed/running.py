"""A consensus over tiles of rows: what is shared with the one-machine methods, and what is summed instead."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..consensus import find_method, run_consensus
from ..ensemble import Ensemble
from ..params import Params
from ..runtime.errors import InvalidParameterError, MissingEvidenceError
from ..runtime.monitor import SILENT, Monitor
from .coding import Coding, coding_of, scan
from .crew import Crew, crew
from .files import numbered, require_writable, write_labels
from .passes import sampled
from .plans import Plan, cut_plan, median_plan
from .tiles import TILE, LabelMatrix, open_labels

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
        One base clustering a column; whole numbers, -1 and NaN are missing. Files as in `open_labels`.
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
    begun, chosen = time.perf_counter(), _checked(method, params)
    for name, value in (("sample", sample), ("tile", tile)):
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
            raise InvalidParameterError(f"{name} must be an integer of at least 1. Got {value!r}")
    require_writable(out)
    matrix = open_labels(labels, tile)
    with crew(scheduler, monitor) as workers:
        coding = coding_of(matrix, list(workers.over(matrix.tiles, "looking through the labels", scan)))
        _require_possible(method, n_clusters, coding)
        found, rounds = _answer(workers, matrix, coding, method, chosen, n_clusters, seed, sample, monitor)
        held = None if out is not None else np.concatenate(list(found))
        k = int(held.max()) + 1 if held is not None else write_labels(found, matrix.n_objects, out or "")
    return DistributedConsensus(held, method, chosen, k, matrix.n_objects, seed, rounds, time.perf_counter() - begun)


def _checked(method: str, params: Mapping[str, Any] | Params | None) -> Params:
    if method not in _PLANS:
        raise InvalidParameterError(f"method must be one of {', '.join(_PLANS)}. Got {method!r}")
    chosen = find_method(method).params.of(params)
    if chosen.as_dict().get("partitioner", "spectral") != "spectral":
        raise InvalidParameterError("HBGF over tiles needs partitioner='spectral': METIS sees the whole graph at once")
    return chosen


def _require_possible(method: str, n_clusters: int, coding: Coding) -> None:
    if isinstance(n_clusters, bool) or not isinstance(n_clusters, int | np.integer) or n_clusters < 2:
        raise InvalidParameterError(f"n_clusters must be an integer of at least 2. Got {n_clusters!r}")
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
    plan = _PLANS[method](workers, matrix, coding, method, params, n_clusters, seed, rows)
    rounds = plan.settle(workers, matrix)
    labels = workers.over(matrix.tiles, "labelling", plan.labels, *plan.shared())
    return numbered(labels, n_clusters), rounds
