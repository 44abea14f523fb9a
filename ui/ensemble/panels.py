"""What the Ensemble page is made of."""

import numpy as np
import streamlit as st

from engine import leave_one_out
from engine.evidence import cluster_uncertainty
from engine.pairs.counts import pairs_seen
from engine.partition import leaf_order, linkage
from ui.compute import pipeline
from ui.compute.work import find, start
from ui.figures import bar_by_clustering, cluster_cloud, histogram, matrix_image, small_multiples
from ui.figures.numbering import carried, number
from ui.outside import html
from ui.parts import method_menu
from ui.parts.chart import chart
from ui.parts.colours import alike
from ui.parts.knobs import knob
from ui.parts.names import clustering_keys, clustering_names, clusterings_on_hover
from ui.parts.progress import settle
from ui.parts.widgets import bound
from ui.parts.words import three_digits
from ui.session import selection
from ui.session.state import change, config, theme

PER_PAGE = 12


def multiples(made, found) -> None:
    """Base clusterings as small multiples with aligned colours, a page at a time."""
    points, _, equal = found
    truth = pipeline.truth(config())
    pages = -(-made.n_clusterings // PER_PAGE)
    if config().panel > pages:
        change(panel=pages)
    if pages > 1:
        bound(st.segmented_control, "Page", "panel", options=range(1, pages + 1))
    last = config().panel * PER_PAGE
    shown = range(last - PER_PAGE, min(last, made.n_clusterings))
    reference = made.labels[:, 0] if truth is None else truth
    panels = [made.labels[:, m] for m in shown]
    colors = [alike(labels, reference) for labels in panels]
    names, off = clustering_keys(made, config().with_(switched_off=())), config().switched_off
    titles = [f"{html(names[m])}: k = {made.n_clusters_each[m]}" + (" (off)" if m in off else "") for m in shown]
    options = {"colors": colors, "columns": 6, "equal": equal, "panel_height": 120}
    options["selected"] = selection.mask(len(points))
    chart(small_multiples(points, panels, titles, theme(), **options), "ensemble_base")


def heatmap(agreement) -> None:
    """NMI between base clusterings, similar ones beside each other."""
    order = leaf_order(linkage(agreement)) if len(agreement) > 1 else np.zeros(1, int)
    st.markdown("**NMI between base clusterings** (max), similar ones beside each other")
    chart(matrix_image(agreement[np.ix_(order, order)], theme(), name="NMI (max)", height=420), "agreement")


def clusters(made) -> None:
    """Every cluster by size and reliability; a click picks its objects."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.markdown("**Which clusters do the others confirm?** Click one to pick its objects.", width="stretch")
        knob("theta", width=220)
    uncertainty = cluster_uncertainty(made)
    index = np.exp(-uncertainty / (config().theta * made.n_clusterings))
    owner = np.repeat([html(key) for key in clustering_keys(made)], made.n_clusters_each)
    figure = cluster_cloud(made.cluster_sizes, uncertainty, index, owner, theme())
    figure.update_layout(dragmode=False, clickmode="event+select")
    chart(figure, "cluster_cloud", on_select=lambda: _take_cluster(made), selection_mode="points")
    st.caption(
        f"{len(index):,} clusters; reliability {three_digits(index.min())} to {three_digits(index.max())}, "
        f"median {three_digits(float(np.median(index)))} at θ = {config().theta:g}."
    )


def _take_cluster(made) -> None:
    points = st.session_state["cluster_cloud"].selection.points
    if points:
        cluster = carried(points[0])[0]
        members = np.flatnonzero((made.cluster_index == cluster).any(axis=1))
        m = int(np.searchsorted(made.offsets, cluster, side="right") - 1)
        selection.pick(members, f"cluster {number(cluster - made.offsets[m])} of {clustering_names(made)[m]}")


def missing(made) -> None:
    """How many labels are missing, where, and how many pairs were never seen together."""
    if made.complete:
        method_menu.completion(made)
        return
    unseen = made.labels < 0
    st.markdown(
        f"**{made.n_missing:,} labels are missing** ({made.n_missing / unseen.size:.0%}): "
        f"{int(unseen.any(axis=1).sum()):,} of {made.n_objects:,} objects lack one or more, at most "
        f"{int(unseen.sum(axis=1).max()):,} of {made.n_clusterings:,}. A missing label is no cluster."
    )
    figure = bar_by_clustering(unseen.mean(axis=0), theme(), y_name="share of labels missing")
    chart(clusterings_on_hover(figure, clustering_names(made)), "missing_labels")
    strangers = settle(start(pairs_seen, made), "Counting pairs never seen together", "pairs_seen")
    if strangers is not None:
        never, pairs = strangers
        said = f"{never:,} of {pairs:,} pairs were never seen together: their co-association is taken to be 0."
        st.caption(said if never else "Every two objects were seen together by some base clustering.")


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
    inputs = chosen.method, made, k, chosen.method_params, chosen.seed
    st.markdown("**Which base clustering does the consensus hang on?**")
    if made.n_clusterings < 2:
        st.caption("Needs at least two base clusterings.")
        return
    if method_menu.lacking(made):
        return
    if find(leave_one_out, *inputs) is None and made.n_objects > 1000:
        st.caption(f"Leaves out one base clustering after the other: {made.n_clusterings:,} runs of the method.")
        if not st.button("Measure", key="measure_influence", icon=":material/play_circle:"):
            return
    moved = settle(start(leave_one_out, *inputs), "Leaving out one after the other", "influence")
    if moved is None:
        return
    if not moved.any():
        st.caption(f"On none of them: leaving out any one of the {len(moved):,} changes nothing.")
    else:
        figure = bar_by_clustering(moved, theme(), y_name="1 - ARI")
        chart(clusterings_on_hover(figure, clustering_names(made)), "influence")
        changed = int((moved > 0).sum())
        st.caption(f"Leaving one out changes the consensus for {changed:,} of {len(moved):,} (0 = not at all).")
