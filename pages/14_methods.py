"""Methods: what are the ways to agree?"""

import streamlit as st

from data import DataError
from engine.consensus import FAMILIES
from ui.compute.work import start
from ui.frame.shell import present
from ui.methods.examples import answers
from ui.methods.panels import card, filters, found, glossary, missing
from ui.scene import Scene
from ui.widgets import stages
from ui.widgets.progress import explain, settle
from ui.widgets.terms import say
from ui.widgets.try_this import Lesson

COLUMNS = 3


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    st.title("What are the ways to agree?")
    say("Every method answers the same question, which clustering the ensemble supports, in a way of its own.")
    words = filters()
    try:
        stages.ensemble(scene)
    except DataError as error:  # without data there are no costs, but there are methods
        explain(error)
        scene = scene.with_given(ensemble=None)
    pictures = settle(start(answers), "Asking every method", "answers") if scene.config.pictured else None
    by_family = found(scene.config, words)
    if not any(by_family.values()):
        st.info("No method has these words and takes that. Try fewer words, or other filters.")
    for family, methods in by_family.items():
        if methods:
            st.subheader(FAMILIES[family])
            for first in range(0, len(methods), COLUMNS):
                for method, column in zip(methods[first:], st.columns(COLUMNS), strict=False):
                    with column:
                        card(scene, method, pictures)
    if not words:
        missing()
        glossary()


LESSON = Lesson(
    "look for the methods whose picture shows another answer than their neighbours'.",
    r"\pi^\ast = \arg\max_{\pi} \sum_{m=1}^{<M>} \mathrm{sim}(\pi, \pi_m)",
    "All of them look for the clustering that shares most with the base clusterings; they differ in what sharing is.",
)

present(page, LESSON)
