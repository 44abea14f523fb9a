"""Locally weighted evidence accumulation: reliable clusters count more.

Huang, Wang and Lai, "Locally weighted ensemble clustering", IEEE T. Cybernetics 48(5), 2018, Algorithm 1.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clusters.reliability import ensemble_driven_cluster_index
from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..pairs.counts import shared_cluster_similarity
from ..runtime.monitor import Monitor
from ..similarities.weighted_counts import LWCAParams
from ..trees.agglomeration import linkage
from ..trees.dendrograms import cut


@dataclass(frozen=True)
class LWEAParams(LWCAParams):
    """Parameters of LWEA: those of the locally weighted co-association."""


def lwea(
    ensemble: Ensemble, n_clusters: int, params: LWEAParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Weigh clusters by ECI, count meetings with these weights, and merge what meets most."""
    micro = ensemble.microclusters
    eci = ensemble_driven_cluster_index(ensemble, params.theta, monitor)
    monitor.record("cluster_weights", eci)
    tree = linkage(shared_cluster_similarity(ensemble, eci), micro.sizes, "average", monitor)
    monitor.record("dendrogram", tree)
    return micro.expand(cut(tree, n_clusters))


METHOD = ConsensusMethod(
    key="lwea",
    title="LWEA",
    formula=(
        r"\mathrm{ECI}(C) = e^{-H(C) / (<theta> \cdot <M>)}, \qquad \tilde a_{ij} = \frac{1}{<M>} "
        r"\sum_{m=1}^{<M>} \mathrm{ECI}(c_m(i))\, [c_m(i) = c_m(j)]"
    ),
    try_this="set θ to 4: clusters count nearly alike, and the matrix comes near that of EAC. Does the answer, too?",
    params=LWEAParams,
    run=lwea,
    reference="huang2018lwea",
    family="trees",
    needs=frozenset({"dense where labels are missing"}),
    takes_missing=True,
    summary="Like EAC, but clusters that the other clusterings confirm count more.",
)
