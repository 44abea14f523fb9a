"""The graph of GP-MGLA, whose links are of two granularities: objects to clusters, and clusters to each other.

No method itself.

Huang, Lai and Wang, "Combining multiple clusterings via crowd agreement estimation and multi-granularity link
analysis", Neurocomputing 170, 2015.
"""

from dataclasses import dataclass

import numpy as np

from ..clusters.triples import source_aware_triples
from ..ensemble import Ensemble
from ..graphs.bipartite_graphs import BipartiteGraph, LinkedGraph
from ..pairs.crowds import crowd_weights
from ..params import param, same_as
from ..runtime.monitor import Monitor
from ..similarities.crowd_weighted import WCAParams


@dataclass(frozen=True)
class LinkWeightParams(WCAParams):
    """What the links weigh."""

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


def multi_granularity_graph(ensemble: Ensemble, params: LinkWeightParams, monitor: Monitor) -> LinkedGraph:
    """Join objects to their clusters with weight alpha w_m, and clusters by source-aware triples; w_m = NCAI_m^beta.

    On K x K alone, W_y = alpha (w_k w_l O_kl) / sum w + SACT^T diag(1 / SACT 1) SACT.
    """
    weights = crowd_weights(ensemble, params.beta, monitor)
    monitor.record("clustering_weights", weights)
    between = source_aware_triples(ensemble, weights, monitor)
    monitor.record("cluster_similarity", between)
    edges = BipartiteGraph.of(ensemble, np.repeat(weights, ensemble.n_clusters_each))
    return LinkedGraph(edges, between, params.alpha)
