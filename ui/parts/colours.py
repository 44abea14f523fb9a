"""A cluster keeps the colour of the class, or of the earlier cluster, that it resembles; its number is its label."""

import numpy as np
import streamlit as st

from engine.metrics import align
from ui.figures.style import painted
from ui.session.run_config import RunConfig


def stable(labels: np.ndarray, truth: np.ndarray | None, config: RunConfig) -> np.ndarray:
    """Colours (k,) of clusters after the truth; without one, after the last partition of this data set."""
    if truth is not None:
        return alike(labels, truth)
    name, shown = st.session_state.get("_shown_labels", ("", None))
    same = name == config.data and len(shown) == len(labels)
    colors = alike(labels, shown) if same else np.arange(labels.max() + 1)
    st.session_state["_shown_labels"] = (config.data, painted(labels, colors))
    return colors


def alike(labels: np.ndarray, reference: np.ndarray) -> np.ndarray:
    """Colours (k,) of clusters 0..k-1 after those of a reference that they overlap most; -1 is missing in either.

    >>> alike(np.array([0, 0, 1, -1]), np.array([1, 1, 0, 0])).tolist()
    [1, 0]
    """
    seen = labels >= 0
    known = np.where(reference < 0, reference.max(initial=-1) + 1, reference)  # a class of its own
    colors = np.arange(labels.max(initial=-1) + 1)
    if seen.any():
        colors[labels[seen]] = align(labels[seen], known[seen])
    return colors
