"""The consensus of ultra-scalable ensemble clustering: cut the graph of objects and clusters through the clusters.

Huang, Wang, Wu, Lai and Kwoh, "Ultra-scalable spectral clustering and ensemble clustering", IEEE TKDE 32(6), 2020.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..graphs.bipartite_graphs import BipartiteGraph
from ..graphs.spectral_cuts import tcut
from ..params import Params
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class USENCParams(Params):
    """U-SENC's consensus has no parameters."""


def usenc(
    ensemble: Ensemble, n_clusters: int, params: USENCParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join every object to its clusters with equal weight, and cut the graph into k parts.

    Every object has M edges, so the cut is a problem of the K clusters alone, O_kl / (M sqrt(s_k s_l)). Text and code
    part: the paper divides eigenvectors by the root of their eigenvalue and leaves rows as long as they are, the code
    does not divide and brings rows to unit length. Here as in the code; HBGF's spectral cut is then the same.
    """
    micro = ensemble.microclusters
    graph = BipartiteGraph.of(ensemble, np.ones(ensemble.n_clusters_total))
    return micro.expand(tcut(graph, micro.sizes, n_clusters, rng, monitor))


METHOD = ConsensusMethod(
    key="usenc",
    title="U-SENC",
    formula=(
        r"b_{iC} = [i \in C], \qquad \mathrm{Ncut} \text{ through the } K_c \times K_c \text{ matrix } "
        r"B^\top D^{-1} B"
    ),
    try_this="compare it with LWGP: the same cut, with edges that know no reliability.",
    params=USENCParams,
    run=usenc,
    reference="huang2020usenc",
    family="graphs",
    takes_missing=True,
    needs=frozenset({"dense between clusters"}),
    summary="Draws objects and clusters as one graph with equal edges, and cuts it through the clusters alone, "
    "whatever the number of objects.",
)
