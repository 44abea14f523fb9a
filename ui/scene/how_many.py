"""What the criteria say about k, after a short look or a long one, and what the pictures of the consensus runs show."""

import numpy as np

from engine import Ensemble, Monitor, Params, confidence
from engine.choosing_k import ChosenK, answer, ask
from engine.choosing_k.questions import Question
from engine.confidence import Profile
from engine.partition import leaf_order, linkage
from engine.studies.store import default_path
from ui.compute.keeping import Kept
from ui.compute.keys import key_of

#: Looks that take minutes on many objects.
PATIENT = ("long_look",)
#: Questions that were asked last: a cancelled one goes on with what it has.
_QUESTIONS: Kept[Question] = Kept(8)
#: Objects whose consensus matrices are drawn.
DRAWN = 120


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
    return answer(_question(*look, "quick", None), monitor=monitor)


def looks_folder() -> str:
    """Where long looks are kept: beside the results of studies."""
    return str(default_path().parent / "looks")


def long_look(look: tuple, looks_folder: str, monitor: Monitor) -> ChosenK:
    """Looking longer: what they say after minutes, kept on disk."""
    return answer(_question(*look, "full", looks_folder), monitor=monitor)


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
