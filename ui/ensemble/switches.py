"""The table of base clusterings, with a box that switches each of them off, everywhere."""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import streamlit as st

from ui.scene import Scene
from ui.session.run_config import MEASURES
from ui.session.state import change, config
from ui.widgets.around import beside
from ui.widgets.terms import say

#: What the scores in the table are, column by column.
HELP = ("Mean NMI (max) with all other base clusterings.", "Agreement with the truth.")


def table(scene: Scene, switched_off: Sequence[int]) -> None:
    """One row a base clustering: on or off, its clusters, its agreement with the others, its score.

    `scene` has all of them switched on.
    """
    made = scene.ensemble
    rows = {
        "on": [m not in switched_off for m in range(made.n_clusterings)],
        "clusters": made.n_clusters_each,
        "NMI, others": others(scene.agreement),
    }
    if scene.truth is not None:
        rows[f"{MEASURES[scene.config.measure]}, truth"] = scene.base_scores
    frame = pd.DataFrame(rows, index=pd.Index(scene.clustering_keys, name="no."))
    say("**Switch base clusterings off**, and every page follows.")
    key = f"switches_{tuple(switched_off)}"
    st.data_editor(
        frame,
        key=key,
        disabled=["_index", *frame.columns[1:]],
        height=min(300, 35 * (len(frame) + 1) + 3),
        on_change=_switch,
        args=(key,),
        column_config={
            name: st.column_config.NumberColumn(format="%.3f", help=help_)
            for name, help_ in zip(frame.columns[2:], HELP, strict=False)
        },
    )


def others(agreement: np.ndarray) -> np.ndarray:
    """Mean NMI of each base clustering with all others: (M,)."""
    return (agreement.sum(axis=1) - 1) / max(1, len(agreement) - 1)


def _switch(key: str) -> None:
    """Take over edited boxes; the last base clustering cannot be switched off."""
    off = set(config().switched_off)
    for row, edit in st.session_state[key]["edited_rows"].items():
        (off.discard if edit.get("on", True) else off.add)(int(row))
    if len(off) < beside().n_clusterings:
        change(switched_off=tuple(sorted(off)))
