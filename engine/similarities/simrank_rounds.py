"""SimRank: objects are alike if their clusters are, clusters if their objects are (SRS)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clusters.simrank import cluster_simrank
from ..ensemble import Ensemble
from ..params import param
from ..runtime.monitor import Monitor
from .connected_triple import DecayParams
from .looked_up import looked_up


@dataclass(frozen=True)
class SimRankParams(DecayParams):
    """What a step from cluster to object and back is worth, and how many there are."""

    R: int = param(
        5,
        symbol="R",
        word="rounds",
        doc="Rounds of SimRank, the start counted as the first. 5, as published, is an early stop; at 60 nothing moves "
        "any more.",
        raising="Raising it lets similarity come from farther away; 2 counts shared clusters only.",
        low=2,
        high=100,
        slider=(2, 60),
    )


def _between(ensemble: Ensemble, params: SimRankParams, monitor: Monitor) -> NDArray[np.float64]:
    return cluster_simrank(ensemble, params.dc, params.R, monitor)


EVIDENCE = looked_up("srs", "SimRank (SRS)", SimRankParams, _between, "all", place=42)
