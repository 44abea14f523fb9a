"""PTA and PTGP against the published MATLAB code, as run in Octave (see arrays/SOURCE.md)."""

import numpy as np
import pytest

from engine import Ensemble, evidence, run_consensus
from engine.partition import weighted_kmeans
from tests.golden.test_published_code import rows_of
from tests.strategies import same_partition

SETTINGS = [1, 2, 3]
FORMS = ["horner", "spectral"]
LINKAGES = {"average": "AL", "complete": "CL", "single": "SL"}


@pytest.fixture
def ensemble(oracle):
    return Ensemble.from_labels(oracle["E"])


@pytest.fixture
def ours_of_theirs(oracle, ensemble):
    """Our number of each of their microclusters."""
    theirs = oracle["mc_labels"]
    return np.array([ensemble.microclusters.assignment[np.argmax(theirs == y)] for y in range(1, theirs.max() + 1)])


def parameters(oracle, p):
    return {"K": int(oracle[f"PTS{p}_K"]), "T": int(oracle[f"PTS{p}_T"])}


def test_microclusters(oracle, ensemble, ours_of_theirs):
    assert (ours_of_theirs[oracle["mc_labels"] - 1] == ensemble.microclusters.assignment).all()
    counts = evidence.co_association(ensemble)[np.ix_(ours_of_theirs, ours_of_theirs)] * ensemble.n_clusterings
    np.fill_diagonal(counts, np.diag(oracle["MCA_times_M"]))
    np.testing.assert_array_equal(np.rint(counts), oracle["MCA_times_M"])


@pytest.mark.parametrize("p", SETTINGS)
@pytest.mark.parametrize("form", FORMS)
def test_similarity(oracle, ensemble, ours_of_theirs, p, form):
    K, T = parameters(oracle, p).values()
    graph = evidence.microcluster_elite_graph(ensemble, K)
    sizes = ensemble.microclusters.sizes
    rows, theirs = rows_of(oracle, f"PTS{p}")
    for dtype, atol in ((np.float64, 1e-10), (np.float32, 2e-6)):
        ours = evidence.trajectory_similarity(graph, sizes, T, dtype=dtype, form=form)
        np.testing.assert_allclose(ours[np.ix_(ours_of_theirs[rows], ours_of_theirs)], theirs, atol=atol)


def test_automatic_parameters_are_the_published_defaults(oracle, ensemble):
    walk = run_consensus("pta", ensemble, 3).trace["walk"]
    assert {name: walk[name] for name in "KT"} == parameters(oracle, 1)


@pytest.mark.parametrize("p", SETTINGS)
@pytest.mark.parametrize("linkage", LINKAGES)
def test_pta_labels(oracle, ensemble, linkage, p):
    name = f"PTA_{LINKAGES[linkage]}"
    sure = oracle[f"{name}_scipy_equal{p}"] & oracle[f"{name}_perm_stable{p}"]
    assert sure.any()
    for column in np.flatnonzero(sure):
        k = int(oracle["ks"][column])
        ours = run_consensus("pta", ensemble, k, {**parameters(oracle, p), "linkage": linkage}).labels
        assert same_partition(ours, oracle[f"{name}_labels{p}"][:, column])


@pytest.mark.parametrize("k", [2, 3, 4, 5, 10])
def test_ptgp_embedding(oracle, ensemble, ours_of_theirs, k):
    embedding = run_consensus("ptgp", ensemble, k, parameters(oracle, 1)).trace["embedding"]
    ours, theirs = embedding[ours_of_theirs], oracle[f"PTGP_emb1_k{k}"]
    np.testing.assert_allclose(ours @ ours.T, theirs @ theirs.T, atol=1e-5)


@pytest.mark.parametrize("p", SETTINGS)
@pytest.mark.parametrize("k", [2, 3, 4, 5, 10])
def test_ptgp_inertia_is_close_to_the_best_known(oracle, ensemble, k, p):
    result = run_consensus("ptgp", ensemble, k, parameters(oracle, p))
    points = result.trace["embedding"]
    labels = result.labels[ensemble.microclusters.representatives]
    inertia = sum(((points[labels == c] - points[labels == c].mean(axis=0)) ** 2).sum() for c in range(k))
    assert inertia <= float(oracle[f"PTGP_sse{p}_k{k}"]) * 1.001 + 1e-6  # what the published code reached
    assert inertia <= float(oracle[f"PTGP_best_sse{p}_k{k}"]) * 1.1 + 1e-6  # the best of many restarts


def test_kmeans_reaches_the_best_on_the_published_embedding(oracle):
    for k in (3, 5, 10):
        points = oracle[f"PTGP_emb1_k{k}"]
        labels, _ = weighted_kmeans(points, np.ones(len(points)), k, np.random.default_rng(0))
        inertia = sum(((points[labels == c] - points[labels == c].mean(axis=0)) ** 2).sum() for c in range(k))
        assert inertia <= float(oracle[f"PTGP_best_sse1_k{k}"]) * 1.001 + 1e-9
