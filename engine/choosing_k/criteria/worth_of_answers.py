"""What the consensus itself is worth, k by k: mean margin, silhouette, ANMI and agreement of halves."""

import numpy as np

from ...confidence import mean_nmi
from ...metrics import ari
from ...runtime.monitor import Monitor, Quiet
from ..questions import Question
from ..registry import Criterion, Curve, highest


def _margin(question: Question, monitor: Monitor) -> Curve:
    """Mean similarity to the own cluster less that to the nearest other one."""
    profiles = question.profiles(monitor)
    values = question.over_ks({k: float(one.margin.mean()) for k, one in profiles.items()})
    return Curve(values, highest(values, question.ks))


def best_reading(curve: Curve, ks) -> str:
    """Where the value is highest, and how high."""
    if curve.pick is None:
        return "All numbers of clusters do equally well."
    value = curve.values[int(np.flatnonzero(ks == curve.pick)[0])]
    return f"It is highest for {curve.pick} clusters, {value:.2f}."


MARGIN = Criterion(
    key="margin",
    title="mean margin",
    run=_margin,
    reading=best_reading,
    summary="How much more often objects meet the members of their own cluster than those of the nearest other one.",
    reference="wilkerson2010consensus",
    shares="worth of answers",
    place=20,
)


def _silhouette(question: Question, monitor: Monitor) -> Curve:
    """Mean silhouette on the distance 1 - co-association."""
    profiles = question.profiles(monitor)
    values = question.over_ks({k: float(one.silhouette.mean()) for k, one in profiles.items()})
    return Curve(values, highest(values, question.ks))


SILHOUETTE = Criterion(
    key="silhouette",
    title="silhouette on 1 - CA",
    run=_silhouette,
    reading=best_reading,
    summary="How much farther the nearest other cluster is than one's own, at distance 1 - co-association.",
    reference="rousseeuw1987silhouettes",
    shares="worth of answers",
    place=21,
)


def _anmi(question: Question, monitor: Monitor) -> Curve:
    """Mean NMI with the base clusterings, and its standard deviation over them."""
    found = question.partitions(monitor=monitor)
    both = {}
    for done, (k, labels) in enumerate(found.items()):
        monitor.tick("comparing with the base clusterings", done, len(found))
        both[k] = mean_nmi(question.ensemble, labels)
    values = question.over_ks({k: one[0] for k, one in both.items()})
    return Curve(values, highest(values, question.ks), question.over_ks({k: one[1] for k, one in both.items()}))


def _anmi_reading(curve: Curve, ks) -> str:
    if curve.pick is None:
        return "All numbers of clusters share as much with the base clusterings."
    value = curve.values[int(np.flatnonzero(ks == curve.pick)[0])]
    return f"{curve.pick} clusters share most with the base clusterings, {value:.2f}; it leans towards their own k."


ANMI = Criterion(
    key="anmi",
    title="ANMI",
    run=_anmi,
    reading=_anmi_reading,
    summary="Mean NMI (sqrt) of the consensus with the base clusterings; it leans towards the k they have.",
    reference="strehl2002",
    shares="worth of answers",
    place=30,
)


def _halves(question: Question, monitor: Monitor) -> Curve:
    """ARI of the two consensus partitions: mean and standard deviation over the splits.

    Where most splits have no answer there is no value: that of the few others is one of other halves.
    """
    splits, found = question.halves(), []
    for done, (one, other) in enumerate(splits):

        def ask(done: int = done) -> None:
            monitor.tick("comparing halves of the ensemble", done, len(splits))

        ask()
        a, b = (question.partitions_of(half, Quiet(ask)) for half in (one, other))
        found.append(question.over_ks({k: _agreement(a[k], b[k]) for k in a.keys() & b.keys()}))
    table = np.array(found)
    known = np.isfinite(table).sum(axis=0)
    filled = np.nan_to_num(table)
    mean = np.divide(filled.sum(axis=0), known, out=np.full(len(known), np.nan), where=2 * known >= len(table))
    spread = np.sqrt(np.nan_to_num((table - mean) ** 2).sum(axis=0) / np.maximum(known, 1))
    spread[np.isnan(mean)] = np.nan
    return Curve(mean, highest(mean, question.ks), spread)


def _agreement(a, b) -> float:
    """ARI on the objects both halves saw."""
    seen = (a >= 0) & (b >= 0)
    return ari(a[seen], b[seen]) if seen.any() else np.nan


def _halves_reading(curve: Curve, ks) -> str:
    if curve.pick is None or curve.spread is None:
        return "The halves agree alike on all numbers of clusters."
    at = int(np.flatnonzero(ks == curve.pick)[0])
    value, sd = curve.values[at], curve.spread[at]
    return f"Two halves of the ensemble agree most on {curve.pick} clusters: {value:.2f}, sd {sd:.2f}."


HALVES = Criterion(
    key="halves",
    title="agreement of halves",
    run=_halves,
    reading=_halves_reading,
    summary="ARI between the consensus of one half of the base clusterings and that of the other.",
    reference="hennig2007stability",
    needs=frozenset({"several", "time"}),
    place=15,
)
