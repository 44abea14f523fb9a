"""Locally weighted graph partitioning: cut the graph of objects and reliable clusters.

Huang, Wang and Lai, "Locally weighted ensemble clustering", IEEE T. Cybernetics 48(5), 2018, Algorithm 2.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clusters.reliability import cluster_uncertainty, eci_of, relative_eci
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..graphs.bipartite_graphs import BipartiteGraph
from ..graphs.spectral_cuts import tcut
from ..runtime.monitor import Monitor
from .lwea import LWEAParams


@dataclass(frozen=True)
class LWGPParams(LWEAParams):
    """Parameters of LWGP: those of LWEA."""


def lwgp(
    ensemble: Ensemble, n_clusters: int, params: LWGPParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join every object to its clusters with weight ECI, and cut the graph into k parts, whatever their scale."""
    micro = ensemble.microclusters
    uncertainty = cluster_uncertainty(ensemble, monitor)
    monitor.record("cluster_weights", eci_of(uncertainty, params.theta, ensemble.n_clusterings))
    graph = BipartiteGraph.of(ensemble, relative_eci(uncertainty, params.theta, ensemble.n_clusterings))
    return micro.expand(tcut(graph, micro.sizes, n_clusters, rng, monitor))


METHOD = ConsensusMethod(
    key="lwgp",
    title="LWGP",
    formula=r"b_{iC} = [i \in C]\, \mathrm{ECI}(C), \qquad \mathrm{ECI}(C) = e^{-H(C) / (<theta> \cdot <M>)}",
    try_this="lower θ until only a few clusters hold the graph together.",
    params=LWGPParams,
    run=lwgp,
    reference="huang2018lwea",
    family="graphs",
    takes_missing=True,
    needs=frozenset({"dense between clusters"}),
    summary="Draws objects and clusters as one graph, edges weighted by reliability, and cuts it where it is thinnest.",
)
