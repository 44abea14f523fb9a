"""Growing trees: what they grow on, where they root, the forest, and what nearest prototypes would have done."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine import Ensemble, Monitor
from engine.evidence import co_association, distance_steps, local_density, prototype_ranking, representative_capacity
from engine.params import Int, Switch
from engine.partition import Growth, grow_trees
from engine.renumbering import first_appearance
from engine.runtime.memory import require_square
from ui.session.settings import ENSEMBLE, Places, Setting

SETTINGS = (
    Setting(
        "roots",
        (),
        Places(most=9_999),
        "Prototypes picked by hand on the page Growing trees.",
        (ENSEMBLE, "switched_off"),
    ),
    Setting("round", 1, Int(low=1), "The round whose margins are shown.", (ENSEMBLE, "switched_off")),
    Setting("nearest", False, Switch(), "Whether the nearest prototypes are shown instead of the trees."),
)


@dataclass(frozen=True, eq=False)
class Ground:
    """What trees grow on: distances in steps of 1/M, density, capacity, and the ranking of prototypes.

    The steps are the paper's refined ones and the direct ones: `engine.evidence.refined_distance` says why.
    """

    steps: np.ndarray
    similarity: np.ndarray
    density: np.ndarray
    capacity: np.ndarray
    ranking: np.ndarray
    unit: float


def ground(ensemble: Ensemble, monitor: Monitor) -> Ground:
    """Measuring distances: those between microclusters, and who is dense."""
    require_square("distances between microclusters", len(ensemble.microclusters), 2)
    steps = distance_steps(ensemble, monitor=monitor)
    density = local_density(ensemble)
    unit = 1 / ensemble.n_clusterings
    capacity = representative_capacity(steps, density, monitor) * unit
    similarity = co_association(ensemble, monitor)
    return Ground(steps, similarity, density, capacity, prototype_ranking(density, capacity), unit)


def prototypes(ground: Ground, roots: Sequence[int], n_clusters: int) -> np.ndarray:
    """Those picked by hand, or the k most representative microclusters."""
    picked = [root for root in roots if root < len(ground.ranking)]
    return np.array(picked) if len(picked) >= 2 else ground.ranking[:n_clusters]


def growth(ground: Ground, ensemble: Ensemble, prototypes: np.ndarray, monitor: Monitor) -> Growth:
    """Growing trees: the forest from these prototypes."""
    sizes = ensemble.microclusters.sizes
    return grow_trees(ground.similarity, sizes, prototypes, monitor, ground.steps, ground.unit)


def forest(ensemble: Ensemble, growth: Growth) -> np.ndarray:
    """Labels of the objects by tree, numbered as those of the method: (N,)."""
    return first_appearance(ensemble.microclusters.expand(growth.tree))


@dataclass(frozen=True)
class WrongLink:
    """A link between microclusters of two classes: who joined whom, when, how clearly, and who hangs on it."""

    node: int
    joined: int
    round: int
    margin: float
    n_objects: int


def wrong_link(growth: Growth, ensemble: Ensemble, node_classes: np.ndarray | None) -> WrongLink | None:
    """The link between two classes that most objects hang on; None where no link joins two classes."""
    if node_classes is None:
        return None
    hanging = ensemble.microclusters.sizes.astype(np.int64)
    for now in range(growth.n_rounds, 0, -1):  # whoever joined later hangs on whom it joined
        late = np.flatnonzero((growth.round == now) & (growth.linked_to >= 0))
        np.add.at(hanging, growth.linked_to[late], hanging[late])
    crossing = (growth.linked_to >= 0) & (node_classes != node_classes[growth.linked_to])
    if not crossing.any():
        return None
    node = int(np.argmax(np.where(crossing, hanging, 0)))
    to, now = int(growth.linked_to[node]), int(growth.round[node])
    return WrongLink(node, to, now, float(growth.margin[node]), int(hanging[node]))


def nearest_tree(ground: Ground, prototypes: np.ndarray) -> np.ndarray:
    """Tree of the nearest prototype, the first if they tie: (n,)."""
    return ground.steps[:, prototypes].argmin(axis=1)


def nearest_forest(ensemble: Ensemble, nearest_tree: np.ndarray) -> np.ndarray:
    """Labels of the objects by nearest prototype: (N,)."""
    return first_appearance(ensemble.microclusters.expand(nearest_tree))
