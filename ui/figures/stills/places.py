"""Where the panels of a still picture stand: margins for words, domains, axes of one unit."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ui.figures.spec import Figure
from ui.figures.stills.axes import LINE, SIZE, Axis, width_of

#: Pixels that a colour bar and its words need under a picture, and beside it.
BAR_BELOW, BAR_BESIDE = 62, 84
#: Pixels of a row of a legend.
LEGEND_ROW = LINE * (SIZE + 1)


@dataclass
class Box:
    """A picture's size and the plot inside it, in pixels."""

    width: float
    height: float
    left: float = 0.0
    top: float = 0.0
    wide: float = 1.0
    tall: float = 1.0


def axes_of(figure: Figure) -> dict[str, Axis]:
    """Every axis by its name in the layout, with the look of the template and its range."""
    layout = figure.layout
    template = layout.get("template", {}).get("layout", {})
    names = {name for name in layout if name.startswith(("xaxis", "yaxis"))} | {"xaxis", "yaxis"}
    found = {}
    for name in sorted(names, key=lambda one: (one[0], len(one), one)):
        look = {**template.get(f"{name[0]}axis", {}), **layout.get(name, {})}
        look["tickfont"] = {**template.get(f"{name[0]}axis", {}).get("tickfont", {}), **look.get("tickfont", {})}
        found[name] = Axis(name[0], look, _ends(figure, name, look))
    return found


def _ends(figure: Figure, name: str, look: Mapping[str, Any]) -> tuple[float, float]:
    """The range of an axis: as said, or what its traces span."""
    if look.get("range") is not None:
        low, high = (float(end) for end in look["range"])
    else:
        values = [
            _span(trace, name[0]) for trace in figure.data if trace.get(name[0] + "axis", name[0])[1:] == name[5:]
        ]
        known = [value for value in np.concatenate([*values, [np.nan]]) if np.isfinite(value)]
        if look.get("type") == "log":
            known = np.log10(known).tolist()
        low, high = (min(known), max(known)) if known else (0.0, 1.0)
        pad = 0.05 * (high - low) * (not any(trace["type"] == "heatmap" for trace in figure.data))
        low, high = low - pad, high + pad
        low, high = (high, low) if look.get("autorange") == "reversed" else (low, high)
    apart = abs(high - low) > 1e-12 * max(abs(low), abs(high))  # else rounding alone tells them apart
    return (low, high) if apart else (low - 0.5, high + 0.5)


def _span(trace: Mapping[str, Any], letter: str) -> np.ndarray:
    """Values of a trace along one axis."""
    if trace["type"] == "heatmap":
        n = np.shape(trace["z"])[letter == "x"]
        return trace.get(f"{letter}0", 0) + trace.get(f"d{letter}", 1) * np.array([-0.5, n - 0.5])
    values = np.asarray(trace.get(letter, []), float)
    if trace["type"] != "bar":
        return values
    if (trace.get("orientation") == "h") == (letter == "x"):
        return np.append(values, 0.0)
    wide = apart(values) if trace.get("width") is None else np.asarray(trace["width"], float)
    return np.concatenate([values - wide / 2, values + wide / 2])


def apart(places: np.ndarray) -> float:
    """The room of a bar among its like: how far the nearest two are from each other, 1 where there is one alone."""
    return float(np.diff(np.unique(places)).min()) if len(np.unique(places)) > 1 else 1.0


def named(figure: Figure) -> list[dict[str, Any]]:
    """The traces that a legend names."""
    return [trace for trace in figure.data if trace.get("name") and trace.get("showlegend") is not False]


def legend_of(figure: Figure) -> dict[str, Any]:
    """How the legend stands, by the figure or else by its template."""
    layout = figure.layout
    return {**layout.get("template", {}).get("layout", {}).get("legend", {}), **layout.get("legend", {})}


def legend_below(figure: Figure) -> bool:
    """Whether rows of the legend stand below the plot: where its upper edge is hung, or it ends with the picture."""
    look = legend_of(figure)
    return look.get("orientation") == "h" and (look.get("y", 1) < 0 or look.get("yref") == "container")


def rows_of_legend(figure: Figure, wide: float) -> list[tuple[float, int]]:
    """How far from the left every name begins, and in which row, where no row is to be wider than `wide`."""
    places, x, row = [], 0.0, 0
    for trace in named(figure):
        length = 40 + width_of(trace["name"], SIZE + 1)
        if x and x + length - 17 > wide:
            x, row = 0.0, row + 1
        places.append((x, row))
        x += length
    return places


def place(figure: Figure, axes: dict[str, Axis], box: Box) -> None:
    """Give the plot its box, and every axis its pixels; once to know the words, once more to make room for them."""
    layout = figure.layout
    margin = {**layout.get("template", {}).get("layout", {}).get("margin", {}), **layout.get("margin", {})}
    sides = {side: float(margin.get(side, 8)) for side in "lrtb"}
    if layout.get("sliders"):
        box.height -= sides["b"] - 12
        sides["b"] = 12
    bars = [
        trace.get("colorbar", {})
        for trace in figure.data
        if trace["type"] == "heatmap" and trace.get("showscale", True)
    ]
    below = BAR_BELOW * any(bar.get("orientation") == "h" for bar in bars)
    beside = BAR_BESIDE * any(bar.get("orientation") != "h" for bar in bars)
    if layout.get("showlegend") and legend_of(figure).get("orientation") == "v":
        beside += BAR_BESIDE
    _laid(axes, box, sides)
    at_foot = [axis.room for axis in axes.values() if axis.letter == "x" and axis.shown]
    at_side = [axis.room for axis in axes.values() if axis.letter == "y" and axis.shown]
    sides["b"] = max([sides["b"], *(room + 8 for room in at_foot)]) + below
    sides["l"] = max([sides["l"], *(room + 8 for room in at_side)])
    sides["r"] += beside
    if layout.get("showlegend") and legend_below(figure) and (rows := rows_of_legend(figure, box.width - sides["l"])):
        sides["b"] += LEGEND_ROW * (rows[-1][1] + 1)
    _laid(axes, box, sides)
    for name, axis in axes.items():
        if anchor := axis.look.get("scaleanchor"):
            _tied(axes[f"{anchor[0]}axis{anchor[1:]}"], axes[name])
            for one in (axes[f"{anchor[0]}axis{anchor[1:]}"], axes[name]):
                one.count()


def _laid(axes: dict[str, Axis], box: Box, sides: Mapping[str, float]) -> None:
    box.left, box.top = sides["l"], sides["t"]
    box.wide, box.tall = box.width - sides["l"] - sides["r"], box.height - sides["t"] - sides["b"]
    for axis in axes.values():
        first, last = axis.look.get("domain", (0, 1))
        if axis.letter == "x":
            axis.pixels = box.left + first * box.wide, box.left + last * box.wide
        else:
            axis.pixels = box.top + (1 - first) * box.tall, box.top + (1 - last) * box.tall
        axis.count()


def _tied(one: Axis, other: Axis) -> None:
    """Give two axes one unit: the longer box is cut down, or the shorter range grows."""
    scales = [abs(axis.pixels[1] - axis.pixels[0]) / abs(axis.ends[1] - axis.ends[0]) for axis in (one, other)]
    scale = min(scales)
    for axis, own in zip((one, other), scales, strict=True):
        if own <= scale * (1 + 1e-9):
            continue
        if "domain" in (one.look.get("constrain"), other.look.get("constrain")):
            middle, half = np.mean(axis.pixels), (axis.pixels[1] - axis.pixels[0]) / 2 * scale / own
            axis.pixels = float(middle - half), float(middle + half)
        else:
            middle, half = np.mean(axis.ends), (axis.ends[1] - axis.ends[0]) / 2 * own / scale
            axis.ends = float(middle - half), float(middle + half)
