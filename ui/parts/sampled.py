"""An answer that a method gave for a sample of the objects: how large it is, and what stands beside the answer."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from ui.compute import pipeline
from ui.parts.widgets import bound
from ui.parts.words import counted
from ui.session.state import change, config

#: The smallest sample that says anything of many objects.
LEAST = 100


def words(trace: Mapping[str, Any], n_objects: int) -> str:
    """What was joined, where it was a sample; empty where it was everything."""
    if "sampled_objects" not in trace:
        return ""
    n = len(trace["sampled_objects"])
    text = f"a sample of {n:,} objects (the other {n_objects - n:,} are put into their most similar cluster"
    if strangers := trace["strangers"]:
        text += (
            f"; {counted(strangers, 'object')} of them share no base cluster with the sample: their place is a guess"
        )
    return text + ")"


def knob() -> None:
    """The size of the sample and the way back to all objects, once a sample was asked for."""
    if config().sample is None:
        return
    n = pipeline.dataset(config()).n_objects
    bound(
        st.number_input,
        "Objects in the sample",
        "sample",
        min_value=min(LEAST, config().sample),
        max_value=max(n, config().sample),
        step=100,
        help="The method runs on so many objects, drawn by the seed. Every other object then goes to the cluster with "
        "which it has the largest mean co-association.",
    )
    st.button(
        "Use all objects", key="sample_all", icon=":material/select_all:", on_click=change, kwargs={"sample": None}
    )
