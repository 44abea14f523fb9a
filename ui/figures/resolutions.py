"""Runs at one resolution after the other: how far they disagree, against what they find."""

import numpy as np

from ui.figures import spec
from ui.figures.style import INKS, finish, log_ticks

#: What stands where runs do not differ at all: a logarithm has no 0.
_LEAST = 1e-4


def resolution_figure(own, null, threshold, theme, *, taken=None, height=360):
    """Inconsistency of runs against their number of clusters; beside it that on a graph by chance.

    Bars hold nine tenths of the bootstraps. A dot carries its place among the resolutions; full are those between the
    two of `taken`.
    """
    ink, fig = INKS[theme], spec.Figure()
    low, high = taken or (np.inf, -np.inf)
    inside = (own.resolutions >= low * (1 - 1e-9)) & (own.resolutions <= high * (1 + 1e-9))
    fig.add_trace(_curve(null, "a graph by chance", ink.muted, ink.muted, "dot"))
    fig.add_trace(_curve(own, "this graph", ink.accent, np.where(inside, ink.accent, ink.paper), "solid", True))
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


def _curve(curve, name, color, fill, dash, click=False):
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
