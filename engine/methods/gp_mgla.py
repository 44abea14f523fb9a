"""Graph partitioning with multi-granularity link analysis: clusters are linked to objects and to each other.

Huang, Lai and Wang, "Combining multiple clusterings via crowd agreement estimation and multi-granularity link
analysis", Neurocomputing 170, 2015.
"""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..evidence import crowd_weights, source_aware_triples
from ..evidence.pairs.crowd_weighted import WCAParams
from ..monitor import Monitor
from ..params import param, same_as
from ..partition import BipartiteGraph, LinkedGraph, farthest_first_kmeans, tcut


@dataclass(frozen=True)
class GPMGLAParams(WCAParams):
    """Parameters of GP-MGLA: what the links weigh."""

    alpha: float = param(
        0.5,
        symbol="α",
        concept="mgla_alpha",
        doc="Weight of the links between objects and clusters, beside those between clusters.",
        raising="Raising it listens to which object lies where; lowering it to how alike clusters are.",
        low=0.0,
        low_open=True,
        slider=(0.01, 100.0),
        log=True,
    )
    beta: float = same_as(
        WCAParams, "beta", "Exponent of a base clustering's agreement with the others, the weight of its links."
    )
    variant: Literal["paper", "published-code"] = param(
        "paper",
        symbol="variant",
        concept="mgla_variant",
        doc="The best of twenty runs of k-means, or the one run of the authors' code: its seeds follow the order of "
        "the rows, and it often ends in a poorer optimum.",
    )


def gp_mgla(
    ensemble: Ensemble, n_clusters: int, params: GPMGLAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join objects and clusters to clusters, weighted by the crowd, and cut the graph into k parts.

    On K x K alone, W_y = alpha (w_k w_l O_kl) / sum w + SACT^T diag(1 / SACT 1) SACT. Rows are brought to unit length
    without the 1e-10 that the published code adds to their length.
    """
    micro = ensemble.microclusters
    weights = crowd_weights(ensemble, params.beta, monitor)
    monitor.record("clustering_weights", weights)
    between = source_aware_triples(ensemble, weights, monitor)
    monitor.record("cluster_similarity", between)
    edges = BipartiteGraph.of(ensemble, np.repeat(weights, ensemble.n_clusters_each))
    separate = None
    if params.variant == "published-code":
        separate = partial(farthest_first_kmeans, ensemble, n_clusters=n_clusters, monitor=monitor)
    return micro.expand(
        tcut(LinkedGraph(edges, between, params.alpha), micro.sizes, n_clusters, rng, monitor, separate)
    )


METHOD = ConsensusMethod(
    key="gp_mgla",
    title="GP-MGLA",
    formula=(
        r"w_m = \mathrm{NCAI}_m^{<beta>}, \qquad \text{object to cluster: } <alpha>\, w_m, \quad \text{cluster to "
        r"cluster: } \mathrm{SACT}"
    ),
    try_this="lower α to 0.01: only how alike clusters are holds the graph together, where at 100 it is the objects.",
    params=GPMGLAParams,
    run=gp_mgla,
    reference="huang2015crowd",
    family="graphs",
    takes_missing=True,
    pictures=frozenset({"cluster_similarity"}),
    summary="Draws objects and clusters as one graph in which clusters that meet the same others are linked too, and "
    "cuts it where it is thinnest.",
)
