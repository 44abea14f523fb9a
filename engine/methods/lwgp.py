"""Locally weighted graph partitioning: cut the graph of objects and reliable clusters.

Huang, Wang and Lai, "Locally weighted ensemble clustering", IEEE T. Cybernetics 48(5), 2018, Algorithm 2.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.consensus import ConsensusMethod
from engine.ensemble import Ensemble
from engine.evidence import ensemble_driven_cluster_index
from engine.methods.lwea import LWEAParams
from engine.monitor import Monitor
from engine.partition import BipartiteGraph, tcut


@dataclass(frozen=True)
class LWGPParams(LWEAParams):
    """Parameters of LWGP: those of LWEA."""


def lwgp(
    ensemble: Ensemble, n_clusters: int, params: LWGPParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join every object to its clusters with weight ECI, and cut the graph into k parts."""
    micro = ensemble.microclusters
    eci = ensemble_driven_cluster_index(ensemble, params.theta, monitor)
    monitor.record("cluster_weights", eci)
    return micro.expand(tcut(BipartiteGraph.of(ensemble, eci), micro.sizes, n_clusters, rng, monitor))


METHOD = ConsensusMethod(
    key="lwgp",
    title="LWGP",
    params=LWGPParams,
    run=lwgp,
    reference="huang2018lwea",
    summary="Draws objects and clusters as one graph, edges weighted by reliability, and cuts it where it is thinnest.",
)
