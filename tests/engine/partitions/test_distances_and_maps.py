"""Distances between partitions and their maps, against the slow way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.manifold import smacof

from engine import Ensemble, InvalidParameterError
from engine.confidence import element_centric_consistency
from engine.ensemble import clusters
from engine.evidence import clustering_agreement
from engine.partitions import DISTANCES, distances_to, map_with, partition_distances, partition_map, stress_scree
from tests import naive_selection as naive
from tests.engine.selection.test_selecting import twelve

SLOW = {
    "vi": naive.variation_of_information,
    "nmi": lambda a, b: 1 - naive.nmi_max(a, b),
    "element_centric": naive.element_centric,
}


def drawn(points):
    return np.linalg.norm(points[:, None] - points, axis=2)


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("seed", range(3))
def test_distances_are_those_of_the_formulas(distance, seed, missing):
    labels = twelve(seed, missing=missing).labels
    found = partition_distances(labels, distance)
    columns = labels.T.tolist()
    wanted = [[SLOW[distance](a, b) for b in columns] for a in columns]
    assert found == pytest.approx(np.array(wanted), abs=1e-9)


def test_distances_are_those_of_the_rooms_that_know_two_of_them():
    made = twelve(4)
    assert partition_distances(made.labels, "nmi") == pytest.approx(1 - clustering_agreement(made))
    consistency = element_centric_consistency(made.labels[:, :2]).mean()
    assert partition_distances(made.labels, "element_centric")[0, 1] == pytest.approx(1 - consistency)


@pytest.mark.parametrize("missing", [0.0, 0.4])
@pytest.mark.parametrize("distance", DISTANCES)
@pytest.mark.parametrize("n_cells", [1 << 23, 30])
def test_distances_to_one_are_those_of_all(monkeypatch, distance, missing, n_cells):
    made = twelve(3, missing=missing)
    monkeypatch.setattr(clusters, "_CELLS", n_cells)  # tables of one or a few base clusterings
    for other in (made.labels[:, 1], twelve(5, missing=missing).labels[:, 0], np.zeros(12, int), np.arange(12)):
        wanted = partition_distances(np.column_stack([made.labels, other]), distance)[-1, :-1]
        assert distances_to(made, other, distance) == pytest.approx(wanted, abs=1e-12)
    wanted = partition_distances(np.column_stack([made.labels, [0, 1, -1] * 4]), distance)[-1, :-1]
    for same in (
        ["b", "a", None],
        ["b", "a", ""],
        [7.0, 3.0, np.nan],
        np.ma.array([4, 5, 6], mask=[False, False, True]),
    ):
        several = np.ma.concatenate([same] * 4) if isinstance(same, np.ma.MaskedArray) else same * 4
        assert distances_to(made, several, distance) == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("distance", DISTANCES)
def test_one_that_shares_no_object_with_some_is_as_far_as_an_independent_one(distance):
    labels = np.array([[0, -1, 0], [1, -1, 1], [2, -1, 0], [-1, 0, 1], [-1, 0, 0], [-1, 1, 1]])
    other = np.array([0, 0, 1, -1, -1, -1])
    wanted = partition_distances(np.column_stack([labels, other]), distance)[-1, :-1]
    assert distances_to(Ensemble.from_labels(labels), other, distance) == pytest.approx(wanted, abs=1e-12)


def test_a_partition_that_is_one_of_them_is_at_no_distance():
    labels = np.random.default_rng(0).integers(0, 7, (997, 30))
    made = Ensemble.from_labels(labels)
    assert [distances_to(made, one)[m] for m, one in enumerate(labels.T)] == [0.0] * 30


def test_one_label_an_object_is_needed():
    with pytest.raises(InvalidParameterError, match=r"partition must have shape \(12,\). Got \(11,\)"):
        distances_to(twelve(0), np.zeros(11, int))
    with pytest.raises(InvalidParameterError, match="distance must be one of"):
        distances_to(twelve(0), np.zeros(12, int), "ari")


def test_partitions_that_share_no_object_are_as_far_as_independent_ones():
    apart = np.array([[0, -1], [1, -1], [-1, 0], [-1, 1], [-1, 2], [-1, 3]])
    assert {name: partition_distances(apart, name)[0, 1] for name in DISTANCES} == {
        "vi": 3.0,
        "nmi": 1.0,
        "element_centric": 1.0,
    }


@settings(deadline=None, max_examples=40)
@given(rows=st.lists(st.tuples(*[st.integers(0, 3)] * 4), min_size=2, max_size=12))
def test_variation_of_information_is_a_metric(rows):
    found = partition_distances(np.array(rows))
    assert (found == found.T).all()
    assert (found.diagonal() == 0).all()
    assert (found[:, None, :] <= found[:, :, None] + found[None, :, :] + 1e-9).all()


def test_an_unknown_distance_is_refused():
    with pytest.raises(InvalidParameterError, match="distance must be one of vi, nmi, element_centric. Got 'ari'"):
        partition_distances([[0, 1], [1, 0]], "ari")


def test_points_of_a_plane_come_out_again():
    points = np.random.default_rng(0).normal(size=(30, 2)) * [3, 1]
    found = partition_map(drawn(points))
    assert found.stress < 1e-6
    assert drawn(found.points) == pytest.approx(drawn(points), abs=1e-5)
    assert found.points.var(axis=0)[0] > found.points.var(axis=0)[1]
    assert found.points.mean(axis=0) == pytest.approx([0, 0], abs=1e-9)
    assert (found.points[np.abs(found.points).argmax(axis=0), [0, 1]] > 0).all()


@pytest.mark.parametrize("seed", range(4))
def test_stress_is_that_of_the_formula_and_as_low_as_that_of_sklearn(seed):
    distances = partition_distances(twelve(seed).labels)
    found = partition_map(distances)
    upper = np.triu_indices(len(distances), 1)
    lengths = drawn(found.points)[upper]
    assert found.stress == pytest.approx(np.sqrt(((distances[upper] - lengths) ** 2).sum() / (lengths**2).sum()))
    options = {"normalized_stress": False, "n_init": 8, "random_state": 0, "eps": 1e-9, "init": None}
    theirs, _ = smacof(distances, **options)[:2]
    lengths = drawn(theirs)[upper]
    assert found.stress < np.sqrt(((distances[upper] - lengths) ** 2).sum() / (lengths**2).sum()) + 0.03


def test_a_map_is_the_same_every_time_and_follows_the_order_of_partitions():
    distances = partition_distances(twelve(2, m=9).labels)
    found, again = partition_map(distances), partition_map(distances.copy())
    assert (found.points == again.points).all()
    order = np.random.default_rng(1).permutation(9)
    assert partition_map(distances[np.ix_(order, order)]).points == pytest.approx(found.points[order], abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_partitions_that_come_later_move_none_and_stand_where_stress_is_least(seed):
    distances = partition_distances(twelve(seed, m=12).labels)
    base = partition_map(distances[:9, :9])
    assert base.spans
    found = map_with(base, distances[9:])
    assert (found.points[:9] == base.points).all()
    upper = np.triu_indices(12, 1)

    def errors(points):
        return ((distances[upper] - drawn(points)[upper]) ** 2).sum()

    assert found.stress == pytest.approx(np.sqrt(errors(found.points) / (drawn(found.points)[upper] ** 2).sum()))
    for place in range(9, 12):  # where a mark stands, no step of any size is downhill by more than the rule of the end
        for step in np.random.default_rng(seed).normal(size=(40, 2)) * np.geomspace(1e-3, 3, 40)[:, None]:
            moved = found.points.copy()
            moved[place] += step
            assert errors(moved) > errors(found.points) * 0.98
    order = np.r_[np.random.default_rng(seed).permutation(9), 9:12]
    again = map_with(partition_map(distances[np.ix_(order[:9], order[:9])]), distances[np.ix_(order[9:], order)])
    assert again.points == pytest.approx(found.points[order], abs=1e-6)


def test_a_partition_that_is_one_of_them_stands_on_it():
    plane = np.random.default_rng(0).normal(size=(8, 2)) * [3, 1]
    distances = drawn(np.vstack([plane, plane[2], [0.3, 0.2]]))
    found = map_with(partition_map(distances[:8, :8]), distances[8:])
    assert found.stress < 1e-3
    assert found.points[8] == pytest.approx(found.points[2], abs=1e-2)


def test_a_map_on_a_line_holds_no_others():
    distances = partition_distances(twelve(0, m=5).labels)
    for few in (1, 2):
        assert not partition_map(distances[:few, :few]).spans
        with pytest.raises(InvalidParameterError, match="must span their space"):
            map_with(partition_map(distances[:few, :few]), distances[few:])


@pytest.mark.parametrize("given", [np.zeros((0, 3)), np.ones((2, 4)), [1, 2, 3], [[1, 1, 1, 1]], [[1, 1, np.inf, 0]]])
def test_distances_of_others_are_to_all_and_among_themselves(given):
    with pytest.raises(InvalidParameterError, match="distances must be"):
        map_with(partition_map(drawn(np.array([[0, 0], [0, 1], [1, 0]]))), given)


def test_more_dimensions_have_less_stress():
    scree = stress_scree(partition_distances(twelve(3).labels), 4)
    assert (np.diff(scree) < 0.01).all()
    assert scree[0] > 2 * scree[-1]


def test_one_two_and_equal_partitions_have_a_map():
    assert partition_map([[0.0]]).points.tolist() == [[0.0, 0.0]]
    two = partition_map([[0, 2], [2, 0]])
    assert np.sort(two.points, axis=0) == pytest.approx(np.array([[-1, 0], [1, 0]]))
    same = partition_map(np.zeros((4, 4)))
    assert (same.stress, np.abs(same.points).max()) == (0, 0)
    copies = partition_distances(np.array([[0, 0, 0, 1], [0, 0, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0]]))
    found = partition_map(copies).points
    assert found[0] == pytest.approx(found[1], abs=1e-9)


@pytest.mark.parametrize(
    ("distances", "words"),
    [
        (np.zeros((2, 3)), "square matrix"),
        ([[0, -1], [-1, 0]], "values from 0"),
        ([[0, np.nan], [np.nan, 0]], "finite"),
        ([[0, 1], [2, 0]], "symmetric"),
        ([[1, 1], [1, 0]], "0 on the diagonal"),
    ],
)
def test_what_are_no_distances_is_refused(distances, words):
    with pytest.raises(InvalidParameterError, match=words):
        partition_map(distances)
    with pytest.raises(InvalidParameterError, match="dimensions must be an integer of at least 1. Got 0"):
        partition_map(np.zeros((2, 2)), 0)
    for most in (0, -1, 2.5, True, None):
        with pytest.raises(InvalidParameterError, match=f"most must be an integer of at least 1. Got {most}"):
            stress_scree(np.zeros((2, 2)), most)
