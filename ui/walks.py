"""What the page Walks is made of: the graph of what K keeps, and the walkers on it, step by step and beyond."""

import numpy as np
import pandas as pd
import streamlit as st

from engine import consensus_methods
from engine.evidence import transition_matrix
from ui import why
from ui.figures.numbering import FIRST, number, place_of
from ui.saying import counted
from ui.scene import Scene
from ui.scene.walks import LIVE
from ui.session.bound import bound
from ui.session.bound import show as set_widget
from ui.session.selection import pick
from ui.session.state import adjust, change, change_by
from ui.widgets.chart import drawn_alone, heading, sentence_of, show
from ui.widgets.dots import answer
from ui.widgets.knobs import knob
from ui.widgets.terms import note, say

#: Pixels; beside the film of the walkers, inside the window of a laptop.
GRAPH_HEIGHT = 400
COLORS = {"truth": "class", "consensus": "consensus", "density": "density"}


def knobs(scene: Scene) -> None:
    """K or all links, T, from where two walkers start, and what colours the nodes."""
    n = len(scene.ensemble.microclusters)
    everything = n - 1 <= scene.n_neighbors
    options = [name for name in COLORS if name != "truth" or scene.truth is not None]
    if scene.config.color not in options:
        adjust(color=options[0])
    with st.container(key="walk_knobs"):
        first, second, third, last = st.columns([9, 8, 13, 13], gap="medium")
        with first:
            if everything:
                note("K: every link is kept")
            else:
                knob(scene, "K")
        with second:
            knob(scene, "T")
        with third:
            why.choose(scene, "walks")
        with last:
            bound(st.segmented_control, "Colour by", "color", options=options, format_func=COLORS.get)
            set_widget("elite_all", everything)
            st.toggle("Keep all links", key="elite_all", on_change=_store_all, args=(n,))


def _store_all(n: int) -> None:
    change(K=n - 1 if st.session_state.elite_all else None)


def graph(scene: Scene) -> None:
    """The graph over the projection; a click looks at a node."""
    micro = scene.ensemble.microclusters.assignment
    drawn = show(scene, "elite_graph", title="", height=GRAPH_HEIGHT, drag=False, on_select=lambda: _take_node(micro))
    if drawn and not scene.mark:  # a pinned one does not answer
        drawn_alone()


def _take_node(assignment: np.ndarray) -> None:
    points = [p for p in st.session_state["elite_graph"].selection.points if "customdata" in p]
    if points:
        node = place_of(points[0])
        members = np.flatnonzero(assignment == node)
        pick(members, f"microcluster {number(node)}")
        change_by(lambda now: now.with_(pair=(int(members[0]), (now.pair or (0, 1))[1])))


#: Who counts a link among its heaviest: the microcluster looked at, the other one, or both.
_KEEPERS = {(True, True): "both", (True, False): "this one", (False, True): "the other", (False, False): "-"}

_WIDTHS = {"node": 52, "objects": 66, "weight": 62, "kept by": 82}  # pixels; beside the graph on a laptop


def node_table(scene: Scene) -> None:
    """Neighbours of the node looked at, its threshold, and who kept whom."""
    (node, links, threshold), sizes = scene.neighbors, scene.ensemble.microclusters.sizes
    say(f"**Microcluster {number(node)}**: {counted(sizes[node], 'object')}, {counted(len(links), 'link')}")
    if not links:
        note("It shares no cluster with any other microcluster: it stands alone, and similar to itself only.")
        return
    place = min(scene.n_neighbors, len(links))
    note(f"Its threshold is {threshold:.3f}: the weight of its link number {place:,} by weight.")
    rows = [(other + FIRST, size, weight, _KEEPERS[here, there]) for other, size, weight, here, there in links]
    table = pd.DataFrame(rows, columns=list(_WIDTHS))
    narrow = {name: st.column_config.Column(width=width) for name, width in _WIDTHS.items()}
    st.dataframe(table, hide_index=True, height=260, key="neighbours", column_config=narrow)


def what_K_does(scene: Scene) -> None:
    """Links and connected parts against K, and links of every microcluster under this K."""
    kept, parts, degrees = st.columns(3, gap="large")
    with kept:
        show(scene, "kept_by_K", "ratio")
    with parts:
        show(scene, "parts_by_K", "components", title="When does it fall apart?")
    with degrees:
        show(scene, "links_of_each", "degrees")


def trust(scene: Scene) -> None:
    """Correct links by weight, before and after pruning."""
    if scene.truth is None or scene.pruning is None:
        return
    n_rows = scene.pruning[0].n_rows
    sampled = f"; {n_rows:,} microclusters stand for all" if n_rows else ""
    heading(f"Are the links that stay the right ones? Links by weight, all of them and those kept{sampled}")
    for when, column in zip(("before", "after"), st.columns(2, gap="large"), strict=True):
        with column:
            say(sentence_of(scene, f"links_{when}"))
            show(scene, f"links_{when}", f"trust_{when}", title="")


def walkers_answer(scene: Scene) -> None:
    """What the walks come to under a method that compares them."""
    found = scene.walked
    answer(scene, found.labels, consensus_methods()[found.method].title, "walk_answer")


def formula(scene: Scene) -> None:
    """The definitions with this pair's numbers filled in."""
    graph, sizes, (a, b) = scene.graph, scene.ensemble.microclusters.sizes, scene.walk_starts
    transitions = transition_matrix(graph, sizes)
    row = slice(transitions.indptr[a], transitions.indptr[a + 1])
    with st.expander("The formula, with your numbers"):
        st.latex(
            r"p_{ij} = \frac{r_j\, w_{ij}}{\sum_k r_k\, w_{ik}}, \qquad "
            r"\mathrm{PTS}_{ij} = \frac{\sum_{t} \langle P^t_i, P^t_j\rangle}"
            r"{\sqrt{\sum_t \|P^t_i\|^2 \sum_t \|P^t_j\|^2}}"
        )
        if row.stop == row.start:
            say(f"Microcluster {number(a)} has no links: its walker goes nowhere.")
            return
        best = row.start + int(np.argmax(transitions.data[row]))
        j, p = int(transitions.indices[best]), float(transitions.data[best])
        weight, total = float(graph[a, j]), float((graph[[a], :] @ sizes)[0])
        st.latex(
            rf"p_{{{number(a)},{number(j)}}} = \frac{{{sizes[j]} \cdot {weight:.3f}}}{{{total:.3f}}} = {p:.3f}, \qquad "
            rf"\mathrm{{PTS}}_{{{number(a)},{number(b)}}} = {scene.walks.cosines[-1]:.4f}"
        )


def steps(scene: Scene) -> None:
    """Both walkers step by step: where they were."""
    show(scene, "walk_places", "walk_heatmaps")


def longer(scene: Scene) -> None:
    """PTS against T, scrubbed in the browser; and what happens as T grows past mixing."""
    if len(scene.ensemble.microclusters) > LIVE:
        note(f"Matrices for every T are shown up to {LIVE:,} microclusters.")
        return
    left, right = st.columns(2, gap="large")
    if scene.similarity_images is None:
        return  # one after the other: each holds matrices of all microclusters
    with left:
        show(scene, "pts_film")
    if scene.cluster_mixing is None:
        return
    with right:
        show(scene, "cluster_mixing", "mixing")
        note(_in_the_end(scene))


def _in_the_end(scene: Scene) -> str:
    """What becomes of walkers that go on; parts with two sides, such as trees, keep them apart."""
    words = "In a connected part of the graph every walker ends in the same mixture of places, whatever its start"
    parts, sides = scene.connected_parts, scene.meeting_parts
    if parts is not None and sides is not None and sides.max() > parts.max():
        words += ", unless the part has two sides, as a tree has: from opposite sides they pass each other for ever"
        return f"{words}. Where they mix, more steps only make everything alike. Short walks tell clusters apart."
    return f"{words}: past that point more steps only make everything alike. Short walks tell clusters apart."
