"""Figures as plain data: dicts that reach the browser as they are.

Plotly's own objects check every value while a figure is built, which costs more than everything else a slider's move
costs; here the tests check (each spec is handed to plotly there), and a page pays for the dicts alone. The names are
plotly's, and `margin_t=20` is short for `margin={"t": 20}` as it is there.
"""

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.basedatatypes import BaseFigure

Trace = dict[str, Any]
#: Names of plotly that hold an underscore themselves.
_WHOLE = {"paper_bgcolor", "plot_bgcolor", "error_x", "error_y"}


def trace(kind: str, /, **values: Any) -> Trace:
    """One trace of a kind."""
    return merge({"type": kind}, values)


scatter = partial(trace, "scatter")
scattergl = partial(trace, "scattergl")
heatmap = partial(trace, "heatmap")
bar = partial(trace, "bar")
sankey = partial(trace, "sankey")


def frame(name: str, data: Sequence[Trace], traces: Sequence[int]) -> dict[str, Any]:
    """One frame of a film: what changes in which traces."""
    return {"name": name, "data": list(data), "traces": list(traces)}


def merge(target: dict[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Write changes into a dict, level by level; `a_b=1` reaches `{"a": {"b": 1}}`."""
    for name, value in changes.items():
        first, _, rest = (name, "", "") if name in _WHOLE else name.partition("_")
        if rest:
            value = {rest: value}
        if isinstance(value, Mapping):
            merge(_own(target, first), value)
        else:
            target[first] = value
    return target


def _own(target: dict[str, Any], name: str) -> dict[str, Any]:
    """The dict below a name, as this target's own."""
    target[name] = dict(target[name]) if isinstance(target.get(name), Mapping) else {}
    return target[name]


#: Points of one picture that are drawn as SVG; more are dots of WebGL.
MOST_SVG = 1000
#: Under these names stands what can be read in a figure; long lists of them are one sort of words, once a dot.
_WORDS = {"text", "label", "title", "hovertemplate", "hovertext", "ticktext", "x", "y"}
_NO_WORDS = ("meta", "template", "updatemenus")
_MANY_WORDS = 100


def _read(value: Any, readable: bool = False) -> Iterator[str]:
    """Every string under a name that stands for words."""
    if isinstance(value, str):
        yield from [value] if readable else []
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _read(one, name in _WORDS)
    elif isinstance(value, list | tuple) or isinstance(value, np.ndarray) and value.dtype.kind in "OU":
        for one in value if len(value) <= _MANY_WORDS else value[:1]:
            yield from _read(one, readable)


@dataclass
class Figure:
    """Traces, layout and frames of one figure of `shape` (rows, columns); `place` tells the panels of a grid."""

    data: list[Trace] = field(default_factory=list)
    layout: dict[str, Any] = field(default_factory=lambda: {"xaxis": {}, "yaxis": {}})
    frames: list[dict[str, Any]] = field(default_factory=list)
    shape: tuple[int, int] = (1, 1)

    def add_trace(self, one: Trace, row: int = 1, col: int = 1) -> None:
        """Draw a trace, in a panel of a grid (counted from 1)."""
        place = self._place(row, col)
        if place:
            one = {**one, "xaxis": f"x{place}", "yaxis": f"y{place}"}
        self.data.append(one)

    def add_traces(self, several: Iterable[Trace]) -> None:
        """Draw several traces."""
        self.data.extend(several)

    def update_trace(self, place: int, **values: Any) -> None:
        """Change one trace."""
        merge(self.data[place], values)

    def update_layout(self, **values: Any) -> None:
        """Change the layout."""
        merge(self.layout, values)

    def update_xaxes(self, row: int | None = None, col: int | None = None, **values: Any) -> None:
        """Change the x axes of all panels, or of one."""
        self._update_axes("xaxis", row, col, values)

    def update_yaxes(self, row: int | None = None, col: int | None = None, **values: Any) -> None:
        """Change the y axes of all panels, or of one."""
        self._update_axes("yaxis", row, col, values)

    def add_annotation(self, words: Mapping[str, Any] | None = None, **values: Any) -> None:
        """Write on the figure."""
        self.layout.setdefault("annotations", []).append(merge(dict(words or {}), values))

    def add_shape(self, **values: Any) -> None:
        """Draw a line or a box."""
        self.layout.setdefault("shapes", []).append(values)

    def add_vline(self, x: float, **values: Any) -> None:
        """A line from bottom to top, in every panel."""
        for place in self.places():
            axes = {"xref": f"x{place}", "yref": f"y{place} domain"}
            self.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, **axes, **values)

    def add_hline(self, y: float, **values: Any) -> None:
        """A line from left to right, in every panel."""
        for place in self.places():
            axes = {"xref": f"x{place} domain", "yref": f"y{place}"}
            self.add_shape(type="line", x0=0, x1=1, y0=y, y1=y, **axes, **values)

    def places(self) -> list[str]:
        """What the axes of each panel are called, after their letter: "", "2", "3", ..."""
        rows, columns = self.shape
        return ["" if panel == 0 else str(panel + 1) for panel in range(rows * columns)]

    def to_plotly(self) -> go.Figure:
        """Plotly's own figure of this one, checked by it."""
        return go.Figure(self.data, self.layout, self.frames)

    def words(self) -> list[str]:
        """What can be read in the figure: axes, legend, labels, captions of a film, and what a hover says.

        Nothing on a card.
        """
        if self.layout.get("meta", {}).get("card"):
            return []
        legend = self.layout.get("showlegend", False)
        named = [one["name"] for one in self.data if legend and one.get("showlegend", True) and "name" in one]
        drawn = {name: part for name, part in self.layout.items() if name not in _NO_WORDS}
        return [*named, *_read([self.data, drawn])]

    def as_it_is(self) -> "AsItIs":
        """For a page: what the browser is sent, with nothing checked."""
        return AsItIs(self)

    def _place(self, row: int, col: int) -> str:
        return self.places()[(row - 1) * self.shape[1] + col - 1]

    def _update_axes(self, kind: str, row: int | None, col: int | None, values: Mapping[str, Any]) -> None:
        one = row is not None and col is not None
        for place in [self._place(row, col)] if one else self.places():  # type: ignore[arg-type]
            merge(_own(self.layout, f"{kind}{place}"), values)


class AsItIs(BaseFigure):  # type: ignore[misc]  # plotly has no types
    """A figure of plotly in name: Streamlit asks one for nothing but its dict."""

    def __init__(self, figure: Figure) -> None:
        frames = {"frames": figure.frames} if figure.frames else {}
        data = figure.data if frames else _few_as_svg(figure.data)
        layout = _said(_ranged_anew(figure.layout))
        object.__setattr__(self, "_sent", _sent({"data": data, "layout": layout, **frames}))

    def to_dict(self) -> dict[str, Any]:
        """Data, layout and frames, arrays as bytes."""
        return self._sent


def _said(layout: Any) -> Any:
    """The layout without what is None.

    Plotly writes the range it chose into the layout it was given. Where that says "no range" it cannot when the next
    layout comes, and the picture is drawn no more, whatever comes: the error goes nowhere.
    """
    if not isinstance(layout, dict):
        return layout
    return {name: one if name == "template" else _said(one) for name, one in layout.items() if one is not None}


def _ranged_anew(layout: dict[str, Any]) -> dict[str, Any]:
    """The layout, axes that share a unit being given their range anew by Plotly whenever the size changes.

    One of them grows its range to fill the box, and a range that was handed over never shrinks again: with each change
    of a window there and back the objects would become smaller.
    """
    axes = {name: axis for name, axis in layout.items() if name.startswith(("xaxis", "yaxis")) and axis.get("range")}
    tied = {axis["scaleanchor"] for axis in axes.values() if "scaleanchor" in axis}
    tied |= {name.replace("axis", "") for name, axis in axes.items() if "scaleanchor" in axis}
    anew = {}
    for name, axis in axes.items():
        own, (low, high) = name.replace("axis", ""), axis["range"]
        if tied & {own, axis.get("matches")} and axis.get("constrain") != "domain" and low < high:
            bounds = {"include": [low, high], "clipmin": low, "clipmax": high}
            anew[name] = {**axis, "autorange": True, "autorangeoptions": bounds}
    return {**layout, **anew} if anew else layout


def _few_as_svg(data: list[Trace]) -> list[Trace]:
    """Traces of WebGL as SVG, where all of them have few points: sharper, and drawn sooner.

    A browser begins two WebGL canvases for each picture and has sixteen; every move begins them anew.
    """
    drawn = [one for one in data if one["type"] == "scattergl"]
    if sum(len(one.get("x", ())) for one in drawn) > MOST_SVG:
        return data
    return [{**one, "type": "scatter"} if one["type"] == "scattergl" else one for one in data]


#: What plotly.js reads as bytes.
_TYPES = {"int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "int32": "i4", "uint32": "u4"} | {
    "float32": "f4",
    "float64": "f8",
}


def _sent(value: Any) -> Any:
    """A value as JSON can hold it: arrays of numbers as typed bytes, other arrays as lists."""
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, dict):
        return {name: one if name == "template" else _sent(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_sent(one) for one in value]
    return value.item() if isinstance(value, np.generic) else value


def _array(values: np.ndarray) -> Any:
    """Typed bytes; plotly.js has no integers of 64 bits, the smallest type that holds them takes their place."""
    if values.dtype in (np.int64, np.uint64) and values.size:
        values = values.astype(np.min_scalar_type(-1 - max(int(values.max()), -1 - int(values.min()))))
    if values.size == 0 or values.dtype.name not in _TYPES:
        return values.tolist()
    data = base64.b64encode(np.ascontiguousarray(values)).decode("ascii")
    shape = {"shape": ", ".join(map(str, values.shape))} if values.ndim > 1 else {}
    return {"dtype": _TYPES[values.dtype.name], "bdata": data, **shape}


def grid(
    rows: int,
    columns: int,
    *,
    gap_x: float = 0.0,
    gap_y: float = 0.0,
    titles: Sequence[str] = (),
    shared_x: bool = False,
) -> Figure:
    """A figure of panels, the first one at the top left.

    Gaps are shares of the whole width and height. `shared_x`: panels of a column zoom together, and only the lowest has
    numbers on its x axis.
    """
    made = Figure(layout={}, shape=(rows, columns))
    width, height = (1 - gap_x * (columns - 1)) / columns, (1 - gap_y * (rows - 1)) / rows
    for panel, place in enumerate(made.places()):
        row, column = divmod(panel, columns)
        left, bottom = column * (width + gap_x), max(0.0, 1 - height - row * (height + gap_y))
        made.layout[f"xaxis{place}"] = {"anchor": f"y{place}", "domain": [left, min(1.0, left + width)]}
        made.layout[f"yaxis{place}"] = {"anchor": f"x{place}", "domain": [bottom, min(1.0, bottom + height)]}
        if shared_x and rows > 1:
            lowest = (rows - 1) * columns + column + 1
            below = {"showticklabels": row == rows - 1} | ({"matches": f"x{lowest}"} if row < rows - 1 else {})
            made.layout[f"xaxis{place}"] |= below
    for title, place in zip(titles, made.places(), strict=False):
        over = made.layout[f"xaxis{place}"]["domain"], made.layout[f"yaxis{place}"]["domain"]
        made.add_annotation(title_of_panel(title, sum(over[0]) / 2, over[1][1]))
    return made


def title_of_panel(text: str, x: float, y: float) -> dict[str, Any]:
    """A panel's title, centred above it."""
    at = {"x": x, "y": y, "xref": "paper", "yref": "paper", "xanchor": "center", "yanchor": "bottom"}
    return {"text": text, "showarrow": False, "font": {"size": 16}, **at}
