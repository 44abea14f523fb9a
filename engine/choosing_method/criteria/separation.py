"""Separation: mean co-association within clusters less that between them."""

import numpy as np

from ..calibration import Placed
from ..registry import Criterion


def _index(placed: Placed) -> float:
    """From the contingency of base clusters and clusters alone; an object and itself are no pair."""
    table, seen = placed.table, placed.seen
    together, pairs = (table**2).sum() - table.sum(), (seen**2).sum() - seen.sum()
    all_together = (table.sum(axis=1) ** 2).sum() - table.sum()
    all_pairs = (seen.sum(axis=1) ** 2).sum() - seen.sum()
    if pairs <= 0 or all_pairs <= pairs:
        return np.nan
    return float(together / pairs - (all_together - together) / (all_pairs - pairs))


METHOD_CRITERION = Criterion(
    key="separation",
    title="within less between",
    index=_index,
    summary="How much more often two objects of one cluster meet than two of different clusters.",
    reference="monti2003consensus",
    place=50,
)
