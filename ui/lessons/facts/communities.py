"""How far runs agree that differ in chance alone."""

from engine.partitions import inconsistency as coefficient
from ui.lessons.facts.vocabulary import fact
from ui.scene import Scene


@fact("value")
def inconsistency(scene: Scene) -> float:
    """Inconsistency (IC) of the base clusterings: 1 if all are the same."""
    return coefficient(scene.ensemble.labels, n_bootstraps=1).value


@fact("count")
def loose(scene: Scene) -> float:
    """Objects that keep less than half of their company from one base clustering to another."""
    return float((scene.object_consistency < 0.5).sum())
