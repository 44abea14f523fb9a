"""Why are i and j together? A panel for any page."""

import pandas as pd
import streamlit as st

from engine import Consensus, Ensemble
from engine.consensus.traces import LARGE
from ui.compute import pipeline
from ui.figures.numbering import FIRST
from ui.outside import markdown
from ui.parts.echoes import show
from ui.parts.names import identifiers, object_name
from ui.parts.progress import settle
from ui.session.selection import picked
from ui.session.state import change, config
from ui.why.reasons import Pair, reasons

#: Matrices are recorded for the panel up to so many microclusters; beyond, it speaks without them.
_RECORDED = 4000


def panel(place: str) -> None:
    """Two objects to choose, and every reason there is about them. `place` keeps the widgets of two panels apart."""
    made = settle(pipeline.ensemble(config()), "Making base clusterings", f"ensemble_{place}")
    if made is None:
        return
    i, j = choose(made, place)
    if i == j:
        st.info("Choose two different objects.")
        return
    result = settle(recorded(made), "Finding the consensus", f"consensus_{place}")
    if result is None:
        return
    for item in explanation(made, result, i, j):
        if isinstance(item, pd.DataFrame):
            st.dataframe(item, hide_index=True, height=min(248, 36 * (len(item) + 1)))
        else:
            st.markdown(item)


def recorded(made: Ensemble):
    """Job: the consensus with its matrices, where they are small enough to keep."""
    record = LARGE if len(made.microclusters) <= _RECORDED else ()
    k = min(pipeline.wanted_k(config()), len(made.microclusters))
    return pipeline.consensus(config(), made, k, record)


def explanation(made: Ensemble, result: Consensus, i: int, j: int) -> list[str | pd.DataFrame]:
    """What every reason says, in order."""
    pair = Pair(i, j, made, result, pipeline.truth(config()), config())
    return [item for reason in reasons() for item in reason.explain(pair)]


def pair(made: Ensemble) -> tuple[int, int]:
    """The pair that was chosen, or the first two picked objects, or the first two there are."""
    given = config().pair or _first_two()
    last = made.n_objects - 1
    return min(given[0], last), min(given[1], last)


def choose(made: Ensemble, place: str) -> tuple[int, int]:
    """The pair, with the widgets that choose it."""
    chosen, last = pair(made), made.n_objects
    with st.container(horizontal=True):
        for side, index in zip("ij", chosen, strict=True):
            show(f"pair_{side}_{place}", index + FIRST)
            st.number_input(f"Object {side}", FIRST, last, key=f"pair_{side}_{place}", on_change=_store, args=(place,))
    if identifiers() is not None:
        st.caption(
            " and ".join(f"{side} is **{markdown(object_name(i))}**" for side, i in zip("ij", chosen, strict=True))
        )
    return chosen


def _store(place: str) -> None:
    change(pair=tuple(int(st.session_state[f"pair_{side}_{place}"]) - FIRST for side in "ij"))


def _first_two() -> tuple[int, int]:
    objects = picked()
    return (0, 1) if objects is None or len(objects) < 2 else (int(objects[0]), int(objects[1]))


@st.dialog("Why are i and j together?", width="large")
def dialog() -> None:
    """The panel over any page."""
    panel("dialog")
