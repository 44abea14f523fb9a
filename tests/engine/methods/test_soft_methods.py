"""WSPA and WBPA on soft memberships."""

import numpy as np
import pytest

from engine import (
    Ensemble,
    MissingEvidenceError,
    evidence,
)
from engine import run_consensus as run
from tests import naive
from tests.engine.graphs.random_graphs import soft_ensemble
from tests.strategies import same_partition, soft_memberships


def test_psi_is_the_mean_cosine_of_the_paper(to_metis):
    ensemble = soft_ensemble()
    psi = naive.mean_cosine(ensemble.memberships.tolist(), ensemble.n_clusters_each.tolist())
    directions = evidence.membership_directions(ensemble)
    np.testing.assert_allclose(directions @ directions.T, psi, atol=1e-12)
    result = run("wspa", ensemble, 4, record=("similarity",))
    expected = np.rint(psi * 10_000)
    np.fill_diagonal(expected, 0)
    assert (to_metis["graph"] == expected).all()
    assert (to_metis["sizes"] == 1).all()
    micro = ensemble.microclusters
    a, b = 1, len(micro) - 1
    block = psi[np.ix_(micro.assignment == a, micro.assignment == b)]
    assert result.trace["similarity"][a, b] == pytest.approx(block.mean())
    assert "neighbours_kept" not in result.trace


@pytest.mark.parametrize("kept", [1, 7, 68, 69, 500])
def test_only_the_strongest_neighbours_are_kept(kept):
    ensemble = soft_ensemble()
    tied = Ensemble.from_labels(ensemble.labels, memberships=ensemble.memberships.round(1))
    hard = Ensemble.from_labels(ensemble.labels, memberships=ensemble.incidence.toarray())
    for one in (ensemble, tied, hard):
        psi = naive.mean_cosine(one.memberships.tolist(), one.n_clusters_each.tolist())
        expected = naive.strongest(np.rint(psi * 10_000), kept)
        assert (evidence.membership_graph(one, kept).toarray() == expected).all()


def test_wspa_says_how_many_neighbours_it_kept(monkeypatch):
    monkeypatch.setattr("engine.methods.wspa.COMPLETE_UP_TO", 89)
    monkeypatch.setattr("engine.methods.wspa.NEIGHBORS_KEPT", 12)
    truth = np.random.default_rng(0).permutation(90) % 3
    hard = Ensemble.from_labels(np.tile(truth[:, None], 4) + (np.arange(90) < 2)[:, None] * [1, 0, 0, 0])
    ensemble = Ensemble.from_labels(hard.labels, memberships=soft_memberships(hard))
    result = run("wspa", ensemble, 3)
    assert result.trace["neighbours_kept"] == 12
    assert same_partition(result.labels, truth)


def test_wbpa_cuts_objects_and_soft_clusters(to_metis):
    ensemble = soft_ensemble()
    soft = ensemble.memberships
    run("wbpa", ensemble, 4)
    assert (to_metis["graph"] == naive.two_sided(np.maximum(np.rint(soft * (10_000 / soft.max())), 1))).all()
    n_clusters = ensemble.n_clusters_total
    assert to_metis["sizes"].tolist() == [1] * (ensemble.n_objects + n_clusters)
    assert to_metis["settings"] == [(False, False)]  # k-way, no two-hop matching


@pytest.mark.parametrize("key", ["wspa", "wbpa"])
def test_memberships_can_part_objects_of_one_microcluster(key):
    labels = np.repeat([[0, 0], [0, 1], [1, 0]], [40, 1, 1], axis=0)
    soft = np.repeat([[1.0, 0.0, 1.0, 0.0], [0.6, 0.4, 0.6, 0.4]], 21, axis=0)
    result = run(key, Ensemble.from_labels(labels, memberships=soft), 2)
    assert same_partition(result.labels, np.arange(42) >= 21)


def test_cosines_of_hard_labels_are_refused_and_empty_rows_are_like_nothing():
    with pytest.raises(MissingEvidenceError, match="soft memberships"):
        evidence.membership_directions(Ensemble.from_labels([[0], [1]]))
    ensemble = Ensemble.from_labels([[0], [1], [1]], memberships=[[0, 0], [0, 1], [0, 2]])
    assert evidence.membership_graph(ensemble).toarray().tolist() == [[0, 0, 0], [0, 0, 10_000], [0, 10_000, 0]]


@pytest.mark.parametrize("unit", [2.0**-550, 2.0**520, 2.0**1020])
def test_cosines_hang_on_no_unit_of_memberships(unit):
    """Squares of such numbers are 0, or have no end."""
    rng, labels = np.random.default_rng(0), np.arange(30)[:, None] % 3
    soft = np.eye(3)[rng.permutation(30) % 3] * 4 + rng.random((30, 3))
    soft /= soft.max()
    plain, scaled = (Ensemble.from_labels(labels, one) for one in (soft, soft * unit))
    ours, theirs = (evidence.membership_graph(one).toarray() for one in (scaled, plain))
    assert theirs.any()
    np.testing.assert_array_equal(ours, theirs)
    for method in ("wspa", "wbpa"):
        assert run(method, scaled, 2).n_clusters == 2
