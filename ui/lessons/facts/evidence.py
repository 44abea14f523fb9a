"""What matrices and links say, and how often they are right."""

import numpy as np
from scipy.sparse.csgraph import connected_components

from engine.ensemble import Microclusters
from engine.evidence import ensemble_driven_cluster_index
from ui.figures.numbering import numbers
from ui.lessons.facts.vocabulary import fact
from ui.pictures.walks import STRONG, WEAK
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
    return float((i == j).sum())


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
    """Share of the links that are kept that join objects of one class."""
    kept = scene.pruning[1]
    return float(kept.correct.sum() / max(1, kept.pairs.sum()))


@fact("share")
def all_right(scene: Scene) -> float:
    """Share of all links that join objects of one class."""
    every = scene.pruning[0]
    return float(every.correct.sum() / max(1, every.pairs.sum()))


@fact("count")
def parts(scene: Scene) -> float:
    """Connected parts of the graph of the links that are kept."""
    return float(connected_components(scene.graph, directed=False)[0])


@fact("share")
def weak_right(scene: Scene) -> float:
    """Share of the links of weight at most .2 that join objects of one class."""
    every = scene.pruning[0]
    chosen = every.values <= WEAK
    return float(every.correct[chosen].sum() / max(1, every.pairs[chosen].sum()))


@fact("share")
def strong_right(scene: Scene) -> float:
    """Share of the links of weight above .8 that join objects of one class."""
    every = scene.pruning[0]
    chosen = every.values > STRONG
    return float(every.correct[chosen].sum() / max(1, every.pairs[chosen].sum()))


@fact("share")
def weak_links(scene: Scene) -> float:
    """Share of all links that have a weight of at most .2."""
    every = scene.pruning[0]
    return float(every.pairs[every.values <= WEAK].sum() / max(1, every.pairs.sum()))
