"""Pictures of matrices between objects: evidence of every kind, before and after EC-CMS, distances, mixtures."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from data.records import class_name
from engine.similarities import find_evidence
from ui.figures import add_cells, add_side_tree, add_ticks, enhancement_film, matrix_image, precision_recall, spec
from ui.figures.numbering import object_names
from ui.figures.spec import Figure
from ui.figures.style import rounded_up
from ui.outside import html
from ui.pictures.catalog import picture
from ui.pictures.objects import colors_of
from ui.saying import counted, percent, three_digits
from ui.scene import Scene
from ui.scene.enhancement import PIXELS as ENHANCED_PIXELS
from ui.scene.matrices import PIXELS, SIGNED, TRUTH

#: A change of a value that is told.
CHANGED = 0.05

#: Windows of so many cells say on hover what each cell is, and a click chooses its two objects.
CELLS = 4_000
#: Values that may get the brightest colour of a matrix.
STOPS = (0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
#: Pixels along an image of distances.
_DISTANCES = 300


def _seen(scene: Scene) -> str:
    """What the window holds."""
    if scene.object_order is None:
        return ""
    top, bottom, left, right = scene.window
    cells = "true cells" if max(bottom - top, right - left) <= PIXELS else "means of blocks of true cells"
    return f"{bottom - top:,} x {right - left:,} objects, {cells}."


@picture("One matrix", says=_seen)
def matrix_left(scene: Scene, theme: str) -> Figure | None:
    """The matrix that the setting `left` names."""
    return _window(scene, "left", theme)


@picture("Another, in the same order", says=_seen)
def matrix_right(scene: Scene, theme: str) -> Figure | None:
    """The matrix that the setting `right` names, or what it has more than the left one."""
    return _window(scene, "right", theme)


def _window(scene: Scene, side: str, theme: str) -> Figure | None:
    """The part of a matrix that is looked at."""
    if scene.windows is None:
        return None
    one, values = getattr(scene, f"matrix_{side}"), scene.windows[side]
    minus = side == "right" and scene.config.right_minus_left
    values = values - scene.windows["left"] if minus else values
    zoom, order = scene.window, scene.object_order
    top, bottom, left, right = zoom
    labels, strips = _beside(scene)
    rows, columns = (
        labels[order[np.linspace(a, b - 1, n).astype(int)]]
        for a, b, n in ((top, bottom, values.shape[0]), (left, right, values.shape[1]))
    )
    figure = matrix_image(
        values,
        theme,
        scale="difference" if minus or getattr(scene.config, side) in SIGNED else "similarity",
        name=one.title if not minus else "difference",
        row_labels=rows,
        column_labels=columns,
        extent=zoom,
        limit=scene.config.brightest or _largest(one.title, values, order, zoom),
        height=385,
        bar=minus or one.title != TRUTH,
        **strips,
    )
    figure.layout["meta"]["title"] = "Right minus left" if minus else one.title[:1].upper() + one.title[1:]
    marked = _places(scene, order[top:bottom]), _places(scene, order[left:right])
    if any(map(len, marked)):
        add_ticks(figure, zoom, *marked, theme)
    if scene.config.order == "tree":
        tree, (first, end) = scene.tree, scene.leaf_spans
        add_side_tree(figure, tree.merges, tree.similarities, first, end, (top, bottom), theme)
    if (words := cell_words(scene)) is not None:
        add_cells(figure, zoom, words)
    figure.layout["margin"] |= {"t": 8}
    return figure


def _beside(scene: Scene) -> tuple[np.ndarray, dict[str, Any]]:
    """What the strips show, (N,), and how: the clusters where these order the rows, else the classes if known."""
    order = scene.config.order
    if scene.truth is None or order == "consensus":
        return scene.consensus.labels, {"colors": scene.colors, "borders": order == "consensus"}
    return scene.truth, {"classes": scene.class_names, "borders": order == "truth"}


def small_window(scene: Scene) -> bool:
    """Whether the cells of the window can be told apart, named and clicked."""
    top, bottom, left, right = scene.window
    high, wide = bottom - top, right - left
    return high * wide <= CELLS and max(high, wide) <= PIXELS


def cell_words(scene: Scene) -> np.ndarray | None:
    """What hovering over a cell says, (h, w): both objects, their classes, both values; None for large windows."""
    if not small_window(scene):
        return None
    top, bottom, left, right = scene.window
    rows, columns = (_named(scene, scene.object_order[a:b]) for a, b in ((top, bottom), (left, right)))
    words = np.char.add(np.char.add(rows[:, None], " and "), columns)
    for side in ("left", "right"):
        value = np.array([[three_digits(one) for one in row] for row in scene.windows[side].tolist()])
        words = np.char.add(words, np.char.add(f"<br>{getattr(scene, f'matrix_{side}').title} ", value))
    return words


def _named(scene: Scene, objects: np.ndarray) -> np.ndarray:
    """Objects by name, with their classes where these are known."""
    source, classes = scene.source, scene.source.labels
    words = ["" if classes is None else f" (class {html(class_name(source, int(classes[i])))})" for i in objects]
    names = object_names(objects, scene.identifiers)
    return np.array([html(name) + word for name, word in zip(names, words, strict=True)])


def _largest(title: str, values: np.ndarray, order: np.ndarray, zoom: Sequence[int]) -> float:
    """The largest size of a value between different objects, rounded up; of the truth, 1."""
    if title == TRUTH:
        return 1.0
    top, bottom, left, right = zoom
    rows = order[np.linspace(top, bottom - 1, values.shape[0]).astype(int)]
    columns = order[np.linspace(left, right - 1, values.shape[1]).astype(int)]
    return rounded_up(float(np.abs(values[rows[:, None] != columns]).max(initial=0))) or 1.0


def _places(scene: Scene, order: np.ndarray) -> np.ndarray:
    """Where picked objects stand in an order."""
    return np.empty(0, np.int64) if scene.picked is None else np.flatnonzero(np.isin(order, scene.picked))


@picture("NMI between base clusterings (max), similar ones beside each other")
def agreement(scene: Scene, theme: str) -> Figure | None:
    """How alike any two base clusterings are."""
    if scene.agreement is None or scene.agreement_order is None:
        return None
    order = scene.agreement_order
    values, names = scene.agreement[np.ix_(order, order)], [html(str(scene.clustering_keys[m])) for m in order]
    figure = matrix_image(values, theme, name="NMI (max)", height=420)
    n = len(names)
    if n > _POINTED_AT:
        figure.update_trace(0, hovertemplate="NMI (max) %{z}%<extra></extra>")
        figure.update_yaxes(showticklabels=False)
        return figure
    words = [
        [f"{a} and {b}<br>NMI (max) {value:.3f}" for b, value in zip(names, row, strict=True)]
        for a, row in zip(names, values, strict=True)
    ]
    add_cells(figure, (0, n, 0, n), words)
    named = np.arange(0, n, -(-n // _NAMED))
    ticks = {"tickvals": named + 0.5, "ticktext": [names[place] for place in named]}
    figure.update_yaxes(title_text="base clustering", **ticks)
    return figure


#: Base clusterings whose pairs can be pointed at, and those that are named along an axis.
_POINTED_AT, _NAMED = 60, 25


def _pixels(scene: Scene, matrix: np.ndarray) -> np.ndarray:
    """A matrix of EC-CMS between objects, in one order for all of them."""
    order = scene.order_by_input
    return scene.ensemble.microclusters.block_means(matrix, order, order, ENHANCED_PIXELS)


def _along(order: np.ndarray, n: int) -> np.ndarray:
    """The objects that stand at n pixels of an order."""
    return order[np.linspace(0, len(order) - 1, n).astype(int)]


def _enhanced_limit(scene: Scene) -> float:
    """The value with the brightest colour: one for input and enhanced, and the same under every alpha and lambda."""
    return scene.config.brightest_enhanced or rounded_up(scene.largest_of_input) or 1.0


def _square(scene: Scene, values: np.ndarray, theme: str, scale: str = "similarity", **options) -> Figure:
    """Pixels of a matrix of EC-CMS, one scale for all of them, picked objects marked."""
    order = scene.order_by_input
    extent = (0, len(order)) * 2
    strip = None if scene.truth is None else scene.truth[_along(order, len(values))]
    options = {"limit": _enhanced_limit(scene), "height": 400, **options}
    options |= {"row_labels": strip, "column_labels": strip, "extent": extent, "classes": scene.class_names}
    figure = matrix_image(values, theme, scale=scale, **options)
    if len(marked := _places(scene, order)):
        add_ticks(figure, extent, marked, marked, theme)
    figure.layout["margin"] |= {"t": 8}
    return figure


@picture("Before")
def enhance_input(scene: Scene, theme: str) -> Figure | None:
    """The matrix that EC-CMS starts from."""
    if scene.given is None:
        return None
    name = find_evidence(scene.config.evidence).title
    return _square(scene, _pixels(scene, scene.given.similarity), theme, name=name)


def _sure_words(scene: Scene) -> str:
    """How many pairs are certain, and how often rightly."""
    if scene.certain is None:
        return ""
    sure = np.triu(scene.certain > 0, 1)
    share = "all" if scene.config.alpha == 1 else f"at least {100 * scene.config.alpha:.4g}% of the"
    share = share if scene.config.alpha else "one or more"
    seen = "" if scene.ensemble.complete else " that saw both"
    n = int(sure.sum())
    words = f"**{counted(n, 'pair')}** of microclusters {'shares' if n == 1 else 'share'} a cluster in {share} base "
    words += f"clusterings{seen}: "
    if not n:
        return f"{words}nothing is held fast, and along nothing knowledge spreads."
    held, along = ("it is held fast", "along it") if n == 1 else ("they are held fast", "along them")
    kept, spreads = scene.config.ablation != "no_completion", scene.config.ablation != "no_laplacian"
    told = " and ".join([held] * kept + [f"{along} knowledge spreads"] * spreads)
    return f"{words}{told}{_right(scene, sure)}."


def _right(scene: Scene, pairs: np.ndarray) -> str:
    """How many of some pairs of microclusters are of one class, where classes are known."""
    if scene.node_classes is None or not pairs.any():
        return ""
    first, second = np.nonzero(pairs)
    alike = scene.node_classes[first] == scene.node_classes[second]
    if len(alike) == 1:
        return f" (of {'one class' if alike[0] else 'two classes'})"
    return f" ({percent(int(alike.sum()), len(alike))} of them are of one class)"


def _spread_words(scene: Scene) -> str:
    """What gained and what lost by spreading."""
    if scene.enhanced is None:
        return ""
    change = np.triu(scene.enhanced.run.matrix - scene.given.similarity, 1)
    grown, faded = change > CHANGED, change < -CHANGED
    words = (
        f"What spreads: **{counted(int(grown.sum()), 'pair')}** gained more than {CHANGED:g}{_right(scene, grown)}, "
    )
    return words + f"**{faded.sum():,}** lost as much{_right(scene, faded)}."


@picture("What is certain", says=_sure_words)
def certain(scene: Scene, theme: str) -> Figure | None:
    """The values that alpha calls certain."""
    if scene.certain is None:
        return None
    return _square(scene, _pixels(scene, scene.certain), theme, limit=1.0, name="co-association", height=380)


@picture("After")
def enhance_output(scene: Scene, theme: str) -> Figure | None:
    """The enhanced matrix."""
    if scene.enhanced is None:
        return None
    return _square(scene, _pixels(scene, scene.enhanced.run.matrix), theme, name="enhanced similarity")


@picture("After minus before", says=_spread_words)
def enhance_change(scene: Scene, theme: str) -> Figure | None:
    """What EC-CMS added and took away."""
    if scene.enhanced is None:
        return None
    change = _pixels(scene, scene.enhanced.run.matrix) - _pixels(scene, scene.given.similarity)
    return _square(scene, change, theme, "difference", name="difference", height=380)


@picture("Ground truth")
def same_class(scene: Scene, theme: str) -> Figure | None:
    """Pairs of one class, in the order of the other matrices."""
    if scene.truth is None or scene.order_by_input is None:
        return None
    order = scene.order_by_input
    strip = scene.truth[_along(order, min(ENHANCED_PIXELS, len(order)))]
    same = (strip[:, None] == strip).astype(float)
    return _square(scene, same, theme, limit=1.0, name="same class", bar=False, height=380)


@picture("The input, and what becomes of it, iteration by iteration")
def enhance_film(scene: Scene, theme: str) -> Figure | None:
    """The input beside the enhanced matrix at the iterations that were kept, and the residual that falls."""
    if scene.enhanced is None or not scene.enhanced.images:
        return None
    run, limit = scene.enhanced.run, _enhanced_limit(scene)
    before, after = enhance_input(scene, theme), enhance_output(scene, theme)
    images = scene.enhanced.images | {run.iterations: _pixels(scene, run.matrix)}
    return enhancement_film(before, after, images, run.residuals, scene.config.tol, theme, limit=limit)


def _reach(scene: Scene) -> str:
    """How many of the pairs of one class have an entry at all, before and after."""
    if scene.truth is None or scene.entry_quality is None:
        return ""
    before, after = (percent(int(one.correct.sum()), one.n_together) for one in scene.entry_quality.values())
    return (
        "Recall: of all pairs of one class, the share whose entries are at or above a threshold. Curves end at .01, "
        f"the lowest, which {before} of these pairs reach in the input, and {after} in the enhanced matrix."
    )


@picture("Are the entries more often right? Precision against recall, over all thresholds", says=_reach)
def entries_right(scene: Scene, theme: str) -> Figure | None:
    """Precision and recall of the entries, before and after."""
    if scene.truth is None or scene.entry_quality is None:
        return None
    return precision_recall({name: (one.recall, one.precision) for name, one in scene.entry_quality.items()}, theme)


@picture("Distance: 1 - co-association")
def distances_direct(scene: Scene, theme: str) -> Figure | None:
    """Distances between objects, by tree, prototypes marked."""
    return scene.growth and _distances(scene, theme)


@picture("Refined: along the shortest path")
def distances_refined(scene: Scene, theme: str) -> Figure | None:
    """Distances along shortest paths, which are the direct ones, by tree, prototypes marked."""
    return scene.growth and _distances(scene, theme)


def _distances(scene: Scene, theme: str) -> Figure:
    """Distances as an image, objects ordered by tree."""
    micro, ground, grown = scene.ensemble.microclusters, scene.ground, scene.growth
    order = np.lexsort((-ground.density, grown.tree))
    objects = np.argsort(np.argsort(order)[micro.assignment], kind="stable")
    labels = scene.forest
    strip = labels[objects]
    strip = strip[np.linspace(0, len(strip) - 1, min(_DISTANCES, len(strip))).astype(int)]
    places = [int(np.flatnonzero(micro.assignment[objects] == root)[0]) for root in scene.prototypes]
    figure = matrix_image(
        micro.block_means(ground.steps, objects, objects, _DISTANCES) * ground.unit,
        theme,
        name="distance",
        row_labels=strip,
        column_labels=strip,
        colors=colors_of(scene, labels),
        extent=(0, len(objects)) * 2,
        height=420,
    )
    marker = {"color": "white", "size": 9, "line": {"color": "black", "width": 1.5}}
    figure.add_trace(spec.scatter(x=places, y=places, mode="markers", hoverinfo="skip", marker=marker))
    return figure


@picture("Which pairs are together, objects by cluster")
def pairs_by_cluster(scene: Scene, theme: str) -> Figure | None:
    """The co-association of the objects, cluster by cluster, inside of them as in a tree."""
    here = scene.varied(order="consensus", left="ca", zoom=())
    if (
        scene.ensemble is None
        or len(scene.ensemble.microclusters) < 2
        or here.matrix_left is None
        or here.object_order is None
    ):
        return None
    values, order = here.matrix_left.window(here.object_order, here.window), here.object_order
    places = np.linspace(0, len(order) - 1, len(values)).round().astype(int)
    strip, n = scene.consensus.labels[order][places], len(order)
    return matrix_image(
        values,
        theme,
        row_labels=strip,
        column_labels=strip,
        colors=scene.colors,
        borders=True,
        extent=(0, n, 0, n),
        name="co-association: the share of base clusterings that put two objects together",
        height=640,
    )
