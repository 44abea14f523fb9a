"""Choices of base clusterings against chance, and how many base clusterings are enough."""

import numpy as np

from ui.figures import spec
from ui.figures.style import INKS, PALETTE, finish, padded_range, translucent

_GOLDEN = (np.sqrt(5) - 1) / 2


def selection_figure(agreement, likeness, kept, names, theme, *, height=330):
    """A dot a base clustering: mean NMI with the others, and NMI with the consensus of all; those `kept` are full."""
    agreement, likeness, ink = np.asarray(agreement, np.float32), np.asarray(likeness, np.float32), INKS[theme]
    full = np.isin(np.arange(len(agreement)), kept)
    fig = spec.Figure()
    for name, here, fill in (("kept", full, ink.accent), ("left out", ~full, "rgba(0,0,0,0)")):
        marker = {"size": 10, "color": fill, "line": {"width": 1.6, "color": ink.accent if here is full else ink.muted}}
        text = [names[m] for m in np.flatnonzero(here)]
        said = f"%{{text}}, {name}<br>with the others %{{x:.3f}}<br>with the consensus %{{y:.3f}}<extra></extra>"
        spots = {"x": agreement[here], "y": likeness[here], "text": text, "hovertemplate": said}
        fig.add_trace(spec.scatter(mode="markers", name=name, marker=marker, showlegend=True, **spots))
    fig.update_xaxes(title_text="mean NMI (max) with the others", range=padded_range(agreement))
    fig.update_yaxes(title_text="NMI (max) with the consensus", range=padded_range(likeness))
    fig.update_layout(legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"})
    alt = (
        f"{len(agreement):,} base clusterings by agreement with the others and with the consensus, {len(kept):,} kept."
    )
    return finish(fig, theme, alt, height=height)


def selection_cloud_figure(values, inside, names, found, percentiles, theme, *, x_name, height=None):
    """A dot a random choice in the first row, and below it a row a strategy: full outside the cloud, hollow inside.

    `values` (draws,) are what the random choices are worth, `inside` the ends of what can come by chance, `found` and
    `percentiles` (s,) what each strategy's choice is worth, and its place among the random ones.
    """
    values, found, ink = np.asarray(values, np.float32), np.asarray(found, np.float32), INKS[theme]
    percentiles = np.asarray(percentiles, float)
    outside = (percentiles < 5) | (percentiles > 95)
    lift = ((np.arange(len(values)) * _GOLDEN) % 1 - 0.5) * 0.7
    fig = spec.Figure()
    box = {"x0": float(inside[0]), "x1": float(inside[1]), "y0": 0, "y1": 1, "yref": "y domain", "layer": "below"}
    fig.add_shape(type="rect", **box, fillcolor=translucent(ink.muted, 0.16), line={"width": 0})
    fig.add_trace(
        spec.scatter(
            x=values,
            y=lift.astype(np.float32),
            mode="markers",
            name="random choices",
            marker={"size": 7, "color": translucent(ink.muted, 0.6), "line": {"width": 0}},
            hovertemplate="a random choice: %{x:.3f}<extra></extra>",
        )
    )
    rows = np.arange(1, len(names) + 1, dtype=np.float32)
    said = [
        f"{n}: {v:.3f}, above {p:.0f} % of the random choices"
        for n, v, p in zip(names, found, percentiles, strict=True)
    ]
    fig.add_trace(
        spec.scatter(
            x=found,
            y=rows,
            mode="markers",
            name="strategies",
            text=said,
            hovertemplate="%{text}<extra></extra>",
            marker={"size": 11, "color": np.where(outside, ink.accent, ink.paper)}
            | {"line": {"width": 1.8, "color": ink.accent}},
        )
    )
    words = ["random choices", *(f"{name}: {p:.0f} %" for name, p in zip(names, percentiles, strict=True))]
    ticks = {"tickvals": np.arange(len(words)), "ticktext": words}
    fig.update_yaxes(range=[len(names) + 0.6, -0.7], showgrid=False, **ticks)
    fig.update_xaxes(title_text=x_name, range=padded_range(np.concatenate([values, found])), showline=True)
    told = ", ".join(name for name, one in zip(names, outside, strict=True) if one) or "none"
    alt = f"{x_name} of {len(names)} strategies against {len(values):,} random choices; outside the cloud: {told}."
    notes = ["percent: random choices that are worth less", "grey band: nine of ten random choices"]
    return finish(fig, theme, alt, height=height or 120 + 30 * (len(names) + 1), notes=notes)


def enough_figure(curves, theme, *, y_name, height=300):
    """What the consensus is worth against the number of base clusterings: median, band, and from where it is flat.

    `curves` come by method, in the order of the legend; the first has the colour of the app.
    """
    fig, x_range = spec.Figure(), padded_range(np.concatenate([one.sizes for one in curves.values()]))
    for place, (name, one) in enumerate(curves.items()):
        color = PALETTE[1] if place else INKS[theme].accent
        fig.add_traces(_curve(one, name if len(curves) > 1 else "median", color, len(curves) > 1))
        if one.flat_from is not None:
            _flat_from(fig, one.flat_from, x_range, color, f" ({name})" if len(curves) > 1 else "", place)
    fig.update_xaxes(title_text="base clusterings M", range=x_range, showline=True)
    fig.update_yaxes(
        title_text=y_name, range=padded_range(np.concatenate([one.band.ravel() for one in curves.values()]), 0.08)
    )
    fig.update_layout(margin_t=34 + 17 * (len(curves) - 1))
    fig.update_layout(legend={"orientation": "h", "x": 0, "y": -0.24, "xanchor": "left", "yanchor": "top"})
    ends = ", ".join(f"{name} from {one.median[0]:.3f} to {one.median[-1]:.3f}" for name, one in curves.items())
    return finish(fig, theme, f"{y_name} against the number of base clusterings: {ends}.", height=height)


def _curve(one, name, color, legend):
    """A band, and the line of medians in it."""
    sizes, median, band = (np.asarray(value, np.float32) for value in (one.sizes, one.median, one.band))
    around = {"x": np.concatenate([sizes, sizes[::-1]]), "y": np.concatenate([band[0], band[1][::-1]])}
    fill = {"fill": "toself", "fillcolor": translucent(color, 0.18), "line": {"width": 0}}
    yield spec.scatter(**around, mode="lines", name=f"band of {name}", hoverinfo="skip", showlegend=False, **fill)
    yield spec.scatter(
        x=sizes,
        y=median,
        mode="lines+markers",
        name=name,
        showlegend=legend,
        line={"color": color, "width": 1.8},
        marker={"size": 6, "color": color},
        text=[f"{low:.3f} to {high:.3f}" for low, high in band.T],
        hovertemplate=f"{name}, M = %{{x:,}}: median %{{y:.3f}}<br>four fifths from %{{text}}<extra></extra>",
    )


def _flat_from(fig, size, x_range, color, whose, place):
    """A line where a curve becomes flat, with its words above the picture, one method above the other."""
    line = {"color": color, "width": 1, "dash": "dot"}
    fig.add_shape(type="line", x0=size, x1=size, y0=0, y1=1, yref="y domain", line=line, layer="below")
    share = (size - x_range[0]) / (x_range[1] - x_range[0])
    anchor = "left" if share < 0.2 else "right" if share > 0.8 else "center"
    label = {"text": f"<b>flat from M = {size:,} on</b>{whose}", "x": size, "y": 1, "yref": "y domain"}
    fig.add_annotation(label, xanchor=anchor, yanchor="bottom", yshift=17 * place, font={"color": color})
