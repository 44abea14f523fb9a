"""A graph of microclusters over the projection, and random walkers on it: where they are, where they have been."""

import numpy as np

from ui.figures import spec
from ui.figures.films import film
from ui.figures.numbering import FIRST, numbers
from ui.figures.style import (
    GLOW_SCALES,
    INKS,
    cluster_marks,
    coordinates,
    finish,
    padded_range,
    translucent,
    whole_ticks,
)
from ui.outside import html
from ui.saying import counted

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
    notes = _hidden(hidden)
    alt = f"Graph of {counted(len(sizes), 'microcluster')} and {counted(len(weights), 'link')}."
    return finish(fig, theme, alt, height=height, notes=notes)


def _hidden(n):
    return [f"{counted(n, 'weaker link is', 'weaker links are')} not drawn"] if n else []


def strongest(weights, limit=MAX_EDGES):
    """Indices of the strongest edges, weakest first, and how many are left out."""
    hidden = max(0, len(weights) - limit)
    if not hidden:
        return np.argsort(weights, kind="stable"), 0
    enough = np.flatnonzero(weights >= np.partition(weights, hidden)[hidden])  # to sort all takes much longer
    return enough[np.argsort(weights[enough], kind="stable")[-limit:]], hidden


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
    x, y = coordinates(ends.reshape(-1, 2))
    line = {"color": translucent(color, opacity), "width": width}
    return spec.scattergl(x=x, y=y, mode="lines", line=line, hoverinfo="skip")


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
    x, y = coordinates(positions)
    return spec.scattergl(
        x=x,
        y=y,
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
    x, y = coordinates(positions[picked])
    return spec.scattergl(
        x=x,
        y=y,
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


#: What the two objects are called where nobody says.
OBJECTS = "object i", "object j"


def walk_film(
    positions,
    sizes,
    edges,
    weights,
    trajectories,
    starts,
    cosines,
    theme,
    *,
    equal=False,
    height=460,
    picked=None,
    stacked=False,
    names=OBJECTS,
):
    """Two walkers on one graph: the glow of a node is the probability that the walker is there.

    `trajectories` are two (T, n) arrays, `cosines` (T,) of both up to each step; frame 0 is the start, frame t is step
    t. `picked` nodes have a ring; `stacked`: the second walker stands below the first, not beside it. `names` say from
    which object each sets out.
    """
    places = np.arange(len(sizes))
    both = [np.vstack([places == start, walk]) for walk, start in zip(trajectories, starts, strict=True)]
    shape = {"gap_y": 0.1} if stacked else {"gap_x": 0.04}
    fig = spec.grid(*((2, 1) if stacked else (1, 2)), **shape, titles=_walkers(names))
    order, hidden = strongest(weights, 1500)
    for one in (1, 2):
        place = {"row": one, "col": 1} if stacked else {"row": 1, "col": one}
        for trace in edge_traces(positions, np.asarray(edges)[order], np.asarray(weights)[order], theme, True):
            fig.add_trace(trace, **place)
        fig.add_trace(_glow(positions, sizes, both[one - 1][0], starts[one - 1], theme), **place)
        if picked is not None:
            fig.add_trace(picked_rings(positions, sizes, picked, theme), **place)
        frame_axes(fig, positions, ("", ""), False, **place)
        if equal:
            fig.update_yaxes(scaleanchor="x" if one == 1 else "x2", **place)
    fig.update_xaxes(showticklabels=False, showgrid=False, matches="x")
    fig.update_yaxes(showticklabels=False, showgrid=False)
    nodes = [i for i, trace in enumerate(fig.data) if trace.get("name") == "glow"]
    frames, captions = [], []
    for t in range(len(both[0])):
        data = [spec.scattergl(marker={"color": _brightness(walk[t])}) for walk in both]
        frames.append(spec.frame(str(t), data, nodes))
        captions.append(_caption(t, both, cosines))
    notes = [f"{note}<br> " for note in _hidden(hidden)]  # above the titles of the walkers
    alt = f"Two random walkers over {counted(len(both[0]) - 1, 'step')}; cosine at the end {cosines[-1]:.2f}."
    finish(fig, theme, alt, height=height, notes=notes)
    fig.update_layout(margin_t=46 + 17 * len(notes))
    return film(fig, frames, captions, theme)


def _caption(t, both, cosines):
    if t == 0:
        return "step 0: both stand at their start"
    places = [int((walk[t] > 0.01).sum()) for walk in both]
    return f"step {t}: {places[0]} and {places[1]} places > 1 %, cosine {cosines[t - 1]:.3f}"  # a phone's width


def _glow(positions, sizes, probability, start, theme):
    ink = INKS[theme]
    ring = np.full(len(sizes), 0.6, np.float32)
    ring[start] = 3
    x, y = coordinates(positions)
    return spec.scattergl(
        x=x,
        y=y,
        mode="markers",
        name="glow",
        customdata=numbers(np.arange(len(x))),
        hovertemplate="microcluster %{customdata:,}<extra></extra>",
        meta=_PROBABILITY,
        marker={
            "size": node_sizes(sizes),
            "color": _brightness(probability),
            "cmin": 0,
            "cmax": 100,
            "colorscale": GLOW_SCALES[theme],
            "line": {"width": ring, "color": ink.muted},
        },
    )


#: What a level of brightness stands for.
_PROBABILITY = {"unit": 0.01, "power": 2}
#: So many steps have room for their numbers beside one of two pictures.
_STEPS_NAMED = 4


def _brightness(probability):
    """Probability on a square-root scale, as bytes 0 .. 100: small ones stay visible."""
    return np.rint(100 * np.sqrt(probability)).astype(np.uint8)


def _walkers(names):
    return [f"walker of {html(name)}" for name in names]


def walk_heatmaps(trajectories, order, theme, *, names=OBJECTS, height=300):
    """Step by node, one picture a walker, nodes from left to right in `order`."""
    fig = spec.grid(2, 1, shared_x=True, gap_y=0.16, titles=_walkers(names))
    for row, walk in enumerate(trajectories, 1):
        levels = _brightness(walk[:, order])
        picture = spec.heatmap(
            z=levels,
            zmin=0,
            zmax=100,
            colorscale=GLOW_SCALES[theme],
            showscale=False,
            x0=FIRST,
            dx=1,
            y0=1,
            dy=1,
            meta=_PROBABILITY,
            hovertemplate="step %{y}, node %{x:,} in this order<extra></extra>",
        )
        fig.add_trace(picture, row=row, col=1)
    steps = whole_ticks([1, len(trajectories[0])]) if len(trajectories[0]) <= _STEPS_NAMED else {}
    fig.update_yaxes(title_text="step t", autorange="reversed", showgrid=False, **steps)
    fig.update_xaxes(showgrid=False)
    fig.update_xaxes(title_text="microclusters, ordered by cluster", row=2, col=1)
    alt = f"Probabilities of two walkers over {counted(len(trajectories[0]), 'step')}."
    finish(fig, theme, alt, height=height)
    fig.update_layout(margin_t=46)
    return fig
