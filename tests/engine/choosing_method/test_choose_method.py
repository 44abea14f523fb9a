"""Which method: criteria against the same on objects, honesty where there is nothing, and the table of the league."""

from collections import Counter
from itertools import count

import numpy as np
import pytest

import data
from engine import Cancelled, Ensemble, InvalidParameterError, consensus_methods, run_consensus
from engine.choosing_method import (
    choose_method,
    choosing,
    common,
    expected_losses,
    expected_ranks,
    known_criteria,
    league,
    null_answers,
    opinions,
    registry,
    tuning_losses,
)
from engine.choosing_method.calibration import (
    NEAREST,
    RANDOM,
    Ground,
    Placed,
    _chance_cut,
    random_partition,
    stupid_partitions,
    z_value,
)
from engine.choosing_method.criteria.other_answers import STABILITY, agreement
from engine.choosing_method.null_answers import structure_of_answers
from engine.choosing_method.opinions import Common
from engine.choosing_method.registry import drawn_objects
from engine.confidence import cluster_profile, element_centric_consistency
from engine.ensemble.renumbering import first_appearance, renumber_columns
from engine.generators import kmeans_ensemble
from engine.metrics import ari
from engine.monitor import SILENT
from tests.monitors import Heard, stopping_at_stage
from tests.strategies import random_labels

QUICK = ["eac", "lwea", "lwgp", "kcc", "usenc", "drec"]


def groups(seed, apart=7.0, n=150):
    """Three Gaussians in the plane, and their k-means ensemble."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 3
    points = rng.normal(size=(n, 2)) + apart * np.array([[0, 0], [1, 0], [0.4, 0.9]])[truth]
    return points, truth, kmeans_ensemble(points, 20, seed=seed)


def on_objects(labels, partition):
    """Indexes by their definition, on matrices between objects."""
    together = (labels[:, None, :] == labels[None, :, :]).mean(axis=2)
    same = partition[:, None] == partition[None, :]
    apart_from_self = ~np.eye(len(labels), dtype=bool)
    inside, outside = together[same & apart_from_self], together[~same]
    links = np.where(apart_from_self, together, 0)
    degrees, whole = links.sum(axis=1), links.sum()
    return {
        "separation": inside.mean() - outside.mean(),
        "modularity": float((links - np.outer(degrees, degrees) / whole)[same].sum() / whole),
    }


@pytest.mark.parametrize("seed", range(4))
def test_indexes_on_microclusters_are_those_on_objects(seed):
    labels = random_labels(60, 8, 4, seed, noise=0.3)
    ensemble = Ensemble.from_labels(labels)
    micro = ensemble.microclusters
    partition = run_consensus("lwea", ensemble, 4).labels.astype(np.int64)
    assert len(micro) < 60
    points = np.random.default_rng(seed).normal(size=(60, 3))
    placed = Placed(Ground.of(ensemble, points), partition[micro.representatives])
    found = {key: one.index(placed) for key, one in known_criteria().items() if one.index}
    profile = cluster_profile(ensemble, partition)
    expected = on_objects(labels, partition)
    expected |= {"margin": profile.margin.mean(), "silhouette": profile.silhouette.mean()}
    centres = np.array([points[partition == c].mean(axis=0) for c in range(4)])
    distances = np.linalg.norm(points[:, None] - centres, axis=2)
    near = distances[np.arange(60), partition]
    distances[np.arange(60), partition] = np.inf
    far = distances.min(axis=1)
    expected["feature_silhouette"] = ((far - near) / np.maximum(far, near)).mean()
    assert found == pytest.approx(expected)


def test_features_that_tell_no_drawn_objects_apart_are_none():
    ensemble, features = Ensemble.from_labels(random_labels(5000, 8, 3, noise=0.2)), np.zeros((5000, 2))
    features[0] = 1
    for seed in range(2):
        assert np.isfinite(structure_of_answers(ensemble, 3, features, seed=seed).null).all()


def test_an_object_alone_in_its_cluster_is_no_sign_of_a_good_one():
    ensemble, points = Ensemble.from_labels([[0, 0], [1, 1], [2, 2], [3, 2]]), np.array([[0.0], [1.0], [2.0], [2.2]])
    answer = np.array([0, 1, 2, 2])[ensemble.microclusters.representatives]
    placed = Placed(Ground.of(ensemble, points), answer)
    expected = (0 + 0 + (1 - 0.1 / 1) + (1 - 0.1 / 1.2)) / 4  # to the centres 0, 1 and 2.1
    found = known_criteria()["feature_silhouette"].index(placed)
    assert found == pytest.approx(expected)


def test_partitions_that_know_nothing_have_k_clusters_of_whole_microclusters():
    ensemble = Ensemble.from_labels(random_labels(80, 6, 4, 1, noise=0.4))
    ground, rng = Ground.of(ensemble, None), np.random.default_rng(0)
    for sizes in ([50, 20, 10], [27, 27, 26], [70, 5, 5]):
        found = random_partition(ground, np.array(sizes), rng)
        held = np.sort(np.bincount(found, weights=ground.sizes))[::-1]
        assert np.abs(held - sizes).max() <= 2 * ground.sizes.max()
    few = Ground.of(Ensemble.from_labels(np.repeat([[0, 0], [0, 1], [1, 1], [1, 0]], [40, 25, 10, 5], axis=0)), None)
    for sizes in ([78, 1, 1], [40, 40], [77, 1, 1, 1]):  # of one object, and no microcluster is as small
        assert all(random_partition(few, np.array(sizes), rng).max() + 1 == len(sizes) for _ in range(50))
    tree = run_consensus("eac", ensemble, 2).trace["dendrogram"]
    cuts = [_chance_cut(tree.merges, 5, rng) for _ in range(30)]
    assert all(set(one.tolist()) == set(range(5)) for one in cuts)
    assert len({one.tobytes() for one in cuts}) > 5


def test_chance_cuts_of_mirror_images_stand_where_the_others_do():
    """A run tosses anew which image is which: its tree is put back into the order of the microclusters at hand."""
    for seed in range(4):
        grid = np.stack(np.unravel_index(np.random.default_rng(seed).permutation(36), (6, 6)), axis=1)
        found = []
        for ensemble in (Ensemble.from_labels(grid), Ensemble.from_labels(grid).tossed(0)):
            ground = Ground.of(ensemble, None)
            cuts = stupid_partitions(ensemble, ground, 3, np.random.default_rng(1))[NEAREST:]
            found.append([first_appearance(cut[ensemble.microclusters.assignment]).tolist() for cut in cuts])
        assert found[0] == found[1]


def test_a_z_value_counts_standard_deviations():
    null = np.random.default_rng(0).normal(3, 2, 4000)
    assert z_value(7.0, null) == pytest.approx(2, abs=0.1)
    assert np.isnan(z_value(1.0, np.ones(RANDOM)))


def test_look_alikes_do_not_outvote():
    alike = np.array([[1, 0.9, 0.9, 0.2], [0.9, 1, 0.9, 0.2], [0.9, 0.9, 1, 0.5], [0.2, 0.2, 0.5, 1]])
    found = agreement(alike, ["trees", "trees", "graphs", "medians"])
    assert found == pytest.approx([(0.9 + 0.2) / 2, (0.9 + 0.2) / 2, (0.9 + 0.5) / 2, (0.2 + 0.5) / 2])
    assert np.isnan(agreement(np.ones((2, 2)), ["trees", "trees"])).all()


@pytest.mark.long
def test_soft_memberships_of_many_objects_are_no_hindrance(monkeypatch):
    monkeypatch.setattr(registry, "OBJECTS", 60)
    _, _, hard = groups(0)
    soft = Ensemble.from_labels(hard.labels, memberships=np.eye(hard.n_clusters_total)[hard.cluster_index].sum(axis=1))
    found = [choose_method(one, 3, methods=["eac", "lwea", "kcc"], budget=0.3) for one in (soft, hard)]
    assert [row.method for row in found[0].rows] == [row.method for row in found[1].rows]


def test_clear_groups_are_found_and_every_row_is_whole():
    points, truth, ensemble = groups(0)
    found = choose_method(ensemble, 3, points, methods=QUICK)
    assert found.structure.found
    assert found.method == found.rows[0].method == min(QUICK, key=lambda key: expected_losses()[key].mean)
    losses = [row.expected_loss for row in found.rows]
    assert losses == sorted(losses)
    for row in found.rows:
        assert ari(row.labels, truth) > 0.9
        assert row.agreement > 0.9
        assert row.stability > 0.9
        assert set(row.calibrated) == set(row.raw) == {key for key, one in known_criteria().items() if one.index}
        assert min(row.calibrated.values()) > 0.5
    assert found.common.core.mean() > 0.9
    assert any("lost" in reason for reason in found.reasons)
    again = choose_method(ensemble, 3, points, methods=QUICK)
    assert [row.calibrated for row in again.rows] == [row.calibrated for row in found.rows]


def test_reasons_leave_out_what_nothing_says():
    """One family has no other to agree with, and one set of the league no interval."""
    points, _, ensemble = groups(0, n=60)
    of_one = choose_method(ensemble, 3, points, methods=["eac", "lwea"])
    assert any(reason.endswith("and no other family answered here.") for reason in of_one.reasons)
    others = {one.set for one in league()} - {"iris"}
    on_one = choose_method(ensemble, 3, points, methods=["eac", "kcc"], leave_out=others)
    assert any("on the sets of the league, and the other families agree" in reason for reason in on_one.reasons)
    assert "nan" not in " ".join(of_one.reasons + on_one.reasons)


def test_a_method_that_refuses_half_of_the_base_clusterings_has_no_stability_and_stays():
    labels = np.array([[0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2], [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2], [0] * 6 + [1] * 6])
    found = choose_method(Ensemble.from_labels(labels.T), 2, methods=["drec", "eac"])
    stability = {row.method: row.stability for row in found.rows}
    assert np.isnan(stability["drec"])
    assert stability["eac"] <= 1


@pytest.mark.long
def test_neither_rows_nor_columns_nor_names_decide():
    points, _, ensemble = groups(1, apart=3.0)
    rng = np.random.default_rng(2)
    rows, columns = rng.permutation(150), rng.permutation(20)
    other = Ensemble.from_labels(99 - ensemble.labels[rows][:, columns])
    a, b = (choose_method(one, 3, x, methods=QUICK) for one, x in ((ensemble, points), (other, points[rows])))
    assert [row.method for row in a.rows] == [row.method for row in b.rows]
    for one, two in zip(a.rows, b.rows, strict=True):
        assert one.calibrated == pytest.approx(two.calibrated)
        assert (one.agreement, one.stability) == pytest.approx((two.agreement, two.stability))
    assert a.common.consistency[rows] == pytest.approx(b.common.consistency)
    assert a.structure.statistic == pytest.approx(b.structure.statistic)


@pytest.mark.parametrize("featured", [True, False])
def test_no_order_of_rows_decides_who_is_drawn(featured):
    """Of a microcluster others were drawn, with other features: a verdict turned into none at all."""
    points, _, ensemble = groups(1, apart=2.0, n=600)
    rows = np.random.default_rng(0).permutation(600)
    drawn = []
    for labels, given in ((ensemble.labels, points), (ensemble.labels[rows], points[rows])):
        made = Ensemble.from_labels(labels)
        objects = drawn_objects(made, given if featured else None, 100, np.random.default_rng(0))
        assert len(set(objects)) == 100
        shown = given[objects] if featured else made.microclusters.assignment[objects][:, None]
        drawn.append(shown[np.lexsort(shown.T)])
    np.testing.assert_array_equal(*drawn)
    assert len(ensemble.microclusters) < 500, "several objects share one, or this shows nothing"


@pytest.mark.parametrize("featured", [True, False])
def test_what_is_measured_on_some_objects_has_every_cluster_of_the_answer(featured, monkeypatch):
    """A cluster of one object, which no draw was sure to hold: one cluster was measured, and its margin was support."""
    monkeypatch.setattr(registry, "OBJECTS", 60)
    rng, labels = np.random.default_rng(0), np.zeros((400, 6), int)
    labels[0] = 9
    for m in range(6):
        labels[rng.integers(1, 400, 20), m] = 2 + m % 3
    points = rng.normal(size=(400, 2))
    points[0] = 50
    found = choose_method(Ensemble.from_labels(labels), 2, points if featured else None, methods=["eac"], seed=2)
    (row,) = found.rows
    raw = row.raw
    assert np.isfinite(list(raw.values())).all(), raw
    whole = cluster_profile(Ensemble.from_labels(labels), row.labels).margin.mean()
    assert raw["margin"] == pytest.approx(whole, abs=0.05)


@pytest.mark.long
@pytest.mark.parametrize("featured", [True, False])
def test_without_structure_hardly_anything_is_recommended(featured):
    recommended = 0
    for seed in range(20 if featured else 7):  # without features there are four times as many sets of one group
        points = np.random.default_rng(100 + seed).normal(size=(80, 2 + seed % 4))
        ensemble = kmeans_ensemble(points, 10, seed=seed)
        recommended += structure_of_answers(ensemble, 3, points if featured else None, seed).found
    assert recommended <= 1


@pytest.mark.long
def test_who_takes_longer_than_expected_is_stopped(monkeypatch):
    """How many rounds ECMC needs, no law knows; here a second goes by at every tick."""
    made = kmeans_ensemble(np.random.default_rng(0).normal(size=(120, 3)), 12, (2, 6), seed=0)
    told = {"eac": (1e-6, 1.0), "ecmc": (1e-6, 1.0)}
    monkeypatch.setattr(choosing, "expected", lambda key, _: told.get(key))
    monkeypatch.setattr(registry, "seconds_worked", count().__next__)
    found = choose_method(made, 3, budget=90)
    assert [row.method for row in found.rows] == ["eac"]
    assert found.left_out["ecmc"] == "took longer than expected, and was stopped after 90 s"
    with pytest.raises(Cancelled):
        choose_method(made, 3, budget=90, monitor=stopping_at_stage("completing"))
    patient = choose_method(made, 3, methods=["ecmc"])
    assert patient.rows[0].stability > 0


def test_no_method_is_left_out_for_the_time_its_kernels_are_compiled(monkeypatch):
    worked = [0.0]
    monkeypatch.setattr(registry, "seconds_worked", lambda: worked[0])  # `test_kernel_cache` holds when it stands still
    limit = registry.Limit(SILENT, 5.0)
    worked[0] = 4.0
    limit.tick("", 0, 1)
    assert not limit.over
    worked[0] = 6.0
    with pytest.raises(Cancelled):
        limit.tick("", 0, 1)
    assert limit.over


def test_a_stability_that_takes_longer_than_expected_is_none(monkeypatch):
    made = kmeans_ensemble(np.random.default_rng(0).normal(size=(120, 3)), 12, (2, 6), seed=0)
    question = registry.Question(made, 3, None, 0, 500.0, {key: made.labels[:, 0] for key in ("eac", "ecmc")})
    monkeypatch.setattr(registry, "seconds_worked", count().__next__)
    found = STABILITY.run(question, SILENT)
    assert found["eac"] > 0
    assert np.isnan(found["ecmc"])
    with pytest.raises(Cancelled):
        STABILITY.run(question, Heard(lambda heard: len(heard.ticks) == 2))  # in the midst of a method, and once


def test_what_does_not_stand_out_is_said():
    points = np.random.default_rng(8).normal(size=(150, 3))
    found = choose_method(kmeans_ensemble(points, 20, seed=8), 3, points, methods=QUICK)
    assert found.method is None
    assert "Nothing in the answers shows that there are 3 clusters" in found.reasons[0]
    assert found.reasons[0].endswith("groups that k-means does not see would look the same.")
    assert len(found.rows) == len(QUICK)
    words = choosing._reasons(list(found.rows), found.structure, found.opinions, found.common, featured=False)[0]
    assert words.startswith("Labels alone do not tell whether there are 3 clusters: ")


def test_a_method_whose_cost_nobody_measured_is_left_out_as_such(monkeypatch):
    monkeypatch.setattr(choosing, "expected", lambda key, ensemble: None)
    asked, left_out = choosing._asked(groups(3)[2], 20.0, None)
    assert asked == []
    assert "was never measured" in left_out["eac"]
    assert left_out["wspa"] == "needs soft memberships, as LAC makes them"


def test_where_the_question_of_structure_cannot_be_asked_it_is_said_first():
    found = choose_method(Ensemble.from_labels([[1, 1, 1], [1, 1, 2], [2, 2, 2]]), 2, methods=("eac", "lwea"))
    assert found.structure is None
    assert found.reasons[0].startswith(
        "Whether there are 2 clusters at all could not be asked: that takes at least four"
    )


@pytest.mark.long
def test_costs_decide_who_is_asked():
    _, _, ensemble = groups(3)
    found = choose_method(ensemble, 3, budget=0.2)
    asked = {row.method for row in found.rows}
    assert {"eac", "lwea"} <= asked
    assert asked | set(found.left_out) == set(consensus_methods())
    assert "beyond the budget of 0.2 s" in found.left_out["ecmc"]
    assert found.left_out["wspa"] == "needs soft memberships, as LAC makes them"
    assert "a number of clusters of its own" in found.left_out["ecg"]
    with pytest.raises(InvalidParameterError, match="no method gives an answer"):
        choose_method(ensemble, 3, budget=1e-9)
    with pytest.raises(InvalidParameterError, match="budget must be"):
        choose_method(ensemble, 3, budget=0)
    with pytest.raises(InvalidParameterError, match="a matrix of 150 objects"):
        choose_method(ensemble, 3, np.ones((149, 2)))
    with pytest.raises(InvalidParameterError, match="at least 2 base clusterings"):
        choose_method(ensemble.select([0]), 2)


def test_two_opinions_are_told_from_one():
    rng = np.random.default_rng(0)
    one, other = np.arange(120) // 40, np.arange(120) % 3

    def near(labels):
        return np.where(rng.random(120) < 0.05, rng.integers(3, size=120), labels)

    answers = np.stack([near(one) for _ in range(8)] + [near(other) for _ in range(5)], axis=1).astype(np.int32)
    found = opinions(answers)
    assert found.group.tolist() == [0] * 8 + [1] * 5
    assert found.shares == pytest.approx([8 / 13, 5 / 13])
    assert found.medoids[0] < 8 <= found.medoids[1]
    assert found.p < 0.05
    single = opinions(np.stack([near(one) for _ in range(13)], axis=1).astype(np.int32))
    assert single.group.tolist() == [0] * 13
    assert np.isnan(single.silhouette)


def test_what_all_agree_on():
    answers = np.array([[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 0, 1, 1, 1, 1]], np.int32).T
    found = common(answers, 0)
    assert found.core.tolist() == [True, True, False, True, True, True]
    assert found.share[2] == pytest.approx(2 / 3)
    assert found.other.tolist() == [-1, -1, 1, -1, -1, -1]
    assert found.consistency == pytest.approx(element_centric_consistency(answers))


def test_what_all_agree_on_hangs_on_no_order_of_rows():
    """Tiny partitions, where renamings are often equally good."""
    told = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(8, 20))
        truth = rng.integers(0, 3, n)
        noisy = [np.where(rng.random(n) < 0.35, rng.integers(0, 4, n), truth) for _ in range(5)]
        answers = renumber_columns(np.stack(noisy, axis=1))
        if Ensemble.from_labels(answers).form.symmetry:
            continue  # of mirror images one is a toss
        told += 1
        rows = rng.permutation(n)
        turned = renumber_columns(answers[rows])
        a, b = common(answers, 0), common(turned, 0)
        assert b.share.tolist() == a.share[rows].tolist()
        named = dict(zip(turned[:, 0].tolist(), answers[rows, 0].tolist(), strict=True)) | {-1: -1}
        assert [named[one] for one in b.other.tolist()] == a.other[rows].tolist()
    assert told > 40


def test_the_league_is_whole_and_leaves_sets_out():
    by_set = Counter(one.set for one in league())
    methods = {one.method for one in league()}
    assert len(by_set) >= 40
    assert set(by_set.values()) == {len(methods)}
    there = {key for key, one in consensus_methods().items() if not one.needs & {"memberships", "graph"}}
    assert methods == there, f"run `python -m bench.league` again, for {sorted(methods ^ there)}"
    assert min(one.loss for one in league()) >= 0
    iris = {one.method: one.loss for one in league() if one.set == "iris"}
    whole, without = expected_losses(), expected_losses(["iris"])
    for key, loss in iris.items():
        assert without[key].n == whole[key].n - 1 == len(by_set) - 1
        assert whole[key].mean * whole[key].n == pytest.approx(without[key].mean * without[key].n + loss)


@pytest.mark.parametrize(
    ("left", "words"),
    [(["Iris"], "'Iris' is not in the league. Its sets are .*; iris; "), ("iris", "leave_out must be a collection")],
)
def test_what_is_left_out_must_be_sets_of_the_league(left, words):
    _, _, ensemble = groups(0, n=30)
    for ask in (
        expected_losses,
        expected_ranks,
        lambda left: tuning_losses("lwea", "theta", left),
        lambda left: choose_method(ensemble, 3, methods=["eac", "kcc"], leave_out=left, monitor=Heard(lambda _: True)),
    ):
        with pytest.raises(InvalidParameterError, match=words):
            ask(left)


def test_ranks_are_places_by_score_on_every_set_level_ones_sharing_theirs():
    by_set = {}
    for one in league():
        by_set.setdefault(one.set, {})[one.method] = one.ari
    places = [
        [1 + sum(other > ari for other in scores.values()) + (list(scores.values()).count(ari) - 1) / 2]
        for scores in by_set.values()
        for ari in [scores["lwea"]]
    ]
    found = expected_ranks()
    assert found["lwea"].mean == pytest.approx(np.mean(places))
    assert found["lwea"].low < found["lwea"].mean < found["lwea"].high
    assert sum(one.mean for one in found.values()) == pytest.approx(len(found) * (len(found) + 1) / 2)


def test_a_rerun_gives_what_the_league_says():
    iris = data.load("iris")
    points = data.scale(iris.features, "standard")
    for key in ("lwea", "kcc", "eac"):
        told = next(one for one in league() if (one.set, one.method) == ("iris", key))
        values = []
        for draw in range(told.draws):
            objects = np.sort(np.random.default_rng(0).permutation(150))
            ensemble = kmeans_ensemble(points[objects], 20, seed=draw)
            values.append(ari(run_consensus(key, ensemble, 3, seed=draw).labels, iris.labels[objects]))
        assert np.mean(values) == pytest.approx(told.ari, abs=1e-4)


@pytest.mark.long
def test_halves_with_fewer_clusters_than_k_are_compared_too():
    labels = np.arange(40)[:, None] // np.arange(2, 7) % 4  # of 5 base clusterings a half of 2 has 8 clusters
    assert structure_of_answers(Ensemble.from_labels(labels), 9) is not None


@pytest.mark.long
def test_objects_that_no_base_clustering_drawn_has_seen_are_left_out():
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 20)
    labels = np.stack([np.where(rng.random(60) < 0.2, rng.integers(0, 4, 60), truth) for _ in range(40)], 1)
    labels[0, 1:] = -1
    for seed in (1, 5):  # which draw 30 of the 40 without the first
        assert structure_of_answers(Ensemble.from_labels(labels), 3, seed=seed).found


def test_objects_drawn_without_another_of_their_labels_are_left_out(monkeypatch):
    labels = np.tile(np.repeat([0, 1, 2], 100)[:, None], 6)
    labels[:20], labels[20:, 5] = [-1, -1, -1, -1, -1, 0], -1  # of these twenty a draw of 40 may have one
    ensemble = Ensemble.from_labels(labels)
    monkeypatch.setattr(registry, "OBJECTS", 40)
    monkeypatch.setattr(null_answers, "OBJECTS", 40)
    draws = [registry.drawn_objects(ensemble, None, 40, np.random.default_rng([seed, 31])) for seed in range(30)]
    alone = [seed for seed, drawn in enumerate(draws) if (labels[drawn, 5] == 0).sum() == 1]
    for seed in alone[:1]:
        assert len(choose_method(ensemble, 3, methods=["eac", "kcc"], seed=seed).rows) == 2
    assert alone


@pytest.mark.parametrize(("core", "percent"), [([True] * 400, 100), ([True] * 399 + [False], 99), ([False] * 3, 0)])
def test_a_hundred_percent_is_every_object(core, percent):
    nothing = np.zeros(len(core))
    assert Common(nothing, nothing, np.array(core), nothing.astype(np.int32)).core_percent == percent
