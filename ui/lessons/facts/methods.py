"""What happens inside EC-CMS, growing trees and LAC."""

import numpy as np

from engine.metrics import accuracy
from ui.lessons.facts.evidence import class_means, ratio
from ui.lessons.facts.vocabulary import fact
from ui.pictures import trials
from ui.scene import Scene


def _certain(scene: Scene) -> tuple[float, float]:
    """Pairs of objects in different microclusters that are certain, and those of one class."""
    groups = scene.ensemble.microclusters
    sure = (scene.certain > 0).astype(float)
    np.fill_diagonal(sure, 0)
    members = np.zeros((len(groups), int(scene.classes.max()) + 1))
    np.add.at(members, (groups.assignment, scene.classes), 1)
    total = members.T @ sure @ members
    return float(total.sum() / 2), float(np.trace(total) / 2)


@fact("count")
def certain_pairs(scene: Scene) -> float:
    """Pairs of objects that are certain under alpha, those that nobody tells apart left out."""
    return _certain(scene)[0]


@fact("share")
def certain_right(scene: Scene) -> float:
    """Share of the certain pairs that are of one class."""
    pairs, right = _certain(scene)
    return right / max(1.0, pairs)


@fact("count")
def iterations(scene: Scene) -> float:
    """Iterations of EC-CMS until it stops."""
    return float(scene.enhanced.run.iterations)


@fact("value")
def contrast_before(scene: Scene) -> float:
    """How many times larger the matrix EC-CMS starts from is inside classes than between them."""
    return ratio(*class_means(scene.given.similarity, scene.ensemble.microclusters, scene.classes))


@fact("value")
def contrast_after(scene: Scene) -> float:
    """How many times larger the enhanced matrix is inside classes than between them."""
    return ratio(*class_means(scene.enhanced.run.matrix, scene.ensemble.microclusters, scene.classes))


@fact("score")
def enhanced_score(scene: Scene) -> float:
    """Agreement of the partition cut from the enhanced matrix with the truth."""
    return scene.score(scene.enhanced_labels)


@fact("count")
def rounds(scene: Scene) -> float:
    """Rounds in which trees grow."""
    return float(scene.growth.n_rounds)


@fact("share")
def first_round(scene: Scene) -> float:
    """Share of the objects that join a tree in the first round."""
    return float(scene.growth.joined[0] / scene.ensemble.n_objects) if scene.growth.n_rounds else 0.0


@fact("score")
def grown(scene: Scene) -> float:
    """Agreement of the grown trees with the truth."""
    return scene.score(scene.forest)


@fact("score")
def nearest(scene: Scene) -> float:
    """Agreement with the truth where everybody goes to the nearest prototype."""
    return scene.score(scene.nearest_forest)


@fact("count")
def classes_with_root(scene: Scene) -> float:
    """Classes in which at least one prototype stands."""
    objects = scene.ensemble.microclusters.representatives[scene.prototypes]
    return float(len(np.unique(scene.classes[objects])))


@fact("share")
def lac_wrong(scene: Scene) -> float:
    """Share of the objects that one run of LAC gets wrong."""
    return 1 - accuracy(scene.weighed.labels, scene.classes)


@fact("share")
def mean_lac_wrong(scene: Scene) -> float:
    """Share of the objects that LAC gets wrong, mean over three ensembles, at the value of 1/h they have nearest."""
    near = np.abs(np.log(scene.tried_h / scene.config.lac_inverse_h)).argmin()
    return float(trials.lac_errors(scene).mean(axis=0)[near])


@fact("share")
def mean_lac_least(scene: Scene) -> float:
    """The smallest of the means over three ensembles that LAC gets wrong, at whichever 1/h that is."""
    return float(trials.lac_errors(scene).mean(axis=0).min())


@fact("share")
def mean_lac_most(scene: Scene) -> float:
    """The largest of these means."""
    return float(trials.lac_errors(scene).mean(axis=0).max())


@fact("share", "method")
def mean_wrong(scene: Scene, method: str = "") -> float:
    """Share of the objects that a method gets wrong with LAC's runs over 1/h, mean over three ensembles of them."""
    return float(trials.errors_together(scene, method or scene.config.method).mean())


@fact("share")
def largest_weight(scene: Scene) -> float:
    """The largest share of a cluster's weight that LAC gives to one feature."""
    weights = scene.weighed.weights
    return float((weights / weights.sum(axis=1, keepdims=True)).max())
