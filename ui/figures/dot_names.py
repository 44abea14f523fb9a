"""Names beside dots, placed so that they cover neither each other nor the dots."""

import numpy as np

#: Pixels of the narrowest plot: what is apart here is apart on a wider page too.
NARROW = 400
_LETTER, _LINE, _GAP = 7.3, 16, 8
#: Offsets of a name's near edge or middle from its dot: beside it, above and below, then further off with a leader.
_OFFSETS = [
    (x * r, y * r)
    for r in (1, 2.6, 4.4, 6.4)
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1))
]


def placed_names(x, y, sd, names, lines, x_range, y_range, height, ink):
    """Annotations that name dots, the crowded ones at the end of a short line.

    In axis units, logarithms on a logarithmic axis: `x`, `y`, half lengths `sd` of the error bars (n,), and straight
    `lines` (l, 4) to keep clear: left, right, bottom, top. `height` is the plot's, in pixels.
    """
    scale = NARROW / (x_range[1] - x_range[0]), height / (y_range[1] - y_range[0])
    px, py, bar = (x - x_range[0]) * scale[0], (y - y_range[0]) * scale[1], np.maximum(sd * scale[1], 6)
    corner, units = np.repeat([x_range[0], y_range[0]], 2), np.repeat(scale, 2)
    paths = (lines - corner) * units + [-2, 2, -2, 2]
    taken = np.vstack([np.column_stack([px - 6, px + 6, py - bar, py + bar]), paths])
    notes = []
    for dot, name in enumerate(names):
        boxes = np.array([_box(px[dot], py[dot], offset, _LETTER * len(name)) for offset in _OFFSETS])
        costs = _overlaps(boxes, taken) + 40 * _outside(boxes, height) + 0.01 * np.arange(len(boxes))
        best = int(costs.argmin())
        taken = np.vstack([taken, boxes[best]])
        notes.append(_note(x[dot], y[dot], name, _OFFSETS[best], ink))
    return notes


def _box(x, y, offset, width):
    """Left, right, bottom and top of a name in pixels."""
    middle = x + offset[0] * _GAP + np.sign(offset[0]) * width / 2, y + offset[1] * (_GAP + _LINE / 2)
    return middle[0] - width / 2, middle[0] + width / 2, middle[1] - _LINE / 2, middle[1] + _LINE / 2


def _overlaps(boxes, taken):
    """Pixels that each box shares with what is taken."""
    wide = np.minimum(boxes[:, None, 1], taken[:, 1]) - np.maximum(boxes[:, None, 0], taken[:, 0])
    tall = np.minimum(boxes[:, None, 3], taken[:, 3]) - np.maximum(boxes[:, None, 2], taken[:, 2])
    return (np.clip(wide, 0, None) * np.clip(tall, 0, None)).sum(axis=1)


def _outside(boxes, height):
    """Pixels by which each box leaves the plot."""
    beyond = np.column_stack([-boxes[:, 0], boxes[:, 1] - NARROW, -boxes[:, 2], boxes[:, 3] - height])
    return np.clip(beyond, 0, None).sum(axis=1)


def _note(x, y, name, offset, ink):
    """A name at its offset; a thin leader where it stands further off."""
    side = {1: "left", 0: "center", -1: "right"}[int(np.sign(offset[0]))]
    note = {"x": x, "y": y, "text": name, "xanchor": side, "yanchor": "middle", "font": {"color": ink.text, "size": 13}}
    right, up = offset[0] * _GAP, offset[1] * (_GAP + _LINE / 2)
    if max(map(abs, offset)) == 1:
        return note | {"xshift": right, "yshift": up}
    leader = {"showarrow": True, "arrowhead": 0, "arrowwidth": 0.8, "arrowcolor": ink.muted, "standoff": 5}
    return note | leader | {"ax": right, "ay": -up}
