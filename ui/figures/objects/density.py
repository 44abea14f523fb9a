"""More than dots and lines can show: how many objects or edges are where, shaded into a raster."""

import base64
import hashlib
from functools import lru_cache
from io import BytesIO

import numpy as np
import pandas as pd
from PIL import Image

from ui.figures import spec
from ui.figures.style import INKS, PALETTE, UNASSIGNED, finish, padded_range, painted

#: Objects drawn as dots at most; more are shaded.
MOST_DOTS = 100_000
#: The raster, which the picture stretches to its size on the screen; and that of one of many small pictures.
PIXELS, SMALL = (720, 480), (330, 220)
#: Opacity of a pixel with a single object, of 255; many objects are opaque.
_FAINTEST = 150
#: Edges drawn as lines at most; of more the density is shaded, from so many at most.
MOST_LINES, MOST_SHADED = 5_000, 200_000
#: Points of an edge that are counted, and opacity of the pixel that most edges cross, of 255.
_STEPS, _DARKEST = 48, 150
#: Opacity of the objects that are not selected, where some are.
_ASIDE = 0.2


def density(
    points,
    labels,
    theme,
    *,
    colors=None,
    extent=None,
    selected=None,
    axis_names=("", ""),
    equal=False,
    title=None,
    height=460,
    classes=None,
    truth=None,
    opacity=None,
):
    """Objects as a raster: the colour of a pixel mixes its clusters by their shares, the opacity says how many.

    Takes what `scatter` takes; `classes` and `opacity` show nothing here. `extent` (left, right, bottom, top) is the
    window that is shaded. The raster lies under an empty trace; a box drawn on it is reported by its ranges.
    """
    points, labels = np.asarray(points), None if labels is None else painted(labels, colors)
    window = extent or (*padded_range(points[:, 0]), *padded_range(points[:, 1]))
    inside = _inside(points, window)
    chosen = None if selected is None or not selected.any() else selected
    images, fullest = rasters(points, labels, window, inside, chosen)
    fig = spec.Figure(
        [spec.scatter(x=window[:2], y=window[2:], mode="markers", marker={"opacity": 0}, hoverinfo="skip")]
    )
    fig.update_layout(images=images, xaxis={"range": list(window[:2])}, yaxis={"range": list(window[2:])})
    fig.update_xaxes(title_text=axis_names[0])
    fig.update_yaxes(title_text=axis_names[1])
    if equal:
        fig.update_yaxes(scaleanchor="x", constrain="range")
        fig.update_xaxes(constrain="range")
    notes = [("" if inside.all() else f"{inside.sum():,} shown, ") + f"at most {fullest:,} objects a pixel"]
    if truth is not None and labels is not None:
        notes.append(f"{int(((labels != truth) & (truth >= 0) & (labels >= 0)).sum()):,} disagree with the truth")
    alt = f"Density of {len(points):,} objects in the plane."
    return finish(fig, theme, alt, height=height, title=title, notes=notes)


def rasters(points, labels, window, inside, selected=None, pixels=PIXELS, axis=""):
    """Images of the objects `inside` a window, those `selected` above the others; and how many the fullest pixel has.

    `axis` is the number of the axes that they lie on.
    """
    source, fullest = _shaded(_Shown(points, labels, inside), window, pixels)
    images = [_image(source, window, 1.0 if selected is None else _ASIDE, axis)]
    if selected is not None:
        images.append(_image(_shaded(_Shown(points, labels, inside & selected), window, pixels)[0], window, 1.0, axis))
    return images, fullest


class _Shown:
    """Which points (n, 2) are shaded by which labels (n,), told apart by what is in them, and let go once they are."""

    def __init__(self, points, labels, seen):
        self.arrays = points, np.full(len(points), -1, np.int8) if labels is None else np.asarray(labels), seen
        digest = hashlib.blake2b(digest_size=16)
        for array in self.arrays:
            digest.update(f"{array.shape}{array.dtype}".encode())
            digest.update(np.ascontiguousarray(array).data)
        self._digest = digest.digest()

    def __hash__(self):
        return hash(self._digest)

    def __eq__(self, other):
        return self._digest == other._digest


@lru_cache(maxsize=64)
def _shaded(shown, window, pixels):
    """The raster as a source of an image, and the number of objects in its fullest pixel.

    A page draws its pictures anew whenever anything moves on it: what was shaded last is not shaded again.
    """
    import datashader  # noqa: PLC0415 - takes a second, and most data sets never need it
    from datashader import transfer_functions  # noqa: PLC0415

    (points, labels, seen), shown.arrays = shown.arrays, ()
    points, labels = points[seen], labels[seen]
    if not len(points):
        return _source(Image.new("RGBA", pixels)), 0
    steps = np.where(labels < 0, 0, labels % len(PALETTE) + 1)
    present = np.flatnonzero(np.bincount(steps, minlength=1))
    codes = np.searchsorted(present, steps)
    colors = [UNASSIGNED if step == 0 else PALETTE[step - 1] for step in present]
    names = [str(step) for step in present]
    table = pd.DataFrame({"x": points[:, 0], "y": points[:, 1], "of": pd.Categorical.from_codes(codes, names)})
    canvas = datashader.Canvas(*pixels, x_range=window[:2], y_range=window[2:])
    counts = canvas.points(table, "x", "y", agg=datashader.count_cat("of"))
    image = transfer_functions.shade(
        counts, color_key=dict(zip(names, colors, strict=True)), how="log", min_alpha=_FAINTEST
    )
    image = transfer_functions.dynspread(image, threshold=0.5, max_px=3)  # where few stand, dots are seen
    return _source(image.to_pil()), int(counts.sum("of").max())


def shaded_edges(points, edges, tick=lambda done, total: None):
    """Opacities (tall, wide) uint8 of the window around all points: the more of the edges (E, 2) cross, the darker.

    Of more than `MOST_SHADED` edges a fixed sample counts. `tick` hears how far it is.
    """
    wide, tall = PIXELS
    rng = np.random.default_rng(0)
    edges = np.asarray(edges)
    edges = edges if len(edges) <= MOST_SHADED else edges[rng.choice(len(edges), MOST_SHADED, replace=False)]
    chance = rng.random((len(edges), 1))  # or the points of edges of one length would line up
    x, y = np.asarray(points).T
    (left, right), (bottom, top) = padded_range(x), padded_range(y)
    places = np.column_stack([(x - left) / (right - left) * wide, (top - y) / (top - bottom) * tall])
    counts = np.zeros(wide * tall)
    for step in range(_STEPS):
        tick(step, _STEPS)
        share = (step + chance) / _STEPS
        column, row = ((1 - share) * places[edges[:, 0]] + share * places[edges[:, 1]]).astype(np.int64).T
        counts += np.bincount(row * wide + column, minlength=wide * tall)
    counts = np.log1p(counts)
    return (_DARKEST * counts / max(float(counts.max()), 1e-9)).astype(np.uint8).reshape(tall, wide)


def shade_image(points, shade, theme):
    """Such opacities as a grey image below everything else."""
    grey = [np.full_like(shade, int(INKS[theme].muted[at : at + 2], 16)) for at in (1, 3, 5)]
    window = (*padded_range(points[:, 0]), *padded_range(points[:, 1]))
    return _image(_source(Image.fromarray(np.dstack([*grey, shade]))), window, 1.0, "")


def _source(picture):
    """A picture as an address that holds it whole."""
    buffer = BytesIO()
    picture.save(buffer, "PNG", compress_level=1)
    return "data:image/png;base64," + base64.b64encode(buffer.getvalue()).decode()


def _image(source, window, opacity, axis):
    """Such a picture as part of the layout, in the units of its axes."""
    left, right, bottom, top = window
    return {
        "source": source,
        "xref": f"x{axis}",
        "yref": f"y{axis}",
        "x": left,
        "y": top,
        "sizex": right - left,
        "sizey": top - bottom,
        "sizing": "stretch",
        "layer": "below",
        "opacity": opacity,
    }


def _inside(points, window):
    """Which objects the window shows."""
    left, right, bottom, top = window
    x, y = points.T
    return (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
