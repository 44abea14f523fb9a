"""Axes of a still picture, and how its texts are measured and written."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import numpy as np

from ui.figures.style import log_ticks
from ui.outside import html

#: Width of a letter and height of a line, as shares of the size of the words.
LETTER, LINE = 0.52, 1.25
SIZE = 12
_TAG = re.compile(r"(</?(?:b|i|em|sub|sup)>)")
_STYLES = {"b": 'font-weight="600"', "i": 'font-style="italic"', "em": 'font-style="italic"'} | {
    "sub": 'font-size="75%" baseline-shift="sub"',
    "sup": 'font-size="75%" baseline-shift="super"',
}
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_LIFTS = {"top": 0.0, "middle": 0.5, "bottom": 1.0}


def lines_of(text: Any) -> list[str]:
    """The lines of a text."""
    return re.split(r"<br\s*/?>", str(text))


def width_of(text: Any, size: float = SIZE) -> float:
    """About how wide a text is, in pixels."""
    plain = [unescape(_TAG.sub("", line)) for line in lines_of(text)]
    return LETTER * size * max(map(len, plain))


def written(
    text: Any, x: float, y: float, font: Mapping[str, Any], across: str = "center", up: str = "middle", angle: float = 0
) -> str:
    """A text as SVG, at a point of its box: `across` is left, center or right, `up` is top, middle or bottom."""
    size, lines = float(font.get("size", SIZE)), lines_of(text)
    first = y - _LIFTS[up] * LINE * size * len(lines) + 0.95 * size
    turn = f' transform="rotate({angle:g} {x:.1f} {y:.1f})"' if angle else ""
    look = f'font-size="{size:g}" fill="{html(str(font.get("color", "#1F1D1A")))}" text-anchor="{_ANCHORS[across]}"'
    rows = "".join(
        f'<text x="{x:.1f}" y="{first + place * LINE * size:.1f}" {look}>{_inside(line)}</text>'
        for place, line in enumerate(lines)
    )
    return f"<g{turn}>{rows}</g>"


def _inside(line: str) -> str:
    """A line with its tags as parts of their own look."""
    parts, opened = [], 0
    for part in _TAG.split(line):
        if not _TAG.fullmatch(part):
            parts.append(html(unescape(part)))
        elif part.startswith("</"):
            parts.append("</tspan>" * min(opened, 1))
            opened = max(0, opened - 1)
        else:
            parts.append(f"<tspan {_STYLES[part[1:-1]]}>")
            opened += 1
    return "".join(parts) + "</tspan>" * opened


#: Pixels between two ticks, along x and y.
_APART = {"x": 90, "y": 42}


@dataclass
class Axis:
    """One axis: its look, its range, and the pixels of both ends."""

    letter: str
    look: dict[str, Any]
    ends: tuple[float, float]
    pixels: tuple[float, float] = (0.0, 1.0)
    ticks: list[tuple[float, str]] = field(default_factory=list)

    def __call__(self, values: Any) -> np.ndarray:
        """Pixels of values."""
        values = np.asarray(values, float)
        if self.look.get("type") == "log":
            with np.errstate(divide="ignore", invalid="ignore"):
                values = np.log10(values)
        return self.place(values)

    def place(self, values: Any) -> np.ndarray:
        """Pixels of values on the axis' own scale: logarithms, where it is one of them."""
        low, high = self.ends
        return self.pixels[0] + (np.asarray(values, float) - low) / (high - low) * (self.pixels[1] - self.pixels[0])

    @property
    def shown(self) -> bool:
        """Whether anything of it is drawn."""
        return self.look.get("visible", True)

    @property
    def size(self) -> float:
        """Of its numbers, in pixels."""
        return float(self.look.get("tickfont", {}).get("size", SIZE))

    @property
    def title(self) -> str:
        """What it measures."""
        title = self.look.get("title") or ""
        return (title.get("text") or "" if isinstance(title, dict) else str(title)) if self.shown else ""

    @property
    def room(self) -> float:
        """Pixels that its numbers and its title need beside the plot."""
        words = [word for _, word in self.ticks] if self.labelled else []
        turned = self.letter == "y" or self.look.get("tickangle", 0) != 0
        numbers = max((width_of(word, self.size) if turned else LINE * self.size for word in words), default=0)
        return numbers + 6 * bool(words) + (LINE * SIZE * len(lines_of(self.title)) + 8) * bool(self.title)

    @property
    def labelled(self) -> bool:
        """Whether its numbers are written."""
        return self.shown and self.look.get("showticklabels", True)

    def count(self) -> None:
        """Choose the ticks for the pixels it has."""
        low, high = min(self.ends) - 1e-9, max(self.ends) + 1e-9
        self.ticks = [(value, word) for value, word in self._ticks() if low <= self._own(value) <= high]

    def _own(self, value: float) -> float:
        return np.log10(value) if self.look.get("type") == "log" else value

    def _ticks(self) -> list[tuple[float, str]]:
        look = self.look
        if look.get("tickvals") is not None:
            values = np.asarray(look["tickvals"], float).tolist()
            names = look.get("ticktext")
            return list(zip(values, map(_number, values) if names is None else map(str, names), strict=False))
        low, high = sorted(self.ends)
        if look.get("type") == "log":
            powers = 10.0 ** np.arange(np.ceil(low), np.floor(high) + 1)
            values = powers if len(powers) > 1 else log_ticks(10.0**low, 10.0**high)
            return [(float(value), _number(value)) for value in values]
        most = max(2.0, abs(self.pixels[1] - self.pixels[0]) / _APART[self.letter])
        step = look.get("dtick") or _nice((high - low) / min(most, look.get("nticks") or most))
        values = _multiples(step, low, high)
        if len(values) < 2 and not look.get("dtick"):  # one number says nothing of the scale
            step = _nice(0.4 * step)
            values = _multiples(step, low, high)
        return [(float(value), _number(value, step)) for value in values]


def _multiples(step: float, low: float, high: float) -> np.ndarray:
    return step * np.arange(np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9) + 1)


def _nice(step: float) -> float:
    """The next step of 1, 2 or 5 times a power of ten.

    >>> _nice(0.13), _nice(30), _nice(1.3e-20)
    (0.2, 50.0, 2e-20)
    """
    power = 10.0 ** np.floor(np.log10(step))
    return next(float(f"{factor * power:.12g}") for factor in (1, 2, 5, 10) if factor * power >= step * 0.999)


def _number(value: float, step: float = 0.0) -> str:
    """A number as a tick has it, as exact as the step.

    >>> _number(0.30000000000000004, 0.1), _number(20000.0), _number(-0.0, 1)
    ('0.3', '20,000', '0')
    """
    if step:
        value = round(value, max(0, int(-np.floor(np.log10(step)) + 1)))
    return f"{value + 0.0:,.10g}".replace("-", "\N{MINUS SIGN}")
