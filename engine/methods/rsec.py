"""RSEC, a reconstruction: robust spectral ensemble clustering, by a low-rank representation of the co-association.

Tao, Liu, Li and Fu, "Robust spectral ensemble clustering", CIKM 2016; Tao, Liu, Li, Ding and Fu, ACM TKDD 13(1), 2019.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..evidence.low_rank import RepresentationParams, require_few_microclusters, robust_representation
from ..graphs.sharpened_graphs import spectral_partition
from ..medians.restarts import weighted_kmeans
from ..params import Params, param, same_as
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class RSECParams(Params):
    """Parameters of RSEC."""

    output: Literal["H", "Z"] = param(
        "H",
        symbol="output",
        doc="What is clustered in the end: the spectrum found on the way (H), or that of the representation (Z).",
        concept="rsec_output",
    )
    l1: float = same_as(RepresentationParams, "l1")
    l2: float = same_as(RepresentationParams, "l2")


def rsec(
    ensemble: Ensemble, n_clusters: int, params: RSECParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Represent, then separate H by k-means, or cut Z sharpened.

    Raises
    ------
    InvalidParameterError
        Beyond 500 microclusters.
    """
    micro, n = ensemble.microclusters, len(ensemble.microclusters)
    require_few_microclusters(n)
    if n_clusters == n:
        return micro.assignment
    found = robust_representation(ensemble, n_clusters, params.l1, params.l2, monitor)
    monitor.record("representation", found.matrix)
    monitor.record("unsettled", int(not found.settled))
    if params.output == "Z":
        return micro.expand(spectral_partition(found.graph(micro.sizes), micro.sizes, n_clusters, rng, 20, monitor))
    monitor.record("embedding", found.spectrum)
    labels, n_repaired = weighted_kmeans(found.spectrum, micro.sizes, n_clusters, rng, monitor=monitor)
    monitor.record("repaired", n_repaired)
    return micro.expand(labels)


METHOD = ConsensusMethod(
    key="rsec",
    title="RSEC (reconstruction)",
    formula=(
        r"\min_{Z, H} \operatorname{tr}(H^\top L_Z H) + <l1> \lVert Z \rVert_* + <l2> \lVert E \rVert_{2,1} "
        r"\quad \text{with } S = S Z + E,\; H^\top H = I"
    ),
    try_this="lower λ₂, and see how much more of the co-association is called noise.",
    params=RSECParams,
    run=rsec,
    reference="tao2016rsec",
    family="learnt",
    needs=frozenset({"dense"}),
    pictures=frozenset({"representation"}),
    summary="Writes the co-association as a mixture of few patterns and some noise, and cuts it spectrally. Rebuilt "
    "from reports of the authors' code, for up to 500 microclusters.",
)
