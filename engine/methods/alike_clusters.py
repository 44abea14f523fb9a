"""What methods that compare clusters with each other make of their objects; no method itself."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..clusters.pair_lookups import Pairs, mean_over_clusters
from ..ensemble import Ensemble
from ..graphs.bipartite_graphs import DenseGraph
from ..graphs.transfer_cuts import tcut
from ..params import same_as
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
