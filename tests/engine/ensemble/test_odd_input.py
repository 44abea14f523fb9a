"""Legal input in odd forms: masks, memory order, nothing at all, and names that are no small numbers."""

import io

import numpy as np
import pytest
from scipy import sparse

import data
from engine import (
    Ensemble,
    Graph,
    InvalidEnsembleError,
    InvalidParameterError,
    consensus_of_sample,
    leave_one_out,
    load_ensemble,
    run_consensus,
    save_ensemble,
)
from engine.choosing_k import choose_k
from engine.choosing_method import choose_method
from engine.confidence import extended, nearest_base_labels, predict, stability
from engine.estimators import EnsembleClustering
from engine.generators import draw, kmeans_ensemble, leiden_ensemble, make_ensemble
from engine.metrics import ari
from engine.selection import chance, enough
from engine.tables import labels_csv
from tests.engine.communities.test_leiden import planted
from tests.strategies import random_labels

POINTS = np.random.default_rng(0).normal(size=(40, 2)) + np.repeat([[0], [5]], 20, axis=0)
MADE = kmeans_ensemble(POINTS, 5, (2, 4), seed=1)
FEW = Ensemble.from_labels([[0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 2, 1], [1, 2, 0]])


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(
    "asked",
    [
        lambda given: kmeans_ensemble(given, 5),
        lambda given: make_ensemble("lac", given, 3),
        lambda given: choose_k(MADE, k_max=3, features=given, effort="quick"),
        lambda given: choose_method(MADE, 2, given, methods=["eac"]),
        lambda given: nearest_base_labels(MADE, given, POINTS[:2]),
        lambda given: nearest_base_labels(MADE, POINTS, given),
        lambda given: EnsembleClustering(n_clusters=2, random_state=0).fit(given),
        lambda given: EnsembleClustering(n_clusters=2, random_state=0).fit(POINTS).predict(given),
    ],
)
def test_a_feature_that_a_mask_hides_is_not_taken_for_measured(asked, whole):
    given = np.ma.array((100 * POINTS).astype(int) if whole else POINTS)
    given[3, 1] = np.ma.masked
    with pytest.raises(ValueError, match=r"(?i)finite|nan"):
        asked(given)


def test_memberships_in_any_order_of_memory_are_the_same_ensemble():
    made = make_ensemble("lac", POINTS, 3, seed=1, n_classes=2)
    other = Ensemble.from_labels(made.labels, np.asfortranarray(made.memberships))
    assert other.fingerprint == made.fingerprint
    file = io.BytesIO()
    save_ensemble(other, file)
    file.seek(0)
    assert load_ensemble(file).fingerprint == made.fingerprint


@pytest.mark.parametrize("name", ["select", "seen_by", "of_objects"])
def test_of_nothing_there_is_no_ensemble(name):
    with pytest.raises(InvalidEnsembleError):
        getattr(FEW, name)([])


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([4.0, 9.0], [4, 9]),
        ([True, False], [1, 0]),
        ([-3, 2**31 - 1], [-3, 2**31 - 1]),
        (np.array([9, 2], dtype=object), [9, 2]),
    ],
)
def test_predictions_have_the_names_of_the_partition(names, expected):
    assert predict(FEW, np.repeat(names, [2, 3]), [[0, 0, 0], [1, 1, 1]]).labels.tolist() == expected


def test_who_is_extended_to_has_the_names_that_were_given():
    for names in ([9, 2], np.array([9, 2], dtype=object), np.array([9.0, 2.0])):
        assert extended(FEW, [0, 4], names).labels.tolist()[::4] == [9, 2]


@pytest.mark.parametrize("names", [[2**32 + 7, 7], [0.5, 0.7], ["a", "b"]])
def test_names_that_would_become_one_are_refused(names):
    with pytest.raises(InvalidParameterError, match="whole numbers of 32 bits"):
        predict(FEW, np.repeat(np.array(names), [2, 3]), [[0, 0, 0], [1, 1, 1]])


@pytest.mark.long
def test_methods_that_find_k_are_drawn_again_and_chosen_for():
    made = leiden_ensemble(planted(60, 3)[0], 6, seed=7)
    assert stability(made, "ecg", None, repeats=4).shape == (60,)
    assert leave_one_out("ecg", made, 50).tolist() == leave_one_out("ecg", made, None).tolist()  # k is of no account
    assert len(chance(made, "ecg", 3, None, draws=4).values) == 4
    assert enough(made, "ecg", None, repeats=4) is not None


def test_no_order_of_rows_or_columns_decides_what_is_drawn():
    labels = random_labels(60, 8, 4, noise=0.4)
    one, other = Ensemble.from_labels(labels), Ensemble.from_labels(labels[:, ::-1])
    assert stability(one, "eac", 3, repeats=10).tolist() == stability(other, "eac", 3, repeats=10).tolist()


@pytest.mark.parametrize("seed", range(4))
def test_no_order_of_rows_or_columns_decides_who_joins_a_sample(seed):
    rng = np.random.default_rng(seed)
    labels, rows = rng.integers(0, 4, (200, 4)), rng.permutation(200)  # many ties, many objects that are alike
    given, mixed = Ensemble.from_labels(labels), Ensemble.from_labels(labels[rows][:, ::-1])
    found = consensus_of_sample("eac", given, 3, 60).labels
    assert ari(consensus_of_sample("eac", mixed, 3, 60).labels, found[rows]) == 1
    assert all(len(np.unique(found[(labels == one).all(axis=1)])) == 1 for one in labels)


def test_draws_are_the_same_ensembles_in_any_order_of_rows_and_columns():
    labels, rng = random_labels(30, 6, 4, noise=0.5), np.random.default_rng(2)
    labels[rng.random(labels.shape) < 0.2] = -1
    labels[(labels < 0).all(axis=1), 0] = 0
    rows, columns = rng.permutation(30), rng.permutation(6)
    one, other = Ensemble.from_labels(labels), Ensemble.from_labels(labels[rows][:, columns])
    first, objects = one.drawn(one.form.clusterings[[4, 1, 1]])
    second, others = other.drawn(other.form.clusterings[[1, 4, 1]])
    assert (first.labels == second.labels).all()
    assert (labels[objects] == labels[rows][others]).all()
    assert sorted(objects) == one.seen_by(one.form.clusterings[[4, 1, 1]])[1].tolist()


def test_a_file_of_another_kind_is_not_to_be_trusted(tmp_path):
    (tmp_path / "labels.csv").write_text("0,1\n1,0\n" * 20)
    with pytest.raises(InvalidEnsembleError, match="undamaged. Got a file of another kind$"):
        load_ensemble(tmp_path / "labels.csv")


def test_provenance_of_ones_own_is_for_display_alone():
    for kept in ([7], "all", {"a": 1}):
        made = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]], provenance={"kept": kept})
        assert made.select([1]).provenance["kept"] == [1]
        assert made.select([1]).labels.ravel().tolist() == [0, 1, 1]


def test_a_toss_by_a_seed_of_any_size_is_kept():
    file = io.BytesIO()
    tossed = Ensemble.from_labels([[0, 0], [0, 1], [1, 0], [1, 1]]).tossed(2**70)
    save_ensemble(tossed, file)
    file.seek(0)
    assert load_ensemble(file).toss == tossed.toss == 2**70


def test_entries_of_one_cell_are_summands():
    several = sparse.coo_array(([1.0, 2.0], ([0, 0], [1, 1])), shape=(2, 2))
    assert Graph.of_matrix(several).weights.tolist() == Graph.of_matrix(several.toarray()).weights.tolist() == [3.0]
    assert several.nnz == 2  # what was given stays as it is


def test_a_pool_is_read_as_an_ensemble_is():
    mixed = [[1.0, "x"], [1, "y"], [2, "x"], [2, "y"]]
    drawn = draw(mixed, 2, seed=1)
    columns = drawn.provenance["columns"]
    assert drawn.labels.tolist() == Ensemble.from_labels(mixed).labels[:, columns].tolist()


@pytest.mark.parametrize("theta", [0.005, 0.002, 0.001, 1e-300])
def test_lwgp_answers_where_hardly_any_cluster_counts(theta):
    """Weights whose reciprocal is no number made the embedding none."""
    ensemble = kmeans_ensemble(data.scale(data.load("wine").features, "standard"), 20, seed=7)
    assert run_consensus("lwgp", ensemble, 3, {"theta": theta}).n_clusters == 3


def test_no_column_stands_in_for_labels_or_objects():
    for name in ("label", "object"):
        with pytest.raises(ValueError, match=f"names of their own. Got {name}"):
            labels_csv([0, 1], {name: [9.0, 9.0]})
