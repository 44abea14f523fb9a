"""Weighted evidence accumulation: base clusterings that agree with the crowd count more.

Huang, Lai and Wang, "Combining multiple clusterings via crowd agreement estimation and multi-granularity link
analysis", Neurocomputing 170, 2015.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..pairs.counts import shared_cluster_similarity
from ..params import same_as
from ..runtime.monitor import Monitor
from ..similarities.weighted_counts import WCAParams, scaled_weights
from ..trees.agglomeration import linkage
from ..trees.dendrograms import cut
from .eac import EACParams, needs_of_tree


@dataclass(frozen=True)
class WEACParams(WCAParams):
    """Parameters of WEAC: those of the crowd-weighted co-association, and the linkage of EAC."""

    linkage: Literal["average", "complete", "single"] = same_as(
        EACParams,
        "linkage",
        "How similar two groups are: the mean, the lowest or the highest similarity between their objects.",
    )


def weac(
    ensemble: Ensemble, n_clusters: int, params: WEACParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Count meetings with the weight of the base clustering, w = NCAI^beta, then merge what meets most."""
    micro = ensemble.microclusters
    votes = scaled_weights(ensemble, params, monitor)
    weights = np.repeat(votes, ensemble.n_clusters_each)
    similarity = shared_cluster_similarity(ensemble, weights, clustering_weights=votes)
    tree = linkage(similarity, micro.sizes, params.linkage, monitor)
    monitor.record("dendrogram", tree)
    return micro.expand(cut(tree, n_clusters))


METHOD = ConsensusMethod(
    key="weac",
    title="WEAC",
    formula=(
        r"w_m = \mathrm{NCAI}_m^{<beta>}, \qquad a_{ij} = \frac{\sum_{m=1}^{<M>} w_m\, [c_m(i) = "
        r"c_m(j)]}{\sum_{m=1}^{<M>} w_m}"
    ),
    try_this="raise β, and see the weights part below the picture.",
    params=WEACParams,
    run=weac,
    reference="huang2015crowd",
    family="trees",
    also_needs=needs_of_tree,
    takes_missing=True,
    summary="Like EAC, but base clusterings that agree with the others count more.",
)
