import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Ensemble, InvalidParameterError, evidence, run_consensus
from tests import naive
from tests.strategies import label_matrices, random_labels, same_partition


@settings(max_examples=40)
@given(label_matrices(), st.integers(2, 4))
def test_the_embedding_is_that_of_objects(labels, k):
    ensemble = Ensemble.from_labels(labels)
    if not k <= min(ensemble.n_clusters_total, len(ensemble.microclusters) - 1):
        return
    shared = evidence.shared_objects(ensemble)
    root = np.sqrt(np.diagonal(shared))
    values = np.sort(np.linalg.eigvalsh(shared / (labels.shape[1] * root[:, None] * root)))[::-1]
    if k < len(values) and values[k - 1] - values[k] < 1e-6:
        return  # a tie leaves the last directions open
    ours = ensemble.microclusters.expand(run_consensus("usenc", ensemble, k).trace["embedding"])
    theirs = naive.tcut_embedding(ensemble.incidence.toarray(), k)
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-6)


def test_it_is_the_spectral_cut_of_hbgf_and_the_limit_of_lwgp():
    ensemble = Ensemble.from_labels(random_labels(150, 8, 5, seed=4, noise=0.3))
    for k in (2, 3, 5, 9):
        ours = run_consensus("usenc", ensemble, k)
        assert (ours.labels == run_consensus("hbgf", ensemble, k).labels).all()
        limit = run_consensus("lwgp", ensemble, k, {"theta": 1e9})
        a, b = ours.trace["embedding"], limit.trace["embedding"]
        np.testing.assert_allclose(a @ a.T, b @ b.T, atol=1e-6)


def test_components_are_found_and_more_clusters_than_clusters_refused():
    blocks = Ensemble.from_labels(np.repeat([[0, 0, 0], [1, 1, 1], [2, 2, 2]], 4, axis=0) * [1, 2, 1])
    assert same_partition(run_consensus("usenc", blocks, 3).labels, np.repeat([0, 1, 2], 4))
    grid = Ensemble.from_labels([[i, j] for i in range(4) for j in range(4)])
    with pytest.raises(InvalidParameterError, match="at most 8, the clusters of all base clusterings together"):
        run_consensus("usenc", grid, 9)
