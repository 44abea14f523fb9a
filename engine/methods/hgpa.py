"""Hypergraph partitioning: every cluster is a hyperedge, and as few of them as can be are cut.

Strehl and Ghosh, "Cluster ensembles - a knowledge reuse framework for combining multiple partitions", JMLR 3, 2002,
Section 3.3. The paper cuts with hMETIS, which is not free; here Mt-KaHyPar does, with the same objective.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod, always
from ..ensemble import Ensemble
from ..graphs.hypergraph_cuts import hypergraph_partition
from ..params import Params
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class HGPAParams(Params):
    """HGPA has no parameters."""


def hgpa(
    ensemble: Ensemble, n_clusters: int, params: HGPAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Cut the hypergraph of microclusters (weight r) and clusters into k parts."""
    micro = ensemble.microclusters
    monitor.tick("joining objects by clusters", 0, 1)
    labels, n_repaired = hypergraph_partition(ensemble.clusters.incidence(), micro.sizes, n_clusters, rng, monitor)
    monitor.record("repaired", n_repaired)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="hgpa",
    title="HGPA",
    formula=r"\min_{\text{parts } 1 \ldots <k>} \sum_{C} [C \text{ is cut}]",
    try_this="lower k range in the sidebar: the larger the clusters, the harder it is to cut none of them.",
    params=HGPAParams,
    run=hgpa,
    reference="strehl2002",
    family="graphs",
    needs=frozenset({"mtkahypar"}),
    balanced=always,
    summary="Takes every cluster as a bond of all its objects, and parts them so that few bonds are cut.",
)
