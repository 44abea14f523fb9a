"""What is special in a method: the intermediates its trace has, each a picture with its sentence."""

import numpy as np

from engine.runtime.errors import listed
from ui.figures import (
    bar_by_clustering,
    cluster_similarity_figure,
    graph_figure,
    lambda_figure,
    matrix_image,
    starts_figure,
)
from ui.figures.numbering import clusterings_on_hover
from ui.figures.spec import Figure
from ui.figures.style import painted, rounded_up
from ui.outside import html, markdown
from ui.pictures.catalog import picture
from ui.saying import percent
from ui.scene import Scene

#: Weights that differ by less are the same.
_LEVEL = 1e-9
#: Pixels along an image.
_PIXELS = 300


def _traced(scene: Scene, name: str) -> np.ndarray | None:
    """An entry of the trace of the consensus, if it is there."""
    found = scene.consensus.trace.get(name) if scene.consensus else None
    return None if found is None else np.asarray(found)


@picture("Which clusters does it take for alike? All clusters of all base clusterings, side by side")
def cluster_similarity(scene: Scene, theme: str) -> Figure | None:
    """The similarity the method gives to any two clusters."""
    similarity = _traced(scene, "cluster_similarity")
    if similarity is None:
        return None
    limit = brightest(similarity)
    own = np.repeat([html(key) for key in scene.clustering_keys], scene.ensemble.n_clusters_each)
    return cluster_similarity_figure(similarity, scene.cluster_sequence, own, theme, limit=limit, pair=scene.alike_pair)


def brightest(similarity: np.ndarray) -> float:
    """The largest value between two different clusters, rounded up."""
    return rounded_up(float(similarity[~np.eye(len(similarity), dtype=bool)].max(initial=0.0))) or 1.0


def _weighed(scene: Scene) -> str:
    values = _traced(scene, "clustering_weights")
    if values is None:
        return ""
    if np.ptp(values) < _LEVEL:
        equal = len(values) > 2 and getattr(scene.consensus.params, "beta", None) == 0
        return f"All base clusterings count the same{': β = 0, and agreement does not count' * equal}."
    names = scene.clustering_names
    first, last = (np.flatnonzero(np.abs(values - end) < _LEVEL) for end in (values.max(), values.min()))
    most, least = (listed(markdown(names[at]) for at in places) for places in (first, last))
    agree, count = (("agrees", "counts") if len(places) == 1 else ("agree", "count each") for places in (first, last))
    return (
        f"{most[0].upper()}{most[1:]} {agree[0]} most with the others and {agree[1]} **{values.max():.3g}**; {least} "
        f"{count[0]} least and {count[1]} **{values.min():.3g}**. Raising β widens the gap."
    )


@picture("Whom does the crowd agree with? The weight of every base clustering", says=_weighed)
def clustering_weights(scene: Scene, theme: str) -> Figure | None:
    """What every base clustering counts."""
    values = _traced(scene, "clustering_weights")
    if values is None:
        return None
    figure = bar_by_clustering(values, theme, y_name="weight", keys=scene.clustering_keys)
    return clusterings_on_hover(figure, scene.clustering_names)


def _objectives(scene: Scene) -> np.ndarray | None:
    """What every start came to; what is within rounding of the best is the best."""
    values = _traced(scene, "objectives")
    if values is None:
        return None
    values = values.astype(float)
    least = values.min()
    return np.where(values <= least + 1e-6 * max(abs(least), 1e-12), least, values)  # else an axis blows up rounding


def _reached(scene: Scene) -> str:
    values = _objectives(scene)
    if values is None:
        return ""
    least = values.min()
    scale, reached = max(abs(least), 1e-12), int((values == least).sum())
    words = f"**{reached:,} of {len(values):,}** starts reached the best objective, {least:.6g}"
    if reached < len(values):
        words += f"; the median start is {(np.median(values) - least) / scale:.2%} above it, the worst "
        words += f"{(values.max() - least) / scale:.2%}"
    words += "."
    if stopped := scene.consensus.trace.get("unsettled"):
        words += f" {stopped:,} were stopped before nothing moved any more."
    return words


@picture("How much hangs on where it starts? The objective that each start reached", says=_reached)
def objectives(scene: Scene, theme: str) -> Figure | None:
    """What every start came to."""
    values = _objectives(scene)
    return None if values is None else starts_figure(values, theme)


def _learnt(scene: Scene) -> str:
    stars = _traced(scene, "lambda_star")
    if stars is None:
        return ""
    lam = float(scene.consensus.params.as_dict()["lam"])
    below = int((stars >= lam).sum())
    return (
        f"λ = {lam:g} lies above the λ* of **{len(stars) - below:,} of {len(stars):,}** microclusters, which reach "
        f"from {stars.min():.3g} to {stars.max():.3g}. "
        + ("Of the others nothing is learnt." if below else "Something is learnt of every one.")
    )


@picture("Is anything learnt? Below its λ* a microcluster is reproduced as it is, and λ changes nothing", says=_learnt)
def lambda_star(scene: Scene, theme: str) -> Figure | None:
    """From which lambda on something is learnt of a microcluster."""
    stars = _traced(scene, "lambda_star")
    return None if stars is None else lambda_figure(stars, float(scene.consensus.params.as_dict()["lam"]), theme)


def _mixed(scene: Scene) -> str:
    mixtures = _traced(scene, "representation")
    if mixtures is None:
        return ""
    same = scene.consensus.labels[scene.ensemble.microclusters.representatives]
    sizes = scene.ensemble.microclusters.sizes
    held = np.abs(mixtures) * sizes[:, None] * sizes  # as the picture has them, between objects
    inside = percent(float(held[same[:, None] == same].sum()), float(held.sum()))
    return f"{inside} of what the mixtures hold lies inside the consensus clusters."


@picture("Of whom is everybody a mixture? The representation Z, objects ordered by consensus cluster", says=_mixed)
def representation(scene: Scene, theme: str) -> Figure | None:
    """The mixtures Z, objects in the order of the consensus."""
    mixtures = _traced(scene, "representation")
    if mixtures is None:
        return None
    labels = scene.consensus.labels
    order = np.argsort(labels, kind="stable")
    pixels = scene.ensemble.microclusters.block_means(mixtures, order, order, _PIXELS)
    strip = labels[order[np.linspace(0, len(order) - 1, len(pixels)).astype(int)]]
    return matrix_image(
        pixels,
        theme,
        scale="difference" if (pixels < -1e-9).any() else "similarity",
        limit=_to_one_digit(float(np.abs(pixels).max())),
        name="share",
        row_labels=strip,
        column_labels=strip,
        colors=scene.colors,
        extent=(0, len(order)) * 2,
    )


def _to_one_digit(value: float) -> float:
    """The next number with one digit."""
    step = 10.0 ** np.floor(np.log10(max(value, 1e-9)))
    return float(np.ceil(value / step) * step)


def _linked(scene: Scene) -> str:
    learnt = _traced(scene, "learnt_graph")
    if learnt is None:
        return ""
    ends, micro = np.argwhere(np.triu(learnt, 1) > 0), scene.ensemble.microclusters
    possible, own = len(micro) * (len(micro) - 1) // 2, scene.consensus.labels[micro.representatives]
    crossing = int((own[ends[:, 0]] != own[ends[:, 1]]).sum())
    words = f"It keeps **{len(ends):,} of {possible:,}** links between microclusters"
    if not crossing:
        return f"{words}; none joins two clusters."
    join = "joins two clusters, and was" if crossing == 1 else "join two clusters, and were"
    return f"{words}; {crossing:,} of them {join} cut."


@picture("Which links has it learnt? Microclusters that hang together are a cluster", says=_linked)
def learnt_graph(scene: Scene, theme: str) -> Figure | None:
    """The graph whose components are the clusters."""
    learnt = _traced(scene, "learnt_graph")
    if learnt is None or scene.node_places is None:
        return None
    upper, micro, (_, axes, equal) = np.triu(learnt, 1), scene.ensemble.microclusters, scene.placed
    ends = np.argwhere(upper > 0)
    links = upper[tuple(ends.T)]
    return graph_figure(
        scene.node_places,
        micro.sizes,
        ends,
        links / links.max() if len(links) else links,
        theme,
        labels=painted(scene.consensus.labels, scene.colors)[micro.representatives],
        axis_names=axes,
        equal=equal,
        height=460,
    )


#: Pictures of this file by the entry of the trace they show, in the order of a page.
SPECIAL = ("cluster_similarity", "clustering_weights", "objectives", "lambda_star", "representation", "learnt_graph")
