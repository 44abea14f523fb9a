"""A graph of microclusters over the projection: where they stand, how large they are, what links them."""

import numpy as np

from ui.figures import spec
from ui.figures.numbering import numbers
from ui.figures.style import INKS, cluster_marks, finish, padded_range, translucent
from ui.outside import html

#: Edges drawn at most; the strongest stay.
MAX_EDGES = 5000
#: Edges are drawn in so many classes of weight, since a line has one width.
WEIGHT_CLASSES = 4


def graph_figure(
    positions,
    sizes,
    edges,
    weights,
    theme,
    *,
    labels=None,
    density=None,
    focus=None,
    kept=(),
    axis_names=("", ""),
    equal=False,
    height=560,
):
    """Nodes (n, 2) by size and colour, edges (m, 2), each once, by weight; one node may be looked at.

    Colour is the cluster (`labels`) or a number (`density`); the links of `focus` to the neighbours `kept` stand out.
    Edge traces come weakest first, the nodes last, their number in `customdata`.
    """
    fig = spec.Figure()
    order, hidden = strongest(weights)
    for trace in edge_traces(positions, np.asarray(edges)[order], np.asarray(weights)[order], theme, focus is not None):
        fig.add_trace(trace)
    if focus is not None and len(kept):
        links = np.column_stack([np.full(len(kept), focus), kept])
        fig.add_trace(_lines(positions, links, INKS[theme].accent, 2.2, 0.9))
    fig.add_trace(node_trace(positions, sizes, theme, labels, density, focus))
    frame_axes(fig, positions, axis_names, equal)
    notes = [f"{hidden:,} weaker links are not drawn"] if hidden else []
    alt = f"Graph of {len(sizes):,} microclusters and {len(weights):,} links."
    return finish(fig, theme, alt, height=height, notes=notes)


def strongest(weights, limit=MAX_EDGES):
    """Indices of the strongest edges, weakest first, and how many are left out."""
    order = np.argsort(weights, kind="stable")
    hidden = max(0, len(order) - limit)
    return order[hidden:], hidden


def edge_traces(positions, edges, weights, theme, faint=False):
    """One trace of NaN-separated lines for each class of weight."""
    if not len(edges):
        return []
    truth = np.minimum((np.asarray(weights) * WEIGHT_CLASSES).astype(int), WEIGHT_CLASSES - 1)
    traces = []
    for c in range(WEIGHT_CLASSES):
        share = (c + 1) / WEIGHT_CLASSES
        opacity = (0.12 if faint else 0.25) + (0.15 if faint else 0.45) * share
        traces.append(_lines(positions, edges[truth == c], INKS[theme].muted, 0.4 + 1.6 * share, opacity))
    return traces


def _lines(positions, edges, color, width, opacity):
    ends = np.full((len(edges), 3, 2), np.nan)
    ends[:, :2] = positions[edges]
    x, y = ends.reshape(-1, 2).astype(np.float32).T
    line = {"color": translucent(color, opacity), "width": width}
    return spec.scattergl(
        x=np.ascontiguousarray(x), y=np.ascontiguousarray(y), mode="lines", line=line, hoverinfo="skip"
    )


def faint_edges(positions, edges, theme):
    """Trace of thin grey lines that lie below the dots of objects, the fainter the more there are."""
    return _lines(positions, edges, INKS[theme].muted, 0.5, float(np.clip(12 / np.sqrt(len(edges)), 0.15, 0.5)))


def node_sizes(sizes):
    """Diameters in pixels: the area follows the number of objects."""
    sizes = np.asarray(sizes, float)
    widest = np.clip(520 / np.sqrt(len(sizes)), 9, 34)
    return np.maximum(4, widest * np.sqrt(sizes / sizes.max())).astype(np.float32)


def node_trace(positions, sizes, theme, labels=None, density=None, focus=None):
    """The nodes; the one looked at has a ring."""
    ink, n = INKS[theme], len(sizes)
    ring = np.zeros(n, np.float32)
    if focus is not None:
        ring[focus] = 2.5
    marker = {"size": node_sizes(sizes), "opacity": 0.95, "line": {"width": ring, "color": ink.text}}
    if density is not None:
        bar = {"thickness": 9, "len": 0.5, "outlinewidth": 0, "title": {"text": "density"}}
        marker |= {"color": np.asarray(density, np.float32), "colorscale": "Cividis", "colorbar": bar}
    else:
        marker |= {"color": ink.muted} if labels is None else cluster_marks(labels)
    hover = "microcluster %{customdata:,}<br>%{text} objects<extra></extra>"
    x, y = np.asarray(positions, np.float32).T
    return spec.scattergl(
        x=np.ascontiguousarray(x),
        y=np.ascontiguousarray(y),
        mode="markers",
        marker=marker,
        name="nodes",
        customdata=numbers(np.arange(n)),
        text=[f"{size:,}" for size in sizes],
        hovertemplate=hover,
    )


def frame_axes(fig, positions, axis_names, equal, **place):
    """Ranges that leave room for the dots."""
    fig.update_xaxes(range=padded_range(positions[:, 0]), title_text=html(axis_names[0]), **place)
    fig.update_yaxes(range=padded_range(positions[:, 1]), title_text=html(axis_names[1]), **place)
    if equal:
        fig.update_yaxes(scaleanchor="x", **place)


def picked_rings(positions, sizes, picked, theme):
    """Trace of rings around the nodes that hold a picked object."""
    x, y = np.asarray(positions, np.float32)[picked].T
    return spec.scattergl(
        x=np.ascontiguousarray(x),
        y=np.ascontiguousarray(y),
        mode="markers",
        name="picked",
        hoverinfo="skip",
        marker={
            "symbol": "circle-open",
            "size": node_sizes(sizes)[picked] + 6,
            "color": INKS[theme].accent,
            "line": {"width": 2.5},
        },
    )
