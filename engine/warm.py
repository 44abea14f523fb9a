"""Fill the on-disk kernel cache: `python -m engine.warm`, in a process of its own.

numba compiles while it holds the GIL, so compiling inside the app would freeze every page.
"""

import numpy as np

from engine import (
    Ensemble,
    MissingEvidenceError,
    consensus_methods,
    evidence,
    metrics,
    partition,
    run_consensus,
)
from engine.generators import kmeans_ensemble


def warm() -> None:
    """Run every method once on a small ensemble, for the inputs that real calls have."""
    points = np.random.default_rng(0).normal(size=(400, 2))
    ensemble = kmeans_ensemble(points, 6, seed=0)
    Ensemble.from_labels(np.asfortranarray(ensemble.labels.astype(np.uint8)))
    Ensemble.from_labels(ensemble.labels.astype(np.int16))
    Ensemble.from_labels(ensemble.labels.astype(np.int64) - 1)
    for key in consensus_methods():
        try:
            result = run_consensus(key, ensemble, 3)
        except MissingEvidenceError:
            continue  # this machine or a hard ensemble lacks what the method needs: nothing to compile
        metrics.scores(result.labels, ensemble.labels[:, 0])
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
