"""Switches and choices: a few values without an order."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from .kinds import Kind, RefusedError


@dataclass(frozen=True)
class Words(Kind):
    """One of a few values that have no order."""

    @property
    @abstractmethod
    def choices(self) -> tuple[Any, ...]:
        """The values."""

    def stops(self, default: Any) -> tuple[Any, ...]:
        """All of them."""
        return self.choices

    def ladder(self, low: Any = None, high: Any = None, n: int = 7) -> tuple[Any, ...]:
        """All of them."""
        return self.choices


@dataclass(frozen=True)
class Switch(Words):
    """True or False."""

    @property
    def choices(self) -> tuple[bool, bool]:
        """Off and on."""
        return (False, True)

    _rule = "True or False"

    def _read(self, value: Any) -> bool:
        if type(value).__name__ not in ("bool", "bool_"):
            raise RefusedError(value)
        return bool(value)

    def _text(self, value: Any) -> str:
        return "yes" if value else "no"

    def _parse(self, text: str) -> Any:
        return {"yes": True, "no": False}.get(text, text)

    def refused(self) -> list[Any]:
        """A word and a number."""
        return ["yes", 2]


@dataclass(frozen=True)
class Choice(Words):
    """One of several words.

    Attributes
    ----------
    choices : tuple of str
    named : tuple of str
        What people call them, in the same order; by default the words themselves.
    """

    choices: tuple[str, ...] = ()
    named: tuple[str, ...] = ()

    @property
    def titles(self) -> dict[str, str]:
        """What people call each word, where that is something else."""
        return dict(zip(self.choices, self.named, strict=True)) if self.named else {}

    @property
    def _rule(self) -> str:
        return "one of " + ", ".join(map(repr, self.choices))

    def _read(self, value: Any) -> str:
        if value not in self.choices:
            raise RefusedError(value)
        return value

    def refused(self) -> list[Any]:
        """A word that is not there, and a number."""
        return ["no such choice", 3]
