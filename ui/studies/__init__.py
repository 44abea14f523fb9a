"""What Compare, over methods or settings, and Published tables share."""

from engine.confidence import INTERNAL
from engine.studies.study import BEST_UP_TO, k_criteria
from ui.session.settings import Setting
from ui.session.url_values import one_of, read_axis, read_switch, whole


def policies() -> tuple[str, ...]:
    """How studies choose k: as many as classes, the best of a range, as on the page, or by a criterion."""
    return ("true", *BEST_UP_TO, "page", *k_criteria())


SETTINGS = (
    Setting("x", "", read_axis, "What is swept, and over which values: theta:0.2,0.4."),
    Setting("y", "", read_axis, "A second parameter that is swept."),
    Setting("draws", 5, whole(1, 1000), "Ensembles of every data set."),
    Setting("policy", "true", one_of(policies), "How k is chosen."),
    Setting("blind", False, read_switch, "Whether a setting is chosen without the classes, by its stability."),
    Setting("internal", "margin", one_of(INTERNAL), "What studies score by where no classes are known."),
)
