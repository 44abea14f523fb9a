"""A figure for another place: larger words for a room, nothing but the picture for a card, HTML without a network."""

from typing import Any

import numpy as np

from ui.figures.spec import Figure

#: What a word's size stands under.
_FONTS = ("font", "tickfont")
#: Sizes that nobody set, in pixels.
_USUAL = 12


def enlarged(figure: Figure, times: float) -> Figure:
    """A copy of a figure whose words are so many times larger; arrays are shared."""
    return Figure(_grown(figure.data, times), _grown(figure.layout, times), _grown(figure.frames, times), figure.shape)


def _grown(value: Any, times: float, font: bool = False) -> Any:
    if isinstance(value, dict):
        grown = {name: _grown(one, times, name in _FONTS) for name, one in value.items()}
        if font:
            grown["size"] = round(times * value.get("size", _USUAL), 1)
        return grown
    if isinstance(value, list | tuple):
        return [_grown(one, times, font) for one in value]
    return value


def bare(figure: Figure, width: int, height: int) -> Figure:
    """A copy of a figure without axes, words, controls and hover, its dots and lines smaller, for a card."""
    hidden: dict[str, Any] = {"annotations": [], "updatemenus": [], "sliders": [], "showlegend": False}
    layout = {name: value for name, value in figure.layout.items() if name not in ("title", "uirevision")} | hidden
    for name in [name for name in layout if name.startswith(("xaxis", "yaxis"))]:
        layout[name] = {**layout[name], "visible": False}
    layout |= {"width": width, "height": height, "margin": {"l": 2, "r": 2, "t": 2, "b": 2}}
    layout |= {"hovermode": False, "dragmode": False, "autosize": False}
    layout["meta"] = {**layout.get("meta", {}), "card": True}
    return Figure([_small(trace) for trace in figure.data], layout, [], figure.shape)


#: Dots and lines of a card, as a share of their usual size.
_CARD = 0.35


def _small(trace: dict[str, Any]) -> dict[str, Any]:
    """A trace with smaller dots and thinner lines, and without a colour bar."""
    small = {**trace, "showscale": False} if trace.get("type") == "heatmap" else dict(trace)
    for part, name in (("marker", "size"), ("line", "width")):
        if part in trace and name in trace[part]:
            small[part] = {**trace[part], name: np.asarray(trace[part][name]) * _CARD}
            if np.ndim(small[part][name]) == 0:
                small[part][name] = float(small[part][name])
    return small


def standalone(figure: Figure, first: bool) -> str:
    """A figure as a piece of HTML; the first of a file brings the library for all of them."""
    return figure.to_plotly().to_html(
        full_html=False,
        include_plotlyjs="inline" if first else False,
        config={"displaylogo": False},
        auto_play=False,  # a film rests where its words are
    )
