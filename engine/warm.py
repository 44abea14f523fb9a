"""Fill the on-disk kernel cache: `python -m engine.warm`, in a process of its own.

numba compiles while it holds the GIL, so compiling inside the app would freeze every page.
"""

import numpy as np

from engine import (
    Ensemble,
    MissingExtraError,
    consensus_methods,
    evidence,
    metrics,
    partition,
    run_consensus,
)
from engine.generators import kmeans_ensemble, lac_ensemble


def warm() -> None:
    """Run every method once on a small ensemble, for the inputs that real calls have."""
    points = np.random.default_rng(0).normal(size=(400, 2))
    ensemble = kmeans_ensemble(points, 6, seed=0)
    Ensemble.from_labels(np.asfortranarray(ensemble.labels.astype(np.uint8)))
    Ensemble.from_labels(ensemble.labels.astype(np.int16))
    Ensemble.from_labels(ensemble.labels.astype(np.int64) - 1)
    soft = lac_ensemble(points, 3, [0.5, 5.0, 50.0])
    for key, method in consensus_methods().items():
        made = soft if "memberships" in method.needs else ensemble
        try:
            result = run_consensus(key, made, 3)
        except MissingExtraError:
            continue  # nothing to compile for a method that cannot run here
        metrics.scores(result.labels, ensemble.labels[:, 0])
    run_consensus("got", ensemble, 3, {"variant": "published-code"})
    evidence.membership_graph(soft, 10)
    warm_views(ensemble)


def warm_views(ensemble: Ensemble) -> None:
    """What the pages ask beside the methods; of a trace, which is read-only, and of fresh matrices."""
    result = run_consensus("eac", ensemble, 3, record=("co_association",))
    fresh, values = evidence.co_association(ensemble), np.arange(1, 7) / 6
    for matrix in (fresh, result.trace["co_association"]):
        evidence.link_quality(matrix, ensemble.microclusters, ensemble.labels[:, 0], values)
    partition.leaf_order(result.trace["dendrogram"])
    partition.linkage(evidence.clustering_agreement(ensemble))


if __name__ == "__main__":
    warm()
