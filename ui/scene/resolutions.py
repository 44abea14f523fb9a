"""Which resolution: runs of Leiden that differ in chance alone, at one resolution after the other."""

from typing import NamedTuple

import numpy as np

from engine import Ensemble, Monitor
from engine.confidence import element_centric_consistency
from engine.monitor import Part
from engine.partitions import PartitionTree, ResolutionCurve, partition_tree, resolution_curve, rewired

#: What takes a minute on large graphs.
PATIENT = ("resolution_runs",)
#: Resolutions that are tried, runs at each, and clusters of a row of the tree at most.
STEPS, RUNS, MOST_CLUSTERS = 9, 15, 30


class ResolutionRuns(NamedTuple):
    """What runs find on the graph, and on a graph by chance with the same links at every node."""

    own: ResolutionCurve
    null: ResolutionCurve


def resolution_runs(
    ensemble: Ensemble, leiden_resolution: tuple[float, float], leiden_quality: str, seed: int, monitor: Monitor
) -> ResolutionRuns | None:
    """Trying resolutions: from half the smallest to twice the largest, 15 runs each, and by chance."""
    if ensemble.graph is None or not ensemble.graph.n_edges:
        return None
    low, high = leiden_resolution
    asked = np.geomspace(low / 2, 2 * high, STEPS), leiden_quality, RUNS, seed
    return ResolutionRuns(
        resolution_curve(ensemble.graph, *asked, Part(monitor, 0, 2, steps=1)),
        resolution_curve(rewired(ensemble.graph, seed), *asked, Part(monitor, 1, 2, steps=1)),
    )


def tree_of_resolutions(resolution_runs: ResolutionRuns | None) -> PartitionTree | None:
    """The best partitions of the resolutions below each other, as far as their clusters can be told apart."""
    if resolution_runs is None:
        return None
    own = resolution_runs.own
    rows = {f"{own.resolutions[g]:.3g}": own.labels[:, g] for g in np.flatnonzero(own.n_clusters <= MOST_CLUSTERS)}
    return partition_tree(rows) if len(rows) > 1 else None


def object_consistency(ensemble: Ensemble, monitor: Monitor) -> np.ndarray | None:
    """Following every object: how alike its company is over all base clusterings, (N,); None for a single one."""
    return element_centric_consistency(ensemble.labels, monitor) if ensemble.n_clusterings > 1 else None
