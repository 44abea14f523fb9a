"""Trajectory similarity: how alike two random walkers on the elite links travel (Huang, Lai and Wang 2016)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..params import Params, param
from ..runtime.monitor import Monitor
from ..walks.elite_neighbors import default_neighbors, microcluster_elite_graph
from ..walks.trajectories import trajectory_similarity
from ..walks.transitions import probability_trajectory
from .registry import PairEvidence


def _half_root(ensemble: Ensemble, n_classes: int | None) -> int:
    """What is taken for K and T where nothing is said."""
    return default_neighbors(len(ensemble.microclusters))


@dataclass(frozen=True)
class WalkParams(Params):
    """How many links a walker may take, and how many steps."""

    K: int | None = param(
        None,
        symbol="K",
        doc="Elite neighbours: the heaviest links of a microcluster stay. Automatic: half the root of n, 1 to 20.",
        raising="Raising it keeps more links, reliable or not; lowering it leaves only the surest.",
        automatic=_half_root,
        low=1,
        slider=(1, 50),
    )
    T: int | None = param(
        None,
        symbol="T",
        doc="Length of the random walks. Automatic: half the root of n, 1 to 20.",
        raising="Raising it lets walkers see more of the graph; lowering it keeps them near their start.",
        automatic=_half_root,
        low=1,
        high=1_000,
        slider=(1, 50),
    )

    def on(self, n: int) -> tuple[int, int]:
        """K and T for n microclusters; one has no neighbour, and K is of no account."""
        return min(self.K or default_neighbors(n), max(n - 1, 1)), self.T or default_neighbors(n)


def _matrix(ensemble: Ensemble, params: WalkParams, monitor: Monitor) -> NDArray[np.float32]:
    sizes = ensemble.microclusters.sizes
    K, T = params.on(len(sizes))
    return trajectory_similarity(microcluster_elite_graph(ensemble, K, monitor), sizes, T, monitor)


def _value(ensemble: Ensemble, params: WalkParams, i: int, j: int) -> float:
    micro = ensemble.microclusters
    a, b = micro.assignment[[i, j]]
    if a == b:
        return 1.0
    K, T = params.on(len(micro))
    graph = microcluster_elite_graph(ensemble, K)
    first, second = (probability_trajectory(graph, micro.sizes, start, T).ravel() for start in (a, b))
    norm = np.sqrt((first @ first) * (second @ second))
    return float(first @ second / norm) if norm > 0 else 0.0


TRAJECTORIES = PairEvidence(
    key="pts", title="trajectory similarity (PTS)", params=WalkParams, matrix=_matrix, value=_value, place=30
)
