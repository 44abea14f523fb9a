"""Agreement of halves: two halves of the base clusterings, a consensus of each, and how alike these are."""

import numpy as np

from ...metrics import ari
from ...runtime.monitor import Monitor, Quiet
from ..questions import Question
from ..registry import Criterion, Curve, highest


def _run(question: Question, monitor: Monitor) -> Curve:
    """ARI of the two consensus partitions: mean and standard deviation over the splits."""
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
    mean = np.divide(filled.sum(axis=0), known, out=np.full(len(known), np.nan), where=known > 0)
    spread = np.sqrt(np.nan_to_num((table - mean) ** 2).sum(axis=0) / np.maximum(known, 1))
    return Curve(mean, highest(mean, question.ks), spread)


def _agreement(a, b) -> float:
    """ARI on the objects both halves saw."""
    seen = (a >= 0) & (b >= 0)
    return ari(a[seen], b[seen]) if seen.any() else np.nan


def _reading(curve: Curve, ks) -> str:
    if curve.pick is None or curve.spread is None:
        return "The halves agree alike on all numbers of clusters."
    at = int(np.flatnonzero(ks == curve.pick)[0])
    value, sd = curve.values[at], curve.spread[at]
    return f"Two halves of the ensemble agree most on {curve.pick} clusters: {value:.2f}, sd {sd:.2f}."


CRITERION = Criterion(
    key="halves",
    title="agreement of halves",
    run=_run,
    reading=_reading,
    summary="ARI between the consensus of one half of the base clusterings and that of the other.",
    reference="hennig2007stability",
    needs=frozenset({"several", "time"}),
    place=15,
)
