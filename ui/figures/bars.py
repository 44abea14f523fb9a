"""Bars: silhouettes, histograms, and one bar a class."""

import numpy as np

from ui.figures import spec
from ui.figures.numbering import number
from ui.figures.style import INKS, cluster_colors, finish, painted
from ui.outside import html

#: Steps drawn at most; beyond it evenly chosen objects stand for the others.
MAX_STEPS = 3_000
#: Whole numbers that an axis names one by one, at most.
_EACH_NAMED = 9


def silhouette_figure(values, labels, theme, *, colors=None, height=380):
    """One bar an object, clusters below each other, the firmest on top in each; `values` (N,) lie in [-1, 1]."""
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


#: Above this many bars names would overlap: the axis then numbers them.
NAMED_BARS = 40


def class_balance(counts, names, theme, *, height=None):
    """Objects of each class, in the colour the class has everywhere; `counts` (k,) by id."""
    counts = np.asarray(counts)
    share = counts / counts.sum()
    hover = "class %{y}<br>%{x:,} objects (%{customdata:.1%})<extra></extra>"
    bars = spec.bar(
        x=counts,
        y=np.arange(len(counts)),
        orientation="h",
        customdata=share,
        hovertemplate=hover,
        marker={"color": cluster_colors(len(counts))},
    )
    if len(counts) <= 15:
        bars.update(text=[f"{c:,}" for c in counts], textposition="auto", textangle=0)
    fig = spec.Figure([bars])
    fig.update_xaxes(title_text="objects", rangemode="tozero")
    fig.update_yaxes(title_text="class", autorange="reversed", showgrid=False)
    if len(counts) <= NAMED_BARS:
        fig.update_yaxes(tickvals=np.arange(len(counts)), ticktext=[html(name) for name in names])
    alt = f"{len(counts)} classes of {counts.min():,} to {counts.max():,} objects."
    return finish(fig, theme, alt, height=height or int(np.clip(90 + 26 * len(counts), 150, 460)))


def histogram(values, theme, *, x_name, y_name="base clusterings", height=220):
    """How often each whole number occurs, such as the k of the base clusterings."""
    values = np.asarray(values)
    found, counts = np.unique(values, return_counts=True)
    hover = f"{x_name} %{{x:,}}: %{{y:,}} {y_name}<extra></extra>"
    fig = spec.Figure([spec.bar(x=found, y=counts, marker={"color": INKS[theme].accent}, hovertemplate=hover)])
    beside = max(0.8, 3 - (found[-1] - found[0]) / 2)  # one bar alone fills no picture
    fig.update_xaxes(title_text=x_name, range=[found[0] - beside, found[-1] + beside])
    if found[-1] - found[0] < _EACH_NAMED:
        fig.update_xaxes(tickvals=np.arange(found[0], found[-1] + 1))
    fig.update_yaxes(title_text=y_name, rangemode="tozero")
    alt = f"{x_name}: {found[0]:,} to {found[-1]:,} over {len(values):,} {y_name}."
    return finish(fig, theme, alt, height=height)
