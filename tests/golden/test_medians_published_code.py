"""KCC, DREC, SPCE and TRCE beside their authors' code (see arrays/SOURCE.md)."""

import numpy as np
import pytest

from engine import Ensemble, consensus_methods, run_consensus
from tests import naive_medians
from tests.monitors import Heard
from tests.strategies import same_partition


@pytest.fixture
def ensemble(oracle):
    return Ensemble.from_labels(oracle["E"])


@pytest.mark.parametrize("utility", ["U_c", "U_H"])
@pytest.mark.parametrize("seed", range(10))
def test_kcc_reaches_at_least_what_the_package_reaches(oracle, ensemble, utility, seed):
    for k, theirs in zip(oracle["ks"], oracle[f"KCC_{utility}_obj"], strict=True):
        ours = run_consensus("kcc", ensemble, int(k), {"utility": utility}, seed=seed).trace["objectives"]
        assert ours.min() <= theirs + 0.005, f"k = {k}"


@pytest.mark.parametrize("utility", ["U_c", "U_H"])
def test_the_objective_of_kcc_is_that_of_the_package(oracle, utility):
    for column, theirs in enumerate(oracle[f"KCC_{utility}_obj"][:2]):
        partition = oracle[f"KCC_{utility}_labels"][:, column].tolist()
        found = naive_medians.kcc_objective(oracle["E"].tolist(), partition, utility)
        np.testing.assert_allclose(found, theirs, atol=0.005)


def on_microclusters(oracle, ensemble):
    """Where the published microclusters stand among ours."""
    theirs = oracle["mc_labels"].ravel() - 1
    return ensemble.microclusters.assignment[np.unique(theirs, return_index=True)[1]]


def test_drec_representation(oracle, ensemble):
    lam = {"lam": float(oracle["DREC_lambda"])}
    ours = run_consensus("drec", ensemble, 3, lam, record=("representation",)).trace["representation"]
    place = on_microclusters(oracle, ensemble)
    np.testing.assert_allclose(ours[np.ix_(place, place)], oracle["DREC_Z"], atol=1e-7)


def test_drec_labels(oracle, ensemble):
    for column, k in enumerate(oracle["ks"]):
        assert same_partition(run_consensus("drec", ensemble, int(k)).labels, oracle["DREC_labels"][:, column])


@pytest.mark.parametrize(("column", "k"), [(0, 2), (1, 3), (2, 4), (3, 5)])
def test_trce_labels_and_graph(oracle, ensemble, column, k):
    if "TRCE_labels_k2345" not in oracle:
        return
    method, kept = consensus_methods()["trce"], Heard()  # in the order given: the last base clustering decides there
    params = method.params(gamma=float(oracle["TRCE_gamma"]), variant="published-code")
    labels = method.run(ensemble, k, params, np.random.default_rng(0), kept)
    assert same_partition(labels, oracle["TRCE_labels_k2345"][:, column])
    assert kept.trace["unsettled"] == kept.trace["repaired"] == 0
    if k == 3:
        objects = ensemble.microclusters.assignment
        graph = kept.trace["learnt_graph"][np.ix_(objects, objects)]
        np.testing.assert_allclose(graph, oracle["TRCE_S_k3"], atol=1e-7)


@pytest.mark.parametrize("run", [1, 2, 3])
def test_spce_labels(oracle, ensemble, run):
    if "SPCE_g_gammas" not in oracle:
        return
    g = float(np.sqrt(oracle["SPCE_g_gammas"][run - 1])) / ensemble.n_clusterings
    for column, k in enumerate([2, 3, 4, 5]):
        ours = run_consensus("spce", ensemble, k, {"g": g}).labels
        assert same_partition(ours, oracle[f"SPCE_g{run}_labels_k2345"][:, column])
