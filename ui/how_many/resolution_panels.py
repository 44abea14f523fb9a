"""Which resolution: for ensembles of communities."""

import streamlit as st

from ui.figures.numbering import carried
from ui.scene import Scene
from ui.session.state import change
from ui.widgets.chart import heading, sentence_of, show
from ui.widgets.page_scene import begin, job_of
from ui.widgets.terms import note, say, subtitle


def which_resolution(scene: Scene) -> None:
    """The curve over resolutions with its null, the tree over them, and who keeps their company."""
    if scene.ensemble.graph is None:
        return
    subtitle("Which resolution?")
    if job_of(scene, "resolution_runs") is None:
        note("Runs Leiden 15 times at each of nine resolutions, on this graph and on one by chance.")
        st.button(
            "Try resolutions",
            key="begin_resolution_runs",
            icon=":material/play_circle:",
            on_click=begin,
            args=(scene, "resolution_runs"),
        )
    else:
        _curve(scene)
    if show(scene, "consistency", height=380):
        note(sentence_of(scene, "consistency"))


def _curve(scene: Scene) -> None:
    left, right = st.columns(2, gap="large")
    with left:
        key = f"resolutions_at_{scene.config.leiden_resolution}"
        if show(scene, "resolution_curve", key, drag=False, on_select=lambda: _take(scene, key)):
            say(sentence_of(scene, "resolution_curve"))
            note("Click a dot, and all base clusterings are made at its resolution: their consensus is on every page.")
    with right:
        if scene.tree_of_resolutions is not None:
            show(scene, "resolution_tree", height=420)
        elif scene.resolution_runs is not None:
            heading("A tree over resolutions needs two of at most 30 clusters.")


def _take(scene: Scene, key: str) -> None:
    """Make all base clusterings at the resolution of the dot that was clicked."""
    places = [place for one in st.session_state[key].selection.points if "customdata" in one for place in carried(one)]
    if places and scene.resolution_runs is not None:
        chosen = float(f"{scene.resolution_runs.own.resolutions[places[0]]:.4g}")
        change(generator="leiden", leiden_resolution=(chosen, chosen))
