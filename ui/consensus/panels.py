"""What the Consensus page is made of."""

import numpy as np
import streamlit as st

from engine import consensus_methods
from engine.partition import leaves_below, tied_at_cut
from ui.compute import pipeline
from ui.consensus.downloads import offer_tree
from ui.figures import dendrogram_figure
from ui.parts import method_menu
from ui.parts.chart import chart
from ui.parts.dots import dots
from ui.parts.echoes import show
from ui.parts.knobs import knobs_of
from ui.parts.widgets import bound
from ui.parts.words import duration, spread_words, three_digits
from ui.session.run_config import MEASURES
from ui.session.selection import mask, pick
from ui.session.state import change, config, theme

PICTURE = 400


def knobs() -> None:
    """Method, k, and the method's own parameters, made from its description."""
    method_menu.choose()
    method_menu.about()
    show("k_input", pipeline.wanted_k(config()))
    st.number_input(
        "Clusters k",
        min_value=1,
        step=1,
        key="k_input",
        on_change=_store_k,
        help="How many clusters the consensus has; at most the number of microclusters.",
    )
    chosen = config()
    knobs_of(consensus_methods()[chosen.method].params)
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
    if words := ties(result):
        st.caption(words)


def ties(result) -> str:
    """How much of the tree hangs on a rule rather than on the data; empty where next to nothing does."""
    tied, merges = result.trace.get("tied_merges", 0), len(result.microclusters) - 1
    if tied < max(2, merges // 10):
        return ""
    return (
        f"{tied:,} of the {merges:,} merges happen at exactly the similarity of another one: which comes first is a "
        "rule, not the data, so the tree could look otherwise and agree with the ensemble as well."
    )


def picture(found, labels, truth, opacity=None, alone: bool = False) -> None:
    """Truth and consensus in the same colours, or the consensus `alone`; `opacity` (N,) of its objects."""
    points, axes, equal = found
    options = {"axis_names": axes, "equal": equal, "height": PICTURE, "selected": mask(len(points))}
    both = truth is not None and not alone
    left, right = st.columns(2, gap="medium") if both else (None, st.container())
    if both:
        with left:
            st.markdown("**The truth**")
            classes = pipeline.class_names(config())
            dots(points, truth, "consensus_truth", "the truth", classes=classes, **options)
    with right:
        st.markdown("**The consensus**" + (" (ringed where it differs)" if truth is not None else ""))
        dots(points, labels, "consensus_labels", "the consensus", truth=truth, opacity=opacity, **options)


def sentence(made, result, truth) -> None:
    """What just happened, with the live numbers."""
    title = consensus_methods()[result.method].title
    words = f"{title} joins {len(made.microclusters):,} microclusters into **{result.n_clusters:,} clusters** "
    words += f"in {duration(result.seconds)}."
    if truth is not None:
        chosen = config()
        score = pipeline.score(result.labels, truth, chosen.measure)
        base = pipeline.base_scores(chosen.measure, made, truth)
        words += f" It scores **{three_digits(score)}** ({MEASURES[chosen.measure]}); "
        if len(base) == 1:
            words += f"its only base clustering {three_digits(base[0])}."
        else:
            words += f"the best of {len(base):,} base clusterings {three_digits(base.max())}, {spread_words(base)}."
    st.markdown(words)


def tree(result, labels) -> None:
    """The top of the dendrogram with its cut."""
    made = result.trace["dendrogram"]
    st.markdown("**How they were joined** (the last 60 merges, coloured below the cut; click a dot to pick its branch)")
    figure = dendrogram_figure(
        made.merges,
        made.similarities,
        made.sizes,
        result.n_clusters,
        theme(),
        cluster_of_leaf=labels[result.microclusters.representatives],
    )
    figure.update_layout(dragmode=False, clickmode="event+select")
    chart(figure, "dendrogram", on_select=lambda: _take_branch(result), selection_mode="points")
    offer_tree(config(), result)


def _take_branch(result) -> None:
    """Pick the objects of the branch or tip that was clicked."""
    points = st.session_state["dendrogram"].selection.points
    if points:
        leaves = leaves_below(result.trace["dendrogram"], int(points[0]["customdata"][0]))
        pick(np.flatnonzero(np.isin(result.microclusters.assignment, leaves)), "a branch of the tree")
