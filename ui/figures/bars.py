"""Counts as horizontal or vertical bars."""

import numpy as np

from ui.figures import spec
from ui.figures.style import INKS, cluster_colors, finish
from ui.outside import html

#: Above this many bars names would overlap: the axis then numbers them.
NAMED_BARS = 40


def class_balance(counts, names, theme, *, height=None):
    """Objects of each class, in the colour the class has everywhere.

    Parameters
    ----------
    counts : (k,) int array
        Classes in the order of their ids.
    names : sequence of str
    theme : {"light", "dark"}
    height : int, optional
        In pixels; by default it grows with the classes.

    Returns
    -------
    ui.figures.spec.Figure
    """
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
    """How often each whole number occurs, such as the k of the base clusterings.

    Parameters
    ----------
    values : (n,) int array
    theme : {"light", "dark"}
    x_name, y_name : str
    height : int

    Returns
    -------
    ui.figures.spec.Figure
    """
    values = np.asarray(values)
    found, counts = np.unique(values, return_counts=True)
    hover = f"{x_name} %{{x:,}}: %{{y:,}} {y_name}<extra></extra>"
    fig = spec.Figure([spec.bar(x=found, y=counts, marker={"color": INKS[theme].accent}, hovertemplate=hover)])
    fig.update_xaxes(title_text=x_name, range=[found[0] - 0.8, found[-1] + 0.8])
    fig.update_yaxes(title_text=y_name, rangemode="tozero")
    alt = f"{x_name}: {found[0]:,} to {found[-1]:,} over {len(values):,} {y_name}."
    return finish(fig, theme, alt, height=height)
