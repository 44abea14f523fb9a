"""The clusters of an ensemble as a cloud: size against reliability."""

import numpy as np

from ui.figures import spec
from ui.figures.numbering import numbers
from ui.figures.style import INKS, finish, log_ticks


def cluster_cloud(sizes, uncertainty, index, clustering_of, theme, *, selected=None, height=360):
    """One dot a cluster, its id in `customdata`: `sizes`, `uncertainty` in bits, `index` (ECI), all (K,)."""
    opacity = 0.75 if selected is None or not np.any(selected) else np.where(selected, 1.0, 0.15)
    text = [
        f"base clustering {m}, {size:,} objects<br>uncertainty {h:.2f} bits"
        for m, size, h in zip(clustering_of, sizes, uncertainty, strict=True)
    ]
    fig = spec.Figure(
        [
            spec.scattergl(
                x=np.asarray(sizes, np.float32),
                y=np.asarray(index, np.float32),
                mode="markers",
                text=text,
                customdata=np.arange(len(sizes)),
                hovertemplate="%{text}<br>ECI %{y:.3f}<extra></extra>",
                marker={"color": INKS[theme].accent, "size": 9, "opacity": opacity},
            )
        ]
    )
    fig.update_xaxes(title_text="objects in the cluster")
    if np.max(sizes) > 20 * np.min(sizes):
        fig.update_xaxes(type="log", tickvals=log_ticks(np.min(sizes), np.max(sizes)))
    fig.update_yaxes(title_text="reliability (ECI)", range=[-0.03, 1.04])
    alt = f"{len(sizes):,} clusters, reliability {np.min(index):.2f} to {np.max(index):.2f}."
    return finish(fig, theme, alt, height=height)


def bar_by_clustering(values, theme, *, y_name, off=(), height=260):
    """One bar a base clustering, those `off` grey; `values` (M,) may hold nan."""
    values, ink = np.asarray(values, float), INKS[theme]
    color = np.where(np.isin(np.arange(len(values)), list(off)), ink.line, ink.accent)
    hover = f"base clustering %{{x}}<br>{y_name} %{{y:.3f}}<extra></extra>"
    fig = spec.Figure(
        [spec.bar(x=numbers(np.arange(len(values))), y=values, marker={"color": color}, hovertemplate=hover)]
    )
    fig.update_xaxes(title_text="base clustering", showgrid=False)
    fig.update_yaxes(title_text=y_name, rangemode="tozero")
    return finish(fig, theme, f"{y_name} of {len(values):,} base clusterings.", height=height)
