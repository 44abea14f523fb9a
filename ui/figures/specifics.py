"""What is special in a method: similarities of clusters, objectives of its starts, the lambda at which it learns."""

import numpy as np

from ui.figures import spec
from ui.figures.cells import CLEAR
from ui.figures.matrices import matrix_image
from ui.figures.numbering import number
from ui.figures.style import INKS, finish, padded_range

#: Above so many clusters cells are too small to be clicked.
CLICKABLE = 150


def cluster_similarity_figure(values, order, clustering_of, theme, *, limit=1.0, pair=(), height=480):
    """Similarities (K, K) of all clusters as an image, in the given order; a click on a cell reports the two clusters.

    Up to `CLICKABLE` clusters, the trace "pairs" has i K + j in `customdata`, i and j the ids of both clusters; `pair`
    marks two of them.
    """
    order = np.asarray(order)
    figure = matrix_image(
        values[np.ix_(order, order)], theme, limit=limit, name="similarity of clusters", height=height
    )
    figure.data[0].update(hoverinfo="skip", hovertemplate=None)
    if len(order) <= CLICKABLE:
        figure.add_trace(_pairs(values, order, np.asarray(clustering_of), height))
    place = np.argsort(order)
    if len(pair) == 2:
        x, y = (np.array([place[pair[end]], place[pair[1 - end]]], np.float32) + 0.5 for end in (0, 1))
        marker = {"symbol": "square-open", "size": 11, "color": INKS[theme].accent, "line": {"width": 2.5}}
        figure.add_trace(spec.scatter(x=x, y=y, mode="markers", marker=marker, hoverinfo="skip", name="chosen"))
    return figure


def _pairs(values, order, clustering_of, height):
    """Unseen squares on the cells: a click on a heatmap reports nothing, one on a dot does."""
    row, column = (part.ravel() for part in np.indices((len(order),) * 2))
    i, j = order[row], order[column]
    words = [
        f"clusters {number(a)} and {number(b)}, of base clusterings {clustering_of[a]} and {clustering_of[b]}"
        f"<br>{values[a, b]:.3f}"
        for a, b in zip(i, j, strict=True)
    ]
    return spec.scattergl(
        x=(column + 0.5).astype(np.float32),
        y=(row + 0.5).astype(np.float32),
        mode="markers",
        name="pairs",
        customdata=(i * len(order) + j).astype(np.int32),  # one number: pairs come back from a browser as objects
        text=words,
        hovertemplate="%{text}<extra></extra>",
        marker={"symbol": "square", "size": max(3, 0.8 * height / len(order)), "color": CLEAR, "line": {"width": 0}},
    )


def starts_figure(objectives, theme, *, height=260):
    """What every start came to, the lower the better; the best is kept."""
    values, ink = np.asarray(objectives, float), INKS[theme]
    best, starts = int(values.argmin()), np.arange(1, len(values) + 1)
    color = np.where(np.arange(len(values)) == best, ink.accent, ink.muted)
    hover = "start %{x}<br>objective %{y:.6g}<extra></extra>"
    marker = {"color": color, "size": np.where(np.arange(len(values)) == best, 13, 9)}
    figure = spec.Figure(
        [
            spec.scatter(
                x=starts.astype(np.float32),
                y=values.astype(np.float32),
                mode="markers",
                marker=marker,
                hovertemplate=hover,
            )
        ]
    )
    figure.add_hline(y=values[best], line={"color": ink.accent, "width": 1.2, "dash": "dash"})
    figure.update_xaxes(title_text="start", range=[0.3, len(values) + 0.7])
    figure.update_yaxes(title_text="objective, lower is better", range=padded_range(values, 0.12))
    alt = f"Objective of {len(values):,} starts, {values.min():.6g} to {values.max():.6g}."
    return finish(figure, theme, alt, height=height)


def lambda_figure(stars, lam, theme, *, height=260):
    """How many microclusters begin to be learnt at which lambda* (n,), on a log10 axis, and the lambda chosen."""
    stars, ink = np.log10(np.asarray(stars, float)), INKS[theme]
    low, high = min(stars.min(), np.log10(lam)) - 0.15, max(stars.max(), np.log10(lam)) + 0.15
    counts, edges = np.histogram(stars, bins=np.linspace(low, high, 40))
    hover = "lambda* about %{customdata:.3g}<br>%{y:,} microclusters<extra></extra>"
    middle = (edges[1:] + edges[:-1]) / 2
    numbers = {"x": middle.astype(np.float32), "y": counts.astype(np.int32)}
    bars = spec.bar(
        **numbers, customdata=(10**middle).astype(np.float32), marker={"color": ink.muted}, hovertemplate=hover
    )
    figure = spec.Figure([bars])
    figure.add_vline(x=np.log10(lam), line={"color": ink.accent, "width": 2.5})
    figure.add_annotation(
        x=np.log10(lam), y=1, yref="paper", yanchor="bottom", showarrow=False, text=f"<b>λ = {lam:g}</b>",
        font={"color": ink.accent},
    )  # fmt: skip
    ticks = np.arange(np.ceil(low), np.floor(high) + 1)
    words = [f"{10**tick:g}" for tick in ticks]
    figure.update_xaxes(title_text="λ* of a microcluster", range=[low, high], tickvals=ticks, ticktext=words)
    figure.update_yaxes(title_text="microclusters", range=[0, 1.08 * counts.max()])
    alt = (
        f"lambda* of {len(stars):,} microclusters, {10 ** stars.min():.3g} to {10 ** stars.max():.3g}; lambda {lam:g}."
    )
    return finish(figure, theme, alt, height=height)
