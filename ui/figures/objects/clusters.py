"""The clusters of an ensemble: their size against their reliability, and how similar any two of them are."""

import numpy as np

from ui.figures import spec
from ui.figures.cells import CLEAR
from ui.figures.numbering import number
from ui.figures.objects.matrices import matrix_image
from ui.figures.objects.scatter import sampled
from ui.figures.style import INKS, finish, log_ticks

#: Above so many clusters cells are too small to be clicked.
CLICKABLE = 150


def cluster_cloud(sizes, uncertainty, index, clustering_of, theme, *, height=360):
    """One dot a cluster, its id in `customdata`: `sizes`, `uncertainty` in bits, `index` (ECI), all (K,).

    Of very many clusters as many as are drawn at once, the same random ones each time; a note says so.
    """
    sizes, index = np.asarray(sizes), np.asarray(index)
    shown = sampled(len(sizes), spec.MOST_SVG)
    drawn = (np.asarray(one)[shown].tolist() for one in (clustering_of, sizes, uncertainty))
    text = [
        f"base clustering {m}, {size:,} objects<br>uncertainty {h:.2f} bits" for m, size, h in zip(*drawn, strict=True)
    ]
    fig = spec.Figure(
        [
            spec.scatter(
                x=sizes[shown].astype(np.float32),
                y=index[shown].astype(np.float32),
                mode="markers",
                text=text,
                customdata=shown,
                hovertemplate="%{text}<br>ECI %{y:.3f}<extra></extra>",
                marker={"color": INKS[theme].accent, "size": 9, "opacity": 0.75},
            )
        ]
    )
    fig.update_xaxes(title_text="objects in the cluster")
    if sizes.max() > 20 * sizes.min():
        fig.update_xaxes(type="log", tickvals=log_ticks(sizes.min(), sizes.max()))
    fig.update_yaxes(title_text="reliability (ECI)", range=[-0.03, 1.04])
    alt = f"{len(sizes):,} clusters, reliability {index.min():.2f} to {index.max():.2f}."
    notes = [f"{len(shown):,} of {len(sizes):,} clusters drawn"] if len(shown) < len(sizes) else []
    return finish(fig, theme, alt, height=height, notes=notes)


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
