"""What is written and drawn over a still picture: notes, shapes, colour bars, the legend, the title."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ui.figures.spec import Figure
from ui.figures.stills.axes import Axis
from ui.figures.stills.colors import shaded
from ui.figures.stills.marks import stroke
from ui.figures.stills.places import Box
from ui.figures.stills.texts import LINE, SIZE, width_of, written
from ui.figures.style import SIMILARITY_SCALE
from ui.outside import html

#: Neighbours without a seam between them.
_CRISP = 'shape-rendering="crispEdges"'
_MUTED = {"color": "#5F5A52", "size": SIZE + 1}


def notes(layout: Mapping[str, Any], axes: dict[str, Axis], box: Box) -> str:
    """The annotations."""
    return "".join(_note(note, axes, box) for note in layout.get("annotations", []))


def _note(note: Mapping[str, Any], axes: dict[str, Axis], box: Box) -> str:
    x, y = _point(note, "x", axes, box), _point(note, "y", axes, box)
    font = {**_MUTED, **note.get("font", {})}
    across = note.get("xanchor") or _leaning(note, "x", ("left", "center", "right"))
    up = note.get("yanchor") or _leaning(note, "y", ("bottom", "middle", "top"))
    if note.get("showarrow"):
        a, b = x + note.get("ax", 0), y + note.get("ay", 0)
        look = stroke({"color": note.get("arrowcolor", "#5F5A52"), "width": note.get("arrowwidth", 1)}, "")
        return f'<path d="M{x:.1f} {y:.1f}L{a:.1f} {b:.1f}" {look}/>' + written(note["text"], a, b, font, across, up)
    return written(note["text"], x + note.get("xshift", 0), y - note.get("yshift", 0), font, across, up)


def _leaning(note: Mapping[str, Any], letter: str, sides: tuple[str, str, str]) -> str:
    """Where a text stands that does not say so: on the paper away from its edge, else in the middle."""
    if note.get(f"{letter}ref") != "paper":
        return sides[1]
    return sides[0 if note[letter] < 1 / 3 else 2 if note[letter] > 2 / 3 else 1]


def _point(one: Mapping[str, Any], letter: str, axes: dict[str, Axis], box: Box, name: str = "") -> float:
    """A coordinate in pixels, whatever it refers to."""
    value, ref = float(one[name or letter]), str(one.get(f"{letter}ref", letter))
    if ref == "paper":
        return box.left + value * box.wide if letter == "x" else box.top + (1 - value) * box.tall
    axis = axes[f"{letter}axis{ref.split()[0][1:]}"]
    if ref.endswith("domain"):
        return axis.pixels[0] + value * (axis.pixels[1] - axis.pixels[0])
    return float(axis.place(value))


def shapes(layout: Mapping[str, Any], axes: dict[str, Axis], box: Box, below: bool) -> str:
    """Lines and boxes, those below the traces or those above."""
    chosen = [one for one in layout.get("shapes", []) if (one.get("layer") == "below") == below]
    return "".join(_shape(one, axes, box) for one in chosen)


def _shape(one: Mapping[str, Any], axes: dict[str, Axis], box: Box) -> str:
    x0, x1, y0, y1 = (_point(one, name[0], axes, box, name) for name in ("x0", "x1", "y0", "y1"))
    look = stroke({"width": 1, **one.get("line", {})}, "#5F5A52")
    if one["type"] == "line":
        return f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" {look}/>'
    place = f'x="{min(x0, x1):.1f}" y="{min(y0, y1):.1f}" width="{abs(x1 - x0):.1f}" height="{abs(y1 - y0):.1f}"'
    return f'<rect {place} fill="{html(str(one.get("fillcolor", "none")))}" {look}/>'


def color_bars(figure: Figure, axes: dict[str, Axis], box: Box) -> str:
    """A bar with its ticks for every heatmap that shows one: below its panel, or beside the plot."""
    found = []
    for trace in figure.data:
        if trace["type"] == "heatmap" and trace.get("showscale", True):
            panel = [axes[f"{letter}axis{trace.get(f'{letter}axis', letter)[1:]}"] for letter in "xy"]
            draw = _bar_below if trace.get("colorbar", {}).get("orientation") == "h" else _bar_beside
            found.append(draw(trace, panel[0], panel[1]))
    return "".join(found)


def _strip(trace: Mapping[str, Any]) -> tuple[list[str], float, float]:
    """Sixty-four colours of the scale, and the values at its ends."""
    values = np.asarray(trace["z"], float)
    low, high = float(trace.get("zmin", np.nanmin(values))), float(trace.get("zmax", np.nanmax(values)))
    shades = shaded(np.linspace(low, high, 64), trace.get("colorscale", SIMILARITY_SCALE), low, high)
    return ["#" + bytes(shade).hex() for shade in shades], low, high


def _ticks(bar: Mapping[str, Any], low: float, high: float) -> list[tuple[float, str]]:
    values = bar.get("tickvals")
    if values is None:
        return [(value, f"{value:.3g}") for value in np.linspace(low, high, 5)]
    return list(zip(map(float, values), map(str, bar.get("ticktext", values)), strict=True))


def _bar_below(trace: Mapping[str, Any], x: Axis, y: Axis) -> str:
    colors, low, high = _strip(trace)
    bar = trace["colorbar"]
    length, top = min(float(bar.get("len", 210)), abs(x.pixels[1] - x.pixels[0])), max(y.pixels) + 8 + y.labelled * 2
    left = float(np.mean(x.pixels)) - length / 2
    step = length / len(colors)
    marks = [
        f'<rect x="{left + place * step:.2f}" y="{top:.1f}" width="{step + 0.4:.2f}" height="9" fill="{color}"/>'
        for place, color in enumerate(colors)
    ]
    marks = [f"<g {_CRISP}>", *marks, "</g>"]
    for value, word in _ticks(bar, low, high):
        marks.append(written(word, left + (value - low) / (high - low) * length, top + 11, _MUTED, up="top"))
    title = bar.get("title", {}).get("text", "")
    return "".join(marks) + written(title, left + length / 2, top + 29, _MUTED, up="top")


def _bar_beside(trace: Mapping[str, Any], x: Axis, y: Axis) -> str:
    colors, low, high = _strip(trace)
    bar, left = trace.get("colorbar", {}), max(x.pixels) + 12
    (top, foot), step = sorted(y.pixels), abs(y.pixels[1] - y.pixels[0]) / len(colors)
    marks = [
        f'<rect x="{left:.1f}" y="{foot - (place + 1) * step:.2f}" width="9" height="{step + 0.4:.2f}" fill="{color}"/>'
        for place, color in enumerate(colors)
    ]
    marks = [f"<g {_CRISP}>", *marks, "</g>"]
    for value, word in _ticks(bar, low, high):
        marks.append(written(word, left + 13, foot - (value - low) / (high - low) * (foot - top), _MUTED, "left"))
    return "".join(marks) + written(bar.get("title", {}).get("text", ""), left, top - 4, _MUTED, "left", "bottom")


def legend(figure: Figure, box: Box) -> str:
    """What the lines are: in a row above the plot, or in a column beside it."""
    look = figure.layout.get("legend", {})
    column = look.get("orientation", "v") == "v"
    x, y = (box.left + box.wide + 14, box.top + 4) if column else (box.left, box.top - 14)
    marks, font = [], {**_MUTED, **look.get("font", {})}
    if column and (title := look.get("title", {}).get("text")):
        marks.append(written(title, x, y, font, "left"))
        y += LINE * SIZE
    for trace in figure.data:
        if not trace.get("name") or trace.get("showlegend") is False:
            continue
        color = trace.get("line", {}).get("color") or trace.get("marker", {}).get("color", "#5F5A52")
        line = {**trace.get("line", {}), "color": color if isinstance(color, str) else "#5F5A52"}
        marks.append(f'<path d="M{x:.1f} {y:.1f}h18" {stroke(line, "")}/>')
        marks.append(written(trace["name"], x + 23, y, font, "left"))
        if column:
            y += LINE * (SIZE + 1)
        else:
            x += 40 + width_of(trace["name"], SIZE + 1)
    return "".join(marks)


def titled(layout: Mapping[str, Any], box: Box) -> str:
    """The title of the figure, at the top left."""
    title = layout.get("title", {})
    text = title.get("text", "") if isinstance(title, dict) else str(title)
    return written(text, box.left, 8, {"size": 15, **title.get("font", {})}, "left", "top") if text else ""
