"""Weighted similarity partitioning: cut the graph of how alike soft memberships are.

Al-Razgan and Domeniconi, "Weighted clustering ensembles", SIAM Data Mining 2006, Section 4.1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod, always
from ..ensemble import Ensemble
from ..evidence.membership_cosines import COMPLETE_UP_TO, NEIGHBORS_KEPT, mean_membership_similarity, membership_graph
from ..graphs.metis_cuts import metis_partition
from ..params import Params
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class WSPAParams(Params):
    """WSPA has no parameters."""


def wspa(
    ensemble: Ensemble, n_clusters: int, params: WSPAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join objects by the mean cosine of their memberships, and let METIS cut the graph into k parts.

    It works on objects: memberships tell objects of one microcluster apart, so only k = n returns microclusters.
    The graph is complete up to N = 2,000. Above, every object keeps its 200 strongest neighbours; the trace then has
    `neighbours_kept`. Weights are round(10,000 Psi). The `similarity` in the trace is the mean over microclusters.
    """
    if n_clusters == len(ensemble.microclusters):
        monitor.record("repaired", 0)
        return ensemble.microclusters.assignment
    monitor.record("similarity", lambda: mean_membership_similarity(ensemble))
    n_neighbors = NEIGHBORS_KEPT if ensemble.n_objects > COMPLETE_UP_TO else None
    if n_neighbors is not None:
        monitor.record("neighbours_kept", n_neighbors)
    graph = membership_graph(ensemble, n_neighbors, monitor)
    ones = np.ones(ensemble.n_objects, np.int64)
    labels, n_repaired = metis_partition(graph, ones, n_clusters, rng, monitor)
    monitor.record("repaired", n_repaired)
    return labels


METHOD = ConsensusMethod(
    key="wspa",
    title="WSPA",
    formula=r"\psi_{ij} = \frac{1}{<M>} \sum_{m=1}^{<M>} \cos(P_m(x_i), P_m(x_j))",
    try_this="compare it with CSPA: the same cut, with memberships in place of labels.",
    params=WSPAParams,
    run=wspa,
    reference="alrazgan2006lac",
    family="soft",
    needs=frozenset({"dense", "memberships", "pymetis"}),
    balanced=always,
    summary="Joins objects whose soft memberships point the same way, and cuts the graph into parts of like size.",
)
