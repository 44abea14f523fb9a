"""What a kind of parameter is: it reads a value, phrases its rule, writes and reads text, and makes ladders."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any


class RefusedError(ValueError):
    """A value that a kind does not take."""


@dataclass(frozen=True)
class Kind(ABC):
    """What values a parameter takes.

    Attributes
    ----------
    optional : bool
        None is a value too, and stands for "automatic"; as text it is "auto".
    """

    optional: bool = False

    def read(self, value: Any) -> Any:
        """The value in its canonical type, in which equal values hash alike; RefusedError if it is none."""
        return None if value is None and self.optional else self._read(value)

    @property
    def rule(self) -> str:
        """The constraint in words: "a number in (0, inf)"."""
        return self._rule + (", or None (automatic)" if self.optional else "")

    @property
    def titles(self) -> dict[Any, str]:
        """What people call a value, where that is something else."""
        return {}

    def text(self, value: Any) -> str:
        """A value as it stands in a URL."""
        return "auto" if value is None else self._text(value)

    def parse(self, text: str) -> Any:
        """The value a text stands for; a text that stands for none comes back as it is, for `read` to refuse."""
        return None if text == "auto" and self.optional else self._parse(text)

    def plain(self, value: Any) -> Any:
        """A value as a study file holds it: a number, a word, or a list of them."""
        return "auto" if value is None else list(value) if isinstance(value, tuple) else value

    def from_plain(self, value: Any) -> Any:
        """What `plain` made, back again."""
        return None if value == "auto" and self.optional else tuple(value) if isinstance(value, list) else value

    @abstractmethod
    def stops(self, default: Any) -> tuple[Any, ...]:
        """Values a person can move through, the default among them."""

    @abstractmethod
    def ladder(self, low: Any = None, high: Any = None, n: int = 7) -> tuple[Any, ...]:
        """About n values for a sweep, from low to high where the kind has an order."""

    @abstractmethod
    def refused(self) -> list[Any]:
        """Some values that `read` must refuse, for tests."""

    @property
    @abstractmethod
    def _rule(self) -> str: ...

    @abstractmethod
    def _read(self, value: Any) -> Any: ...

    def _text(self, value: Any) -> str:
        return str(value)

    def _parse(self, text: str) -> Any:
        return text
