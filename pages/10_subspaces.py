"""Subspaces: which features hold a cluster together?"""

from functools import partial
from typing import NamedTuple

import streamlit as st

from data import Pool
from engine.generators import LACResult
from ui.compute import pipeline
from ui.figures import ellipse_figure, weight_figure
from ui.frame.shell import present
from ui.parts import pins
from ui.parts.answer import Answer
from ui.parts.chart import chart
from ui.parts.progress import settle
from ui.parts.terms import say
from ui.parts.try_this import Lesson
from ui.session.state import change, config, theme
from ui.subspaces import error_panel, views
from ui.subspaces.panels import formula, inside, knobs, sentence, stories

#: What decides on this page alone.
OWN = ("lac_inverse_h", "lac_k")


class Shown(NamedTuple):
    """A run of LAC, what is seen of it, and the partition."""

    found: LACResult
    seen: views.Seen
    result: Answer


def page() -> None:
    """The page, top to bottom."""
    st.title("Which features hold a cluster together?")
    say("LAC lets every cluster weigh the features by how closely its objects keep together along each.")
    stories()
    source = pipeline.dataset(config())
    if isinstance(source, Pool):
        st.info("This page needs features; a pool has labels only. Choose a data set, or a story above.")
        return
    if source.n_features < 2:
        st.info("With a single feature there is nothing to weigh.")
        return
    names = source.columns
    present_run = settle(views.run(config()), "Weighing features", "lac")
    if present_run is None:
        return
    truth = pipeline.truth(config())
    pair = views.axes(config(), views.seen(present_run, truth).weights)
    knobs(names, pair)
    shown = pins.beside(partial(mechanism, pair), stacked=True, also=OWN)
    pins.bar(OWN)
    if shown is None:
        return
    inside(shown.found, shown.seen, truth)
    formula(shown.seen, names)
    error_panel.panel(truth)
    if config().generator != "lac":
        st.button("Use LAC's clusterings on every page", key="adopt_lac", on_click=change, kwargs={"generator": "lac"})


def mechanism(pair: tuple[int, int]) -> Shown | None:
    """Objects along two features with the metric of each cluster, and the weights, under the settings looked at."""
    found = settle(views.run(config()), "Weighing features", "lac")
    if found is None:
        return None
    truth, names = pipeline.truth(config()), pipeline.dataset(config()).columns
    seen = views.seen(found, truth)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("**Objects, and the metric of each cluster** (an ellipse holds half of its objects)")
        ellipses(seen, pipeline.features(config()), names, truth, pair)
    with right:
        st.markdown("**Weights of the features** (dotted: all alike)")
        chart(weight_figure(seen.weights, seen.names, names, theme()), "weights")
    sentence(found, seen, names, truth)
    return Shown(found, seen, Answer(seen.labels, "lac"))


def ellipses(seen: views.Seen, points, names, truth, pair: tuple[int, int]) -> None:
    """The objects along two features."""
    both = list(pair)
    figure = ellipse_figure(
        points[:, both],
        seen.labels,
        seen.names,
        seen.centroids[:, both],
        seen.weights[:, both],
        theme(),
        truth=truth,
        axis_names=[names[f] for f in pair],
    )
    chart(figure, "ellipses")


LESSON = Lesson(
    "raise 1/h until every cluster looks at a single feature.",
)

present(page, LESSON)
