"""A figure as SVG, drawn without a browser: the part of plotly's language that the figures of the app speak."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ui.figures.spec import Figure
from ui.figures.stills.axes import Axis
from ui.figures.stills.marks import drawn, stroke
from ui.figures.stills.notes import color_bars, legend, notes, shapes, titled
from ui.figures.stills.places import Box, axes_of, place
from ui.figures.stills.texts import LINE, SIZE, written
from ui.outside import html

FAMILY = "Helvetica, Arial, 'Liberation Sans', sans-serif"


def still(figure: Figure, width: int = 640, height: int | None = None) -> str:
    """A figure as one SVG element that needs neither script nor network; a film stands as it opens.

    Draws scatter, bar and heatmap traces. Words are text; everything that came from outside is escaped.
    """
    layout = figure.layout
    box = Box(float(width), float(height or layout.get("height", 400)))
    axes = axes_of(figure)
    place(figure, axes, box)
    words = html(str(layout.get("meta", {}).get("alt", "")))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{words}" font-family="{FAMILY}"',
        f' viewBox="0 0 {width} {box.height:.0f}" width="{width}" height="{box.height:.0f}">',
        *(_grid(axis, _across(axis, axes, layout)) for axis in axes.values() if axis.shown),
        shapes(layout, axes, box, below=True),
        *(_trace(trace, axes) for trace in figure.data if _seen(trace)),
        shapes(layout, axes, box, below=False),
        *(_numbers(axis, _across(axis, axes, layout)) for axis in axes.values() if axis.shown),
        notes(layout, axes, box),
        color_bars(figure, axes, box),
        legend(figure, box) if layout.get("showlegend") else "",
        titled(layout, box),
        "</svg>",
    ]
    return "".join(parts)


def _seen(trace: Mapping[str, Any]) -> bool:
    """Whether a trace is more than a place to click on."""
    return not trace.get("meta", {}).get("target") and trace.get("visible", True) is True


def _across(axis: Axis, axes: dict[str, Axis], layout: Mapping[str, Any]) -> Axis:
    """The axis at whose ends this one stands."""
    anchor = axis.look.get("anchor", "y" if axis.letter == "x" else "x")
    return axes.get(f"{anchor[0]}axis{anchor[1:]}", axes["yaxis" if axis.letter == "x" else "xaxis"])


def _trace(trace: dict[str, Any], axes: dict[str, Axis]) -> str:
    """A trace inside its panel."""
    x, y = (axes[f"{letter}axis{trace.get(f'{letter}axis', letter)[1:]}"] for letter in "xy")
    marks = drawn(trace, x, y)
    if trace.get("cliponaxis") is False:
        return marks
    (left, right), (top, bottom) = sorted(x.pixels), sorted(y.pixels)
    room = f"{left:.0f}-{right:.0f}-{top:.0f}-{bottom:.0f}"
    path = f'<clipPath id="c{room}"><rect x="{left - 1:.1f}" y="{top - 1:.1f}" width="{right - left + 2:.1f}"'
    return f'{path} height="{bottom - top + 2:.1f}"/></clipPath><g clip-path="url(#c{room})">{marks}</g>'


def _grid(axis: Axis, across: Axis) -> str:
    """Lines at the ticks, and the line of the axis itself."""
    low, high = across.pixels
    marks = []
    if axis.look.get("showgrid", True):
        look = stroke({"color": axis.look.get("gridcolor", "#DDD7CB"), "width": 1}, "")
        marks += [_rule(axis, float(axis([value])[0]), low, high, look) for value, _ in axis.ticks]
    if axis.look.get("showline"):
        look = stroke({"color": axis.look.get("linecolor", "#DDD7CB"), "width": 1}, "")
        for edge in (low, high) if axis.look.get("mirror") else (low,):
            marks.append(_rule(across, edge, *axis.pixels, look))
    return "".join(marks)


def _rule(axis: Axis, at: float, low: float, high: float, look: str) -> str:
    path = f"M{at:.1f} {low:.1f}V{high:.1f}" if axis.letter == "x" else f"M{low:.1f} {at:.1f}H{high:.1f}"
    return f'<path d="{path}" fill="none" {look}/>'


def _numbers(axis: Axis, across: Axis) -> str:
    """The ticks' words, and what the axis measures."""
    font = {"color": "#5F5A52", **axis.look.get("tickfont", {})}
    edge = max(across.pixels) if axis.letter == "x" else min(across.pixels)
    turned, marks = bool(axis.look.get("tickangle")), []
    for value, word in axis.ticks if axis.labelled else []:
        at = float(axis([value])[0])
        if axis.letter == "y":
            marks.append(written(word, edge - 6, at, font, "right"))
        elif turned:
            marks.append(written(word, at, edge + 4, font, "right", angle=-90))
        else:
            marks.append(written(word, at, edge + 4, font, up="top"))
    if axis.title:
        middle = float(np.mean(axis.pixels))
        title = {"color": "#5F5A52", "size": SIZE + 1}
        if axis.letter == "x":
            marks.append(written(axis.title, middle, edge + axis.room, title, up="bottom"))
        else:
            at = edge - axis.room + LINE * SIZE / 2 + 2
            marks.append(written(axis.title, at, middle, title, angle=-90))
    return "".join(marks)
