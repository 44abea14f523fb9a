"""What stands in a figure, by name."""

import numpy as np

NAN = np.nan
FIFTEEN = "LWEA LWGP PTA PTGP EAC EC-CMS GoT CSPA HGPA MCLA HBGF WSPA WBPA k-means Spectral".split()


def trace(fig, name):
    return next(found for found in fig.data if found.name == name)


def words(fig):
    return [note.text for note in fig.layout.annotations]


def scatters(fig):
    return [found for found in fig.data if found.type == "scatter"]


def numbers(fig):
    return {(int(y), int(x)): t for f in scatters(fig) for x, y, t in zip(f.x, f.y, f.text, strict=True)}


def lines(fig):
    return [found for found in fig.data if found.mode == "lines+markers"]


def boxes_of(notes, letter=6.0, line=13):
    """Left, right, bottom, top of annotations of one anchor pixel, from their offsets."""
    for note in notes:
        dx, dy = (note.ax, -note.ay) if note.showarrow else (note.xshift or 0, note.yshift or 0)
        width = letter * len(note.text)
        left = dx - {"left": 0, "center": 0.5, "right": 1}[note.xanchor] * width
        yield left, left + width, dy - line / 2, dy + line / 2


def overlap(one, two):
    return min(one[1], two[1]) > max(one[0], two[0]) and min(one[3], two[3]) > max(one[2], two[2])


def seen_color(marks, label):
    """The colour plotly picks from a marker's scale for a value."""
    position = (label - marks["cmin"]) / (marks["cmax"] - marks["cmin"])
    return next(color for stop, color in reversed(marks["colorscale"]) if stop < position)
