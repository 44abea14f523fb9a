"""The traces of a still picture: dots and their forms, lines, areas, words, bars and cells, and their colours."""

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from PIL import Image

from ui.figures.stills.axes import Axis, width_of, written
from ui.figures.stills.places import apart
from ui.figures.style import FADED, SIMILARITY_SCALE, UNASSIGNED, scale_color
from ui.outside import html


def _star(points: int, outer: float, inner: float) -> np.ndarray:
    turns = np.pi * np.arange(2 * points) / points - np.pi / 2
    lengths = np.where(np.arange(2 * points) % 2, inner, outer)
    return lengths[:, None] * np.column_stack([np.cos(turns), np.sin(turns)])


def _turned(corners: np.ndarray) -> np.ndarray:
    """By an eighth of a full turn."""
    return corners @ np.array([[1, 1], [-1, 1]]) / np.sqrt(2)


_SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
_TRIANGLE = np.array([[-1.155, 0.5], [1.155, 0.5], [0, -1]])
_ARM, _END = 0.42, 1.2
_CROSS = np.array(
    [[-_ARM, -_END], [_ARM, -_END], [_ARM, -_ARM], [_END, -_ARM], [_END, _ARM], [_ARM, _ARM]]
    + [[_ARM, _END], [-_ARM, _END], [-_ARM, _ARM], [-_END, _ARM], [-_END, -_ARM], [-_ARM, -_ARM]]
)
#: Corners of every form but the circle, for a dot of radius 1; y grows downwards.
CORNERS = {
    "diamond": 1.3 * np.array([[0, -1], [1, 0], [0, 1], [-1, 0]], float),
    "star": _star(5, 1.4, 0.535),
    "square": _SQUARE,
    "triangle-up": _TRIANGLE,
    "cross": _CROSS,
    "x": _turned(_CROSS),
    "triangle-down": -_TRIANGLE,
    "hexagram": _star(6, 1.3, 0.75),
    "hourglass": _SQUARE[[2, 3, 1, 0]],
    "bowtie": _SQUARE[[2, 1, 3, 0]],
}


def dot(symbol: str, x: float, y: float, radius: float, color: str, edge: str, width: float, opacity: float = 1) -> str:
    """One dot as SVG; of an open one the outline alone, in its colour, or with a small dot in its middle."""
    middle = symbol.removesuffix("-dot")
    if middle != symbol:
        inner = dot("circle", x, y, radius / 3, color, edge, 0, opacity)
        return dot(middle, x, y, radius, color, edge, width, opacity) + inner
    form = symbol.removesuffix("-open")
    if form != symbol:
        color, edge, width = "none", color, max(width, 1)
    look = f' fill="{html(color)}"' + (f' opacity="{opacity:.3g}"' if opacity < 1 else "")
    look += f' stroke="{html(edge)}" stroke-width="{width:.3g}"' if width > 0 else ""
    if form not in CORNERS:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.3g}"{look}/>'
    corners = "L".join(f"{a:.1f} {b:.1f}" for a, b in np.array([x, y]) + radius * CORNERS[form])
    return f'<path d="M{corners}Z" stroke-linejoin="round"{look}/>'


def colors_of(look: Mapping[str, Any], n: int, usual: str = UNASSIGNED) -> list[str]:
    """The colour of each of n marks."""
    color = look.get("color", usual)
    if isinstance(color, str):
        return [color] * n
    values = np.asarray(color)
    return values.tolist() if values.dtype.kind in "UO" else hexes(values, look)


def hexes(values: np.ndarray, look: Mapping[str, Any]) -> list[str]:
    """Numbers as colours of a scale."""
    low, high = look.get("cmin", np.nanmin(values)), look.get("cmax", np.nanmax(values))
    shades = shaded(values.astype(float), look.get("colorscale", SIMILARITY_SCALE), float(low), float(high))
    return ["#" + bytes(shade).hex() for shade in shades]


def shaded(values: np.ndarray, scale: Sequence, low: float, high: float) -> np.ndarray:
    """Red, green and blue of values on a scale: (..., 3) uint8; what is not there is white."""
    positions = np.clip((values - low) / (high - low or 1), 0, 1)
    shades = scale_color(scale, np.nan_to_num(positions).ravel()).reshape(*values.shape, 3)
    shades[~np.isfinite(values)] = 255
    return np.rint(shades).astype(np.uint8)


def each(value: Any, n: int, usual: float) -> np.ndarray:
    """A number for each of n marks."""
    return np.broadcast_to(np.asarray(usual if value is None else value, float), (n,))


DASHES = {"dash": "7 5", "dot": "2 3", "dashdot": "7 3 2 3", "longdash": "10 5"}
#: Pixels an image of cells has along a side, at least: edges of cells stay sharp.
_SHARP = 800


def drawn(trace: dict[str, Any], x: Axis, y: Axis) -> str:
    """A trace as SVG."""
    if trace["type"] == "heatmap":
        return _cells(trace, x, y)
    if trace["type"] == "bar":
        return _bars(trace, x, y)
    mode = trace.get("mode", "lines+markers")
    parts = [_line(trace, x, y)] if "lines" in mode else []
    parts += [_errors(trace, x, y)] if "array" in trace.get("error_y", {}) else []
    parts += [_dots(trace, x, y)] if "markers" in mode else []
    parts += [_words(trace, x, y)] if "text" in mode else []
    return "".join(parts)


def stroke(line: dict[str, Any], usual: str) -> str:
    """Attributes of a line."""
    dash = DASHES.get(line.get("dash", ""), "")
    dashes = f' stroke-dasharray="{dash}"' if dash else ""
    return f'stroke="{html(str(line.get("color", usual)))}" stroke-width="{line.get("width", 2):g}"{dashes}'


def _line(trace: dict[str, Any], x: Axis, y: Axis) -> str:
    """A line with gaps where a value is missing, and the area it bounds."""
    across, down = x(trace["x"]), y(trace["y"])
    if trace.get("line", {}).get("shape") == "vh":
        across, down = np.repeat(across, 2)[:-1], np.repeat(down, 2)[1:]
    path = _path(across, down)
    area = ""
    if trace.get("fill") == "toself":
        area = path + "Z"
    elif trace.get("fill") == "tozerox":
        zero = float(x(0.0))
        area = f"{path}L{zero:.1f} {down[-1]:.1f}L{zero:.1f} {down[0]:.1f}Z"
    shape = f'<path d="{area}" fill="{html(trace.get("fillcolor", "#DDD7CB"))}" stroke="none"/>' if area else ""
    if trace.get("line", {}).get("width", 2) == 0:
        return shape
    color = trace.get("marker", {}).get("color", "#2B6373")
    usual = color if isinstance(color, str) else "#2B6373"
    return shape + f'<path d="{path}" fill="none" stroke-linejoin="round" {stroke(trace.get("line", {}), usual)}/>'


def _path(across: np.ndarray, down: np.ndarray) -> str:
    there = np.isfinite(across) & np.isfinite(down)
    begins = there & ~np.concatenate([[False], there[:-1]])
    steps = zip(across[there], down[there], begins[there], strict=True)
    return "".join(f"{'M' if first else 'L'}{a:.1f} {b:.1f}" for a, b, first in steps)


def _dots(trace: dict[str, Any], x: Axis, y: Axis) -> str:
    """Dots in their forms; those that are not picked are faint where others are."""
    across, down, marker = x(trace["x"]), y(trace["y"]), trace.get("marker", {})
    n = len(across)
    radii, edge = each(marker.get("size"), n, 6) / 2, marker.get("line", {})
    colors, opacity = colors_of(marker, n), each(marker.get("opacity"), n, 1).copy()
    widths, edges = each(edge.get("width"), n, 0), colors_of(edge, n, "#5F5A52")
    forms = np.broadcast_to(marker.get("symbol", "circle"), (n,)).tolist()
    if trace.get("selectedpoints") is not None:
        faint = np.ones(n, bool)
        faint[np.asarray(trace["selectedpoints"], int)] = False
        opacity[faint] = FADED
    return "".join(
        dot(forms[i], across[i], down[i], radii[i], colors[i], edges[i], widths[i], opacity[i])
        for i in np.flatnonzero(np.isfinite(across) & np.isfinite(down) & (opacity > 0))
    )


def _errors(trace: dict[str, Any], x: Axis, y: Axis) -> str:
    """Bars of error, up and down."""
    half, values = np.asarray(trace["error_y"]["array"], float), np.asarray(trace["y"], float)
    ends = zip(x(trace["x"]), y(values - half), y(values + half), strict=True)
    look = stroke({"width": 1.2, **trace["error_y"]}, "#5F5A52")
    return "".join(f'<path d="M{a:.1f} {b:.1f}V{c:.1f}" {look}/>' for a, b, c in ends if np.isfinite([b, c]).all())


def _words(trace: dict[str, Any], x: Axis, y: Axis) -> str:
    font = trace.get("textfont", {})
    places = zip(trace["text"], x(trace["x"]), y(trace["y"]), strict=True)
    return "".join(written(word, a, b, font) for word, a, b in places)


def _bars(trace: dict[str, Any], x: Axis, y: Axis) -> str:
    """Bars from 0 on; a lying one has its words at its end, inside where they fit, else beyond it."""
    flat = trace.get("orientation") == "h"
    along, beside = (x, y) if flat else (y, x)
    places, values = (np.asarray(trace[name], float) for name in (("y", "x") if flat else ("x", "y")))
    half = each(trace.get("width"), len(places), 0.8 * apart(places)) / 2
    colors, found = colors_of(trace.get("marker", {}), len(places), "#2B6373"), []
    for i in np.flatnonzero(np.isfinite(values)):
        a, b = sorted((float(along(0.0)), float(along(values[i]))))
        c, d = sorted((float(beside(places[i] - half[i])), float(beside(places[i] + half[i]))))
        box = (a, c, b - a, d - c) if flat else (c, a, d - c, b - a)
        found.append(
            '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"'.format(*box) + f' fill="{colors[i]}"/>'
        )
        if flat and np.ndim(trace.get("text", "")) == 1:
            found.append(_beside_end(trace, i, a, b, (c + d) / 2))
    return "".join(found)


def _beside_end(trace: dict[str, Any], place: int, start: float, end: float, middle: float) -> str:
    """The words of a lying bar."""
    word, font = trace["text"][place], trace.get("textfont", {})
    if width_of(word) + 8 > end - start:
        return written(word, end + 4, middle, font, "left")
    inks = colors_of(trace.get("insidetextfont", {}), len(trace["text"]), font.get("color", "#1F1D1A"))
    return written(word, end - 4, middle, {**font, "color": inks[place]}, "right")


def _cells(trace: dict[str, Any], x: Axis, y: Axis) -> str:
    """Cells as one image without gaps, or as tiles."""
    values = np.asarray(trace["z"], float)
    low, high = float(trace.get("zmin", np.nanmin(values))), float(trace.get("zmax", np.nanmax(values)))
    shades = shaded(values, trace.get("colorscale", SIMILARITY_SCALE), low, high)
    rows, columns = values.shape
    across = x(trace.get("x0", 0) + trace.get("dx", 1) * (np.arange(columns + 1) - 0.5))
    down = y(trace.get("y0", 0) + trace.get("dy", 1) * (np.arange(rows + 1) - 0.5))
    if gap := trace.get("xgap", 0):
        return _tiles(shades, np.isfinite(values), across, down, gap)
    if across[0] > across[-1]:
        shades, across = shades[:, ::-1], across[::-1]
    if down[0] > down[-1]:
        shades, down = shades[::-1], down[::-1]
    box = (
        f'x="{across[0]:.1f}" y="{down[0]:.1f}" width="{across[-1] - across[0]:.1f}" height="{down[-1] - down[0]:.1f}"'
    )
    look = 'preserveAspectRatio="none" style="image-rendering: pixelated"'
    return f'<image {box} {look} href="{_png(shades)}"/>'


def _tiles(shades: np.ndarray, there: np.ndarray, across: np.ndarray, down: np.ndarray, gap: float) -> str:
    found = []
    for row, column in zip(*np.nonzero(there), strict=True):
        left, right = sorted(across[column : column + 2])
        top, bottom = sorted(down[row : row + 2])
        box = left + gap / 2, top + gap / 2, max(right - left - gap, 0), max(bottom - top - gap, 0)
        words = '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}"'.format(*box)
        found.append(f'{words} fill="#{bytes(shades[row, column]).hex()}"/>')
    return "".join(found)


def _png(shades: np.ndarray) -> str:
    """An image as a data address, every cell a square of whole pixels."""
    times = max(1, -(-_SHARP // max(shades.shape[:2])))
    large = shades.repeat(times, axis=0).repeat(times, axis=1) if min(shades.shape[:2]) > 1 else shades
    held = io.BytesIO()
    Image.fromarray(large).quantize(256).save(held, "PNG", optimize=True)
    return "data:image/png;base64," + base64.b64encode(held.getvalue()).decode("ascii")
