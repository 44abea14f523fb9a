"""How many clusters: curves over k on one axis, consensus matrices and their distributions, runs over resolutions."""

import numpy as np

from ui.figures import spec
from ui.figures.style import INKS, SIMILARITY_SCALE, finish, light, log_ticks, padded_range, scale_color, translucent

_ROW, _GAP = 39, 0.24
#: Letters of a title beside which more words would leave the figure.
_LONG = 22
#: What stands where runs do not differ at all: a logarithm has no 0.
_LEAST = 1e-4


def criteria_figure(ks, rows, theme, *, taken=None):
    """One curve a criterion, all on one axis of k; `customdata` of a dot is its k, `taken` the k the app has now.

    Rows: `title`, `values` (n_k,), `pick`, `counted`, and optionally `spread` (n_k,) and `null` (mean, sd), each
    (n_k,): the band data without clusters would fill.
    """
    ink, fig, ks = INKS[theme], spec.Figure(), np.asarray(ks)
    height, words = 1 / len(rows), _values_by_k(ks, rows)
    for place, row in enumerate(rows):
        axis = "" if place == 0 else str(place + 1)
        top = 1 - place * height
        span = _draw_row(fig, ks.astype(np.float32), row, f"y{axis}", ink, words)
        domain = {"domain": [max(0.0, top - (1 - _GAP) * height), top], "anchor": "x", "range": span}
        fig.update_layout(**{f"yaxis{axis}": domain | {"showticklabels": False, "showgrid": False}})
        fig.add_annotation(_title(row, top - (1 - _GAP) * height / 2, ink))
    _x_axis(fig, ks, len(rows), taken, ink)
    fig.update_layout(hovermode="x", margin={"l": 232, "r": 12}, clickmode="event+select")
    picks = ", ".join(f"{row['title']} {row['pick']}" for row in rows if row["pick"] is not None)
    alt = f"Criteria over {ks[0]} to {ks[-1]} clusters. Picks: {picks or 'none'}."
    return finish(fig, theme, alt, height=40 + _ROW * len(rows) + 34)


def _values_by_k(ks, rows):
    """For every k all criteria in words: wherever the pointer is, it says what each of them is there."""
    titles = [row["title"] for row in rows]
    columns = np.array([np.asarray(row["values"], float) for row in rows]).T
    said = [[f"{title}: {value:.3f}" for title, value in zip(titles, column, strict=True)] for column in columns]
    return [f"<b>k = {k}</b><br>" + "<br>".join(lines) for k, lines in zip(ks.tolist(), said, strict=True)]


def _draw_row(fig, ks, row, axis, ink, words):
    """Band, curve and pick of one criterion; the range of its axis."""
    values = np.asarray(row["values"], np.float32)
    known = [values]
    if row.get("null") is not None:
        mean, sd = (np.asarray(part, np.float32) for part in row["null"])
        fig.add_trace(_band(ks, mean, 2 * sd, axis, translucent(ink.muted, 0.22)))
        known += [mean - 2 * sd, mean + 2 * sd]
    if row.get("spread") is not None:
        sd = np.asarray(row["spread"], np.float32)
        fig.add_trace(_band(ks, values, sd, axis, translucent(ink.accent, 0.15)))
        known += [values - sd, values + sd]
    fig.add_trace(_curve(ks, values, row, axis, ink, words))
    finite = np.concatenate(known)
    return padded_range(finite[np.isfinite(finite)], 0.12) if np.isfinite(finite).any() else [0.0, 1.0]


def _curve(ks, values, row, axis, ink, words):
    """Line whose dot at the pick is large; dots of criteria that do not count are hollow."""
    picked = ks == (row["pick"] or -1)
    fill = ink.accent if row["counted"] else ink.paper
    steady = {"marker": {"opacity": 1}}
    return spec.scatter(
        x=ks,
        y=values,
        yaxis=axis,
        mode="lines+markers",
        cliponaxis=False,
        customdata=ks.astype(np.int32),
        line={"color": ink.accent, "width": 1.6},
        marker={
            "size": np.where(picked, 12, 4).astype(np.float32),
            "color": fill,
            "line": {"color": ink.accent, "width": 1.5},
        },
        text=words,
        hovertemplate="%{text}<extra></extra>",
        selected=steady,
        unselected=steady,
    )


def _band(ks, mean, half, axis, color):
    there = np.isfinite(mean + half)
    x, low, high = ks[there], (mean - half)[there], (mean + half)[there]
    return spec.scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([high, low[::-1]]),
        yaxis=axis,
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=color,
        hoverinfo="skip",
    )


def _title(row, y, ink):
    said = f"<b>{row['pick']}</b>" if row["pick"] is not None else "no pick"
    note = "" if row["counted"] or row["pick"] is None else "(not counted)"
    gap = "<br>" if len(row["title"]) > _LONG else " "
    return {
        "text": f"{row['title']}: {said}{gap * bool(note)}{note}",
        "x": 0,
        "xref": "paper",
        "xshift": -14,
        "xanchor": "right",
        "y": y,
        "yref": "paper",
        "yanchor": "middle",
        "align": "right",
        "font": {"color": ink.text if row["counted"] else ink.muted, "size": 13},
    }


def _x_axis(fig, ks, n_rows, taken, ink):
    """One axis below all rows, and on it the k the app has."""
    fig.update_layout(
        xaxis={
            "range": [float(ks[0]) - 0.4, float(ks[-1]) + 0.4],
            "title": {"text": "clusters k"},
            "dtick": 1 if len(ks) <= 20 else 5,
            "anchor": "y" if n_rows == 1 else f"y{n_rows}",
            "showgrid": True,
            "showspikes": True,
            "spikemode": "across",
            "spikethickness": 1,
            "spikedash": "solid",
            "spikecolor": ink.muted,
        }
    )
    if taken is not None:
        _now(fig, ks, taken, ink)


def _now(fig, ks, taken, ink):
    """A line at the k the app has; where the axis does not reach it, words alone, at that end."""
    inside, at = ks[0] <= taken <= ks[-1], float(np.clip(taken, ks[0], ks[-1]))
    if inside:
        line = {"color": ink.muted, "width": 1, "dash": "dot"}
        fig.add_shape(type="line", x0=taken, x1=taken, y0=0, y1=1, yref="paper", line=line, layer="below")
    said = f"k = {taken:,} now" + (", beyond this axis" if not inside else "")
    along = (at - ks[0]) / (ks[-1] - ks[0]) if len(ks) > 1 else float(taken > at)  # at an edge the words turn inwards
    side = "left" if along < 0.2 else "right" if along > 0.8 else "center"
    words = {"text": said, "x": at, "y": 1, "yref": "paper", "yanchor": "bottom"}
    fig.add_annotation(words | {"xanchor": side, "font": {"color": ink.muted}})
    fig.update_layout(margin_t=34)


def matrix_strip(matrices, titles, theme):
    """Consensus matrices (n, a, a) side by side, uint8 percent on one map."""
    n, fig = len(matrices), spec.Figure()
    width, gap = 1 / n, 0.06 / n
    half = len(matrices[0]) - 0.5
    for place, (matrix, title) in enumerate(zip(matrices, titles, strict=True)):
        axis = "" if place == 0 else str(place + 1)
        look = {"colorscale": SIMILARITY_SCALE, "zmin": 0, "zmax": 100, "showscale": False, "hoverinfo": "skip"}
        look["meta"] = {"unit": 0.01}
        fig.add_trace(spec.heatmap(z=matrix, xaxis=f"x{axis}", yaxis=f"y{axis}", **look))
        bare = {"showticklabels": False, "showgrid": False}
        across = {"range": [-0.5, half], "domain": [place * width + gap, (place + 1) * width - gap]}
        down = {"range": [half, -0.5], "scaleanchor": f"x{axis}", "constrain": "domain"}
        fig.update_layout(**{f"xaxis{axis}": bare | across | {"anchor": f"y{axis}"}})
        fig.update_layout(**{f"yaxis{axis}": bare | down | {"anchor": f"x{axis}"}})
        words = {"text": title, "x": (place + 0.5) * width, "xref": "paper", "y": 1, "yref": "paper"}
        fig.add_annotation(words | {"yanchor": "bottom", "xanchor": "center"})
    alt = (
        f"Consensus matrices of {n} numbers of clusters: {'; '.join(title.replace('<br>', ', ') for title in titles)}."
    )
    above = 17 * (1 + max(title.count("<br>") for title in titles))
    fig.update_layout(margin_t=above)
    return finish(fig, theme, alt, height=26 + above + 1000 // max(n, 6))


def cdf_figure(grid, curves, ks, theme, *, low=0.1, high=0.9, height=300):
    """Distributions (n_k, x) of the consensus values, one line a k; the ambiguous part is shaded."""
    ink, fig = INKS[theme], spec.Figure()
    shades = _shades(len(ks), theme), _shades(len(ks), "light")
    for k, curve, color, on_paper in zip(ks, curves, *shades, strict=True):
        fig.add_trace(
            spec.scatter(
                x=np.asarray(grid, np.float32),
                y=np.asarray(curve, np.float32),
                mode="lines",
                name=f"{k}",
                line={"color": color, "width": 2},
                meta=light(line={"color": on_paper}),
                hovertemplate=f"k = {k}: %{{y:.1%}} of the pairs<extra></extra>",
            )
        )
    shade = {"fillcolor": translucent(ink.muted, 0.12), "line": {"width": 0}, "layer": "below"}
    fig.add_shape(type="rect", x0=low, x1=high, y0=0, y1=1, **shade)
    fig.update_xaxes(range=[-0.01, 1.01], title_text="consensus value of a pair")
    fig.update_yaxes(range=[-0.01, 1.02], title_text="share of the pairs at most so high", tickformat=".0%")
    legend = {"orientation": "v", "x": 1.01, "y": 1, "xanchor": "left", "yanchor": "top", "title": {"text": "k"}}
    fig.update_layout(showlegend=True, legend=legend, hovermode="x")
    alt = f"Distributions of consensus values for {ks[0]} to {ks[-1]} clusters; {low:g} to {high:g} is ambiguous."
    return finish(fig, theme, alt, height=height)


def _shades(n, theme):
    """Colours of n lines, from those parts of the map that stand off the paper."""
    ends = (0.0, 0.8) if theme == "light" else (0.35, 1.0)
    shades = np.rint(scale_color(SIMILARITY_SCALE, np.linspace(*ends, n))).astype(np.uint8)
    return ["#" + bytes(shade).hex() for shade in shades]


def resolution_figure(own, null, threshold, theme, *, taken=None, height=360):
    """Inconsistency of runs against their number of clusters; beside it that on a graph by chance.

    Bars hold nine tenths of the bootstraps. A dot carries its place among the resolutions; full are those between the
    two of `taken`.
    """
    ink, fig = INKS[theme], spec.Figure()
    low, high = taken or (np.inf, -np.inf)
    inside = (own.resolutions >= low * (1 - 1e-9)) & (own.resolutions <= high * (1 + 1e-9))
    fig.add_trace(_inconsistency(null, "a graph by chance", ink.muted, ink.muted, "dot"))
    fig.add_trace(_inconsistency(own, "this graph", ink.accent, np.where(inside, ink.accent, ink.paper), "solid", True))
    fig.add_hline(threshold - 1, line={"color": ink.text, "width": 1, "dash": "dash"})
    words = {"text": f"consistent: IC at most {threshold:g}", "font": {"color": ink.text}}
    fig.add_annotation(words, x=1, xref="x domain", y=np.log10(threshold - 1), xanchor="right", yanchor="bottom")
    most = max(float(one.bootstraps[-1]) for one in (*own.found, *null.found)) - 1
    ks = np.concatenate([own.n_clusters, null.n_clusters])
    x_ticks = log_ticks(max(1, ks.min()), max(2, ks.max()))
    ends = [np.log10(_LEAST) - 0.15, np.log10(max(most, 2 * threshold)) + 0.1]
    decades = 10.0 ** np.arange(-4, 3)
    y_text = ["0", *(f"{one:,g}" for one in decades[1:])]
    fig.update_xaxes(title_text="clusters found", type="log", tickvals=x_ticks, ticktext=[f"{x:,g}" for x in x_ticks])
    fig.update_yaxes(title_text="inconsistency, IC - 1", type="log", tickvals=decades, ticktext=y_text, range=ends)
    below = {"orientation": "h", "x": 0, "y": -0.2, "xanchor": "left", "yanchor": "top"}
    fig.update_layout(showlegend=True, legend=below)
    told = ", ".join(f"{one.value:.3f} at {k:,}" for one, k in zip(own.found, own.n_clusters, strict=True))
    return finish(fig, theme, f"Inconsistency of runs against the number of clusters: {told}.", height=height)


def _inconsistency(curve, name, color, fill, dash, click=False):
    values = np.array([one.value for one in curve.found])
    low, high = (np.array([np.quantile(one.bootstraps, share) for one in curve.found]) for share in (0.05, 0.95))
    said = [f"resolution {r:.3g}: {k:,} clusters" for r, k in zip(curve.resolutions, curve.n_clusters, strict=True)]
    bars = {
        "array": np.maximum(high - values, 0),
        "arrayminus": np.maximum(values - low, 0),
        "thickness": 1.2,
        "width": 3,
    }
    return spec.scatter(
        x=curve.n_clusters.astype(np.float32),
        y=np.maximum(values - 1, _LEAST).astype(np.float32),
        error_y=bars | {"color": color, "symmetric": False},
        mode="lines+markers",
        name=name,
        text=[f"{words}, IC {value:.3f}" for words, value in zip(said, values, strict=True)],
        customdata=[[place] for place in range(len(said))] if click else None,
        line={"color": color, "width": 1.4, "dash": dash},
        marker={"size": 10 if click else 6, "color": fill, "line": {"width": 1.8, "color": color}},
        hovertemplate="%{text}<extra></extra>",
    )
