"""Growing trees as the published code of Li, Qian and Wang (2021) grows them, a variant of GoT; no method itself."""

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..growth.distances import refined_log_distance
from ..growth.ground import local_density, representative_capacity
from ..growth.growing import gray_threshold
from ..runtime.monitor import SILENT, Monitor

#: Sums of logarithms that differ by less are equal.
_ZERO = 1e-12


def grow_as_published(
    distance: NDArray[np.float64], prototypes: NDArray[np.int64], monitor: Monitor = SILENT
) -> NDArray[np.int32]:
    """Labels of objects after trees grew on the refined distance.

    It departs from Algorithm 2: the tie of two objects is -p rather than a; margins are scaled to [0, 1] in every
    round; the threshold is MATLAB's 256-bin graythresh, and margins that equal it join (all do if all are equal);
    once every margin is 0, the rest becomes a cluster of its own.

    Parameters
    ----------
    distance : (N, N) float64
        See `engine.evidence.refined_log_distance`.
    prototypes : (k,) int
        Different objects; k >= 2.
    monitor : Monitor, optional

    Returns
    -------
    (N,) int32
        0..k-1, and k for the rest: up to k + 1 clusters.

    References
    ----------
    li2021got, published code.
    """
    n, k = len(distance), len(prototypes)
    labels = np.full(n, k, np.int32)
    labels[prototypes] = np.arange(k)
    to_tree = distance[:, prototypes].copy()
    waiting = np.setdiff1d(np.arange(n), prototypes)
    while len(waiting):
        monitor.tick("growing trees", n - len(waiting), n)
        two = np.partition(to_tree[waiting], 1, axis=1)
        margins = two[:, 1] - two[:, 0]
        if margins.max() <= _ZERO:
            break
        chosen = waiting[_selected(margins)]
        labels[chosen] = np.argmin(to_tree[chosen], axis=1)
        for t in range(k):
            fresh = chosen[labels[chosen] == t]
            if len(fresh):
                to_tree[:, t] = np.minimum(to_tree[:, t], distance[:, fresh].min(axis=1))
        waiting = waiting[labels[waiting] == k]
    monitor.tick("growing trees", n, n)
    return labels


def _selected(margins: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Who joins: scaled margins that reach the threshold, or all if they are equal."""
    span = np.ptp(margins)
    if span <= _ZERO:
        return np.ones(len(margins), bool)
    scaled = (margins - margins.min()) / span
    return scaled >= gray_threshold(scaled)


def published_trees(ensemble: Ensemble, n_clusters: int, monitor: Monitor) -> NDArray[np.int32]:
    """What the authors' code answers, on objects: prototypes by capacity alone, growth on the refined distance.

    Of equal capacities the object that was given first wins, as in the code: this variant follows the order of rows.
    """
    micro = ensemble.microclusters
    if n_clusters == len(micro):
        return micro.assignment
    as_given = np.argsort(ensemble.objects)
    distance = refined_log_distance(ensemble, monitor)[np.ix_(as_given, as_given)]
    density = local_density(ensemble)
    capacity = representative_capacity(distance, micro.expand(density)[as_given], monitor)
    prototypes = np.argsort(-capacity, kind="stable")[:n_clusters]
    monitor.record("density", density)
    return grow_as_published(distance, prototypes, monitor)[ensemble.objects]
