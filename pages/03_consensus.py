"""Consensus: choose a method, move its knobs, and follow it to labels one can take away."""

import numpy as np
import streamlit as st

from engine import consensus_methods
from engine.partition import leaves_below, tied_at_cut
from ui import downloads, method_menu, pipeline, stages, verdicts
from ui.chart import chart
from ui.colours import stable
from ui.figures import dendrogram_figure, scatter
from ui.progress import settle
from ui.run_config import MEASURES
from ui.selection import mask, pick, picking_chart
from ui.shell import present
from ui.state import change, config, theme
from ui.widgets import bound, duration, param_widgets, show, three_digits

PICTURE = 400


def knobs() -> None:
    """Method, k, and the method's own parameters, made from its description."""
    method_menu.choose()
    method_menu.about()
    show("k_input", pipeline.wanted_k(config()))
    st.number_input("Clusters k", min_value=1, step=1, key="k_input", on_change=_store_k,
                    help="How many clusters the consensus has; at most the number of microclusters.")  # fmt: skip
    chosen = config()
    param_widgets(consensus_methods()[chosen.method].params.specs(), chosen.method_params.as_dict())
    if pipeline.truth(chosen) is not None:
        bound(st.selectbox, "Score shown", "measure", options=list(MEASURES), format_func=MEASURES.get)


def _store_k() -> None:
    change(k=st.session_state.k_input)


def remarks(made, result) -> None:
    """What a reader should know about this ensemble and this answer."""
    if made.n_clusterings == 1:
        st.info("There is one base clustering: a consensus can only repeat or coarsen it.")
    elif len(made.microclusters) == made.n_clusters_each.max() == made.n_clusters_each.min():
        st.info("All base clusterings are equal: there is nothing to settle.")
    if result.trace.get("repaired"):
        st.caption(f"{result.trace['repaired']} of the clusters had to be split off to reach k = {result.n_clusters}.")
    if kept := result.trace.get("neighbours_kept"):
        st.caption(f"The graph keeps the {kept:,} strongest neighbours of every object; all pairs would be too many.")
    if "dendrogram" in result.trace and tied_at_cut(result.trace["dendrogram"], result.n_clusters):
        st.caption("The cut falls on a tie: other partitions into as many clusters agree with the ensemble as well.")


def picture(found, labels, classes) -> None:
    """Truth and consensus side by side, in the same colours."""
    points, axes, equal = found
    options = {"axis_names": axes, "equal": equal, "height": PICTURE, "selected": mask(len(points))}
    left, right = st.columns(2, gap="medium") if classes is not None else (None, st.container())
    if classes is not None:
        with left:
            st.markdown("**The truth**")
            picking_chart(scatter(points, classes, theme(), **options), "consensus_truth", "the truth")
    with right:
        st.markdown("**The consensus**" + (" (ringed where it differs)" if classes is not None else ""))
        picking_chart(scatter(points, labels, theme(), truth=classes, **options), "consensus_labels", "the consensus")


def sentence(made, result, classes) -> None:
    """What just happened, with the live numbers."""
    title = consensus_methods()[result.method].title
    words = f"{title} joins {len(made.microclusters):,} microclusters into **{result.n_clusters:,} clusters** "
    words += f"in {duration(result.seconds)}."
    if classes is not None:
        chosen = config()
        score = pipeline.score(result.labels, classes, chosen.measure)
        base = pipeline.base_scores(pipeline.ensemble_key(chosen), chosen.measure, made, classes)
        words += (
            f" It scores **{three_digits(score)}** ({MEASURES[chosen.measure]}); the best of {len(base):,} base "
            f"clusterings {three_digits(base.max())}, their mean {three_digits(base.mean())} "
            f"(sd {three_digits(float(base.std()))})."
        )
    st.markdown(words)


def tree(result, labels) -> None:
    """The top of the dendrogram with its cut."""
    made = result.trace["dendrogram"]
    st.markdown("**How they were joined** (the last 60 merges, coloured below the cut; click a dot to pick its branch)")
    figure = dendrogram_figure(
        made.merges, made.similarities, made.sizes, result.n_clusters, theme(),
        cluster_of_leaf=labels[result.microclusters.representatives],
    )  # fmt: skip
    figure.update_layout(dragmode=False, clickmode="event+select")
    chart(figure, "dendrogram", on_select=lambda: _take_branch(result), selection_mode="points")


def _take_branch(result) -> None:
    """Pick the objects of the branch or tip that was clicked."""
    points = st.session_state["dendrogram"].selection.points
    if points:
        leaves = leaves_below(result.trace["dendrogram"], int(points[0]["customdata"][0]))
        pick(np.flatnonzero(np.isin(result.microclusters.assignment, leaves)), "a branch of the tree")


def page() -> None:
    """The page, top to bottom."""
    st.title("Which partition settles it?")
    st.markdown("The base clusterings vote; the method decides how their votes are counted.")
    main, side = st.columns([8, 3], gap="large")
    with side:
        knobs()
    chosen = config()
    with main:
        made = stages.ensemble()
        if made is None or method_menu.lacking(made):
            return
        result = settle(pipeline.consensus(chosen, made), "Finding the consensus", "consensus")
        found = result and stages.layout(made)
        if not found:
            return
        classes = pipeline.truth(chosen)
        labels = stable(result.labels, classes, chosen)
        picture(found, labels, classes)
        sentence(made, result, classes)
        remarks(made, result)
        downloads.offer(chosen, result)
    left, right = st.columns(2, gap="large")
    if classes is not None:
        with left:
            verdicts.metrics_table(made, result, classes)
        with right:
            verdicts.by_k(made, result, classes)
    if "dendrogram" in result.trace:
        tree(result, labels)
    if classes is not None:
        verdicts.confusion(labels, classes)


present(page)
