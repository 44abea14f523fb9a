"""Gap of the prototypes: where the scores of GoT's representative objects drop (Li, Qian and Wang 2021)."""

import numpy as np

from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion, Curve, highest


def _run(question: Question, monitor: Monitor) -> Curve:
    """r_(k) / r_(k+1) of the sorted scores r = rho delta."""
    trace, ks = question.result(monitor).trace, question.ks
    scores = np.sort(np.round(trace["density"] * trace["capacity"], 12))[::-1]
    following = np.append(scores, 0.0)[ks]
    values = np.divide(scores[ks - 1], following, out=np.full(len(ks), np.nan), where=following > 0)
    return Curve(values, highest(values, ks))


def _reading(curve: Curve, ks) -> str:
    if curve.pick is None:
        return "No prototype stands out."
    ratio = curve.values[int(np.flatnonzero(ks == curve.pick)[0])]
    return f"Prototype {curve.pick} scores {ratio:.1f} times as high as the next one, the largest drop."


CRITERION = Criterion(
    key="prototype_gap",
    title="gap of prototypes",
    run=_run,
    reading=_reading,
    summary="Where the product of density and distance drops most from one prototype of GoT to the next.",
    reference="li2021got",
    needs=frozenset({"prototypes"}),
    counts=False,
    place=60,
)
