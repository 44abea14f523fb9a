"""A cluster keeps its colour: labels are aligned to the truth, or to what was shown before."""

import numpy as np
import streamlit as st

from engine.metrics import align
from ui.run_config import RunConfig


def stable(labels: np.ndarray, classes: np.ndarray | None, config: RunConfig) -> np.ndarray:
    """Labels renamed to overlap most with the truth; without one, with the last partition of this data set."""
    if classes is not None:
        return align(labels, classes)
    name, shown = st.session_state.get("_shown_labels", ("", None))
    if name == config.data and len(shown) == len(labels):
        labels = align(labels, shown)
    st.session_state["_shown_labels"] = (config.data, labels)
    return labels
