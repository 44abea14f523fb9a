"""What the Consensus page is made of: the answer, its verdict, and how firmly objects sit in it."""

import numpy as np
import pandas as pd
import streamlit as st

from engine import confidence, consensus_methods
from engine.metrics import score
from engine.partition import tied_at_cut
from ui.figures.numbering import numbers, object_keys
from ui.figures.style import painted
from ui.saying import all_alike, counted, duration, spread_words, three_digits
from ui.saying import alone as why_alone
from ui.scene import Scene
from ui.scene.consensus import DRAWS
from ui.scene.ensemble import all_scores
from ui.session.bound import begins, bound, is_echo
from ui.session.bound import show as set_widget
from ui.session.run_config import MEASURES
from ui.session.selection import pick
from ui.session.state import change
from ui.widgets import method_menu, search, stages
from ui.widgets.chart import heading, show
from ui.widgets.dots import dots, remember_colors
from ui.widgets.knobs import knobs_of
from ui.widgets.page_scene import begin, job_of
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
        found = scene.consensus if scene.can_run else None
        words = "found by the method" if found is None else f"found: {found.n_clusters:,}"
        told = "This method finds the number of clusters itself; k counts for the others."
        st.text_input("Clusters k", words, disabled=True, key=f"k_{words}", help=told)
        return
    set_widget("k_input", scene.wanted_k)
    st.number_input(
        "Clusters k",
        min_value=2,
        value=begins("k_input", scene.wanted_k),
        step=1,
        key="k_input",
        on_change=_store_k,
        help="How many clusters the consensus has; at most the number of microclusters.",
    )


def _store_k() -> None:
    if not is_echo("k_input", "k"):
        change(k=st.session_state["k_input"])


def remarks(scene: Scene) -> None:
    """What a reader should know about this ensemble and this answer."""
    made, result = scene.ensemble, scene.consensus
    method_menu.completion(scene)
    stages.k_beyond(scene, [scene.config.method])
    if made.n_clusterings == 1:
        inform(f"There is one base clustering. {why_alone(made, result, scene.truth is not None)}")
    elif all_alike(made):
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
    soft = method_menu.parts_objects(result.method)
    all_of = counted(made.n_objects, "object") if soft else counted(len(made.microclusters), "microcluster")
    joined = method_menu.sample_words(result.trace, made.n_objects) or all_of
    words = f"{title} joins {joined} into **{counted(result.n_clusters, 'cluster')}** in {duration(result.seconds)}."
    if scene.truth is not None:
        score, base = scene.score(result.labels), scene.base_scores
        words += f" It scores **{three_digits(score)}** ({MEASURES[scene.config.measure]}); "
        if len(base) == 1:
            words += f"its only base clustering {three_digits(base[0])}."
        else:
            words += f"the best of {len(base):,} base clusterings {three_digits(base.max())}, {spread_words(base)}."
    return words


def metrics_table(scene: Scene) -> None:
    """Every measure for the consensus, the best and the mean base clustering."""
    base = {name: all_scores(scene.ensemble, scene.truth, name) for name in MEASURES}
    table = pd.DataFrame(
        {
            "consensus": [score(scene.consensus.labels, scene.truth, name) for name in MEASURES],
            "best base": [base[name].max() for name in MEASURES],
            "mean base": [base[name].mean() for name in MEASURES],
            "their sd": [base[name].std() for name in MEASURES],
        },
        index=list(MEASURES.values()),
    )
    say("**Scores against the truth**")
    st.dataframe(table.style.format("{:.3f}"), key="scores")


def by_k(scene: Scene) -> None:
    """Score for every number of clusters nearby."""
    show(scene, "score_of_k", "by_k")


def confusion(scene: Scene) -> None:
    """Classes against clusters."""
    show(scene, "confusion")


_SHARES = (0.02, 0.05, 0.1, 0.2)


def confidence_switch() -> None:
    """Whether the scatter shows how firmly objects sit."""
    bound(
        st.toggle,
        "Show confidence",
        "confidence",
        help="Faint objects sit loosely: they meet the members of the nearest other cluster nearly as often.",
    )


def confidence_bars(scene: Scene) -> None:
    """The silhouette plot, the clusters' means, and the objects that sit most loosely."""
    heading("How firmly does each object sit? Silhouettes on 1 - co-association, by cluster")
    left, right = st.columns([3, 2], gap="large")
    with left:
        show(scene, "silhouettes", title="")
    with right:
        _means(scene)
        _least_sure(scene)


def _means(scene: Scene) -> None:
    """Support and margin of every cluster, with their spread."""
    found, labels = scene.profile, scene.consensus.labels
    order = list(dict.fromkeys(labels.tolist()))
    support, margin = (confidence.cluster_means(values, labels) for values in (found.own, found.margin))
    table = pd.DataFrame(
        {
            "objects": support.sizes,
            "support, sd": _with_spread(support.mean, support.sd),
            "margin, sd": _with_spread(margin.mean, margin.sd),
        },
        index=pd.Index(numbers(order), name="cluster"),
    ).sort_index()
    st.dataframe(table, placeholder="–", key="cluster_confidence")


def _with_spread(means: np.ndarray, spreads: np.ndarray) -> list[str]:
    return [f"{mean:.2f} ± {sd:.2f}" for mean, sd in zip(means, spreads, strict=True)]


def _least_sure(scene: Scene) -> None:
    """The share of objects with the lowest margins, to be looked at, or all others."""
    found, labels, share = scene.profile, scene.consensus.labels, scene.config.unsure
    bound(st.segmented_control, "Least sure objects", "unsure", options=sorted({*_SHARES, share}), format_func=_percent)
    n = max(1, round(share * len(labels)))
    least = np.argsort(found.margin, kind="stable")[:n]
    below, single = found.margin < 0, np.bincount(labels)[labels] == 1
    alone = f", {int((below & single).sum()):,} of them alone in a cluster" if (below & single).any() else ""
    note(
        f"{counted(n, 'object')} with margins up to {three_digits(float(found.margin[least].max()))}; "
        f"{counted(int(below.sum()), 'object')} would rather be in another cluster (margin below 0){alone}."
    )
    rows = search.rows(scene, least, "find_least_sure")
    shown = pd.DataFrame(
        {"cluster": numbers(labels[rows]), "margin": found.margin[rows], "support": found.own[rows]},
        index=pd.Index(object_keys(rows, scene.identifiers), name="object"),
    )
    st.dataframe(
        shown.style.format({"margin": "{:z.2f}", "support": "{:.2f}"}), placeholder="–", key="least_sure", height=190
    )
    words = f"the {_percent(share)} least sure"
    rest = np.delete(np.arange(len(labels)), least)
    with st.container(horizontal=True):
        st.button("Pick them", key="pick_unsure", on_click=pick, args=(least, words))
        st.button("Pick all others", key="pick_sure", on_click=pick, args=(rest, f"all but {words}"))


def stability(scene: Scene) -> None:
    """What drawing the base clusterings again says, once somebody asked for it."""
    if scene.ensemble.n_clusterings < 2:
        return
    say("**Would it come out again?**")
    if job_of(scene, "stability") is None:
        note(f"Draws the base clusterings again, {DRAWS} times with replacement, and runs the method on each draw.")
        st.button(
            "Measure stability",
            key="measure_stability",
            icon=":material/play_circle:",
            on_click=begin,
            args=(scene, "stability"),
        )
        return
    found = scene.stability
    if found is not None:
        note(
            f"An object keeps its cluster in {100 * found.stability.mean():.0f} % of the draws (sd "
            f"{100 * found.stability.std():.0f} %); element-centric consistency {found.consistency.mean():.2f}. "
            "The labels to take away now have a column of it."
        )


def _percent(share: float) -> str:
    return f"{100 * share:g} %"
