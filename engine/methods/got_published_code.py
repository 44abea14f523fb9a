"""Growing trees as the published code of Li, Qian and Wang (2021) has them, a variant of GoT; no method itself."""

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..growth.distances import refined_log_distance
from ..growth.ground import local_density, representative_capacity
from ..partition.published_growth import grow_as_published
from ..runtime.monitor import Monitor


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
