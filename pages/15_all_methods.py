"""All methods: what are the ways to agree?"""

import streamlit as st

from data import DataError
from engine import consensus_methods
from ui.all_methods import answers, details, filters, found, table
from ui.compute.data_sets import FarError
from ui.compute.work import start
from ui.frame.shell import present
from ui.scene import Scene
from ui.session.state import page_file
from ui.widgets import stages
from ui.widgets.progress import explain, fetched, settle
from ui.widgets.terms import inform, note, page_title, say
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("What are the ways to agree?")
    say("Every method answers the same question, which clustering the ensemble supports, in a way of its own.")
    words = filters()
    try:
        stages.ensemble(scene)
    except DataError as error:  # without data there are no costs, but there are methods
        if isinstance(error, FarError):
            fetched(error, "methods_data")
        else:
            explain(error)
        scene = scene.with_given(ensemble=None)
    pictures = settle(start(answers), "Asking every method", "answers") if scene.config.pictured else None
    methods = [one for family in found(scene.config, words).values() for one in family]
    left, right = st.columns([8, 4], gap="medium")
    with left:
        if methods:
            table(scene, methods, pictures)
            how = "Choose a row to read all of it (by keyboard: Shift and space)."
            note(f"{len(methods):,} of {len(consensus_methods()):,} methods. {how}")
        else:
            inform("No method has these words and takes that. Try fewer words, or other filters.")
    with right:
        details(scene, consensus_methods()[scene.config.about or scene.config.method])
    with st.container(horizontal=True):
        st.page_link(page_file("glossary"), label="What the words mean", icon=":material/dictionary:")
        st.page_link(
            page_file("published_tables"), label="What the papers print, beside ours", icon=":material/menu_book:"
        )


LESSON = Lesson(
    "look for the methods whose picture shows another answer than their neighbours'.",
    r"\pi^\ast = \arg\max_{\pi} \sum_{m=1}^{<M>} \mathrm{sim}(\pi, \pi_m)",
    "All of them look for the clustering that shares most with the base clusterings; they differ in what sharing is.",
)

present(page, LESSON)
