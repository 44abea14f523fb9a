"""k-means on labels: rounds and moves against the formulas, and what starts promise."""

import numpy as np
import pytest

from engine import Cancelled, Ensemble, run_consensus
from engine.medians import label_kmeans, label_means
from engine.partition import LabelRows, kmeans_on_labels
from tests import naive_medians
from tests.monitors import Heard
from tests.strategies import random_labels, same_partition

UTILITIES = ("U_c", "U_H", "NU_c", "NU_H", "SEC")


def method_of(utility):
    """Key and parameters of the method with this objective."""
    return ("sec", {"starts": 6}) if utility == "SEC" else ("kcc", {"utility": utility, "starts": 6})


def objective(labels, partition, utility):
    if utility == "SEC":
        return naive_medians.sec_objective(labels, partition)
    return naive_medians.kcc_objective(labels, partition, utility)


@pytest.mark.parametrize("utility", UTILITIES)
@pytest.mark.parametrize("seed", range(3))
def test_the_objective_is_that_of_the_formula_and_no_single_move_lowers_it(utility, seed):
    labels = random_labels(40, 5, 4, seed, noise=0.25)
    labels[:, 4] = 0  # a base clustering that says nothing
    ensemble = Ensemble.from_labels(labels)
    key, params = method_of(utility)
    result = run_consensus(key, ensemble, 4, params)
    reached = objective(labels.tolist(), result.labels.tolist(), utility)
    assert result.trace["objectives"].min() == pytest.approx(reached, rel=1e-12, abs=1e-12)
    assert result.trace["unsettled"] == 0
    for members in range(len(ensemble.microclusters)):
        for a in range(4):
            moved = np.where(ensemble.microclusters.assignment == members, a, result.labels)
            if len(set(moved.tolist())) == 4:
                assert objective(labels.tolist(), moved.tolist(), utility) > reached - 1e-9


@pytest.mark.parametrize("utility", UTILITIES)
def test_rounds_on_microclusters_are_rounds_on_objects(utility, monkeypatch):
    compared = 0
    for seed in range(8):
        labels = random_labels(60, 6, 3, seed, noise=0.3)
        ensemble = Ensemble.from_labels(labels).canonical
        rows = rows_of(ensemble, utility)
        drawn = []
        real = label_kmeans._one_run
        monkeypatch.setattr(label_kmeans, "_one_run", lambda *a, real=real, to=drawn: (to.append(a[2]), real(*a))[1])
        runs = kmeans_on_labels(rows, 3, 1, False, np.random.default_rng(seed))
        starts = ensemble.microclusters.representatives[drawn[0]].tolist()
        expected = naive_medians.labels_kmeans(ensemble.labels.tolist(), starts, utility)
        if expected is not None:
            compared += 1
            assert same_partition(ensemble.microclusters.expand(runs.labels), expected)
    assert compared >= 5


def rows_of(ensemble, utility):
    """Rows as the methods make them."""
    if utility == "SEC":
        degrees = ensemble.cluster_sizes[ensemble.clusters.ids].reshape(-1, ensemble.n_clusterings).sum(axis=1)
        return LabelRows.of(ensemble, spread=degrees)
    weights = naive_medians.kcc_weights(ensemble.labels.tolist(), utility)
    return LabelRows.of(ensemble, weights=weights, entropic=utility.endswith("H"))


@pytest.mark.parametrize("utility", UTILITIES)
def test_moves_never_cost_and_an_emptied_cluster_is_made_anew(utility):
    labels = random_labels(300, 8, 6, 3, noise=0.5)
    rows = rows_of(Ensemble.from_labels(labels).canonical, utility)
    plain, polished = (kmeans_on_labels(rows, 40, 10, polish, np.random.default_rng(0)) for polish in (False, True))
    assert (polished.totals >= plain.totals - 1e-9).all()
    assert polished.totals.max() > plain.totals.max()
    assert set(polished.labels.tolist()) == set(range(40))


def test_a_cluster_that_empties_gets_the_costliest_that_is_not_alone_and_is_counted():
    ids = np.array([[0, 2], [1, 3], [0, 2], [1, 3], [0, 3]], np.int32)  # two base clusterings: 0, 1 and 2, 3
    sizes, ones = np.array([4, 4, 4, 4, 1]), np.ones(5)
    labels = np.array([0, 0, 1, 1, 2], np.int32)  # the centres of 0 and 1 are alike
    counts, mass, members = np.empty((4, 3)), np.empty(3), np.empty(3, np.int64)
    label_means.tally_kernel(ids, sizes, ones, labels, counts, mass, members)
    counts[:, 2], mass[2] = counts[:, 1], mass[1]  # and that of 2 is too
    arrays = (ids, sizes, ones, ones[:4], ones[:0], labels, counts, mass, members, np.empty((4, 3)))
    assert label_means.round_kernel(*arrays) == (3, 2)
    assert labels.tolist() == [1, 2, 0, 0, 0]  # all went to 0, the lowest; the first two cost as much as any
    assert counts.T.tolist() == [[5, 4, 4, 5], [4, 0, 4, 0], [0, 4, 0, 4]]
    assert mass.tolist() == [9, 4, 4]


@pytest.mark.parametrize("utility", UTILITIES)
@pytest.mark.parametrize("missing", [False, True])
def test_swaps_begin_where_a_start_ends_and_never_cost(utility, missing):
    labels = random_labels(120, 8, 5, 2, noise=0.5)
    if missing:
        labels[np.random.default_rng(0).random(labels.shape) < 0.1] = -1
    ensemble = Ensemble.from_labels(labels).canonical
    rows = LabelRows.of(ensemble, entropic=utility.endswith("H")) if missing else rows_of(ensemble, utility)
    plain, swapped = (kmeans_on_labels(rows, 5, 6, True, np.random.default_rng(0), n_swaps=n) for n in (0, 8))
    assert (swapped.totals >= plain.totals).all()
    assert swapped.totals.min() > plain.totals.min()
    assert set(swapped.labels.tolist()) == set(range(5))


def test_a_cluster_of_one_is_not_swapped_away():
    rows = LabelRows.of(Ensemble.from_labels(np.arange(6)[:, None]))
    assert sorted(kmeans_on_labels(rows, 6, 2, True, np.random.default_rng(0), n_swaps=5).labels) == list(range(6))
    labels = np.array([0, 1, 1], np.int32)
    assert not label_kmeans._swap(labels, 1, 0)
    assert label_kmeans._swap(labels, 0, 2)
    assert labels.tolist() == [-1, 1, 0]


@pytest.mark.parametrize(("n", "polish", "swaps"), [(100, True, 20), (1000, True, 4), (5000, True, 0), (9, False, 0)])
def test_kcc_swaps_less_the_more_microclusters_there_are(n, polish, swaps, monkeypatch):
    asked = []
    real = label_kmeans._one_run
    monkeypatch.setattr(label_kmeans, "_one_run", lambda *a: (asked.append(len(a[5])), real(*a))[1])
    labels = np.column_stack([np.arange(n), np.arange(n) % 3])
    run_consensus("kcc", Ensemble.from_labels(labels), 3, {"starts": 1, "polish": polish})
    assert asked == [swaps]


def test_runs_that_do_not_settle_are_counted(monkeypatch):
    monkeypatch.setattr(label_kmeans, "MAX_ROUNDS", 1)
    result = run_consensus("kcc", Ensemble.from_labels(random_labels(200, 6, 5, noise=0.5)), 9, {"polish": False})
    assert result.trace["unsettled"] == 8
    assert result.n_clusters == 9


def test_a_cancel_is_heard_inside_a_start():
    ensemble = Ensemble.from_labels(random_labels(200, 6, 5, noise=0.5))
    with pytest.raises(Cancelled):
        run_consensus(
            "sec", ensemble, 9, {"starts": 1}, monitor=Heard(lambda heard: heard.stages.count("trying starts") > 2)
        )


def test_a_cancel_is_heard_between_swaps(monkeypatch):
    swapped = []
    real = label_kmeans._swap
    monkeypatch.setattr(label_kmeans, "_swap", lambda *a: (swapped.append(a[1]), real(*a))[1])

    with pytest.raises(Cancelled):
        run_consensus(
            "kcc",
            Ensemble.from_labels(random_labels(60, 6, 5, noise=0.5)),
            5,
            {"starts": 1},
            monitor=Heard(lambda heard: swapped),
        )
    assert len(swapped) == 1
