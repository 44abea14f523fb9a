"""Ensemble: its base clusterings, how they agree, and which of them matter."""

import numpy as np
import streamlit as st

from engine import leave_one_out
from engine.evidence import cluster_uncertainty, clustering_agreement
from engine.metrics import align
from engine.partition import leaf_order, linkage
from ui import pipeline, selection, stages, switches
from ui.chart import chart
from ui.figures import bar_by_clustering, cluster_cloud, histogram, matrix_image, small_multiples
from ui.progress import settle
from ui.shell import present
from ui.state import change, config, theme
from ui.widgets import bound, three_digits

PER_PAGE = 12


def multiples(made, found) -> None:
    """Base clusterings as small multiples with aligned colours, a page at a time."""
    points, _, equal = found
    classes = pipeline.truth(config())
    pages = -(-made.n_clusterings // PER_PAGE)
    if config().panel > pages:
        change(panel=pages)
    if pages > 1:
        bound(st.segmented_control, "Page", "panel", options=range(1, pages + 1))
    number = config().panel
    shown = range((number - 1) * PER_PAGE, min(number * PER_PAGE, made.n_clusterings))
    reference = made.labels[:, 0] if classes is None else classes
    panels = [align(made.labels[:, m], reference) for m in shown]
    titles = [f"{m}: k = {made.n_clusters_each[m]}" + (" (off)" if m in config().off else "") for m in shown]
    chart(small_multiples(points, panels, titles, theme(), columns=6, equal=equal, panel_height=120), "ensemble_base")


def heatmap(agreement) -> None:
    """NMI between base clusterings, similar ones beside each other."""
    order = leaf_order(linkage(agreement)) if len(agreement) > 1 else np.zeros(1, int)
    st.markdown("**NMI between base clusterings** (max), similar ones beside each other")
    chart(matrix_image(agreement[np.ix_(order, order)], theme(), name="NMI (max)", height=420), "agreement")


def clusters(made) -> None:
    """Every cluster by size and reliability; a click picks its objects."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.markdown("**Which clusters do the others confirm?** Click one to pick its objects.", width="stretch")
        stops = sorted({0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 2.0, 4.0, config().eci})
        bound(st.select_slider, "θ (theta)", "eci", options=stops, width=220,
              help="Lower values punish uncertain clusters harder.")  # fmt: skip
    uncertainty = cluster_uncertainty(made)
    index = np.exp(-uncertainty / (config().eci * made.n_clusterings))
    owner = np.repeat(np.arange(made.n_clusterings), made.n_clusters_each)
    figure = cluster_cloud(made.cluster_sizes, uncertainty, index, owner, theme())
    figure.update_layout(dragmode=False, clickmode="event+select")
    chart(figure, "cluster_cloud", on_select=lambda: _take_cluster(made), selection_mode="points")
    st.caption(
        f"{len(index):,} clusters; reliability {three_digits(index.min())} to {three_digits(index.max())}, "
        f"median {three_digits(float(np.median(index)))} at θ = {config().eci:g}."
    )


def _take_cluster(made) -> None:
    points = st.session_state["cluster_cloud"].selection.points
    if points:
        cluster = int(np.atleast_1d(points[0]["customdata"])[0])
        members = np.flatnonzero((made.cluster_index == cluster).any(axis=1))
        m = int(np.searchsorted(made.offsets, cluster, side="right") - 1)
        selection.pick(members, f"cluster {cluster - made.offsets[m]} of base clustering {m}")


def groups(made) -> None:
    """Microclusters: how many, and how large."""
    sizes = made.microclusters.sizes
    st.markdown(
        f"**{len(sizes):,} microclusters** for {made.n_objects:,} objects: groups that no base clustering tells apart. "
        f"The largest has {sizes.max():,} objects, {int((sizes == 1).sum()):,} stand alone."
    )
    chart(histogram(sizes, theme(), x_name="objects in a microcluster", y_name="microclusters"), "micro_sizes")


def influence(made) -> None:
    """How far the consensus moves when each base clustering is left out, once asked for."""
    chosen = config()
    k = min(pipeline.wanted_k(chosen), len(made.microclusters))
    key = ("influence", pipeline.ensemble_key(chosen), chosen.method, chosen.method_params, k, chosen.seed)
    st.markdown("**Which base clustering does the consensus hang on?**")
    if made.n_clusterings < 2:
        st.caption("Needs at least two base clusterings.")
        return
    if pipeline.jobs().find(key) is None and made.n_objects > 1000:
        st.caption(f"Leaves out one base clustering after the other: {made.n_clusterings:,} runs of the method.")
        if not st.button("Measure", key="measure_influence", icon=":material/play_circle:"):
            return
    job = pipeline.start(key, lambda monitor: leave_one_out(
        chosen.method, made, k, chosen.method_params, chosen.seed, monitor), "influence")  # fmt: skip
    moved = settle(job, "Leaving out one after the other", "influence")
    if moved is None:
        return
    if not moved.any():
        st.caption(f"On none of them: leaving out any one of the {len(moved):,} changes nothing.")
    else:
        chart(bar_by_clustering(moved, theme(), y_name="1 - ARI"), "influence")
        changed = int((moved > 0).sum())
        st.caption(f"Leaving one out changes the consensus for {changed:,} of {len(moved):,} (0 = not at all).")


def page() -> None:
    """The page, top to bottom."""
    st.title("Who disagrees with whom?")
    st.markdown("The base clusterings one by one: how alike they are, which clusters are confirmed, and which matter.")
    everything = config().with_(off=())
    whole = stages.ensemble(everything)
    if whole is None:
        return
    found = stages.layout(whole)
    key = ("agreement", pipeline.ensemble_key(everything))
    job = pipeline.start(key, lambda monitor: clustering_agreement(whole, monitor=monitor), "agreement")
    agreement = settle(job, "Comparing base clusterings", "agreement")
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
    with right:
        groups(active)
        influence(active)


present(page)
