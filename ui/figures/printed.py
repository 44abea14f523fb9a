"""Printed scores against one's own."""

import numpy as np

from ui.figures import spec
from ui.figures.style import INKS, PALETTE, finish


def printed_figure(printed, ours, sd_printed, sd_ours, within, names, theme, *, measure="NMI (max)", height=460):
    """A dot a number: what the paper prints across, ours up, with both spreads; on the line they agree.

    nan in `ours` is not there yet, in a spread not printed. Two traces of dots: within the spread, and outside.
    """
    ink, fig = INKS[theme], spec.Figure()
    fig.add_trace(
        spec.scatter(
            x=[0, 1],
            y=[0, 1],
            mode="lines",
            hoverinfo="skip",
            name="equal",
            showlegend=False,
            line={"color": ink.muted, "width": 1.2, "dash": "dot"},
        )
    )
    inside = np.array([one is not False for one in within])
    for title, shown, color in (("within the spread", inside, ink.accent), ("outside", ~inside, PALETTE[5])):
        line = {"color": color, "thickness": 1, "width": 0}
        bars = {
            f"error_{axis}": {"array": np.nan_to_num(np.asarray(sd)[shown]), **line}
            for axis, sd in (("x", sd_printed), ("y", sd_ours))
        }
        hover = [f"{name}<br>printed {a:.3f}, ours {b:.3f}" for name, a, b in zip(names, printed, ours, strict=True)]
        fig.add_trace(
            spec.scatter(
                x=np.asarray(printed)[shown],
                y=np.asarray(ours)[shown],
                mode="markers",
                name=title,
                text=np.array(hover, dtype=object)[shown],
                hovertemplate="%{text}<extra></extra>",
                marker={"color": color, "size": 8},
                **bars,
            )
        )
    both = np.concatenate([printed, np.asarray(ours)[np.isfinite(ours)]])
    low, high = max(0.0, float(np.min(both)) - 0.05), min(1.02, float(np.max(both)) + 0.05)
    fig.update_xaxes(title_text=f"{measure}, printed", range=[low, high], constrain="domain")
    fig.update_yaxes(title_text=f"{measure}, ours", range=[low, high], scaleanchor="x", constrain="domain")
    legend = {"orientation": "h", "x": 0, "y": 1.02, "xanchor": "left", "yanchor": "bottom"}
    fig.update_layout(showlegend=True, legend=legend, margin_t=44)
    there = np.isfinite(ours)
    alt = f"{there.sum()} of {len(printed)} printed scores beside ours; {(inside & there).sum()} within the spread."
    return finish(fig, theme, alt, height=height)
