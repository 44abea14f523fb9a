"""Stability: the same method on two halves of the base clusterings, and how alike its answers are."""

from functools import partial

import numpy as np

from ...runtime.monitor import Monitor, Quiet
from ...selection.judging import Judge
from ..questions import SPLITS, Question
from ..registry import Criterion


def _run(question: Question, monitor: Monitor) -> dict[str, float]:
    found, every = {}, np.arange(question.ensemble.n_clusterings)
    for done, key in enumerate(question.answers):
        ask = partial(monitor.tick, "comparing halves of the ensemble", done, len(question.answers))
        ask()
        judge = Judge(question.ensemble, key, question.n_clusters, seed=question.seed, split_seed=question.seed)
        found[key] = judge.value(every, Quiet(ask), splits=SPLITS)
    return found


METHOD_CRITERION = Criterion(
    key="stability",
    title="stability over halves (ARI)",
    run=_run,
    summary="How alike its answers are to one half of the base clusterings and to the other.",
    reference="hennig2007stability",
    place=20,
)
