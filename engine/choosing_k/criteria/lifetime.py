"""Lifetime: how long k clusters last while the method's tree is cut lower and lower (Fred and Jain 2005)."""

import numpy as np

from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion, Curve, highest


def _run(question: Question, monitor: Monitor) -> Curve:
    """Similarity at which k clusters are formed, minus that at which they become k - 1."""
    tree = question.result(monitor).trace["dendrogram"]
    similarities = np.append(1.0, tree.similarities)  # leaves are there from 1 on
    formed = similarities[tree.n_leaves - question.ks]
    values = formed - tree.similarities[tree.n_leaves - question.ks]
    return Curve(values, highest(values, question.ks))


def _reading(curve: Curve, ks) -> str:
    if curve.pick is None:
        return "No number of clusters lasts longer than another."
    at = int(np.flatnonzero(ks == curve.pick)[0])
    formed = curve.values[at]
    return f"{curve.pick} clusters last longest: the similarity falls by {formed:.2f} before two of them merge."


CRITERION = Criterion(
    key="lifetime",
    title="lifetime",
    run=_run,
    reading=_reading,
    summary="How far the similarity must fall before k clusters become k - 1, on the method's own tree.",
    reference="fred2005eac",
    needs=frozenset({"tree"}),
    counts=False,
    place=40,
)
