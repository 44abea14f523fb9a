"""Hypergraph partitioning: every cluster is a hyperedge, and as few of them as can be are cut.

Strehl and Ghosh, "Cluster ensembles - a knowledge reuse framework for combining multiple partitions", JMLR 3, 2002,
Section 3.3. The paper cuts with hMETIS, which is not free; here Mt-KaHyPar does, with the same objective.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.consensus import ConsensusMethod
from engine.ensemble import Ensemble
from engine.evidence import cluster_incidence
from engine.monitor import Monitor
from engine.params import Params
from engine.partition import hypergraph_partition


@dataclass(frozen=True)
class HGPAParams(Params):
    """HGPA has no parameters."""


def hgpa(
    ensemble: Ensemble, n_clusters: int, params: HGPAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Cut the hypergraph of microclusters (weight r) and clusters into k parts."""
    micro = ensemble.microclusters
    monitor.tick("joining objects by clusters", 0, 1)
    labels, n_repaired = hypergraph_partition(cluster_incidence(ensemble), micro.sizes, n_clusters, rng, monitor)
    monitor.record("repaired", n_repaired)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="hgpa",
    title="HGPA",
    params=HGPAParams,
    run=hgpa,
    reference="strehl2002",
    needs=frozenset({"mtkahypar"}),
    balanced=True,
    summary="Takes every cluster as a bond of all its objects, and parts them so that few bonds are cut.",
)
