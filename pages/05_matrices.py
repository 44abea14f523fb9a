"""Matrices: which pairs can we trust?"""

import streamlit as st

from engine.consensus.traces import LARGE
from ui.frame.shell import present
from ui.matrices import views as matrix_views
from ui.matrices.panels import links, pictures
from ui.parts import stages
from ui.parts.terms import say
from ui.parts.try_this import Lesson
from ui.why import panel as why


def page() -> None:
    """The page, top to bottom."""
    st.title("Which pairs can we trust?")
    say("Every cell is a pair of objects; the brighter, the more often, or the more credibly, they meet.")
    made = stages.ensemble()
    if made is None:
        return
    result = stages.consensus(made, LARGE if len(made.microclusters) <= matrix_views.RECORDED else ())
    if result is None:
        return
    pictures(made, result)
    left, right = st.columns([3, 2], gap="large")
    with left:
        links(made, result)
    with right:
        st.markdown("**Why are i and j together?**")
        why.panel("matrices")


LESSON = Lesson(
    "put the truth on the right, and take right minus left: what is bright there, no clustering has seen.",
    r"a_{ij} = \frac{1}{<M>} \sum_{m} [c_m(i) = c_m(j)], \qquad "
    r"\tilde a_{ij} = \frac{1}{<M>} \sum_{m} e^{-H(c_m(i)) / (<theta> \cdot <M>)} [c_m(i) = c_m(j)]",
    "CA counts how often two objects meet; LWCA counts a meeting the more, the more reliable the cluster is.",
)

present(page, LESSON)
