"""Weighted connected triples: clusters that overlap with the same others make their objects alike.

The similarity of objects is cut as a tree, as the papers that compare with WCT have it; or "RM": the refined matrix of
objects and clusters is cut as a bipartite graph, our reading of the authors' own consensus.

Iam-On, Boongoen, Garrett and Price, "A link-based approach to the cluster ensemble problem", IEEE TPAMI 33(12), 2011.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..clusters.pair_lookups import Pairs, mean_over_clusters
from ..clusters.shared_neighbours import connected_triples
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..graphs.bipartite_graphs import DenseGraph
from ..graphs.spectral_cuts import tcut
from ..params import param, same_as
from ..runtime.memory import require_memory
from ..runtime.monitor import Monitor
from ..similarities.similar_clusters import DecayParams
from ..trees.agglomeration import Linkage, linkage
from ..trees.dendrograms import cut
from .eac import EACParams


@dataclass(frozen=True)
class DecayedTreeParams(DecayParams):
    """The decay, and the linkage of EAC."""

    linkage: Literal["average", "complete", "single"] = same_as(
        EACParams,
        "linkage",
        "How similar two groups are: the mean, the lowest or the highest similarity between their objects.",
    )


def cut_tree_of_clusters(
    ensemble: Ensemble, between: NDArray, pairs: Pairs, method: Linkage, n_clusters: int, monitor: Monitor
) -> NDArray[np.int32]:
    """Look objects up in the similarity of their clusters, and merge what is most alike."""
    micro = ensemble.microclusters
    monitor.record("cluster_similarity", between)
    similarity = mean_over_clusters(ensemble, between, pairs, monitor)
    monitor.record("similarity", similarity)
    tree = linkage(similarity, micro.sizes, method, monitor, overwrite=True)
    monitor.record("dendrogram", tree)
    return micro.expand(cut(tree, n_clusters))


def cut_refined_matrix(
    ensemble: Ensemble, between: NDArray, n_clusters: int, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join objects to the clusters of every base clustering, RM = Z F: 1 to their own; then cut."""
    micro = ensemble.microclusters
    monitor.record("cluster_similarity", between)
    require_memory("the refined matrix of objects and clusters", 2 * 8 * len(micro) * len(between))
    graph = DenseGraph(np.asarray(ensemble.clusters.incidence().astype(np.float64) @ between))
    return micro.expand(tcut(graph, micro.sizes, n_clusters, rng, monitor))


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
