"""Kinds of parameters: each reads, phrases its rule, writes and reads text, and makes a ladder for sweeps."""

import math
import numbers
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


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
    def text_rule(self) -> str:
        """The constraint for whoever writes a text."""
        return self._rule + (", or auto" if self.optional else "")

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


@dataclass(frozen=True)
class Number(Kind):
    """A number in a range.

    Attributes
    ----------
    low, high : float
        Hard range; `low_open`: low itself is excluded.
    slider : (float, float), optional
        The range a person moves in.
    log : bool
        Even ratios are even steps.
    """

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    slider: tuple[float, float] | None = None
    log: bool = False

    noun = "a number"

    @property
    def span(self) -> tuple[float, float]:
        """The range a person moves in, or else the hard one."""
        return self.slider or (self.low, self.high)

    @property
    def _rule(self) -> str:
        bracket = "(" if self.low_open or math.isinf(self.low) else "["
        close = ")" if math.isinf(self.high) else "]"
        high = f"{self.high:g}" if self.high <= 1e6 or math.isinf(self.high) else f"{self.high:.0f}"
        return f"{self.noun} in {bracket}{self.low:g}, {high}{close}"

    def _number(self, value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise RefusedError(value)
        try:
            number = float(value)
        except OverflowError:  # a whole number that no float comes near
            raise RefusedError(value) from None
        if not math.isfinite(number):
            raise RefusedError(value)
        above = number > self.low if self.low_open else number >= self.low
        if not above or number > self.high:
            raise RefusedError(value)
        return number

    def refused(self) -> list[Any]:
        """Text, nan, and what lies below the range."""
        below = self.low if self.low_open else self.low - 1
        return ["text", float("nan"), *([below] if math.isfinite(below) else [])]


@dataclass(frozen=True)
class Float(Number):
    """A real number."""

    def _read(self, value: Any) -> float:
        return self._number(value)

    def _parse(self, text: str) -> Any:
        try:
            return float(text)
        except ValueError:
            return text

    def stops(self, default: Any) -> tuple[float, ...]:
        """Some 40 values over the slider's range, to two digits where they are ratios."""
        low, high = self.span
        if self.log:
            values = [float(f"{low * (high / low) ** (i / 40):.2g}") for i in range(41)]
        else:
            values = [round(low + (high - low) * i / 40, 4) for i in range(41)]
        return tuple(sorted({*values, *([] if default is None else [default])}))

    def ladder(self, low: Any = None, high: Any = None, n: int = 7) -> tuple[float, ...]:
        """Even ratios on a logarithmic parameter, else even steps; to two digits."""
        low, high = self.span[0] if low is None else low, self.span[1] if high is None else high
        spread = np.geomspace if self.log else np.linspace
        return tuple(sorted({float(f"{value:.2g}") for value in spread(low, high, n)}))


@dataclass(frozen=True)
class Int(Number):
    """A whole number."""

    noun = "an integer"

    def _read(self, value: Any) -> int:
        number = self._number(value)
        if number != math.floor(number):
            raise RefusedError(value)
        return int(number)

    def _parse(self, text: str) -> Any:
        return int(text) if re.fullmatch(r"-?\d{1,15}", text) else text

    def stops(self, default: Any) -> tuple[int, ...]:
        """All integers of a short range, about a hundred of a long one."""
        low, high = (int(end) for end in self.span)
        step = max(1, round((high - low) / 100))
        return tuple(sorted({*range(low, high + 1, step), high, int(default or low)}))

    def ladder(self, low: Any = None, high: Any = None, n: int = 7) -> tuple[int, ...]:
        """Even ratios where the range spans more than twentyfold, else even steps."""
        low, high = self.span[0] if low is None else low, self.span[1] if high is None else high
        spread = np.geomspace if self.log or (low > 0 and high / low > 20) else np.linspace
        return tuple(sorted({round(float(value)) for value in spread(low, high, n)}))


@dataclass(frozen=True)
class Interval(Kind):
    """A pair of positive numbers, low <= high, that a person chooses among stops.

    Attributes
    ----------
    marks : tuple of float
        Stops of the slider, ascending.
    low, high : float
        What both numbers lie between; 0 is no number of them.
    """

    marks: Sequence[float] = ()
    low: float = 0.0
    high: float = math.inf

    @property
    def _rule(self) -> str:
        within = f", both in [{self.low:g}, {self.high:g}]" if self.high < math.inf else ""
        return f"a pair of numbers, 0 < low <= high{within}"

    def _read(self, value: Any) -> tuple[float, float]:
        if not isinstance(value, tuple) or len(value) != 2:
            raise RefusedError(value)
        end = Float(low=self.low, low_open=self.low == 0, high=self.high)
        low, high = (end.read(one) for one in value)
        if low > high:
            raise RefusedError(value)
        return low, high

    def _text(self, value: tuple[float, float]) -> str:
        return "-".join(f"{end:g}" if float(f"{end:g}") == end else repr(end) for end in value)

    def _parse(self, text: str) -> Any:
        number = r"(\d*\.?\d+(?:e[+-]?\d+)?)"
        match = re.fullmatch(f"{number}-{number}", text)
        return (float(match[1]), float(match[2])) if match else text

    def stops(self, default: Any) -> tuple[float, ...]:
        """The marks, and the ends of the default."""
        return tuple(sorted({*self.marks, *(default or ())}))

    def ladder(self, low: Any = None, high: Any = None, n: int = 7) -> tuple[Any, ...]:
        """The whole range alone: intervals have no order."""
        return ((self.marks[0], self.marks[-1]),)

    def refused(self) -> list[Any]:
        """A word, a single number, a pair the wrong way round, and one that starts at 0."""
        return ["wide", 3.0, (2.0, 1.0), (0.0, 1.0)]


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

    def _read(self, value: Any) -> Any:
        if value not in self.choices:
            raise RefusedError(value)
        return value

    def refused(self) -> list[Any]:
        """A word that is not there, and a number."""
        return ["no such choice", 3]


@dataclass(frozen=True)
class Switch(Words):
    """True or False."""

    @property
    def choices(self) -> tuple[bool, bool]:
        """Off and on."""
        return (False, True)

    _rule = "True or False"
    text_rule = "yes or no"

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
