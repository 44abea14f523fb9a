"""k-means on weighted points, restarted until the best of many is kept."""

import warnings
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from engine.blocks import map_blocks, single_threaded_libraries
from engine.monitor import SILENT, Monitor
from engine.partition.empty_parts import fill_empty_parts


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
    weights : (n,)
        Objects each point stands for.
    n_clusters : int
        k, at most n.
    rng : Generator
        Every restart gets a seed of its own, drawn beforehand: the result does not depend on threads.
    n_restarts : int
    monitor : Monitor, optional

    Returns
    -------
    labels : (n,) int32
        Exactly k values; the lowest inertia, the earlier restart if equal.
    n_repaired : int
        Clusters that had to be made because points coincide (see `fill_empty_parts`).

    Notes
    -----
    Points are moved in float32; which restart is best is decided in float64.
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    seeds = rng.integers(2**31, size=n_restarts)
    single = np.ascontiguousarray(points, dtype=np.float32)
    best: list[tuple[float, int, NDArray]] = []
    lock = Lock()

    def restart(start: int, stop: int) -> None:
        for i in range(start, stop):
            fit = KMeans(n_clusters, n_init=1, random_state=int(seeds[i])).fit(single, sample_weight=weights)
            candidate = (-between_scatter(points, weights, fit.labels_), i, fit.labels_)
            with lock:
                best[:] = [min([*best, candidate], key=lambda one: one[:2])]

    with single_threaded_libraries(), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct points than k: repaired below
        map_blocks(restart, n_restarts, monitor, "separating the embedding", block=1)

    def tie(members: NDArray) -> NDArray:
        return -_distances(points[members], weights[members])

    return fill_empty_parts(best[0][2], weights, n_clusters, tie)


def between_scatter(points: NDArray, weights: NDArray, labels: NDArray) -> float:
    """Weighted scatter of the cluster means, in float64; the higher, the lower the inertia."""
    total = np.bincount(labels, weights)
    sums = np.stack([np.bincount(labels, weights * column) for column in points.T])
    return float((sums**2 / np.maximum(total, 1e-300)).sum())


def _distances(points: NDArray, weights: NDArray) -> NDArray:
    """Squared distance of each point to the weighted mean of all."""
    return ((points - np.average(points, axis=0, weights=weights)) ** 2).sum(axis=1)
