"""k-means on weighted points, restarted until the best of many is kept."""

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from engine.blocks import map_blocks
from engine.monitor import SILENT, Monitor
from engine.partition.empty_parts import fill_empty_parts
from engine.partition.lloyd import kmeans_run, n_draws


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
    points, weights = np.ascontiguousarray(points, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    uniforms = rng.random((n_restarts, *n_draws(n_clusters)))
    best: list[tuple[float, int, NDArray]] = []
    lock = Lock()

    def restart(start: int, stop: int) -> None:
        for i in range(start, stop):
            labels = kmeans_run(points, weights, n_clusters, uniforms[i])
            candidate = (-between_scatter(points, weights, labels), i, labels)
            with lock:
                best[:] = [min([*best, candidate], key=lambda one: one[:2])]

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
