"""What the Trajectories page is made of."""

import numpy as np
import streamlit as st

from engine.evidence import transition_matrix
from ui.compute.work import start
from ui.figures import line_figure, matrix_film
from ui.figures.numbering import number
from ui.parts.chart import chart
from ui.parts.knobs import knob
from ui.parts.progress import settle
from ui.session.state import theme
from ui.walks import views as walk_views
from ui.why import panel as why


def knobs(made) -> None:
    """Two starts, K and T."""
    why.choose(made, "walks")
    knob("K")
    knob("T")


def sentence(starts, cosines) -> None:
    """What the film shows, with the live numbers."""
    a, b = starts
    if a == b:
        st.markdown("Both objects are in one microcluster: their walkers are the same. Choose another pair to compare.")
        return
    apart = " They never share a place: their parts of the graph are not connected." if cosines[-1] == 0 else ""
    st.markdown(
        f"After {len(cosines)} steps the walkers from microclusters {number(a)} and {number(b)} reach a cosine of "
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
        st.latex(
            r"p_{ij} = \frac{r_j\, w_{ij}}{\sum_k r_k\, w_{ik}}, \qquad "
            r"\mathrm{PTS}_{ij} = \frac{\sum_{t} \langle P^t_i, P^t_j\rangle}"
            r"{\sqrt{\sum_t \|P^t_i\|^2 \sum_t \|P^t_j\|^2}}"
        )
        if row.stop == row.start:
            st.markdown(f"Microcluster {number(a)} has no links: its walker goes nowhere.")
            return
        best = row.start + int(np.argmax(transitions.data[row]))
        j, p = int(transitions.indices[best]), float(transitions.data[best])
        weight, total = float(graph[a, j]), float((graph[[a], :] @ sizes)[0])
        st.latex(
            rf"p_{{{number(a)},{number(j)}}} = \frac{{{sizes[j]} \cdot {weight:.3f}}}{{{total:.3f}}} = {p:.3f}, \qquad "
            rf"\mathrm{{PTS}}_{{{number(a)},{number(starts[1])}}} = {cosines[-1]:.4f}"
        )


def order_of(result, made, groups) -> np.ndarray:
    """Nodes by group, larger microclusters first."""
    return np.lexsort((-made.microclusters.sizes, groups))


def longer(made, graph, T: int, labels, order) -> None:
    """PTS against T, scrubbed in the browser; and what happens as T grows past mixing."""
    if len(made.microclusters) > walk_views.LIVE:
        st.caption(f"Matrices for every T are shown up to {walk_views.LIVE:,} microclusters.")
        return
    left, right = st.columns(2, gap="large")
    sizes = made.microclusters.sizes
    images = start(walk_views.similarity_images, graph, sizes, T, order, walk_views.PIXELS)
    film = settle(images, "Comparing trajectories", "pts")
    if film is None:
        return  # one after the other: each holds matrices of all microclusters
    with left:
        st.markdown("**The similarity grows with the walk** (microclusters ordered by consensus)")
        chart(matrix_film(film[1], film[0], theme()), "pts_film")
    rates = settle(start(walk_views.mixing, graph, sizes, walk_views.members(labels, made)), "Walking on", "mixing")
    if rates is not None:
        with right:
            st.markdown("**What happens when they walk too long?**")
            lines = {"inside clusters": rates[:, 0], "between clusters": rates[:, 1]}
            figure = line_figure(
                walk_views.T_LADDER,
                lines,
                theme(),
                x_name="T, steps",
                y_name="mean PTS",
                log_x=True,
                marked=T,
                height=360,
            )
            chart(figure, "mixing")
            st.caption(
                "In a connected part of the graph every walker ends in the same mixture of places, whatever its start: "
                "past that point more steps only make everything alike. Short walks tell clusters apart."
            )
