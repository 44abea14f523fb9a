"""Pictures of pairs: matrices, links, graphs, walks."""

import numpy as np

from ui.figures import graph_figure, line_figure, link_figure, matrix_image, walk_film
from ui.figures.spec import Figure
from ui.lessons.facts.evidence import WEAK
from ui.lessons.pictures.catalog import Reading, on_line, picture
from ui.lessons.scene import Scene
from ui.parts.link_panel import shares
from ui.walks import views as walk_views

PIXELS = 300


def _matrix(scene: Scene, values: np.ndarray, order: np.ndarray, limit: float, theme: str, **options) -> Figure:
    strip = scene.truth[order[np.linspace(0, len(order) - 1, len(values)).astype(int)]]
    labels = {"row_labels": strip, "column_labels": strip, "extent": (0, len(order)) * 2}
    return matrix_image(values, theme, limit=limit, **labels, **options)


def _evidence(scene: Scene, name: str, theme: str) -> Figure:
    named = scene.matrix(name)
    order = scene.tree_order
    values = named.groups.block_means(named.matrix, order, order, PIXELS)
    figure = _matrix(scene, values, order, scene.config.brightest or 1.0, theme, name=named.title)
    figure.layout["meta"]["title"] = named.title[:1].upper() + named.title[1:]
    return figure


@picture("One matrix")
def matrix_left(scene: Scene, theme: str) -> Figure:
    """The matrix that the setting `left` names, objects by class."""
    return _evidence(scene, scene.config.left, theme)


@picture("Another, in the same order")
def matrix_right(scene: Scene, theme: str) -> Figure:
    """The matrix that the setting `right` names, objects by class."""
    return _evidence(scene, scene.config.right, theme)


_WEAK = {"weak_links": Reading(lambda fig, *_: float(np.sum(fig.data[0]["y"][fig.data[0]["x"] <= WEAK])))}


@picture("Links by weight: how many, how many right", reads=_WEAK)
def link_weights(scene: Scene, theme: str) -> Figure:
    """All links by weight, with precision and recall."""
    quality = scene.pruning[0]
    share, correct = shares(quality)
    return link_figure(quality.values, share, correct, quality.precision, quality.recall, theme, name="weight")


@picture("The links that are kept (colours: classes)")
def graph(scene: Scene, theme: str) -> Figure:
    """The graph of elite neighbours."""
    made, (points, axes, equal) = scene.ensemble, scene.placed
    edges, weights = walk_views.links(scene.graph)
    return graph_figure(
        walk_views.node_positions(points, made),
        made.microclusters.sizes,
        edges,
        weights,
        theme,
        labels=walk_views.majority(scene.truth, made),
        axis_names=axes,
        equal=equal,
    )


_PARTS = {"parts": Reading(lambda fig, scene, _: on_line(fig, "parts", scene.config.K), along=("K",))}


@picture("How much falls apart, against K", reads=_PARTS)
def parts_by_K(scene: Scene, theme: str) -> Figure:
    """Connected parts of the graph against K."""
    steps = walk_views.ladder(scene.ensemble, scene.monitor)
    lines = {"parts": np.array(steps.components)}
    options = {"x_name": "K", "y_name": "connected parts", "log_x": True, "y_range": None}
    return line_figure(steps.K, lines, theme, marked=scene.walking[0], **options)


@picture("Two walkers: where they may be")
def walk(scene: Scene, theme: str) -> Figure:
    """The film of the two walkers that start from the pair that is looked at."""
    made, (points, _, equal) = scene.ensemble, scene.placed
    starts = tuple(made.microclusters.assignment[list(scene.config.pair)].tolist())
    both, cosines = walk_views.walks(scene.graph, made.microclusters.sizes, starts, scene.walking[1])
    positions, sizes = walk_views.node_positions(points, made), made.microclusters.sizes
    return walk_film(positions, sizes, *walk_views.links(scene.graph), both, starts, cosines, theme, equal=equal)


def _mean_pts(name: str) -> Reading:
    return Reading(lambda fig, scene, words: on_line(fig, name, scene.config.T) if words == ("pts",) else None, ("T",))


@picture(
    "How alike walkers become, against the length of the walk",
    reads={"inside": _mean_pts("inside classes"), "between": _mean_pts("between classes")},
)
def mixing(scene: Scene, theme: str) -> Figure:
    """Mean trajectory similarity inside classes and between them against T."""
    made = scene.ensemble
    members = walk_views.members(scene.truth, made)
    rates = walk_views.mixing(scene.graph, made.microclusters.sizes, members, scene.monitor)
    lines = {"inside classes": rates[:, 0], "between classes": rates[:, 1]}
    options = {"x_name": "T, steps", "y_name": "mean PTS", "log_x": True}
    return line_figure(walk_views.T_LADDER, lines, theme, marked=scene.walking[1], **options)
