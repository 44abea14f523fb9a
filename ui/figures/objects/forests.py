"""Prototypes on the decision graph, and trees that grow over the projection."""

import numpy as np

from ui.figures import spec
from ui.figures.films import film
from ui.figures.numbering import numbers
from ui.figures.objects.graphs import frame_axes, node_sizes, picked_rings
from ui.figures.style import INKS, PALETTE, UNASSIGNED, cluster_colors, coordinates, finish, painted, translucent
from ui.saying import counted

#: Links of the first and of the last round are so wide.
WIDEST, FINEST = 3.2, 1.0
#: Where the timeline and the controls begin, as a share of the width, and how far down the timeline reaches.
BESIDE = 0.69
TIMELINE = 0.7
HIDDEN = "rgba(0, 0, 0, 0)"
#: Dots are smaller than elsewhere: what is looked at is the links between them.
DOTS = 0.55


def decision_graph(density, capacity, roots, theme, *, colors=None, height=420):
    """Density against capacity, (n,) each; the prototypes `roots` (k,) are those with the largest product.

    `colors` (k,): their places in the palette, where they are others than their order.
    """
    ink, fig = INKS[theme], spec.Figure()
    top = float(np.max(density)) * 1.05
    grid = np.linspace(top / 60, top, 80)
    product = np.sort(np.asarray(density) * capacity)[::-1]
    last = product[min(len(roots), len(product)) - 1]
    levels = np.unique(np.round([last, *(product[0] * np.array([0.75, 0.5, 0.25]))], 6))
    for level in levels[levels > 0]:
        chosen = np.isclose(level, last, atol=1e-6)
        line = {"color": ink.accent if chosen else ink.line, "width": 1.6 if chosen else 1, "dash": "dot"}
        y = level / grid
        y[y > float(np.max(capacity)) * 1.1] = np.nan
        fig.add_trace(spec.scatter(x=grid, y=y, mode="lines", line=line, hoverinfo="skip"))
    inks = np.full(len(density), UNASSIGNED, dtype=object)
    inks[roots] = cluster_colors(painted(np.arange(len(roots)), colors))
    size = np.full(len(density), 6.0)
    size[roots] = 13
    hover = "microcluster %{customdata:,}<br>density %{x:.3f}, capacity %{y:.3f}<extra></extra>"
    fig.add_trace(
        spec.scattergl(
            x=np.asarray(density, np.float32),
            y=np.asarray(capacity, np.float32),
            mode="markers",
            name="nodes",
            customdata=numbers(np.arange(len(density))),
            hovertemplate=hover,
            marker={"color": inks.tolist(), "size": size.tolist(), "line": {"width": 0.6, "color": ink.paper}},
        )
    )
    fig.update_xaxes(title_text="density", range=[0, top])
    fig.update_yaxes(title_text="capacity", range=[0, float(np.max(capacity)) * 1.12 + 1e-9])
    return finish(
        fig,
        theme,
        f"Decision graph of {counted(len(density), 'microcluster')}, {counted(len(roots), 'prototype')}.",
        height=height,
    )


def forest_film(
    positions, sizes, growth, theme, *, axis_names=("", ""), equal=False, height=520, picked=None, colors=None
):
    """Trees growing round by round, each in its colour; earlier links are thicker, those who wait are grey.

    Frame 0 shows the prototypes alone; the last frame is the forest. Nodes `picked` (n,) have a ring; `colors` (k,):
    places of the trees in the palette, where they are others than their order.
    """
    fig, n_trees = spec.Figure(), int(growth.tree.max()) + 1
    inks, drawn = cluster_colors(painted(np.arange(n_trees), colors)), []
    for color, r in _colors_and_rounds(growth, inks):
        nodes = np.flatnonzero((inks[growth.tree] == color) & (growth.round == r))
        width = WIDEST - (WIDEST - FINEST) * (r - 1) / max(1, growth.n_rounds - 1)
        fig.add_trace(_links(positions, nodes, growth.linked_to[nodes], width, HIDDEN))
        drawn.append((r, translucent(color, 0.8)))
    roots = np.flatnonzero(growth.round == 0)
    fig.add_trace(_nodes(positions, sizes, _shown(growth, 0, colors), roots, theme))
    frame_axes(fig, positions, axis_names, equal)
    _timeline(fig, growth, theme)
    if picked is not None:
        fig.add_trace(picked_rings(positions, sizes, picked, theme))
    frames, captions = [], []
    for r in range(growth.n_rounds + 1):
        lines = [spec.scattergl(line={"color": color if made <= r else HIDDEN}) for made, color in drawn]
        dots = spec.scattergl(marker={"color": _colors(_shown(growth, r, colors))})
        bars = spec.bar(marker={"color": _lit(growth, r, theme)})
        frames.append(spec.frame(str(r), [*lines, dots, bars], range(len(drawn) + 2)))
        captions.append(_caption(growth, r))
    fig.add_trace(_margins_of_links(positions, growth))
    finish(fig, theme, f"{counted(len(roots), 'tree')} grown in {counted(growth.n_rounds, 'round')}.", height=height)
    fig.update_layout(margin_t=16)
    return film(fig, frames, captions, theme, milliseconds=700, under_bars=True, beside=(BESIDE, TIMELINE - 0.03))


def _colors_and_rounds(growth, inks):
    """Colours of trees with the rounds in which some of them grow: a line has one colour, one moment to appear."""
    joined = growth.linked_to >= 0
    return sorted(set(zip(inks[growth.tree[joined]].tolist(), growth.round[joined].tolist(), strict=True)))


def _margins_of_links(positions, growth):
    """Dots that nobody sees, in the middle of every link: who joined whom, when, and how clearly."""
    nodes = np.flatnonzero(growth.linked_to >= 0)
    x, y = coordinates((positions[nodes] + positions[growth.linked_to[nodes]]) / 2)
    told = zip(numbers(nodes), numbers(growth.linked_to[nodes]), growth.round[nodes], growth.margin[nodes], strict=True)
    return spec.scattergl(
        x=x,
        y=y,
        mode="markers",
        name="links",
        marker={"size": 7, "color": HIDDEN},
        text=[f"microcluster {a:,} joins {b:,} in round {r}<br>margin {margin:.3f}" for a, b, r, margin in told],
        hovertemplate="%{text}<extra></extra>",
    )


def _timeline(fig, growth, theme):
    """A bar a round beside the forest, how many joined in it; the scrubber runs below, place under bar."""
    hover = "round %{x}<br>objects that join: %{y:,}<extra></extra>"
    joined = np.concatenate([[0], growth.joined])
    fig.add_trace(
        spec.bar(
            x=np.arange(len(joined)),
            y=joined,
            xaxis="x2",
            yaxis="y2",
            name="rounds",
            hovertemplate=hover,
            marker={"color": _lit(growth, 0, theme)},
        )
    )
    across = {"anchor": "y2", "domain": [BESIDE, 1], "range": [-0.5, len(joined) - 0.5]}
    up = {"anchor": "x2", "domain": [TIMELINE, 1], "title": {"text": "objects that join"}, "nticks": 4}
    fig.update_layout(
        xaxis_domain=[0, BESIDE - 0.1],
        xaxis2={**across, "showticklabels": False, "fixedrange": True},
        yaxis2={**up, "fixedrange": True},
    )


def _lit(growth, r, theme):
    """Colours of the bars while round r stands."""
    ink = INKS[theme]
    return [ink.accent if place == r else ink.line for place in range(growth.n_rounds + 1)]


def _shown(growth, r, colors):
    """Place in the palette of everybody who has joined by round r, -1 for the others."""
    return painted(np.where(growth.round <= r, growth.tree, -1), colors)


def _colors(places):
    """Numbers of colours: 0 is "not yet assigned"."""
    return (places % len(PALETTE) + 1) * (places >= 0)


def _caption(growth, r):
    if r == 0:
        return "round 0: the prototypes"
    joined, waiting = int(growth.joined[r - 1]), int(growth.joined[r:].sum())
    join, wait = ("joins" if joined == 1 else "join"), ("waits" if waiting == 1 else "wait")
    return f"round {r}: {joined:,} {join} at threshold {growth.threshold[r - 1]:.3f}, {waiting:,} {wait}"


def _links(positions, nodes, others, width, color):
    ends = np.full((len(nodes), 3, 2), np.nan)
    ends[:, 0], ends[:, 1] = positions[nodes], positions[others]
    x, y = coordinates(ends.reshape(-1, 2))
    return spec.scattergl(
        x=x,
        y=y,
        mode="lines",
        hoverinfo="skip",
        line={"width": width, "color": color},
    )


def _nodes(positions, sizes, places, roots, theme):
    steps = (UNASSIGNED, *PALETTE)
    scale = [[(i + side) / len(steps), color] for i, color in enumerate(steps) for side in (0, 1)]
    ring = np.zeros(len(sizes), np.float32)
    ring[roots] = 2.5
    x, y = coordinates(positions)
    return spec.scattergl(
        x=x,
        y=y,
        mode="markers",
        name="forest",
        customdata=numbers(np.arange(len(sizes))),
        hovertemplate="microcluster %{customdata:,}<extra></extra>",
        marker={
            "size": DOTS * node_sizes(sizes) + 2,
            "color": _colors(places),
            "colorscale": scale,
            "cmin": -0.5,
            "cmax": len(PALETTE) + 0.5,
            "line": {"width": ring, "color": INKS[theme].text},
        },
    )


def margin_figure(margins, counts, threshold, theme, *, height=280):
    """Margins (v,) of those who wait in one round, distinct and ascending, with their counts and Otsu's threshold.

    A single margin divides nobody: those who wait join together.
    """
    ink, margins = INKS[theme], np.asarray(margins)
    divided = len(margins) > 1
    color = np.where((margins > threshold) | (not divided), ink.accent, ink.line)
    hover = "margin %{x:.3f}<br>objects: %{y:,}<extra></extra>"
    fig = spec.Figure([spec.bar(x=margins, y=np.asarray(counts), marker={"color": color}, hovertemplate=hover)])
    if divided:
        fig.add_vline(threshold, line={"color": ink.text, "width": 1.4, "dash": "dash"})
    words, side = ("Otsu's threshold", "left") if divided else ("all margins are equal, which divides nobody", "center")
    fig.add_annotation(x=threshold, y=1, yref="y domain", yshift=12, xanchor=side, text=words)
    fig.update_xaxes(title_text="margin: nearest tree less second nearest")
    fig.update_yaxes(title_text="objects that wait")
    fig.update_layout(margin_t=44)
    return finish(fig, theme, f"Margins of {int(np.sum(counts)):,} waiting objects.", height=height)
