"""Scores over the values of two parameters, also while they are still coming in."""

import numpy as np

from ui.figures import spec
from ui.figures.cells import category_axis, cell_numbers, cell_targets, score_tiles, waiting_tiles
from ui.figures.settings_words import score_words, setting_names, value_span
from ui.figures.style import INKS, finish


def tuning_heatmap(
    rows, cols, mean, sd, theme, row_name, col_name, marked=None, *, name="score", score_range=None, height=None
):
    """Score over two parameters, a cell a setting.

    Parameters
    ----------
    rows, cols : (R,) and (C,) sequences
        Values in ascending order, from the bottom up and from left to right, evenly spaced.
    mean, sd : (R, C) float arrays
        nan = not there yet: an empty tile.
    theme : {"light", "dark"}
    row_name, col_name : str
    marked : (row value, column value), optional
        The current setting; framed if it is one of the cells.
    name : str
        What a value is.
    score_range : (float, float), optional
        Ends of the colour scale; by default it follows the values, and spans at least 0.1.
    height : int, optional

    Returns
    -------
    ui.figures.spec.Figure
        The last trace holds an unseen square a cell, so that a click is reported: `customdata` is [row, column].
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
