"""Elite neighbours: which links carry the structure?"""

import numpy as np
import streamlit as st

from ui.frame.shell import present
from ui.scene import Scene
from ui.walks.elite_panels import graph, knobs, node_table, trust, what_K_does
from ui.walks.trajectory_panels import walkers_answer
from ui.widgets import pins, stages
from ui.widgets.chart import sentence_of
from ui.widgets.terms import say
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    st.title("Which links carry the structure?")
    say("Every dot is a microcluster, every line a link that survives: only the heaviest links of each dot stay.")
    if stages.ensemble(scene) is None or scene.placed is None or stages.inseparable(scene, "there are no links"):
        return
    left, right = st.columns([2, 1], gap="large")
    with right:
        knobs(scene)
    with left:
        answered = pins.beside(scene, mechanism)
        pins.bar(scene)
    if scene.graph is None or scene.ladder is None:
        return
    with right:
        if answered and not pins.on(scene):
            walkers_answer(scene, "elite_answer")
        node_table(scene)
    what_K_does(scene)
    trust(scene)


def mechanism(scene: Scene) -> np.ndarray | None:
    """The graph and what K keeps; without a consensus yet, none colours it."""
    if any(one is None for one in (scene.placed, scene.graph, scene.ladder)):
        return None
    found = stages.consensus(scene.walker)
    graph(scene if found else scene.with_given(walked=None))
    st.markdown(sentence_of(scene, "elite_graph"))
    if found is None:
        return None
    if pins.on(scene):
        walkers_answer(scene, "elite_answer")
    return found.labels


LESSON = Lesson(
    "set K to 1, then raise it until everything hangs together: which link was the bridge?",
    r"w_{ij} > 0 \text{ stays, if } w_{ij} \ge w_i^{(<K>)} \text{ or } w_{ij} \ge w_j^{(<K>)}",
    "Of w, the co-association between microclusters, each keeps its K heaviest links (and those that tie with the "
    "last); a link stays if either end keeps it.",
)

present(page, LESSON)
