"""Ensemble: who disagrees with whom?"""

import streamlit as st

from engine.evidence import clustering_agreement
from ui.compute import pipeline
from ui.compute.work import start
from ui.ensemble import downloads, switches
from ui.ensemble.panels import clusters, groups, heatmap, influence, missing, multiples
from ui.figures import histogram
from ui.frame.shell import present
from ui.parts import stages
from ui.parts.chart import chart
from ui.parts.progress import settle
from ui.parts.terms import say
from ui.parts.try_this import Lesson
from ui.session.state import config, theme


def page() -> None:
    """The page, top to bottom."""
    st.title("Who disagrees with whom?")
    say("The base clusterings one by one: how alike they are, which clusters are confirmed, and which matter.")
    everything = config().with_(switched_off=())
    whole = stages.ensemble(everything)
    if whole is None:
        return
    found = stages.layout(whole)
    agreement = settle(start(clustering_agreement, whole), "Comparing base clusterings", "agreement")
    if found is None or agreement is None:
        return
    multiples(whole, found)
    left, right = st.columns(2, gap="large")
    with left:
        switches.table(whole, agreement)
        st.markdown("**How many clusters have they?**")
        chart(histogram(whole.n_clusters_each, theme(), x_name="clusters k"), "ensemble_k")
    with right:
        heatmap(agreement)
    active = settle(pipeline.ensemble(config()), "Switching off", "active")
    if active is None:
        return
    left, right = st.columns(2, gap="large")
    with left:
        clusters(active)
        downloads.offer(config(), active)
    with right:
        missing(active)
        groups(active)
        influence(active)


LESSON = Lesson(
    "switch off the base clustering that agrees least with the others, and see whether the consensus moves.",
    r"\mathrm{ECI}(C) = e^{-H(C) / (<theta> \cdot <M>)}, \qquad "
    r"H(C) = -\sum_{m=1}^{<M>} \sum_{C' \in m} p(C' \mid C) \log_2 p(C' \mid C)",
    "The reliability of a cluster: H is how much the other base clusterings scatter its objects, in bits.",
)

present(page, LESSON)
