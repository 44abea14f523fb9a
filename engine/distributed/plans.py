"""Rounds of k-means over tiles, whatever the rows are: assign everywhere, add up, move the centres here."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from .crew import Crew
from .passes import Sums
from .tiles import LabelMatrix


class Plan(ABC):
    """Centres, and how they move.

    Attributes
    ----------
    round : callable
        `round(tile, *shared()) -> Sums`.
    labels : callable
        `labels(tile, *shared()) -> (rows,) int32`.
    most : int
        Rounds after which it is stopped.
    """

    round: Callable[..., Sums]
    labels: Callable[..., Any]
    most: int

    @abstractmethod
    def shared(self) -> tuple:
        """What every tile needs to know, the centres among it."""

    @abstractmethod
    def move(self, sums: Sums) -> bool:
        """Move the centres to the means; whether they have come to rest."""

    def settle(self, workers: Crew, matrix: LabelMatrix) -> int:
        """Go round until the centres rest; how many rounds it took."""
        for done in range(1, self.most + 1):
            if self.move(workers.added(matrix.tiles, f"moving centres, round {done}", self.round, *self.shared())):
                return done
        return self.most
