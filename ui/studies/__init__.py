"""What Compare, over methods or settings, and Published tables share."""

from dataclasses import dataclass
from typing import Any

from engine import consensus_methods
from engine.confidence import INTERNAL
from engine.params import Int, RefusedError, Switch
from engine.studies.study import BEST_UP_TO, k_criteria
from ui.session.settings import Among, Setting, Written


def policies() -> tuple[str, ...]:
    """How studies choose k: as many as classes, the best of a range, as on the page, or by a criterion."""
    return ("true", *BEST_UP_TO, "page", *k_criteria())


@dataclass(frozen=True)
class _Axis(Written):
    """What is swept: a parameter of some method, M or k, a colon, and values joined by commas; or nothing."""

    pattern: str = r"(\w{1,40}:[\w.-]{1,20}(,[\w.-]{1,20}){0,49})?"
    form: str = "a parameter and values, such as theta:0.2,0.4"

    def _read(self, value: Any) -> str:
        text = super()._read(value)
        known = {spec.name for method in consensus_methods().values() for spec in method.params.specs()}
        if text and text.partition(":")[0] not in known | {"M", "k"}:
            raise RefusedError(value)
        return text


AXIS = _Axis()

SETTINGS = (
    Setting("x", "", AXIS, "What is swept, and over which values: theta:0.2,0.4."),
    Setting("y", "", AXIS, "A second parameter that is swept."),
    Setting("draws", 5, Int(low=1, high=1000), "Ensembles of every data set."),
    Setting("policy", "true", Among(offered=policies), "How k is chosen."),
    Setting("blind", False, Switch(), "Whether a setting is chosen without the classes, by its stability."),
    Setting("internal", "margin", Among(offered=INTERNAL), "What studies score by where no classes are known."),
)
