"""Agreement with the published MATLAB code, as run in Octave on two ensembles (see arrays/SOURCE.md).

Hierarchical labels are compared where the answers' own flags say that no tie decides them.
"""

import numpy as np
import pytest

from engine import Ensemble, evidence, run_consensus
from engine.partition import weighted_kmeans
from tests.strategies import same_partition

THETAS = {1: 0.4, 2: 0.2, 3: 1.0}


@pytest.fixture
def ensemble(oracle):
    return Ensemble.from_labels(oracle["E"])


def tie_free(oracle, name, suffix=""):
    """Numbers of clusters, by column, at which the published labels must be met."""
    sure = oracle[f"{name}_scipy_equal{suffix}"] & oracle[f"{name}_perm_stable{suffix}"]
    return [(i, int(k)) for i, k in enumerate(oracle["ks"]) if sure[i]]


def rows_of(oracle, name):
    """A matrix: all of it, or the rows stored, with their indices."""
    if name in oracle:
        return np.arange(len(oracle[name])), oracle[name]
    own = f"{name}_rows"  # of a matrix of microclusters
    return oracle[own if own in oracle else "rows"], oracle[f"{name}_sub"]


@pytest.mark.parametrize("p", THETAS)
def test_cluster_weights(oracle, ensemble, p):
    ours = evidence.ensemble_driven_cluster_index(ensemble, THETAS[p])
    np.testing.assert_allclose(ours, oracle[f"ECI{p}"].ravel(), rtol=1e-12)


def test_co_association(oracle, ensemble):
    rows, theirs = rows_of(oracle, "CA_times_M")
    ours = evidence.co_association(ensemble) * ensemble.n_clusterings
    expanded = ensemble.microclusters.expand_matrix(ours, rows, np.arange(ensemble.n_objects))
    np.testing.assert_array_equal(np.rint(expanded), theirs)


@pytest.mark.parametrize("p", THETAS)
def test_locally_weighted_co_association_off_the_diagonal(oracle, ensemble, p):
    rows, theirs = rows_of(oracle, f"LWCA{p}")
    ours = evidence.locally_weighted_co_association(ensemble, THETAS[p])
    expanded = ensemble.microclusters.expand_matrix(ours, rows, np.arange(ensemble.n_objects))
    off = rows[:, None] != np.arange(ensemble.n_objects)  # the published code writes 1 on the diagonal
    np.testing.assert_allclose(expanded[off], theirs[off], atol=1e-6)


@pytest.mark.parametrize("p", THETAS)
def test_lwea_labels(oracle, ensemble, p):
    demanded = tie_free(oracle, "LWEA", p)
    assert demanded
    for column, k in demanded:
        ours = run_consensus("lwea", ensemble, k, {"theta": THETAS[p]}).labels
        assert same_partition(ours, oracle[f"LWEA_labels{p}"][:, column])


@pytest.mark.parametrize(("linkage", "short"), [("average", "AL"), ("complete", "CL"), ("single", "SL")])
def test_eac_labels(oracle, ensemble, linkage, short):
    for column, k in tie_free(oracle, f"EAC_{short}"):
        ours = run_consensus("eac", ensemble, k, {"linkage": linkage}).labels
        assert same_partition(ours, oracle[f"EAC_{short}_labels"][:, column])


def test_eac_has_tie_free_answers_to_meet(oracle):
    assert tie_free(oracle, "EAC_AL")


@pytest.mark.parametrize("k", [2, 3, 4, 5, 10])
def test_lwgp_embedding(oracle, ensemble, k):
    embedding = run_consensus("lwgp", ensemble, k, {"theta": 0.4}).trace["embedding"]
    ours, theirs = ensemble.microclusters.expand(embedding), oracle[f"LWGP_emb1_k{k}"]
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-5)


@pytest.mark.parametrize("k", [2, 3, 4, 5, 10])
def test_lwgp_inertia_is_the_best_known(oracle, k):
    points = oracle[f"LWGP_emb1_k{k}"].astype(float)
    labels, _ = weighted_kmeans(points, np.ones(len(points)), k, np.random.default_rng(0))
    inertia = sum(((points[labels == c] - points[labels == c].mean(axis=0)) ** 2).sum() for c in range(k))
    assert inertia <= float(oracle[f"LWGP_best_sse1_k{k}"]) * 1.001 + 1e-9
