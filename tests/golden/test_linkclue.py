"""WCT, SRS and ASRS beside LinkCluE, in which WCT is called CTS (see arrays/SOURCE.md)."""

import numpy as np
import pytest

from engine import Ensemble, evidence, run_consensus
from engine.monitor import SILENT
from engine.similarities import find_evidence
from tests.golden.test_published_code import rows_of, tie_free
from tests.strategies import same_partition

LINKAGES = [("average", "AL"), ("complete", "CL"), ("single", "SL")]


@pytest.fixture
def ensemble(oracle):
    return Ensemble.from_labels(oracle["E"])


def test_wct_matrix(oracle, ensemble):
    rows, theirs = rows_of(oracle, "CTS")
    kind = find_evidence("wct")
    ours = kind.matrix(ensemble, kind.params(), SILENT)
    expanded = ensemble.microclusters.expand_matrix(ours, rows, np.arange(ensemble.n_objects))
    np.testing.assert_allclose(expanded, theirs, atol=1e-6)


@pytest.mark.parametrize(("linkage", "short"), LINKAGES)
def test_wct_labels(oracle, ensemble, linkage, short):
    demanded = tie_free(oracle, f"CTS_{short}")
    assert demanded
    for column, k in demanded:
        ours = run_consensus("wct", ensemble, k, {"linkage": linkage}).labels
        assert same_partition(ours, oracle[f"CTS_{short}_labels"][:, column])


@pytest.fixture
def with_simrank(oracle):
    if "SRS_AL_labels" not in oracle:
        pytest.skip("the published SimRank was run on iris alone")
    return oracle


@pytest.mark.parametrize("key", ["srs", "asrs"])
def test_simrank_matrices_off_the_diagonal(with_simrank, ensemble, key):
    """The variant of the published code; its diagonal is that of an object with itself."""
    rows, theirs = rows_of(with_simrank, key.upper())
    between = (
        evidence.cluster_simrank(ensemble, 0.8, 5)
        if key == "srs"
        else evidence.approximate_simrank(ensemble, 0.8, True)
    )
    ours = evidence.mean_over_clusters(ensemble, between, "all")
    expanded = ensemble.microclusters.expand_matrix(ours, rows, np.arange(ensemble.n_objects))
    off = rows[:, None] != np.arange(ensemble.n_objects)
    np.testing.assert_allclose(expanded[off], theirs[off], atol=1e-6)


@pytest.mark.parametrize(("linkage", "short"), LINKAGES)
def test_srs_labels(with_simrank, ensemble, linkage, short):
    demanded = tie_free(with_simrank, f"SRS_{short}")
    assert demanded
    for column, k in demanded:
        ours = run_consensus("srs", ensemble, k, {"linkage": linkage}).labels
        assert same_partition(ours, with_simrank[f"SRS_{short}_labels"][:, column])


@pytest.mark.parametrize(("linkage", "short"), LINKAGES)
def test_asrs_labels_where_no_microcluster_is_split(with_simrank, ensemble, linkage, short):
    owner, met = ensemble.microclusters.assignment, 0
    for column, k in tie_free(with_simrank, f"ASRS_{short}"):
        theirs = with_simrank[f"ASRS_{short}_labels"][:, column]
        if len(set(zip(owner, theirs, strict=True))) > len(ensemble.microclusters):
            continue  # the published tree parts objects that no base clustering parts
        met += 1
        ours = run_consensus("asrs", ensemble, k, {"linkage": linkage, "variant": "published-code"}).labels
        assert same_partition(ours, theirs)
    assert met >= 3
