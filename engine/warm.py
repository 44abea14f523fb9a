"""Fill the on-disk kernel cache: `python -m engine.warm`, in a process of its own.

numba compiles while it holds the GIL, so compiling inside the app would freeze every page.
"""

import numpy as np

from engine import Ensemble, MissingEvidenceError, consensus_methods, metrics, run_consensus
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


if __name__ == "__main__":
    warm()
