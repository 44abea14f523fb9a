"""Evidence accumulation clustering: cut the tree of the co-association matrix.

Fred and Jain, "Combining multiple clusterings using evidence accumulation", IEEE TPAMI 27(6), 2005.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..pairs.counts import shared_cluster_similarity
from ..params import Params, param
from ..runtime.monitor import Monitor
from ..trees.agglomeration import linkage
from ..trees.dendrograms import cut


@dataclass(frozen=True)
class EACParams(Params):
    """Parameters of EAC."""

    linkage: Literal["average", "complete", "single"] = param(
        "average",
        symbol="linkage",
        doc="How similar two groups are: the mean, the lowest or the highest similarity between their objects.",
    )


def eac(
    ensemble: Ensemble, n_clusters: int, params: EACParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Count how often objects meet, then merge what meets most."""
    micro = ensemble.microclusters
    similarity = shared_cluster_similarity(ensemble, np.ones(ensemble.n_clusters_total), "co_association")
    tree = linkage(similarity, micro.sizes, params.linkage, monitor)
    monitor.record("dendrogram", tree)
    return micro.expand(cut(tree, n_clusters))


def needs_of_tree(params: Any) -> frozenset[str]:
    """Complete link needs a matrix; so do counts over the base clusterings that saw both objects."""
    return frozenset({"dense" if params.linkage == "complete" else "dense where labels are missing"})


METHOD = ConsensusMethod(
    key="eac",
    title="EAC",
    formula=r"a_{ij} = \frac{1}{<M>} \sum_{m=1}^{<M>} [c_m(i) = c_m(j)]",
    try_this="change the linkage from average to single and see one chain swallow a cluster.",
    params=EACParams,
    run=eac,
    reference="fred2005eac",
    family="trees",
    also_needs=needs_of_tree,
    takes_missing=True,
    summary="Counts how often two objects share a cluster, and merges those that meet most.",
)
