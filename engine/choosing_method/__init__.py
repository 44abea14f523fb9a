"""Which method to believe without a truth: criteria, a measured prior, and what all answers agree on."""

from .choosing import ChosenMethod, Row, choose_method
from .league import Standing, expected_losses, expected_ranks, league
from .opinions import Common, Opinions, common, opinions
from .own_labels import Beside, beside_league
from .registry import Criterion, known_criteria
from .tuning import ChosenSetting, choose_setting, tuning_losses

__all__ = [
    "Beside",
    "ChosenMethod",
    "ChosenSetting",
    "Common",
    "Criterion",
    "Opinions",
    "Row",
    "Standing",
    "beside_league",
    "choose_method",
    "choose_setting",
    "common",
    "expected_losses",
    "expected_ranks",
    "known_criteria",
    "league",
    "opinions",
    "tuning_losses",
]
