"""Whether it helps to choose among base clusterings, and how many of them are enough."""

import numpy as np

from ui.lessons.facts.vocabulary import fact
from ui.scene import Scene


@fact("share", "strategy")
def chance_share(scene: Scene, strategy: str) -> float:
    """Share of the random choices of the same size whose consensus is worth less than a strategy's, ties by half."""
    found = scene.selections
    return found.cloud.percentile(found.values[strategy]) / 100


@fact("score")
def chance_median(scene: Scene) -> float:
    """What the consensus of a random choice of the same size is worth, the median."""
    return float(np.median(scene.selections.cloud.values))


@fact("score")
def two_members(scene: Scene) -> float:
    """What the consensus of two random base clusterings is worth, the median."""
    return float(scene.numbers_of_members.median[0])


@fact("score")
def all_members(scene: Scene) -> float:
    """What the consensus of all base clusterings is worth, measured beside those of random subsets."""
    return float(scene.numbers_of_members.median[-1])
