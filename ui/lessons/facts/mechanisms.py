"""What matrices and links say and how often they are right; and what happens inside EC-CMS, growing trees and LAC."""

import numpy as np

from engine.ensemble import Microclusters
from engine.evidence import LinkQuality, ensemble_driven_cluster_index, link_quality_by_rows
from engine.metrics import accuracy
from ui.figures.numbering import numbers
from ui.lessons.facts.vocabulary import fact
from ui.pictures import trials
from ui.scene import Scene
from ui.scene.matrices import Named


def class_means(matrix: np.ndarray, groups: Microclusters, truth: np.ndarray) -> tuple[float, float]:
    """Mean value between two objects of one class, and of two classes; an object and itself left out."""
    members = np.zeros((len(groups), int(truth.max()) + 1))
    np.add.at(members, (groups.assignment, truth), 1)
    total, sizes = members.T @ np.asarray(matrix, float) @ members, members.sum(axis=0)
    own = float((np.diag(matrix) * groups.sizes).sum())
    within = (np.trace(total) - own) / (sizes * (sizes - 1)).sum()
    return float(within), float((total.sum() - np.trace(total)) / (sizes.sum() ** 2 - (sizes**2).sum()))


def ratio(within: float, across: float) -> float:
    """How many times larger."""
    return within / across if across else float("inf")


def _matrix(scene: Scene, evidence: str) -> Named:
    here = scene.with_given(matrix_name=evidence)
    return here.truth_matrix if evidence == "truth" else here.evidence_matrix


def _means(scene: Scene, evidence: str) -> tuple[float, float]:
    named = _matrix(scene, evidence)
    dense = named.matrix.toarray() if hasattr(named.matrix, "toarray") else named.matrix
    return class_means(dense, named.groups, scene.classes)


@fact("value", "evidence")
def inside(scene: Scene, evidence: str) -> float:
    """Mean value of a matrix between two objects of one class."""
    return _means(scene, evidence)[0]


@fact("value", "evidence")
def between(scene: Scene, evidence: str) -> float:
    """Mean value of a matrix between two objects of different classes."""
    return _means(scene, evidence)[1]


@fact("value", "evidence")
def contrast(scene: Scene, evidence: str) -> float:
    """How many times larger a matrix is inside classes than between them."""
    return ratio(*_means(scene, evidence))


@fact("value", "evidence")
def pair_value(scene: Scene, evidence: str) -> float:
    """Value of a matrix for the pair of objects that is looked at."""
    named = _matrix(scene, evidence)
    i, j = named.groups.assignment[list(scene.two_objects)]
    return float(named.matrix[i, j])


@fact("count")
def pair_first(scene: Scene) -> float:
    """Number, as pages count, of the first object of the pair that is looked at."""
    return float(numbers(scene.two_objects)[0])


@fact("count")
def pair_second(scene: Scene) -> float:
    """Number of the second one."""
    return float(numbers(scene.two_objects)[1])


@fact("count")
def pair_meets(scene: Scene) -> float:
    """Base clusterings that put the pair that is looked at into one cluster."""
    i, j = scene.ensemble.labels[list(scene.two_objects)]
    return float(((i == j) & (i >= 0)).sum())


@fact("value")
def eci_coarse(scene: Scene) -> float:
    """Mean reliability (ECI) of the clusters of the coarsest base clustering."""
    return float(_reliability(scene)[int(scene.ensemble.n_clusters_each.argmin())])


@fact("value")
def eci_fine(scene: Scene) -> float:
    """Mean reliability (ECI) of the clusters of the finest base clustering."""
    return float(_reliability(scene)[int(scene.ensemble.n_clusters_each.argmax())])


def _reliability(scene: Scene) -> np.ndarray:
    """Mean ECI of each base clustering, its clusters weighed by their objects: (M,)."""
    made = scene.ensemble
    eci, sizes = ensemble_driven_cluster_index(made, scene.config.theta), made.cluster_sizes
    starts = made.offsets[: made.n_clusterings]
    return np.add.reduceat(eci * sizes, starts) / np.add.reduceat(sizes, starts)


@fact("count")
def links(scene: Scene) -> float:
    """Links between microclusters that are kept."""
    return float(scene.graph.nnz // 2)


@fact("share")
def links_kept(scene: Scene) -> float:
    """Share of the links between microclusters that are kept."""
    return scene.graph.nnz / max(1, scene.all_links.nnz)


@fact("share")
def links_right(scene: Scene) -> float:
    """Share of the pairs of objects whose link is kept that are of one class."""
    kept = scene.pruning[1]
    return float(kept.correct.sum() / max(1, kept.pairs.sum()))


@fact("share")
def all_right(scene: Scene) -> float:
    """Share of all pairs of objects that ever met that are of one class."""
    every = scene.pruning[0]
    return float(every.correct.sum() / max(1, every.pairs.sum()))


@fact("count")
def parts(scene: Scene) -> float:
    """Connected parts of the graph of the links that are kept."""
    return float(scene.connected_parts.max() + 1)


def _by_strength(scene: Scene) -> LinkQuality:
    """Links between 0 and .2, to .8, and above; what weighs just .2 or .8 is in the lower bin."""
    edges = np.array([0, 0.2, 0.8]) + 2e-6  # an edge reaches a millionth below itself
    return link_quality_by_rows(scene.ensemble, np.ones(scene.ensemble.n_clusters_total), scene.classes, edges)


@fact("share")
def weak_right(scene: Scene) -> float:
    """Share of the pairs whose link weighs at most .2 that are of one class."""
    links = _by_strength(scene)
    return float(links.correct[0] / max(1, links.pairs[0]))


@fact("share")
def strong_right(scene: Scene) -> float:
    """Share of the pairs whose link weighs more than .8, those in one microcluster too, that are of one class."""
    links = _by_strength(scene)
    return float(links.correct[-1] / max(1, links.pairs[-1]))


@fact("share")
def weak_links(scene: Scene) -> float:
    """Share of all pairs of objects that ever met, those in one microcluster too, whose link weighs at most .2."""
    links = _by_strength(scene)
    return float(links.pairs[0] / max(1, links.pairs.sum()))


def _certain(scene: Scene) -> tuple[float, float]:
    """Pairs of objects that are certain, and those of one class; who stands in one microcluster always is."""
    groups = scene.ensemble.microclusters
    sure = (scene.certain > 0).astype(float)
    np.fill_diagonal(sure, 1)
    members = np.zeros((len(groups), int(scene.classes.max()) + 1))
    np.add.at(members, (groups.assignment, scene.classes), 1)
    total = members.T @ sure @ members - np.diag(members.sum(axis=0))  # nobody is a pair
    return float(total.sum() / 2), float(np.trace(total) / 2)


@fact("count")
def certain_pairs(scene: Scene) -> float:
    """Pairs of objects that are certain under alpha."""
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
