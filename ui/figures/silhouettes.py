"""The silhouette plot: how firmly every object sits, sorted inside its cluster."""

import numpy as np

from ui.figures import spec
from ui.figures.numbering import number
from ui.figures.style import INKS, cluster_colors, finish, painted

#: Steps drawn at most; beyond it evenly chosen objects stand for the others.
MAX_STEPS = 3_000


def silhouette_figure(values, labels, theme, *, colors=None, height=380):
    """One bar an object, clusters below each other, the firmest on top in each.

    Parameters
    ----------
    values : (N,) float array
        In [-1, 1].
    labels : (N,) int array
        Clusters.
    theme : {"light", "dark"}
    colors : (k,) int array, optional
        Place in the palette of every cluster; by default its id.
    height : int

    Returns
    -------
    ui.figures.spec.Figure
    """
    values, labels = np.asarray(values), np.asarray(labels)
    ink, fig, n = INKS[theme], spec.Figure(), len(labels)
    gap, below, ticks, names = 0.02 * n, 0.0, [], []
    for cluster in np.unique(labels):
        own = np.sort(values[labels == cluster])[::-1]
        kept = np.unique(np.linspace(0, len(own) - 1, max(2, min(len(own), MAX_STEPS * len(own) // n))).round())
        y = np.concatenate([below + kept, [below + len(own)]]).astype(np.float32)
        x = own[np.append(kept, len(own) - 1).astype(int)].astype(np.float32)
        color = str(cluster_colors(painted(np.array([cluster]), colors))[0])
        fig.add_trace(
            spec.scatter(
                x=x,
                y=y,
                mode="lines",
                line={"width": 0.5, "color": color, "shape": "vh"},
                fill="tozerox",
                fillcolor=color,
                hovertemplate=f"cluster {number(cluster)}, {len(own):,} objects, mean {own.mean():.2f}<extra></extra>",
            )
        )
        ticks.append(below + len(own) / 2)
        names.append(f"{number(cluster)}: {own.mean():.2f}")
        below += len(own) + gap
    fig.add_vline(float(values.mean()), line={"color": ink.text, "width": 1, "dash": "dot"})
    low = min(0.0, float(values.min()))
    fig.update_xaxes(range=[low - 0.03, 1.02], title_text="silhouette; dotted: the mean")
    fig.update_yaxes(range=[below, -gap], tickvals=ticks, ticktext=names, title_text="cluster: mean", showgrid=False)
    alt = f"Silhouettes of {n:,} objects in {len(names)} clusters, mean {values.mean():.2f}."
    return finish(fig, theme, alt, height=height)
