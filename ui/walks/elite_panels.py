"""What the page Elite neighbours is made of."""

import numpy as np
import pandas as pd
import streamlit as st
from scipy.sparse.csgraph import connected_components

from ui.compute import pipeline
from ui.compute.work import start
from ui.figures import graph_figure, histogram, line_figure
from ui.figures.numbering import number, place_of
from ui.parts import link_panel
from ui.parts.chart import chart
from ui.parts.echoes import show
from ui.parts.knobs import knob
from ui.parts.progress import settle
from ui.parts.widgets import bound
from ui.parts.words import counted
from ui.session.selection import pick
from ui.session.state import change, config, theme
from ui.walks import views as walk_views

COLORS = {"truth": "class", "consensus": "consensus", "density": "density"}


def knobs(n: int, K: int, truth) -> str:
    """K, keep all, and what colours the nodes."""
    everything = n - 1 <= K
    show("elite_all", everything)
    st.toggle("Keep all links", key="elite_all", on_change=_store_all, args=(n,))
    if not everything:
        knob("K")
    options = [name for name in COLORS if name != "truth" or truth is not None]
    if config().color not in options:
        change(color=options[0])
    bound(st.segmented_control, "Colour by", "color", options=options, format_func=COLORS.get)
    return config().color


def _store_all(n: int) -> None:
    change(K=n - 1 if st.session_state.elite_all else None)


def picture(made, graph, found, color: str, result) -> None:
    """The graph over the projection; a click looks at a node. Without a result yet, no consensus colours it."""
    points, axes, equal = found
    positions = walk_views.node_positions(points, made)
    edges, weights = walk_views.links(graph)
    node = focus(made)
    kept = graph.indices[graph.indptr[node] : graph.indptr[node + 1]]
    labels = density = None
    if color == "density":
        density = np.asarray(graph.sum(axis=1)).ravel()
    else:
        source = pipeline.truth(config()) if color == "truth" else result.labels if result else None
        labels = None if source is None else walk_views.majority(source, made)
    figure = graph_figure(
        positions,
        made.microclusters.sizes,
        edges,
        weights,
        theme(),
        labels=labels,
        density=density,
        focus=node,
        kept=kept,
        axis_names=axes,
        equal=equal,
    )
    figure.update_layout(dragmode=False, clickmode="event+select")
    chart(figure, "elite_graph", on_select=lambda: _take_node(made), selection_mode="points")


def focus(made) -> int:
    """The node looked at: the microcluster of object i of the pair."""
    first = config().pair[0] if config().pair else 0
    return int(made.microclusters.assignment[min(first, made.n_objects - 1)])


def _take_node(made) -> None:
    points = [p for p in st.session_state["elite_graph"].selection.points if "customdata" in p]
    if points:
        node = place_of(points[0])
        members = np.flatnonzero(made.microclusters.assignment == node)
        pair = config().pair or (0, 1)
        pick(members, f"microcluster {number(node)}")
        change(pair=(int(members[0]), pair[1]))


def sentence(made, graph, K: int, steps: walk_views.Ladder) -> None:
    """What K keeps, with the live numbers."""
    n_links = graph.nnz // 2
    place = steps.K.index(K) if K in steps.K else None
    total = f" ({steps.kept[place]:.1%} of all{_counted_from(steps)})" if place is not None else ""
    components = connected_components(graph, directed=False)[0]
    alone = int((np.diff(graph.indptr) == 0).sum())
    words = f"K = {K:,} keeps **{n_links:,} links**{total} between {len(made.microclusters):,} microclusters, "
    words += f"which fall into {counted(components, 'connected part')}"
    st.markdown(words + (f"; {alone:,} stand alone." if alone else "."))


def _counted_from(steps: walk_views.Ladder) -> str:
    """That the links of some stand for those of all, where they do."""
    return f", counted from {steps.n_rows:,} microclusters" if steps.n_rows else ""


#: Who counts a link among its heaviest: the microcluster looked at, the other one, or both.
_KEEPERS = {(True, True): "both", (True, False): "this one", (False, True): "the other", (False, False): "-"}

_WIDTHS = {"node": 52, "objects": 66, "weight": 62, "kept by": 82}  # pixels; beside the graph on a laptop


def node_table(made, graph, K: int) -> None:
    """Neighbours of the node looked at, its threshold, and who kept whom."""
    node, sizes = focus(made), made.microclusters.sizes
    rows, threshold = walk_views.neighbors(graph, sizes, node, K)
    st.markdown(f"**Microcluster {number(node)}**: {counted(sizes[node], 'object')}, {counted(len(rows), 'link')}")
    if not rows:
        st.caption("It shares no cluster with any other microcluster: it stands alone, and similar to itself only.")
        return
    st.caption(f"Its threshold is {threshold:.3f}: the weight of its link number {min(K, len(rows)):,} by weight.")
    table = pd.DataFrame([(*row[:3], _KEEPERS[row[3:]]) for row in rows], columns=list(_WIDTHS))
    narrow = {name: st.column_config.Column(width=width) for name, width in _WIDTHS.items()}
    st.dataframe(table, hide_index=True, height=260, key="neighbours", column_config=narrow)


def what_K_does(graph, K: int, steps: walk_views.Ladder) -> None:
    """Links and connected parts against K, and links of every microcluster under this K."""
    kept, parts, degrees = st.columns(3, gap="large")
    with kept:
        st.markdown("**How much does K keep?**")
        figure = line_figure(
            steps.K,
            {"share": np.array(steps.kept)},
            theme(),
            x_name="K",
            log_x=True,
            marked=K,
            y_name="share of links kept (RatioPL)",
        )
        chart(figure, "ratio")
    with parts:
        st.markdown("**When does it fall apart?**")
        figure = line_figure(
            steps.K,
            {"parts": np.array(steps.components)},
            theme(),
            x_name="K",
            log_x=True,
            marked=K,
            y_name="connected parts",
            y_range=None,
        )
        chart(figure, "components")
    with degrees:
        st.markdown("**How many links has each?**")
        chart(
            histogram(
                np.diff(graph.indptr), theme(), x_name="links of a microcluster", y_name="microclusters", height=260
            ),
            "degrees",
        )


def trust(made, graph) -> None:
    """Correct links by weight, before and after pruning."""
    truth = pipeline.truth(config())
    if truth is None:
        return
    found = settle(start(walk_views.pruning, made, graph, truth), "Counting links", "pruning")
    if found is None:
        return
    sampled = f"; {found[0].n_rows:,} microclusters stand for all" if found[0].n_rows else ""
    st.markdown(f"**Are the links that stay the right ones?** Links by weight, all of them and those kept{sampled}")
    for quality, words, column in zip(found, ("before", "after"), st.columns(2, gap="large"), strict=True):
        right = quality.correct.sum() / max(1, quality.pairs.sum())
        with column:
            st.markdown(f"{words} pruning: {quality.pairs.sum():,} links, **{right:.0%} correct**")
            link_panel.picture(quality, "weight", f"trust_{words}")
