"""Which base clusterings to keep: strategies, what chance does as well, and how many are enough."""

from .chance import Chance, chance
from .enough import Enough, enough
from .registry import Candidates, Strategy, find_strategy, known_strategies, select, selected, selection_of

__all__ = [
    "Candidates",
    "Chance",
    "Enough",
    "Strategy",
    "chance",
    "enough",
    "find_strategy",
    "known_strategies",
    "select",
    "selected",
    "selection_of",
]
