"""The one way a figure reaches a page: own template, words for those who cannot see it, no tool bar; thumbnails."""

import re
import time
from typing import Any, Literal
from urllib.parse import quote

import numpy as np
import streamlit as st

from ui.figures import cluster_colors
from ui.figures.spec import Figure
from ui.pictures import drawn, pictures, title_of
from ui.scene import Scene
from ui.session.state import theme
from ui.widgets.terms import new_meanings, say

#: What a person may do in a picture; in one of a pinned setting there is nothing to do but look.
_ANSWERS = ("on_select", "selection_mode")
#: Seconds that a browser takes to begin.
_TO_DRAW = 0.1
_HEAD = re.compile(r"^(.*?(?:\?|(?= \()|$))(.*)$", re.DOTALL)


def chart(figure: Figure, key: str, mark: str = "", **options: Any) -> Any:
    """Show a figure of `ui.figures`; returns the selection if `on_select` is given.

    `mark` is that of its scene: one of a pinned setting answers no click.
    """
    if mark:
        options = {name: value for name, value in options.items() if name not in _ANSWERS}
    return st.plotly_chart(
        figure.as_it_is(),
        key=f"{key}_{mark}" if mark else key,
        theme=None,
        config={"displayModeBar": False},
        alt=figure.layout["meta"]["alt"],
        **options,
    )


def drawn_alone() -> None:
    """Let nothing follow the picture that answers a knob until a browser has begun to draw it.

    It draws together what comes shortly after one another, and all the others take ten times as long.
    """
    time.sleep(_TO_DRAW)


def heading(title: str, figure: Figure | None = None) -> None:
    """A title above a picture: its question in bold, what follows it plain; beside it what words in the figure mean."""
    bold, rest = _HEAD.match(title).groups()
    say(f"**{bold}**{rest}", help=new_meanings(title, [] if figure is None else figure.words()))


def show(
    scene: Scene,
    name: str,
    key: str = "",
    title: str | None = None,
    height: int | Literal["stretch"] | None = None,
    drag: str | bool | None = None,
    **options: Any,
) -> bool:
    """Show a picture of a scene with its title above it; False where there is nothing to show, or not yet.

    An empty `title` is none. `drag` is what a hand draws to pick, "lasso" or "select"; False: dots are clicked one by
    one.
    """
    figure = drawn(name, scene, theme())
    if figure is None:
        return False
    if title is None:
        title = title_of(name, figure)
    if title:
        heading(title, figure)
    if height == "stretch":
        options["height"] = height
    elif height is not None:
        figure.update_layout(height=height)
    if drag is not None:
        figure.update_layout(dragmode=drag, clickmode="event+select")
        options.setdefault("selection_mode", "points")
    chart(figure, key or name, scene.mark, **options)
    return True


def sentence_of(scene: Scene, name: str) -> str:
    """What a picture says of a scene."""
    return pictures()[name].sentence(scene)


@st.cache_data(show_spinner=False, max_entries=64)
def thumbnail(key: str, _points: np.ndarray, _labels: np.ndarray | None, width: int = 120, height: int = 76) -> str:
    """The URL of a small SVG of a data set: at most 250 dots, coloured by class; pages take no SVG as it is."""
    shown = np.linspace(0, len(_points) - 1, min(250, len(_points))).astype(int)
    points = _points[shown]
    low, high = points.min(axis=0), points.max(axis=0)
    wide = high > low  # all objects may stand in one place, or on a line
    scale = min(((np.array([width, height]) - 10)[wide] / (high - low)[wide]), default=1.0)
    placed = (points - (low + high) / 2) * [scale, -scale] + [width / 2, height / 2]
    truth = np.zeros(len(_points), int) if _labels is None else _labels
    colors = cluster_colors(truth[shown])
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="1.7" fill="{color}"/>'
        for (x, y), color in zip(placed, colors, strict=True)
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{dots}</svg>'
    return f"data:image/svg+xml,{quote(svg)}"
