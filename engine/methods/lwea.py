"""Locally weighted evidence accumulation: reliable clusters count more.

Huang, Wang and Lai, "Locally weighted ensemble clustering", IEEE T. Cybernetics 48(5), 2018, Algorithm 1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.consensus import ConsensusMethod
from engine.ensemble import Ensemble
from engine.evidence import ensemble_driven_cluster_index, weighted_co_association
from engine.monitor import Monitor
from engine.params import Params, param
from engine.partition import cut, linkage


@dataclass(frozen=True)
class LWEAParams(Params):
    """Parameters of LWEA."""

    theta: float = param(
        0.4,
        symbol="θ",
        doc="How hard uncertain clusters are punished; the paper advises 0.2 to 1.",
        raising="Raising it treats all clusters more alike; lowering it trusts only the most certain ones.",
        low=0.0,
        low_open=True,
        slider=(0.05, 4.0),
        log=True,
    )


def lwea(
    ensemble: Ensemble, n_clusters: int, params: LWEAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Weigh clusters by ECI, count meetings with these weights, and merge what meets most."""
    micro = ensemble.microclusters
    eci = ensemble_driven_cluster_index(ensemble, params.theta, monitor)
    monitor.record("cluster_weights", eci)
    similarity = weighted_co_association(ensemble, eci, monitor)
    monitor.record("similarity", similarity)
    tree = linkage(similarity, micro.sizes, "average", monitor, overwrite=True)
    monitor.record("dendrogram", tree)
    return micro.expand(cut(tree, n_clusters))


METHOD = ConsensusMethod(
    key="lwea",
    title="LWEA",
    params=LWEAParams,
    run=lwea,
    reference="huang2018lwea",
    needs=frozenset({"dense"}),
    summary="Like EAC, but clusters that the other clusterings confirm count more.",
)
