"""Jobs: what the criteria say, at once or in full, and what the pictures of the consensus runs show."""

from collections import OrderedDict
from threading import Lock

import numpy as np

from data import Pool
from engine import Ensemble, Monitor, Params
from engine.choosing_k import ChosenK, answer, ask
from engine.choosing_k.questions import Question
from engine.partition import leaf_order, linkage
from engine.studies.store import default_path
from ui.compute import pipeline
from ui.compute.jobs import Job, State
from ui.compute.keys import key_of
from ui.compute.work import find, start
from ui.session.run_config import RunConfig

#: Questions that were asked last: a cancelled one goes on with what it has.
_asked: OrderedDict[tuple, Question] = OrderedDict()
_KEPT, _lock = 8, Lock()
#: Objects whose consensus matrices are drawn.
DRAWN = 120


def _inputs(config: RunConfig, made: Ensemble, effort: str) -> tuple:
    """What a look is made from; a long one is kept on disk, beside the results of studies."""
    looks = str(default_path().parent / "looks") if effort == "full" else None
    features = None if isinstance(pipeline.dataset(config), Pool) else pipeline.features(config)
    k_max = min(config.k_max, len(made.microclusters))
    return made, config.method, config.method_params, k_max, features, config.seed, effort, looks


def quick(config: RunConfig, made: Ensemble) -> Job:
    """Job: what the criteria say after a short look."""
    return start(said, *_inputs(config, made, "quick"), slot="quick_k")


def full(config: RunConfig, made: Ensemble) -> Job:
    """Job: what they say after a long look; it takes minutes on many objects."""
    return start(said, *_inputs(config, made, "full"), slot="full_k", patient=True)


def full_so_far(config: RunConfig, made: Ensemble) -> Job | None:
    """The job of the long look, if somebody began it."""
    return find(said, *_inputs(config, made, "full"))


def known(config: RunConfig, made: Ensemble) -> ChosenK | None:
    """What the criteria said after the longest look that was taken; None if nobody asked."""
    jobs = (find(said, *_inputs(config, made, effort)) for effort in ("full", "quick"))
    return next((job.future.result() for job in jobs if job is not None and job.state is State.DONE), None)


def kept(config: RunConfig, made: Ensemble) -> tuple[int, int]:
    """Sets whose runs a long look has on disk, and how many it needs: it goes on from there, also after a restart."""
    question = _question(*_inputs(config, made, "full"))
    return question.n_kept() if question.features is not None else 0, 1 + question.effort.null_sets


def said(
    made: Ensemble,
    method: str,
    params: Params,
    k_max: int,
    features: np.ndarray | None,
    seed: int,
    effort: str,
    looks: str | None,
    monitor: Monitor,
) -> ChosenK:
    """`choose_k`, going on from where the same question was left."""
    return answer(_question(made, method, params, k_max, features, seed, effort, looks), monitor=monitor)


def _question(*inputs) -> Question:
    """The question that is asked with these inputs, the one of before if it is still there."""
    key = key_of(said, *inputs)
    with _lock:
        _asked[key] = _asked.pop(key, None) or ask(*inputs)
        while len(_asked) > _KEPT:
            _asked.popitem(last=False)
        return _asked[key]


def matrices(found: ChosenK) -> Job:
    """Job: the consensus matrices of every k between some objects, (n_k, a, a) of whole percent."""
    return start(consensus_matrices, found)


def consensus_matrices(found: ChosenK, monitor: Monitor) -> np.ndarray:
    """Every matrix in the order of its own average-linkage tree, as the classic picture has it."""
    assert found.runs is not None
    n = found.runs.labels.shape[2]
    objects = np.arange(n)
    if n > DRAWN:
        objects = np.sort(np.random.default_rng(0).choice(n, DRAWN, replace=False))
    drawn = np.empty((len(found.ks), len(objects), len(objects)), np.uint8)
    for place in range(len(found.ks)):
        monitor.tick("drawing consensus matrices", place, len(found.ks))
        matrix = found.runs.matrix(place, objects)
        order = leaf_order(linkage(matrix))
        drawn[place] = np.rint(100 * matrix[np.ix_(order, order)]).astype(np.uint8)
    return drawn
