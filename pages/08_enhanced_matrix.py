"""Enhanced matrix: what can the matrix teach itself?"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import streamlit as st

from engine import Ensemble, Params
from ui.compute.work import start
from ui.enhanced import views
from ui.enhanced.panels import before_and_after, details, film, knobs, more_knobs, sentence, stopping, trust
from ui.frame.shell import present
from ui.matrices.views import params_of
from ui.parts import pins, stages
from ui.parts.answer import Answer, answer
from ui.parts.progress import settle
from ui.parts.terms import say
from ui.parts.try_this import Lesson, of_method
from ui.session.state import config


class Shown(NamedTuple):
    """Ensemble, input, what it became, the order of the objects, the parameters, and the answer."""

    made: Ensemble
    given: views.Inputs
    found: views.Enhanced
    order: np.ndarray
    params: Params
    result: Answer


def page() -> None:
    """The page, top to bottom."""
    st.title("What can the matrix teach itself?")
    say("Pairs that nearly all clusterings keep together are certain; along them, knowledge spreads.")
    left, right = st.columns([3, 1], gap="large")
    with right:
        knobs()
    with left:
        shown = pins.beside(mechanism, stacked=True)
        pins.bar()
    if shown is None:
        return
    with right:
        placed = stages.layout(shown.made)
        if placed and not pins.on():
            answer(shown.result, placed, "enhanced_answer")
        more_knobs()
    details(shown.made, shown.given, shown.found, shown.order, shown.params.alpha)
    left, right = st.columns(2, gap="large")
    with left:
        trust(shown.made, shown.given, shown.found)
        film(shown.found)
    with right:
        stopping(shown.found, shown.params)


def mechanism() -> Shown | None:
    """The matrix before and after, and what became of it, under the settings that are looked at."""
    made = stages.ensemble()
    if made is None:
        return None
    chosen, params = config(), config().params_of("ec_cms")
    job = start(views.inputs, made, params.evidence, params_of(chosen, params.evidence))
    given = settle(job, "Counting how often objects meet", "enhance_in")
    if given is None:
        return None
    order = views.object_order(chosen, made, given)
    found = settle(views.enhanced(chosen, made, given, order), "Enhancing the matrix", "enhanced")
    if found is None:
        return None
    before_and_after(made, given, found, order)
    result = Answer(views.labels(made, found.tree, views.clusters(chosen, made)), "ec_cms")
    sentence(made, given, found, params, result)
    if pins.on() and (placed := stages.layout(made)):
        answer(result, placed, "enhanced_answer")
    return Shown(made, given, found, order, params, result)


def lesson() -> Lesson:
    """That of the method the page is about."""
    return replace(
        of_method("ec_cms"),
        try_this="lower α step by step: from where on do wrong pairs spread too?",
        words="A is the input, H the pairs that are certain, L the Laplacian of their graph; C is the enhanced matrix, "
        "E what it leaves out.",
    )


present(page, lesson)
