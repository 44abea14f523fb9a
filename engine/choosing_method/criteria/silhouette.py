"""Mean silhouette on the distance 1 - co-association (Rousseeuw 1987)."""

import numpy as np

from ..calibration import Placed
from ..registry import Criterion


def _index(placed: Placed) -> float:
    own, other = placed.similarities
    near, far = 1 - own, 1 - other
    larger = np.maximum(near, far)
    values = np.divide(far - near, larger, out=np.zeros_like(near), where=larger > 0)
    alone = placed.sizes[placed.labels] < 2
    return float(np.average(np.where(alone, 0, values), weights=placed.ground.sizes))


METHOD_CRITERION = Criterion(
    key="silhouette",
    title="silhouette on 1 - CA",
    index=_index,
    summary="How near objects are to their own cluster beside the nearest other one, as often as they meet.",
    reference="rousseeuw1987silhouettes",
    place=40,
)
