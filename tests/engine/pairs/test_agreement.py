import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Ensemble, InvalidEnsembleError, MissingEvidenceError, evidence, leave_one_out, metrics, run_consensus
from tests.strategies import label_matrices, random_labels


@given(label_matrices(), st.sampled_from(["max", "min", "arithmetic", "sqrt"]))
def test_agreement_is_the_nmi_of_every_pair(labels, normalisation):
    ours = evidence.clustering_agreement(Ensemble.from_labels(labels), normalisation)
    for a in range(labels.shape[1]):
        for b in range(labels.shape[1]):
            assert ours[a, b] == pytest.approx(metrics.nmi(labels[:, a], labels[:, b], normalisation), abs=1e-9)


@settings(max_examples=40)
@given(label_matrices(), st.integers(0, 1000))
def test_link_quality_equals_counting_pairs_of_objects(labels, seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=len(labels))
    ensemble = Ensemble.from_labels(labels)
    matrix = evidence.co_association(ensemble)
    values = np.arange(1, labels.shape[1] + 1) / labels.shape[1]
    ours = evidence.link_quality(matrix, ensemble.microclusters, truth, values)
    i, j = np.triu_indices(len(labels), 1)
    together = (labels[i] == labels[j]).sum(axis=1)
    correct = truth[i] == truth[j]
    for place, count in enumerate(range(1, labels.shape[1] + 1)):
        assert ours.pairs[place] == (together == count).sum()
        assert ours.correct[place] == (correct & (together == count)).sum()
        above = together >= count
        if above.any():
            assert ours.precision[place] == pytest.approx(correct[above].mean())
        else:
            assert np.isnan(ours.precision[place])
        assert ours.recall[place] == pytest.approx((above & correct).sum() / max(1, correct.sum()))


@settings(max_examples=40)
@given(label_matrices(), st.integers(0, 1000))
def test_link_quality_by_rows_is_that_of_the_matrix(labels, seed):
    rng = np.random.default_rng(seed)
    truth, ensemble = rng.integers(3, size=len(labels)), Ensemble.from_labels(labels)
    weights, values = rng.random(ensemble.n_clusters_total), np.linspace(0, 1, 8)
    matrix = evidence.weighted_co_association(ensemble, weights)
    whole = evidence.link_quality(matrix, ensemble.microclusters, truth, values)
    rows = evidence.link_quality_by_rows(ensemble, weights, truth, values)
    assert rows.n_rows is None
    assert rows.pairs.tolist() == whole.pairs.tolist()
    assert rows.correct.tolist() == whole.correct.tolist()


def test_a_sample_of_rows_counts_what_its_objects_meet():
    labels = random_labels(n=90)
    ensemble, truth = Ensemble.from_labels(labels), np.arange(90) % 4
    ones, values = np.ones(ensemble.n_clusters_total), np.linspace(0, 1, 6)
    micro = ensemble.microclusters
    found = evidence.link_quality_by_rows(ensemble, ones, truth, values, most_pairs=7 * len(micro) + 1)
    assert found.n_rows == 7 < len(micro)
    assert found.recall[0] == found.correct.sum() / found.n_together
    sampled = np.isin(micro.assignment, np.linspace(0, len(micro) - 1, 7).astype(int))
    together = (labels[sampled][:, None] == labels).mean(axis=2)
    correct = truth[sampled][:, None] == truth
    self_pairs = np.flatnonzero(sampled)[:, None] == np.arange(90)
    for place, (low, high) in enumerate(zip(values, [*values[1:], 2], strict=True)):
        inside = (together >= low - 1e-6) & (together < high - 1e-6) & ~self_pairs
        assert found.pairs[place] == inside.sum()
        assert found.correct[place] == (inside & correct).sum()
    assert found.n_together == (correct & ~self_pairs).sum()


def test_recall_starts_at_one_among_the_links():
    ensemble = Ensemble.from_labels(random_labels())
    quality = evidence.link_quality(
        evidence.co_association(ensemble), ensemble.microclusters, random_labels()[:, 0], np.linspace(0, 1, 11)
    )
    assert quality.recall[0] == 1
    assert (np.diff(quality.recall) <= 0).all()
    assert quality.pairs.sum() == 60 * 59 // 2


@settings(max_examples=40)
@given(label_matrices(), st.integers(0, 1000), st.integers(1, 6))
def test_block_means_are_the_means_of_the_true_cells(labels, seed, n_bins):
    rng = np.random.default_rng(seed)
    micro = Ensemble.from_labels(labels).microclusters
    matrix = rng.random((len(micro), len(micro)))
    rows = rng.permutation(len(labels))
    cols = rng.permutation(len(labels))[: 1 + len(labels) // 2]
    full = matrix[micro.assignment][:, micro.assignment][np.ix_(rows, cols)]
    ours = micro.block_means(matrix, rows, cols, n_bins)
    bins = [np.arange(n) * min(n_bins, n) // n for n in full.shape]
    for a in range(ours.shape[0]):
        for b in range(ours.shape[1]):
            assert ours[a, b] == pytest.approx(full[np.ix_(bins[0] == a, bins[1] == b)].mean())


@settings(max_examples=40)
@given(label_matrices(), st.integers(0, 1000), st.integers(1, 6))
def test_pictures_from_the_factor_are_those_of_the_matrix(labels, seed, n_bins):
    rng, ensemble = np.random.default_rng(seed), Ensemble.from_labels(labels)
    weights = rng.random(ensemble.n_clusters_total)
    rows = rng.permutation(len(labels))
    cols = rng.permutation(len(labels))[: 1 + len(labels) // 2]
    matrix = evidence.weighted_co_association(ensemble, weights, dtype=np.float64)
    expected = ensemble.microclusters.block_means(matrix, rows, cols, n_bins)
    profiles = [evidence.block_profiles(ensemble, objects, n_bins) for objects in (rows, cols)]
    np.testing.assert_allclose(evidence.block_means(*profiles, weights, labels.shape[1]), expected, atol=1e-12)


def test_where_labels_are_missing_there_is_no_factor():
    with pytest.raises(MissingEvidenceError, match="every object"):
        evidence.block_profiles(Ensemble.from_labels([[0, 0], [0, -1], [1, 1]]), [0, 1], 2)


def test_small_windows_show_the_true_cells_also_of_sparse_matrices():
    from scipy import sparse

    micro = Ensemble.from_labels(random_labels()).microclusters
    matrix = np.random.default_rng(0).random((len(micro), len(micro))) * (np.arange(len(micro)) % 2)
    window = np.arange(10, 30)
    cells = micro.expand_matrix(matrix, window, window)
    np.testing.assert_allclose(micro.block_means(matrix, window, window, 400), cells)
    np.testing.assert_allclose(micro.block_means(sparse.csr_array(matrix), window, window, 400), cells)


def test_leaving_one_out_compares_with_the_whole():
    labels = random_labels(80, 5, 4, noise=0.3)
    ensemble = Ensemble.from_labels(labels)
    moved = leave_one_out("lwea", ensemble, 4)
    whole = run_consensus("lwea", ensemble, 4).labels
    rest = run_consensus("lwea", Ensemble.from_labels(labels[:, [0, 1, 3, 4]]), 4).labels
    assert moved[2] == pytest.approx(1 - metrics.ari(whole, rest))
    assert moved.shape == (5,)
    assert moved.max() > 0


def test_leaving_one_out_of_equals_changes_nothing_and_of_one_is_refused():
    same = np.tile(np.arange(12)[:, None] % 3, 4)
    assert leave_one_out("eac", Ensemble.from_labels(same), 3).tolist() == [0, 0, 0, 0]
    two = np.column_stack([np.arange(12) % 3, np.arange(12) % 2])
    assert np.isnan(leave_one_out("eac", Ensemble.from_labels(two), 5)).all()
    moved = leave_one_out("drec", Ensemble.from_labels(two), 2)
    assert np.isnan(moved).tolist() == [False, True]  # of one base clustering alone it takes all clusters, or none
    with pytest.raises(InvalidEnsembleError, match="at least 2"):
        leave_one_out("eac", Ensemble.from_labels(same[:, :1]), 2)
