"""A figure as SVG, drawn without a browser: the part of plotly's language that the figures of the app speak.

Marks come from `marks`; what is drawn over them stands here: notes, shapes, colour bars, legend, title.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ui.figures.spec import Figure
from ui.figures.stills.axes import LINE, SIZE, Axis, written
from ui.figures.stills.marks import dot, drawn, shaded, stroke
from ui.figures.stills.places import LEGEND_ROW, Box, axes_of, legend_below, legend_of, named, place, rows_of_legend
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
    """What lines and marks are: in a column beside the plot, or in rows above or below it, where the figure has it."""
    look, traces = legend_of(figure), named(figure)
    font, marks = {**_MUTED, **look.get("font", {})}, []
    if look.get("orientation") == "v":
        x, y = box.left + box.wide + 14, box.top + 4
        if title := look.get("title", {}).get("text"):
            marks.append(written(title, x, y, font, "left"))
            y += LEGEND_ROW
        places = [(x, y + row * LEGEND_ROW) for row in range(len(traces))]
    else:
        rows = rows_of_legend(figure, box.width - box.left)
        last = max((row for _, row in rows), default=0)
        y = (box.height - 4 if legend_below(figure) else box.top - 6) - LEGEND_ROW * (last + 0.5)
        places = [(box.left + x, y + row * LEGEND_ROW) for x, row in rows]
    for trace, (x, y) in zip(traces, places, strict=True):
        marks += [_sign(trace, x, y), written(trace["name"], x + 23, y, font, "left")]
    return "".join(marks)


def _sign(trace: Mapping[str, Any], x: float, y: float) -> str:
    """A short piece of the line, or the mark."""
    marker = trace.get("marker", {})
    color = trace.get("line", {}).get("color") or marker.get("color", "#5F5A52")
    color = color if isinstance(color, str) else "#5F5A52"
    if trace.get("mode") == "markers" and isinstance(form := marker.get("symbol", "circle"), str):
        return dot(form, x + 9, y, 4.5, color, color, 1.5 if "-open" in form else 0)
    return f'<path d="M{x:.1f} {y:.1f}h18" {stroke({**trace.get("line", {}), "color": color}, "")}/>'


def titled(layout: Mapping[str, Any], box: Box) -> str:
    """The title of the figure, at the top left."""
    title = layout.get("title", {})
    text = title.get("text", "") if isinstance(title, dict) else str(title)
    return written(text, box.left, 8, {"size": 15, **title.get("font", {})}, "left", "top") if text else ""


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
