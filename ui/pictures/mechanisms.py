"""Pictures of what happens inside EC-CMS, growing trees, LAC, and methods with trees."""

import numpy as np

from engine.runtime.errors import listed
from ui import outside
from ui.figures import (
    coordinate_figure,
    decision_graph,
    dendrogram_figure,
    forest_film,
    line_figure,
    margin_figure,
    residual_figure,
    silhouette_figure,
    weight_figure,
)
from ui.figures.numbering import number
from ui.figures.spec import Figure
from ui.figures.style import padded_range, painted
from ui.pictures.catalog import Reading, picture
from ui.pictures.objects import colors_of_trees
from ui.saying import counted, percent, three_digits
from ui.scene import Scene
from ui.session.run_config import MEASURES

_STOPPED = {"iterations": Reading(lambda fig, *_: float(len(fig.data[0]["x"])))}


def enhanced_words(scene: Scene) -> str:
    """What EC-CMS did, with the live numbers."""
    if scene.enhanced is None:
        return ""
    run, given, n = scene.enhanced.run, scene.given, len(scene.ensemble.microclusters)
    off = ~np.eye(n, dtype=bool)
    n_sure = int(((scene.certain > 0) & off).sum() // 2)
    grown = int(((run.matrix > given.similarity + 0.05) & off).sum() // 2)
    faded = int(((run.matrix < given.similarity - 0.05) & off).sum() // 2)
    end = "below the tolerance" if run.converged else "still above the tolerance"
    spreads = scene.config.ablation != "no_laplacian"  # else nobody looked for the parts
    parts = f", in {counted(run.n_components, 'connected part')}" * spreads
    words = (
        f"**{counted(n_sure, 'pair')}** of microclusters {'is' if n_sure == 1 else 'are'} certain "
        f"(α = {scene.config.alpha:g}){parts}. After **{counted(run.iterations, 'iteration')}** ({end}) "
        f"{counted(grown, 'pair')} gained more than 0.05, {faded:,} lost as much."
    )
    if scene.truth is not None:
        k, score = min(scene.n_clusters, n), three_digits(scene.score(scene.enhanced_labels))
        words += f" Cut into {counted(k, 'cluster')}, it scores **{score}** ({MEASURES[scene.config.measure]})."
    return words


@picture("When does it stop?", says=enhanced_words, reads=_STOPPED)
def residuals(scene: Scene, theme: str) -> Figure | None:
    """The residuals of EC-CMS by iteration."""
    return scene.enhanced and residual_figure(scene.enhanced.run.residuals, scene.config.tol, theme)


@picture("Who stands for a group? Dense, and far from anybody denser")
def decision(scene: Scene, theme: str) -> Figure | None:
    """The decision graph, prototypes drawn larger."""
    ground, colors = scene.ground, colors_of_trees(scene)
    return ground and decision_graph(ground.density, ground.capacity, scene.prototypes, theme, colors=colors)


def grown_words(scene: Scene) -> str:
    """How the trees grew, with the live numbers."""
    if scene.growth is None:
        return ""
    grown = scene.growth
    words = f"**{counted(len(scene.prototypes), 'tree')}** took in {counted(scene.ensemble.n_objects, 'object')} in "
    words += f"**{counted(grown.n_rounds, 'round')}**; "
    words += f"the first round joined {grown.joined[0]:,} of them." if grown.n_rounds else "nobody had to wait."
    if scene.truth is not None:
        score = three_digits(scene.score(scene.forest))
        words += f" The forest scores **{score}** ({MEASURES[scene.config.measure]})."
        words += _misled(scene)
    return words


#: A share of the objects that must hang on one wrong link for it to be named.
_MANY = 0.05


def _misled(scene: Scene) -> str:
    """Why the forest misses the classes: the one link that most objects came over."""
    wrong = scene.wrong_link
    if wrong is None or wrong.n_objects < _MANY * scene.ensemble.n_objects:
        return ""
    later = wrong.n_objects > scene.ensemble.microclusters.sizes[wrong.node]
    followed = ", and who came later followed" if later else ""
    hang = "hangs" if wrong.n_objects == 1 else "hang"
    return (
        f" **{counted(wrong.n_objects, 'object')}** {hang} on one link between two classes: in round {wrong.round} "
        f"microcluster {number(wrong.node)} joined {number(wrong.joined)} (margin {wrong.margin:.3f}){followed}."
    )


@picture("The trees, round by round (earlier links are thicker; grey waits)", says=grown_words)
def forest(scene: Scene, theme: str) -> Figure | None:
    """The film of growing trees."""
    if scene.growth is None or scene.node_places is None:
        return None
    _, axes, equal = scene.placed
    options = {"axis_names": axes, "equal": equal, "picked": scene.picked_nodes, "height": 470}
    options["colors"] = colors_of_trees(scene)
    return forest_film(scene.node_places, scene.ensemble.microclusters.sizes, scene.growth, theme, **options)


@picture("Who was clear enough to join?")
def margins(scene: Scene, theme: str) -> Figure | None:
    """Margins of one round, with Otsu's threshold."""
    if scene.growth is None or not scene.growth.n_rounds:
        return None
    place = min(scene.config.round, scene.growth.n_rounds) - 1
    values, counts = scene.growth.margins[place]
    return margin_figure(values, counts, scene.growth.threshold[place], theme)


def _largest(figure: Figure, *_) -> float:
    bars = [np.asarray(trace["y"]) for trace in figure.data if trace["type"] == "bar"]
    return float(max((one / one.sum()).max() for one in bars))


#: Weights that differ by less are the same for the eye.
_ALIKE = 0.002


def weighed_words(scene: Scene) -> str:
    """What each cluster keeps to, and how many objects it cost."""
    seen, names = scene.subspaces, scene.feature_names
    if seen is None:
        return ""
    parts = [
        f"cluster {number(name)} puts **{percent(seen.weights[c, f], 1)}** on {outside.name(names[f])}"
        if np.ptp(seen.weights[c]) > _ALIKE
        else f"cluster {number(name)} weighs all features alike"
        for c, (name, f) in enumerate(zip(seen.names, seen.weights.argmax(axis=1), strict=True))
    ][:4]
    words = f"At 1/h = {scene.weighed.inverse_h:g} " + ", ".join(parts)
    words += ", and so on." if len(seen.names) > 4 else "."
    if (same := np.flatnonzero(scene.constant_features)).size:
        told = listed(outside.name(names[f]) for f in same)
        words += f" LAC is drawn to what is the same for all objects, which tells none apart: {told}."
    if scene.truth is not None:
        n, wrong = len(scene.truth), round(scene.lac_error * len(scene.truth))
        where = "is in a cluster that is not its" if wrong == 1 else "are in a cluster that is not their"
        words += f" **{wrong:,} of {n:,}** objects ({wrong / n:.1%}) {where} class's."
    return words


@picture("Weights of the features (dotted: all alike)", says=weighed_words, reads={"largest_weight": Reading(_largest)})
def weights(scene: Scene, theme: str) -> Figure | None:
    """The weights each cluster of LAC gives the features."""
    seen = scene.subspaces
    return seen and weight_figure(seen.weights, seen.names, scene.feature_names, theme)


@picture("How strongly does each object belong? (relative coordinates)")
def coordinates(scene: Scene, theme: str) -> Figure | None:
    """Objects by how strongly they belong to the first two clusters of LAC."""
    seen = scene.subspaces
    if seen is None or len(seen.names) < 2:
        return None
    first, second = seen.names[:2]
    return coordinate_figure(seen.posterior[:, :2], (first, second), seen.labels, theme, truth=scene.truth)


@picture("When does it settle?")
def objective(scene: Scene, theme: str) -> Figure | None:
    """The objective of LAC by iteration."""
    if scene.weighed is None:
        return None
    values = scene.weighed.objective
    options = {"x_name": "iteration", "y_name": "objective", "y_range": None, "height": 380}
    figure = line_figure(np.arange(1, len(values) + 1), {"objective": values}, theme, **options)
    if len(values) <= 15:
        figure.update_xaxes(dtick=1)
    figure.update_xaxes(range=padded_range([1, len(values)]))  # else its last number hangs over the edge
    return figure


@picture("How they were joined (the last merges, coloured below the cut)")
def dendrogram(scene: Scene, theme: str) -> Figure | None:
    """The top of the method's tree with its cut, or of the branch that was opened."""
    result = scene.consensus
    if result is None or "dendrogram" not in result.trace:
        return None
    tree = result.trace["dendrogram"]
    leaves = painted(result.labels, scene.colors)[result.microclusters.representatives]
    given = tree.merges, tree.similarities, tree.sizes, result.n_clusters, theme
    return dendrogram_figure(*given, cluster_of_leaf=leaves, opened=scene.branch)


@picture("How firmly does each object sit? Silhouettes on 1 - co-association, by cluster")
def silhouettes(scene: Scene, theme: str) -> Figure | None:
    """The silhouette of every object in the consensus."""
    if scene.profile is None:
        return None
    return silhouette_figure(scene.profile.silhouette, scene.consensus.labels, theme, colors=scene.colors)
