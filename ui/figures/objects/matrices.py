"""Matrices as images, with class strips, ticks, cells and a tree at the side, and films of matrices that change."""

import numpy as np

from engine.partition import node_spans
from ui.figures import spec
from ui.figures.films import film
from ui.figures.numbering import FIRST, numbers
from ui.figures.style import (
    DIFFERENCE_SCALES,
    INKS,
    PALETTE,
    SIMILARITY_SCALE,
    cluster_scale,
    finish,
    log_ticks,
    whole_ticks,
)
from ui.outside import html
from ui.saying import three_digits

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
    colors=None,
    classes=None,
    borders=False,
    extent=None,
    title=None,
    height=460,
    bar=True,
):
    """Matrix as an image with true values on its colour bar; reduce it to about 500 x 500 beforehand.

    `values` are in [0, limit], for differences in [-limit, limit], and clipped; `limit` never comes from the data, so
    that matrices beside each other stay comparable. `row_labels` and `column_labels` are strips of clusters at the
    edges, or of classes with the names `classes`, `borders` lines where they change; `extent` is first and
    past-the-last row, then column. The first trace is the image, in percent of `limit`.
    """
    values, name = np.asarray(values), name or scale
    top, bottom, left, right = _edges(values.shape, extent)
    fig = spec.Figure([_image(values, scale, limit, name, (top, bottom, left, right), theme, bar)])
    thick = 0.03 * max(bottom - top, right - left)
    if row_labels is not None:
        edges = (top, bottom, left - 1.4 * thick, left - 0.4 * thick)
        fig.add_trace(_strip(np.asarray(row_labels)[:, None], edges, colors, classes))
    if column_labels is not None:
        edges = (top - 1.4 * thick, top - 0.4 * thick, left, right)
        fig.add_trace(_strip(np.asarray(column_labels)[None], edges, colors, classes))
    if borders:
        fig.add_trace(_borders(row_labels, column_labels, (top, bottom, left, right)))
    margins = 1.4 * thick * (column_labels is not None), 1.4 * thick * (row_labels is not None)
    _square_axes(fig, top - margins[0], bottom, left - margins[1], right)
    alt = f"{name} matrix of {bottom - top:,.0f} by {right - left:,.0f}, mean {values.mean():.3g}."
    return finish(fig, theme, alt, height=height, title=title)


def add_ticks(fig, extent, rows, columns, theme):
    """Mark rows and columns, counted from the first one shown, by ticks outside the strips of a `matrix_image`."""
    top, bottom, left, right = extent
    thick = 0.03 * max(bottom - top, right - left)
    y, x = np.repeat(top + np.asarray(rows) + 0.5, 3), np.repeat(left + np.asarray(columns) + 0.5, 3)
    beside, above = (
        np.tile([edge - 2.1 * thick, edge - 1.5 * thick, np.nan], n)
        for edge, n in ((left, len(rows)), (top, len(columns)))
    )
    line = {"color": INKS[theme].text, "width": 1}
    marks = {"x": np.concatenate([beside, x]).astype(np.float32), "y": np.concatenate([y, above]).astype(np.float32)}
    fig.add_trace(spec.scatter(mode="lines", line=line, hoverinfo="skip", name="picked", **marks))
    fig.update_xaxes(range=[left - 2.2 * thick, right])
    fig.update_yaxes(range=[bottom, top - 2.2 * thick])


def add_cells(fig, extent, words):
    """Lay an invisible dot on every cell of a small window, so that a cell can be pointed at and clicked.

    `words` (h, w) are its hover; a click reports the number of the cell, row by row from 0.
    """
    top, bottom, left, right = extent
    y, x = np.meshgrid(np.arange(top, bottom) + 0.5, np.arange(left, right) + 0.5, indexing="ij")
    fig.data[0] = {name: value for name, value in fig.data[0].items() if name != "hovertemplate"}
    fig.update_trace(0, hoverinfo="skip")  # else the image answers, and an image cannot be clicked
    fig.add_trace(
        spec.scatter(
            x=x.ravel().astype(np.float32),
            y=y.ravel().astype(np.float32),
            customdata=np.arange(x.size, dtype=np.int32),
            text=np.asarray(words).ravel(),
            hovertemplate="%{text}<extra></extra>",
            mode="markers",
            name="cells",
            meta={"target": True},
            marker={"size": 10, "opacity": 0},
            selected={"marker": {"opacity": 0}},
            unselected={"marker": {"opacity": 0}},
        )
    )


def _edges(shape, extent):
    """First and past-the-last row and column."""
    return (0, shape[0], 0, shape[1]) if extent is None else tuple(extent)


def _cells(shape, edges):
    """Placement of a heatmap's cells so that they fill the edges."""
    top, bottom, left, right = edges
    dy, dx = (bottom - top) / shape[0], (right - left) / shape[1]
    return {"y0": top + dy / 2, "dy": dy, "x0": left + dx / 2, "dx": dx}


def _image(values, scale, limit, name, edges, theme, bar):
    """Heatmap of the values, in whole percent of the limit."""
    signed = scale == "difference"
    low = -LEVELS if signed else 0
    level = np.rint(np.clip(values / limit * LEVELS, low, LEVELS))
    of_limit = "" if limit == 1 else f" of {limit:g}"
    sign = "%{z:+d}" if signed else "%{z}"
    return spec.heatmap(
        z=level.astype(np.int8 if signed else np.uint8),
        zmin=low,
        zmax=LEVELS,
        meta={"unit": limit / LEVELS},
        colorscale=DIFFERENCE_SCALES[theme] if signed else SIMILARITY_SCALE,
        showscale=bar,
        colorbar=_color_bar(low, limit, name, theme, beyond=float(np.abs(values).max(initial=0)) > limit + 1e-9),
        hovertemplate=f"row %{{y:,.0f}}, column %{{x:,.0f}}<br>{name} {sign} %{of_limit}<extra></extra>",
        **_cells(values.shape, edges),
    )


def _color_bar(low, limit, name, theme, beyond):
    """Slim bar under the image with true values at its ticks; its end says where the image holds larger ones."""
    ticks = scale_ticks(limit, (1 if beyond else 2) if low else (3 if beyond else 5))
    if low:
        ticks = np.concatenate([-ticks[:0:-1], ticks])
    return {
        "orientation": "h",
        "x": 0.5,
        "xanchor": "center",
        "y": -0.02,
        "yanchor": "top",
        "lenmode": "pixels",
        "len": 210,
        "thickness": 9,
        "outlinewidth": 0,
        "tickvals": ticks / limit * LEVELS,
        "ticklabeloverflow": "allow",
        "ticktext": scale_words(ticks, beyond),
        "tickangle": 0,
        "tickfont": {"color": INKS[theme].muted, "size": 13},
        "title": {"text": name, "side": "bottom", "font": {"color": INKS[theme].muted, "size": 13}},
    }


def scale_ticks(limit, parts):
    """Round values from 0 on and the limit itself, with so many steps between them at most.

    >>> scale_ticks(0.91, 5).round(2).tolist()
    [0.0, 0.2, 0.4, 0.6, 0.91]
    """
    decade = 10.0 ** np.floor(np.log10(limit / parts))
    step = decade * next(factor for factor in (1, 2, 2.5, 5, 10) if factor * decade * parts >= limit * (1 - 1e-9))
    return np.append(np.arange(0, limit - 0.6 * step, step), limit)


def scale_words(values, beyond):
    """Ticks of a colour bar; `beyond`: its ends stand for whatever lies further out, too.

    >>> scale_words([0.0, 0.15, 0.3], True)
    ['0', '0.15', '≥ 0.3']
    """
    words = [f"{value:.3g}" for value in values]
    if beyond:
        words[-1] = f"≥ {words[-1]}"
        words[0] = f"≤ {words[0]}" if values[0] < 0 else words[0]
    return words


def _strip(labels, edges, colors, classes):
    """Band of the colours of clusters or classes along an edge."""
    k = int(labels.max(initial=0)) + 1
    said = {"hovertemplate": "cluster %{z}<extra></extra>"}
    if classes is not None:
        names = np.array([f"class {html(name)}" for name in classes])
        said = {"text": names[labels], "hovertemplate": "%{text}<extra></extra>"}
    return spec.heatmap(
        z=numbers(labels).astype(np.int16),
        zmin=FIRST - 1.5,
        zmax=FIRST + k - 0.5,
        colorscale=cluster_scale(k, colors),
        showscale=False,
        **said,
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
    return spec.scatter(
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
    fig.update_yaxes(range=[bottom, top], scaleanchor="x", constraintoward="top", **bare)


def add_side_tree(fig, merges, similarities, leaf_start, leaf_end, window, theme, *, top=60):
    """Draw the last `top` merges of a tree to the left of a matrix image, the root at the far left.

    `leaf_start`, `leaf_end` (n,) are the first and past-the-last row of each leaf in the order shown, `window` those of
    the image; its x axis is widened.
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


RESIDUALS = ("change of C", "change of E", "change of F", "A = C + E", "C = F")
#: Where the second matrix begins, and the curve with the controls below it, as shares of the width and the height.
SECOND, BESIDE, CURVE = 0.35, 0.74, 0.56


def matrix_film(images, lengths, theme, *, name="PTS", step="T", limit=1.0, height=440):
    """One similarity matrix for every length of the walk, scrubbed in the browser."""
    levels = [np.rint(100 * np.clip(image / limit, 0, 1)).astype(np.uint8) for image in images]
    beyond = any(image.max(initial=0) > limit + 1e-9 for image in images)
    bar = {
        "thickness": 9,
        "len": 0.6,
        "outlinewidth": 0,
        "tickvals": [0, 50, 100],
        "ticktext": scale_words([0, limit / 2, limit], beyond),
        "tickangle": 0,
        "title": {"text": name, "side": "right", "font": {"size": 13}},
    }
    picture = spec.heatmap(
        z=levels[0],
        zmin=0,
        zmax=100,
        meta={"unit": limit / 100},
        colorscale=SIMILARITY_SCALE,
        colorbar=bar,
        hovertemplate=f"{name} %{{z}} %{'' if limit == 1 else f' of {limit:g}'}<extra></extra>",
    )
    fig = spec.Figure([picture])
    fig.update_xaxes(visible=False, constrain="domain")
    fig.update_yaxes(visible=False, autorange="reversed", scaleanchor="x", constrain="domain")
    frames = [spec.frame(str(T), [spec.heatmap(z=z)], [0]) for T, z in zip(lengths, levels, strict=True)]
    captions = [f"{step} = {T}: mean {image.mean():.3f}" for T, image in zip(lengths, images, strict=True)]
    finish(fig, theme, f"{name} for {len(levels)} lengths of the walk.", height=height)
    film(fig, frames, captions, theme)
    return fig


def enhancement_film(before, after, images, residuals, tol, theme, *, limit, height=370):
    """The input, and beside it the matrix iteration by iteration; the largest residual moves along.

    `images` (h, h) by iteration, the last one included; `residuals` (iterations, 5) relative, infinite where a
    reference was zero; the run stops below `tol`.
    """
    ink, fig = INKS[theme], spec.Figure()
    for place, one, left in (("", before, 0.0), ("2", after, SECOND)):
        for trace in one.data:
            bare = {"showscale": False} if trace["type"] == "heatmap" else {}
            fig.add_trace({**trace, "xaxis": f"x{place}", "yaxis": f"y{place}", **bare})
        domain = {"domain": [left, left + SECOND - 0.03]}
        fig.layout[f"xaxis{place}"] = {**one.layout["xaxis"], **domain, "anchor": f"y{place}"}
        fig.layout[f"yaxis{place}"] = {**one.layout["yaxis"], "anchor": f"x{place}", "scaleanchor": f"x{place}"}
        fig.add_annotation(spec.title_of_panel("A, the input" if one is before else "C, enhanced", left + 0.16, 1.0))
    fig.layout["yaxis2"]["showticklabels"] = False
    # A bar of colours has no room beside two matrices and a curve.
    words = scale_words([0, limit], any(np.max(pixels) > limit + 1e-9 for pixels in images.values()))
    scale = spec.title_of_panel(f"dark {words[0]}, yellow {words[1]}", SECOND - 0.015, -0.02)
    fig.add_annotation({**scale, "yanchor": "top", "font": {"size": 13}})
    worst = np.fmax.reduce(np.where(np.isfinite(residuals), residuals, np.nan), axis=1)
    steps, there = np.arange(1, len(worst) + 1), {"xaxis": "x3", "yaxis": "y3"}
    fig.add_trace(spec.scatter(x=steps, y=worst, mode="lines", line={"color": ink.accent, "width": 2}, **there))
    dash = {"color": ink.muted, "width": 1.2, "dash": "dash"}
    fig.add_trace(spec.scatter(x=steps[[0, -1]], y=[tol, tol], mode="lines", line=dash, hoverinfo="skip", **there))
    moving = spec.scatter(x=[1], y=[worst[0]], mode="markers", name="now", **there)
    fig.add_trace({**moving, "marker": {"size": 11, "color": PALETTE[5]}})
    fig.update_layout(
        xaxis3={"anchor": "y3", "domain": [BESIDE, 1], "title": {"text": "iteration"}, **whole_ticks(steps)},
        yaxis3={"anchor": "x3", "domain": [CURVE, 1], **_residual_axis(worst, tol)},
    )
    # Beside its axis the title would lie on the matrix where the window is narrow.
    fig.add_annotation(spec.title_of_panel("largest residual", (1 + BESIDE) / 2, 1.0))
    image, frames, captions = len(before.data), [], []
    for t, pixels in images.items():
        z = np.rint(np.clip(pixels / limit * LEVELS, 0, LEVELS)).astype(np.uint8)
        at = worst[min(t, len(worst)) - 1] if t else worst[0]
        dot = spec.scatter(x=[max(t, 1)], y=[at])
        frames.append(spec.frame(str(t), [spec.heatmap(z=z), dot], [image, len(fig.data) - 1]))
        said = three_digits(at) if np.isfinite(at) else "not defined"
        captions.append(f"iteration {t}: largest residual {said}")
    alt = f"A matrix before and during {len(worst)} iterations of EC-CMS; it stops below {tol:g}."
    finish(fig, theme, alt, height=height)
    return film(fig, frames, captions, theme, beside=(BESIDE, CURVE - 0.2))


def _residual_axis(residuals, tol) -> dict:
    """A logarithmic axis for residuals and the tolerance."""
    drawn = np.append(np.asarray(residuals).ravel(), tol)
    drawn = drawn[np.isfinite(drawn) & (drawn > 0)]
    return {"type": "log", "tickvals": log_ticks(drawn.min(), drawn.max()), "tickformat": "~g"}


def residual_figure(residuals, tol, theme, *, height=300):
    """The five residuals (iterations, 5) by iteration, with the tolerance under which the run stops."""
    ink, fig = INKS[theme], spec.Figure()
    steps = np.arange(1, len(residuals) + 1)
    for name, values, color in zip(RESIDUALS, np.asarray(residuals).T, (0, 1, 2, 5, 6), strict=True):
        shown = np.where(np.isfinite(values) & (values > 0), values, np.nan)
        line = {"color": PALETTE[color], "width": 1.8}
        fig.add_trace(spec.scatter(x=steps, y=shown, mode="lines", name=name, line=line))
    line = {"color": ink.accent, "width": 1.4, "dash": "dash"}
    fig.add_trace(spec.scatter(x=[1, len(steps)], y=[tol, tol], mode="lines", name=f"tolerance {tol:g}", line=line))
    fig.update_xaxes(title_text="iteration", **whole_ticks(steps))
    fig.update_yaxes(title_text="relative residual", **_residual_axis(residuals, tol))
    legend = {"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"}
    fig.update_layout(showlegend=True, legend=legend, margin_t=56)
    return finish(fig, theme, f"Residuals over {len(steps)} iterations, tolerance {tol:g}.", height=height)
