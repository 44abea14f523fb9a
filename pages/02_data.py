"""Data: what is in the data?"""

import streamlit as st

from ui.compute import pipeline
from ui.data import openml_panel
from ui.data.bringing import MENDS, bring
from ui.data.panels import balance, describe, placed, preview, projection
from ui.frame.shell import present
from ui.parts.terms import say
from ui.parts.try_this import Lesson
from ui.session.state import config


def page() -> None:
    """The page, top to bottom."""
    st.title("What is in the data?")
    say("Choose a data set in the sidebar, or bring one. Every other page follows.")
    bring()
    openml_panel.panel(MENDS)
    source = pipeline.dataset(config())
    describe(source)
    left, right = st.columns([2, 1], gap="large")
    with left:
        placed(source)
    with right:
        projection(source)
        balance(source)
    preview(source)


LESSON = Lesson(
    "change the scaling in the sidebar, and see which feature no longer decides alone.",
    r"z_{if} = \frac{x_{if} - \bar x_f}{s_f}, \qquad i = 1 \ldots <N>",
    "What the standard scaling makes of feature f of object i: mean 0 and standard deviation 1.",
)

present(page, LESSON)
