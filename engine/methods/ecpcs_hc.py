"""Ensemble clustering by propagating cluster-wise similarities, hierarchical.

Huang, Wang, Peng, Lai and Kwoh, "Enhanced ensemble clustering via fast propagation of cluster-wise similarities", IEEE
T. Systems, Man, and Cybernetics: Systems 51(1), 2021, ECPCS-HC.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..runtime.monitor import Monitor
from ..similarities.similar_clusters import PropagationParams
from ..walks.trajectories import propagated_similarity
from .wct import cut_tree_of_clusters


@dataclass(frozen=True)
class ECPCSHCParams(PropagationParams):
    """Parameters of ECPCS-HC."""


def ecpcs_hc(
    ensemble: Ensemble, n_clusters: int, params: ECPCSHCParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Send a walker from every cluster to those it overlaps with, and merge objects whose clusters' walks agree."""
    between = propagated_similarity(ensemble, params.T, monitor)
    return cut_tree_of_clusters(ensemble, between, "same base", "average", n_clusters, monitor)


METHOD = ConsensusMethod(
    key="ecpcs_hc",
    title="ECPCS-HC",
    formula=(
        r"p_{ab} = \frac{|C_a \cap C_b| / |C_a \cup C_b|}{\sum_{c \ne a} |C_a \cap C_c| / |C_a \cup C_c|}, "
        r"\quad p_{aa} = 0, \qquad z_{ab} = \cos(P^{1 \ldots <T>}_a, P^{1 \ldots <T>}_b)"
    ),
    try_this="set t to 1: clusters are then alike only if they overlap with the same others directly.",
    params=ECPCSHCParams,
    run=ecpcs_hc,
    reference="huang2021ecpcs",
    family="trees",
    needs=frozenset({"dense"}),
    pictures=frozenset({"cluster_similarity"}),
    summary="Lets similarity spread from cluster to cluster at random, and merges the objects whose clusters it joins.",
)
