"""Weighted connected triples: clusters that overlap with the same others make their objects alike.

The similarity of objects is cut as a tree, as the papers that compare with WCT have it; or "RM": the refined matrix of
objects and clusters is cut as a bipartite graph, our reading of the authors' own consensus.

Iam-On, Boongoen, Garrett and Price, "A link-based approach to the cluster ensemble problem", IEEE TPAMI 33(12), 2011.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..clusters.triples import connected_triples
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..params import param
from ..runtime.monitor import Monitor
from .alike_clusters import DecayedTreeParams, cut_refined_matrix, cut_tree_of_clusters


@dataclass(frozen=True)
class WCTParams(DecayedTreeParams):
    """Parameters of WCT: decay and linkage, and what is cut."""

    consensus: Literal["tree", "RM"] = param(
        "tree",
        symbol="consensus",
        concept="wct_consensus",
        doc="Merge objects by their similarity, or cut the refined matrix RM of objects and clusters as a graph (a "
        "reconstruction), which needs no matrix between objects and no linkage.",
    )


def wct(
    ensemble: Ensemble, n_clusters: int, params: WCTParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Compare the clusters of each base clustering through those of the others, and merge objects in alike clusters."""
    between = connected_triples(ensemble, params.dc, monitor)
    if params.consensus == "RM":
        return cut_refined_matrix(ensemble, between, n_clusters, rng, monitor)
    return cut_tree_of_clusters(ensemble, between, "same base", params.linkage, n_clusters, monitor)


def needs_of_tree(params: WCTParams) -> frozenset[str]:
    """A tree needs the matrix between objects, the refined matrix does not."""
    return frozenset({"dense"} if params.consensus == "tree" else ())


METHOD = ConsensusMethod(
    key="wct",
    title="WCT",
    formula=(
        r"\mathrm{WCT}_{ab} = \sum_{c} \min(w_{ac}, w_{bc}), \qquad s_{ij} = \frac{1}{<M>} \sum_{m=1}^{<M>} "
        r"\begin{cases} 1 & c_m(i) = c_m(j) \\ <dc>\, \mathrm{WCT} / \mathrm{WCT}_{\max} & \text{else} "
        r"\end{cases}"
    ),
    try_this="set dc to 0: WCT becomes EAC, for nothing but meetings counts.",
    params=WCTParams,
    run=wct,
    reference="iamon2011link",
    family="trees",
    also_needs=needs_of_tree,
    pictures=frozenset({"cluster_similarity"}),
    summary="Like EAC, but two objects apart still count as somewhat alike where their clusters overlap with the same "
    "other clusters.",
)
