"""Mean margin: how much more often objects meet their own cluster than the nearest other one."""

import numpy as np

from ..calibration import Placed
from ..registry import Criterion


def _index(placed: Placed) -> float:
    own, other = placed.similarities
    return float(np.average(own - other, weights=placed.ground.sizes))


METHOD_CRITERION = Criterion(
    key="margin",
    title="mean margin",
    index=_index,
    summary="How much more often objects meet the members of their own cluster than those of the nearest other one.",
    reference="wilkerson2010consensus",
    place=30,
)
