"""Delta area: how much the consensus gains from one more cluster (Monti et al. 2003)."""

import numpy as np

from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion, Curve

#: The area must grow by this share for one more cluster to be worth it; the paper judges by eye.
WORTH = 0.1


def _run(question: Question, monitor: Monitor) -> Curve:
    """The last k before the relative growth of the area below the CDF first falls below a tenth."""
    values = question.runs(monitor).delta_area
    poor = np.flatnonzero(values[1:] < WORTH)
    pick = int(question.ks[poor[0]]) if len(poor) else None
    return Curve(values, pick)


def _reading(curve: Curve, ks) -> str:
    if curve.pick is None:
        return f"The area still grows by a tenth at {ks[-1]} clusters: no k is the last one worth it."
    return f"Beyond {curve.pick} clusters the area below the CDF grows by less than a tenth."


CRITERION = Criterion(
    key="delta_area",
    title="delta area",
    run=_run,
    reading=_reading,
    summary="How much the area below the distribution of consensus values grows with one more cluster.",
    reference="monti2003consensus",
    needs=frozenset({"features"}),
    counts=False,
    place=12,
)
