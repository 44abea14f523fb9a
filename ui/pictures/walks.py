"""Pictures of elite neighbours, of walks among them, and of links by value: how many, how many right."""

import numpy as np

from engine.evidence import LinkQuality
from ui.figures import graph_figure, histogram, line_figure, link_figure, matrix_film, walk_film, walk_heatmaps
from ui.figures.numbering import number, object_names
from ui.figures.spec import Figure
from ui.pictures.catalog import Reading, on_line, picture
from ui.saying import counted, percent
from ui.scene import Scene
from ui.scene.matrices import NO_SIMILARITY
from ui.scene.walks import T_LADDER

#: A link of so much weight and less is a weak one.
_MOST = 0.2 + 1e-9


def shares(quality: LinkQuality) -> tuple[np.ndarray, np.ndarray]:
    """Share of the links in each bin, and share of those that are correct (nan where there are none)."""
    share = quality.pairs / max(1, quality.pairs.sum())
    return share, np.divide(quality.correct, quality.pairs, out=np.full(len(share), np.nan), where=quality.pairs > 0)


def link_picture(quality: LinkQuality, name: str, theme: str) -> Figure:
    """Links by value: how many, how many right, precision and recall from there up."""
    share, correct = shares(quality)
    values = np.round(quality.values, 5)  # the first bin begins right above 0
    return link_figure(values, share, correct, quality.precision, quality.recall, theme, name=name)


_WEAK = {"weak_links": Reading(lambda fig, *_: float(np.sum(fig.data[0]["y"][fig.data[0]["x"] <= _MOST])))}


@picture("Links by weight: how many, how many right", reads=_WEAK)
def link_weights(scene: Scene, theme: str) -> Figure | None:
    """All links by weight, with precision and recall."""
    return scene.pruning and link_picture(scene.pruning[0], "weight", theme)


def _quality(scene: Scene) -> LinkQuality | None:
    """How often pairs of each value of the left matrix are right; None where nobody knows, or nothing is linked.

    A distance links nobody, and a mixture has signs, and not the same for both objects.
    """
    left = scene.config.left
    if scene.truth is None or left in ("truth", *NO_SIMILARITY) or scene.quality_left is None:
        return None
    return scene.quality_left if scene.quality_left.pairs.sum() else None


def trusted(scene: Scene) -> str:
    """The strongest and the weakest links of the left matrix in a sentence."""
    quality = _quality(scene)
    if quality is None:
        return ""
    share, there = shares(quality)[0], np.flatnonzero(quality.pairs)
    weakest, strongest = there[0], there[-1]
    if weakest == strongest:
        right = percent(int(quality.correct[strongest]), int(quality.pairs[strongest]))
        return f"All links are as strong as each other, and {right} of them join objects of one class."
    low, high = (percent(int(quality.correct[bin_]), int(quality.pairs[bin_])) for bin_ in (weakest, strongest))
    return (
        f"The strongest links are {_tenths(share[strongest])} of all and {high} of them join objects of one class; "
        f"the weakest are {_tenths(share[weakest])}, and {low} do."
    )


def _tenths(share: float) -> str:
    return f"{share:.1%}" if share >= 0.0005 else "below 0.1%"


@picture("How far can a value be trusted?", says=trusted)
def values_left(scene: Scene, theme: str) -> Figure | None:
    """Values of the left matrix: how many, how many right, precision and recall."""
    quality = _quality(scene)
    if quality is None:
        return None
    title = scene.matrix_left.title
    figure = link_picture(quality, title, theme)
    links = f"Links of the {title} matrix, {quality.pairs.sum():,} pairs of objects"
    if quality.n_rows is not None:
        n = len(scene.ensemble.microclusters)
        links += f": those of a sample of {quality.n_rows:,} of the {n:,} microclusters"
    figure.layout["meta"]["title"] = f"How far can a value be trusted? {links}"
    return figure


def _kept(scene: Scene) -> str:
    """What K keeps, with the live numbers."""
    if scene.graph is None or scene.ladder is None or scene.connected_parts is None:
        return ""
    graph, steps, K = scene.graph, scene.ladder, scene.n_neighbors
    place = steps.K.index(K) if K in steps.K else None
    sampled = f", counted from {steps.n_rows:,} microclusters" if steps.n_rows else ""
    total = f" ({steps.kept[place]:.1%} of all{sampled})" if place is not None and graph.nnz else ""
    alone = int((np.diff(graph.indptr) == 0).sum())
    words = f"K = {K:,} keeps **{counted(graph.nnz // 2, 'link')}**{total} between "
    words += f"{counted(graph.shape[0], 'microcluster')}, "
    words += f"which fall into {counted(int(scene.connected_parts.max()) + 1, 'connected part')}"
    return words + (f"; {alone:,} {'stands' if alone == 1 else 'stand'} alone." if alone else ".")


@picture("The links that are kept (colours: classes)", says=_kept)
def graph(scene: Scene, theme: str) -> Figure | None:
    """The graph of elite neighbours."""
    return _graph(scene, theme, labels=scene.node_classes)


@picture("The links that are kept", says=_kept)
def elite_graph(scene: Scene, theme: str) -> Figure | None:
    """The graph of elite neighbours, the links of one microcluster standing out."""
    if scene.graph is None:
        return None
    color, node, density, labels = scene.config.color, scene.node_in_focus, None, None
    if color == "density":
        density = np.asarray(scene.graph.sum(axis=1)).ravel()
    elif color == "truth" and scene.truth is not None:
        labels = scene.node_classes
    else:
        labels = scene.node_clusters
    kept = scene.graph.indices[scene.graph.indptr[node] : scene.graph.indptr[node + 1]]
    return _graph(scene, theme, labels=labels, density=density, focus=node, kept=kept)


def _graph(scene: Scene, theme: str, **options) -> Figure | None:
    if scene.links is None or scene.node_places is None:
        return None
    (_, axes, equal), (edges, weights) = scene.placed, scene.links
    sizes = scene.ensemble.microclusters.sizes
    return graph_figure(scene.node_places, sizes, edges, weights, theme, axis_names=axes, equal=equal, **options)


@picture("How much does K keep?")
def kept_by_K(scene: Scene, theme: str) -> Figure | None:
    """Share of the links that are kept against K."""
    if scene.ladder is None:
        return None
    return _along_K(scene, {"share": np.array(scene.ladder.kept)}, "share of links kept (RatioPL)", theme)


_PARTS = {"parts": Reading(lambda fig, scene, _: on_line(fig, "parts", scene.config.K), along=("K",))}


@picture("How much falls apart, against K", reads=_PARTS)
def parts_by_K(scene: Scene, theme: str) -> Figure | None:
    """Connected parts of the graph against K."""
    if scene.ladder is None:
        return None
    return _along_K(scene, {"parts": np.array(scene.ladder.components)}, "connected parts", theme, y_range=None)


def _along_K(scene: Scene, lines: dict, y_name: str, theme: str, **options) -> Figure:
    marked = scene.n_neighbors
    return line_figure(scene.ladder.K, lines, theme, x_name="K", y_name=y_name, log_x=True, marked=marked, **options)


@picture("How many links has each?")
def links_of_each(scene: Scene, theme: str) -> Figure | None:
    """Microclusters by the number of their links that are kept."""
    if scene.graph is None:
        return None
    names = {"x_name": "links of a microcluster", "y_name": "microclusters"}
    return histogram(np.diff(scene.graph.indptr), theme, height=260, **names)


def _right(scene: Scene, place: int, when: str) -> str:
    if scene.truth is None or scene.pruning is None:
        return ""
    quality = scene.pruning[place]
    right, pairs = percent(int(quality.correct.sum()), int(quality.pairs.sum())), int(quality.pairs.sum())
    return f"{when} pruning: {counted(pairs, 'pair')} of objects, **{right} correct**"


@picture("Links before pruning, by weight", says=lambda scene: _right(scene, 0, "before"))
def links_before(scene: Scene, theme: str) -> Figure | None:
    """All links by weight: how many, and how many right."""
    return scene.truth is not None and scene.pruning and link_picture(scene.pruning[0], "weight", theme) or None


@picture("Links after pruning, by weight", says=lambda scene: _right(scene, 1, "after"))
def links_after(scene: Scene, theme: str) -> Figure | None:
    """The links that are kept by weight: how many, and how many right."""
    return scene.truth is not None and scene.pruning and link_picture(scene.pruning[1], "weight", theme) or None


def _alike(scene: Scene) -> str:
    """How alike the two walkers are, with the live numbers."""
    if scene.walks is None:
        return ""
    (a, b), cosines = scene.walk_starts, scene.walks.cosines
    if a == b:
        return "Both objects are in one microcluster: their walkers are the same. Choose another pair to compare."
    apart = ""
    if cosines[-1] == 0 and (part := scene.connected_parts) is not None:
        apart = " They never share a place: no way leads over."
        if part[a] == part[b]:
            apart = " They share no place within so few steps."
            if (sides := scene.meeting_parts) is not None and sides[a] != sides[b]:
                apart = " They never meet: at every step each is on the side of the graph that the other has just left."
    return (
        f"After {counted(len(cosines), 'step')} the walkers from microclusters {number(a)} and {number(b)} reach a "
        f"cosine of **{cosines[-1]:.3f}**, after the first it was {cosines[0]:.3f}. This number is their *trajectory "
        f"similarity* (PTS).{apart}"
    )


def _objects(scene: Scene) -> list[str]:
    """What the two objects are called whose walkers these are."""
    return object_names(scene.two_objects, scene.identifiers)


def _wide(scene: Scene) -> bool:
    """Whether the nodes lie wider than high: two such pictures stand better below each other."""
    width, height = np.ptp(scene.node_places, axis=0)
    return bool(width > 1.5 * height)


@picture("Two walkers: where they may be", says=_alike)
def walk(scene: Scene, theme: str) -> Figure | None:
    """The film of the two walkers that start from the pair that is looked at."""
    if scene.walks is None or scene.node_places is None or scene.links is None:
        return None
    sizes, (edges, weights), (both, cosines) = scene.ensemble.microclusters.sizes, scene.links, scene.walks
    options = {"equal": scene.placed[2], "picked": scene.picked_nodes, "height": 245, "stacked": _wide(scene)}
    options["names"] = _objects(scene)
    return walk_film(scene.node_places, sizes, edges, weights, both, scene.walk_starts, cosines, theme, **options)


@picture("Where they were at each step")
def walk_places(scene: Scene, theme: str) -> Figure | None:
    """Both walkers by step and microcluster."""
    if scene.walks is None or scene.node_order is None:
        return None
    return walk_heatmaps(scene.walks.both, scene.node_order, theme, names=_objects(scene))


@picture("How alike their ways are so far")
def walk_cosine(scene: Scene, theme: str) -> Figure | None:
    """The cosine of both trajectories up to each step."""
    if scene.walks is None:
        return None
    cosines = scene.walks.cosines
    names = {"x_name": "step t", "y_name": "cosine so far"}
    return line_figure(np.arange(1, len(cosines) + 1), {"cosine": cosines}, theme, **names)


@picture("The similarity grows with the walk (microclusters ordered by consensus)")
def pts_film(scene: Scene, theme: str) -> Figure | None:
    """Trajectory similarities of all microclusters after ever more steps."""
    return scene.similarity_images and matrix_film(scene.similarity_images[1], scene.similarity_images[0], theme)


def _mean_pts(name: str) -> Reading:
    return Reading(lambda fig, scene, words: on_line(fig, name, scene.config.T) if words == ("pts",) else None, ("T",))


@picture(
    "How alike walkers become, against the length of the walk",
    reads={"inside": _mean_pts("inside classes"), "between": _mean_pts("between classes")},
)
def mixing(scene: Scene, theme: str) -> Figure | None:
    """Mean trajectory similarity inside classes and between them against T."""
    return _mixing(scene, scene.mixing, "classes", theme)


@picture("What happens when they walk too long?")
def cluster_mixing(scene: Scene, theme: str) -> Figure | None:
    """Mean trajectory similarity inside clusters and between them against T."""
    return _mixing(scene, scene.cluster_mixing, "clusters", theme)


def _mixing(scene: Scene, rates: np.ndarray | None, of: str, theme: str) -> Figure | None:
    if rates is None:
        return None
    lines = {f"inside {of}": rates[:, 0], f"between {of}": rates[:, 1]}
    options = {"x_name": "T, steps", "y_name": "mean PTS", "log_x": True, "height": 360}
    return line_figure(T_LADDER, lines, theme, marked=scene.n_steps, **options)
