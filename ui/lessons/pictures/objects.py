"""Pictures of the objects: base clusterings, the consensus, the truth."""

import numpy as np

from engine.metrics import align
from ui.compute import pipeline
from ui.figures import ellipse_figure, scatter, small_multiples
from ui.figures.spec import Figure
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
    return _scatter(scene, align(scene.answer().labels, scene.truth), theme, truth=scene.truth)


@picture("EAC's consensus, ringed where it is wrong")
def consensus_eac(scene: Scene, theme: str) -> Figure:
    """Objects by cluster of EAC's consensus."""
    return _scatter(scene, align(scene.answer("eac").labels, scene.truth), theme, truth=scene.truth)


@picture("The first nine base clusterings: k, score")
def base(scene: Scene, theme: str) -> Figure:
    """Objects by cluster of the first base clusterings, with k and score."""
    made, (points, _, equal) = scene.ensemble, scene.placed
    shown = range(min(PANELS, made.n_clusterings))
    panels = [alike(made.labels[:, m], scene.truth) for m in shown]
    titles = [_panel_title(scene, m) for m in shown]
    return small_multiples(points, panels, titles, theme, equal=equal, panel_height=110)


def _panel_title(scene: Scene, m: int) -> str:
    made = scene.ensemble
    score = pipeline.score_where_seen(made.labels[:, m], scene.truth, scene.config.measure)
    return f"k = {made.n_clusters_each[m]}, {three_digits(score)}"


@picture("The grown trees, ringed where they are wrong")
def trees(scene: Scene, theme: str) -> Figure:
    """Objects by tree."""
    labels = scene.ensemble.microclusters.expand(scene.growth.tree)
    return _scatter(scene, align(labels, scene.truth), theme, truth=scene.truth)


@picture("Everybody to the nearest prototype, ringed where that is wrong")
def nearest_root(scene: Scene, theme: str) -> Figure:
    """Objects by nearest prototype."""
    labels = scene.ensemble.microclusters.expand(scene.ground.refined[:, scene.roots].argmin(axis=1))
    return _scatter(scene, align(labels, scene.truth), theme, truth=scene.truth)


@picture("What EC-CMS answers, ringed where it is wrong")
def enhanced_clusters(scene: Scene, theme: str) -> Figure:
    """Objects by cluster of the partition cut from the enhanced matrix."""
    return _scatter(scene, align(scene.enhanced_labels, scene.truth), theme, truth=scene.truth)


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
    return _scatter(scene, align(trials.toy(scene, shuffled=False), scene.truth), theme, truth=scene.truth)


@picture("The toy, rows shuffled")
def toy_shuffled(scene: Scene, theme: str) -> Figure:
    """What the same toy answers with the rows shuffled."""
    return _scatter(scene, align(trials.toy(scene, shuffled=True), scene.truth), theme, truth=scene.truth)


@picture("The same method on data without clusters")
def twin(scene: Scene, theme: str) -> Figure:
    """A twin of the data, drawn from one Gaussian, by cluster of the chosen method's consensus."""
    points = trials.twin(scene)[:, :2]
    return scatter(points, trials.twin_answer(scene), theme, axis_names=("component 1", "component 2"), equal=True)
