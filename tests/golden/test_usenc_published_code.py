"""U-SENC's consensus beside its authors' code (see arrays/SOURCE.md)."""

import numpy as np
import pytest

from engine import Ensemble, run_consensus

KS = pytest.mark.parametrize("k", [2, 3, 4, 5, 10])


def inertia_of(points, labels):
    groups = [points[labels == c] for c in np.unique(labels)]
    return sum(((group - group.mean(axis=0)) ** 2).sum() for group in groups)


@KS
def test_embedding(oracle, k):
    ensemble = Ensemble.from_labels(oracle["E"])
    ours = ensemble.microclusters.expand(run_consensus("usenc", ensemble, k).trace["embedding"])
    theirs = oracle[f"USENC_emb_k{k}"]
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-5)


@KS
def test_inertia_is_the_best_known(oracle, k):
    points = oracle[f"USENC_emb_k{k}"].astype(float)
    labels = run_consensus("usenc", Ensemble.from_labels(oracle["E"]), k).labels
    assert inertia_of(points, labels) <= float(oracle[f"USENC_best_sse_k{k}"]) * 1.001 + 1e-5
