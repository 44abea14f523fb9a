"""Pictures of the ensemble: its clusters, its microclusters, what is missing, and who moves the consensus.

And of the ensemble as a whole: its map, the tree over k, choices against chance, and how many are enough.
"""

from typing import Any

import numpy as np

from engine import consensus_methods
from engine.partitions import DISTANCES, PartitionMap, PartitionTree
from engine.runtime.errors import listed
from engine.selection import Enough, known_strategies
from ui.figures import bar_by_clustering, class_balance, cluster_cloud, histogram
from ui.figures.numbering import clusterings_on_hover
from ui.figures.partitions.maps import (
    enough_figure,
    partition_map_figure,
    selection_cloud_figure,
    selection_figure,
    stress_figure,
)
from ui.figures.partitions.trees import THIN, partition_tree_figure
from ui.figures.spec import Figure
from ui.outside import html, markdown
from ui.pictures.catalog import picture
from ui.saying import ROUNDING, counted, groups_of, three_digits
from ui.scene import Scene
from ui.scene.partitions import MOST_CLUSTERS


@picture("How many clusters have they?")
def clusters_of_each(scene: Scene, theme: str) -> Figure | None:
    """Base clusterings that are switched on by their number of clusters."""
    return scene.ensemble and histogram(scene.ensemble.n_clusters_each, theme, x_name="clusters k")


@picture("Clusters in each base clustering of the file")
def clusters_in_file(scene: Scene, theme: str) -> Figure | None:
    """Base clusterings of the file by their number of clusters."""
    return None if scene.clusters_in_file is None else histogram(scene.clusters_in_file, theme, x_name="clusters k")


@picture("Labels missing in each base clustering")
def labels_missing_in_file(scene: Scene, theme: str) -> Figure | None:
    """Base clusterings of the file by the share of their labels that are missing."""
    if scene.missing_in_file is None:
        return None
    figure = bar_by_clustering(scene.missing_in_file, theme, y_name="share of labels missing")
    return clusterings_on_hover(figure, scene.column_names)


@picture("Classes")
def classes(scene: Scene, theme: str) -> Figure | None:
    """Objects of every class."""
    return None if scene.truth is None else class_balance(np.bincount(scene.truth), scene.class_names, theme)


#: Reliabilities are from 0 to 1: below this, digits say nothing.
_LEAST_SAID = 0.001


def _reliable(scene: Scene) -> str:
    if scene.reliability is None:
        return ""
    index = scene.reliability
    low, middle, high = (
        three_digits(one) if one >= _LEAST_SAID else f"below {_LEAST_SAID}" for one in np.quantile(index, [0, 0.5, 1])
    )
    spread = f"{low} throughout" if low == high else f"{low} to {high}, median {middle}"
    return f"{counted(len(index), 'cluster')}; reliability (ECI) {spread} at θ = {scene.config.theta:g}."


@picture("Which clusters do the others confirm?", says=_reliable)
def cluster_reliability(scene: Scene, theme: str) -> Figure | None:
    """Every cluster by size and reliability."""
    made = scene.ensemble
    if made is None:
        return None
    owner = np.repeat([html(key) for key in scene.clustering_keys], made.n_clusters_each)
    return cluster_cloud(made.cluster_sizes, scene.uncertainty, scene.reliability, owner, theme)


@picture("Share of labels that are missing")
def missing_labels(scene: Scene, theme: str) -> Figure | None:
    """Base clusterings by the share of their labels that are missing."""
    if scene.ensemble is None or scene.ensemble.complete:
        return None
    missing, keys = (scene.ensemble.labels < 0).mean(axis=0), scene.clustering_keys
    figure = bar_by_clustering(missing, theme, y_name="share of labels missing", keys=keys)
    return clusterings_on_hover(figure, scene.clustering_names)


def _groups(scene: Scene) -> str:
    if scene.ensemble is None:
        return ""
    sizes = scene.ensemble.microclusters.sizes
    return (
        f"**{counted(len(sizes), 'microcluster')}** for {scene.ensemble.n_objects:,} objects: "
        f"{groups_of(scene.ensemble)}. The largest has {counted(int(sizes.max()), 'object')}, "
        f"{int((sizes == 1).sum()):,} stand alone."
    )


@picture("Microclusters by size", says=_groups)
def microclusters(scene: Scene, theme: str) -> Figure | None:
    """Groups that no base clustering tells apart, by their number of objects."""
    if scene.ensemble is None:
        return None
    names = {"x_name": "objects in a microcluster", "y_name": "microclusters"}
    return histogram(scene.ensemble.microclusters.sizes, theme, **names)


def _moved(scene: Scene) -> str:
    moved = scene.influence
    if moved is None:
        return ""
    changed, without = int((moved > 0).sum()), np.flatnonzero(np.isnan(moved))
    if not changed and not len(without):
        return f"On none of them: leaving out any one of the {len(moved):,} changes nothing."
    words = f"Leaving one out changes the consensus for {changed:,} of {len(moved):,}"
    words += " (1 - ARI between both, 0: not at all)."
    if len(without):
        names = listed(markdown(scene.clustering_names[m]) for m in without)
        words += f" Without {names} there is none: the others do not tell so many clusters apart, or are refused."
    return words


@picture("Which base clustering does the consensus hang on?", says=_moved)
def influence(scene: Scene, theme: str) -> Figure | None:
    """How far the consensus moves when each base clustering is left out."""
    if scene.influence is None or not (scene.influence > 0).any():
        return None
    figure = bar_by_clustering(scene.influence, theme, y_name="1 - ARI", keys=scene.clustering_keys)
    return clusterings_on_hover(figure, scene.clustering_names)


#: Stress up to which a map of the plane is fair, and from which it misleads, by Kruskal's rule of thumb.
_FAIR, _POOR = 0.1, 0.2
#: Stress that is called good by the same rule.
_FAITHFUL = 0.05


def _distance(scene: Scene) -> str:
    return DISTANCES[scene.config.map_distance]


def _faithful(scene: Scene) -> str:
    """How far the map is to be trusted."""
    if (found := map_so_far(scene)) is None:
        return ""
    many, off = scene.whole_ensemble.n_clusterings, len(scene.off)
    if many == 1:
        return f"One base clustering by {_distance(scene)}: there is no other that it could be like."
    stress = round(found.stress, 2)  # as it is written
    trust = "distances can be read off it" if stress <= _FAIR else "near and far are right, distances only roughly"
    trust = "read only its coarse shape" if stress >= _POOR else trust
    said = f" ({off:,} left out: hollow)" if off else ""
    return (
        f"{counted(many, 'base clustering')}{said} by {_distance(scene)}: what is near is alike. "
        f"Stress 1 of the map is {found.stress:.2f}: {trust}. A number in a dot: as many on one another."
    )


@picture("Which base clusterings are alike? A map of partitions", says=_faithful)
def partition_map(scene: Scene, theme: str) -> Figure | None:
    """Base clusterings by how far apart they are, hollow where left out, the consensus and the truth among them."""
    members, found = members_of_map(scene), map_so_far(scene)
    if members is None or found is None:
        return None
    members |= {"points": found.points, "unit": unit_of_map(scene)}
    return partition_map_figure(**members, marks=marks_of_map(scene), off=scene.off, theme=theme)


def map_so_far(scene: Scene) -> PartitionMap | None:
    """The map with its marks; that of the base clusterings alone as long as there is no consensus, or can be none."""
    return scene.whole_map if marks_of_map(scene) else scene.members_map


def members_of_map(scene: Scene) -> dict[str, Any] | None:
    """What the map says of all base clusterings, whatever the method answers; None as long as they are compared."""
    whole, found = scene.everything, scene.members_map
    if found is None or whole.mean_agreement is None:
        return None
    ks, names = whole.ensemble.n_clusters_each, [html(name) for name in whole.clustering_names]
    return {"points": found.points, "ks": ks, "agreement": whole.mean_agreement, "names": names}


def marks_of_map(scene: Scene) -> list[str]:
    """What is marked on the map; nothing as long as there is no consensus."""
    return list(scene.marked) if scene.can_run and scene.whole_map is not None else []


def unit_of_map(scene: Scene) -> str:
    """The unit of distances on the map."""
    return "bits" if scene.config.map_distance == "vi" else _distance(scene)


def _scree(scene: Scene) -> np.ndarray | None:
    """Stress of maps of one to five dimensions, the plane as it is drawn: its marks moved no base clustering."""
    drawn, found = map_so_far(scene), scene.map_scree
    return found if found is None or drawn is None else np.concatenate([found[:1], [drawn.stress], found[2:]])


def _needs(scene: Scene) -> str:
    found = _scree(scene)
    if found is None:
        return ""
    at, need = found[1], np.flatnonzero(found <= _FAITHFUL)
    words = (
        f"Stress 1 falls from {found[0]:.2f} on a line to {at:.2f} in the plane and {found[-1]:.2f} in five dimensions"
    )
    enough = (
        f"up to {_FAITHFUL:g} takes {counted(int(need[0]) + 1, 'dimension')}" if len(need) else "five are too few for "
    )
    return f"{words}; {enough if len(need) else f'{enough}{_FAITHFUL:g}'}."


@picture("How many dimensions would the map need?", says=_needs, flat=True)
def map_scree(scene: Scene, theme: str) -> Figure | None:
    """Stress of maps of one to five dimensions."""
    return None if (found := _scree(scene)) is None else stress_figure(found, theme)


def _split(scene: Scene) -> str:
    return _moves(scene.tree_over_k, "how often a cluster's objects meet, its cluster consensus")


def _moves(tree: PartitionTree | None, color: str) -> str:
    """How much moves otherwise than by splitting, and what the colour is."""
    if tree is None or len(tree.keys) < 2:
        return ""
    main: dict[tuple[int, int], int] = {}
    for flow in tree.flows:
        key = flow.row, flow.target
        main[key] = max(main.get(key, 0), flow.objects)
    share = 100 * sum(main.values()) / max(1, sum(flow.objects for flow in tree.flows))
    thin = [flow.objects for flow in tree.flows if flow.objects < THIN * tree.n_objects]
    stand = "stands as a grey line" if len(thin) == 1 else "stand as grey lines"
    words = f" {counted(len(thin), 'flow')} of less than 1 % of the objects {stand}." if thin else ""
    return (
        f"Ribbons are as wide as the objects that go that way; {share:.1f} % of the moves are with the largest flow "
        f"into their cluster (100 % where clusters only split). Colour: {color}.{words}"
    )


@picture("Do clusters split as k grows, or mix? A tree over k", says=_split)
def partition_tree(scene: Scene, theme: str) -> Figure | None:
    """Clusters of every k, and the objects that go from each to those of the next k."""
    tree = scene.tree_over_k
    if tree is None or len(tree.keys) < 2:
        return None
    return partition_tree_figure(tree, theme, row_name="clusters k", stability="cluster consensus", now=scene.wanted_k)


def _by_k(scene: Scene) -> str:
    if scene.tree_of_members is None:
        return ""
    shown, m = len(scene.members_by_k), scene.ensemble.n_clusterings
    some = (
        "" if shown == m else f"{shown:,} of {m:,} base clusterings, evenly spaced by k, of at most {MOST_CLUSTERS}. "
    )
    return some + _moves(scene.tree_of_members, "how far the others confirm a cluster, its reliability")


@picture("Do fine base clusterings split coarse ones? All below each other, by k", says=_by_k)
def members_tree(scene: Scene, theme: str) -> Figure | None:
    """Base clusterings by their number of clusters, and the objects that go from the clusters of one to the next."""
    if (tree := scene.tree_of_members) is None:
        return None
    ks = [f"{scene.ensemble.n_clusters_each[m]:,}" for m in scene.members_by_k]
    return partition_tree_figure(tree, theme, row_name="clusters k", stability="reliability", words=ks)


def _answers(scene: Scene) -> str:
    return _moves(scene.tree_of_answers, "how often a cluster's objects meet, its cluster consensus")


@picture("What do the methods say differently? Their answers below each other, by name", says=_answers)
def answers_tree(scene: Scene, theme: str) -> Figure | None:
    """The answer of every method, and the objects that go from its clusters to those of the next."""
    if (tree := scene.tree_of_answers) is None:
        return None
    words = [html(name) for name in tree.keys]
    return partition_tree_figure(tree, theme, row_name="", stability="cluster consensus", words=words)


def _kept(scene: Scene) -> str:
    """How many the strategy keeps."""
    if scene.kept_members is None:
        return ""
    title = known_strategies()[scene.config.strategy].title
    return f"*{title}* keeps the {len(scene.kept_members):,} full dots of {scene.ensemble.n_clusterings:,}."


@picture("Whom would it keep? Agreement with the others against agreement with the consensus", says=_kept)
def selection(scene: Scene, theme: str) -> Figure | None:
    """Base clusterings by how much they agree with the others and with the consensus; those kept are full."""
    if scene.kept_members is None or scene.mean_agreement is None or scene.likeness is None:
        return None
    given = scene.mean_agreement, scene.likeness, scene.kept_members
    return selection_figure(*given, [html(name) for name in scene.clustering_names], theme)


def _sampled(scene: Scene) -> str:
    """On which objects choices were judged, where these are not all."""
    if scene.members is None or scene.members.ensemble.n_objects == scene.ensemble.n_objects:
        return ""
    return f" Judged on {scene.members.ensemble.n_objects:,} of {scene.ensemble.n_objects:,} objects."


def _best_of(scene: Scene) -> str:
    """Where the best strategy stands in the cloud."""
    found = scene.selections
    if found is None:
        return ""
    most = max(found.values.values())
    best = [f"*{known_strategies()[key].title}*" for key, value in found.values.items() if value > most - ROUNDING]
    first = f"Best {'is' if len(best) == 1 else 'are'} {listed(best)}"
    first = "All are worth the same" if 1 < len(best) == len(found.values) else first
    outside = sum(not found.cloud.inside(value) for value in found.values.values())
    lies = "lies" if outside == 1 else "lie"
    return (
        f"{first}: {found.cloud.sentence(most)} "
        f"Outside the cloud {lies} {outside:,} of {len(found.values):,} strategies; one in ten would by chance."
        + _sampled(scene)
    )


#: What its signs mean; in the picture itself these words would be cut on a phone.
CLOUD = "grey: nine of ten random choices; %: random choices worth less, ties by half"


@picture(f"Does it help to choose? Strategies in the cloud of chance ({CLOUD})", says=_best_of)
def selection_cloud(scene: Scene, theme: str) -> Figure | None:
    """What the consensus of some of the base clusterings is worth, chosen by strategies and at random."""
    found = scene.selections
    if found is None:
        return None
    names = [known_strategies()[key].title for key in found.values]
    values = np.array(list(found.values.values()))
    cloud = found.cloud
    percentiles, outside = [cloud.percentile(one) for one in values], [not cloud.inside(one) for one in values]
    of_each = names, values, percentiles, outside
    return selection_cloud_figure(cloud.values, cloud.band, *of_each, theme, x_name=cloud.title)


def _how_many(scene: Scene) -> str:
    curves = _curves(scene)
    if len(curves) < 2:
        return "".join(one.sentence for one in curves.values()) + _sampled(scene)
    return " ".join(f"**{name}**: {one.sentence}" for name, one in curves.items()) + _sampled(scene)


def _curves(scene: Scene) -> dict[str, Enough]:
    """What there is of the chosen method and the second one, by their titles."""
    found = {scene.config.method: scene.numbers_of_members}
    if found[scene.config.method] is not None and scene.config.method_beside != scene.config.method:
        found[scene.config.method_beside] = scene.numbers_beside
    return {consensus_methods()[key].title: one for key, one in found.items() if one is not None}


@picture("How many base clusterings are enough?", says=_how_many)
def enough(scene: Scene, theme: str) -> Figure | None:
    """What the consensus of random subsets is worth, against their number of base clusterings."""
    curves = _curves(scene)
    return enough_figure(curves, theme, y_name=scene.numbers_of_members.title) if curves else None
