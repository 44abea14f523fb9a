"""k-means on weighted points, the best of many runs, and the repair that leaves exactly k non-empty parts."""

from collections.abc import Callable
from threading import Lock

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..ensemble.reading_labels import as_numbers, as_points
from ..params.declaring import require_integer
from ..runtime.blocks import map_blocks, n_threads
from ..runtime.errors import InvalidParameterError, shown
from ..runtime.monitor import SILENT, Monitor
from .lloyd import best_run, n_draws


def fill_empty_parts(
    labels: NDArray,
    sizes: NDArray,
    n_parts: int,
    tie: Callable[[NDArray[np.int64]], NDArray],
    give: str = "one",
) -> tuple[NDArray[np.int32], int]:
    """Split the heaviest parts until there are `n_parts` of them.

    While parts are missing, the heaviest part that has two members gives up those least tied to it: one, or
    half of them. Equal weights and equal ties go to the lower index.

    Parameters
    ----------
    labels : (n,) int
        Values in 0..n_parts-1, some of which may not occur; n >= n_parts.
    sizes : (n,) int
        Objects each member stands for.
    n_parts : int
    tie : callable
        `tie(members) -> (len(members),)`: how strongly each belongs to the part the members form.
    give : "one" | "half"

    Returns
    -------
    labels : (n,) int32
        Every value 0..n_parts-1 occurs.
    n_repaired : int
        Parts that had to be made.
    """
    labels = np.array(labels, dtype=np.int32)
    missing = np.flatnonzero(np.bincount(labels, minlength=n_parts) == 0)
    for part in missing:
        counts = np.bincount(labels, minlength=n_parts)
        weight = np.bincount(labels, weights=sizes, minlength=n_parts)
        members = np.flatnonzero(labels == np.argmax(np.where(counts > 1, weight, -1)))
        n_given = 1 if give == "one" else len(members) // 2
        labels[members[np.argsort(tie(members), kind="stable")[:n_given]]] = part
    return labels, len(missing)


#: Coordinates a call of the kernel may go through, all its runs together.
_NUMBERS_A_CALL = 1_000_000


def weighted_kmeans(
    points: NDArray,
    weights: NDArray,
    n_clusters: int,
    rng: np.random.Generator,
    n_restarts: int = 20,
    monitor: Monitor = SILENT,
) -> tuple[NDArray[np.int32], int]:
    """Labels of the best of `n_restarts` runs of k-means (k-means++ seeds) on weighted points.

    Parameters
    ----------
    points : (n, d) float
        Finite, and below 1e100 in absolute value. Taken as it is, without a copy, where its columns are contiguous.
    weights : (n,)
        Objects each point stands for, none negative.
    n_clusters : int
        k, at most n.
    rng : Generator
        Every restart gets random numbers of its own, drawn beforehand: the result does not depend on threads.
    n_restarts : int
    monitor : Monitor, optional

    Returns
    -------
    labels : (n,) int32
        Exactly k values; the lowest inertia, the earlier restart if equal.
    n_repaired : int
        Clusters that had to be made because points coincide (see `fill_empty_parts`).

    Raises
    ------
    InvalidParameterError, Cancelled
    """
    points = as_points(points, name="points", least=1)
    columns, weights = np.ascontiguousarray(points.T), _as_weights(weights, len(points))
    if require_integer("n_clusters", n_clusters, 1) > len(points):
        raise InvalidParameterError(f"n_clusters must be at most {len(points):,}, the points. Got {n_clusters}")
    require_integer("n_restarts", n_restarts, 1)
    uniforms = rng.random((n_restarts, *n_draws(n_clusters)))
    best: list[tuple[float, int, NDArray]] = []
    lock = Lock()

    def restart(start: int, stop: int) -> None:
        labels, scatter, run = best_run(columns, weights, uniforms[start:stop])
        with lock:
            best[:] = [min([*best, (-scatter, start + run, labels)], key=lambda one: one[:2])]

    map_blocks(restart, n_restarts, monitor, "separating the embedding", block=_runs_a_call(columns, n_restarts))

    def tie(members: NDArray) -> NDArray:
        return -_distances(points[members], weights[members])

    return fill_empty_parts(best[0][2], weights, n_clusters, tie)


def _as_weights(weights: ArrayLike, n: int) -> NDArray[np.float64]:
    given = np.ascontiguousarray(as_numbers(weights, "weights", "numbers"))
    if given.shape != (n,) or not (np.isfinite(given) & (given >= 0)).all() or not given.any():
        raise InvalidParameterError(f"weights must be {n:,} finite numbers, none negative. Got {shown(weights)}")
    return given


def _runs_a_call(columns: NDArray, n_restarts: int) -> int:
    """Runs between two looks at the monitor: few points need several to be worth a call, many are a call each."""
    return max(1, min(-(-n_restarts // n_threads()), _NUMBERS_A_CALL // columns.size))


def _distances(points: NDArray, weights: NDArray) -> NDArray:
    """Squared distance of each point to the weighted mean of all."""
    return ((points - np.average(points, axis=0, weights=weights)) ** 2).sum(axis=1)
