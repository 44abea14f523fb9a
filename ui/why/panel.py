"""Why are i and j together? A panel for any page."""

import pandas as pd
import streamlit as st

from ui.figures.numbering import FIRST, object_names
from ui.outside import markdown
from ui.scene import Scene
from ui.session.bound import begins, show
from ui.session.state import change
from ui.why.reasons import explanation
from ui.widgets.page_scene import here
from ui.widgets.terms import inform, note, say


def panel(scene: Scene, place: str) -> None:
    """Two objects to choose, and every reason there is about them. `place` keeps the widgets of two panels apart."""
    scene = scene.with_given(place)
    if scene.ensemble is None:
        return
    i, j = choose(scene, place)
    if i == j:
        inform("Choose two different objects.")
        return
    if scene.recorded is None:
        return
    for item in explanation(scene, i, j):
        if isinstance(item, pd.DataFrame):
            st.dataframe(item, hide_index=True, height=min(248, 36 * (len(item) + 1)))
        else:
            say(item)


def choose(scene: Scene, place: str) -> tuple[int, int]:
    """The pair, with the widgets that choose it."""
    chosen, last = scene.two_objects, scene.ensemble.n_objects
    with st.container(horizontal=True):
        for side, index in zip("ij", chosen, strict=True):
            key, now = f"pair_{side}_{place}", index + FIRST
            show(key, now)
            first = min(begins(key, now), last)
            st.number_input(f"Object {side}", FIRST, last, first, key=key, on_change=_store, args=(place,))
    if scene.identifiers is not None:
        names = zip("ij", object_names(chosen, scene.identifiers), strict=True)
        note(" and ".join(f"{side} is **{markdown(name)}**" for side, name in names))
    return chosen


def _store(place: str) -> None:
    change(pair=tuple(int(st.session_state[f"pair_{side}_{place}"]) - FIRST for side in "ij"))


@st.dialog("Why are i and j together?", width="large")
def dialog() -> None:
    """The panel over any page."""
    panel(here(), "dialog")
