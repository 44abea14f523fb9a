"""Trajectories: do two walkers that start together travel alike?"""

import numpy as np
import streamlit as st

from ui.frame.shell import present
from ui.scene import Scene
from ui.walks.trajectory_panels import formula, knobs, longer, steps, walkers_answer
from ui.widgets import pins, stages
from ui.widgets.chart import sentence_of, show
from ui.widgets.terms import say
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    st.title("Do two walkers that start together travel alike?")
    say("A walker hops between microclusters along elite links, along heavy ones and to large ones more often.")
    if stages.ensemble(scene) is None or scene.placed is None or stages.inseparable(scene, "nobody can walk"):
        return
    left, right = st.columns([3, 1], gap="large")
    with right:
        knobs(scene)
    with left:
        shown = pins.beside(scene, mechanism, stacked=True)
        pins.bar(scene)
    if not shown:
        return
    with right:
        if not pins.on(scene):
            walkers_answer(scene, "walk_answer")
    formula(scene)
    steps(scene)
    longer(scene)


def mechanism(scene: Scene) -> np.ndarray | None:
    """The film of both walkers and what it comes to."""
    if scene.placed is None:
        return None
    found = stages.consensus(scene.walker)
    if scene.graph is None or found is None:
        return None
    show(scene, "walk", "walk_film", title="", height=445)
    st.markdown(sentence_of(scene, "walk"))
    if pins.on(scene):
        walkers_answer(scene, "walk_answer")
    return found.labels


LESSON = Lesson(
    "choose two objects of two classes, and raise T until their walkers can no longer be told apart.",
)

present(page, LESSON)
