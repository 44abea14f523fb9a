"""Curves over values: any lines by name, precision against recall, links by weight."""

import numpy as np

from ui.figures import spec
from ui.figures.style import INKS, PALETTE, finish, log_ticks


def line_figure(x, lines, theme, *, x_name, y_name, log_x=False, y_range=(0, 1.02), marked=None, height=280):
    """Lines (n,) by name over one axis, named in a legend above; a vertical line where `marked`."""
    fig, colors = spec.Figure(), [INKS[theme].accent, PALETTE[5], PALETTE[2], PALETTE[7]]
    for (name, y), color in zip(lines.items(), colors, strict=False):
        fig.add_trace(
            spec.scatter(
                x=np.asarray(x),
                y=np.asarray(y),
                mode="lines+markers",
                name=name,
                line={"color": color, "width": 2},
                marker={"size": 5},
            )
        )
    fig.update_xaxes(title_text=x_name, type="log" if log_x else "linear")
    if log_x:
        fig.update_xaxes(tickvals=log_ticks(np.min(x), np.max(x)))
    fig.update_yaxes(title_text=y_name, range=y_range)
    if marked is not None:
        fig.add_vline(marked, line={"color": INKS[theme].muted, "width": 1.2, "dash": "dot"})
    legend = {"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"}
    fig.update_layout(showlegend=len(lines) > 1, legend=legend, margin_t=50)
    return finish(fig, theme, f"{y_name} against {x_name}: {', '.join(lines)}.", height=height)


def precision_recall(curves, theme, *, height=300):
    """Precision against recall of "this value or more", one line a matrix: (b,) recall and (b,) precision by name."""
    fig = spec.Figure()
    for (name, (recall, precision)), color in zip(curves.items(), (1, 5, 2), strict=False):
        hover = f"{name}<br>recall %{{x:.1%}}, precision %{{y:.1%}}<extra></extra>"
        line = {"color": PALETTE[color], "width": 2}
        fig.add_trace(spec.scatter(x=recall, y=precision, mode="lines", name=name, line=line, hovertemplate=hover))
    fig.update_xaxes(title_text="recall", range=[0, 1.02], tickformat=".0%")
    fig.update_xaxes(ticks="outside", ticklen=7, tickcolor="rgba(0, 0, 0, 0)")  # the two 0 % in the corner stay apart
    fig.update_yaxes(title_text="precision", range=[0, 1.02], tickformat=".0%")
    legend = {"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"}
    fig.update_layout(showlegend=True, legend=legend, margin_t=50)
    return finish(fig, theme, f"Precision against recall: {', '.join(curves)}.", height=height)


def link_figure(values, share, correct, precision, recall, theme, *, name="value", height=320):
    """Share of the links at each value as bars; precision and recall of "this value or more" as lines.

    All (b,): `values` are the lower edges of evenly spaced bins, `correct` the share of the links in each that join
    objects of one class, nan where there are none.
    """
    values, ink = np.asarray(values, np.float32), INKS[theme]
    hover = f"{name} %{{x:.3g}}<br>%{{y:.1%}} of the links<extra></extra>"
    fig = spec.Figure(
        [
            spec.bar(
                x=values, y=np.asarray(share), name="share of links", hovertemplate=hover, marker={"color": ink.line}
            )
        ]
    )
    lines = (
        ("correct at this value", correct, ink.muted, "dot"),
        ("precision from here up", precision, PALETTE[4], None),
        ("recall from here up", recall, PALETTE[5], None),
    )
    for words, y, color, dash in lines:
        hover = f"{words}: %{{y:.1%}}<extra></extra>"
        fig.add_trace(
            spec.scatter(
                x=values,
                y=np.asarray(y),
                name=words,
                mode="lines",
                hovertemplate=hover,
                line={"color": color, "width": 2, "dash": dash},
            )
        )
    fig.update_xaxes(title_text=name)
    fig.update_yaxes(range=[0, 1.02], tickformat=".0%", title_text="share")
    legend = {"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"}
    fig.update_layout(showlegend=True, hovermode="x unified", legend=legend, bargap=0.15)
    alt = f"{name} of pairs: precision from {np.nanmin(precision):.0%} to {np.nanmax(precision):.0%}."
    fig.update_layout(margin_t=56)
    return finish(fig, theme, alt, height=height)
