"""Weighted clusters: the ellipse a cluster's metric draws, its weights, and what 1/h does to the error."""

import numpy as np

from ui.figures import spec
from ui.figures.numbering import number, numbers
from ui.figures.objects.scatter import scatter
from ui.figures.style import INKS, PALETTE, cluster_colors, finish, padded_range, rounded_up, translucent
from ui.outside import html

#: Feature names stand under the bars up to so many features.
NAMED_FEATURES = 16
#: ... up to so many in two lines, side by side.
_SIDE_BY_SIDE = 5
#: Semi-axes are drawn up to so many times the width of the data: a feature of no weight would need an endless one.
_LONGEST = 50.0
#: The picture opens this far beyond the data, in their width, to hold the ellipses.
_BEYOND = 0.75


def ellipse_figure(points, labels, names, centroids, weights, theme, *, truth=None, axis_names=("", ""), height=480):
    """Objects (N, 2), and around each centroid (k, 2) the ellipse of one weighted distance that holds half its objects.

    `names` (k,) of clusters are aligned beforehand, so that colours are stable; objects whose cluster differs from
    `truth` get a ring.
    """
    fig = scatter(points, labels, theme, truth=truth, axis_names=axis_names, height=height)
    limit = _LONGEST * np.ptp(points, axis=0)
    outlines = [
        _ellipse(points[labels == name], centre, weight, limit)
        for name, centre, weight in zip(names, centroids, weights, strict=True)
    ]
    for name, color, outline in zip(names, cluster_colors(names), outlines, strict=True):
        for words, ink, width in ((f"rim {name}", INKS[theme].text, 5), (f"metric {name}", color, 2.6)):
            fig.add_trace(
                spec.scatter(
                    x=outline[:, 0],
                    y=outline[:, 1],
                    mode="lines",
                    name=words,
                    hoverinfo="skip",
                    line={"color": ink, "width": width},
                )
            )
    fig.add_trace(
        spec.scatter(
            x=centroids[:, 0],
            y=centroids[:, 1],
            mode="markers",
            name="centroids",
            hoverinfo="skip",
            marker={"symbol": "cross", "size": 11, "color": INKS[theme].text},
        )
    )
    for update, column in ((fig.update_xaxes, 0), (fig.update_yaxes, 1)):
        update(range=padded_range(_in_view(points[:, column], np.concatenate(outlines)[:, column])))
    return fig


def _in_view(values, outline):
    """What an axis holds: the data, and the outlines as far as they do not make the data small."""
    margin = _BEYOND * np.ptp(values)
    return np.concatenate([values, np.clip(outline, values.min() - margin, values.max() + margin)])


def _ellipse(members, centre, weights, limit):
    """Outline, (97, 2), of the points at the members' median weighted distance from the centre."""
    squared = ((members - centre) ** 2 * weights).sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):  # what weighs nothing holds nobody back
        axes = np.where(weights > 0, np.minimum(np.sqrt(np.median(squared) / weights), limit), limit)
    angle = np.linspace(0, 2 * np.pi, 97)
    return centre + np.column_stack([np.cos(angle), np.sin(angle)]) * axes


def weight_figure(weights, names, features, theme, *, height=480):
    """Weights (k, D) of the features, rows sum to 1: a row of bars a cluster."""
    k, d = weights.shape
    places = numbers(np.arange(d))
    fig = spec.grid(k, 1, shared_x=True, gap_y=min(0.06, 0.4 / k))
    for place, (name, row, color) in enumerate(zip(names, weights, cluster_colors(names), strict=True), start=1):
        hover = f"cluster {number(name)}, %{{customdata}}: %{{y:.3f}}<extra></extra>"
        fig.add_trace(
            spec.bar(
                x=places,
                y=row,
                customdata=[html(name) for name in features],
                marker={"color": color},
                hovertemplate=hover,
            ),
            row=place,
            col=1,
        )
    top = 1.0 if weights.max() > 0.4 else rounded_up(1.1 * float(weights.max()))  # many features: weights are small
    fig.update_yaxes(range=[0, 1.05 * top], tickvals=[0, top] if k > 3 else [0, top / 2, top])
    fig.add_hline(1 / d, line={"color": INKS[theme].muted, "width": 1, "dash": "dot"})
    if d <= NAMED_FEATURES:
        flat = d <= _SIDE_BY_SIDE
        words = [_lines(name) if flat else html(_short(name)) for name in features]
        fig.update_xaxes(tickvals=places, ticktext=words, tickangle=0 if flat else -90)
    else:
        fig.update_xaxes(title_text="feature", row=k, col=1)
    fig.update_yaxes(title_text="weight", row=(k + 1) // 2, col=1)
    alt = f"Weights of {d} features in {k} clusters; the heaviest is {weights.max():.2f}."
    return finish(fig, theme, alt, height=height)


def _short(name, limit=14):
    return name if len(name) <= limit else name[: limit - 1] + "…"


def _lines(name):
    """A name broken at its first space, and before its unit: four of them stand beside each other."""
    words, bracket, unit = name.partition(" (")
    parts = words.split(" ", 1) + ([f"({unit}"] if bracket else [])
    return "<br>".join(html(_short(part)) for part in parts)


def coordinate_figure(posterior, pair, labels, theme, *, truth=None, height=380):
    """Relative coordinates, P(C | x) (N, 2) of two clusters; below the dotted line the first of the two is likelier."""
    names = tuple(f"P(C = {number(cluster)} | x)" for cluster in pair)
    fig = scatter(posterior, labels, theme, truth=truth, axis_names=names, height=height)
    ends = [float(posterior.min()), float(posterior.max())]
    fig.add_trace(
        spec.scatter(
            x=ends,
            y=ends,
            mode="lines",
            hoverinfo="skip",
            name="equally likely",
            line={"color": INKS[theme].muted, "width": 1.2, "dash": "dot"},
        )
    )
    return fig


def error_figure(inverse_h, errors, consensus, theme, *, bayes=None, marked=None, height=420):
    """Error rate of LAC against 1/h, and of consensus methods over all values of 1/h.

    `errors` (draws, H), `consensus` (draws,) by method; means over the draws, LAC with a band of one standard deviation
    to either side. `bayes` is the least error any rule can reach.
    """
    ink, fig = INKS[theme], spec.Figure()
    mean, sd = errors.mean(axis=0), errors.std(axis=0)
    both = np.concatenate([inverse_h, inverse_h[::-1]])
    band = np.clip(np.concatenate([mean + sd, (mean - sd)[::-1]]), 0, 1)
    fig.add_trace(
        spec.scatter(
            x=both,
            y=band,
            fill="toself",
            mode="none",
            hoverinfo="skip",
            showlegend=False,
            fillcolor=translucent(ink.text, 0.1),
            name="sd of LAC",
        )
    )
    hover = "1/h = %{x:.3g}: LAC errs %{y:.1%}<extra></extra>"
    fig.add_trace(
        spec.scatter(
            x=inverse_h,
            y=mean,
            mode="lines+markers",
            name="LAC",
            hovertemplate=hover,
            line={"color": ink.text, "width": 2.2},
        )
    )
    ends = [float(inverse_h[0]), float(inverse_h[-1])]
    for (name, values), color in zip(consensus.items(), (PALETTE[5], PALETTE[4], PALETTE[2], PALETTE[6]), strict=False):
        words = f"{name}: %{{y:.1%}} (sd {values.std():.1%})<extra></extra>"
        fig.add_trace(
            spec.scatter(
                x=ends,
                y=[values.mean()] * 2,
                mode="lines",
                name=name,
                hovertemplate=words,
                line={"color": color, "width": 2},
            )
        )
    if bayes is not None:
        fig.add_trace(
            spec.scatter(
                x=ends,
                y=[bayes] * 2,
                mode="lines",
                name="least possible (Bayes)",
                line={"color": ink.muted, "width": 1.4, "dash": "dash"},
            )
        )
    if marked is not None:
        fig.add_vline(marked, line={"color": ink.muted, "width": 1.2, "dash": "dot"})
    fig.update_xaxes(title_text="1/h", type="log")
    fig.update_yaxes(title_text="error rate", tickformat=".0%", rangemode="tozero")
    legend = {"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"}
    fig.update_layout(showlegend=True, legend=legend, margin_t=56)
    alt = f"Error of LAC from {mean.min():.1%} to {mean.max():.1%} over 1/h, mean of {len(errors)} draws."
    return finish(fig, theme, alt, height=height)
