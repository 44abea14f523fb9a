"""Weighted triple quality: as connected triples, but a rare common neighbour counts more (WTQ, a reconstruction)."""

import numpy as np
from numpy.typing import NDArray

from ..clusters.triples import triple_quality
from ..ensemble import Ensemble
from ..runtime.monitor import Monitor
from .connected_triple import DecayParams
from .looked_up import looked_up


def _between(ensemble: Ensemble, params: DecayParams, monitor: Monitor) -> NDArray[np.float64]:
    return triple_quality(ensemble, params.dc, monitor)


EVIDENCE = looked_up("wtq", "triple quality (WTQ, reconstruction)", DecayParams, _between, "same base", place=41)
