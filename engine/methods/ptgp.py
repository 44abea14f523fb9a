"""Probability trajectory based graph partitioning: cut the graph of microclusters and clusters that travel alike.

Huang, Lai and Wang, "Robust ensemble clustering using probability trajectories", IEEE TKDE 28(5), 2016, Algorithm 3.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..evidence.cluster_trajectories import cluster_trajectory_form, cluster_trajectory_similarity
from ..graphs.bipartite_graphs import DenseGraph
from ..graphs.transfer_cuts import tcut
from ..runtime.monitor import Monitor
from ..similarities.trajectories import WalkParams
from ..walks.trajectories import trajectory_similarity
from .elite_walks import elite_walk


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
    formula=(
        r"b_{iC} = \frac{1}{|C|} \sum_{j \in C} \mathrm{PTS}_{ij}, \qquad \text{walks of } <T> \text{ steps "
        r"on } <K> \text{ links each}"
    ),
    try_this="compare it with PTA under the same K and T: the walks are the same, the cut is not.",
    params=PTGPParams,
    run=ptgp,
    reference="huang2016pta",
    family="graphs",
    summary="Like PTA, but draws microclusters and clusters as one graph, and cuts it where walkers part.",
)
