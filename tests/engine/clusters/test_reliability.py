"""Uncertainty of clusters is a sum of whole numbers: no order changes it, and what was left out can be taken back."""

import gc
import pickle

import numpy as np
import pytest

from engine import Ensemble, evidence, run_consensus
from engine.clusters import reliability
from engine.runtime.memory import ACCOUNT, working
from tests import naive
from tests.strategies import random_labels
from ui.compute.keeping import size_of


def labels_of(missing=0.0, n=60, m=20):
    labels = random_labels(n, m, 6, seed=3, noise=0.3)
    labels[np.random.default_rng(0).random(labels.shape) < missing] = -1
    labels[:, 0] = np.maximum(labels[:, 0], 0)  # every object has a label, whatever is left out but this one
    return labels


@pytest.fixture
def counted(monkeypatch):
    """Base clusterings that were counted with all others, a call an entry; 0: all with all. No table is kept."""
    calls, added = [], reliability._added
    monkeypatch.setattr(reliability, "_kept", lambda n_bytes: False)
    monkeypatch.setattr(reliability, "_added", lambda of, by, monitor: calls.append(len(by)) or added(of, by, monitor))
    return calls


@pytest.mark.parametrize("missing", [0, 0.3])
def test_the_order_of_rows_and_columns_changes_no_bit(missing):
    labels, rng = labels_of(missing), np.random.default_rng(1)
    whole = evidence.cluster_uncertainty(Ensemble.from_labels(labels))
    rows, columns = rng.permutation(len(labels)), rng.permutation(labels.shape[1])
    found = evidence.cluster_uncertainty(Ensemble.from_labels(labels[rows][:, columns]))
    assert sorted(found) == sorted(whole)


@pytest.mark.parametrize("missing", [0, 0.3])
@pytest.mark.parametrize("left_out", [[3], [19, 1], [2, 4, 6, 8, 10]])
def test_what_was_left_out_is_taken_back_to_the_bit(counted, missing, left_out):
    labels = labels_of(missing)
    whole = Ensemble.from_labels(labels)
    evidence.cluster_uncertainty(whole)
    kept = np.delete(np.arange(20), left_out)[::-1]  # in any order
    some = evidence.cluster_uncertainty(whole.select(kept))
    assert (some == evidence.cluster_uncertainty(Ensemble.from_labels(labels[:, kept]))).all()
    assert counted == [0, len(left_out), 0]


@pytest.mark.parametrize("missing", [0, 0.3])
@pytest.mark.parametrize("kept", [[*range(16, -1, -1)], [0, 1], [0]])
def test_of_any_that_are_kept_the_table_of_all_knows_the_sum_to_the_bit(monkeypatch, missing, kept):
    labels = labels_of(missing)
    whole, alone = Ensemble.from_labels(labels), Ensemble.from_labels(labels[:, kept])
    evidence.cluster_uncertainty(whole)
    expected = evidence.cluster_uncertainty(alone)
    monkeypatch.setattr(reliability, "_adding", None)  # nothing is counted again
    assert (evidence.cluster_uncertainty(whole.select(kept)) == expected).all()


def test_what_many_add_is_rounded_as_what_fewer_of_them_add(monkeypatch):
    labels = random_labels(12, 1200, 3, seed=0, noise=0.5)
    whole, alone = Ensemble.from_labels(labels), Ensemble.from_labels(labels[:, :1000])
    evidence.cluster_uncertainty(whole)
    expected = evidence.cluster_uncertainty(alone)
    monkeypatch.setattr(reliability, "_adding", None)  # nothing is counted again
    assert (evidence.cluster_uncertainty(whole.select(np.arange(1000))) == expected).all()


def test_a_table_of_what_each_adds_is_kept_where_memory_is_left_and_its_size_is_known(monkeypatch):
    kept, again, without = (Ensemble.from_labels(labels_of()) for _ in range(3))
    n_bytes = 8 * 20 * kept.n_clusters_total
    monkeypatch.setattr(reliability, "SMALL", 0)
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", str(ACCOUNT.held + 9 * n_bytes))
    with working(), ACCOUNT.hold(n_bytes):  # others leave eight times as much
        before = ACCOUNT.held
        found = evidence.cluster_uncertainty(kept)
        assert ACCOUNT.held - before == n_bytes
    with ACCOUNT.hold(n_bytes + 8):
        assert (evidence.cluster_uncertainty(without) == found).all()
    assert kept.canonical.remembered(reliability._TABLE).nbytes == n_bytes
    assert without.canonical.remembered(reliability._TABLE) is None
    assert size_of(kept) - size_of(without) >= n_bytes, "whoever keeps ensembles weighs it"
    assert len(pickle.dumps(kept)) < n_bytes, "it does not travel along"
    monkeypatch.setattr(reliability, "_MOST_BYTES", n_bytes - 1)
    evidence.cluster_uncertainty(again)
    assert again.canonical.remembered(reliability._TABLE) is None


def test_a_choice_of_a_choice_and_one_of_the_canonical_form_are_taken_back_too(counted):
    whole = Ensemble.from_labels(labels_of())
    evidence.cluster_uncertainty(whole)
    fewer = whole.select(np.arange(1, 20))
    evidence.cluster_uncertainty(fewer)
    for part in (fewer.select(np.arange(2, 19)), whole.canonical.select(np.arange(18))):
        found, again = evidence.cluster_uncertainty(part), Ensemble.from_labels(part.labels)  # by other numbers
        assert (found[part.cluster_index] == evidence.cluster_uncertainty(again)[again.cluster_index]).all()
    assert counted == [0, 1, 2, 0, 2, 0]


@pytest.mark.parametrize("kept", [np.arange(10), [*range(19), 3]])
def test_of_few_that_are_kept_and_of_one_that_comes_twice_all_is_counted(counted, kept):
    whole = Ensemble.from_labels(labels_of())
    evidence.cluster_uncertainty(whole)
    some = whole.select(kept)
    assert evidence.cluster_uncertainty(some) == pytest.approx(naive.cluster_uncertainty(some.labels))
    assert counted == [0, 0]


def test_an_ensemble_keeps_neither_the_one_it_was_chosen_from_nor_takes_it_along(counted):
    whole = Ensemble.from_labels(labels_of())
    evidence.cluster_uncertainty(whole)
    some = whole.select(np.arange(1, 20))
    assert len(pickle.dumps(some)) < len(pickle.dumps(whole)), "with its canonical form"
    expected = evidence.cluster_uncertainty(pickle.loads(pickle.dumps(some)))
    del whole
    gc.collect()
    assert some.choice is None
    assert (evidence.cluster_uncertainty(some) == expected).all()
    assert counted == [0, 0, 0]


def test_a_method_and_a_page_ask_once(counted):
    ensemble = Ensemble.from_labels(labels_of())
    run_consensus("lwea", ensemble, 3)
    evidence.cluster_uncertainty(ensemble)
    assert counted == [0]


def test_a_column_of_identifiers_takes_no_square_of_their_number():
    rows = np.arange(200_000)  # a square of these numbers would take 300 GiB
    ensemble = Ensemble.from_labels(np.column_stack([rows % 3, rows, rows % 4]))
    found = evidence.cluster_uncertainty(ensemble)
    assert found[:3] == pytest.approx(np.log2(200_000 / 3) + 2, abs=1e-4)
    assert (found[3:-4] == 0).all()


def test_a_cut_by_reliability_hangs_on_no_scale():
    """However small theta is, there is a cluster that weighs 1."""
    ensemble = Ensemble.from_labels(random_labels(120, 10, 3, noise=0.2))
    assert evidence.ensemble_driven_cluster_index(ensemble, 1e-6).max() == 0
    sizes = [np.bincount(run_consensus("lwgp", ensemble, 3, {"theta": theta}).labels) for theta in (1e-3, 9e-4)]
    assert min(map(min, sizes)) > 20
    relative = reliability.relative_eci(evidence.cluster_uncertainty(ensemble), 1e-6, 10)
    assert (relative.max(), relative.min()) == (1, 0)
