"""Walks: which links carry the structure, and who walks alike?"""

import numpy as np
import streamlit as st

from ui.frame.shell import present
from ui.scene import Scene
from ui.walks import formula, graph, knobs, longer, node_table, steps, trust, walkers_answer, what_K_does
from ui.widgets import stages
from ui.widgets.chart import sentence_of, show
from ui.widgets.pins import Pins
from ui.widgets.terms import page_title, say
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("Which links carry the structure, and who walks alike?")
    say("Every dot is a microcluster. It keeps its heaviest links only, and along those a walker hops from dot to dot.")
    if stages.ensemble(scene) is None or scene.placed is None or stages.inseparable(scene, "there are no links"):
        return
    knobs(scene)
    shown = PINS.beside(scene, mechanism, stacked=True)
    PINS.bar(scene)
    if scene.graph is None or scene.ladder is None:
        return
    left, middle, right = st.columns([3, 4, 4], gap="large")
    with left:
        if shown and not PINS.on(scene):
            walkers_answer(scene)
    with middle:
        node_table(scene)
    with right:
        if shown:
            show(scene, "walk_cosine", "cosine")
    what_K_does(scene)
    trust(scene)
    if shown:
        formula(scene)
        steps(scene)
        longer(scene)


def walking(scene: Scene) -> str:
    """The method that walks here."""
    return scene.walker.config.method


PINS = Pins(walking, ("sample",))


def mechanism(scene: Scene) -> np.ndarray | None:
    """The graph and what K keeps, and beside it the film of the walkers; without a consensus yet, none colours it."""
    if any(one is None for one in (scene.placed, scene.graph, scene.ladder)):
        return None
    found = stages.consensus(scene.walker)
    left, right = st.columns([10, 12], gap="medium")
    with left:
        graph(scene if found else scene.with_given(walked=None))
        say(sentence_of(scene, "elite_graph"))
    if found is None:
        return None
    with right:
        show(scene, "walk", "walk_film", title="")
        say(sentence_of(scene, "walk"))
        if PINS.on(scene):
            walkers_answer(scene)
    return found.labels


LESSON = Lesson(
    "set K to 1, then raise it until everything hangs together: which link was the bridge, and who crosses it?",
    r"w_{ij} > 0 \text{ stays, if } w_{ij} \ge w_i^{(<K>)} \text{ or } w_{ij} \ge w_j^{(<K>)}",
    "Of w, the co-association between microclusters, each keeps its K heaviest links (and those that tie with the "
    "last); a link stays if either end keeps it.",
)

present(page, LESSON)
