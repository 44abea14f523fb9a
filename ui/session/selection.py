"""Objects a person picked: in a scatter, a matrix, a tree or a table; they stay picked on every page until cleared."""

from typing import Any

import numpy as np
import streamlit as st

from ui.figures.numbering import place_of
from ui.outside import markdown
from ui.parts.chart import chart
from ui.parts.names import object_keys, on_hover
from ui.session.state import change, config
from ui.session.url_values import MAX_RANGES

_KEY = "_picked"


def picked() -> np.ndarray | None:
    """Indices of the picked objects of the present data set, ascending, or None."""
    if config().pick:
        return np.concatenate([np.arange(first, last + 1) for first, last in config().pick])
    name, objects, _ = st.session_state.get(_KEY, ("", None, ""))
    return objects if name == config().data else None


def pick(objects: Any, words: str) -> None:
    """Pick objects; `words` say where they come from. Two objects also become the pair that is looked at.

    The URL holds them as ranges; objects too scattered for that stay in the session.
    """
    objects = np.unique(np.asarray(objects, dtype=np.int64))
    if not len(objects):
        return
    st.session_state[_KEY] = (config().data, objects, words)
    ranges = ranges_of(objects)
    change(pick=ranges if len(ranges) <= MAX_RANGES else ())
    if len(objects) == 2:
        change(pair=tuple(objects.tolist()))


def ranges_of(objects: np.ndarray) -> tuple[tuple[int, int], ...]:
    """Ascending numbers as ranges, both ends included."""
    breaks = np.flatnonzero(np.diff(objects) > 1)
    firsts, lasts = np.r_[objects[0], objects[breaks + 1]], np.r_[objects[breaks], objects[-1]]
    return tuple(zip(firsts.tolist(), lasts.tolist(), strict=True))


def clear() -> None:
    """Forget the picked objects."""
    st.session_state.pop(_KEY, None)
    change(pick=())


def mask(n_objects: int) -> np.ndarray | None:
    """Which objects are picked, (N,) bool; None if none is."""
    objects = picked()
    if objects is None or objects[-1] >= n_objects:
        return None
    chosen = np.zeros(n_objects, bool)
    chosen[objects] = True
    return chosen


def places(order: np.ndarray) -> np.ndarray:
    """Where the picked objects stand in an order of objects, counted from 0."""
    objects = picked()
    return np.empty(0, np.int64) if objects is None else np.flatnonzero(np.isin(order, objects))


def holding(assignment: np.ndarray) -> np.ndarray | None:
    """Which groups hold a picked object, (n,) bool, of the group of every object (N,); None if nothing is picked."""
    chosen = mask(len(assignment))
    return None if chosen is None else np.bincount(assignment, chosen) > 0


def picking_chart(figure, key: str, words: str) -> None:
    """A scatter whose points can be picked by a click, or by drawing a loop around them."""
    figure.update_layout(dragmode="lasso", clickmode="event+select")
    chart(on_hover(figure), key, on_select=lambda: _take(key, words), selection_mode=("points", "lasso", "box"))


def _take(key: str, words: str) -> None:
    """Pick what plotly reports: the objects in the points' customdata."""
    points = st.session_state[key].selection.points
    objects = [place_of(point) for point in points if "customdata" in point]
    pick(objects, words)


def bar() -> None:
    """What is picked, and the way out: above every page, where one sees it."""
    objects = picked()
    if objects is None:
        return
    name, _, words = st.session_state.get(_KEY, ("", None, ""))
    if name != config().data:
        words = "a link"
    shown = ", ".join(markdown(str(key)) for key in object_keys(objects[:4])) + (", ..." if len(objects) > 4 else "")
    with st.container(horizontal=True, vertical_alignment="center", key="picked_bar"):
        st.caption(f"Picked: {len(objects):,} objects ({shown}) from {markdown(words)}", width="stretch")
        st.button("Clear", key="clear_selection", on_click=clear, width="content")
