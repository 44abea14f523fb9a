"""Subspaces: which features hold a cluster together?"""

import streamlit as st

from data import Pool
from ui.compute import pipeline
from ui.figures import ellipse_figure, weight_figure
from ui.frame.shell import present
from ui.parts.chart import chart
from ui.parts.progress import settle
from ui.parts.terms import say
from ui.parts.try_this import Lesson
from ui.session.state import change, config, theme
from ui.subspaces import error_panel, views
from ui.subspaces.panels import formula, inside, knobs, sentence, stories


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
    found = settle(views.run(config()), "Weighing features", "lac")
    if found is None:
        return
    truth, names = pipeline.truth(config()), source.feature_names
    seen, points = views.seen(found, truth), pipeline.features(config())
    pair = views.axes(config(), seen.weights)
    knobs(names, pair)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.markdown("**Objects, and the metric of each cluster** (an ellipse holds half of its objects)")
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
    with right:
        st.markdown("**Weights of the features** (dotted: all alike)")
        chart(weight_figure(seen.weights, seen.names, names, theme()), "weights")
    sentence(found, seen, names, truth)
    inside(found, seen, truth)
    formula(seen, names)
    error_panel.panel(truth)
    if config().generator != "lac":
        st.button("Use LAC's clusterings on every page", key="adopt_lac", on_click=change, kwargs={"generator": "lac"})


LESSON = Lesson(
    "raise 1/h until every cluster looks at a single feature.",
)

present(page, LESSON)
