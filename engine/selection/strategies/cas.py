"""Cluster and select: groups of base clusterings that are alike, and the one of each that agrees most with all."""

import numpy as np

from ...graphs.sharpened_graphs import spectral_partition
from ..registry import DIGITS, Candidates, Strategy, largest

#: Runs of k-means on the eigenvectors.
RESTARTS = 20


def _run(candidates: Candidates, number: int):
    """Spectral clustering of the NMI matrix into as many groups as wanted; of each the largest SNMI."""
    if number == 1:  # k-means is for two groups or more
        return largest(candidates.snmi, 1)
    graph = np.array(candidates.agreement)
    groups = spectral_partition(graph, np.ones(len(graph)), number, candidates.rng, RESTARTS, candidates.monitor)
    order = np.argsort(-np.round(candidates.snmi, DIGITS), kind="stable")
    return order[np.unique(groups[order], return_index=True)[1]]


STRATEGY = Strategy(
    key="cas",
    title="cluster and select (CAS)",
    run=_run,
    summary="Groups the base clusterings by agreement, and keeps of each group the one that agrees most with all.",
    reference="fern2008selection",
    place=30,
)
