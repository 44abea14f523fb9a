"""How many clusters: what the criteria say about k, whether there are any clusters, and which resolution of a graph."""

from typing import NamedTuple

import numpy as np

from engine import Ensemble, Monitor, Params, confidence, run_consensus
from engine.choosing_k import (
    ChosenK,
    Structure,
    answer,
    ask,
    consensus_runs,
    principal_scores,
    structure,
    without_clusters,
)
from engine.choosing_k.choosing import DEFAULT_K_MAX
from engine.choosing_k.questions import Question
from engine.confidence import Profile, element_centric_consistency
from engine.generators import Recipe
from engine.monitor import Part
from engine.params import Int
from engine.partition import leaf_order, linkage
from engine.partitions import PartitionTree, ResolutionCurve, partition_tree, resolution_curve, rewired
from engine.studies.store import default_path
from ui.compute.keeping import Kept
from ui.compute.work import key_of
from ui.figures.style import alike, painted
from ui.scene.consensus import TREES
from ui.session.settings import Setting

#: The largest k that is looked at, however many clusters there may be.
MOST_LOOKED_AT = 50

SETTINGS = (
    Setting(
        "k_max", DEFAULT_K_MAX, Int(low=2, high=MOST_LOOKED_AT), "The largest number of clusters looked at.", ("data",)
    ),
)

#: Looks that take minutes on many objects, and runs that take one on large graphs.
PATIENT = ("long_look", "resolution_runs")
#: What a cancel leaves in place.
KEEPING = ("quick_look", "long_look")
#: Questions that were asked last: a cancelled one goes on with what it has.
_QUESTIONS: Kept[Question] = Kept(8)
#: Objects whose consensus matrices are drawn.
DRAWN = 120
#: The ks, runs and sets without clusters of the test of structure; 20 sets are what 5 % needs.
TEST_KS, TEST_RUNS, TEST_SETS = (2, 3, 4), 15, 20
#: Resolutions that are tried, runs at each, and clusters of a row of the tree at most.
STEPS, RUNS, MOST_CLUSTERS = 9, 15, 30


def look(
    ensemble: Ensemble,
    method: str,
    method_params: Params,
    k_max: int,
    features_if_any: np.ndarray | None,
    seed: int,
) -> tuple:
    """What a look is made from."""
    return ensemble, method, method_params, min(k_max, len(ensemble.microclusters)), features_if_any, seed


def quick_look(look: tuple, monitor: Monitor) -> ChosenK:
    """Asking the criteria: what they say after a short look."""
    return _answer(look, "quick", None, monitor)


def looks_folder() -> str:
    """Where long looks are kept: beside the results of studies."""
    return str(default_path().parent / "looks")


def long_look(look: tuple, looks_folder: str, monitor: Monitor) -> ChosenK:
    """Looking longer: what they say after minutes, kept on disk."""
    return _answer(look, "full", looks_folder, monitor)


def _answer(look: tuple, effort: str, folder: str | None, monitor: Monitor) -> ChosenK:
    """What the criteria say, on the tree of the consensus where it has one: the consensus takes that of the first."""
    question, (ensemble, method, params, _, _, seed) = _question(*look, effort, folder), look
    if (grown := TREES.grown(method, ensemble, params, seed)) is not None:
        question.give_run(grown)
    found = answer(question, monitor=monitor)
    TREES.add(question.result(), ensemble)
    return found


def sets_kept(look: tuple, looks_folder: str) -> tuple[int, int]:
    """Sets whose runs a long look has on disk, and how many it needs: it goes on from there, also after a restart."""
    question = _question(*look, "full", looks_folder)
    return question.n_kept() if question.features is not None else 0, 1 + question.effort.null_sets


def _question(*inputs) -> Question:
    """The question that is asked with these inputs, the one of before if it is still there."""
    return _QUESTIONS.get(key_of(ask, *inputs), lambda: ask(*inputs))


def criteria(scene) -> ChosenK | None:
    """What the criteria say after the longest look that was taken, the short one if none was."""
    return scene.known("long_look") or scene.quick_look


def asked(scene) -> ChosenK | None:
    """The same where anybody asked; nothing is begun."""
    return scene.known("long_look") or scene.known("quick_look")


def started_k(scene) -> int | None:
    """Where k starts when nobody chose it and no classes tell: at what the criteria say; else None."""
    if scene.config.k is not None or scene.truth is not None:
        return None
    if scene.ensemble is None or len(scene.ensemble.microclusters) < 2:
        return None
    return scene.quick_look and scene.quick_look.n_clusters


def partitions(criteria: ChosenK) -> dict[int, np.ndarray]:
    """Partitions into k clusters, (N,) by k, that have more than one."""
    return {k: labels for k, labels in sorted(criteria.partitions.items()) if labels.max() > 0}


def colors_by_k(criteria: ChosenK, wanted_k: int, reference: np.ndarray | None) -> dict[int, np.ndarray]:
    """Colours (k,) of the clusters of every k: of the chosen one as on all pages, of others after the k next to it."""
    found = criteria.partitions
    here = min(found, key=lambda k: abs(k - wanted_k))
    colors = {here: alike(found[here], reference)}
    for way in (sorted(k for k in found if k > here), sorted((k for k in found if k < here), reverse=True)):
        before = here
        for k in way:
            colors[k] = alike(found[k], painted(found[before], colors[before]))
            before = k
    return colors


def firmness_by_k(ensemble: Ensemble, partitions: dict[int, np.ndarray], monitor: Monitor) -> dict[int, Profile]:
    """Measuring how firmly objects sit: in the consensus of every k."""
    found = {}
    for done, (k, labels) in enumerate(partitions.items()):
        monitor.tick("measuring how firmly objects sit", done, len(partitions))
        found[k] = confidence.cluster_profile(ensemble, labels)
    return found


def matrices_of_k(criteria: ChosenK, monitor: Monitor) -> np.ndarray:
    """Drawing consensus matrices: of every k between some objects, (n_k, a, a) of whole percent.

    Every matrix stands in the order of its own average-linkage tree, as the classic picture has it.
    """
    assert criteria.runs is not None
    n = criteria.runs.labels.shape[2]
    objects = np.arange(n)
    if n > DRAWN:
        objects = np.sort(np.random.default_rng(0).choice(n, DRAWN, replace=False))
    drawn = np.empty((len(criteria.ks), len(objects), len(objects)), np.uint8)
    for place in range(len(criteria.ks)):
        monitor.tick("drawing consensus matrices", place, len(criteria.ks))
        matrix = criteria.runs.matrix(place, objects)
        order = leaf_order(linkage(matrix))
        drawn[place] = np.rint(100 * matrix[np.ix_(order, order)]).astype(np.uint8)
    return drawn


def twin(features: np.ndarray, seed: int) -> np.ndarray:
    """A set without clusters, as long and as wide as the data: one Gaussian with their covariance, (N, p)."""
    return without_clusters(principal_scores(features), np.random.default_rng(seed))


def structure_of_data(features: np.ndarray, seed: int, monitor: Monitor) -> Structure:
    """Testing for structure: how structured the data look beside sets without clusters."""
    return _structure(features, seed, monitor)


def structure_of_twin(twin: np.ndarray, seed: int, monitor: Monitor) -> Structure:
    """Testing for structure: the same for the twin."""
    return _structure(twin, seed, monitor)


def _structure(points: np.ndarray, seed: int, monitor: Monitor) -> Structure:
    scores_of, rng = principal_scores(points), np.random.default_rng([seed, 1])  # the twin is drawn by the seed itself
    sets = [scores_of, *(without_clusters(scores_of, rng) for _ in range(TEST_SETS))]
    pac = []
    for done, one in enumerate(sets):
        monitor.tick("drawing sets without clusters", done, len(sets))
        pac.append(consensus_runs(one, TEST_KS, TEST_RUNS, seed=seed).pac())
    return structure(np.array(pac[0]), np.array(pac[1:]))


def twin_labels(
    twin: np.ndarray, method: str, recipe: Recipe, n_clusters: int, n_clusterings: int, seed: int, monitor: Monitor
) -> np.ndarray:
    """Finding the consensus: what the chosen method answers on the twin, (N,) in as many clusters as asked."""
    made = recipe.ensemble(twin, n_clusters, n_clusterings, seed, monitor)
    return run_consensus(method, made, n_clusters, seed=seed).labels


class ResolutionRuns(NamedTuple):
    """What runs find on the graph, and on a graph by chance with the same links at every node."""

    own: ResolutionCurve
    null: ResolutionCurve


def resolution_runs(
    ensemble: Ensemble, leiden_resolution: tuple[float, float], leiden_quality: str, seed: int, monitor: Monitor
) -> ResolutionRuns | None:
    """Trying resolutions: from half the smallest to twice the largest, 15 runs each, and by chance."""
    if ensemble.graph is None or not ensemble.graph.n_edges:
        return None
    low, high = leiden_resolution
    asked = np.geomspace(low / 2, 2 * high, STEPS), leiden_quality, RUNS, seed
    return ResolutionRuns(
        resolution_curve(ensemble.graph, *asked, Part(monitor, 0, 2, steps=1)),
        resolution_curve(rewired(ensemble.graph, seed), *asked, Part(monitor, 1, 2, steps=1)),
    )


def tree_of_resolutions(resolution_runs: ResolutionRuns | None) -> PartitionTree | None:
    """The best partitions of the resolutions below each other, as far as their clusters can be told apart."""
    if resolution_runs is None:
        return None
    own = resolution_runs.own
    rows = {f"{own.resolutions[g]:.3g}": own.labels[:, g] for g in np.flatnonzero(own.n_clusters <= MOST_CLUSTERS)}
    return partition_tree(rows) if len(rows) > 1 else None


def object_consistency(ensemble: Ensemble, monitor: Monitor) -> np.ndarray | None:
    """Following every object: how alike its company is over all base clusterings, (N,); None for a single one."""
    return element_centric_consistency(ensemble.labels, monitor) if ensemble.n_clusterings > 1 else None
