"""Growing trees: how does confidence spread?"""

import numpy as np
import streamlit as st

from ui.frame.shell import present
from ui.growing_trees import distances, instead, knobs, margins, take_roots, why_these
from ui.scene import Scene
from ui.widgets import method_menu, stages
from ui.widgets.chart import sentence_of, show
from ui.widgets.dots import answer
from ui.widgets.pins import Pins
from ui.widgets.terms import note, page_title, say
from ui.widgets.try_this import of_method

GROWS = "A few representative objects take root; in every round, those who belong most clearly join a tree. Grey waits."


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    left, right = st.columns([3, 2], gap="large", vertical_alignment="center")  # all the height is the picture's
    with left:
        page_title("How does confidence spread?")
    best = {"data": "bridged_blobs", "k_range": (8, 16)}
    stages.at_best(best)
    if stages.ensemble(scene) is None or scene.placed is None or stages.inseparable(scene, "nothing can grow"):
        say(GROWS)
        return
    if method_menu.lacking(scene, "got"):
        return
    with right:
        knobs(scene)
    shown = PINS.beside(scene, mechanism, stacked=True)
    why_these(scene, best)
    PINS.bar(scene)
    if not shown:
        return
    left, middle, right = st.columns([3, 4, 5], gap="large")
    with left:
        if not PINS.on(scene):
            answer(scene, scene.forest, "the forest", "grown_answer")
    with middle:
        show(scene, "decision", on_select=take_roots, selection_mode=("points", "lasso"), drag="lasso")
        note("Larger dots are the prototypes. Draw a loop around two or more dots to grow from those instead.")
    with right:
        margins(scene)
    instead(scene)
    distances(scene)


def growing(_: Scene) -> str:
    """The method whose trees grow here."""
    return "got"


PINS = Pins(growing, ("roots",))


def mechanism(scene: Scene) -> np.ndarray | None:
    """The film of the trees and what it comes to: the words stand in the corner that the timeline leaves free."""
    if PINS.on(scene):
        if scene.ensemble is None or method_menu.lacking(scene, "got") or not show(scene, "forest", title=""):
            return None
        say(sentence_of(scene, "forest"))
        answer(scene, scene.forest, "the forest", "grown_answer")
        return scene.forest
    with st.container(key="growing"):
        shown = show(scene, "forest", title="", height="stretch")
        with st.container(key="growing_words"):
            say(GROWS)
            if shown:
                say(sentence_of(scene, "forest"))
    return scene.forest if shown else None


LESSON = of_method(
    "got",
    try_this="draw a loop around two dots of one group in the decision graph, and see where the trees meet.",
    words="a is the co-association, d = 1 - a the distance; whoever is dense (ρ) and far from anybody denser (δ) "
    "stands for a group.",
)

present(page, LESSON)
