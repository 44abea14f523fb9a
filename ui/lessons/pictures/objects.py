"""Pictures of the objects: base clusterings, the consensus, the truth."""

import numpy as np

from ui.compute import pipeline
from ui.figures import ellipse_figure, scatter, small_multiples
from ui.figures.spec import Figure
from ui.growth.views import numbered
from ui.lessons import trials
from ui.lessons.pictures.catalog import Reading, picture
from ui.lessons.scene import Scene
from ui.parts.colours import alike
from ui.parts.words import three_digits
from ui.subspaces import views as subspace_views

PANELS = 9


def _scatter(scene: Scene, labels: np.ndarray, theme: str, **options) -> Figure:
    points, axes, equal = scene.placed
    return scatter(points, labels, theme, axis_names=axes, equal=equal, **options)


def _ringed(scene: Scene, labels: np.ndarray, theme: str) -> Figure:
    """Clusters in the colours of the classes, ringed where they differ."""
    return _scatter(scene, labels, theme, colors=alike(labels, scene.truth), truth=scene.truth)


@picture("The truth")
def truth(scene: Scene, theme: str) -> Figure:
    """Objects by class."""
    return _scatter(scene, scene.truth, theme, classes=scene.class_names)


def _standing_out(place: int) -> Reading:
    """The number on hover of one of the points that are not faint."""

    def read(figure: Figure, *_) -> float:
        dots = figure.data[0]
        clear = np.asarray(dots["marker"]["opacity"]) == np.max(dots["marker"]["opacity"])
        return float(np.sort(np.asarray(dots["customdata"])[clear])[place])

    return Reading(read)


@picture(
    "The two objects that are looked at",
    reads={"pair_first": _standing_out(0), "pair_second": _standing_out(1)},
)
def pair(scene: Scene, theme: str) -> Figure:
    """Objects by class, all but the pair that is looked at faint."""
    chosen = np.zeros(scene.source.n_objects, bool)
    chosen[list(scene.config.pair)] = True
    return _scatter(scene, scene.truth, theme, classes=scene.class_names, selected=chosen)


@picture("The consensus, ringed where it is wrong")
def consensus(scene: Scene, theme: str) -> Figure:
    """Objects by cluster of the chosen method's consensus."""
    return _ringed(scene, scene.answer().labels, theme)


@picture("EAC's consensus, ringed where it is wrong")
def consensus_eac(scene: Scene, theme: str) -> Figure:
    """Objects by cluster of EAC's consensus."""
    return _ringed(scene, scene.answer("eac").labels, theme)


@picture("The first nine base clusterings: k, score")
def base(scene: Scene, theme: str) -> Figure:
    """Objects by cluster of the first base clusterings, with k and score."""
    made, (points, _, equal) = scene.ensemble, scene.placed
    shown = range(min(PANELS, made.n_clusterings))
    panels = [made.labels[:, m] for m in shown]
    options = {"colors": [alike(labels, scene.truth) for labels in panels], "equal": equal, "panel_height": 110}
    return small_multiples(points, panels, [_panel_title(scene, m) for m in shown], theme, **options)


def _panel_title(scene: Scene, m: int) -> str:
    made = scene.ensemble
    score = pipeline.score_where_seen(made.labels[:, m], scene.truth, scene.config.measure)
    return f"k = {made.n_clusters_each[m]}, {three_digits(score)}"


@picture("The grown trees, ringed where they are wrong")
def trees(scene: Scene, theme: str) -> Figure:
    """Objects by tree."""
    return _ringed(scene, numbered(scene.ensemble, scene.growth.tree), theme)


@picture("Everybody to the nearest prototype, ringed where that is wrong")
def nearest_root(scene: Scene, theme: str) -> Figure:
    """Objects by nearest prototype."""
    return _ringed(scene, numbered(scene.ensemble, scene.ground.refined[:, scene.roots].argmin(axis=1)), theme)


@picture("What EC-CMS answers, ringed where it is wrong")
def enhanced_clusters(scene: Scene, theme: str) -> Figure:
    """Objects by cluster of the partition cut from the enhanced matrix."""
    return _ringed(scene, scene.enhanced_labels, theme)


@picture("Objects, and the metric of each cluster")
def ellipses(scene: Scene, theme: str) -> Figure:
    """Clusters of LAC with the ellipses their weights draw."""
    seen = subspace_views.seen(scene.weighed, scene.truth)
    pair = list(subspace_views.axes(scene.config, seen.weights))
    names = scene.source.columns
    return ellipse_figure(
        scene.features[:, pair],
        seen.labels,
        seen.names,
        seen.centroids[:, pair],
        seen.weights[:, pair],
        theme,
        truth=scene.truth,
        axis_names=[names[f] if names else f"feature {f + 1}" for f in pair],
    )


@picture("The toy, rows as sorted by class")
def toy_sorted(scene: Scene, theme: str) -> Figure:
    """What a toy answers that smooths along the rows of the file, sorted by class."""
    return _ringed(scene, trials.toy(scene, shuffled=False), theme)


@picture("The toy, rows shuffled")
def toy_shuffled(scene: Scene, theme: str) -> Figure:
    """What the same toy answers with the rows shuffled."""
    return _ringed(scene, trials.toy(scene, shuffled=True), theme)


@picture("The same method on data without clusters")
def twin(scene: Scene, theme: str) -> Figure:
    """A twin of the data, drawn from one Gaussian, by cluster of the chosen method's consensus."""
    points = trials.twin(scene)[:, :2]
    return scatter(points, trials.twin_answer(scene), theme, axis_names=("component 1", "component 2"), equal=True)
