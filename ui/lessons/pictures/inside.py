"""Pictures of what happens inside EC-CMS, growing trees and LAC."""

import numpy as np

from ui.enhanced import views as enhanced_views
from ui.figures import decision_graph, forest_film, margin_figure, matrix_image, residual_figure, weight_figure
from ui.figures.spec import Figure
from ui.lessons.pictures.catalog import Reading, picture
from ui.lessons.scene import Scene
from ui.subspaces import views as subspace_views
from ui.walks import views as walk_views


def _square(scene: Scene, matrix: np.ndarray, theme: str, scale: str = "similarity") -> Figure:
    micro, order = scene.ensemble.microclusters, scene.object_order
    values = micro.block_means(matrix, order, order, enhanced_views.PIXELS)
    strip = scene.truth[order[np.linspace(0, len(order) - 1, len(values)).astype(int)]]
    labels = {"row_labels": strip, "column_labels": strip, "extent": (0, len(order)) * 2}
    return matrix_image(values, theme, scale=scale, limit=scene.config.brightest_enhanced, name="value", **labels)


@picture("Before")
def enhance_input(scene: Scene, theme: str) -> Figure:
    """The matrix that EC-CMS starts from."""
    return _square(scene, scene.given.similarity, theme)


@picture("What is certain")
def certain(scene: Scene, theme: str) -> Figure:
    """The values that alpha calls certain."""
    return _square(scene, enhanced_views.certain(scene.given, scene.config.alpha), theme)


@picture("After")
def enhance_output(scene: Scene, theme: str) -> Figure:
    """The enhanced matrix."""
    return _square(scene, scene.enhanced.run.matrix, theme)


@picture("After minus before")
def enhance_change(scene: Scene, theme: str) -> Figure:
    """What EC-CMS added and took away."""
    return _square(scene, scene.enhanced.run.matrix - scene.given.similarity, theme, "difference")


_STOPPED = {"iterations": Reading(lambda fig, *_: float(len(fig.data[0]["x"])))}


@picture("When does it stop?", reads=_STOPPED)
def residuals(scene: Scene, theme: str) -> Figure:
    """The residuals of EC-CMS by iteration."""
    return residual_figure(scene.enhanced.run.residuals, scene.config.tol, theme)


@picture("Who stands for a group? Dense, and far from anybody denser")
def decision(scene: Scene, theme: str) -> Figure:
    """The decision graph, prototypes drawn larger."""
    return decision_graph(scene.ground.density, scene.ground.capacity, scene.roots, theme)


@picture("The trees, round by round")
def forest(scene: Scene, theme: str) -> Figure:
    """The film of growing trees."""
    made, (points, axes, equal) = scene.ensemble, scene.placed
    positions = walk_views.node_positions(points, made)
    return forest_film(positions, made.microclusters.sizes, scene.growth, theme, axis_names=axes, equal=equal)


@picture("Who is clear enough to join in the first round?")
def margins(scene: Scene, theme: str) -> Figure:
    """Margins of the first round, with Otsu's threshold."""
    values, counts = scene.growth.margins[0]
    return margin_figure(values, counts, scene.growth.threshold[0], theme)


def _largest(figure: Figure, *_) -> float:
    bars = [np.asarray(trace["y"]) for trace in figure.data if trace["type"] == "bar"]
    return float(max((one / one.sum()).max() for one in bars))


@picture("Weights of the features (dotted: all alike)", reads={"largest_weight": Reading(_largest)})
def weights(scene: Scene, theme: str) -> Figure:
    """The weights each cluster of LAC gives the features."""
    seen = subspace_views.seen(scene.weighed, scene.truth)
    return weight_figure(seen.weights, seen.names, scene.source.columns, theme)
