"""Enhanced matrix: what can the matrix teach itself?"""

from dataclasses import replace

import numpy as np
import streamlit as st

from engine import consensus_methods
from ui.enhanced_matrix import warm
from ui.enhanced_matrix.panels import before_and_after, details, knobs, more_knobs, stopping
from ui.frame.shell import present
from ui.scene import Scene
from ui.widgets import pins, stages
from ui.widgets.answer import answer
from ui.widgets.chart import sentence_of, show
from ui.widgets.terms import say
from ui.widgets.try_this import Lesson, of_method


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    st.title("What can the matrix teach itself?")
    say("Pairs that nearly all clusterings keep together are certain; along them, knowledge spreads.")
    left, right = st.columns([3, 1], gap="large")
    with right:
        knobs(scene)
    with left:
        shown = pins.beside(scene, mechanism, stacked=True)
        pins.bar(scene)
    if not shown:
        return
    enhanced = warm.warmed(scene)
    with right:
        if not pins.on(scene):
            _answer(enhanced)
        more_knobs(scene)
    details(enhanced)
    left, right = st.columns(2, gap="large")
    with left:
        show(enhanced, "entries_right", "enhanced_pr")
        show(enhanced, "enhance_film", "enhanced_film")
    with right:
        stopping(enhanced)


def mechanism(scene: Scene) -> np.ndarray | None:
    """The matrix before and after, and what became of it."""
    if stages.ensemble(scene) is None:
        return None
    scene = warm.warmed(scene)
    if scene.enhanced is None:
        return None
    warm.keep(scene)
    before_and_after(scene)
    st.markdown(sentence_of(scene, "residuals"))
    if pins.on(scene):
        _answer(scene)
    return scene.enhanced_labels


def _answer(scene: Scene) -> None:
    answer(scene, scene.enhanced_labels, consensus_methods()["ec_cms"].title, "enhanced_answer")


def lesson(scene: Scene) -> Lesson:
    """That of the method the page is about."""
    return replace(
        of_method("ec_cms"),
        try_this="lower α step by step: from where on do wrong pairs spread too?",
        words="A is the input, H the pairs that are certain, L the Laplacian of their graph; C is the enhanced matrix, "
        "E what it leaves out.",
    )


present(page, lesson)
