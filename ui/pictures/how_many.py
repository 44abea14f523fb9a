"""Pictures about k: criteria, neighbouring partitions, consensus clustering, and resolutions of Leiden."""

from typing import Any

import numpy as np

from engine.choosing_k import ChosenK, find_criterion
from engine.confidence import cluster_means
from engine.partitions import CONSISTENT
from engine.runtime.errors import listed
from ui.figures import (
    cdf_figure,
    cluster_consensus_figure,
    criteria_figure,
    item_consensus_figure,
    matrix_strip,
    small_multiples,
    tracking_figure,
)
from ui.figures.partitions.numbers_of_clusters import resolution_figure
from ui.figures.partitions.trees import partition_tree_figure
from ui.figures.spec import Figure
from ui.pictures.catalog import Reading, picture
from ui.pictures.objects import dots
from ui.saying import ROUNDING, counted
from ui.scene import Scene

_GRID = np.linspace(0, 1, 101)


def criterion_row(found: ChosenK, key: str) -> dict[str, Any]:
    """What `criteria_figure` draws of one criterion."""
    null = found.null.get(key)
    return {
        "title": find_criterion(key).title,
        "values": found.curves[key],
        "pick": found.picks.get(key),
        "counted": key in found.counted,
        "spread": found.spread.get(key) if key == "halves" else None,
        "null": None if null is None else (null.mean, null.sd),
    }


@picture(
    "What the criteria say",
    says=lambda scene: (
        "One curve a criterion; the large dot is its pick, hollow where it is not counted."
        + (" The grey band is what data without clusters would give (two sd)." if scene.has_features else "")
    ),
)
def criteria(scene: Scene, theme: str) -> Figure | None:
    """All criteria on one axis of k."""
    found = scene.criteria
    if found is None:
        return None
    rows = [criterion_row(found, key) for key in found.curves]
    return criteria_figure(found.ks, rows, theme, taken=scene.wanted_k)


def near(scene: Scene) -> list[int]:
    """The numbers of clusters around the chosen one for which there is a partition."""
    k = scene.wanted_k
    return [] if scene.criteria is None else [one for one in (k - 1, k, k + 1) if one in scene.criteria.partitions]


@picture("One cluster less, and one more")
def neighbours(scene: Scene, theme: str) -> Figure | None:
    """The partitions for k - 1, k and k + 1 beside each other."""
    shown = near(scene)
    if not shown or scene.placed is None:
        return None
    points, _, equal = scene.placed
    chosen = {k: scene.criteria.partitions[k] for k in shown}
    colors = scene.colors_by_k
    options = {"colors": [colors[k] for k in shown], "equal": equal, "panel_height": 230}
    return small_multiples(points, list(chosen.values()), [f"k = {k}" for k in shown], theme, **options)


@picture("Who goes where as k grows? Tracking plot: one row a k, a colour stays with its objects")
def tracking(scene: Scene, theme: str) -> Figure | None:
    """Objects by cluster for every k."""
    if scene.partitions is None or len(scene.partitions) < 2:
        return None
    order = np.lexsort([scene.partitions[k] for k in scene.partitions])
    return tracking_figure(scene.partitions, scene.colors_by_k, order, theme)


@picture("Which clusters hold together? Cluster consensus, the mean of their items")
def cluster_consensus(scene: Scene, theme: str) -> Figure | None:
    """How often the objects of a cluster are together, for every k."""
    if scene.firmness_by_k is None or len(scene.partitions) < 2:
        return None
    summed = {k: cluster_means(one.own, one.labels) for k, one in scene.firmness_by_k.items()}
    means, sizes = ({k: getattr(one, name) for k, one in summed.items()} for name in ("mean", "sizes"))
    return cluster_consensus_figure(means, sizes, scene.colors_by_k, theme)


def nearest_k(scene: Scene) -> int:
    """The k of a partition that is nearest to the chosen one."""
    return min(scene.partitions, key=lambda k: abs(k - scene.wanted_k))


def _items(scene: Scene) -> str:
    """What a bar and its dot are."""
    words = (
        "Item consensus: the share of base clusterings in which an object meets the members of its "
        "cluster (on average over them); the dot is the same for the nearest other cluster. A dot above its bar would "
        "rather be elsewhere."
    )
    found = scene.firmness_by_k
    if found is None or not (np.bincount(found[nearest_k(scene)].labels) == 1).any():
        return words
    return f"{words} Who is alone in a cluster meets no other member, and has no bar."


@picture("Which objects hold to their cluster? Item consensus", says=_items)
def item_consensus(scene: Scene, theme: str) -> Figure | None:
    """How often every object meets its cluster, and the nearest other one, at the chosen k."""
    if scene.firmness_by_k is None or len(scene.partitions) < 2:
        return None
    k = nearest_k(scene)
    one, colors = scene.firmness_by_k[k], scene.colors_by_k[k]
    figure = item_consensus_figure(one.own, one.other, one.labels, one.neighbour, colors, theme)
    figure.layout["meta"]["title"] = f"Which objects hold to their cluster? Item consensus for k = {k}"
    return figure


#: So many matrices side by side have room for a longer title, on a narrow column of paper, too.
_WIDE = 5


def _how_clear(scene: Scene) -> str:
    """How the matrices are read."""
    if scene.criteria is None or scene.criteria.runs is None or scene.matrices_of_k is None:
        return ""
    return (
        f"{scene.matrices_of_k.shape[1]:,} objects, each matrix in the order of its own tree: dark is never together, "
        "bright always. A clear number of clusters gives bright squares on dark, and a line that is flat between .1 "
        "and .9."
    )


@picture("How often k-means puts two objects together, on 80 % of the objects again and again", says=_how_clear)
def consensus_matrices(scene: Scene, theme: str) -> Figure | None:
    """The consensus matrix of every k, in the order of its own tree."""
    if scene.criteria is None or scene.criteria.runs is None or scene.matrices_of_k is None:
        return None
    found = scene.criteria
    pac, between = zip(found.ks, found.runs.pac(), strict=True), " " if len(found.ks) <= _WIDE else "<br>"
    titles = [f"k = {k}<br>PAC{between}{100 * value:.0f} %" for k, value in pac]
    return matrix_strip(scene.matrices_of_k, titles, theme)


def _fewest_undecided(scene: Scene) -> str:
    """The k of the smallest PAC, and what PAC leans to."""
    found = scene.criteria
    if found is None or found.runs is None:
        return ""
    pac = found.runs.pac()
    fewest = listed(found.ks[pac < pac.min() + ROUNDING].tolist())
    return (
        f"Fewest pairs are undecided at k = {fewest}. PAC alone tends to pick the largest k tried, for small clusters "
        "leave few pairs undecided: read it against the grey band, which is what RCSI does."
    )


@picture("How consensus values are distributed", says=_fewest_undecided)
def consensus_cdf(scene: Scene, theme: str) -> Figure | None:
    """The distribution of the values of every consensus matrix."""
    found = scene.criteria
    return found and found.runs and cdf_figure(_GRID, found.runs.cdf(_GRID), found.ks, theme)


def _consistent(scene: Scene) -> str:
    """Which numbers of clusters do not depend on chance, and what a graph of nothing comes to."""
    if (found := scene.resolution_runs) is None:
        return ""
    own, null = found
    agreed = {int(k) for k, one in zip(own.n_clusters, own.found, strict=True) if one.consistent}
    words = "At no resolution do the runs agree."
    if firm := sorted(agreed - {1}):
        words = f"Runs agree on {listed(f'{k:,}' for k in firm)} clusters."
    elif agreed:
        words = "Runs agree that all is one cluster where the resolution is low, and at no other resolution."
    least = min((one.value for one, k in zip(null.found, null.n_clusters, strict=True) if k > 1), default=None)
    if least is None:
        return words
    return (
        f"{words} On a graph by chance with as many links at every node, where they part it, their inconsistency is at "
        f"least {least:.3f}."
    )


def _at_resolution(figure: Figure, scene: Scene, words: tuple[str, ...]) -> float | None:
    """The inconsistency that the dot of the chosen resolution stands for; None where several are chosen."""
    low, high = scene.config.leiden_resolution
    (dots,) = (trace for trace in figure.data if trace.get("name") == "this graph")
    there = [place for place, said in enumerate(dots["text"]) if said.startswith(f"resolution {low:.3g}:")]
    return 1 + float(dots["y"][there[0]]) if low == high and there else None


#: Also of the ensemble, whose runs are others than those of the curve: this is what must be noticed.
_INCONSISTENT = dict.fromkeys(("inconsistency", "resolution_inconsistency"), Reading(_at_resolution))


@picture(
    "How far do runs disagree that differ in chance alone? Inconsistency at every resolution",
    says=_consistent,
    reads=_INCONSISTENT,
)
def resolution_curve(scene: Scene, theme: str) -> Figure | None:
    """Inconsistency at every resolution, with its bootstrap, and on a graph by chance."""
    if (found := scene.resolution_runs) is None:
        return None
    return resolution_figure(found.own, found.null, CONSISTENT, theme, taken=scene.config.leiden_resolution)


@picture("Do communities split as the resolution grows? A tree over resolutions")
def resolution_tree(scene: Scene, theme: str) -> Figure | None:
    """The best partition of every resolution, and the objects that go from its clusters to the next."""
    if (tree := scene.tree_of_resolutions) is None:
        return None
    return partition_tree_figure(tree, theme, row_name="resolution")


def _loose(scene: Scene) -> str:
    values = scene.object_consistency
    if values is None:
        return ""
    return (
        f"{counted(int((values < 0.5).sum()), 'object')} of {len(values):,} keep less than half of their company from "
        "one base clustering to another: they are pale."
    )


@picture("Who keeps their company? The paler, the less (element-centric consistency)", says=_loose)
def consistency(scene: Scene, theme: str) -> Figure | None:
    """The consensus, every object as firm as its company is the same over all base clusterings."""
    if scene.object_consistency is None or scene.consensus is None:
        return None
    firm = np.clip(scene.object_consistency, 0.12, 1)
    return dots(scene, scene.consensus.labels, theme, colors=scene.colors, opacity=firm)
