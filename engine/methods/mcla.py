"""Meta-clustering: group the clusters themselves, then let each object follow the group it is in most.

Strehl and Ghosh, "Cluster ensembles - a knowledge reuse framework for combining multiple partitions", JMLR 3, 2002,
Section 3.4.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clusters.overlaps import participation
from ..consensus import ConsensusMethod, always
from ..ensemble import Ensemble
from ..ensemble.renumbering import first_appearance
from ..evidence.cluster_overlaps import cluster_jaccard
from ..graphs.metis_cuts import metis_partition
from ..medians.restarts import fill_empty_parts
from ..params import Params
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class MCLAParams(Params):
    """MCLA has no parameters."""


def mcla(
    ensemble: Ensemble, n_clusters: int, params: MCLAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Cut the graph of clusters (Jaccard) into k meta-clusters; objects join the one they take part in most."""
    micro = ensemble.microclusters
    if n_clusters == len(micro):
        monitor.record("repaired", 0)
        return micro.assignment
    if n_clusters > ensemble.n_clusters_total:
        raise InvalidParameterError(
            f"n_clusters must be at most {ensemble.n_clusters_total}, the clusters of all base clusterings together. "
            f"Got {n_clusters}"
        )
    jaccard = cluster_jaccard(ensemble, monitor)
    groups, n_repaired = metis_partition(jaccard, ensemble.cluster_sizes, n_clusters, rng, monitor)
    share = participation(ensemble, first_appearance(groups))
    labels, n_unloved = fill_empty_parts(
        share.argmax(axis=1), micro.sizes, n_clusters, lambda members: share[members].max(axis=1)
    )
    monitor.record("repaired", n_repaired + n_unloved)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="mcla",
    title="MCLA",
    formula=(
        r"s_{ab} = \frac{|C_a \cap C_b|}{|C_a \cup C_b|}, \qquad \text{object } i \to \arg\max_{g \le <k>} "
        r"\frac{1}{|g|} \sum_{C \in g} [i \in C]"
    ),
    try_this="take few base clusterings, and see how one odd cluster changes a whole group.",
    params=MCLAParams,
    run=mcla,
    reference="strehl2002",
    family="graphs",
    needs=frozenset({"pymetis"}),
    balanced=always,
    takes_missing=True,
    summary="Groups clusters that cover the same objects, and gives each object to the group it lies in most.",
)
