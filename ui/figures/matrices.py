"""Matrices of pairs as images: bytes on a fixed range, labels along the edges."""

import numpy as np
import plotly.graph_objects as go

from ui.figures.style import DIFFERENCE_SCALES, INKS, SIMILARITY_SCALE, cluster_scale, finish

LEVELS = 100  # a level reads as a percentage on hover, and 1 % is finer than the eye


def matrix_image(
    values,
    theme,
    *,
    scale="similarity",
    limit=1.0,
    name=None,
    row_labels=None,
    column_labels=None,
    borders=False,
    extent=None,
    title=None,
    height=460,
):
    """Matrix as an image with true values on its colour bar.

    Parameters
    ----------
    values : (h, w) float array
        In [0, limit] for similarities, [-limit, limit] for differences; what is outside is clipped.
        Reduce a large matrix to about 500 x 500 beforehand.
    theme : {"light", "dark"}
    scale : {"similarity", "difference"}
        Sequential from 0, or diverging around 0.
    limit : float
        The end of the range, never taken from the data: matrices beside each other stay comparable.
    name : str, optional
        What a value is, for hover and colour bar; by default the scale's name.
    row_labels, column_labels : (h,) and (w,) int arrays, optional
        Cluster ids drawn as strips along the left and the top edge.
    borders : bool
        Thin lines where `row_labels` and `column_labels` change.
    extent : (float, float, float, float), optional
        First and past-the-last row, then column, that the image covers; by default its own shape.
    title : str, optional
    height : int
        In pixels.

    Returns
    -------
    plotly.graph_objects.Figure
        The first trace is the image: uint8 (int8 for differences), in percent of `limit`.
    """
    values, name = np.asarray(values), name or scale
    top, bottom, left, right = _edges(values.shape, extent)
    fig = go.Figure(_image(values, scale, limit, name, (top, bottom, left, right), theme))
    thick = 0.03 * max(bottom - top, right - left)
    if row_labels is not None:
        fig.add_trace(_strip(np.asarray(row_labels)[:, None], (top, bottom, left - 1.4 * thick, left - 0.4 * thick)))
    if column_labels is not None:
        fig.add_trace(_strip(np.asarray(column_labels)[None], (top - 1.4 * thick, top - 0.4 * thick, left, right)))
    if borders:
        fig.add_trace(_borders(row_labels, column_labels, (top, bottom, left, right)))
    margins = 1.4 * thick * (column_labels is not None), 1.4 * thick * (row_labels is not None)
    _square_axes(fig, top - margins[0], bottom, left - margins[1], right)
    alt = f"{name} matrix of {bottom - top:,.0f} by {right - left:,.0f}, mean {values.mean():.3g}."
    return finish(fig, theme, alt, height=height, title=title)


def _edges(shape, extent):
    """First and past-the-last row and column."""
    return (0, shape[0], 0, shape[1]) if extent is None else tuple(extent)


def _cells(shape, edges):
    """Placement of a heatmap's cells so that they fill the edges."""
    top, bottom, left, right = edges
    dy, dx = (bottom - top) / shape[0], (right - left) / shape[1]
    return {"y0": top + dy / 2, "dy": dy, "x0": left + dx / 2, "dx": dx}


def _image(values, scale, limit, name, edges, theme):
    """Heatmap of the values, in whole percent of the limit."""
    signed = scale == "difference"
    low = -LEVELS if signed else 0
    level = np.rint(np.clip(values / limit * LEVELS, low, LEVELS))
    of_limit = "" if limit == 1 else f" of {limit:g}"
    sign = "%{z:+d}" if signed else "%{z}"
    return go.Heatmap(
        z=level.astype(np.int8 if signed else np.uint8),
        zmin=low,
        zmax=LEVELS,
        colorscale=DIFFERENCE_SCALES[theme] if signed else SIMILARITY_SCALE,
        colorbar=_color_bar(low, limit, name, theme),
        hovertemplate=f"row %{{y:,.0f}}, column %{{x:,.0f}}<br>{name} {sign} %{of_limit}<extra></extra>",
        **_cells(values.shape, edges),
    )


def _color_bar(low, limit, name, theme):
    """Slim bar under the image with six (or five) true values."""
    ticks = np.linspace(low, LEVELS, 5 if low else 6)
    return {
        "orientation": "h",
        "x": 0.5,
        "xanchor": "center",
        "y": -0.02,
        "yanchor": "top",
        "lenmode": "pixels",
        "len": 260,
        "thickness": 9,
        "outlinewidth": 0,
        "tickvals": ticks,
        "ticktext": [f"{tick / LEVELS * limit:.3g}" for tick in ticks],
        "tickfont": {"color": INKS[theme].muted, "size": 12},
        "title": {"text": name, "side": "bottom", "font": {"color": INKS[theme].muted, "size": 13}},
    }


def _strip(labels, edges):
    """Band of cluster colours along an edge."""
    k = int(labels.max(initial=0)) + 1
    return go.Heatmap(
        z=labels.astype(np.int16),
        zmin=-1.5,
        zmax=k - 0.5,
        colorscale=cluster_scale(k),
        showscale=False,
        hovertemplate="cluster %{z}<extra></extra>",
        **_cells(labels.shape, edges),
    )


def _borders(row_labels, column_labels, edges):
    """Lines where the labels change, as one trace."""
    top, bottom, left, right = edges
    y = _changes(row_labels, top, bottom)
    x = _changes(column_labels, left, right)
    gap_y, gap_x = np.full(len(y), np.nan), np.full(len(x), np.nan)
    across = np.stack([np.full(len(y), left), np.full(len(y), right), gap_y], axis=1).ravel()
    down = np.stack([np.full(len(x), top), np.full(len(x), bottom), gap_x], axis=1).ravel()
    return go.Scatter(
        x=np.concatenate([across, np.repeat(x, 3)]).astype(np.float32),
        y=np.concatenate([np.repeat(y, 3), down]).astype(np.float32),
        mode="lines",
        line={"color": "rgba(255, 255, 255, 0.55)", "width": 0.8},
        hoverinfo="skip",
    )


def _changes(labels, start, end):
    """Positions between start and end where labels change."""
    if labels is None:
        return np.empty(0)
    labels = np.asarray(labels)
    return start + (np.flatnonzero(np.diff(labels)) + 1) * (end - start) / len(labels)


def _square_axes(fig, top, bottom, left, right):
    """Rows downwards, square cells, no lines over the image."""
    bare = {"showgrid": False, "constrain": "domain", "nticks": 6, "tickformat": ",d"}
    fig.update_xaxes(range=[left, right], showticklabels=False, **bare)
    fig.update_yaxes(range=[bottom, top], scaleanchor="x", **bare)
