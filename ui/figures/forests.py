"""Prototypes on the decision graph, and trees that grow over the projection."""

import numpy as np

from ui.figures import spec
from ui.figures.films import film
from ui.figures.graphs import frame_axes, node_sizes, picked_rings
from ui.figures.numbering import numbers
from ui.figures.style import INKS, PALETTE, UNASSIGNED, cluster_colors, finish, translucent

#: Links are drawn in at most so many traces, by round: a line has one width and one moment to appear.
LINK_GROUPS = 12


def decision_graph(density, capacity, roots, theme, *, height=420):
    """Density against capacity; prototypes are those with the largest product.

    Parameters
    ----------
    density, capacity : (n,) float arrays
    roots : (k,) int array
        Prototypes, in the order of their trees.
    theme : {"light", "dark"}
    height : int

    Returns
    -------
    ui.figures.spec.Figure
        `customdata` is the number of the microcluster.
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
    colors = np.full(len(density), UNASSIGNED, dtype=object)
    colors[roots] = cluster_colors(len(roots))
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
            marker={"color": colors.tolist(), "size": size.tolist(), "line": {"width": 0.6, "color": ink.paper}},
        )
    )
    fig.update_xaxes(title_text="density", range=[0, top])
    fig.update_yaxes(title_text="capacity", range=[0, float(np.max(capacity)) * 1.12 + 1e-9])
    return finish(
        fig, theme, f"Decision graph of {len(density):,} microclusters, {len(roots)} prototypes.", height=height
    )


def forest_film(positions, sizes, growth, theme, *, axis_names=("", ""), equal=False, height=520, picked=None):
    """Trees growing round by round; earlier links are thicker, those who wait are grey.

    Parameters
    ----------
    positions : (n, 2) float array
    sizes : (n,) int array
    growth : Growth
        `tree`, `linked_to`, `round`, and per round `joined`, `threshold`.
    theme : {"light", "dark"}
    axis_names : (str, str)
    equal : bool
    height : int
    picked : (n,) bool array, optional
        Nodes with a ring: those that hold a picked object.

    Returns
    -------
    ui.figures.spec.Figure
        Frame 0 shows the prototypes alone; the last frame is the forest.
    """
    fig, ink = spec.Figure(), INKS[theme]
    groups = min(LINK_GROUPS, growth.n_rounds)
    group_of = (np.maximum(growth.round, 1) - 1) * groups // max(1, growth.n_rounds)
    hidden = "rgba(0, 0, 0, 0)"
    for group in range(groups):
        nodes = np.flatnonzero((group_of == group) & (growth.linked_to >= 0))
        fig.add_trace(_links(positions, nodes, growth.linked_to[nodes], 3.2 - 2.4 * group / max(1, groups - 1), hidden))
    roots = np.flatnonzero(growth.round == 0)
    fig.add_trace(_nodes(positions, sizes, _shown(growth, 0), roots, theme))
    frame_axes(fig, positions, axis_names, equal)
    _timeline(fig, growth, theme)
    if picked is not None:
        fig.add_trace(picked_rings(positions, sizes, picked, theme))
    frames, captions = [], []
    for r in range(growth.n_rounds + 1):
        lines = [
            spec.scattergl(line={"color": translucent(ink.text, 0.55) if _begun(growth, group_of, g, r) else hidden})
            for g in range(groups)
        ]
        dots = spec.scattergl(marker={"color": _colors(_shown(growth, r))})
        bars = spec.bar(marker={"color": _lit(growth, r, theme)})
        frames.append(spec.frame(str(r), [*lines, dots, bars], range(groups + 2)))
        captions.append(_caption(growth, r))
    finish(fig, theme, f"{len(roots)} trees grown in {growth.n_rounds} rounds.", height=height)
    return film(fig, frames, captions, theme, milliseconds=700, under_bars=True)


def _timeline(fig, growth, theme):
    """A bar a round under the forest, how many joined in it; the scrubber runs below, place under bar."""
    hover = "round %{x}: %{y:,} objects join<extra></extra>"
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
    fig.update_layout(
        yaxis_domain=[0.3, 1],
        xaxis2={"anchor": "y2", "range": [-0.5, len(joined) - 0.5], "showticklabels": False, "fixedrange": True},
        yaxis2={"anchor": "x2", "domain": [0, 0.16], "title": {"text": "join"}, "nticks": 3, "fixedrange": True},
    )


def _lit(growth, r, theme):
    """Colours of the bars while round r stands."""
    ink = INKS[theme]
    return [ink.accent if place == r else ink.line for place in range(growth.n_rounds + 1)]


def _begun(growth, group_of, group, r):
    """Whether the rounds of a group of links have begun by round r."""
    rounds = growth.round[(group_of == group) & (growth.linked_to >= 0)]
    return len(rounds) > 0 and rounds.min() <= r


def _shown(growth, r):
    """Tree of everybody who has joined by round r, -1 for the others."""
    return np.where(growth.round <= r, growth.tree, -1)


def _colors(trees):
    """Numbers of colours: 0 is "not yet assigned"."""
    return (trees % len(PALETTE) + 1) * (trees >= 0)


def _caption(growth, r):
    if r == 0:
        return "round 0: the prototypes"
    joined, waiting = int(growth.joined[r - 1]), int(growth.joined[r:].sum())
    verb = "joins" if joined == 1 else "join"
    return f"round {r}: {joined:,} {verb} at threshold {growth.threshold[r - 1]:.3f}, {waiting:,} wait"


def _links(positions, nodes, others, width, color):
    ends = np.full((len(nodes), 3, 2), np.nan)
    ends[:, 0], ends[:, 1] = positions[nodes], positions[others]
    x, y = ends.reshape(-1, 2).astype(np.float32).T
    return spec.scattergl(
        x=np.ascontiguousarray(x),
        y=np.ascontiguousarray(y),
        mode="lines",
        hoverinfo="skip",
        line={"width": width, "color": color},
    )


def _nodes(positions, sizes, trees, roots, theme):
    steps = (UNASSIGNED, *PALETTE)
    scale = [[(i + side) / len(steps), color] for i, color in enumerate(steps) for side in (0, 1)]
    ring = np.zeros(len(sizes), np.float32)
    ring[roots] = 2.5
    x, y = np.asarray(positions, np.float32).T
    return spec.scattergl(
        x=np.ascontiguousarray(x),
        y=np.ascontiguousarray(y),
        mode="markers",
        name="forest",
        customdata=numbers(np.arange(len(sizes))),
        hovertemplate="microcluster %{customdata:,}<extra></extra>",
        marker={
            "size": node_sizes(sizes),
            "color": _colors(trees),
            "colorscale": scale,
            "cmin": -0.5,
            "cmax": len(PALETTE) + 0.5,
            "line": {"width": ring, "color": INKS[theme].text},
        },
    )


def margin_figure(margins, counts, threshold, theme, *, height=280):
    """Margins of those who wait in one round, with Otsu's threshold.

    Parameters
    ----------
    margins : (v,) float array
        Distinct values, ascending.
    counts : (v,) int array
        Objects with each.
    threshold : float
    theme : {"light", "dark"}
    height : int

    Returns
    -------
    ui.figures.spec.Figure
    """
    ink = INKS[theme]
    color = np.where(np.asarray(margins) > threshold, ink.accent, ink.line)
    hover = "margin %{x:.3f}: %{y:,} objects<extra></extra>"
    fig = spec.Figure(
        [spec.bar(x=np.asarray(margins), y=np.asarray(counts), marker={"color": color}, hovertemplate=hover)]
    )
    fig.add_vline(threshold, line={"color": ink.text, "width": 1.4, "dash": "dash"})
    fig.add_annotation(x=threshold, y=1, yref="y domain", yshift=12, xanchor="left", text="Otsu's threshold")
    fig.update_xaxes(title_text="margin between the nearest and the second nearest tree")
    fig.update_yaxes(title_text="objects that wait")
    fig.update_layout(margin_t=44)
    return finish(fig, theme, f"Margins of {int(np.sum(counts)):,} waiting objects.", height=height)
