"""How well base clusterings, choices among them and their consensus agree with the truth, and with each other.

And whether a lead is one: many ensembles, best k, copies, the order of the rows, data without clusters.
"""

from typing import Any

import numpy as np

from engine.evidence import clustering_agreement
from engine.metrics import accuracy
from engine.partitions import inconsistency as coefficient
from engine.statistics import spread
from ui.lessons.facts.vocabulary import fact
from ui.pictures import trials
from ui.saying import counted
from ui.scene import Scene
from ui.scene.data_set import NotThereError


def _base_scores(scene: Scene) -> np.ndarray:
    if scene.base_scores is None:
        raise NotThereError(f"{scene.title} has no classes")
    return scene.base_scores


def _several(scene: Scene, found: Any) -> Any:
    """What several base clusterings come to."""
    if found is None:
        raise NotThereError(f"there is {counted(scene.n_clusterings, 'base clustering')}, and this takes more")
    return found


@fact("score", "method")
def score(scene: Scene, method: str = "") -> float:
    """Agreement of a method's consensus with the truth."""
    return trials.score(scene, method)


@fact("share", "method")
def wrong(scene: Scene, method: str = "") -> float:
    """Share of the objects that a method's consensus gets wrong."""
    return 1 - accuracy(trials.answer(scene, method).labels, scene.classes)


@fact("score")
def base_mean(scene: Scene) -> float:
    """Mean agreement of the base clusterings with the truth."""
    return float(_base_scores(scene).mean())


@fact("score")
def base_best(scene: Scene) -> float:
    """The best agreement of a base clustering with the truth."""
    return float(_base_scores(scene).max())


@fact("count", "method")
def beaten(scene: Scene, method: str = "") -> float:
    """Base clusterings that agree less with the truth than the consensus."""
    return float((_base_scores(scene) < score(scene, method)).sum())


def _base_wrong(scene: Scene) -> np.ndarray:
    return np.array([1 - accuracy(one[one >= 0], scene.classes[one >= 0]) for one in scene.ensemble.labels.T])


@fact("share")
def base_wrong(scene: Scene) -> float:
    """Mean share of the objects that a base clustering gets wrong, of those that it labels."""
    return float(_base_wrong(scene).mean())


@fact("share")
def base_wrong_least(scene: Scene) -> float:
    """Smallest share of the objects that a base clustering gets wrong, of those that it labels."""
    return float(_base_wrong(scene).min())


@fact("share")
def base_wrong_most(scene: Scene) -> float:
    """Largest share of the objects that a base clustering gets wrong, of those that it labels."""
    return float(_base_wrong(scene).max())


@fact("score")
def alike(scene: Scene) -> float:
    """Mean NMI between two base clusterings: 1 if all are the same."""
    agreement = clustering_agreement(scene.ensemble)
    off = ~np.eye(len(agreement), dtype=bool)
    return float(agreement[off].mean()) if off.any() else 1.0


@fact("count")
def objects(scene: Scene) -> float:
    """Objects of the data set."""
    return float(scene.source.n_objects)


@fact("count")
def largest_class(scene: Scene) -> float:
    """Objects of the largest class."""
    return float(np.bincount(scene.classes).max())


@fact("count")
def smallest_class(scene: Scene) -> float:
    """Objects of the smallest class."""
    return float(np.bincount(scene.classes).min())


@fact("count")
def clusterings(scene: Scene) -> float:
    """Base clusterings."""
    return float(scene.ensemble.n_clusterings)


@fact("count")
def microclusters(scene: Scene) -> float:
    """Groups of objects that no base clustering tells apart."""
    return float(len(scene.ensemble.microclusters))


@fact("count")
def fewest_clusters(scene: Scene) -> float:
    """Clusters of the coarsest base clustering."""
    return float(scene.ensemble.n_clusters_each.min())


@fact("count")
def most_clusters(scene: Scene) -> float:
    """Clusters of the finest base clustering."""
    return float(scene.ensemble.n_clusters_each.max())


@fact("share", "strategy")
def chance_share(scene: Scene, strategy: str) -> float:
    """Share of the random choices of the same size whose consensus is worth less than a strategy's, ties by half."""
    found = _several(scene, scene.selections)
    return found.cloud.percentile(found.values[strategy]) / 100


@fact("score")
def chance_median(scene: Scene) -> float:
    """What the consensus of a random choice of the same size is worth, the median."""
    return float(np.median(_several(scene, scene.selections).cloud.values))


@fact("score")
def two_members(scene: Scene) -> float:
    """What the consensus of two random base clusterings is worth, the median."""
    return float(_several(scene, scene.numbers_of_members).median[0])


@fact("score")
def all_members(scene: Scene) -> float:
    """What the consensus of all base clusterings is worth, measured beside those of random subsets."""
    return float(_several(scene, scene.numbers_of_members).median[-1])


@fact("value")
def inconsistency(scene: Scene) -> float:
    """Inconsistency (IC) of the base clusterings: 1 if all are the same."""
    return coefficient(scene.ensemble.labels, n_bootstraps=1).value


@fact("value")
def resolution_inconsistency(scene: Scene) -> float:
    """Inconsistency (IC) of fifteen runs of Leiden at one resolution, as it stands on the curve over resolutions."""
    if (found := scene.resolution_runs) is None:
        raise NotThereError(f"{scene.title} is no graph with links")
    middle = np.log(scene.config.leiden_resolution).mean()
    return found.own.found[np.abs(np.log(found.own.resolutions) - middle).argmin()].value


@fact("count")
def loose(scene: Scene) -> float:
    """Objects that keep less than half of their company from one base clustering to another."""
    return float((scene.object_consistency < 0.5).sum())


@fact("score", "method", "draws")
def mean_score(scene: Scene, method: str, draws: int) -> float:
    """Mean agreement of a method with the truth over so many ensembles."""
    return float(trials.scores(scene, method, draws).mean())


@fact("score", "method", "draws")
def sd_score(scene: Scene, method: str, draws: int) -> float:
    """Standard deviation of that agreement."""
    return spread(trials.scores(scene, method, draws)).sd


@fact("score", "method")
def best_k_score(scene: Scene, method: str = "") -> float:
    """Agreement of a method with the truth at whichever k from 2 to 20 agrees most."""
    return trials.best_over_k(scene, method)[0]


@fact("score", "method", "draws")
def mean_best_k_score(scene: Scene, method: str, draws: int) -> float:
    """Mean of that over so many ensembles, each at its own best k."""
    return float(trials.best_k_scores(scene, method, draws).mean())


@fact("count", "method")
def best_k(scene: Scene, method: str = "") -> float:
    """That k."""
    return float(trials.best_over_k(scene, method)[1])


@fact("score", "copies", "draws")
def copies_lead(scene: Scene, copies: int, draws: int) -> float:
    """Lead of the best over the worst of several copies of one method, each with ensembles of its own."""
    means = trials.copies(scene, copies, draws).mean(axis=1)
    return float(means.max() - means.min())


@fact("score")
def rows_sorted(scene: Scene) -> float:
    """Agreement of a toy that smooths along the rows of the file, sorted by class."""
    return scene.score(trials.toy(scene, shuffled=False))


@fact("score")
def rows_shuffled(scene: Scene) -> float:
    """Agreement of the same toy with the rows shuffled."""
    return scene.score(trials.toy(scene, shuffled=True))


@fact("value")
def structure_p(scene: Scene) -> float:
    """How often data without clusters look as structured as these: the p of the test of structure."""
    return scene.structure_of_data.p


@fact("value")
def twin_structure_p(scene: Scene) -> float:
    """The same for a twin of the data without clusters."""
    return scene.structure_of_twin.p
