"""What k-means on shares of the objects leaves undecided, k by k: PAC, RCSI and the delta area."""

import numpy as np
import scipy

from ...runtime.errors import listed
from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Band, Criterion, Curve, highest

#: A PAC of 0 has no logarithm: it counts as one undecided pair in ten thousand.
LEAST = 1e-4
#: The area must grow by this share for one more cluster to be worth it; the paper judges by eye.
WORTH = 0.1
#: Shares that differ by less are one.
_SAME = 1e-12


def _pac(question: Question, monitor: Monitor) -> Curve:
    """The least, beside the mean and standard deviation of data without clusters."""
    values = question.runs(monitor).pac()
    null = question.null_pac(monitor) if question.effort.null_sets >= 3 else None
    band = None if null is None else Band(null.mean(axis=0), null.std(axis=0, ddof=1))
    return Curve(values, highest(-values, question.ks), null=band)


def _pac_reading(curve: Curve, ks) -> str:
    if curve.pick is None:
        return "All numbers of clusters leave as many pairs undecided."
    value = curve.values[int(np.flatnonzero(ks == curve.pick)[0])]
    alike = ks[np.abs(curve.values - value) < _SAME]
    if len(alike) > 1:
        return (
            f"Fewest pairs are undecided for {listed(alike.tolist())} clusters, {100 * value:.0f} % for each of them."
        )
    largest = " That is the largest k tried, which PAC tends to pick." if curve.pick == ks[-1] else ""
    return f"Fewest pairs are undecided for {curve.pick} clusters, {100 * value:.0f} %.{largest}"


PAC = Criterion(
    key="pac",
    title="PAC",
    run=_pac,
    reading=_pac_reading,
    summary="Share of pairs that are neither nearly always nor nearly never together. Alone it tends to the largest k: "
    "read it against its null.",
    reference="senbabaoglu2014pac",
    needs=frozenset({"features"}),
    counts=False,
    place=11,
)


def _rcsi(question: Question, monitor: Monitor) -> Curve:
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
        return float(scipy.stats.beta.cdf(value, mean * both, (1 - mean) * both)), "beta"
    return float(scipy.stats.norm.cdf(value, mean, max(variance**0.5, LEAST))), "normal"


def _rcsi_reading(curve: Curve, ks) -> str:
    if curve.pick is None or curve.facts is None:
        return "No number of clusters stands out from data without clusters."
    fitted = "beta" if curve.facts["beta"] else "normal"
    p = curve.facts["p"]
    said = f"p = {p:.3f}" if p >= 0.001 else "p < .001"
    return f"{curve.pick} clusters stand out most from data without clusters ({said} for this k alone, {fitted} fit)."


RCSI = Criterion(
    key="rcsi",
    title="RCSI",
    run=_rcsi,
    reading=_rcsi_reading,
    summary="How many times fewer pairs are undecided than in data without clusters, as a power of ten.",
    reference="john2020m3c",
    needs=frozenset({"features", "sets"}),
    place=10,
)


def _delta_area(question: Question, monitor: Monitor) -> Curve:
    """The last k before the relative growth of the area below the CDF first falls below a tenth."""
    values = question.runs(monitor).delta_area
    poor = np.flatnonzero(values[1:] < WORTH)
    pick = int(question.ks[poor[0]]) if len(poor) else None
    return Curve(values, pick)


def _delta_area_reading(curve: Curve, ks) -> str:
    if len(ks) < 2:
        return "How much the area grows takes a second number of clusters."
    if curve.pick is None:
        return f"The area still grows by a tenth at {ks[-1]} clusters: no k is the last one worth it."
    return f"Beyond {curve.pick} clusters the area below the CDF grows by less than a tenth."


DELTA_AREA = Criterion(
    key="delta_area",
    title="delta area",
    run=_delta_area,
    reading=_delta_area_reading,
    summary="How much the area below the distribution of consensus values grows with one more cluster.",
    reference="monti2003consensus",
    needs=frozenset({"features"}),
    counts=False,
    place=12,
)
