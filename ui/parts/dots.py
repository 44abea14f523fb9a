"""Objects in the plane: dots that can be picked, or, where there are too many of them, their density."""

import numpy as np
import streamlit as st

from ui.figures import density, scatter
from ui.figures.density import MOST_DOTS
from ui.parts.chart import chart
from ui.session.selection import pick, picking_chart
from ui.session.state import config, mark, theme

_WINDOW = "_density_window"
_DOES = "_density_box"


def dots(points, labels, key: str, words: str, **options) -> None:
    """Draw objects by `scatter`, or by `density`, of which `options` are; what is picked comes "from `words`"."""
    if len(points) <= MOST_DOTS:
        picking_chart(scatter(points, labels, theme(), **options), key, words)
        return
    figure = density(points, labels, theme(), extent=_window(), **options)
    figure.update_layout(dragmode="select")
    chart(figure, key, on_select=lambda: _take(key, points, words), selection_mode="box")
    if not mark():
        _switch(key)


def _switch(key: str) -> None:
    """What a box does, and the way back to all objects."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.segmented_control(
            "A box drawn in the picture",
            ["zooms in", "picks"],
            default="zooms in",
            key=f"{_DOES}_{key}",
            label_visibility="collapsed",
        )
        if _window() is not None:
            st.button("Show all", key=f"{_WINDOW}_{key}", on_click=_forget, icon=":material/zoom_out_map:")
        st.caption("A box drawn in the picture " + _does(key) + ".")


def _does(key: str) -> str:
    return st.session_state.get(f"{_DOES}_{key}") or "zooms in"


def _window() -> tuple[float, ...] | None:
    """The part of the plane that all pictures of this data set show; None: all of it."""
    name, view, window = st.session_state.get(_WINDOW, ("", "", None))
    return window if (name, view) == (config().data, config().view) else None


def _forget() -> None:
    st.session_state.pop(_WINDOW, None)


def _take(key: str, points: np.ndarray, words: str) -> None:
    """Zoom into the box, or pick what stands in it."""
    boxes = st.session_state[key].selection.box
    if not boxes:
        return
    (left, right), (bottom, top) = (sorted(boxes[0][axis]) for axis in "xy")
    if _does(key) == "zooms in":
        if right > left and top > bottom:
            st.session_state[_WINDOW] = config().data, config().view, (left, right, bottom, top)
        return
    x, y = points.T
    pick(np.flatnonzero((x >= left) & (x <= right) & (y >= bottom) & (y <= top)), words)
