"""What the Growing trees page shows: prototypes, the forest, and what nearest prototypes would have done."""

from dataclasses import dataclass

import numpy as np

from engine import Ensemble, Monitor
from engine.evidence import co_association, distance_steps, local_density, prototype_ranking, representative_capacity
from engine.monitor import SILENT
from engine.partition import Growth, grow_trees
from engine.renumbering import first_appearance
from engine.runtime.memory import require_square
from ui.compute import pipeline
from ui.session.run_config import RunConfig


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


def ground(made: Ensemble, monitor: Monitor = SILENT) -> Ground:
    """Ground of an ensemble."""
    require_square("distances between microclusters", len(made.microclusters), 3)
    direct = distance_steps(made, False, monitor)
    refined = distance_steps(made, True, monitor)
    density = local_density(made)
    unit = 1 / made.n_clusterings
    capacity = representative_capacity(refined, density, monitor) * unit
    similarity = co_association(made, monitor)
    return Ground(direct, refined, similarity, density, capacity, prototype_ranking(density, capacity), unit)


def prototypes(config: RunConfig, made: Ensemble, found: Ground) -> np.ndarray:
    """Those picked by hand, or the k most representative microclusters."""
    n = len(made.microclusters)
    picked = [root for root in config.roots if root < n]
    return np.array(picked) if len(picked) >= 2 else found.ranking[: min(pipeline.wanted_k(config), n)]


def growth(found: Ground, sizes: np.ndarray, roots: np.ndarray, monitor: Monitor = SILENT) -> Growth:
    """Growth from these prototypes."""
    return grow_trees(found.similarity, sizes, roots, monitor, found.refined, found.unit)


def nearest(found: Ground, roots: np.ndarray) -> np.ndarray:
    """Tree of the nearest prototype, the first if they tie: (n,)."""
    return found.refined[:, roots].argmin(axis=1)


def numbered(made: Ensemble, tree: np.ndarray) -> np.ndarray:
    """Labels (N,) of a forest, numbered as those of the method."""
    return first_appearance(made.microclusters.expand(tree))
