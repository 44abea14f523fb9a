"""PAC: the share of pairs that k-means on shares of the objects leaves undecided (Senbabaoglu et al. 2014)."""

import numpy as np

from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Band, Criterion, Curve, highest


def _run(question: Question, monitor: Monitor) -> Curve:
    values = question.runs(monitor).pac()
    null = question.null_pac(monitor) if question.effort.null_sets >= 3 else None
    band = None if null is None else Band(null.mean(axis=0), null.std(axis=0, ddof=1))
    return Curve(values, highest(-values, question.ks), null=band)


def _reading(curve: Curve, ks) -> str:
    if curve.pick is None:
        return "All numbers of clusters leave as many pairs undecided."
    value = curve.values[int(np.flatnonzero(ks == curve.pick)[0])]
    largest = " That is the largest k tried, which PAC tends to pick." if curve.pick == ks[-1] else ""
    return f"Fewest pairs are undecided for {curve.pick} clusters, {100 * value:.0f} %.{largest}"


CRITERION = Criterion(
    key="pac",
    title="PAC",
    run=_run,
    reading=_reading,
    summary="Share of pairs that are neither nearly always nor nearly never together. Alone it tends to the largest k: "
    "read it against its null.",
    reference="senbabaoglu2014pac",
    needs=frozenset({"features"}),
    counts=False,
    place=11,
)
