"""Subspaces: which features hold a cluster together?"""

import numpy as np
import streamlit as st

from data import Pool
from ui import subspaces as panels
from ui.frame.shell import present
from ui.scene import Scene
from ui.session.state import change
from ui.subspaces import formula, inside, knobs, stories
from ui.widgets.chart import sentence_of, show
from ui.widgets.pins import Pins
from ui.widgets.terms import inform, page_title, say
from ui.widgets.try_this import Lesson

#: A run of LAC answers, not a consensus of any.
PINS = Pins(also=("data", "scaling", "seed", "labelled", "lac_inverse_h", "lac_k"), alone=True)


def page(scene: Scene) -> None:
    """The page, top to bottom."""
    page_title("Which features hold a cluster together?")
    say("LAC lets every cluster weigh the features by how closely its objects keep together along each.")
    stories(scene)
    if not scene.has_features:
        what = "a pool has labels only" if isinstance(scene.source, Pool) else "this graph has edges only"
        inform(f"This page needs features; {what}. Choose a data set, or a story above.")
        return
    if scene.source.n_features < 2:
        inform("With a single feature there is nothing to weigh.")
        return
    if scene.weighed is None:
        return
    scene = scene.with_given(feature_pair=scene.feature_pair)  # also where another setting is pinned
    knobs(scene)
    shown = PINS.beside(scene, mechanism, stacked=True)
    PINS.bar(scene)
    if not shown:
        return
    inside(scene)
    formula(scene)
    panels.error_over_h(scene)
    if scene.config.generator != "lac":
        st.button("Use LAC's clusterings on every page", key="adopt_lac", on_click=change, kwargs={"generator": "lac"})


def mechanism(scene: Scene) -> np.ndarray | None:
    """Objects along two features with the metric of each cluster, and the weights."""
    if scene.subspaces is None:
        return None
    height = None if PINS.on(scene) else "stretch"
    with st.container(key=f"metrics{scene.mark}"):
        columns = st.columns([3, 2], gap="large")
    for name, column in zip(("ellipses", "weights"), columns, strict=True):
        with column:
            show(scene, name, height=height)
    say(sentence_of(scene, "weights"))
    return scene.subspaces.labels


LESSON = Lesson(
    "raise 1/h until every cluster looks at a single feature.",
)

#: Where there is nothing to weigh.
STORIES = Lesson("open a story above, and raise 1/h until every cluster looks at a single feature.")


def lesson(scene: Scene) -> Lesson:
    """What to try with these data."""
    return LESSON if scene.has_features and scene.source.n_features > 1 else STORIES


present(page, lesson)
