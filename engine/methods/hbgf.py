"""Hybrid bipartite graph formulation: cut the graph of objects and the clusters they lie in.

Fern and Brodley, "Solving cluster ensemble problems by bipartite graph partitioning", ICML 2004, Section 4.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..graphs.bipartite_graphs import BipartiteGraph
from ..graphs.metis_cuts import metis_bipartite
from ..graphs.spectral_cuts import tcut
from ..params import Params, param
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class HBGFParams(Params):
    """Parameters of HBGF."""

    partitioner: Literal["spectral", "metis"] = param(
        "spectral",
        symbol="partitioner",
        doc="What cuts the graph: the spectral cut lets sizes differ, and fits the values printed for HBGF in later "
        "papers; METIS keeps parts of near-equal size.",
    )


def hbgf(
    ensemble: Ensemble, n_clusters: int, params: HBGFParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join every object to its clusters, and cut objects and clusters together into k parts.

    The paper tries both partitioners. On microclusters: an edge r_a, a vertex r_a. Cluster vertices weigh 0, so that
    METIS balances objects only.
    """
    micro = ensemble.microclusters
    if params.partitioner == "spectral":
        graph = BipartiteGraph.of(ensemble, np.ones(ensemble.n_clusters_total))
        return micro.expand(tcut(graph, micro.sizes, n_clusters, rng, monitor))
    monitor.tick("joining objects and clusters", 0, 1)
    edges = ensemble.clusters.incidence(micro.sizes)
    labels, n_repaired = metis_bipartite(edges, micro.sizes, n_clusters, rng, monitor)
    monitor.record("repaired", n_repaired)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="hbgf",
    title="HBGF",
    formula=(
        r"b_{iC} = [i \in C], \qquad \min_{\text{cut into } <k>} \mathrm{Ncut}\begin{pmatrix} 0 & B \\ "
        r"B^\top & 0 \end{pmatrix}"
    ),
    try_this="change the partitioner from spectral to METIS on a data set with unequal clusters.",
    params=HBGFParams,
    run=hbgf,
    reference="fern2004hbgf",
    family="graphs",
    also_needs=lambda params: frozenset({"pymetis"}) if params.partitioner == "metis" else frozenset(),
    balanced=lambda params: params.partitioner == "metis",
    takes_missing=True,
    needs=frozenset({"dense between clusters"}),
    summary="Draws objects and clusters as one graph with equal edges, and cuts both together.",
)
