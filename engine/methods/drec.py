"""Dense representation ensemble clustering: microclusters as mixtures of each other, sharpened and cut spectrally.

Zhou, Zheng and Pan, "Ensemble clustering based on dense representation", Neurocomputing 357, 2019.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..consensus import ConsensusMethod
from ..ensemble import Ensemble
from ..evidence.mixtures import MixtureParams, dense_representation
from ..graphs.sharpened_graphs import sharpened_graph, spectral_partition
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_square
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class DRECParams(MixtureParams):
    """Parameters of DREC."""


def drec(
    ensemble: Ensemble, n_clusters: int, params: DRECParams, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Represent, sharpen, cut: microclusters count once each, whatever they hold."""
    micro, n = ensemble.microclusters, len(ensemble.microclusters)
    require_square("the sharpened representation", n, n_arrays=2, itemsize=8)
    if n_clusters < n and ensemble.clusters.n_members.max() == 1:
        raise InvalidParameterError(
            f"DREC needs two microclusters that share a cluster: here n_clusters must be {n}. Got {n_clusters}"
        )
    found = dense_representation(ensemble, params.lam, params.rounds, monitor)
    monitor.record("lambda_star", found.lambda_star)
    monitor.record("representation", lambda: found.matrix)
    graph = sharpened_graph(*found.left_singular())
    return micro.expand(spectral_partition(graph, np.ones(n), n_clusters, rng, 100, monitor))


METHOD = ConsensusMethod(
    key="drec",
    title="DREC",
    formula=r"\min_Z \lVert X - X Z \rVert_{2,1} + <lam> \lVert Z \rVert_F^2",
    try_this=(
        "lower λ below the smallest λ* of the picture: every microcluster is then reproduced as it is, and "
        "nothing is learnt."
    ),
    params=DRECParams,
    run=drec,
    reference="zhou2019drec",
    family="learnt",
    needs=frozenset({"dense"}),
    pictures=frozenset({"representation"}),
    summary="Writes every microcluster as a mixture of all, lets those with like mixtures meet, and cuts where few do.",
)
