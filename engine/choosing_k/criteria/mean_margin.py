"""Mean margin: how much more similar objects are to their own cluster than to the nearest other one."""

import numpy as np

from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion, Curve, highest


def _run(question: Question, monitor: Monitor) -> Curve:
    profiles = question.profiles(monitor)
    values = question.over_ks({k: float(one.margin.mean()) for k, one in profiles.items()})
    return Curve(values, highest(values, question.ks))


def best_reading(curve: Curve, ks) -> str:
    """Where the value is highest, and how high."""
    if curve.pick is None:
        return "All numbers of clusters do equally well."
    value = curve.values[int(np.flatnonzero(ks == curve.pick)[0])]
    return f"It is highest for {curve.pick} clusters, {value:.2f}."


CRITERION = Criterion(
    key="margin",
    title="mean margin",
    run=_run,
    reading=best_reading,
    summary="How much more often objects meet the members of their own cluster than those of the nearest other one.",
    reference="wilkerson2010consensus",
    shares="margin, silhouette and ANMI (one vote)",
    place=20,
)
