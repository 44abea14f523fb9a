"""Sweeps of one parameter as a line and of two as a grid, with the values in words."""

import numbers
from itertools import cycle

import numpy as np

from ui.figures import spec
from ui.figures.cells import category_axis, cell_numbers, cell_targets, score_tiles, waiting_tiles
from ui.figures.style import INKS, PALETTE, finish, translucent

#: Share of an axis between two words on it.
LEAST_GAP = 0.07


def tuning_line(
    x, mean, sd, n, theme, x_name, y_name, marked=None, log_x=False, *, name="", others=None, y_range=None, height=320
):
    """Score (C,) along the ascending values of a parameter, with a band of one standard deviation over `n` draws.

    nan is not there yet: the line has a gap; an sd of nan and an `n` of None: there are no draws. Values other than
    numbers (None = automatic, words) stand evenly spaced.
    `marked` None is no setting unless it is among them; `log_x` is heeded for positive numbers; `y_range` by default
    spans at least 0.1; `customdata` of a dot is the index of its value.
    """
    ink, fig, words = INKS[theme], spec.Figure(), setting_names(x)
    numeric = all(is_number(value) for value in x)
    places = np.asarray(x, float) if numeric else np.arange(len(x), dtype=float)
    counts = np.broadcast_to(n, len(x))
    series = {name: (mean, sd)} | dict(others or {})
    inks = cycle([ink.accent, PALETTE[5], PALETTE[2], PALETTE[7], PALETTE[0], PALETTE[4]])
    for place, ((title, pair), color) in enumerate(zip(series.items(), inks, strict=False)):
        mid, half = (np.asarray(part, float) for part in pair)
        draws = counts if place == 0 else None
        hover = [f"{x_name} = {word}<br>{score_words(y_name, *at)}" for word, at in _points(words, mid, half, draws)]
        fig.add_trace(_band(places, mid, half, color))
        fig.add_trace(_line(places, mid, half, hover, title, color))
    _x_axis(fig, places, words, numeric, x_name, log_x)
    every = np.concatenate(
        [np.asarray(m, float) + side * np.nan_to_num(s) for m, s in series.values() for side in (-1, 1)]
    )
    fig.update_yaxes(title_text=y_name, range=y_range or _opened(*value_span(every)))
    notes, alt = _mark(fig, list(x), places, mean, sd, counts, marked, x_name, y_name, ink)
    lines = -(-sum(40 + 7 * len(title) for title in series) // 440) if others else 0
    legend = {"orientation": "h", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom"}
    fig.update_layout(showlegend=bool(others), legend=legend, margin_b=8 + (36 + 21 * lines) * bool(lines))
    return finish(fig, theme, _line_alt(words, mean, x_name, y_name) + alt, height=height, notes=notes)


def _points(words, mean, sd, counts):
    """Each value's word with its mean, sd and draws."""
    draws = [None] * len(words) if counts is None else counts.tolist()
    return zip(words, zip(mean, sd, draws, strict=True), strict=True)


def _band(x, mean, sd, color):
    """Area of one standard deviation, one piece for every stretch without a gap."""
    there = np.flatnonzero(np.isfinite(mean + sd))
    pieces = np.split(there, np.flatnonzero(np.diff(there) > 1) + 1)
    gap = [np.nan]
    around = [np.concatenate([x[p], x[p][::-1], gap]) for p in pieces]
    edges = [np.concatenate([(mean - sd)[p], (mean + sd)[p][::-1], gap]) for p in pieces]
    return spec.scatter(
        x=np.concatenate(around),
        y=np.concatenate(edges),
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillcolor=translucent(color, 0.15),
        hoverinfo="skip",
        showlegend=False,
    )


def _line(x, mean, sd, hover, name, color):
    """Line with its dots; a dot without neighbours has its spread as a bar, for it has no band."""
    there = np.concatenate([[False], np.isfinite(mean), [False]])
    alone = there[1:-1] & ~there[:-2] & ~there[2:]
    steady = {"marker": {"opacity": 1}}
    return spec.scatter(
        x=x,
        y=mean,
        mode="lines+markers",
        name=name,
        connectgaps=False,
        customdata=np.arange(len(x)),
        line={"color": color, "width": 2},
        marker={"size": 7},
        text=hover,
        hovertemplate="%{text}<extra></extra>",
        selected=steady,
        unselected=steady,
        error_y={"array": np.where(alone, sd, np.nan), "thickness": 1.2, "width": 3},
    )


def _x_axis(fig, places, words, numeric, title, log_x):
    """Numbers on their scale, with the values as ticks if they are few; words evenly spaced."""
    log = numeric and log_x and (places > 0).all()
    fig.update_xaxes(title_text=title, type="log" if log else "linear", showgrid=False, showline=True)
    if not numeric or (log and len(places) <= 12):
        fig.update_xaxes(tickvals=places, ticktext=_apart(np.log(places), words) if log else words, tickangle=0)
    if not numeric:
        fig.update_xaxes(range=[-0.4, len(places) - 0.6])


def _apart(places, words):
    """Words along an axis; one that would run into the word before it is left out."""
    shown, last = [], -np.inf
    for place, word in zip(places, words, strict=True):
        free = place - last >= LEAST_GAP * np.ptp(places)
        shown.append(word if free else "")
        last = place if free else last
    return shown


def _mark(fig, values, places, mean, sd, counts, marked, x_name, y_name, ink):
    """Show the current setting; a remark and a sentence about it."""
    if marked is None and None not in values:
        return [], ""
    [word] = setting_names([marked])
    at = values.index(marked) if marked in values else None
    if at is None and not (is_number(marked) and all(map(is_number, values))):
        return [], ""
    x = float(marked) if at is None else float(places[at])
    fig.add_vline(x, line={"color": ink.muted, "width": 1.2, "dash": "dot"}, layer="below")
    there = at is not None and np.isfinite(mean[at])
    if there:
        marker = {"size": 13, "color": ink.accent, "line": {"color": ink.text, "width": 1.6}}
        fig.add_trace(
            spec.scatter(
                x=[x],
                y=[float(mean[at])],
                mode="markers",
                name="now",
                marker=marker,
                hoverinfo="skip",
                showlegend=False,
            )
        )
    found = (
        score_words(y_name, mean[at], sd[at], None if counts[at] is None else int(counts[at]))
        if there
        else "no score yet"
    )
    return [f"now {x_name} = {word}: {found}"], f" The current setting, {x_name} = {word}: {found}."


def _line_alt(words, mean, x_name, y_name):
    """What the line shows, in words."""
    mean = np.asarray(mean, float)
    if not np.isfinite(mean).any():
        return f"{y_name} against {x_name}: no scores yet."
    best = int(np.nanargmax(mean))
    waiting = int(np.isnan(mean).sum())
    return (
        f"{y_name} against {len(words)} values of {x_name}, highest {mean[best]:.3f} at {words[best]}"
        + (f"; {waiting} still to come" if waiting else "")
        + "."
    )


def _opened(low, high):
    """A little wider, so that dots at the ends are whole."""
    return [low - 0.05 * (high - low), high + 0.05 * (high - low)]


#: A scale never spans less: differences of a hundredth must not look like day and night.
LEAST_SPAN = 0.1


def setting_names(values):
    """Values of a parameter as words: None is automatic, numbers have up to four digits."""
    return [
        "auto" if value is None else f"{value:,.4g}" if is_number(value) and value % 1 else _whole(value)
        for value in values
    ]


def is_number(value):
    """Whether a setting is a number, which a switch is not."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)


def _whole(value):
    """A whole number with its separators; anything else as it is."""
    return f"{int(value):,}" if is_number(value) else str(value)


def score_words(name, mean, sd, n=None):
    """Mean, sd and draws in words."""
    if np.isnan(mean):
        return f"{name}: not yet"
    spread = "" if np.isnan(sd) else f", sd {sd:.3f}"
    return f"{name} {mean:.3f}{spread}" + ("" if n is None else f", {n:,} draw{'s' * (n != 1)}")


def value_span(values):
    """Range of the finite values, at least 0.1 wide; 0 to 1 without any."""
    finite = values[np.isfinite(values)]
    if not len(finite):
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    widen = max(0.0, LEAST_SPAN - (high - low)) / 2
    return low - widen, high + widen


def tuning_heatmap(
    rows, cols, mean, sd, theme, row_name, col_name, marked=None, *, name="score", score_range=None, height=None
):
    """Score (R, C) over two parameters, a cell a setting; nan is an empty tile, the cell of `marked` is framed.

    The scale by default spans at least 0.1. The last trace holds an unseen square a cell, so that a click is reported:
    `customdata` is [row, column].
    """
    mean, sd, ink = np.asarray(mean, float), np.asarray(sd, float), INKS[theme]
    low, high = score_range or value_span(mean)
    names = setting_names(rows), setting_names(cols)
    fig = spec.Figure([waiting_tiles(mean, ink), score_tiles(mean, low, high, name, ink)])
    fig.add_traces(cell_numbers(mean, low, high))
    hover = [
        f"{row_name} = {row}, {col_name} = {col}<br>{score_words(name, mean[r, c], sd[r, c])}"
        for r, row in enumerate(names[0])
        for c, col in enumerate(names[1])
    ]
    fig.add_trace(cell_targets(mean.shape, hover))
    category_axis(fig.update_xaxes, names[1], col_name)
    category_axis(fig.update_yaxes, names[0], row_name)
    frame = _frame(fig, list(rows), list(cols), marked, ink)
    there = int(np.isfinite(mean).sum())
    notes = [] if there == mean.size else [f"{there:,} of {mean.size:,} settings are there"]
    fig.update_layout(hovermode="closest", hoverdistance=-1)  # the nearest square is the cell pointed at
    alt = f"{name} over {len(rows)} values of {row_name} and {len(cols)} of {col_name}{_best(mean, names)}{frame}."
    return finish(fig, theme, alt, height=height or 96 + max(30, 44 - len(rows)) * len(rows), notes=notes)


def _frame(fig, rows, cols, marked, ink):
    """Frame the current setting, dark in light, so that it shows on any colour; words about it."""
    if marked is None or marked[0] not in rows or marked[1] not in cols:
        return ""
    row, column = rows.index(marked[0]), cols.index(marked[1])
    for color, width in ((ink.paper, 5), (ink.text, 2.4)):
        fig.add_shape(
            type="rect",
            x0=column - 0.48,
            x1=column + 0.48,
            y0=row - 0.47,
            y1=row + 0.47,
            line={"color": color, "width": width},
        )
    return "; the current setting is framed"


def _best(mean, names):
    """Where the highest score is, in words."""
    if not np.isfinite(mean).any():
        return ", no scores yet"
    row, column = np.unravel_index(np.nanargmax(mean), mean.shape)
    return f", highest {mean[row, column]:.3f} at {names[0][row]} and {names[1][column]}"
