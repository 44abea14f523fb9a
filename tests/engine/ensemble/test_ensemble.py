import copy
import io
import json
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    Ensemble,
    Graph,
    InvalidEnsembleError,
    InvalidParameterError,
    confidence,
    leave_one_out,
    load_ensemble,
    save_ensemble,
)
from engine.ensemble.renumbering import renumber_columns
from engine.generators import known_generators, make_ensemble
from engine.renumbering import first_appearance
from engine.selection import chance
from tests.strategies import label_matrices, random_labels


@given(label_matrices())
def test_columns_are_numbered_by_first_appearance(labels):
    ensemble = Ensemble.from_labels(labels)
    for given_column, column in zip(labels.T, ensemble.labels.T, strict=True):
        seen = list(dict.fromkeys(given_column.tolist()))
        assert column.tolist() == [seen.index(value) for value in given_column]


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shift", [0, -3, 10**9])  # numbers to count by, and others
def test_many_columns_are_numbered_as_each_alone(order, shift):
    drawn = np.random.default_rng(0).integers(0, 9, (700, 401))  # several threads, several rounds of rows
    matrix = np.minimum(drawn, np.arange(700)[:, None] // 80) + shift  # in later rows clusters come that are new
    found = renumber_columns(np.asarray(matrix, order=order))
    for column, own in zip(matrix.T[::50], found.T[::50], strict=True):
        _, first, codes = np.unique(column, return_index=True, return_inverse=True)
        assert (own == np.argsort(np.argsort(first))[codes]).all()


@given(label_matrices(), st.integers(-5, 5))
def test_label_names_do_not_matter(labels, shift):
    renamed = Ensemble.from_labels(labels * 7 + shift, missing=None)
    assert renamed.fingerprint == Ensemble.from_labels(labels).fingerprint


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.int64, np.float64, str, bool])
def test_any_kind_of_label_is_read(dtype):
    labels = np.array([[0, 1], [1, 1], [0, 0]])
    assert Ensemble.from_labels(labels.astype(dtype)).labels.tolist() == [[0, 0], [1, 0], [0, 1]]


@given(label_matrices())
def test_microclusters_are_the_distinct_rows(labels):
    micro = Ensemble.from_labels(labels).microclusters
    objects = list(map(tuple, labels.tolist()))
    rows = [objects[i] for i in micro.representatives]
    assert len(set(rows)) == len(rows)
    assert micro.assignment.tolist() == [rows.index(row) for row in objects]
    assert micro.sizes.tolist() == [objects.count(row) for row in rows]
    assert micro.representatives.tolist() == [objects.index(row) for row in rows]


def test_colliding_hashes_are_told_apart():
    labels = np.arange(40_000).reshape(-1, 1) % 20_011
    assert len(Ensemble.from_labels(labels).microclusters) == 20_011


@given(label_matrices())
def test_incidence_and_sizes_agree(labels):
    ensemble = Ensemble.from_labels(labels)
    assert ensemble.incidence.sum(axis=0).tolist() == ensemble.cluster_sizes.tolist()
    assert (ensemble.incidence.sum(axis=1) == labels.shape[1]).all()
    assert ensemble.n_clusters_total == ensemble.incidence.shape[1] == ensemble.offsets[-1]


def test_expand_matrix_is_a_window_of_the_expanded_matrix():
    ensemble = Ensemble.from_labels(random_labels())
    micro = ensemble.microclusters
    matrix = np.random.default_rng(1).random((len(micro), len(micro)))
    full = matrix[micro.assignment][:, micro.assignment]
    assert (micro.expand_matrix(matrix, [5, 2], range(60)) == full[[5, 2]]).all()


def test_everything_is_read_only():
    ensemble = Ensemble.from_labels(random_labels())
    for array in (
        ensemble.labels,
        ensemble.offsets,
        ensemble.cluster_index,
        ensemble.microclusters.assignment,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_the_input_is_not_touched_or_shared():
    labels = random_labels()
    before = labels.copy()
    ensemble = Ensemble.from_labels(labels)
    labels[:] = 0
    assert (first_appearance(before[:, 0]) == ensemble.labels[:, 0]).all()


def test_values_on_clusters_return_to_the_order_given():
    ensemble = Ensemble.from_labels(random_labels())
    values = ensemble.canonical.cluster_sizes
    assert (ensemble.in_given_order(values) == ensemble.cluster_sizes).all()
    assert not (values == ensemble.cluster_sizes).all()


def test_select_keeps_columns_and_memberships():
    labels = np.array([[0, 0, 1], [1, 0, 0], [1, 1, 0]])
    ensemble = Ensemble.from_labels(labels, memberships=np.arange(18).reshape(3, 6) / 18)
    part = ensemble.select([2, 0])
    assert part.labels.tolist() == [[0, 0], [1, 1], [1, 1]]
    assert (part.memberships == ensemble.memberships[:, [4, 5, 0, 1]]).all()
    assert (ensemble.select([True, False, True]).labels == ensemble.labels[:, [0, 2]]).all()
    with pytest.raises(InvalidEnsembleError, match="at least 1"):
        ensemble.select(np.zeros(3, bool))


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([1, 2, 3], r"Got shape \(3,\)"),
        ({"a": [1, 2]}, "Got one value of type dict"),
        (np.zeros((2, 2, 2)), "matrix"),
        ([[1, 2]], "at least 2 rows"),
        (np.zeros((3, 0)), "at least 2 rows"),
        ([[0.5], [1.0]], r"0\.5 in row 1, column 1"),
        ([[1.0], [np.nan]], "1 without any, in row 2"),
        ([[1.0], [np.inf]], "inf in row 2"),
        (np.array([[1], [{}]], dtype=object), "in row 2, column 1"),
        ([[1j], [2]], "dtype complex128"),
    ],
)
def test_what_is_no_ensemble_is_refused_with_the_reason(labels, words):
    with pytest.raises(InvalidEnsembleError, match=words):
        Ensemble.from_labels(labels)


@pytest.mark.parametrize("soft", [np.ones((3, 3)), -np.ones((3, 4)), np.full((3, 4), np.nan)])
def test_memberships_must_fit(soft):
    with pytest.raises(InvalidEnsembleError, match="memberships"):
        Ensemble.from_labels([[0, 0], [1, 1], [1, 1]], memberships=soft)


def test_memberships_stay_where_all_objects_do():
    """So methods that need none can be drawn again where labels are missing."""
    rng = np.random.default_rng(0)
    labels = np.stack([np.where(rng.random(40) < 0.1, 1, 0) ^ np.repeat([0, 1], 20) for _ in range(8)], axis=1)
    labels[rng.random(labels.shape) < 0.2] = -1
    soft = np.hstack([np.where(column[:, None] == [0, 1], 0.8, 0.2) for column in labels.T])
    soft[:, ::2] = 1 - soft[:, 1::2]
    ensemble = Ensemble.from_labels(labels, soft)
    whole, some = ensemble.of_objects(np.arange(40)), ensemble.of_objects(np.arange(39))
    assert whole.memberships.tobytes() == ensemble.memberships.tobytes()
    assert some.memberships is None
    part, objects = ensemble.seen_by([0, 1])
    hard = Ensemble.from_labels(labels)
    assert part.labels.tobytes() == hard.seen_by([0, 1])[0].labels.tobytes()
    assert len(objects) < 40
    assert np.isfinite(leave_one_out("eac", ensemble, 2)).all()
    assert confidence.resampled(ensemble, "eac", 2, repeats=5).partitions.shape[0] == 40
    assert np.isfinite(chance(ensemble, "eac", 4, 2, draws=3).values).all()


def test_an_object_is_once_in_a_graph():
    graph = Graph.of_edges([0, 1, 2, 0], [1, 2, 3, 3])
    ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 0]], graph=graph)
    with pytest.raises(InvalidParameterError, match="nodes of a graph must be chosen at most once"):
        ensemble.of_objects([0, 0, 1, 2])


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.float64])
def test_memberships_follow_the_numbers_of_the_labels(dtype):
    """A column for every label in ascending order becomes one for every cluster by first appearance."""
    labels = np.array([[5, 0], [2, 1], [9, 1], [5, 0]], dtype)
    soft = np.array([[0.1, 0.7, 0.2, 0.9, 0.1], [0.8, 0.1, 0.1, 0.2, 0.8], [0, 0.3, 0.7, 0, 1], [0.2, 0.8, 0, 1, 0]])
    made = Ensemble.from_labels(labels, memberships=soft)
    np.testing.assert_array_equal(made.memberships, soft[:, [1, 0, 2, 3, 4]])
    words = Ensemble.from_labels([["b", "x"], ["a", "y"], ["c", "y"], ["b", "x"]], memberships=soft)
    np.testing.assert_array_equal(words.memberships, soft)
    gaps = Ensemble.from_labels([[5, 0], [-1, 1], [2, 1], [5, 0]], memberships=soft[:, :4])
    np.testing.assert_array_equal(gaps.memberships, soft[:, [1, 0, 2, 3]])
    for nothing in (None, pd.NA):
        mixed = Ensemble.from_labels([["b", 0], ["a", nothing], ["a", -2], ["b", 0]], memberships=soft[:, :4])
        np.testing.assert_array_equal(mixed.memberships, soft[:, [0, 1, 3, 2]])
    nullable = pd.DataFrame(labels.astype(int), dtype="Int64")
    np.testing.assert_array_equal(Ensemble.from_labels(nullable, soft).memberships, made.memberships)


def test_clusters_of_one_object_are_found_from_half_on():
    objects = np.arange(12)
    assert Ensemble.from_labels(np.stack([objects, objects // 6], axis=1)).finding.startswith(
        "The base clusterings have 14 clusters for 24 labels: 12 of them are one object"
    )
    assert not Ensemble.from_labels(np.stack([objects // 2, objects // 2], axis=1)).finding
    assert not Ensemble.from_labels([[0, 0, 1], [0, 1, 0], [1, 0, 0]]).finding  # 6 for 9 labels, half of them of two


def test_an_ensemble_says_which_columns_of_the_first_one_it_kept():
    whole = Ensemble.from_labels(np.arange(12).reshape(3, 4) % 3, provenance={"seed": 5})
    twice = whole.select([3, 1, 2]).select([2, 0])
    assert twice.provenance == {"seed": 5, "kept": [2, 3]}
    assert (twice.labels == whole.labels[:, [2, 3]]).all()
    gaps = Ensemble.from_labels([[0, -1, 0], [1, -1, 0], [0, 0, 1], [1, 1, 1]])
    assert gaps.of_objects([0, 1]).provenance == {"kept": [0, 2]}  # the second labels neither
    assert gaps.of_objects([0, 2, 3]).provenance == {}


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_may_only_be_read_as_well(copied):
    """A label that was changed in one was answered from what was known before."""
    ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1]], np.eye(4)[[0, 0, 1]])
    assert len(ensemble.microclusters) == 2
    other = copied(ensemble)
    assert other.fingerprint == ensemble.fingerprint
    for array in (other.labels, other.memberships):
        with pytest.raises(ValueError, match="read-only"):
            array[1] = 1


@pytest.mark.parametrize("key", known_generators())
def test_what_an_ensemble_is_made_of_can_be_saved_whatever_the_seed_is(key):
    points = np.random.default_rng(0).normal(size=(40, 3))
    made = make_ensemble(key, points, 2, seed=np.uint32(3))
    file = io.BytesIO()
    save_ensemble(made, file)
    file.seek(0)
    read = load_ensemble(file)
    assert (read.provenance, read.provenance["seed"]) == (json.loads(json.dumps(made.provenance)), 3)
