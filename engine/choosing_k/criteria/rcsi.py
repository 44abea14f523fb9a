"""RCSI: PAC against that of data without clusters, k by k (M3C; John et al. 2020)."""

import numpy as np
from scipy import stats

from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion, Curve, highest

#: A PAC of 0 has no logarithm: it counts as one undecided pair in ten thousand.
LEAST = 1e-4


def _run(question: Question, monitor: Monitor) -> Curve:
    """log10(mean null PAC / PAC), and how likely a PAC as low is without clusters."""
    null = question.null_pac(monitor)
    own = question.runs(monitor).pac()
    values = np.log10(np.maximum(null.mean(axis=0), LEAST) / np.maximum(own, LEAST))
    pick = highest(values, question.ks)
    if pick is None:
        return Curve(values, None)
    at = int(np.flatnonzero(question.ks == pick)[0])
    p, fitted = tail(own[at], null[:, at])
    return Curve(values, pick, facts={"p": p, "beta": float(fitted == "beta")})


def tail(value: float, null) -> tuple[float, str]:
    """How likely a null value is at most as low, by a beta fitted to its mean and variance where there is one.

    >>> p, fitted = tail(0.1, np.array([0.3, 0.35, 0.4, 0.32]))
    >>> p < 0.01, fitted
    (True, 'beta')
    """
    mean, variance = float(null.mean()), float(null.var(ddof=1))
    if 0 < variance < mean * (1 - mean):
        both = mean * (1 - mean) / variance - 1
        return float(stats.beta.cdf(value, mean * both, (1 - mean) * both)), "beta"
    return float(stats.norm.cdf(value, mean, max(variance**0.5, LEAST))), "normal"


def _reading(curve: Curve, ks) -> str:
    if curve.pick is None or curve.facts is None:
        return "No number of clusters stands out from data without clusters."
    fitted = "beta" if curve.facts["beta"] else "normal"
    p = curve.facts["p"]
    said = f"p = {p:.3f}" if p >= 0.001 else "p < .001"
    return f"{curve.pick} clusters stand out most from data without clusters ({said} for this k alone, {fitted} fit)."


CRITERION = Criterion(
    key="rcsi",
    title="RCSI",
    run=_run,
    reading=_reading,
    summary="How many times fewer pairs are undecided than in data without clusters, as a power of ten.",
    reference="john2020m3c",
    needs=frozenset({"features"}),
    place=10,
)
