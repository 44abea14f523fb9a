"""Probability trajectory based graph partitioning: cut the graph of microclusters and clusters that travel alike.

Huang, Lai and Wang, "Robust ensemble clustering using probability trajectories", IEEE TKDE 28(5), 2016, Algorithm 3.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.consensus import ConsensusMethod
from engine.ensemble import Ensemble
from engine.evidence import cluster_trajectory_form, cluster_trajectory_similarity, trajectory_similarity
from engine.methods.pta import WalkParams, elite_walk
from engine.monitor import Monitor
from engine.partition import DenseGraph, tcut


@dataclass(frozen=True)
class PTGPParams(WalkParams):
    """Parameters of PTGP."""


def ptgp(
    ensemble: Ensemble, n_clusters: int, params: PTGPParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join microclusters to clusters by how alike their walkers travel, and cut the graph into k parts."""
    micro = ensemble.microclusters
    graph, T = elite_walk(ensemble, params, monitor)
    form = cluster_trajectory_form(ensemble, graph, T)
    monitor.record("walk", {"K": params.on(len(micro))[0], "T": T, "form": form})
    monitor.record("trajectories", lambda: trajectory_similarity(graph, micro.sizes, T, monitor))
    links = cluster_trajectory_similarity(ensemble, graph, T, monitor, form=form)
    return micro.expand(tcut(DenseGraph(links), np.ones(len(micro)), n_clusters, rng, monitor))


METHOD = ConsensusMethod(
    key="ptgp",
    title="PTGP",
    params=PTGPParams,
    run=ptgp,
    reference="huang2016pta",
    summary="Like PTA, but draws microclusters and clusters as one graph, and cuts it where walkers part.",
)
