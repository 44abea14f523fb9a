"""Growing trees: how does confidence spread?"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import streamlit as st

from engine import Ensemble
from engine.partition import Growth
from ui.compute.work import start
from ui.frame.shell import present
from ui.growth import views
from ui.growth.panels import decision, distances, film, instead, knobs, margins, sentence
from ui.parts import pins, stages
from ui.parts.answer import Answer, answer
from ui.parts.progress import settle
from ui.parts.terms import say
from ui.parts.try_this import Lesson, of_method
from ui.session.state import config


class Shown(NamedTuple):
    """Ensemble, what trees grow on, where they root, how they grew, and the answer."""

    made: Ensemble
    ground: views.Ground
    roots: np.ndarray
    grown: Growth
    result: Answer


def page() -> None:
    """The page, top to bottom."""
    st.title("How does confidence spread?")
    say("A few representative objects take root; in every round, those who belong most clearly join a tree.")
    made = stages.ensemble()
    placed = stages.layout(made)
    if not placed or stages.inseparable(made, "nothing can grow"):
        return
    left, right = st.columns([2, 1], gap="large")
    with right:
        knobs(len(made.microclusters))
    with left:
        shown = pins.beside(mechanism)
        pins.bar()
    if shown is None:
        return
    made, ground, roots, grown, result = shown
    with right:
        if not pins.on():
            answer(result, placed, "grown_answer")
    left, right = st.columns([2, 3], gap="large")
    with left:
        decision(ground, roots)
    with right:
        margins(grown)
    distances(made, ground, grown, roots)
    instead(made, ground, grown, roots, *placed)


def mechanism() -> Shown | None:
    """The film of the trees and what it comes to, under the settings that are looked at."""
    made = stages.ensemble()
    placed = stages.layout(made)
    if not placed:
        return None
    ground = settle(start(views.ground, made), "Measuring distances", "ground")
    if ground is None:
        return None
    roots = views.prototypes(config(), made, ground)
    grown = settle(start(views.growth, ground, made.microclusters.sizes, roots), "Growing trees", "growth")
    if grown is None:
        return None
    film(made, grown, placed)
    sentence(made, grown, roots)
    result = Answer(made.microclusters.expand(grown.tree), "the forest")
    if pins.on():
        answer(result, placed, "grown_answer")
    return Shown(made, ground, roots, grown, result)


def lesson() -> Lesson:
    """That of the method the page is about."""
    return replace(
        of_method("got"),
        try_this="draw a loop around two dots of one group in the decision graph, and see where the trees meet.",
        words="a is the co-association, d = 1 - a the distance; whoever is dense (ρ) and far from anybody denser (δ) "
        "stands for a group.",
    )


present(page, lesson)
