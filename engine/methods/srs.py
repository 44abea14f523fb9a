"""SimRank-based similarity: objects are alike if their clusters are, and clusters if their objects are.

Iam-On, Boongoen and Garrett, "Refining pairwise similarity matrix for cluster ensemble problem with cluster relations",
Discovery Science, LNCS 5255, 2008.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..clusters.shared_neighbours import cluster_simrank
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..params import same_as
from ..runtime.monitor import Monitor
from ..similarities.similar_clusters import SimRankParams
from .eac import EACParams
from .wct import cut_tree_of_clusters


@dataclass(frozen=True)
class SRSParams(SimRankParams):
    """Parameters of SRS: decay, rounds, and the linkage of EAC."""

    linkage: Literal["average", "complete", "single"] = same_as(
        EACParams,
        "linkage",
        "How similar two groups are: the mean, the lowest or the highest similarity between their objects.",
    )


def srs(
    ensemble: Ensemble, n_clusters: int, params: SRSParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Let similarity go to and fro between objects and clusters, and merge objects that have become alike.

    Microclusters are kept whole, though nothing in SimRank says that their objects are most alike to each other.
    """
    between = cluster_simrank(ensemble, params.dc, params.R, monitor)
    return cut_tree_of_clusters(ensemble, between, "all", params.linkage, n_clusters, monitor)


METHOD = ConsensusMethod(
    key="srs",
    title="SRS",
    formula=(
        r"S_{ij} = \frac{<dc>}{<M>^2} \sum_{C \ni i} \sum_{C' \ni j} s_{CC'}, \quad s_{CC'} = "
        r"\frac{<dc>}{|C|\,|C'|} \sum_{i \in C} \sum_{j \in C'} S_{ij}, \quad <R> \text{ times}"
    ),
    try_this="set R to 2, which is EAC, then raise it: similarity spreads further with every round.",
    params=SRSParams,
    run=srs,
    reference="iamon2008srs",
    family="trees",
    needs=frozenset({"dense"}),
    pictures=frozenset({"cluster_similarity"}),
    summary="Objects are alike if their clusters are, and clusters if their objects are: similarity goes to and fro, "
    "then objects are merged.",
)
