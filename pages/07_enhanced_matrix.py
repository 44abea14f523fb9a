"""Enhanced matrix: what can the matrix teach itself?"""

from dataclasses import replace

import numpy as np
import streamlit as st

from engine import consensus_methods
from ui import enhanced_matrix as panels
from ui.enhanced_matrix import details, entries, film, knobs, more_knobs, stopping
from ui.frame.shell import present
from ui.scene import Scene
from ui.widgets import method_menu, stages
from ui.widgets.chart import sentence_of
from ui.widgets.dots import answer
from ui.widgets.pins import Pins
from ui.widgets.terms import page_title, say
from ui.widgets.try_this import Lesson, of_method


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("What can the matrix teach itself?")
    say(
        "Left how often, or how credibly, pairs of objects meet; right what it becomes when pairs that are certain "
        "teach the others."
    )
    stages.at_best({"data": "uneven_blobs", "k_range": (15, 25)})
    knobs(scene)
    if stages.ensemble(scene) is None or method_menu.lacking(scene, "ec_cms"):
        return
    shown = PINS.beside(scene, mechanism, stacked=True)
    PINS.bar(scene)
    if not shown:
        return
    enhanced = panels.warmed(scene)
    details(enhanced)
    left, right = st.columns([1, 2], gap="large")
    with left:
        if not PINS.on(scene):
            _answer(enhanced)
        more_knobs(enhanced)
    with right:
        stopping(enhanced)
        entries(enhanced)


def enhancing(_: Scene) -> str:
    """The method whose matrix this is."""
    return "ec_cms"


PINS = Pins(enhancing, ("ablation",))


def mechanism(scene: Scene) -> np.ndarray | None:
    """The matrix before and after, and what became of it."""
    if scene.ensemble is None or method_menu.lacking(scene, "ec_cms"):
        return None
    scene = panels.warmed(scene)
    if scene.enhanced is None:
        return None
    panels.keep_warm(scene)
    film(scene)
    say(sentence_of(scene, "residuals"))
    if PINS.on(scene):
        _answer(scene)
    return scene.enhanced_labels


def _answer(scene: Scene) -> None:
    title, variant = consensus_methods()["ec_cms"].title, scene.config.ablation
    named = title if variant == "full" else f"{title} {panels.VARIANT_NAMES[variant]}"
    answer(scene, scene.enhanced_labels, named, "enhanced_answer")


LESSON = of_method(
    "ec_cms",
    try_this="lower α step by step: from where on do wrong pairs spread too?",
    words="A is the input, H the pairs that are certain, L the Laplacian of their graph; C is the enhanced matrix, "
    "E what it leaves out.",
)

#: Without classes.
UNKNOWN = replace(LESSON, try_this="lower α step by step: from where on do blocks run into one another?")


def lesson(scene: Scene) -> Lesson:
    """What to try with these data."""
    return UNKNOWN if scene.source_if_here is not None and scene.truth is None else LESSON


present(page, lesson)
