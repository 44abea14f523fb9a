"""Scores on a line: base clusterings against their consensus, starts of a method, a score along a parameter.

Curves over values: any lines by name, precision against recall, links by weight.
"""

import numpy as np

from ui.figures import spec
from ui.figures.numbering import numbers
from ui.figures.style import INKS, PALETTE, finish, log_ticks, padded_range, translucent, whole_ticks
from ui.saying import percent

_GOLDEN = (np.sqrt(5) - 1) / 2


def score_strip(
    scores, consensus, theme, *, name="NMI with the truth", dots="base clusterings", line="consensus", height=120
):
    """One dot per base clustering on an axis from 0 to 1, and the consensus as a line, once there is one.

    The axis grows below 0 only for scores that chance-corrected measures put there.
    """
    scores = np.asarray(scores, np.float32)
    mean, ink = float(scores.mean()), INKS[theme]
    fig = spec.Figure([_strip_dots(scores, ink), _upright(mean, 0.62, ink.text, 1.2)])
    if consensus is not None:
        fig.add_trace(_upright(consensus, 1, ink.accent, 2.5))
        fig.add_annotation(_label(consensus, f"<b>{line} {consensus:.3f}</b>", ink.accent))
    low = min(0.0, float(scores.min()), 0.0 if consensus is None else consensus)
    words = [name, f"{len(scores):,} {dots}, mean {mean:.3f}"][: 1 + (len(scores) > 1)]
    fig.update_xaxes(range=[low - 0.02, 1.02], dtick=0.2, title_text="<br>".join(words), showline=True)
    fig.update_yaxes(range=[-1, 1], visible=False, fixedrange=True)
    fig.update_layout(margin_t=24)
    alt = "; ".join(words) + ("." if consensus is None else f"; {line} {consensus:.3f}.")
    return finish(fig, theme, alt, height=height)


def score_curve(x, y, theme, *, marked=None, x_name="", y_name="", spread=None, y_range=(0.0, 1.0), height=240):
    """Score (n,) along a parameter, its present value marked; `spread` (n,) is a band of one sd to either side.

    The nearest value drawn is marked. `y_range` None fits the axis to the values.
    """
    x, y = np.asarray(x, np.float32), np.asarray(y, np.float32)
    band = np.zeros_like(y) if spread is None else np.asarray(spread, np.float32)
    ink, fig = INKS[theme], spec.Figure()
    if spread is not None:
        fig.add_trace(_band(x, y, band, ink))
    fig.add_trace(_curve(x, y, ink, f"{x_name} %{{x:,}}<br>{y_name} %{{y:.3f}}<extra></extra>"))
    alt = f"{y_name} against {x_name}, from {y[0]:.3f} at {x[0]:,g} to {y[-1]:.3f} at {x[-1]:,g}."
    if marked is not None:
        at = int(np.abs(x - marked).argmin())
        _mark(fig, float(x[at]), float(y[at]), x_name, padded_range(x), ink)
        alt += f" Marked: {y[at]:.3f} at {x[at]:,g}."
    both = np.concatenate([y - band, y + band])
    fig.update_xaxes(range=padded_range(x), title_text=x_name, showgrid=False, showline=True)
    held = padded_range(both) if y_range is None else _opened(_holding(y_range, both))
    fig.update_yaxes(range=held, title_text=y_name)
    fig.update_layout(margin_t=26)
    return finish(fig, theme, alt, height=height)


def _strip_dots(scores, ink):
    """Dots spread upright by the golden ratio: even, and the same each time."""
    order = np.arange(len(scores))
    lift = ((order * _GOLDEN) % 1 - 0.5) * 1.1
    return spec.scatter(
        x=scores,
        y=lift.astype(np.float32),
        customdata=numbers(order).astype(np.int32),
        mode="markers",
        marker={"size": 8, "color": translucent(ink.muted, 0.6), "line": {"width": 0}},
        hovertemplate="base clustering %{customdata}<br>%{x:.3f}<extra></extra>",
    )


def _upright(x, half, color, width):
    """Vertical stroke at x."""
    ends = np.array([-half, half], np.float32)
    line = {"color": color, "width": width}
    return spec.scatter(x=np.full(2, x, np.float32), y=ends, mode="lines", line=line, hoverinfo="skip")


def _label(x, text, color):
    """Label above the strip that stays inside it at both ends."""
    anchor = "left" if x < 0.2 else "right" if x > 0.8 else "center"
    return {"text": text, "x": x, "y": 1, "yref": "paper", "font": {"color": color}} | {
        "xanchor": anchor,
        "yanchor": "bottom",
    }


def _band(x, y, band, ink):
    """Area of one standard deviation around the curve."""
    return spec.scatter(
        x=np.concatenate([x, x[::-1]]),
        y=np.concatenate([y - band, (y + band)[::-1]]),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=translucent(ink.accent, 0.15),
        hoverinfo="skip",
    )


def _curve(x, y, ink, hover):
    """Line with its measured points."""
    return spec.scatter(
        x=x,
        y=y,
        mode="lines+markers",
        line={"color": ink.accent, "width": 1.8},
        marker={"size": 5},
        hovertemplate=hover,
    )


def _mark(fig, x, y, x_name, x_range, ink):
    """Mark the present value: a larger dot, a thin upright and its numbers above the plot."""
    fig.add_trace(
        spec.scatter(
            x=np.array([x], np.float32),
            y=np.array([y], np.float32),
            mode="markers",
            marker={"size": 11, "color": ink.accent, "line": {"color": ink.text, "width": 1.5}},
            hoverinfo="skip",
        )
    )
    line = {"color": ink.muted, "width": 1, "dash": "dot"}
    fig.add_shape(type="line", x0=x, x1=x, y0=0, y1=1, yref="y domain", line=line, layer="below")
    share = (x - x_range[0]) / (x_range[1] - x_range[0])
    label = _label(share, f"<b>{x_name} = {x:,g}: {y:.3f}</b>", ink.accent)
    fig.add_annotation(label | {"x": x})


def _holding(y_range, *values):
    """A range, lower where a score that is corrected for chance lies below its foot."""
    known = np.concatenate([np.ravel(one) for one in values])
    lowest = float(known[np.isfinite(known)].min(initial=y_range[0]))
    return y_range if lowest >= y_range[0] else (lowest - 0.02, y_range[1])


def _opened(y_range):
    """Range a little wider than asked, so that dots at its ends are whole."""
    return padded_range(y_range, 0.04)


def starts_figure(objectives, theme, *, height=260):
    """What every start came to, the lower the better; the best is kept."""
    values, ink = np.asarray(objectives, float), INKS[theme]
    best, starts = int(values.argmin()), np.arange(1, len(values) + 1)
    color = np.where(np.arange(len(values)) == best, ink.accent, ink.muted)
    hover = "start %{x}<br>objective %{y:.6g}<extra></extra>"
    marker = {"color": color, "size": np.where(np.arange(len(values)) == best, 13, 9)}
    figure = spec.Figure(
        [
            spec.scatter(
                x=starts.astype(np.float32),
                y=values.astype(np.float32),
                mode="markers",
                marker=marker,
                hovertemplate=hover,
            )
        ]
    )
    figure.add_hline(y=values[best], line={"color": ink.accent, "width": 1.2, "dash": "dash"})
    figure.update_xaxes(title_text="start", range=[0.3, len(values) + 0.7])
    figure.update_yaxes(title_text="objective, lower is better", range=padded_range(values, 0.12))
    alt = f"Objective of {len(values):,} starts, {values.min():.6g} to {values.max():.6g}."
    return finish(figure, theme, alt, height=height)


def _ticks_to_the_end(x):
    """Ticks of a logarithmic axis, the last value among them where they would end well before it.

    A tick that it would stand close to, as ticks stand here, gives way to it.

    >>> _ticks_to_the_end([1, 40]).tolist(), _ticks_to_the_end([1, 17_000]).tolist()
    ([1.0, 2.0, 5.0, 10.0, 20.0, 40.0], [1.0, 10.0, 100.0, 1000.0, 17000.0])
    """
    ticks, end = log_ticks(np.min(x), np.max(x)), np.max(x)
    if end <= 1.5 * ticks[-1]:
        return ticks
    close = len(ticks) > 2 and end**2 < ticks[-1] ** 3 / ticks[-2]
    return np.append(ticks[:-1] if close else ticks, end)


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
    fig.update_xaxes(**{"tickvals": _ticks_to_the_end(x)} if log_x else whole_ticks(x))
    held = _holding(y_range, *lines.values()) if y_range else None
    fig.update_yaxes(title_text=y_name, range=held, **{} if held else whole_ticks(*lines.values()))
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
    low, high = (percent(float(one), 1) for one in (np.nanmin(precision), np.nanmax(precision)))
    alt = f"{name} of pairs: precision from {low} to {high}."
    fig.update_layout(margin_t=56)
    return finish(fig, theme, alt, height=height)
