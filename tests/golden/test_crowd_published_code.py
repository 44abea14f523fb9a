"""WEAC and GP-MGLA beside their authors' code (see arrays/SOURCE.md)."""

import numpy as np
import pytest

from engine import Ensemble, evidence, run_consensus
from engine.monitor import SILENT
from engine.similarities import find_evidence
from tests.golden.test_published_code import rows_of, tie_free
from tests.strategies import same_partition


@pytest.fixture
def ensemble(oracle):
    return Ensemble.from_labels(oracle["E"])


def test_agreement_of_base_clusterings(oracle, ensemble):
    np.testing.assert_allclose(evidence.normalized_crowd_agreement(ensemble), oracle["NCAI"].ravel(), rtol=1e-12)


def test_crowd_weighted_co_association(oracle, ensemble):
    rows, theirs = rows_of(oracle, "WCA")
    kind = find_evidence("wca")
    ours = kind.matrix(ensemble, kind.params(), SILENT)
    expanded = ensemble.microclusters.expand_matrix(ours, rows, np.arange(ensemble.n_objects))
    np.testing.assert_allclose(expanded, theirs, atol=1e-6)


@pytest.mark.parametrize(("linkage", "short"), [("average", "AL"), ("complete", "CL"), ("single", "SL")])
def test_weac_labels(oracle, ensemble, linkage, short):
    demanded = tie_free(oracle, f"WEAC_{short}")
    assert demanded
    for column, k in demanded:
        ours = run_consensus("weac", ensemble, k, {"linkage": linkage}).labels
        assert same_partition(ours, oracle[f"WEAC_{short}_labels"][:, column])


def test_similarity_of_clusters(oracle, ensemble):
    rows, theirs = rows_of(oracle, "SACT")
    ours = evidence.source_aware_triples(ensemble, evidence.crowd_weights(ensemble, 2.0))
    np.testing.assert_allclose(ours[rows], theirs, atol=1e-6)


@pytest.mark.parametrize("column", range(5))
def test_gp_mgla_labels(oracle, ensemble, column):
    k = int(oracle["ks"][column])
    ours = run_consensus("gp_mgla", ensemble, k, {"variant": "published-code"}).labels
    assert same_partition(ours, oracle["GPMGLA_labels"][:, column])
