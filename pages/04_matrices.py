"""Matrices: which pairs can we trust?"""

from dataclasses import replace

import streamlit as st

from ui import why
from ui.frame.shell import present
from ui.matrices import links, pictures
from ui.scene import Scene
from ui.widgets import stages
from ui.widgets.terms import page_title, say
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("Which pairs can we trust?")
    say("Every cell is a pair of objects; the brighter, the more often, or the more credibly, they meet.")
    if stages.ensemble(scene) is None or stages.inseparable(scene, "every pair is together always"):
        return
    if stages.consensus(scene, "recorded") is None:
        return
    pictures()
    left, right = st.columns([3, 2], gap="large")
    with left:
        links()
    with right:
        say("**Why are i and j together?**")
        why.panel(scene, "matrices")


LESSON = Lesson(
    "put the truth on the right, and take right minus left: what is bright there, no clustering has seen.",
    r"a_{ij} = \frac{1}{<M>} \sum_{m} [c_m(i) = c_m(j)], \qquad "
    r"\tilde a_{ij} = \frac{1}{<M>} \sum_{m} e^{-H(c_m(i)) / (<theta> \cdot <M>)} [c_m(i) = c_m(j)]",
    "CA counts how often two objects meet; LWCA counts a meeting the more, the more reliable the cluster is.",
)

#: Without classes.
FOUND = replace(
    LESSON,
    try_this="take right minus left: the stronger a colour, the more of a pair's meetings were in clusters that no "
    "other clustering confirms.",
)


def lesson(scene: Scene) -> Lesson:
    """What to try with these data."""
    return FOUND if scene.source_if_here is not None and scene.truth is None else LESSON


present(page, lesson)
