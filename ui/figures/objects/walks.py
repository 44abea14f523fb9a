"""Random walkers: where they are, and where they have been."""

import numpy as np

from ui.figures import spec
from ui.figures.films import film
from ui.figures.numbering import numbers
from ui.figures.objects.graphs import edge_traces, frame_axes, node_sizes, picked_rings, strongest
from ui.figures.style import GLOW_SCALES, INKS, finish


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
):
    """Two walkers on one graph: the glow of a node is the probability that the walker is there.

    `trajectories` are two (T, n) arrays, `cosines` (T,) of both up to each step; frame 0 is the start, frame t is step
    t. `picked` nodes have a ring; `stacked`: the second walker stands below the first, not beside it.
    """
    both = [np.vstack([np.eye(len(sizes))[start], walk]) for walk, start in zip(trajectories, starts, strict=True)]
    shape = {"gap_y": 0.1} if stacked else {"gap_x": 0.04}
    fig = spec.grid(*((2, 1) if stacked else (1, 2)), **shape, titles=("walker of object i", "walker of object j"))
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
    notes = [f"{hidden:,} weaker links are not drawn<br> "] if hidden else []  # above the titles of the walkers
    alt = f"Two random walkers over {len(both[0]) - 1} steps; cosine at the end {cosines[-1]:.2f}."
    finish(fig, theme, alt, height=height, notes=notes)
    fig.update_layout(margin_t=46 + 17 * len(notes))
    return film(fig, frames, captions, theme)


def _caption(t, both, cosines):
    if t == 0:
        return "step 0: both stand at their start"
    places = [int((walk[t] > 0.01).sum()) for walk in both]
    return f"step {t}: above 1 % in {places[0]} and {places[1]} places, cosine {cosines[t - 1]:.3f}"


def _glow(positions, sizes, probability, start, theme):
    ink = INKS[theme]
    ring = np.full(len(sizes), 0.6, np.float32)
    ring[start] = 3
    x, y = np.asarray(positions, np.float32).T
    return spec.scattergl(
        x=np.ascontiguousarray(x),
        y=np.ascontiguousarray(y),
        mode="markers",
        name="glow",
        customdata=numbers(np.arange(len(x))),
        hovertemplate="microcluster %{customdata:,}<extra></extra>",
        marker={
            "size": node_sizes(sizes),
            "color": _brightness(probability),
            "cmin": 0,
            "cmax": 100,
            "colorscale": GLOW_SCALES[theme],
            "line": {"width": ring, "color": ink.muted},
        },
    )


def _brightness(probability):
    """Probability on a square-root scale, as bytes 0 .. 100: small ones stay visible."""
    return np.rint(100 * np.sqrt(probability)).astype(np.uint8)


def walk_heatmaps(trajectories, order, theme, *, height=300):
    """Step by node, one picture a walker, nodes from left to right in `order`."""
    fig = spec.grid(2, 1, shared_x=True, gap_y=0.16, titles=("walker of object i", "walker of object j"))
    for row, walk in enumerate(trajectories, 1):
        levels = _brightness(walk[:, order])
        picture = spec.heatmap(
            z=levels,
            zmin=0,
            zmax=100,
            colorscale=GLOW_SCALES[theme],
            showscale=False,
            y0=1,
            dy=1,
            hovertemplate="step %{y}, node %{x:,} in this order<extra></extra>",
        )
        fig.add_trace(picture, row=row, col=1)
    fig.update_yaxes(title_text="step t", autorange="reversed", showgrid=False)
    fig.update_xaxes(showgrid=False)
    fig.update_xaxes(title_text="microclusters, ordered by cluster", row=2, col=1)
    alt = f"Probabilities of two walkers over {len(trajectories[0])} steps."
    finish(fig, theme, alt, height=height)
    fig.update_layout(margin_t=46)
    return fig
