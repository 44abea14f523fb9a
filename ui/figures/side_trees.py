"""A tree drawn along the side of a matrix whose rows stand in the tree's order."""

import numpy as np

from engine.partition import node_spans
from ui.figures import spec
from ui.figures.style import INKS


def add_side_tree(fig, merges, similarities, leaf_start, leaf_end, window, theme, *, top=60):
    """Draw the last merges of a tree to the left of a matrix image; root at the far left.

    Parameters
    ----------
    fig : ui.figures.spec.Figure
        From `matrix_image`, with `extent` = the window; its x axis is widened.
    merges : (n-1, 2) int array
        As in `dendrogram_figure`.
    similarities : (n-1,) float array
    leaf_start, leaf_end : (n,) float arrays
        First and past-the-last row of each leaf in the order shown.
    window : (int, int)
        First and past-the-last row that the image shows.
    theme : {"light", "dark"}
    top : int
        Merges drawn.
    """
    start, end, center = node_spans(merges, leaf_start, leaf_end)
    n = len(leaf_start)
    first = max(0, len(merges) - top)
    height = np.concatenate([np.full(n, similarities[first]), similarities])
    height[n : n + first] = similarities[first]
    low, high = fig.layout["xaxis"]["range"]
    width = 0.22 * (high - low)
    depth = _scaled(height, similarities[first], similarities[-1], low - 0.02 * width, low - width)
    shown = np.arange(first, len(merges))
    shown = shown[(end[n + shown] > window[0]) & (start[n + shown] < window[1])]
    a, b = merges[shown].T
    across = depth[n + shown]
    gap = np.full(len(shown), np.nan)
    x = np.stack([depth[a], across, across, depth[b], gap], axis=1).ravel()
    y = np.stack([center[a], center[a], center[b], center[b], gap], axis=1).ravel()
    line = {"color": INKS[theme].muted, "width": 1.1}
    trace = spec.scatter(
        x=x.astype(np.float32),
        y=np.clip(y, *window).astype(np.float32),
        mode="lines",
        line=line,
        hoverinfo="skip",
        name="tree",
    )
    fig.add_trace(trace)
    fig.update_xaxes(range=[low - 1.03 * width, high])


def _scaled(values, old_low, old_high, new_low, new_high):
    """Map one range onto another; a range of no length goes to its middle."""
    span = old_high - old_low
    share = np.full(len(values), 0.5) if span == 0 else (values - old_low) / span
    return new_low + share * (new_high - new_low)
