"""Which class went into which cluster."""

import numpy as np

from ui.figures import spec
from ui.figures.style import SHARE_SCALES, finish, ink_on, light, scale_color
from ui.outside import html

NUMBERED_COLUMNS = 30


def confusion_figure(counts, row_names, column_names, theme, *, height=None):
    """Objects (k_truth, k_found) of each class in each cluster; the colour is the share of the class, from 0 to 1.

    Numbers in the cells up to 30 columns, zeros only up to 12.
    """
    counts = np.asarray(counts)
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    fig = spec.Figure([_cells(counts, share, theme)])
    if counts.shape[1] <= NUMBERED_COLUMNS:
        on_paper = _inks(share, "light")
        for color, where in _legible(counts, share, theme):
            fig.add_trace(
                _numbers(counts, where, color) | {"meta": light(textfont={"color": on_paper[where].tolist()})}
            )
    _named_axis(fig.update_xaxes, column_names, "cluster found")
    _named_axis(fig.update_yaxes, row_names, "class")
    fig.update_yaxes(range=[counts.shape[0] - 0.5, -0.5])
    alt = f"Counts of {counts.shape[0]} classes in {counts.shape[1]} clusters, {int(counts.sum()):,} objects."
    return finish(fig, theme, alt, height=height or 84 + max(26, 40 - counts.shape[0]) * counts.shape[0])


def _cells(counts, share, theme):
    """Coloured cells; hover has the count and the share."""
    return spec.heatmap(
        z=share.astype(np.float32),
        customdata=counts.astype(np.int32),
        zmin=0,
        zmax=1,
        colorscale=SHARE_SCALES[theme],
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate="class %{y}, cluster %{x}<br>%{customdata:,} objects, %{z:.1%} of the class<extra></extra>",
    )


def _legible(counts, share, theme):
    """Text colour and the cells (k_truth, k_found) bool that need it."""
    colors = _inks(share, theme)
    written = (counts > 0) | (counts.shape[1] <= 12)
    return [(str(color), (colors == color) & written) for color in np.unique(colors)]


def _inks(share, theme):
    """Dark or light text on every cell."""
    return ink_on(scale_color(SHARE_SCALES[theme], share.ravel())).reshape(share.shape)


def _numbers(counts, where, color):
    """Text of the cells chosen, smaller where there are many columns."""
    row, column = np.nonzero(where)
    size = int(np.interp(counts.shape[1], [8, NUMBERED_COLUMNS], [13, 8]))
    return spec.scatter(
        x=column.astype(np.float32),
        y=row.astype(np.float32),
        mode="text",
        text=[f"{count:,}" for count in counts[where]],
        textfont={"color": color, "size": size},
        hoverinfo="skip",
    )


def _named_axis(update, names, title):
    """Cells at 0, 1, ... under their names; no more than about 26 of them are written."""
    places = np.arange(0, len(names), -(-len(names) // 26))
    update(
        tickvals=places,
        ticktext=[html(names[place]) for place in places],
        range=[-0.5, len(names) - 0.5],
        showgrid=False,
        tickfont_size=13 if len(names) <= 15 else 10,
        title_text=title,
    )
