"""Trajectories: walkers that start in the same cluster travel alike."""

import numpy as np
import streamlit as st

from engine.evidence import transition_matrix
from ui import stages, walk_views, why
from ui.chart import chart
from ui.figures import line_figure, matrix_film, walk_film, walk_heatmaps
from ui.progress import settle
from ui.shell import present
from ui.state import config, theme
from ui.widgets import show


def knobs(made, K: int, T: int) -> tuple[int, int]:
    """Two starts, K and T."""
    n = len(made.microclusters)
    i, j = why.choose(made, "walks")
    top = max(2, min(50, n - 1))
    show("walk_K", min(K, top))
    st.slider("K, elite neighbours", 1, top, key="walk_K", on_change=_store, args=("K",))
    show("walk_T", min(T, 50))
    st.slider("T, steps", 1, 50, key="walk_T", on_change=_store, args=("T",),
              help="How long the walkers walk; their whole ways are compared, not where they end.")  # fmt: skip
    assignment = made.microclusters.assignment
    return int(assignment[i]), int(assignment[j])


def _store(name: str) -> None:
    walk_views.set_walk(name, st.session_state[f"walk_{name}"])


def sentence(starts, cosines) -> None:
    """What the film shows, with the live numbers."""
    a, b = starts
    if a == b:
        st.markdown("Both objects are in one microcluster: their walkers are the same. Choose another pair to compare.")
        return
    apart = " They never share a place: their parts of the graph are not connected." if cosines[-1] == 0 else ""
    st.markdown(
        f"After {len(cosines)} steps the walkers from microclusters {a} and {b} reach a cosine of "
        f"**{cosines[-1]:.3f}**, "
        f"after the first it was {cosines[0]:.3f}. This number is their *trajectory similarity* (PTS).{apart}"
    )


def formula(graph, made, starts, cosines) -> None:
    """The definitions with this pair's numbers filled in."""
    sizes = made.microclusters.sizes
    transitions = transition_matrix(graph, sizes)
    a = starts[0]
    row = slice(transitions.indptr[a], transitions.indptr[a + 1])
    with st.expander("The formula, with your numbers"):
        st.latex(r"p_{ij} = \frac{r_j\, w_{ij}}{\sum_k r_k\, w_{ik}}, \qquad "
                 r"\mathrm{PTS}_{ij} = \frac{\sum_{t} \langle P^t_i, P^t_j\rangle}"
                 r"{\sqrt{\sum_t \|P^t_i\|^2 \sum_t \|P^t_j\|^2}}")  # fmt: skip
        if row.stop == row.start:
            st.markdown(f"Microcluster {a} has no links: its walker goes nowhere.")
            return
        best = row.start + int(np.argmax(transitions.data[row]))
        j, p = int(transitions.indices[best]), float(transitions.data[best])
        weight, total = float(graph[a, j]), float((graph[[a], :] @ sizes)[0])
        st.latex(rf"p_{{{a},{j}}} = \frac{{{sizes[j]} \cdot {weight:.3f}}}{{{total:.3f}}} = {p:.3f}, \qquad "
                 rf"\mathrm{{PTS}}_{{{a},{starts[1]}}} = {cosines[-1]:.4f}")  # fmt: skip


def order_of(result, made, groups) -> np.ndarray:
    """Nodes by group, larger microclusters first."""
    return np.lexsort((-made.microclusters.sizes, groups))


def longer(made, graph, K: int, T: int, groups, order) -> None:
    """PTS against T, scrubbed in the browser; and what happens as T grows past mixing."""
    if len(made.microclusters) > walk_views.LIVE:
        st.caption(f"Matrices for every T are shown up to {walk_views.LIVE:,} microclusters.")
        return
    left, right = st.columns(2, gap="large")
    film = settle(walk_views.similarity_images(config(), made, graph, K, T, order), "Comparing trajectories", "pts")
    if film is not None:
        with left:
            st.markdown("**The similarity grows with the walk** (microclusters ordered by consensus)")
            chart(matrix_film(film[1], film[0], theme()), "pts_film")
    rates = settle(walk_views.mixing(config(), made, graph, K, groups), "Walking on", "mixing")
    if rates is not None:
        with right:
            st.markdown("**What happens when they walk too long?**")
            lines = {"inside clusters": rates[:, 0], "between clusters": rates[:, 1]}
            figure = line_figure(walk_views.T_LADDER, lines, theme(), x_name="T, steps", y_name="mean PTS", log_x=True,
                                 marked=T, height=360)  # fmt: skip
            chart(figure, "mixing")
            st.caption(
                "In a connected part of the graph every walker ends in the same mixture of places, whatever its start: "
                "past that point more steps only make everything alike. Short walks tell clusters apart."
            )


def page() -> None:
    """The page, top to bottom."""
    st.title("Do two walkers that start together travel alike?")
    st.markdown("A walker hops between microclusters along elite links, along heavy ones and to large ones more often.")
    made = stages.ensemble()
    found = stages.layout(made)
    if not found or stages.inseparable(made, "nobody can walk"):
        return
    K, T = walk_views.settings(config(), len(made.microclusters))
    result = stages.consensus(made)
    graph = settle(walk_views.elite_graph(config(), made, K), "Choosing elite neighbours", "elite")
    if result is None or graph is None:
        return
    left, right = st.columns([3, 1], gap="large")
    with right:
        starts = knobs(made, K, T)
    both, cosines = walk_views.walks(graph, made.microclusters.sizes, starts, T)
    points, _, equal = found
    groups = walk_views.majority(result.labels, made)
    order = order_of(result, made, groups)
    with left:
        figure = walk_film(walk_views.node_positions(points, made), made.microclusters.sizes, *walk_views.links(graph),
                           both, starts, cosines, theme(), equal=equal)  # fmt: skip
        chart(figure, "walk_film")
        sentence(starts, cosines)
        formula(graph, made, starts, cosines)
    left, right = st.columns(2, gap="large")
    with left:
        st.markdown("**Where they were at each step**")
        chart(walk_heatmaps(both, order, theme()), "walk_heatmaps")
    with right:
        st.markdown("**How alike their ways are so far**")
        lines = {"cosine": cosines}
        chart(line_figure(np.arange(1, T + 1), lines, theme(), x_name="step t", y_name="cosine so far"), "cosine")
    longer(made, graph, K, T, groups, order)


present(page)
