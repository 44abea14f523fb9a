"""Weighted triple quality, a reconstruction: as WCT, but a neighbour that few clusters share counts more.

Iam-On, Boongoen, Garrett and Price, "A link-based approach to the cluster ensemble problem", IEEE TPAMI 33(12), 2011.
Neither its formulas nor code were at hand; see `engine.evidence.triple_quality` for the definition taken.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clusters.shared_neighbours import triple_quality
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..runtime.monitor import Monitor
from .wct import WCTParams, cut_refined_matrix, cut_tree_of_clusters, needs_of_tree


@dataclass(frozen=True)
class WTQParams(WCTParams):
    """Parameters of WTQ: those of WCT."""


def wtq(
    ensemble: Ensemble, n_clusters: int, params: WTQParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Compare the clusters of each base clustering by how rare their common neighbours are, and merge as WCT does."""
    between = triple_quality(ensemble, params.dc, monitor)
    if params.consensus == "RM":
        return cut_refined_matrix(ensemble, between, n_clusters, rng, monitor)
    return cut_tree_of_clusters(ensemble, between, "same base", params.linkage, n_clusters, monitor)


METHOD = ConsensusMethod(
    key="wtq",
    title="WTQ (reconstruction)",
    formula=(
        r"\mathrm{WTQ}_{ab} = \sum_{c:\, w_{ac} w_{bc} > 0} \frac{1}{\sum_{d} w_{cd}}, \qquad s_{ij} = \frac{1}{<M>} "
        r"\sum_{m=1}^{<M>} \begin{cases} 1 & c_m(i) = c_m(j) \\ <dc>\, \mathrm{WTQ} / \mathrm{WTQ}_{\max} & "
        r"\text{else} \end{cases}"
    ),
    try_this="compare it with WCT under the same dc: only rare neighbours count more.",
    params=WTQParams,
    run=wtq,
    reference="iamon2011link",
    family="trees",
    also_needs=needs_of_tree,
    pictures=frozenset({"cluster_similarity"}),
    summary="A reconstruction: like WCT, but clusters are alike where they share neighbours that few others have.",
)
