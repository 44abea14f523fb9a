"""Objects a person picked: in a scatter, a matrix, a tree or a table; they stay picked on every page until cleared."""

from typing import Any

import numpy as np
import streamlit as st

from ui.chart import chart
from ui.state import change, config

_KEY = "_picked"


def picked() -> np.ndarray | None:
    """Indices of the picked objects of the present data set, ascending, or None."""
    name, objects, _ = st.session_state.get(_KEY, ("", None, ""))
    return objects if name == config().data else None


def pick(objects: Any, words: str) -> None:
    """Pick objects; `words` say where they come from. Two objects also become the pair that is looked at."""
    objects = np.unique(np.asarray(objects, dtype=np.int64))
    if not len(objects):
        return
    st.session_state[_KEY] = (config().data, objects, words)
    if len(objects) == 2:
        change(pair=tuple(objects.tolist()))


def clear() -> None:
    """Forget the picked objects."""
    st.session_state.pop(_KEY, None)


def mask(n_objects: int) -> np.ndarray | None:
    """Which objects are picked, (N,) bool; None if none is."""
    objects = picked()
    if objects is None or objects[-1] >= n_objects:
        return None
    chosen = np.zeros(n_objects, bool)
    chosen[objects] = True
    return chosen


def picking_chart(figure, key: str, words: str) -> None:
    """A scatter whose points can be picked by a click, or by drawing a loop around them."""
    figure.update_layout(dragmode="lasso", clickmode="event+select")
    chart(figure, key, on_select=lambda: _take(key, words), selection_mode=("points", "lasso", "box"))


def _take(key: str, words: str) -> None:
    """Pick what plotly reports: the objects in the points' customdata."""
    points = st.session_state[key].selection.points
    objects = [np.atleast_1d(point["customdata"])[0] for point in points if "customdata" in point]
    pick(objects, words)


def summary() -> None:
    """What is picked, and the way out; drawn in the sidebar."""
    objects = picked()
    if objects is None:
        return
    words = st.session_state[_KEY][2]
    shown = ", ".join(map(str, objects[:4])) + (", ..." if len(objects) > 4 else "")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Picked: {len(objects):,} objects ({shown}) from {words}", width="stretch")
        st.button("Clear", key="clear_selection", on_click=clear, width="content")
