"""What the Consensus page is made of."""

import streamlit as st

from engine import consensus_methods
from engine.partition import tied_at_cut
from ui.figures.style import painted
from ui.saying import alone as why_alone
from ui.saying import counted, duration, spread_words, three_digits
from ui.scene import Scene
from ui.session.bound import begins, bound, show
from ui.session.run_config import MEASURES
from ui.session.state import change
from ui.widgets import method_menu
from ui.widgets.dots import dots, remember_colors
from ui.widgets.knobs import knobs_of
from ui.widgets.terms import inform, meanings, note, say


def knobs(scene: Scene) -> None:
    """Method, k, and the method's own parameters, made from its description."""
    method_menu.choose()
    method_menu.about(scene)
    _clusters(scene)
    knobs_of(scene, consensus_methods()[scene.config.method].params)
    method_menu.sample_knob(scene)
    if scene.truth is not None:
        bound(st.selectbox, "Score shown", "measure", help=meanings(*MEASURES.values()))


def _clusters(scene: Scene) -> None:
    """How many clusters are asked for; where a method finds that itself, what it found."""
    if consensus_methods()[scene.config.method].finds_k:
        here = scene.ensemble is not None and method_menu.can_run(scene)
        found = scene.consensus if here else None
        words = "found by the method" if found is None else f"found: {found.n_clusters:,}"
        told = "This method finds the number of clusters itself; k counts for the others."
        st.text_input("Clusters k", words, disabled=True, key=f"k_{words}", help=told)
        return
    show("k_input", scene.wanted_k)
    st.number_input(
        "Clusters k",
        min_value=1,
        value=begins("k_input", scene.wanted_k),
        step=1,
        key="k_input",
        on_change=_store_k,
        help="How many clusters the consensus has; at most the number of microclusters.",
    )


def _store_k() -> None:
    change(k=st.session_state.k_input)


def remarks(scene: Scene) -> None:
    """What a reader should know about this ensemble and this answer."""
    made, result = scene.ensemble, scene.consensus
    method_menu.completion(scene)
    if scene.n_clusters < scene.wanted_k and not consensus_methods()[scene.config.method].finds_k:
        note(
            f"k = {scene.wanted_k:,} was asked for, but only {counted(len(made.microclusters), 'group')} of objects "
            f"can be told apart: k = {scene.n_clusters:,}."
        )
    if made.n_clusterings == 1:
        inform(f"There is one base clustering. {why_alone(made, result)}")
    elif len(made.microclusters) == made.n_clusters_each.max() == made.n_clusters_each.min():
        inform("All base clusterings are equal: there is nothing to settle.")
    if words := made.form.symmetry:
        note(words)
    if result.trace.get("repaired"):
        note(f"{result.trace['repaired']} of the clusters had to be split off to reach k = {result.n_clusters}.")
    if kept := result.trace.get("neighbours_kept"):
        note(f"The graph keeps the {kept:,} strongest neighbours of every object; all pairs would be too many.")
    if "dendrogram" in result.trace and tied_at_cut(result.trace["dendrogram"], result.n_clusters):
        note("The cut falls on a tie: other partitions into as many clusters agree with the ensemble as well.")
    if words := ties(result):
        note(words)


def ties(result) -> str:
    """How much of the tree hangs on a rule rather than on the data; empty where next to nothing does."""
    tied, merges = result.trace.get("tied_merges", 0), len(result.microclusters) - 1
    if tied < max(2, merges // 10):
        return ""
    return (
        f"{tied:,} of the {merges:,} merges happen at exactly the similarity of another one: which comes first is a "
        "rule, not the data, so the tree could look otherwise and agree with the ensemble as well."
    )


def picture(scene: Scene, alone: bool = False) -> bool:
    """Truth and consensus in the same colours, or the consensus `alone`; False while it is found."""
    if scene.consensus is None or scene.placed is None:
        return False
    remember_colors(scene, painted(scene.consensus.labels, scene.colors))
    both = scene.truth is not None and not alone
    left, right = st.columns(2, gap="medium") if both else (None, st.container())
    if both:
        with left:
            say("**The truth**")
            dots(scene, "truth", "consensus_truth", "the truth")
    with right:
        say("**The consensus**")
        dots(scene, "consensus", "consensus_labels", "the consensus")
    return True


def sentence(scene: Scene) -> str:
    """What just happened, with the live numbers."""
    made, result = scene.ensemble, scene.consensus
    title = consensus_methods()[result.method].title
    joined = method_menu.sample_words(result.trace, made.n_objects) or counted(len(made.microclusters), "microcluster")
    words = f"{title} joins {joined} into **{counted(result.n_clusters, 'cluster')}** in {duration(result.seconds)}."
    if scene.truth is not None:
        score, base = scene.score(result.labels), scene.base_scores
        words += f" It scores **{three_digits(score)}** ({MEASURES[scene.config.measure]}); "
        if len(base) == 1:
            words += f"its only base clustering {three_digits(base[0])}."
        else:
            words += f"the best of {len(base):,} base clusterings {three_digits(base.max())}, {spread_words(base)}."
    return words
