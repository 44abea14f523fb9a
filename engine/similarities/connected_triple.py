"""Weighted connected triples: objects apart are alike where their clusters overlap with the same others (WCT)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..clusters.triples import connected_triples
from ..ensemble import Ensemble
from ..params import Params, param
from ..runtime.monitor import Monitor
from .looked_up import looked_up


@dataclass(frozen=True)
class DecayParams(Params):
    """What is alike but not the same counts less."""

    dc: float = param(
        0.8,
        symbol="dc",
        doc="Decay: what similarity of clusters counts beside sharing a cluster. 0 counts shared clusters only.",
        raising="Raising it lets clusters that meet the same others pull their objects together across a border.",
        low=0.0,
        high=1.0,
        slider=(0.0, 1.0),
    )


def _between(ensemble: Ensemble, params: DecayParams, monitor: Monitor) -> NDArray[np.float64]:
    return connected_triples(ensemble, params.dc, monitor)


EVIDENCE = looked_up("wct", "connected triples (WCT)", DecayParams, _between, "same base", place=40)
