"""Cells of small tables of scores: coloured, numbered, waiting, and clickable."""

import numpy as np

from ui.figures import spec
from ui.figures.style import SIMILARITY_SCALE, ink_on, scale_color, translucent

#: Numbers are written into the cells up to so many columns and rows.
NUMBERED_COLUMNS, NUMBERED_ROWS = 15, 16
CLEAR = "rgba(0, 0, 0, 0)"


def waiting_tiles(mean, ink):
    """Empty tiles where there is no score yet."""
    there, empty = np.where(np.isnan(mean), 1, np.nan).astype(np.float32), translucent(ink.line, 0.45)
    return spec.heatmap(
        z=there,
        zmin=0,
        zmax=1,
        showscale=False,
        colorscale=[[0, empty], [1, empty]],
        xgap=3,
        ygap=3,
        hoverinfo="skip",
        name="not yet",
    )


def score_tiles(mean, low, high, name, ink):
    """Coloured cells with a slim scale."""
    title = {"text": name, "side": "right", "font": {"color": ink.muted, "size": 13}}
    bar = {"thickness": 9, "len": 0.9, "outlinewidth": 0, "title": title, "nticks": 6}
    bar |= {"tickfont": {"color": ink.muted, "size": 13}}
    return spec.heatmap(
        z=mean.astype(np.float32),
        zmin=low,
        zmax=high,
        colorscale=SIMILARITY_SCALE,
        colorbar=bar,
        xgap=3,
        ygap=3,
        hoverinfo="skip",
        name=name,
    )


def short_score(value):
    """Three digits without the leading zero: .712, 1.00, -.012."""
    return f"{value:.2f}" if abs(value) >= 0.9995 else f"{value:.3f}".replace("0.", ".", 1)


def cell_numbers(values, low, high, write=short_score):
    """Text traces with the numbers of the cells (R, C), in an ink that reads on each; none if they are many.

    `low` and `high` are the ends of the colour scale.
    """
    if values.shape[1] > NUMBERED_COLUMNS or values.shape[0] > NUMBERED_ROWS:
        return []
    positions = np.clip(np.nan_to_num((values - low) / (high - low)), 0, 1)
    colors = ink_on(scale_color(SIMILARITY_SCALE, positions.ravel())).reshape(values.shape)
    size = int(np.interp(values.shape[1], [6, NUMBERED_COLUMNS], [13, 10]))
    return [
        _numbers(values, (colors == color) & np.isfinite(values), str(color), size, write)
        for color in np.unique(colors)
    ]


def _numbers(values, where, color, size, write):
    """Text of the cells chosen."""
    row, column = np.nonzero(where)
    return spec.scatter(
        x=column.astype(np.float32),
        y=row.astype(np.float32),
        mode="text",
        hoverinfo="skip",
        text=[write(value) for value in values[where]],
        textfont={"color": color, "size": size},
    )


def cell_targets(shape, hover):
    """Unseen squares on the cells of a heatmap, row by row: a click on a heatmap reports nothing, one on a dot does."""
    row, column = (part.ravel() for part in np.indices(shape))
    return spec.scattergl(
        x=column.astype(np.float32),
        y=row.astype(np.float32),
        mode="markers",
        name="cells",
        customdata=np.column_stack([row, column]).tolist(),
        text=list(hover),
        hovertemplate="%{text}<extra></extra>",
        marker={"symbol": "square", "size": 24, "color": CLEAR, "line": {"width": 0}},
        meta={"target": True},
    )


def category_axis(update, words, title):
    """Cells at 0, 1, ... under their values; no more than about 20 of them are written."""
    places = np.arange(0, len(words), -(-len(words) // 20))
    update(
        tickvals=places,
        ticktext=[words[place] for place in places],
        range=[-0.5, len(words) - 0.5],
        showgrid=False,
        title_text=title,
    )
