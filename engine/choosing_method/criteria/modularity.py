"""Modularity of the co-association: how often members of a cluster meet, beside what their degrees explain."""

import numpy as np

from ..calibration import Placed
from ..registry import Criterion


def _index(placed: Placed) -> float:
    """From the contingency of base clusters and clusters alone, an object and itself being no link."""
    table = placed.table
    sizes = table.sum(axis=1)
    inside = (table**2).sum(axis=0) - table.sum(axis=0)
    degrees = (table * sizes[:, None]).sum(axis=0) - table.sum(axis=0)
    whole = degrees.sum()
    return float((inside / whole - (degrees / whole) ** 2).sum()) if whole > 0 else np.nan


METHOD_CRITERION = Criterion(
    key="modularity",
    title="modularity of CA",
    index=_index,
    summary="How much more often members of a cluster meet than objects that meet as many others would by chance.",
    reference="newman2006modularity",
    place=60,
)
