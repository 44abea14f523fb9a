"""The ensemble as a whole: a map, the tree over k, choices against chance, and how many are enough."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from engine import Consensus, Ensemble, Monitor, Params, consensus_methods
from engine.confidence import Profile, cluster_profile, nmi_with_each
from engine.partitions import (
    PartitionMap,
    PartitionTree,
    distances_to,
    map_with,
    partition_distances,
    partition_map,
    partition_tree,
    stress_scree,
)
from engine.selection import Chance, Enough, chance, enough, known_strategies, select
from ui.compute.keeping import Kept
from ui.compute.work import key_of
from ui.scene.methods import Answers
from ui.session.run_config import RunConfig

#: What takes a minute on slow methods.
PATIENT = ("selections", "numbers_of_members", "numbers_beside")
#: Random choices, and random subsets of each size.
DRAWS, REPEATS = 60, 30
#: Base clusterings that stand below each other at most, and clusters of one: more would not be told apart.
ROWS, MOST_CLUSTERS = 10, 30
#: Objects that choices are judged on at most: hundreds of runs are needed.
JUDGED = 500

_DISTANCES: Kept[np.ndarray] = Kept(64)


class Members(NamedTuple):
    """What choices are made from: the ensemble of the objects looked at, and their classes."""

    ensemble: Ensemble
    truth: np.ndarray | None


class Selections(NamedTuple):
    """The cloud of random choices, and what the choice of every strategy is worth, by key."""

    cloud: Chance
    values: dict[str, float]


def other_answers() -> dict[str, np.ndarray]:
    """Answers of other methods that stand on the map too, (N,) by their titles. A page knows those that were asked."""
    return {}


def marked(
    consensus: Consensus, truth: np.ndarray | None, other_answers: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """The partitions that are marked on the map by their names: the consensus, others' answers, and the truth."""
    return {"consensus": consensus.labels, **other_answers} | ({} if truth is None else {"truth": truth})


def member_distances(whole_ensemble: Ensemble, map_distance: str, monitor: Monitor) -> np.ndarray:
    """Comparing base clusterings: how far apart any two of all are, (M, M), whoever is switched off."""
    return partition_distances(whole_ensemble.labels, map_distance, monitor)


def members_map(member_distances: np.ndarray, monitor: Monitor) -> PartitionMap:
    """Placing base clusterings on a map: they stay there, whatever the method answers and whoever is switched off."""
    monitor.tick("placing base clusterings on a map", 0, 1)
    return partition_map(member_distances)


def mark_distances(
    whole_ensemble: Ensemble, marked: Mapping[str, np.ndarray], map_distance: str, monitor: Monitor
) -> np.ndarray:
    """Comparing base clusterings with those that are marked: distances of these to all and each other, (Q, M + Q)."""
    monitor.tick("comparing base clusterings with those that are marked", 0, 1)
    to_members = [_to_members(whole_ensemble, labels, map_distance) for labels in marked.values()]
    return np.hstack([to_members, partition_distances(np.column_stack(list(marked.values())), map_distance, monitor)])


def _to_members(whole_ensemble: Ensemble, labels: np.ndarray, map_distance: str) -> np.ndarray:
    """Distance of a partition to all base clusterings: where a knob moves the consensus, the others stay, (M,)."""
    key = key_of(_to_members, whole_ensemble, labels, map_distance)
    return _DISTANCES.get(key, lambda: distances_to(whole_ensemble, labels, map_distance))


def whole_map(members_map: PartitionMap, member_distances: np.ndarray, mark_distances: np.ndarray) -> PartitionMap:
    """The map of the base clusterings with the partitions that are marked; all are placed anew where they must be."""
    if members_map.spans:
        return map_with(members_map, mark_distances)
    return partition_map(_all_distances(member_distances, mark_distances))


def map_scree(member_distances: np.ndarray, mark_distances: np.ndarray, monitor: Monitor) -> np.ndarray:
    """Drawing maps of more dimensions: stress 1 of those of one to five, (5,)."""
    monitor.tick("drawing maps of more dimensions", 0, 1)
    return stress_scree(_all_distances(member_distances, mark_distances))


def _all_distances(member_distances: np.ndarray, mark_distances: np.ndarray) -> np.ndarray:
    """Distances between all partitions of the map, (M + Q, M + Q): put together only where they are needed."""
    to_members = mark_distances[:, : len(member_distances)]
    return np.vstack([np.hstack([member_distances, to_members.T]), mark_distances])


def mean_agreement(agreement: np.ndarray) -> np.ndarray:
    """Mean NMI (max) of every base clustering with the others, (M,); 1 where it is alone."""
    m = len(agreement)
    return (agreement.sum(axis=1) - agreement.diagonal()) / (m - 1) if m > 1 else np.ones(m)


def tree_over_k(partitions: dict[int, np.ndarray], firmness_by_k: dict[int, Profile]) -> PartitionTree | None:
    """The consensus of every k below that of the k before; a node's stability is its cluster consensus."""
    return partition_tree(partitions, {k: one.own for k, one in firmness_by_k.items()}) if partitions else None


def members_by_k(ensemble: Ensemble) -> list[int]:
    """Base clusterings that stand below each other, by k: at most ten, evenly spaced, of at most thirty clusters."""
    ks = ensemble.n_clusters_each[ensemble.form.clusterings]
    drawn = ensemble.form.clusterings[np.argsort(ks, kind="stable")]
    drawn = drawn[ensemble.n_clusters_each[drawn] <= MOST_CLUSTERS]
    return drawn[np.unique(np.linspace(0, len(drawn) - 1, ROWS).round().astype(int))].tolist() if len(drawn) else []


def tree_of_members(
    ensemble: Ensemble, members_by_k: list[int], clustering_names: list[str], reliability: np.ndarray, monitor: Monitor
) -> PartitionTree | None:
    """Setting base clusterings below each other: by k; the stability of a node is the reliability of its cluster."""
    monitor.tick("setting base clusterings below each other", 0, 1)
    if len(members_by_k) < 2:
        return None
    partitions = {clustering_names[m]: ensemble.labels[:, m] for m in members_by_k}
    own = {clustering_names[m]: _of_objects(reliability, ensemble, m) for m in members_by_k}
    return partition_tree(partitions, own)


def _of_objects(values: np.ndarray, ensemble: Ensemble, m: int) -> np.ndarray:
    """Values of the clusters of a base clustering, for each of its objects."""
    return values[ensemble.offsets[m] + np.maximum(ensemble.labels[:, m], 0)]


def tree_of_answers(answers: Answers, ensemble: Ensemble, monitor: Monitor) -> PartitionTree | None:
    """Setting answers below each other: those of the methods, by name; stability is cluster consensus."""
    titles = dict(zip(answers.titles(), answers.labels.values(), strict=True))
    named = {title: titles[title] for title in sorted(titles, key=str.casefold) if titles[title].max() > 0}
    firm = {}
    for done, (title, labels) in enumerate(named.items()):
        monitor.tick("setting answers below each other", done, len(named))
        firm[title] = cluster_profile(ensemble, labels).own
    return partition_tree(named, firm) if len(named) > 1 else None


def members(ensemble: Ensemble, truth: np.ndarray | None) -> Members | None:
    """The base clusterings on at most 500 objects, evenly spread in canonical order; None for a single one."""
    n = ensemble.n_objects
    if n > JUDGED and ensemble.memberships is None:
        objects = np.sort(ensemble.canonical.objects[np.linspace(0, n - 1, JUDGED).astype(int)])
        ensemble, objects = ensemble.among(objects)
        truth = None if truth is None else truth[objects]
    return Members(ensemble, truth) if ensemble.n_clusterings > 1 else None


def number_kept(keep: float, ensemble: Ensemble) -> int:
    """Base clusterings that a strategy keeps: the share chosen, at least two, and not all where there are more.

    Halves count as one more, as in `engine.selection.selection_of`.
    """
    m = ensemble.n_clusterings
    return min(max(2, int(keep * m + 0.5 + 1e-9)), max(2, m - 1), m)


def kept_members(
    ensemble: Ensemble, strategy: str, number_kept: int, n_clusters: int, seed: int, monitor: Monitor
) -> np.ndarray:
    """Choosing base clusterings: places of those that the strategy keeps, ascending."""
    k = min(n_clusters, len(ensemble.microclusters))
    return select(ensemble, strategy, number_kept, k, seed, monitor)


def likeness(ensemble: Ensemble, consensus: Consensus, monitor: Monitor) -> np.ndarray:
    """Comparing base clusterings with the consensus: NMI (max) on the objects each labels, (M,)."""
    monitor.tick("comparing base clusterings with the consensus", 0, 1)
    return nmi_with_each(ensemble, consensus.labels)


def selections(
    members: Members | None,
    number_kept: int,
    method: str,
    n_clusters: int,
    method_params: Params,
    measure: str,
    seed: int,
    monitor: Monitor,
) -> Selections | None:
    """Setting choices against chance: as many base clusterings by every strategy, and random ones."""
    if members is None:
        return None
    made = members.ensemble
    k = min(n_clusters, len(made.microclusters))
    cloud = chance(made, method, number_kept, n_clusters, DRAWS, members.truth, measure, method_params, seed, monitor)
    keys = [key for key in known_strategies() if key != "random"]
    return Selections(
        cloud, {key: cloud.value(select(made, key, number_kept, k, seed, monitor), monitor) for key in keys}
    )


def numbers_of_members(
    members: Members | None,
    method: str,
    n_clusters: int,
    method_params: Params,
    measure: str,
    seed: int,
    monitor: Monitor,
) -> Enough | None:
    """Trying numbers of base clusterings: what the consensus of random subsets is worth."""
    if members is None:
        return None
    made = members.ensemble
    return enough(made, method, n_clusters, None, REPEATS, members.truth, measure, method_params, seed, monitor)


def params_beside(config: RunConfig) -> Params:
    """The parameters of the second method, as they stand."""
    return config.params_of(config.method_beside)


def numbers_beside(
    members: Members | None,
    method: str,
    method_beside: str,
    n_clusters: int,
    params_beside: Params,
    measure: str,
    seed: int,
    monitor: Monitor,
) -> Enough | None:
    """Trying numbers of base clusterings: the same for the second method; None where it is the first, or cannot run."""
    if members is None or method == method_beside:
        return None
    if not consensus_methods()[method_beside].can_run(members.ensemble, params_beside):
        return None
    return numbers_of_members(members, method_beside, n_clusters, params_beside, measure, seed, monitor)
