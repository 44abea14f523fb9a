"""Fill the on-disk kernel cache: `python -m engine.warm`, in a process of its own.

numba compiles while it holds the GIL, so compiling inside the app would freeze every page. Of several processes one is
at work, and whoever waited for it has nothing left to do. `--with-parent` ends it with whoever holds the other end of
its input.
"""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numba.core.caching import FunctionCache
from numpy.typing import NDArray

from . import (
    Ensemble,
    Graph,
    MissingExtraError,
    confidence,
    consensus_methods,
    consensus_of_sample,
    evidence,
    metrics,
    partition,
    run_consensus,
)
from .choosing_k import Effort, choose_k
from .completion import completed
from .generators import kmeans_ensemble, lac_ensemble, subsampled_ensemble
from .graphs.layouts import graph_layout
from .partitions import distances_to, map_with, partition_distances, partition_map
from .runtime.monitor import SILENT
from .trees.profile_merging import merge_profiles

if sys.platform != "win32":
    import fcntl


def warm() -> None:
    """Run every method once on a small ensemble, for the inputs that real calls have."""
    points = np.random.default_rng(0).normal(size=(400, 2))
    ensemble = kmeans_ensemble(points, 6, seed=0)
    Ensemble.from_labels(np.asfortranarray(ensemble.labels.astype(np.uint8)))
    Ensemble.from_labels(ensemble.labels.astype(np.int16))
    Ensemble.from_labels(-2 - ensemble.labels.astype(np.int64))
    alike = np.stack(np.unravel_index(np.arange(8), (2, 2, 2)), axis=1)  # clusters of one size take more to be numbered
    run_consensus("eac", Ensemble.from_labels(alike), 2)
    evidence.co_association(Ensemble.from_labels(np.tile(alike, 1500)))  # many base clusterings: half, and its mirror
    soft = lac_ensemble(points, 3, [0.5, 5.0, 50.0])
    for key, method in consensus_methods().items():
        if "graph" in method.needs:
            continue  # nothing of theirs is compiled
        made = soft if "memberships" in method.needs else ensemble
        try:
            result = run_consensus(key, made, 3)
        except MissingExtraError:
            continue  # nothing to compile for a method that cannot run here
        metrics.scores(result.labels, ensemble.labels[:, 0])
    run_consensus("got", ensemble, 3, {"variant": "published-code"})
    graph_layout(Graph.of_edges([0, 1], [1, 2]))
    warm_gaps(points)
    choose_k(ensemble, features=points, k_max=3, effort=Effort(3, 3, 2))
    confidence.predict(ensemble, ensemble.labels[:, 0], ensemble.labels)
    consensus_of_sample("lwea", ensemble, 3, 100)
    evidence.membership_graph(soft, 10)
    warm_views(ensemble)


def warm_gaps(points: NDArray) -> None:
    """What is asked where labels are missing."""
    gappy = subsampled_ensemble(points, 6, seed=0)
    for key, method in consensus_methods().items():
        if method.takes_missing and method.can_run(gappy):
            run_consensus(key, gappy, 3)
    completed(gappy)
    confidence.resampled(gappy, "eac", 3, repeats=2).consistency.mean()


def warm_views(ensemble: Ensemble) -> None:
    """What the pages ask beside the methods; of a trace, which is read-only, and of fresh matrices."""
    result = run_consensus("eac", ensemble, 3, record=("co_association",))
    fresh, values = evidence.co_association(ensemble), np.arange(1, 7) / 6
    for matrix in (fresh, result.trace["co_association"]):
        evidence.link_quality(matrix, ensemble.microclusters, ensemble.labels[:, 0], values)
    for kind in (np.float32, np.float64, np.uint8):  # pixels of matrices, and of distances in steps
        ensemble.microclusters.block_means(fresh.astype(kind), np.arange(9), np.arange(9), 3)
    merge_profiles(ensemble.canonical.clusters, np.ones(ensemble.n_clusters_total), SILENT, few=10)
    noise = Ensemble.from_labels(np.random.default_rng(0).integers(0, 4, (1500, 12)))  # ends in a matrix of many groups
    merge_profiles(noise.clusters, np.ones(noise.n_clusters_total), SILENT)
    partition.leaf_order(result.trace["dendrogram"])
    partition.linkage(evidence.clustering_agreement(ensemble))
    distances = partition_distances(ensemble.labels)
    distances_to(ensemble, ensemble.labels[:, 0])
    map_with(partition_map(distances[:-1, :-1]), distances[-1:])
    evidence.cluster_uncertainty(ensemble.select(np.arange(1, ensemble.n_clusterings)))  # of an ensemble that is known


def in_turn(work: Callable[[], object], place: Path) -> bool:
    """Do this work, one process at a time; False where another did it to the end while this one waited.

    Every end of the work adds a byte to the file whose lock is the turn. A killed process leaves its turn, and no byte.
    """
    with place.open("ab") as turn:
        ends = os.fstat(turn.fileno()).st_size
        fcntl.flock(turn, fcntl.LOCK_EX)
        if os.fstat(turn.fileno()).st_size != ends:
            return False
        work()
        turn.write(b".")
        return True


def main() -> None:
    """Warm up in turn; the turn is kept where the kernels are."""
    if "--with-parent" in sys.argv:
        threading.Thread(target=_end_with_parent, daemon=True).start()
    if sys.platform == "win32":  # several may be at work there
        return warm()
    folder = Path(FunctionCache(warm).cache_path)
    folder.mkdir(parents=True, exist_ok=True)
    in_turn(warm, folder / "warm.lock")


def _end_with_parent() -> None:
    """Wait until the input ends, and end at once, whatever is being compiled."""
    while os.read(0, 1):
        pass
    os._exit(0)


if __name__ == "__main__":
    main()
