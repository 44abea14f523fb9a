"""Ensemble clustering by propagating cluster-wise similarities, with meta-clusters.

Huang, Wang, Peng, Lai and Kwoh, "Enhanced ensemble clustering via fast propagation of cluster-wise similarities", IEEE
T. Systems, Man, and Cybernetics: Systems 51(1), 2021, ECPCS-MC.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clusters.overlaps import participation
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..graphs.eigenvectors import normalized_cut
from ..medians.restarts import fill_empty_parts
from ..runtime.monitor import Monitor
from ..similarities.similar_clusters import PropagationParams
from ..walks.trajectories import propagated_similarity


@dataclass(frozen=True)
class ECPCSMCParams(PropagationParams):
    """Parameters of ECPCS-MC."""


def ecpcs_mc(
    ensemble: Ensemble, n_clusters: int, params: ECPCSMCParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Cut the graph of clusters into k meta-clusters, and let every object join the one it takes part in most.

    Taking part is the share of a meta-cluster's clusters that hold the object, as in the paper, so that large ones are
    handicapped. Of equal shares the meta-cluster of the earliest cluster wins; the paper draws one.
    """
    micro = ensemble.microclusters
    if n_clusters == len(micro):
        monitor.record("repaired", 0)
        return micro.assignment
    between = propagated_similarity(ensemble, params.T, monitor)
    monitor.record("cluster_similarity", between)
    share = participation(ensemble, normalized_cut(between, n_clusters, monitor))
    labels, n_repaired = fill_empty_parts(
        share.argmax(axis=1), micro.sizes, n_clusters, lambda members: share[members].max(axis=1)
    )
    monitor.record("repaired", n_repaired)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="ecpcs_mc",
    title="ECPCS-MC",
    formula=(
        r"z_{ab} = \cos(P^{1 \ldots <T>}_a, P^{1 \ldots <T>}_b), \qquad \text{object } i \to \arg\max_{g "
        r"\le <k>} \frac{1}{|g|} \sum_{C \in g} [i \in C]"
    ),
    try_this="compare it with ECPCS-HC under the same t: the walks are the same, the vote is not.",
    params=ECPCSMCParams,
    run=ecpcs_mc,
    reference="huang2021ecpcs",
    family="graphs",
    pictures=frozenset({"cluster_similarity"}),
    needs=frozenset({"dense between clusters"}),
    summary="Lets similarity spread from cluster to cluster, groups the clusters, and gives each object to the group "
    "it lies in most.",
)
