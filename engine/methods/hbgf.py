"""Hybrid bipartite graph formulation: cut the graph of objects and the clusters they lie in.

Fern and Brodley, "Solving cluster ensemble problems by bipartite graph partitioning", ICML 2004, Section 4.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.consensus import ConsensusMethod
from engine.ensemble import Ensemble
from engine.evidence import cluster_incidence
from engine.monitor import Monitor
from engine.params import Params, param
from engine.partition import BipartiteGraph, metis_bipartite, tcut


@dataclass(frozen=True)
class HBGFParams(Params):
    """Parameters of HBGF."""

    partitioner: Literal["metis", "spectral"] = param(
        "metis",
        symbol="partitioner",
        doc="What cuts the graph: METIS keeps parts of near-equal size; the spectral cut lets sizes differ.",
    )


def hbgf(
    ensemble: Ensemble, n_clusters: int, params: HBGFParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join every object to its clusters, and cut objects and clusters together into k parts.

    On microclusters: an edge r_a, a vertex r_a. Cluster vertices weigh 0, so that METIS balances objects only.
    """
    micro = ensemble.microclusters
    if params.partitioner == "spectral":
        graph = BipartiteGraph.of(ensemble, np.ones(ensemble.n_clusters_total))
        return micro.expand(tcut(graph, micro.sizes, n_clusters, rng, monitor))
    monitor.tick("joining objects and clusters", 0, 1)
    edges = cluster_incidence(ensemble, micro.sizes)
    labels, n_repaired = metis_bipartite(edges, micro.sizes, n_clusters, rng, monitor)
    monitor.record("repaired", n_repaired)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="hbgf",
    title="HBGF",
    params=HBGFParams,
    run=hbgf,
    reference="fern2004hbgf",
    balanced=True,
    summary="Draws objects and clusters as one graph with equal edges, and cuts both together.",
)
