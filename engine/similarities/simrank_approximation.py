"""An approximation of SimRank in one step: clusters are alike by the links they share (ASRS)."""

import numpy as np
from numpy.typing import NDArray

from ..clusters.simrank import approximate_simrank
from ..ensemble import Ensemble
from ..runtime.monitor import Monitor
from .connected_triple import DecayParams
from .looked_up import looked_up


def _between(ensemble: Ensemble, params: DecayParams, monitor: Monitor) -> NDArray[np.float64]:
    return approximate_simrank(ensemble, params.dc, False, monitor)


EVIDENCE = looked_up("asrs", "approximate SimRank (ASRS)", DecayParams, _between, "all", place=43)
