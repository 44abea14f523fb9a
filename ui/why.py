"""Why are i and j together? A panel for any page."""

import pandas as pd
import streamlit as st

from engine import Consensus, Ensemble
from engine.vocabulary import LARGE
from ui import pipeline
from ui.progress import settle
from ui.reasons import Pair, reasons
from ui.selection import picked
from ui.state import change, config
from ui.widgets import show

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
    theta = dict(config().method_params.as_dict()).get("theta", config().eci)
    pair = Pair(i, j, made, result, pipeline.truth(config()), theta)
    return [item for reason in reasons() for item in reason.explain(pair)]


def choose(made: Ensemble, place: str) -> tuple[int, int]:
    """The pair: chosen here, or the first two picked objects, or objects 0 and 1."""
    given = config().pair or _first_two()
    pair = tuple(min(index, made.n_objects - 1) for index in given)
    with st.container(horizontal=True):
        for side, index in zip("ij", pair, strict=True):
            show(f"pair_{side}_{place}", index)
            st.number_input(f"Object {side}", 0, made.n_objects - 1, key=f"pair_{side}_{place}", on_change=_store,
                            args=(place,))  # fmt: skip
    return pair


def _store(place: str) -> None:
    change(pair=tuple(int(st.session_state[f"pair_{side}_{place}"]) for side in "ij"))


def _first_two() -> tuple[int, int]:
    objects = picked()
    return (0, 1) if objects is None or len(objects) < 2 else (int(objects[0]), int(objects[1]))


@st.dialog("Why are i and j together?", width="large")
def dialog() -> None:
    """The panel over any page."""
    panel("dialog")
