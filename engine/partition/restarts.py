"""k-means on weighted points, restarted until the best of many is kept."""

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from ..numerics.kmeans_seeds import n_draws
from ..numerics.lloyd import best_run
from ..partition.empty_parts import fill_empty_parts
from ..runtime.blocks import map_blocks, n_threads
from ..runtime.monitor import SILENT, Monitor

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
        Taken as it is, without a copy, where its columns are contiguous.
    weights : (n,)
        Objects each point stands for.
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
    """
    columns = np.ascontiguousarray(np.asarray(points, dtype=np.float64).T)
    weights = np.ascontiguousarray(weights, dtype=np.float64)
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


def _runs_a_call(columns: NDArray, n_restarts: int) -> int:
    """Runs between two looks at the monitor: few points need several to be worth a call, many are a call each."""
    return max(1, min(-(-n_restarts // n_threads()), _NUMBERS_A_CALL // columns.size))


def _distances(points: NDArray, weights: NDArray) -> NDArray:
    """Squared distance of each point to the weighted mean of all."""
    return ((points - np.average(points, axis=0, weights=weights)) ** 2).sum(axis=1)
