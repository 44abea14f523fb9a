"""What answers of the same methods or of others say: agreement with other families, and stability over halves."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...runtime.errors import Cancelled, EngineError
from ...runtime.monitor import Monitor, Quiet
from ...selection.judging import Judge
from ..registry import SPLITS, Criterion, Limit, Question


def agreement(alike: NDArray[np.float64], families: list[str]) -> NDArray[np.float64]:
    """Mean over the other families of the mean ARI with their answers: (P,); nan where there is one family alone.

    Every family counts once, so that a dozen methods of one kind do not outvote the others.
    """
    names, of = np.unique(families, return_inverse=True)
    member = np.eye(len(names))[of]
    means = alike @ member / member.sum(axis=0)
    means[np.arange(len(of)), of] = np.nan
    return np.nanmean(means, axis=1) if len(names) > 1 else np.full(len(of), np.nan)


def _agreement(question: Question, monitor: Monitor) -> dict[str, float]:
    values = agreement(question.alike(), question.families())
    return dict(zip(question.answers, values.tolist(), strict=True))


AGREEMENT = Criterion(
    key="agreement",
    title="agreement with other families (ARI)",
    run=_agreement,
    summary="How alike its answer is to those of the other families of methods, each family counted once.",
    reference="hubert1985ari",
    place=10,
)


def _stability(question: Question, monitor: Monitor) -> dict[str, float]:
    """Mean ARI, nan for a method that takes too long, or refuses a half: DREC cannot partition a single one."""
    found, every = {}, np.arange(question.ensemble.n_clusterings)
    for done, key in enumerate(question.answers):
        ask = partial(monitor.tick, "comparing halves of the ensemble", done, len(question.answers))
        ask()
        limit = Limit(Quiet(ask), question.seconds)
        judge = Judge(question.ensemble, key, question.n_clusters, seed=question.seed, split_seed=question.seed)
        try:
            found[key] = judge.value(every, limit, splits=SPLITS)
        except Cancelled:
            if not limit.over:
                raise
            found[key] = np.nan
        except EngineError:
            found[key] = np.nan
    return found


STABILITY = Criterion(
    key="stability",
    title="stability over halves (ARI)",
    run=_stability,
    summary="How alike its answers are to one half of the base clusterings and to the other.",
    reference="hennig2007stability",
    place=20,
)
