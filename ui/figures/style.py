"""Colours and forms of every figure: one palette, two maps, one template per theme."""

from dataclasses import dataclass
from functools import cache
from html import unescape
from typing import Literal

import numpy as np

from engine.metrics import align
from ui.figures import spec
from ui.figures.numbering import FIRST, numbers

Theme = Literal["light", "dark"]

# The first eight follow Okabe and Ito (orange, sky blue, bluish green, yellow, blue, vermillion, reddish
# purple, black), each moved as little as it takes to stand at least 2.5:1 off both papers and apart from
# the others for deuteranopes and protanopes: yellow, lost on white, is an olive; black, lost on the dark
# paper, is a plum and comes last. The other 24 fill the gaps, the most different first.
PALETTE = (
    ("#D89103", "#3AA6F5", "#098E6E", "#A4A26D", "#1B69D9", "#C45D1F", "#C674B6", "#7B4988")
    + ("#5A5A2D", "#D2004B", "#F09696", "#3CC3C3", "#4BC34B", "#3C8796", "#005A5A", "#A50F00")
    + ("#875A4B", "#0F870F", "#A569FF", "#FF3C3C", "#B4A5E1", "#4B3CC3", "#FF965A", "#960F5A")
    + ("#B46978", "#96783C", "#FF0F87", "#2DC396", "#1E5A0F", "#C32DB4", "#7887D2", "#0F5A78")
)
UNASSIGNED = "#8C9097"

_CIVIDIS = ("#00224E", "#123570", "#3B496C", "#575D6D", "#707173") + (
    "#8A8678",
    "#A59C74",
    "#C3B369",
    "#E1CC55",
    "#FEE838",
)
_BLUE_TO_BROWN = ("#0B3C6F", "#3F7FB8", "#A9C4DC", "#EDEBE6", "#E3B98E", "#BF6A25", "#6E2F06")
_BLUE_TO_SAND = ("#9CCEF5", "#4F8FC4", "#2F4F6E", "#262C35", "#6B4A2C", "#C07A38", "#F7BF82")


def _even_scale(colors):
    """Colour scale through evenly spaced colours."""
    return tuple((place / (len(colors) - 1), color) for place, color in enumerate(colors))


SIMILARITY_SCALE = _even_scale(_CIVIDIS)
DIFFERENCE_SCALE = _even_scale(_BLUE_TO_BROWN)
# Zero recedes into the paper: on the dark one, the same two hues grow lighter instead of darker.
DIFFERENCE_SCALES = {"light": DIFFERENCE_SCALE, "dark": _even_scale(_BLUE_TO_SAND)}

FONT = '"Source Sans", "Source Sans 3", "Source Sans Pro", system-ui, sans-serif'
FADED = 0.15


@dataclass(frozen=True)
class Ink:
    """The tones of one theme."""

    paper: str
    text: str
    muted: str
    line: str
    accent: str


INKS = {
    "light": Ink(paper="#FBF9F5", text="#1F1D1A", muted="#5F5A52", line="#DDD7CB", accent="#2B6373"),
    "dark": Ink(paper="#171D26", text="#E4E6E8", muted="#A3ABB5", line="#343E4C", accent="#8CC5D3"),
}


#: From nothing to everything, as a glow on either paper.
GLOW_SCALES = {
    "light": ((0.0, "#EFEAE0"), (0.35, "#E3B98E"), (1.0, "#A04A12")),
    "dark": ((0.0, "#212935"), (0.35, "#8A6A3B"), (1.0, "#FFC857")),
}
SHARE_SCALES = {
    "light": ((0.0, "#F2EEE6"), (1.0, "#2B6373")),
    "dark": ((0.0, "#212935"), (1.0, "#4C93A6")),
}


def cluster_colors(clusters):
    """Hex colours of k clusters or of cluster ids (N,): an id has one colour everywhere, -1 is grey, 32 begins again.

    >>> cluster_colors(2).tolist()
    ['#D89103', '#3AA6F5']
    >>> cluster_colors(np.array([1, -1])).tolist()
    ['#3AA6F5', '#8C9097']
    """
    ids = np.arange(clusters) if np.isscalar(clusters) else np.asarray(clusters)
    return np.where(ids < 0, UNASSIGNED, np.array(PALETTE)[ids % len(PALETTE)])


#: Whole numbers along an axis that are all named.
EACH_NAMED = 9


def whole_ticks(*values):
    """Options of an axis of whole numbers: every one is named where they are few, and none between them.

    >>> whole_ticks([1, 3]), whole_ticks([0, 40]), whole_ticks([0.5])
    ({'dtick': 1}, {}, {})
    """
    every = np.concatenate([np.ravel(value) for value in values]).astype(float)
    few = len(every) and np.ptp(every) < EACH_NAMED and (every == np.rint(every)).all()
    return {"dtick": 1} if few else {}


def painted(labels, colors=None):
    """Places in the palette (N,) of labels (N,): `colors` (k,) has that of each cluster, its own id without them.

    >>> painted(np.array([0, 1, -1]), np.array([4, 0])).tolist()
    [4, 0, -1]
    """
    labels = np.asarray(labels)
    return labels if colors is None else np.where(labels < 0, -1, np.asarray(colors)[labels])


def alike(labels: np.ndarray, reference: np.ndarray | None) -> np.ndarray:
    """Colours (k,) of clusters 0..k-1 after those of a reference that they overlap most; -1 is missing in either.

    Without a reference of these objects they have those of their numbers.

    >>> alike(np.array([0, 0, 1, -1]), np.array([1, 1, 0, 0])).tolist()
    [1, 0]
    """
    if reference is None or len(reference) != len(labels):
        return np.arange(labels.max(initial=0) + 1)
    seen = labels >= 0
    known = np.where(reference < 0, reference.max(initial=-1) + 1, reference)  # a class of its own
    colors = np.arange(labels.max(initial=-1) + 1)
    if seen.any():
        colors[labels[seen]] = align(labels[seen], known[seen])
    return colors


def cluster_marks(labels, colors=None):
    """Numeric colouring that travels as bytes: `color`, `colorscale`, `cmin`, `cmax` of a marker.

    One flat step of the scale per id, so that an id keeps its colour whatever the others are. `color` holds numbers as
    people see them, 0 for "not yet assigned".
    """
    labels = np.asarray(labels)
    top = int(labels.max(initial=0))
    ends = {"cmin": FIRST - 1.5, "cmax": FIRST + top + 0.5}
    return {"color": numbers(labels).astype(np.int16), **ends, "colorscale": cluster_scale(top + 1, colors)}


def cluster_scale(k, colors=None):
    """Colour scale of k + 1 flat steps: "not yet assigned", then clusters 0..k-1, as `painted`."""
    edges = np.linspace(0, 1, k + 2).tolist()
    steps = cluster_colors(painted(np.arange(-1, k), colors)).tolist()
    return [pair for c, lo, hi in zip(steps, edges, edges[1:], strict=False) for pair in ((lo, c), (hi, c))]


def scale_color(scale, positions):
    """Colours (n, 3) in 0..255 of a colour scale at positions (n,) in [0, 1]."""
    stops = np.array([stop for stop, _ in scale])
    channels = np.array([_channels(color) for _, color in scale], float)
    return np.stack([np.interp(positions, stops, channel) for channel in channels.T], axis=-1)


def ink_on(colors):
    """Black or white text (n,), whichever reads better on background colours (n, 3) in 0..255."""
    linear = np.asarray(colors) / 255
    linear = np.where(linear <= 0.04045, linear / 12.92, ((linear + 0.055) / 1.055) ** 2.4)
    # At 0.179 black and white have the same WCAG contrast, 4.58:1: no softer ink has 4.5:1 on every colour.
    return np.where(linear @ (0.2126, 0.7152, 0.0722) > 0.179, "#000000", "#FFFFFF")


def ink_on_clusters(colors):
    """The same on hex colours (n,) of clusters."""
    return ink_on(np.array([_channels(color) for color in colors]))


def translucent(color, alpha):
    """Hex colour with an opacity."""
    return f"rgba({', '.join(map(str, _channels(color)))}, {alpha:g})"


def light(**look):
    """Meta of a trace that has another look on white paper, where the tones alone would not make it legible."""
    return {"light": look}


def _channels(color):
    """Red, green and blue of a hex colour."""
    return tuple(bytes.fromhex(color[1:]))


@cache
def template(theme: Theme):
    """Look of a theme as a plotly template: transparent, thin lines, the app's fonts, the palette."""
    ink = INKS[theme]
    axis = {
        "gridcolor": translucent(ink.line, 0.6),
        "linecolor": ink.line,
        "zeroline": False,
        "ticks": "",
        "tickfont": {"color": ink.muted, "size": 13},
        "title": {"font": {"color": ink.muted, "size": 13}, "standoff": 8},
        "automargin": True,
        "exponentformat": "none",  # else 0.00035 of anything is "350µ", and 20,000 is "20k"
        "separatethousands": True,
    }
    look = {
        "paper_bgcolor": "rgba(0, 0, 0, 0)",
        "plot_bgcolor": "rgba(0, 0, 0, 0)",
        "font": {"family": FONT, "color": ink.text, "size": 13},
        "title": {"font": {"size": 15}, "x": 0, "xref": "paper", "xanchor": "left", "y": 1, "yanchor": "top"}
        | {"yref": "container", "pad": {"t": 8}},
        "margin": {"l": 8, "r": 8, "t": 12, "b": 8},
        "colorway": PALETTE,
        "colorscale": {"sequential": SIMILARITY_SCALE, "diverging": DIFFERENCE_SCALES[theme]},
        "xaxis": axis,
        "yaxis": axis,
        "showlegend": False,
        "legend": {"orientation": "h", "x": 0, "y": -0.15, "yanchor": "top", "font": {"color": ink.muted}},
        "hoverlabel": {
            "bgcolor": ink.paper,
            "bordercolor": ink.line,
            "font": {"family": FONT, "size": 13, "color": ink.text},
            "align": "left",
        },
        "annotationdefaults": {"font": {"color": ink.muted, "size": 13}, "showarrow": False},
        "modebar": {"bgcolor": "rgba(0, 0, 0, 0)", "color": ink.muted, "activecolor": ink.accent},
    }
    faded = {"unselected": {"marker": {"opacity": FADED}}, "selected": {"marker": {"opacity": 1}}}
    return {"layout": look, "data": {"scattergl": [spec.scattergl(**faded)], "scatter": [spec.scatter(**faded)]}}


def finish(fig, theme, alt, *, height, title=None, notes=()):
    """Give a figure its look, height, `notes` above it and alternative text `alt`, kept in its "meta"; return it."""
    top = max(34, 12 + 26 * bool(title) + 17 * len(notes))  # the same for 0 or 1 remark: neighbours line up
    fig.layout["template"] = template(theme)
    alt = f"{unescape(title)}: {alt}" if title else alt  # read aloud as it is
    fig.update_layout(height=height, uirevision="keep", meta={"alt": alt})
    fig.update_layout(margin_t=max(top, fig.layout.get("margin", {}).get("t", 0)))
    if title:
        fig.update_layout(title_text=title)
    if notes:
        fig.add_annotation(
            {"text": "<br>".join(notes), "xref": "paper", "yref": "paper", "x": 0, "y": 1, "yshift": 4}
            | {"xanchor": "left", "yanchor": "bottom", "align": "left", "name": "notes"}
        )
    return fig


def padded_range(values, share=0.05):
    """Axis range that leaves a margin around finite values; never empty."""
    low, high = float(np.min(values)), float(np.max(values))
    margin = share * (high - low) or 0.5
    return [low - margin, high + margin]


#: Values up to this are 0 to whoever looks.
_NOTHING = 1e-9


def rounded_up(top: float) -> float:
    """A largest value as the end of a scale: up to the next number of two digits, at most 1.

    >>> rounded_up(0.314), rounded_up(0.00037512), rounded_up(1.2), rounded_up(0.0)
    (0.32, 0.00038, 1.0, 0.0)
    """
    if top <= _NOTHING:
        return 0.0
    place = 1 - int(np.floor(np.log10(top)))  # of the second digit
    return min(1.0, round(float(np.ceil(round(top * 10.0**place, 6))) / 10.0**place, place))


#: Single precision is off by this share of a number at most; a screen shows a thousandth of a range at best.
_OFF, _SEEN = 2.0**-24, 1e-3


def coordinates(places):
    """The x and y of places (n, 2), NaN where a line ends: in single precision where that shows the same.

    >>> [one.dtype.name for one in coordinates(np.array([[1.7e9, 0.0], [1.7e9 + 30, 1.0]]))]
    ['float64', 'float32']
    """
    return tuple(_rounded(np.ascontiguousarray(column)) for column in np.asarray(places, float).T)


def _rounded(values):
    known = values[np.isfinite(values)]
    largest, spread = np.abs(known).max(initial=0), np.ptp(known) if known.size else 0.0
    limits = np.finfo(np.float32)
    same = largest < limits.max and _OFF * largest < _SEEN * spread and limits.tiny < _SEEN * spread
    return values.astype(np.float32) if same or not largest else values


def log_ticks(low, high):
    """Ticks of a logarithmic axis, all of one size: 1, 2 and 5 of every decade, beyond two decades powers of ten alone.

    Where that leaves fewer than two, as many digits as it takes: one number says nothing of the scale.

    >>> log_ticks(1, 20).tolist(), log_ticks(0.55, 0.9).tolist()
    ([1.0, 2.0, 5.0, 10.0, 20.0], [0.6, 0.7, 0.8, 0.9])
    """
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    finer = [((1, 2, 5), 0), (range(1, 10), 0), (range(10, 100), 1), (range(100, 1000), 2)]
    for digits, places in [((1,), 0)] if high > 100 * low else finer:
        every = np.array([float(f"{digit}e{power - places}") for power in powers for digit in digits])
        ticks = every[(every >= 0.999 * low) & (every <= 1.001 * high)]
        if len(ticks) > 1:
            break
    return ticks
