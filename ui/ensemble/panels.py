"""What the Ensemble page is made of."""

import numpy as np
import streamlit as st

from engine import Ensemble
from ui.figures.numbering import carried, number
from ui.pictures.objects import PER_PAGE
from ui.scene import Scene
from ui.session import selection
from ui.session.bound import bound
from ui.session.state import change
from ui.widgets import method_menu
from ui.widgets.chart import heading, sentence_of, show
from ui.widgets.knobs import knob
from ui.widgets.page_scene import job_of
from ui.widgets.terms import note, say

#: With more of either, running the method once for every base clustering is asked for: it would keep everybody waiting.
_FEW_OBJECTS, _FEW_CLUSTERINGS = 1_000, 100


def multiples(scene: Scene) -> None:
    """Base clusterings as small multiples with aligned colours, a page at a time."""
    pages = -(-scene.n_clusterings // PER_PAGE)
    if scene.config.panel > pages:
        change(panel=pages)
        st.rerun()
    if pages > 1:
        bound(st.segmented_control, "Page", "panel", options=range(1, pages + 1))
    show(scene, "base_by_page", "ensemble_base", title="")


def clusters(scene: Scene) -> None:
    """Every cluster by size and reliability; a click picks its objects."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        say("**Which clusters do the others confirm?** Click one to pick its objects.", width="stretch")
        knob(scene, "theta", width=220)
    made, names = scene.ensemble, scene.clustering_names
    take = {"on_select": lambda: _take_cluster(made, names), "drag": False}
    show(scene, "cluster_reliability", "cluster_cloud", title="", **take)
    note(sentence_of(scene, "cluster_reliability"))


def _take_cluster(made: Ensemble, names: list[str]) -> None:
    points = st.session_state["cluster_cloud"].selection.points
    if points:
        cluster = carried(points[0])[0]
        members = np.flatnonzero((made.cluster_index == cluster).any(axis=1))
        m = int(np.searchsorted(made.offsets, cluster, side="right") - 1)
        selection.pick(members, f"cluster {number(cluster - made.offsets[m])} of {names[m]}")


def missing(scene: Scene) -> None:
    """How many labels are missing, where, and how many pairs were never seen together."""
    made = scene.ensemble
    if made.complete:
        method_menu.completion(scene)
        return
    unseen = made.labels < 0
    say(
        f"**{made.n_missing:,} labels are missing** ({made.n_missing / unseen.size:.0%}): "
        f"{int(unseen.any(axis=1).sum()):,} of {made.n_objects:,} objects lack one or more, at most "
        f"{int(unseen.sum(axis=1).max()):,} of {made.n_clusterings:,}. A missing label is no cluster."
    )
    show(scene, "missing_labels", title="")
    if scene.strangers is not None:
        never, pairs = scene.strangers
        said = f"{never:,} of {pairs:,} pairs were never seen together: their co-association is taken to be 0."
        note(said if never else "Every two objects were seen together by some base clustering.")


def influence(scene: Scene) -> None:
    """How far the consensus moves when each base clustering is left out, once asked for."""
    made = scene.ensemble
    heading("Which base clustering does the consensus hang on?")
    if made.n_clusterings < 2:
        note("Needs at least two base clusterings.")
        return
    if method_menu.lacking(scene):
        return
    if (made.n_objects > _FEW_OBJECTS or made.n_clusterings > _FEW_CLUSTERINGS) and job_of(scene, "influence") is None:
        note(f"Leaves out one base clustering after the other: {made.n_clusterings:,} runs of the method.")
        if not st.button("Measure", key="measure_influence", icon=":material/play_circle:"):
            return
    if scene.influence is None:
        return
    show(scene, "influence", title="")
    note(sentence_of(scene, "influence"))
