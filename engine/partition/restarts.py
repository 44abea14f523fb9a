"""k-means on weighted points, restarted until the best of many is kept."""

import warnings

import numpy as np
from numpy.typing import NDArray

from engine.blocks import map_blocks
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
    """
    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning

    seeds = rng.integers(2**31, size=n_restarts)
    best: list[tuple[float, int, NDArray]] = []

    def restart(start: int, stop: int) -> None:
        for i in range(start, stop):
            fit = KMeans(n_clusters, n_init=1, random_state=int(seeds[i])).fit(points, sample_weight=weights)
            best.append((fit.inertia_, i, fit.labels_))
            best[:] = [min(best, key=lambda candidate: candidate[:2])] if len(best) > 4 else best

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # fewer distinct points than k: repaired below
        map_blocks(restart, n_restarts, monitor, "separating the embedding", block=1)
    labels = min(best, key=lambda candidate: candidate[:2])[2]
    return fill_empty_parts(labels, weights, n_clusters, lambda members: -_distances(points[members], weights[members]))


def _distances(points: NDArray, weights: NDArray) -> NDArray:
    """Squared distance of each point to the weighted mean of all."""
    return ((points - np.average(points, axis=0, weights=weights)) ** 2).sum(axis=1)
