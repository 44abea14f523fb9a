"""Ensemble: who disagrees with whom?"""

import streamlit as st

from ui import ensemble as panels
from ui.ensemble import below_each_other, clusters, influence, missing, multiples, on_a_map, whom_to_keep
from ui.frame.shell import present
from ui.scene import Scene
from ui.widgets import stages
from ui.widgets.chart import sentence_of, show
from ui.widgets.terms import page_title, say
from ui.widgets.try_this import Lesson


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("Who disagrees with whom?")
    say("The base clusterings one by one: how alike they are, which clusters are confirmed, and which matter.")
    whole = scene.everything
    if stages.ensemble(whole) is None or whole.placed is None or whole.agreement is None:
        return
    if scene.ensemble is None:
        return
    alike = stages.inseparable(scene, "there is no consensus to find")
    if not alike:
        on_a_map(scene.config)
    multiples(scene)
    below_each_other(scene)
    left, right = st.columns(2, gap="large")
    with left:
        panels.table_of_switches(whole, scene.off)
        panels.none_left(scene)
        show(scene, "clusters_of_each", "ensemble_k")
    with right:
        show(whole, "agreement")
    left, right = st.columns(2, gap="large")
    with left:
        clusters(scene)
        panels.downloads(scene)
    with right:
        missing(scene)
        say(sentence_of(scene, "microclusters"))
        show(scene, "microclusters", "micro_sizes", title="")
        if not alike:
            influence(scene)
    if len(whole.ensemble.microclusters) > 1:
        whom_to_keep(whole)


LESSON = Lesson(
    "switch off the base clustering that agrees least with the others, and see whether the consensus moves.",
    r"\mathrm{ECI}(C) = e^{-H(C) / (<theta> \cdot <M>)}, \qquad "
    r"H(C) = -\sum_{m=1}^{<M>} \sum_{C' \in m} p(C' \mid C) \log_2 p(C' \mid C)",
    "The reliability of a cluster: H is how much the other base clusterings scatter its objects, in bits.",
)

present(page, LESSON)
