"""Pictures of the objects in the plane: the truth, the consensus, and what other mechanisms answer."""

import numpy as np

from engine.metrics import MEASURES
from ui.figures import density, ellipse_figure, scatter, small_multiples
from ui.figures.numbering import both_ends, on_hover
from ui.figures.objects.density import MOST_DOTS, MOST_LINES
from ui.figures.spec import Figure
from ui.figures.style import alike
from ui.outside import html
from ui.pictures import trials
from ui.pictures.catalog import Reading, picture
from ui.saying import counted, three_digits
from ui.scene import Scene

#: Base clusterings side by side on the first page, and on one page of all.
FIRST_ONES, PER_PAGE = 9, 12
HEIGHT = 400


def dots(scene: Scene, labels: np.ndarray | None, theme: str, **options) -> Figure | None:
    """Objects by label: dots, or where they are too many, their density."""
    if scene.placed is None:
        return None
    points, axes, equal = scene.placed
    options = {"axis_names": axes, "equal": equal, "selected": scene.picked_mask, "height": HEIGHT, **options}
    if len(points) > MOST_DOTS and scene.most_dots is None:
        options.pop("remarks", None)
        return density(points, labels, theme, extent=scene.extent, **options)
    options["edges"] = edges = scene.edges
    if edges is not None and len(edges) > MOST_LINES:
        if scene.edges_shade is None:
            return None
        options["shade"] = scene.edges_shade
    most = scene.most_dots or MOST_DOTS
    return on_hover(scatter(points, labels, theme, max_points=most, **options), scene.identifiers)


def _clusters(scene: Scene, labels: np.ndarray | None, theme: str, **options) -> Figure | None:
    """Clusters in the colours of the classes where these are known, ringed where they differ."""
    if labels is None:
        return None
    return dots(scene, labels, theme, **{"colors": colors_of(scene, labels), "truth": scene.truth, **options})


def colors_of(scene: Scene, labels: np.ndarray) -> np.ndarray:
    """Places of clusters in the palette, (k,)."""
    return alike(labels, scene.reference)


def colors_of_trees(scene: Scene) -> np.ndarray | None:
    """Places of grown trees in the palette, (k,): those of the forest on every page; None before it has grown."""
    if scene.growth is None:
        return None
    trees, labels = scene.ensemble.microclusters.expand(scene.growth.tree), scene.forest
    places = np.zeros(trees.max() + 1, int)
    places[trees] = colors_of(scene, labels)[labels]
    return places


@picture("The data")
def data(scene: Scene, theme: str) -> Figure | None:
    """Objects in the plane, by class where classes are known."""
    return dots(scene, scene.truth, theme, classes=scene.class_names, height=460)


@picture("The truth")
def truth(scene: Scene, theme: str) -> Figure | None:
    """Objects by class."""
    return None if scene.truth is None else dots(scene, scene.truth, theme, classes=scene.class_names)


def _standing_out(place: int) -> Reading:
    """The number on hover of one of the points that are not faint."""

    def read(figure: Figure, *_) -> float:
        dots = next(one for one in figure.data if "customdata" in one)
        clear = np.asarray(dots["marker"]["opacity"]) == np.max(dots["marker"]["opacity"])
        return float(np.sort(np.asarray(dots["customdata"])[clear])[place])

    return Reading(read)


@picture(
    "The two objects that are looked at",
    reads={"pair_first": _standing_out(0), "pair_second": _standing_out(1)},
)
def pair(scene: Scene, theme: str) -> Figure | None:
    """Objects by class, all but the pair that is looked at faint."""
    if scene.ensemble is None:
        return None
    chosen = np.zeros(scene.source.n_objects, bool)
    chosen[list(scene.two_objects)] = True
    return dots(scene, scene.truth, theme, classes=scene.class_names, selected=chosen)


def answered(scene: Scene) -> str:
    """Into how many clusters an answer of this size falls, and its score."""
    return "" if scene.consensus is None else words_of_answer(scene, scene.consensus.labels)


def words_of_answer(scene: Scene, labels: np.ndarray) -> str:
    """Clusters of a partition, and its score where classes are known."""
    words = counted(len(np.unique(labels)), "cluster")
    if scene.truth is not None:
        words += f", {MEASURES[scene.config.measure]} **{three_digits(scene.score(labels))}**"
    return words


@picture("The consensus", ringed="where it is wrong", says=answered)
def consensus(scene: Scene, theme: str) -> Figure | None:
    """Objects by cluster of the chosen method's consensus."""
    if scene.consensus is None:
        return None
    options = {"colors": scene.colors, "truth": scene.truth, "opacity": scene.opacity}
    return dots(scene, scene.consensus.labels, theme, **options)


@picture("What they agree on", says=answered)
def agreed(scene: Scene, theme: str) -> Figure | None:
    """Objects by cluster of the consensus, nothing ringed."""
    return scene.consensus and dots(scene, scene.consensus.labels, theme, colors=scene.colors)


@picture("EAC's consensus", ringed="where it is wrong")
def consensus_eac(scene: Scene, theme: str) -> Figure | None:
    """Objects by cluster of EAC's consensus."""
    return consensus(scene.varied(method="eac"), theme)


@picture("The first nine base clusterings: k, score")
def base(scene: Scene, theme: str, reference: np.ndarray | None = None, panel_height: int = 110) -> Figure | None:
    """Objects by cluster of the first base clusterings, with k and score."""
    made = scene.ensemble
    if made is None:
        return None
    titles = [f"k = {k}" for k in made.n_clusters_each]
    if scene.truth is not None:
        titles = [f"{title}, {three_digits(value)}" for title, value in zip(titles, scene.base_scores, strict=True)]
    shown = range(min(FIRST_ONES, made.n_clusterings))
    return _panels(scene, shown, titles, theme, reference, panel_height=panel_height)


@picture("Base clusterings, a page at a time")
def base_by_page(scene: Scene, theme: str) -> Figure | None:
    """Objects by cluster of twelve base clusterings, with k; those switched off say so."""
    made = scene.everything and scene.everything.ensemble
    if made is None:
        return None
    last = scene.config.panel * PER_PAGE
    shown = range(last - PER_PAGE, min(last, made.n_clusterings))
    off = scene.off
    told = [f"k = {k}" + (" (off)" if m in off else "") for m, k in enumerate(made.n_clusters_each)]
    called = list(zip(scene.everything.clustering_keys, told, strict=True))
    hints = [f"{html(name)}: {words}" for name, words in called]
    titles = [f"{html(both_ends(name))}: {words}" for name, words in called]
    options = {"hints": [hints[m] for m in shown], "columns": 6, "panel_height": 120}
    return _panels(scene.everything, shown, titles, theme, **options)


def _panels(
    scene: Scene, shown: range, titles: list[str], theme: str, reference: np.ndarray | None = None, **options
) -> Figure | None:
    """Base clusterings side by side, their clusters in the colours of what they match best: classes, or `reference`."""
    if scene.placed is None:
        return None
    made, (points, _, equal) = scene.ensemble, scene.placed
    first = made.labels[:, 0] if reference is None else reference
    reference = first if scene.truth is None else scene.truth
    panels = [made.labels[:, m] for m in shown]
    colors = [alike(labels, reference) for labels in panels]
    options |= {"colors": colors, "equal": equal, "selected": scene.picked_mask}
    return small_multiples(points, panels, [titles[m] for m in shown], theme, **options)


@picture("The grown trees", ringed="where they are wrong")
def trees(scene: Scene, theme: str) -> Figure | None:
    """Objects by tree."""
    return _clusters(scene, scene.forest, theme)


@picture("Everybody to the nearest prototype", ringed="where that is wrong")
def nearest_root(scene: Scene, theme: str) -> Figure | None:
    """Objects by nearest prototype."""
    return _clusters(scene, scene.nearest_forest, theme)


@picture("What EC-CMS answers", ringed="where it is wrong")
def enhanced_clusters(scene: Scene, theme: str) -> Figure | None:
    """Objects by cluster of the partition cut from the enhanced matrix."""
    return _clusters(scene, scene.enhanced_labels, theme)


@picture("What a method that walks answers")
def walked(scene: Scene, theme: str) -> Figure | None:
    """Objects by cluster of the consensus of a method that walks."""
    return _clusters(scene, scene.walked and scene.walked.labels, theme)


@picture("Objects, and the metric of each cluster (an ellipse holds half of its objects)")
def ellipses(scene: Scene, theme: str) -> Figure | None:
    """Clusters of LAC with the ellipses their weights draw."""
    seen = scene.subspaces
    if seen is None:
        return None
    pair, names = list(scene.feature_pair), scene.feature_names
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
def toy_sorted(scene: Scene, theme: str) -> Figure | None:
    """What a toy answers that smooths along the rows of the file, sorted by class."""
    return _clusters(scene, trials.toy(scene, shuffled=False), theme)


@picture("The toy, rows shuffled")
def toy_shuffled(scene: Scene, theme: str) -> Figure | None:
    """What the same toy answers with the rows shuffled."""
    return _clusters(scene, trials.toy(scene, shuffled=True), theme)


@picture("The same method on data without clusters")
def twin(scene: Scene, theme: str) -> Figure | None:
    """A twin of the data, drawn from one Gaussian, by cluster of the chosen method's consensus."""
    if scene.twin_labels is None:
        return None
    axes = ("component 1", "component 2")
    return scatter(scene.twin[:, :2], scene.twin_labels, theme, axis_names=axes, equal=True)
