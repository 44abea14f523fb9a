"""What the Consensus page is made of."""

import streamlit as st

from engine import consensus_methods
from engine.partition import tied_at_cut
from ui.compute import pipeline
from ui.parts import method_menu, sampled
from ui.parts.dots import dots
from ui.parts.echoes import show
from ui.parts.knobs import knobs_of
from ui.parts.widgets import bound
from ui.parts.words import alone, duration, spread_words, three_digits
from ui.session.run_config import MEASURES
from ui.session.selection import mask
from ui.session.state import change, config

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
    sampled.knob()
    if pipeline.truth(chosen) is not None:
        bound(st.selectbox, "Score shown", "measure", options=list(MEASURES), format_func=MEASURES.get)


def _store_k() -> None:
    change(k=st.session_state.k_input)


def remarks(made, result) -> None:
    """What a reader should know about this ensemble and this answer."""
    method_menu.completion(made)
    if made.n_clusterings == 1:
        st.info(f"There is one base clustering. {alone(made, result)}")
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


def picture(found, labels, colors, truth, opacity=None, alone: bool = False) -> None:
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
        options |= {"colors": colors, "truth": truth, "opacity": opacity}
        dots(points, labels, "consensus_labels", "the consensus", **options)


def sentence(made, result, truth) -> None:
    """What just happened, with the live numbers."""
    title = consensus_methods()[result.method].title
    joined = sampled.words(result.trace, made.n_objects) or f"{len(made.microclusters):,} microclusters"
    words = f"{title} joins {joined} into **{result.n_clusters:,} clusters** in {duration(result.seconds)}."
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
