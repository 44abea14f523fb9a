"""The base clusterings of a state."""

from collections.abc import Sequence

import numpy as np

import data
from data import Pool
from data.errors import shortened
from data.limits import MAX_CLUSTERINGS
from data.records import Content, Graph
from engine import Ensemble, Monitor, Params, consensus_methods, leave_one_out
from engine.evidence import cluster_uncertainty, clustering_agreement
from engine.generators import Recipe, known_generators
from engine.metrics import score
from engine.pairs.counts import pairs_seen
from engine.params import Int, ParamSpec, Switch
from engine.partition import leaf_order, linkage
from engine.partitions import DISTANCES
from engine.selection import known_strategies
from ui.compute import generating
from ui.compute.keeping import Kept
from ui.compute.work import key_of
from ui.figures.numbering import distinct, numbers
from ui.session.settings import DATA, ENSEMBLE, SHARE, Among, Places, Ranges, Setting

SETTINGS = (
    Setting(
        "data",
        "moons",
        DATA,
        "A name of the catalog, or `upload-<content hash>`.",
        makes_ensemble=True,
        always=True,
    ),
    Setting(
        "scaling",
        "standard",
        Among(offered=data.SCALINGS),
        "How features are brought to one scale.",
        makes_ensemble=True,
    ),
    Setting(
        "m",
        None,
        Int(low=1, high=MAX_CLUSTERINGS, optional=True),
        "Base clusterings M; automatic: 20 are made, and of a file of base clusterings all are taken.",
        makes_ensemble=True,
    ),
    Setting(
        "generator", "kmeans", Among(offered=known_generators), "What makes base clusterings.", makes_ensemble=True
    ),
    Setting(
        "seed",
        7,
        Int(low=0, high=2**31 - 1),
        "The same seed gives the same clusterings, always.",
        makes_ensemble=True,
        always=True,
    ),
    Setting(
        "lend",
        False,
        Switch(),
        "Whether missing labels are lent by the most similar object that has one.",
        makes_ensemble=True,
    ),
    Setting(
        "labelled",
        False,
        Switch(),
        "Whether objects that miss a label in a file of base clusterings are set aside.",
        reset_by=("data",),
        makes_ensemble=True,
    ),
    Setting("pick", (), Ranges(), "Picked objects, as ranges.", reset_by=("data", "labelled")),
    Setting("switched_off", (), Places(most=9_999), "Base clusterings that are switched off, from 0.", (ENSEMBLE,)),
    Setting("map_distance", "vi", Among(offered=DISTANCES), "Distance between partitions on their map."),
    Setting("strategy", "snmi", Among(offered=known_strategies), "How base clusterings to keep are chosen."),
    Setting("keep", 0.5, SHARE, "Share of the base clusterings that are kept."),
    Setting("method_beside", "eac", Among(offered=consensus_methods), "The method that is set beside the chosen one."),
    Setting("panel", 1, Int(low=1, high=MAX_CLUSTERINGS), "Page of the small multiples.", (ENSEMBLE,)),
)

#: Base clusterings that are made where nobody chose how many.
_MADE = 20
_SCORES: Kept[np.ndarray] = Kept(64)


def n_clusterings(source_if_here: Content | None, m: int | None) -> int:
    """M as chosen, else 20; of a pool as many as are in it, all where nobody chose."""
    if isinstance(source_if_here, Pool):
        return min(m or source_if_here.n_clusterings, source_if_here.n_clusterings)
    return m or _MADE


def off(switched_off: Sequence[int], n_clusterings: int) -> list[int]:
    """Those of the base clusterings that are switched off; none where a link leaves none on."""
    found = [place for place in switched_off if place < n_clusterings]
    return found if len(found) < n_clusterings else []


def making(source_if_here: Content | None, recipe: Recipe, graph_recipe: Recipe) -> Recipe:
    """How base clusterings are made: as chosen, or as a graph without features allows."""
    only_edges = isinstance(source_if_here, Graph) and source_if_here.features is None
    return graph_recipe if only_edges else recipe


def making_specs(making: Recipe, source: Content) -> list[ParamSpec]:
    """The parameters that decide the base clusterings of these data."""
    unread = making.made_by.of_features if generating.on_edges(source, making) else ()
    return [spec for spec in making.params.specs() if spec.name not in unread]


def ensemble(
    source: Content,
    scaling: str,
    making: Recipe,
    n_clusterings: int,
    seed: int,
    off: Sequence[int],
    lend: bool,
    monitor: Monitor,
) -> Ensemble:
    """Making base clusterings: the Ensemble of those that are switched on."""
    return generating.base_clusterings(source, scaling, making, n_clusterings, seed, off, lend, monitor)


def all_scores(ensemble: Ensemble, truth: np.ndarray | None, measure: str) -> np.ndarray | None:
    """Score of every base clustering against the truth, on the objects it labels: (M,)."""
    if truth is None:
        return None
    key = key_of(all_scores, ensemble, truth, measure)
    return _SCORES.get(
        key, lambda: np.array([score(one[one >= 0], truth[one >= 0], measure) for one in ensemble.labels.T])
    )


def base_scores(everything, switched_on: np.ndarray) -> np.ndarray | None:
    """The same of those that are switched on: nobody is scored again because another has left."""
    found = everything.all_scores
    return found if found is None or len(found) == len(switched_on) else found[switched_on]


def all_agreement(ensemble: Ensemble, monitor: Monitor) -> np.ndarray:
    """Comparing base clusterings: NMI (max) between any two of them, (M, M)."""
    return clustering_agreement(ensemble, monitor=monitor)


def agreement(everything, switched_on: np.ndarray) -> np.ndarray | None:
    """The same of those that are switched on: nobody is compared again because another has left."""
    found = everything.all_agreement
    return found if found is None or len(found) == len(switched_on) else found[np.ix_(switched_on, switched_on)]


def switched_on(ensemble: Ensemble, n_clusterings: int, off: Sequence[int]) -> np.ndarray:
    """The places of its base clusterings among all of them, ascending: (M,)."""
    left = np.setdiff1d(np.arange(n_clusterings), off)
    return left if ensemble.n_clusterings == len(left) else np.arange(ensemble.n_clusterings)


def clustering_columns(ensemble: Ensemble, source: Content, switched_on: np.ndarray) -> list[str] | None:
    """What their file calls base clusterings; None where they have no names."""
    if not isinstance(source, Pool) or not source.clustering_names:
        return None
    drawn = ensemble.provenance.get("columns", "all")
    columns = switched_on if isinstance(drawn, str) else np.asarray(drawn)[switched_on]
    return [source.clustering_names[column] for column in columns]


def clustering_keys(clustering_columns: list[str] | None, switched_on: np.ndarray) -> list:
    """What stands for base clusterings in tables and on axes: as the file calls them, no two alike, or numbers."""
    if clustering_columns is None:
        return numbers(switched_on).tolist()
    return distinct(map(shortened, clustering_columns))


def clustering_names(clustering_keys: list) -> list[str]:
    """Names of base clusterings: "base clustering 3", or "base clustering gmm" where the file says so."""
    return [f"base clustering {key:,}" if isinstance(key, int) else f"base clustering {key}" for key in clustering_keys]


def everything(scene):
    """The scene with all base clusterings switched on."""
    return scene.varied(switched_off=())


def whole_ensemble(everything) -> Ensemble | None:
    """All base clusterings, also those that are switched off."""
    return everything.ensemble


def off_keys(everything, off: Sequence[int]) -> list | None:
    """What stands for the base clusterings that are switched off."""
    keys = everything.clustering_keys
    return keys and [keys[m] for m in off]


def agreement_order(agreement: np.ndarray) -> np.ndarray:
    """Base clusterings, similar ones beside each other: (M,)."""
    return leaf_order(linkage(agreement)) if len(agreement) > 1 else np.zeros(1, int)


def uncertainty(ensemble: Ensemble) -> np.ndarray:
    """How much the other base clusterings scatter every cluster, in bits: (n_clusters_total,)."""
    return cluster_uncertainty(ensemble)


def reliability(ensemble: Ensemble, uncertainty: np.ndarray, theta: float) -> np.ndarray:
    """ECI of every cluster: (n_clusters_total,)."""
    return np.exp(-uncertainty / (theta * ensemble.n_clusterings))


def strangers(ensemble: Ensemble, monitor: Monitor) -> tuple[int, int]:
    """Counting pairs never seen together: how many, and how many pairs there are."""
    return pairs_seen(ensemble, monitor)


def influence(
    method: str, ensemble: Ensemble, n_clusters: int, method_params: Params, seed: int, monitor: Monitor
) -> np.ndarray:
    """Leaving out one after the other: how far the consensus moves without each base clustering, 1 - ARI, (M,)."""
    return leave_one_out(method, ensemble, n_clusters, method_params, seed, monitor)
