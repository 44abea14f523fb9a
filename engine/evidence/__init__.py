"""What an ensemble says about its objects: weights of clusters, and matrices between objects."""

from engine.evidence.cluster_reliability import cluster_uncertainty, ensemble_driven_cluster_index
from engine.evidence.pair_counts import (
    co_association,
    locally_weighted_co_association,
    weighted_co_association,
)

__all__ = [
    "cluster_uncertainty",
    "co_association",
    "ensemble_driven_cluster_index",
    "locally_weighted_co_association",
    "weighted_co_association",
]
