"""The forms of dots in a still picture: Plotly's names, drawn about as large as it draws them."""

import numpy as np

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
