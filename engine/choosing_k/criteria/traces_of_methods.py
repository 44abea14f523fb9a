"""What a method itself says of k: lifetimes on its tree, and the gap of its prototypes."""

import numpy as np

from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion, Curve, highest


def _lifetime(question: Question, monitor: Monitor) -> Curve:
    """Similarity at which k clusters are formed, minus that at which they become k - 1."""
    tree = question.result(monitor).trace["dendrogram"]
    similarities = np.append(1.0, tree.similarities)  # leaves are there from 1 on
    formed = similarities[tree.n_leaves - question.ks]
    values = formed - tree.similarities[tree.n_leaves - question.ks]
    return Curve(values, highest(values, question.ks, float(np.abs(tree.similarities).max()) or 1.0))


def _lifetime_reading(curve: Curve, ks) -> str:
    if curve.pick is None:
        return "No number of clusters lasts longer than another."
    at = int(np.flatnonzero(ks == curve.pick)[0])
    formed = curve.values[at]
    far = f"{formed:.2f}" if formed >= 0.01 else f"{formed:.1e}"
    return f"{curve.pick} clusters last longest: the similarity falls by {far} before two of them merge."


LIFETIME = Criterion(
    key="lifetime",
    title="lifetime",
    run=_lifetime,
    reading=_lifetime_reading,
    summary="How far the similarity must fall before k clusters become k - 1, on the method's own tree.",
    reference="fred2005eac",
    needs=frozenset({"tree"}),
    counts=False,
    place=40,
)


def _prototype_gap(question: Question, monitor: Monitor) -> Curve:
    """r_(k) / r_(k+1) of the sorted scores r = rho delta."""
    trace, ks = question.result(monitor).trace, question.ks
    scores = np.sort(np.round(trace["density"] * trace["capacity"], 12))[::-1]
    following = np.append(scores, 0.0)[ks]
    values = np.divide(scores[ks - 1], following, out=np.full(len(ks), np.nan), where=following > 0)
    return Curve(values, highest(values, ks))


def _prototype_gap_reading(curve: Curve, ks) -> str:
    if curve.pick is None:
        return "No prototype stands out."
    ratio = curve.values[int(np.flatnonzero(ks == curve.pick)[0])]
    return f"Prototype {curve.pick} scores {ratio:.1f} times as high as the next one, the largest drop."


PROTOTYPE_GAP = Criterion(
    key="prototype_gap",
    title="gap of prototypes",
    run=_prototype_gap,
    reading=_prototype_gap_reading,
    summary="Where the product of density and distance drops most from one prototype of GoT to the next.",
    reference="li2021got",
    needs=frozenset({"prototypes"}),
    counts=False,
    place=60,
)
