"""The walkers of the page Walks: what their walks come to, step by step and beyond."""

import numpy as np
import streamlit as st

from engine import consensus_methods
from engine.evidence import transition_matrix
from ui.figures.numbering import number
from ui.scene import Scene
from ui.scene.walks import LIVE
from ui.widgets.chart import show
from ui.widgets.dots import answer
from ui.widgets.terms import note, say


def walkers_answer(scene: Scene) -> None:
    """What the walks come to under a method that compares them."""
    found = scene.walked
    answer(scene, found.labels, consensus_methods()[found.method].title, "walk_answer")


def formula(scene: Scene) -> None:
    """The definitions with this pair's numbers filled in."""
    graph, sizes, (a, b) = scene.graph, scene.ensemble.microclusters.sizes, scene.walk_starts
    transitions = transition_matrix(graph, sizes)
    row = slice(transitions.indptr[a], transitions.indptr[a + 1])
    with st.expander("The formula, with your numbers"):
        st.latex(
            r"p_{ij} = \frac{r_j\, w_{ij}}{\sum_k r_k\, w_{ik}}, \qquad "
            r"\mathrm{PTS}_{ij} = \frac{\sum_{t} \langle P^t_i, P^t_j\rangle}"
            r"{\sqrt{\sum_t \|P^t_i\|^2 \sum_t \|P^t_j\|^2}}"
        )
        if row.stop == row.start:
            say(f"Microcluster {number(a)} has no links: its walker goes nowhere.")
            return
        best = row.start + int(np.argmax(transitions.data[row]))
        j, p = int(transitions.indices[best]), float(transitions.data[best])
        weight, total = float(graph[a, j]), float((graph[[a], :] @ sizes)[0])
        st.latex(
            rf"p_{{{number(a)},{number(j)}}} = \frac{{{sizes[j]} \cdot {weight:.3f}}}{{{total:.3f}}} = {p:.3f}, \qquad "
            rf"\mathrm{{PTS}}_{{{number(a)},{number(b)}}} = {scene.walks.cosines[-1]:.4f}"
        )


def steps(scene: Scene) -> None:
    """Both walkers step by step: where they were."""
    show(scene, "walk_places", "walk_heatmaps")


def longer(scene: Scene) -> None:
    """PTS against T, scrubbed in the browser; and what happens as T grows past mixing."""
    if len(scene.ensemble.microclusters) > LIVE:
        note(f"Matrices for every T are shown up to {LIVE:,} microclusters.")
        return
    left, right = st.columns(2, gap="large")
    if scene.similarity_images is None:
        return  # one after the other: each holds matrices of all microclusters
    with left:
        show(scene, "pts_film")
    if scene.cluster_mixing is None:
        return
    with right:
        show(scene, "cluster_mixing", "mixing")
        note(
            "In a connected part of the graph every walker ends in the same mixture of places, whatever its start: "
            "past that point more steps only make everything alike. Short walks tell clusters apart."
        )
