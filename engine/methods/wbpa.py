"""Weighted bipartite partitioning: cut the graph of objects and the clusters they belong to softly.

Al-Razgan and Domeniconi, "Weighted clustering ensembles", SIAM Data Mining 2006, Section 4.2.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..consensus import ConsensusMethod, always
from ..ensemble import Ensemble
from ..graphs.metis_cuts import metis_bipartite
from ..params import Params
from ..runtime.memory import require_memory
from ..runtime.monitor import Monitor

#: Bytes an object and a cluster take: two edges, each stored as given, as put together, and as METIS takes it.
_BYTES_PER_EDGE = 96


@dataclass(frozen=True)
class WBPAParams(Params):
    """WBPA has no parameters."""


def wbpa(
    ensemble: Ensemble, n_clusters: int, params: WBPAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Join every object to all clusters by its memberships, and cut objects and clusters together into k parts.

    It works on objects: memberships tell objects of one microcluster apart, so only k = n returns microclusters.
    Weights are scaled so that the largest membership is 10,000 (`integer_weights`). A cluster weighs as much as an
    object, and two-hop matching is off, as in the METIS of the paper's time: with weight 0, or with two hops, METIS
    gathers all objects of iris or of the three Gaussians in one part.
    """
    if n_clusters == len(ensemble.microclusters):
        monitor.record("repaired", 0)
        return ensemble.microclusters.assignment
    monitor.tick("joining objects and clusters", 0, 1)
    require_memory(
        "the graph of objects and clusters", _BYTES_PER_EDGE * ensemble.n_objects * ensemble.n_clusters_total
    )
    edges = sparse.csr_array(ensemble.memberships)
    ones = np.ones(ensemble.n_objects, np.int64)
    labels, n_repaired = metis_bipartite(edges, ones, n_clusters, rng, monitor, column_weight=1, two_hop=False)
    monitor.record("repaired", n_repaired)
    return labels


METHOD = ConsensusMethod(
    key="wbpa",
    title="WBPA",
    formula=r"b_{iC} = P(C \mid x_i), \qquad \text{cut objects and clusters into } <k> \text{ parts}",
    try_this="with LAC, widen the range of 1/h in the sidebar, so that memberships run from soft to hard.",
    params=WBPAParams,
    run=wbpa,
    reference="alrazgan2006lac",
    family="soft",
    needs=frozenset({"dense between objects and clusters", "memberships", "pymetis"}),
    balanced=always,
    summary="Joins objects to clusters as strongly as they belong to them, and cuts both together.",
)
