"""Trajectories: do two walkers that start together travel alike?"""

from typing import NamedTuple

import numpy as np
import streamlit as st
from scipy.sparse import csr_array

from engine import Consensus, Ensemble
from ui.figures import line_figure, walk_film, walk_heatmaps
from ui.frame.shell import present
from ui.parts import pins, stages
from ui.parts.answer import answer
from ui.parts.chart import chart
from ui.parts.progress import settle
from ui.parts.terms import say
from ui.parts.try_this import Lesson
from ui.session.selection import holding
from ui.session.state import config, theme
from ui.walks import views as walk_views
from ui.walks.trajectory_panels import formula, knobs, longer, order_of, sentence
from ui.why import panel as why


class Shown(NamedTuple):
    """Ensemble, graph, both walks, their cosines, the starts, and the consensus."""

    made: Ensemble
    graph: csr_array
    both: list[np.ndarray]
    cosines: np.ndarray
    starts: tuple[int, int]
    result: Consensus


def page() -> None:
    """The page, top to bottom."""
    st.title("Do two walkers that start together travel alike?")
    say("A walker hops between microclusters along elite links, along heavy ones and to large ones more often.")
    made = stages.ensemble()
    found = stages.layout(made)
    if not found or stages.inseparable(made, "nobody can walk"):
        return
    left, right = st.columns([3, 1], gap="large")
    with right:
        knobs(made)
    with left:
        shown = pins.beside(mechanism, stacked=True)
        pins.bar()
    if shown is None:
        return
    with right:
        if not pins.on():
            answer(shown.result, found, "walk_answer")
    more(shown)


def mechanism() -> Shown | None:
    """The film of both walkers and what it comes to, under the settings that are looked at."""
    made = stages.ensemble()
    found = stages.layout(made)
    if not found:
        return None
    K, T = walk_views.settings(config(), len(made.microclusters))
    result = stages.consensus(made, chosen=walk_views.walker(config(), made))
    graph = settle(walk_views.elite_graph(made, K), "Choosing elite neighbours", "elite")
    if result is None or graph is None:
        return None
    points, _, equal = found
    starts, sizes = walk_views.starts(made, why.pair(made)), made.microclusters.sizes
    both, cosines = walk_views.walks(graph, sizes, starts, T)
    places = walk_views.node_positions(points, made)
    options = {"equal": equal, "height": 300, "picked": holding(made.microclusters.assignment)}
    chart(walk_film(places, sizes, *walk_views.links(graph), both, starts, cosines, theme(), **options), "walk_film")
    sentence(starts, cosines)
    if pins.on():
        answer(result, found, "walk_answer")
    return Shown(made, graph, both, cosines, starts, result)


def more(shown: Shown) -> None:
    """What stands below the fold: the formula, step by step, and longer walks."""
    made, graph, both, cosines, starts, result = shown
    T = len(cosines)
    formula(graph, made, starts, cosines)
    groups = walk_views.majority(result.labels, made)
    order = order_of(result, made, groups)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Where they were at each step**")
        chart(walk_heatmaps(both, order, theme()), "walk_heatmaps")
    with right:
        st.markdown("**How alike their ways are so far**")
        lines = {"cosine": cosines}
        chart(line_figure(np.arange(1, T + 1), lines, theme(), x_name="step t", y_name="cosine so far"), "cosine")
    longer(made, graph, T, result.labels, order)


LESSON = Lesson(
    "choose two objects of two classes, and raise T until their walkers can no longer be told apart.",
)

present(page, LESSON)
