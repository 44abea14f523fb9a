"""What the Growing trees page shows: prototypes, the forest, and what nearest prototypes would have done."""

from dataclasses import dataclass

import numpy as np

from engine import Ensemble
from engine.evidence import co_association, distance_steps, local_density, prototype_ranking, representative_capacity
from engine.memory import require_square
from engine.partition import Growth, grow_trees
from ui import pipeline
from ui.jobs import Job
from ui.run_config import RunConfig


@dataclass(frozen=True, eq=False)
class Ground:
    """What trees grow on: distances in steps of 1/M, density, capacity, and the ranking of prototypes."""

    direct: np.ndarray
    refined: np.ndarray
    similarity: np.ndarray
    density: np.ndarray
    capacity: np.ndarray
    ranking: np.ndarray
    unit: float


def ground(config: RunConfig, made: Ensemble) -> Job:
    """Job: Ground of an ensemble."""
    require_square("distances between microclusters", len(made.microclusters), 3)

    def compute(monitor) -> Ground:
        direct = distance_steps(made, False, monitor)
        refined = distance_steps(made, True, monitor)
        density = local_density(made)
        unit = 1 / made.n_clusterings
        capacity = representative_capacity(refined, density, monitor) * unit
        similarity = co_association(made, monitor)
        return Ground(direct, refined, similarity, density, capacity, prototype_ranking(density, capacity), unit)

    return pipeline.start(("ground", pipeline.ensemble_key(config)), compute, "ground")


def prototypes(config: RunConfig, made: Ensemble, found: Ground) -> np.ndarray:
    """Those picked by hand, or the k most representative microclusters."""
    n = len(made.microclusters)
    picked = [root for root in config.roots if root < n]
    return np.array(picked) if len(picked) >= 2 else found.ranking[: min(pipeline.wanted_k(config), n)]


def growth(config: RunConfig, made: Ensemble, found: Ground, roots: np.ndarray) -> Job:
    """Job: Growth from these prototypes."""
    key = ("growth", pipeline.ensemble_key(config), tuple(roots.tolist()))

    def compute(monitor) -> Growth:
        return grow_trees(found.similarity, made.microclusters.sizes, roots, monitor, found.refined, found.unit)

    return pipeline.start(key, compute, "growth")


def nearest(found: Ground, roots: np.ndarray) -> np.ndarray:
    """Tree of the nearest prototype, the first if they tie: (n,)."""
    return found.refined[:, roots].argmin(axis=1)
