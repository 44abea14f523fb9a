"""A cluster keeps its colour: labels are aligned to the truth, or to what was shown before."""

import numpy as np
import streamlit as st

from engine.metrics import align
from ui.session.run_config import RunConfig


def stable(labels: np.ndarray, truth: np.ndarray | None, config: RunConfig) -> np.ndarray:
    """Labels renamed to overlap most with the truth; without one, with the last partition of this data set."""
    if truth is not None:
        return align(labels, truth)
    name, shown = st.session_state.get("_shown_labels", ("", None))
    if name == config.data and len(shown) == len(labels):
        labels = align(labels, shown)
    st.session_state["_shown_labels"] = (config.data, labels)
    return labels


def alike(labels: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Labels renamed to overlap most with a reference; -1 where a label is missing, in either of them."""
    seen = labels >= 0
    if seen.all() and reference.min() >= 0:
        return align(labels, reference)
    shown = np.full(len(labels), -1, np.int32)
    known = np.where(reference < 0, reference.max() + 1, reference)  # a class of its own
    shown[seen] = align(labels[seen], known[seen])
    return shown
