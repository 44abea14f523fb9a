"""The table of base clusterings, with a box that switches each of them off, everywhere."""

import numpy as np
import pandas as pd
import streamlit as st

from ui.compute import pipeline
from ui.parts.names import clustering_keys
from ui.session.run_config import MEASURES
from ui.session.state import change, config

#: What the scores in the table are, column by column.
HELP = ("Mean NMI (max) with all other base clusterings.", "Agreement with the truth.")


def table(made, agreement) -> None:
    """One row a base clustering: on or off, its clusters, its agreement with the others, its score."""
    rows = {
        "on": [m not in config().switched_off for m in range(made.n_clusterings)],
        "clusters": made.n_clusters_each,
        "NMI, others": others(agreement),
    }
    if (truth := pipeline.truth(config())) is not None:
        measure = config().measure
        rows[f"{MEASURES[measure]}, truth"] = pipeline.base_scores(measure, made, truth)
    frame = pd.DataFrame(rows, index=pd.Index(clustering_keys(made, config().with_(switched_off=())), name="no."))
    st.markdown("**Switch base clusterings off**, and every page follows.")
    key = f"switches_{config().switched_off}"
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
    if len(off) < pipeline.n_clusterings(config()):
        change(switched_off=tuple(sorted(off)))
