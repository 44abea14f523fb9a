"""ANMI: what the consensus shares with the base clusterings on average (Strehl and Ghosh 2002)."""

import numpy as np

from ...confidence import mean_nmi
from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion, Curve, highest


def _run(question: Question, monitor: Monitor) -> Curve:
    found = question.partitions(monitor=monitor)
    both = {}
    for done, (k, labels) in enumerate(found.items()):
        monitor.tick("comparing with the base clusterings", done, len(found))
        both[k] = mean_nmi(question.ensemble, labels)
    values = question.over_ks({k: one[0] for k, one in both.items()})
    return Curve(values, highest(values, question.ks), question.over_ks({k: one[1] for k, one in both.items()}))


def _reading(curve: Curve, ks) -> str:
    if curve.pick is None:
        return "All numbers of clusters share as much with the base clusterings."
    value = curve.values[int(np.flatnonzero(ks == curve.pick)[0])]
    return f"{curve.pick} clusters share most with the base clusterings, {value:.2f}; it leans towards their own k."


CRITERION = Criterion(
    key="anmi",
    title="ANMI",
    run=_run,
    reading=_reading,
    summary="Mean NMI (sqrt) of the consensus with the base clusterings; it leans towards the k they have.",
    reference="strehl2002",
    shares="margin, silhouette and ANMI (one vote)",
    place=30,
)
