"""Words of a still picture: their size on paper, their few tags, and everything else escaped."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

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
