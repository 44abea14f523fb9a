"""Objects in the plane, one form for all pages, with small multiples; and the clusters of an ensemble as dots."""

from html import unescape

import numpy as np

from ui.figures import spec
from ui.figures.cells import CLEAR
from ui.figures.numbering import number, numbers
from ui.figures.objects.density import MOST_DOTS, SMALL, rasters, shade_image
from ui.figures.objects.graphs import faint_edges
from ui.figures.objects.matrices import matrix_image
from ui.figures.style import (
    FADED,
    INKS,
    cluster_marks,
    coordinates,
    finish,
    log_ticks,
    padded_range,
    painted,
    translucent,
)
from ui.outside import html
from ui.saying import counted

MAX_PANELS = 12
#: Reliabilities between which the axis ends where they do: on one up to 1 all of them would be a line at the bottom.
_FLAT = 1e-6, 0.2


def scatter(
    points,
    labels,
    theme,
    *,
    colors=None,
    truth=None,
    selected=None,
    opacity=None,
    axis_names=("", ""),
    equal=False,
    max_points=100_000,
    title=None,
    height=460,
    classes=None,
    remarks=True,
    edges=None,
    shade=None,
    grey="not yet assigned",
):
    """Objects (N, 2) as dots, coloured by cluster, -1 is called `grey`; `customdata` is the object's number.

    `colors` (k,) is the place in the palette of every cluster, its id by default; an object of another colour than its
    class in `truth` has a ring; those `selected` keep full opacity, the others 15 %, else `opacity` in (0, 1] counts.
    `equal`: one unit is equally long on both axes. Above `max_points` a fixed sample is drawn, and the figure says so,
    as it says with `remarks` how many are ringed. `classes` name the labels where they are the classes of the truth.
    `edges` (E, 2) lie below: as thin lines, or as their `density.shaded_edges` where that is given.
    """
    points, shown = np.asarray(points), sampled(len(points), max_points)
    differs = _differs(labels, colors, truth)
    look = {"classes": classes, "opacity": opacity, "grey": grey}
    fig = spec.Figure([_dots(points, labels, shown, theme, selected, colors, **look)])
    if differs is not None:
        fig.add_trace(_rings(points, shown[differs[shown]], len(shown), theme, selected))
    _frame(fig, points, axis_names, equal)
    if edges is not None and len(edges):
        if shade is None:
            fig.data.insert(0, faint_edges(points, edges, theme))
        else:
            fig.update_layout(images=[shade_image(points, shade, theme)])
    return finish(
        fig,
        theme,
        _alt(labels, len(points), "cluster" if classes is None else "class", differs, grey)
        + ("" if edges is None else f" {len(edges):,} edges between them."),
        height=height,
        title=title,
        notes=_notes(len(points), len(shown), differs) if remarks else (),
    )


def small_multiples(
    points,
    labels,
    titles,
    theme,
    *,
    colors=None,
    columns=3,
    equal=False,
    max_points=100_000,
    panel_height=170,
    selected=None,
    hints=None,
):
    """The same objects once per clustering, at most 12, on the same axes; options as for `scatter`.

    Titles may be short: `hints`, one a panel, are said under the pointer and read aloud.

    Above `max_points` over all panels a fixed sample is drawn, and the figure says so. More than `density.MOST_DOTS`
    objects are all there, as their density: a raster under the empty trace of each panel.
    """
    if len(labels) > MAX_PANELS or len(labels) != len(titles):
        raise ValueError(f"needs at most {MAX_PANELS} clusterings with a title each, got {len(labels)}")
    points, columns = np.asarray(points), min(columns, len(labels))
    paints = [None] * len(labels) if colors is None else colors
    rows = -(-len(labels) // columns)
    total = rows * (panel_height + 26)
    fig = spec.grid(rows, columns, gap_x=0.02, gap_y=26 / total)
    if len(points) > MOST_DOTS:
        shown = [painted(*pair) for pair in zip(labels, paints, strict=True)]
        notes = _shade_panels(fig, points, shown, columns, selected)
    else:
        notes = _dot_panels(fig, points, labels, paints, columns, theme, selected, max_points // len(labels))
    _panel_axes(fig, points, equal)
    _panel_titles(fig, titles, hints or [None] * len(titles))
    many = f"{counted(len(labels), 'clustering')} of {counted(len(points), 'object')}"
    alt = f"{many}: {unescape('; '.join(hints or titles))}."  # read aloud as it is
    above = 30 + 22 * len(notes)
    fig.update_layout(margin_t=above)
    return finish(fig, theme, alt, height=total + 8 + above, notes=notes)


def _dot_panels(fig, points, labels, paints, columns, theme, selected, most):
    """Dots in every panel, `most` of them; returns what is to be said of it."""
    shown = sampled(len(points), most)
    for panel, (panel_labels, colors) in enumerate(zip(labels, paints, strict=True)):
        row, column = divmod(panel, columns)
        dots = _dots(points, panel_labels, shown, theme, selected, colors, shrink=0.7, grey="without a label")
        fig.add_trace(dots, row=row + 1, col=column + 1)
    return _panel_notes(len(points), len(shown))


def _shade_panels(fig, points, labels, columns, selected):
    """The density of all objects in every panel; returns what is to be said of it."""
    window = (*padded_range(points[:, 0]), *padded_range(points[:, 1]))
    chosen = None if selected is None or not selected.any() else selected
    everything, fullest = np.ones(len(points), bool), 0
    images: list[dict] = []
    for panel, panel_labels in enumerate(labels):
        row, column = divmod(panel, columns)
        empty = spec.scatter(x=window[:2], y=window[2:], mode="markers", marker={"opacity": 0}, hoverinfo="skip")
        fig.add_trace(empty, row=row + 1, col=column + 1)
        axis = str(panel + 1) if panel else ""
        made, most = rasters(points, panel_labels, window, everything, chosen, SMALL, axis)
        images, fullest = [*images, *made], max(fullest, most)
    fig.update_layout(images=images)
    return (f"at most {fullest:,} objects a pixel<br> ",)


def marker_size(n):
    """Diameter in pixels of a dot among n."""
    return float(np.clip(38 / max(n, 1) ** 0.25, 2.5, 9))


def sampled(n, max_points):
    """Which of n are drawn: all, or the same random choice each time, in order."""
    if n <= max_points:
        return np.arange(n, dtype=np.int32)
    return np.sort(np.random.default_rng(0).choice(n, max_points, replace=False)).astype(np.int32)


def _differs(labels, colors, truth):
    """Objects (N,) bool whose cluster has not the colour of their class, both known; None without truth."""
    if labels is None or truth is None:
        return None
    shown, truth = painted(labels, colors), np.asarray(truth)
    return (shown != truth) & (shown >= 0) & (truth >= 0)


def _dots(points, labels, shown, theme, selected, colors=None, shrink=1.0, classes=None, opacity=None, grey=""):
    """Trace of the objects themselves: grey ones lie below, those selected on top."""
    above = np.zeros(len(shown), np.int8) if selected is None else 2 * np.asarray(selected, np.int8)[shown]
    if labels is not None:
        above += np.asarray(labels)[shown] >= 0
    shown = shown[np.argsort(above, kind="stable")]
    full = 0.9 if opacity is None else np.asarray(opacity, np.float32)[shown]
    marker = {"size": shrink * marker_size(len(shown)), "opacity": _opacity(selected, shown, full)}
    marker |= {"color": INKS[theme].muted} if labels is None else cluster_marks(np.asarray(labels)[shown], colors)
    x, y = coordinates(points[shown])
    return spec.scattergl(
        x=x,
        y=y,
        customdata=numbers(shown),
        mode="markers",
        marker=marker,
        **_hover(labels, shown, classes, grey),
    )


def _hover(labels, shown, classes, grey):
    """Object, and its cluster or class; words only where classes have names or some objects are unassigned."""
    if labels is None:
        return {"hovertemplate": "object %{customdata:,}<extra></extra>"}
    labels = np.asarray(labels)[shown]
    if classes is None and (labels >= 0).all():
        return {"hovertemplate": "object %{customdata:,}<br>cluster %{marker.color}<extra></extra>"}
    if classes is not None:
        words = np.array([f"class {html(name)}" for name in classes])[labels]
    else:
        words = np.where(labels < 0, grey, np.char.add("cluster ", numbers(labels).astype(str)))
    return {"text": words, "hovertemplate": "object %{customdata:,}<br>%{text}<extra></extra>"}


def _opacity(selected, shown, full):
    """One opacity for all, or one per object where some are selected."""
    if selected is None:
        return full
    return np.where(np.asarray(selected)[shown], 1.0, FADED).astype(np.float32)


def _rings(points, where, n, theme, selected):
    """Trace of rings around objects that disagree with the truth, the finer the more objects there are."""
    size = marker_size(n)
    x, y = coordinates(points[where])
    return spec.scattergl(
        x=x,
        y=y,
        customdata=numbers(where),
        mode="markers",
        marker={
            "symbol": "circle-open",
            "size": size + min(5, size / 2 + 0.5),
            "color": INKS[theme].text,
            "line": {"width": min(1.2, size / 7)},
            "opacity": _opacity(selected, where, 0.9),
        },
        hoverinfo="skip",
    )


def _frame(fig, points, axis_names, equal):
    """Set fixed ranges, names, and equal units where asked."""
    for axis, column, name in (("xaxis", 0, axis_names[0]), ("yaxis", 1, axis_names[1])):
        fig.update_layout(**{axis: {"range": padded_range(points[:, column]), "title": {"text": html(name)}}})
    if equal:  # the plot fills its box: the range of one axis grows, rather than the plot shrinking inside a band
        fig.update_yaxes(scaleanchor="x", constrain="range")
        fig.update_xaxes(constrain="range")


def _panel_axes(fig, points, equal):
    """Give every panel the same bare axes; zooming one zooms all."""
    bare = {"showticklabels": False, "showgrid": False, "showline": True, "mirror": True}
    fig.update_xaxes(range=padded_range(points[:, 0]), matches="x", **bare)
    fig.update_yaxes(range=padded_range(points[:, 1]), matches="y", **bare)
    if equal:
        fig.update_xaxes(constrain="range")
        fig.update_yaxes(constrain="range")
        fig.update_yaxes(row=1, col=1, scaleanchor="x")


def _panel_titles(fig, titles, hints):
    """Put a title above each panel, tied to its axes."""
    for panel, (text, hint) in enumerate(zip(titles, hints, strict=True), start=1):
        axis = "" if panel == 1 else str(panel)
        place = {"x": 0.5, "xref": f"x{axis} domain", "y": 1, "yref": f"y{axis} domain", "yanchor": "bottom"}
        fig.add_annotation(text=text, **place, **({} if hint in (None, text) else {"hovertext": hint}))


def _panel_notes(n, shown):
    """Says when the panels show a sample."""
    return (f"{shown:,} of {n:,} objects drawn<br> ",) if shown < n else ()


def _notes(n, shown, differs):
    """Remarks on what the picture leaves out, and what its rings mean."""
    notes = [f"{shown:,} of {n:,} objects drawn"] if shown < n else []
    if differs is not None and differs.any():
        notes.append(f"ringed: {int(differs.sum()):,} unlike the truth")  # short: a third of a page is narrow
    return notes


def _alt(labels, n, kind, differs, grey):
    """Scatter in a sentence: what colours stand for, and how many objects are grey, whatever that is called."""
    words = f"{counted(n, 'object')} in the plane"
    if labels is None:
        return f"{words}."
    labels = np.asarray(labels)
    k, n_grey = len(np.unique(labels[labels >= 0])), int((labels < 0).sum())
    words += f", {n_grey:,} {grey}, the others" if n_grey else ","
    words += f" coloured by {counted(k, kind, 'classes' if kind == 'class' else '')}"
    return words + ("." if differs is None else f"; {int(differs.sum()):,} disagree with the truth.")


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
        f"base clustering {m}, {counted(size, 'object')}<br>uncertainty {h:.2f} bits"
        for m, size, h in zip(*drawn, strict=True)
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
                marker={"color": translucent(INKS[theme].accent, 0.75), "size": 9},
            )
        ]
    )
    fig.update_xaxes(title_text="objects in the cluster")
    if sizes.max() > 20 * sizes.min():
        fig.update_xaxes(type="log", tickvals=log_ticks(sizes.min(), sizes.max()))
    highest = float(index.max())
    top = 1.1 * highest if _FLAT[0] < highest < _FLAT[1] else 1.04
    fig.update_yaxes(title_text="reliability (ECI)", range=[-0.03 * top, top])
    alt = f"{counted(len(sizes), 'cluster')}, reliability {index.min():.2f} to {index.max():.2f}."
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
