"""What the chosen method alone has to show: its intermediates, and its clusters two by two."""

import numpy as np
import streamlit as st

from engine import Consensus, Ensemble, consensus_methods
from ui.figures.numbering import FIRST, carried, number
from ui.figures.objects.scatter import CLICKABLE
from ui.outside import markdown
from ui.pictures.special import SPECIAL
from ui.saying import counted
from ui.scene import Scene
from ui.scene.consensus import MOST
from ui.session.bound import begins, bound, is_echo
from ui.session.bound import show as set_widget
from ui.session.selection import pick
from ui.session.state import change
from ui.widgets.chart import heading, sentence_of, show
from ui.widgets.terms import note, say, subtitle

#: Orders of the clusters along the picture, in words.
ORDERS = {"clustering": "base clustering", "tree": "tree of similarities"}


def cluster_pair(scene: Scene) -> None:
    """The picture, the pair that is looked at, and what both have in common."""
    made = scene.ensemble
    heading("Which clusters does it take for alike? All clusters of all base clusterings, side by side")
    left, right = st.columns([3, 2], gap="large")
    with right:
        bound(st.segmented_control, "Ordered by", "cluster_order", options=list(ORDERS), format_func=ORDERS.get)
        choose_pair(made, scene.alike_pair)
        explain_pair(scene)
    with left:
        show(scene, "cluster_similarity", title="", drag=False, on_select=lambda: _take_pair(made))


def clustering_of(made: Ensemble) -> np.ndarray:
    """Base clustering of every cluster: (K,)."""
    return np.repeat(np.arange(made.n_clusterings), made.n_clusters_each)


def choose_pair(made: Ensemble, pair: tuple[int, int]) -> None:
    """Both clusters by number, for pictures whose cells are too small."""
    last = made.n_clusters_total
    for key, value, column in zip(("cluster_i", "cluster_j"), pair, st.columns(2), strict=True):
        set_widget(key, value + FIRST, (last,))
        with column:
            words, first = f"Cluster {'ij'[key == 'cluster_j']}", min(begins(key, value + FIRST), last)
            st.number_input(words, FIRST, last, first, step=1, key=key, on_change=_store_pair, args=(key,))
    if last <= CLICKABLE:
        note("Or click a cell: the objects both clusters share are picked.")


def _store_pair(key: str) -> None:
    if not is_echo(key, key):
        i, j = (int(st.session_state[one]) - FIRST for one in ("cluster_i", "cluster_j"))
        change(cluster_pair=(i, j))


def shared(made: Ensemble, pair: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Objects in both clusters, and objects in at least one."""
    inside = [(made.cluster_index == one).any(axis=1) for one in pair]
    return np.flatnonzero(inside[0] & inside[1]), np.flatnonzero(inside[0] | inside[1])


def explain_pair(scene: Scene) -> None:
    """Sizes, similarity, and what the two share, with a button that picks it."""
    made, pair, similarity = scene.ensemble, scene.alike_pair, scene.consensus.trace["cluster_similarity"]
    both, either = shared(made, pair)
    i, j = pair
    own, sizes = clustering_of(made), made.cluster_sizes
    names = [markdown(name) for name in scene.clustering_names]
    say(
        f"Cluster {number(i)} is of {names[own[i]]} and has {counted(int(sizes[i]), 'object')}; cluster {number(j)} is "
        f"of {names[own[j]]} and has {counted(int(sizes[j]), 'object')}. Their similarity is "
        f"**{similarity[i, j]:.3f}**."
    )
    if len(both):
        say(f"They share **{counted(len(both), 'object')}** of {len(either):,}.")
    elif own[i] == own[j]:
        common = ": what they have in common is their neighbours" * bool(similarity[i, j] > 0)
        say(f"Clusters of one base clustering share no object{common}.")
    else:
        say("They share no object.")
    words = f"the {counted(len(both), 'shared object')}" if len(both) else f"the {len(either):,} objects of both"
    st.button(f"Pick {words}", key="pick_clusters", on_click=take_pair, args=(made, pair))


def take_pair(made: Ensemble, pair: tuple[int, int]) -> None:
    """Pick the objects both clusters share; where there is none, those of both."""
    both, either = shared(made, pair)
    pick(both if len(both) else either, f"clusters {number(pair[0])} and {number(pair[1])}")


def _take_pair(made: Ensemble) -> None:
    points = [p for p in st.session_state["cluster_similarity"].selection.points if "customdata" in p]
    if points:
        pair = divmod(carried(points[0])[0], made.n_clusters_total)
        change(cluster_pair=pair)
        take_pair(made, pair)


def views(scene: Scene) -> None:
    """A section for everything special that the trace of this run has; nothing where it has nothing."""
    made, result = scene.ensemble, scene.consensus
    for words in doubts(result):
        note(words)
    shown = [name for name in SPECIAL if name in result.trace]
    if not shown and not scene.left_out:
        return
    subtitle(f"What is special in {consensus_methods()[result.method].title}")
    for name in shown:
        if name == "cluster_similarity":
            cluster_pair(scene)
        elif show(scene, name):
            say(sentence_of(scene, name))
    if scene.left_out:
        note(
            f"A picture is left out: it is drawn up to {MOST['microclusters']:,} microclusters and "
            f"{MOST['clusters']:,} clusters, and here are {len(made.microclusters):,} and {made.n_clusters_total:,}."
        )


def doubts(result: Consensus) -> list[str]:
    """What the run itself says against its answer."""
    title, trace = consensus_methods()[result.method].title, result.trace
    found = []
    if trace.get("unsettled") and "objectives" not in trace:
        found.append(f"{title} was stopped before it settled: with more rounds the answer could be another one.")
    if rounds := trace.get("breaches"):
        found.append(
            f"In {counted(rounds, 'round')} the published method would have parted objects that no base clustering "
            "parts; here they stay together."
        )
    if smallest := trace.get("smallest_group"):
        found.append(f"Groups of fewer than {float(smallest):.3g} objects do not survive the completion.")
    return found
