"""Cluster-based similarity partitioning: cut the graph of how often objects meet.

Strehl and Ghosh, "Cluster ensembles - a knowledge reuse framework for combining multiple partitions", JMLR 3, 2002,
Section 3.2.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod, always
from ..ensemble import Ensemble
from ..evidence.pair_count_graphs import pair_count_graph
from ..graphs.metis_cuts import metis_partition
from ..pairs.counts import co_association
from ..params import Params
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class CSPAParams(Params):
    """CSPA has no parameters."""


def cspa(
    ensemble: Ensemble, n_clusters: int, params: CSPAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join objects by how often they meet, and let METIS cut the graph into k parts.

    On microclusters: an edge r_a r_b b_ab, a vertex r_a; METIS gets whole numbers as they are (`integer_weights`).
    """
    micro = ensemble.microclusters
    monitor.record("co_association", lambda: co_association(ensemble, monitor))
    graph = pair_count_graph(ensemble, monitor)
    labels, n_repaired = metis_partition(graph, micro.sizes, n_clusters, rng, monitor)
    monitor.record("repaired", n_repaired)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="cspa",
    title="CSPA",
    formula=(
        r"a_{ij} = \frac{1}{<M>} \sum_{m=1}^{<M>} [c_m(i) = c_m(j)], \qquad \text{cut into } <k> \text{ "
        r"parts of near-equal size}"
    ),
    try_this=(
        "choose a data set with clusters of unequal size, such as uneven blobs, and see which object is "
        "moved to keep the balance."
    ),
    params=CSPAParams,
    run=cspa,
    reference="strehl2002",
    family="graphs",
    needs=frozenset({"dense", "pymetis"}),
    balanced=always,
    takes_missing=True,
    summary="Joins objects by how often they share a cluster, and cuts the graph into parts of near-equal size.",
)
