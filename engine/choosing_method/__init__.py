"""Which method to believe without a truth: criteria, one a file, a measured prior, and what all answers agree on."""

from .choosing import ChosenMethod, Row, choose_method
from .opinions import Common, Opinions, common, opinions
from .prior import Standing, expected_losses, league
from .registry import Criterion, known_criteria

__all__ = [
    "ChosenMethod",
    "Common",
    "Criterion",
    "Opinions",
    "Row",
    "Standing",
    "choose_method",
    "common",
    "expected_losses",
    "known_criteria",
    "league",
    "opinions",
]
