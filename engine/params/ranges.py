"""Numbers in a range, and pairs of them."""

import math
import numbers
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .kinds import Kind, RefusedError


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
        return f"{self.noun} in {bracket}{self.low:g}, {self.high:g}{close}"

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
    """

    marks: Sequence[float] = ()

    _rule = "a pair of numbers, 0 < low <= high"

    def _read(self, value: Any) -> tuple[float, float]:
        if not isinstance(value, tuple) or len(value) != 2:
            raise RefusedError(value)
        low, high = (Float(low=0, low_open=True).read(end) for end in value)
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
