"""Mean silhouette of the consensus on the distance 1 - co-association (Rousseeuw 1987)."""

from ...runtime.monitor import Monitor
from ..questions import Question
from ..registry import Criterion, Curve, highest
from .mean_margin import best_reading


def _run(question: Question, monitor: Monitor) -> Curve:
    profiles = question.profiles(monitor)
    values = question.over_ks({k: float(one.silhouette.mean()) for k, one in profiles.items()})
    return Curve(values, highest(values, question.ks))


CRITERION = Criterion(
    key="silhouette",
    title="silhouette on 1 - CA",
    run=_run,
    reading=best_reading,
    summary="How much farther the nearest other cluster is than one's own, at distance 1 - co-association.",
    reference="rousseeuw1987silhouettes",
    shares="margin, silhouette and ANMI (one vote)",
    place=21,
)
