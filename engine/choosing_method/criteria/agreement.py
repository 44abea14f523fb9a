"""Agreement: how alike an answer is to those of the other families of methods."""

import numpy as np
from numpy.typing import NDArray

from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion


def agreement(alike: NDArray[np.float64], families: list[str]) -> NDArray[np.float64]:
    """Mean over the other families of the mean ARI with their answers: (P,); nan where there is one family alone.

    Every family counts once, so that a dozen methods of one kind do not outvote the others.
    """
    names, of = np.unique(families, return_inverse=True)
    member = np.eye(len(names))[of]
    means = alike @ member / member.sum(axis=0)
    means[np.arange(len(of)), of] = np.nan
    return np.nanmean(means, axis=1) if len(names) > 1 else np.full(len(of), np.nan)


def _run(question: Question, monitor: Monitor) -> dict[str, float]:
    values = agreement(question.alike(), question.families())
    return dict(zip(question.answers, values.tolist(), strict=True))


METHOD_CRITERION = Criterion(
    key="agreement",
    title="agreement with other families (ARI)",
    run=_run,
    summary="How alike its answer is to those of the other families of methods, each family counted once.",
    reference="hubert1985ari",
    place=10,
)
