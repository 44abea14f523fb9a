"""Enhanced co-association: objects apart count as alike as random walks from their clusters (ECPCS)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..params import Params, param
from ..runtime.monitor import Monitor
from ..walks.trajectories import propagated_similarity
from .looked_up import looked_up


@dataclass(frozen=True)
class PropagationParams(Params):
    """How far similarity spreads from cluster to cluster."""

    T: int = param(
        20,
        symbol="t",
        word="steps",
        concept="ecpcs_T",
        doc="Length of the random walks from cluster to cluster; the paper takes 20.",
        raising="Raising it spreads similarity further, until all walks look alike and the tree becomes arbitrary.",
        low=1,
        slider=(1, 100),
    )


def _between(ensemble: Ensemble, params: PropagationParams, monitor: Monitor) -> NDArray[np.float64]:
    return propagated_similarity(ensemble, params.T, monitor)


EVIDENCE = looked_up("ecpcs", "propagated clusters (ECPCS)", PropagationParams, _between, "same base", place=50)
