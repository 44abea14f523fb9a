"""The trace of a run: which names it may hold, which intermediates are kept, and in whose order."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from ..ensemble import Ensemble
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import Monitor
from ..runtime.wording import listed, shown

#: Kept in every trace: at most a few numbers a microcluster or a cluster.
SMALL = {
    "cluster_weights": "reliability of every cluster",
    "clustering_weights": "weight of every base clustering",
    "dendrogram": "tree of merges",
    "residuals": "residuals by iteration",
    "tied_merges": "merges at the similarity of another",
    "growth": "rounds of growing trees",
    "density": "local density",
    "capacity": "representative capacity",
    "prototypes": "prototypes",
    "embedding": "spectral embedding",
    "symmetric_clusters": "clusters that nothing tells apart: which is which is a toss",
    "repaired": "parts that had to be made",
    "walk": "settings of the random walk",
    "neighbours_kept": "neighbours kept of each object",
    "strongest_link": "strongest link of two clusters, by which the others are measured",
    "objectives": "objective reached by each start, the lower the better",
    "unsettled": "runs stopped before they settled",
    "breaches": "rounds in which objects of one microcluster would have parted",
    "smallest_group": "objects in the smallest group that survives",
    "sampled_objects": "objects the method was run on, the others being placed afterwards",
    "edge_agreement": "how far the base clusterings agree about the edges, 1 at most",
    "vote_rounds": "rounds of votes",
    "strangers": "objects that share no base cluster with the sample",
    "lambda_star": "lambda up to which nothing is learnt of a microcluster",
}
#: Between microclusters, n x n (dense or sparse); kept only when asked for.
LARGE = {
    "co_association": "co-association (CA)",
    "similarity": "similarity",
    "graph": "elite-neighbour graph",
    "trajectories": "trajectory similarity (PTS)",
    "high_confidence": "high-confidence co-association",
    "enhanced": "enhanced co-association",
    "refined_distance": "refined distance",
    "representation": "representation (Z)",
    "learnt_graph": "learnt graph (S)",
    "completed": "completed co-association",
    "refined_co_association": "refined co-association",
    "path_similarity": "similarity along the best path",
}
#: Between the clusters of all base clusterings, K x K; kept only when asked for.
BETWEEN_CLUSTERS = {"cluster_similarity": "similarity of clusters"}
#: Costs a second run: kept only when asked for by name.
COSTLY = {"iterations": "the enhanced matrix after chosen iterations, by iteration"}
VOCABULARY = frozenset(SMALL) | frozenset(LARGE) | frozenset(BETWEEN_CLUSTERS) | frozenset(COSTLY)
#: Entries with one value per cluster of the ensemble, reported in the order of the ensemble given.
PER_CLUSTER = frozenset({"cluster_weights"})
#: Entries with one value per base clustering, reported in the order of the ensemble given.
PER_CLUSTERING = frozenset({"clustering_weights"})


class Trace(Monitor):
    """Passes ticks on, and keeps the intermediates that were asked for."""

    def __init__(self, outer: Monitor, record: Iterable[str]):
        self.outer = outer
        self.kept: dict[str, Any] = {}
        known = f"record must name entries of the trace ({', '.join(sorted(LARGE | BETWEEN_CLUSTERS))})"
        try:
            asked = [*record]
        except TypeError:
            raise InvalidParameterError(f"{known}. Got {shown(record)}") from None
        if unknown := [one for one in asked if not isinstance(one, str) or one not in VOCABULARY]:
            raise InvalidParameterError(f"{known}. Got {listed(unknown)}")
        self.asked = frozenset(SMALL) | frozenset(asked)

    def tick(self, stage: str, done: int, total: int) -> None:
        """See `Monitor`."""
        self.outer.tick(stage, done, total)

    def record(self, name: str, value: Any) -> None:
        """Keep what was asked for; a function is called only then."""
        if name not in VOCABULARY:
            raise KeyError(f"{name!r} is not in engine.consensus.traces")
        if name in self.asked:
            value = value() if callable(value) else value
            self.kept[name] = _read_only_copy(value)
            self.outer.record(name, self.kept[name])

    def in_order_of(self, ensemble: Ensemble) -> dict[str, Any]:
        """The trace, with values of clusters and base clusterings in the order of the ensemble the caller gave."""
        return {name: _in_given_order(name, value, ensemble) for name, value in self.kept.items()}


def _in_given_order(name: str, value: Any, ensemble: Ensemble) -> Any:
    if name in PER_CLUSTER:
        return _read_only_copy(ensemble.in_given_order(value))
    if name in BETWEEN_CLUSTERS:
        return _read_only_copy(ensemble.in_given_order(ensemble.in_given_order(value).T).T)
    if name in PER_CLUSTERING:
        return _read_only_copy(value[np.argsort(ensemble.form.clusterings)])
    return value


def _read_only_copy(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.copy()
        value.setflags(write=False)
    return value
