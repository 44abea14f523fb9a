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
from ..graphs.transfer_cuts import tcut
from ..params import param
from ..partition.farthest_first import farthest_first_kmeans
from ..runtime.monitor import Monitor
from .multi_granularity import LinkWeightParams, multi_granularity_graph


@dataclass(frozen=True)
class GPMGLAParams(LinkWeightParams):
    """Parameters of GP-MGLA: what the links weigh, and how clusters are told apart."""

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

    Rows are brought to unit length without the 1e-10 that the published code adds to their length.
    """
    micro = ensemble.microclusters
    graph = multi_granularity_graph(ensemble, params, monitor)
    separate = None
    if params.variant == "published-code":
        separate = partial(farthest_first_kmeans, ensemble, n_clusters=n_clusters, monitor=monitor)
    return micro.expand(tcut(graph, micro.sizes, n_clusters, rng, monitor, separate))


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
