"""ECPCS-HC and ECPCS-MC beside their authors' code (see arrays/SOURCE.md)."""

import numpy as np
import pytest

from engine import Ensemble, evidence, run_consensus
from engine.evidence import participation
from engine.graphs.eigenvectors import cut_directions, rotated_parts
from engine.monitor import SILENT
from engine.similarities import find_evidence
from tests.golden.test_published_code import rows_of, tie_free
from tests.strategies import same_partition


@pytest.fixture
def ensemble(oracle):
    return Ensemble.from_labels(oracle["E"])


def test_similarity_of_clusters(oracle, ensemble):
    rows, theirs = rows_of(oracle, "ECPCS_clsSimRW")
    np.testing.assert_allclose(evidence.propagated_similarity(ensemble, 20)[rows], theirs, atol=1e-6)


def test_matrix(oracle, ensemble):
    rows, theirs = rows_of(oracle, "ECPCS_ECA")
    kind = find_evidence("ecpcs")
    ours = kind.matrix(ensemble, kind.params(), SILENT)
    expanded = ensemble.microclusters.expand_matrix(ours, rows, np.arange(ensemble.n_objects))
    np.testing.assert_allclose(expanded, theirs, atol=1e-6)


def test_hc_labels(oracle, ensemble):
    demanded = tie_free(oracle, "ECPCS_HC")
    assert demanded
    for column, k in demanded:
        ours = run_consensus("ecpcs_hc", ensemble, k).labels
        assert same_partition(ours, oracle["ECPCS_HC_labels"][:, column])


@pytest.mark.parametrize("column", range(5))
def test_every_random_run_of_mc_is_one_of_our_starts(oracle, ensemble, column):
    """Their runs draw the row to start from, and may end with fewer than k clusters: before the repair."""
    rows = cut_directions(evidence.propagated_similarity(ensemble, 20), int(oracle["ks"][column]))
    ours = []
    for start in range(len(rows)):
        share = participation(ensemble, rotated_parts(rows, start)[0])
        ours.append(ensemble.microclusters.expand(share.argmax(axis=1)))
    for run in range(5):
        theirs = oracle["ECPCS_MC_reps"][:, column, run]
        assert any(same_partition(labels, theirs) for labels in ours)
