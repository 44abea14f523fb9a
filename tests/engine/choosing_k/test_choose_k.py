"""The criteria by their definitions, and what they say together."""

from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

import data
from engine import Cancelled, Ensemble, InvalidParameterError, Monitor, confidence, metrics, run_consensus
from engine.choosing_k import EFFORTS, Effort, answer, ask, choose_k, choosing, known_criteria, questions, registry
from engine.choosing_k.choosing import counted
from engine.choosing_k.criteria import undecided_pairs
from engine.choosing_k.criteria.worth_of_answers import HALVES
from engine.choosing_k.registry import Curve
from engine.choosing_k.sentences import verdict_of
from engine.consensus import running
from engine.generators import kmeans_ensemble
from engine.monitor import SILENT
from engine.partition import cut
from tests import naive_confidence
from tests.engine.choosing_k.test_consensus_runs import blobs
from tests.monitors import Heard, stopping_at_stage
from tests.strategies import random_labels

SMALL = Effort(repeats=15, null_sets=20, splits=4)


@pytest.fixture(scope="module")
def points():
    return blobs(90, 3, 4, seed=2)


@pytest.fixture(scope="module")
def ensemble(points):
    return kmeans_ensemble(points, 12, (2, 7), seed=0)


@pytest.fixture(scope="module")
def found(points, ensemble):
    return choose_k(ensemble, k_max=6, features=points, effort=SMALL)


def test_planted_groups_are_found_and_said(found):
    assert found.k == 3
    assert found.structure.found
    assert found.structure.n_reached == 0
    assert "votes say 3" in found.verdict
    assert "none of 20 sets drawn without clusters" in found.verdict
    assert found.ks.tolist() == [2, 3, 4, 5, 6]
    assert set(found.curves) | set(found.left_out) == set(known_criteria())
    assert all(curve.shape == (5,) for curve in found.curves.values())
    assert set(found.picks) <= set(found.curves)
    assert set(found.counted) <= set(found.picks)
    assert "pac" not in found.counted


def test_lifetime_is_read_off_the_tree(found, ensemble):
    tree = run_consensus("lwea", ensemble, 2).trace["dendrogram"]
    heights = [1.0, *tree.similarities.tolist(), None]
    n = tree.n_leaves
    for place, k in enumerate(found.ks):
        formed, merged = heights[n - k], heights[n - k + 1]
        assert found.curves["lifetime"][place] == pytest.approx(formed - merged)
        assert len(set(cut(tree, int(k)))) == k
    assert found.picks["lifetime"] == found.ks[found.curves["lifetime"].argmax()]


def test_margin_silhouette_and_anmi_are_those_of_the_partitions(found, ensemble):
    for place, k in enumerate(found.ks.tolist()):
        labels = run_consensus("lwea", ensemble, k).labels
        assert (found.partitions[k] == labels).all()
        assert found.curves["margin"][place] == pytest.approx(confidence.mean_margin(ensemble, labels))
        distances = 1 - naive_confidence.consensus_matrix(ensemble.labels)
        expected = naive_confidence.silhouettes(distances, labels).mean()
        assert found.curves["silhouette"][place] == pytest.approx(expected)
        shared = [naive_confidence.nmi_sqrt(labels.tolist(), column.tolist()) for column in ensemble.labels.T]
        assert found.curves["anmi"][place] == pytest.approx(np.mean(shared))
        assert found.spread["anmi"][place] == pytest.approx(np.std(shared))


def test_eigengaps_are_those_of_the_matrices_between_objects(found, ensemble):
    incidence = ensemble.incidence.toarray().astype(float)
    degree = incidence.sum(axis=0)
    bipartite = np.linalg.eigvalsh(incidence.T @ incidence / ensemble.n_clusterings / np.sqrt(np.outer(degree, degree)))
    together = naive_confidence.consensus_matrix(ensemble.labels)
    root = np.sqrt(together.sum(axis=1))
    between = np.linalg.eigvalsh(together / np.outer(root, root))
    for key, values in (("eigengap", bipartite[::-1]), ("eigengap_ca", between[::-1])):
        gaps = [values[k - 1] - values[k] for k in found.ks]
        assert found.curves[key] == pytest.approx(gaps, abs=1e-9)


def test_halves_are_the_agreement_of_two_consensus_partitions(ensemble, found):
    from engine.choosing_k.questions import Question
    from engine.methods.lwea import LWEAParams

    question = Question(ensemble, "lwea", LWEAParams(), found.ks, None, Effort(10, 0, 3), seed=5)
    curve, scores = HALVES.run(question, Monitor()), []
    for one, other in question.halves():
        assert sorted([*one, *other]) == list(range(ensemble.n_clusterings))
        halves = ensemble.select(one), ensemble.select(other)
        pairs = [[run_consensus("lwea", half, k, seed=5).labels for half in halves] for k in (2, 3)]
        scores.append([metrics.ari(a, b) for a, b in pairs])
    assert curve.values[:2] == pytest.approx(np.mean(scores, axis=0))
    assert curve.spread[:2] == pytest.approx(np.std(scores, axis=0))


def test_rcsi_and_bands_are_those_of_the_null_sets(found):
    band, own = found.null["pac"], found.curves["pac"]
    expected = np.log10(np.maximum(band.mean, 1e-4) / np.maximum(own, 1e-4))
    assert found.curves["rcsi"] == pytest.approx(expected)
    assert (band.mean > own)[1]
    assert found.runs.pac() == pytest.approx(own)


def test_the_gap_of_prototypes_is_that_of_got(ensemble):
    found = choose_k(ensemble, "got", k_max=5, effort="quick")
    trace = run_consensus("got", ensemble, 2).trace
    scores = np.sort(trace["density"] * trace["capacity"])[::-1]
    assert found.curves["prototype_gap"] == pytest.approx(scores[1:5] / scores[2:6])
    assert "grows none" in found.left_out["lifetime"]
    assert "needs the features" in found.left_out["pac"]


def test_one_group_is_said_first_and_nothing_is_picked():
    points = np.random.default_rng(5).normal(size=(120, 3))
    found = choose_k(kmeans_ensemble(points, 10), k_max=5, features=points, effort=SMALL)
    assert not found.structure.found
    assert found.verdict.startswith("To k-means with 2 to 5 clusters these data look like one group")
    assert (found.k, found.picks, found.counted) == (1, {}, ())


@pytest.mark.parametrize(
    ("picks", "ks", "k", "said"),
    [
        ({"margin": 9, "silhouette": 9, "anmi": 9, "halves": 4, "eigengap": 4}, (2, 10), 4, "Two of three votes say 4"),
        ({"margin": 10, "silhouette": 10, "anmi": 10, "halves": 4}, (2, 10), 4, "pick 10, the largest number looked"),
        ({"margin": 10, "rcsi": 10, "halves": 10, "eigengap": 4}, (2, 10), 10, "At least 10"),
        ({"margin": 10, "rcsi": 10}, (2, 10), 10, "At least 10"),
        ({"halves": 4, "eigengap": 4}, (2, 10), 4, "Both votes say 4"),
        ({"pac": 7, "lifetime": 7, "delta_area": 7}, (2, 10), 2, "No criterion"),
        # a vote is named after those alone that give it: not after one that says another k, nor one at the edge
        ({"margin": 4, "silhouette": 9, "anmi": 10}, (2, 10), 4, "for 4: mean margin."),
        ({"margin": 4, "silhouette": 4, "anmi": 9}, (2, 10), 4, "mean margin and silhouette on 1 - CA (one vote)."),
        ({"halves": 10, "rcsi": 10, "eigengap": 4}, (2, 10), 10, "too short to tell. One vote inside it says 4."),
        ({"halves": 2, "eigengap": 2}, (2, 2), 2, "At least 2: the range is too short to tell."),
    ],
)
def test_what_says_the_same_shares_a_vote_and_an_edge_has_none(picks, ks, k, said):
    asked, ks = [one for key, one in known_criteria().items() if key in picks], np.arange(ks[0], ks[1] + 1)
    curves = {key: Curve(np.zeros(len(ks)), pick) for key, pick in picks.items()}
    found = counted(asked, curves, ks)
    assert found.k == k
    assert said in verdict_of(found.k, found.votes, found.at_edge, curves, ks, None, True)
    assert {picks[key] for key in found.keys} == set(found.votes.values())  # who is outvoted is not counted


def test_drawn_objects_that_are_all_alike_are_said_to_be_so():
    """Two of many differ: the features do, those that were drawn do not."""
    features = np.zeros((300, 2))
    features[:2, 0] = 1
    made = Ensemble.from_labels(random_labels(300, 6, 3, noise=0.2))
    for seed in range(3):
        with pytest.raises(InvalidParameterError, match="features must differ between the 20 of 300 objects"):
            choose_k(made, k_max=3, features=features, effort=Effort(10, 3, 2, objects=20), seed=seed)


def test_no_rounding_lasts_longer_and_no_lifetime_is_too_short():
    tree = run_consensus("eac", Ensemble.from_labels(np.zeros((4, 1), int) + np.arange(4)[:, None]), 2)
    assert tree.trace["dendrogram"].similarities.tolist() == [0, 0, 0]
    values, ks = np.array([3e-14, 5e-14, 1e-14]), np.arange(2, 5)
    assert registry.highest(values, ks) is None  # of similarities near 1
    assert registry.highest(values, ks, 1e-12) == 3
    made = Ensemble.from_labels(random_labels(60, 10, 3, noise=0.3))
    curve = choose_k(made, "lwea", {"theta": 0.02}, k_max=6, criteria=["lifetime"])
    assert curve.curves["lifetime"].max() < 1e-10
    assert curve.picks["lifetime"] == curve.ks[curve.curves["lifetime"].argmax()]
    assert "falls by 0.00" not in curve.readings["lifetime"]
    noisy = Ensemble.from_labels(random_labels(150, 10, 5, 0, noise=0.2))
    assert choose_k(noisy, "ecmc", k_max=6, criteria=["lifetime"]).picks.get("lifetime") is None  # 1e-16 is nothing


def test_no_more_clusters_are_looked_at_than_the_drawn_objects_allow(points, ensemble):
    found = choose_k(
        ensemble, k_max=9, features=points, effort=Effort(10, 3, 2, objects=8), criteria=["pac", "delta_area"]
    )
    assert found.ks.tolist() == [2, 3, 4, 5, 6]  # four fifths of eight objects
    alone = choose_k(ensemble, k_max=2, features=points, effort=Effort(10, 3, 2), criteria=["delta_area"])
    assert alone.readings["delta_area"] == "How much the area grows takes a second number of clusters."


def test_the_last_number_that_a_criterion_has_a_value_for_has_no_vote_either():
    asked, ks = [one for key, one in known_criteria().items() if key in ("halves", "eigengap")], np.arange(2, 9)
    curves = {"halves": Curve(np.array([0.3, 0.4, 0.5, 0.5, 0.9, np.nan, np.nan]), 6)}
    curves["eigengap"] = Curve(np.zeros(7), 3)
    found = counted(asked, curves, ks)
    assert (found.k, found.keys, found.at_edge) == (3, ("eigengap",), {"agreement of halves": 6})
    said = verdict_of(found.k, found.votes, found.at_edge, curves, ks, None, True)
    assert "Agreement of halves picks 6, the largest number that it has a value for, and has no vote." in said


def test_halves_have_no_value_for_a_number_that_most_splits_cannot_tell_apart():
    rng = np.random.default_rng(2)
    points = rng.normal(size=(150, 2)) * 1.2 + 4 * np.array([[0, 0], [1, 0], [0, 1]])[np.arange(150) % 3]
    short = False
    for seed in range(3, 20):
        question = ask(kmeans_ensemble(points, 5, (2, 4), seed), "eac", None, None, None, 0, Effort(0, 0, splits=6))
        found = answer(question, ["halves"])
        for place, k in enumerate(found.ks):
            n = sum(all(k in question.partitions_of(half, SILENT) for half in both) for both in question.halves())
            assert np.isfinite(found.curves["halves"][place]) == (n >= 3)
            assert np.isfinite(found.spread["halves"][place]) == (n >= 3)
            short |= 0 < n < 3
    assert short


@pytest.mark.parametrize(("name", "k"), [("moons", 2), ("spirals", 3), ("uneven_blobs", 3)])
def test_the_teaching_sets_come_out_right(name, k):
    points = data.scale(data.load(name).features, "standard")
    found = choose_k(kmeans_ensemble(points, 20, seed=7), "lwea", features=points, seed=7, effort="quick")
    assert found.k == k


def test_where_k_means_cannot_see_the_groups_that_is_said():
    points = data.scale(data.load("circles").features, "standard")
    found = choose_k(kmeans_ensemble(points, 20, seed=7), "lwea", features=points, seed=7, effort="quick")
    assert found.k == 1
    assert found.n_clusters == 2
    assert "a ring around another" in found.verdict


def test_without_features_structure_is_not_asked_and_that_is_said(ensemble):
    found = choose_k(ensemble, k_max=5)
    assert found.structure is None
    assert "was not asked" in found.verdict
    assert not set(found.curves) & {"pac", "rcsi", "delta_area"}


def test_one_base_clustering_leaves_out_what_needs_more():
    found = choose_k(Ensemble.from_labels(random_labels(40, 1, 4)), "eac", k_max=4)
    assert "at least 4 base clusterings" in found.left_out["halves"]
    assert "margin" in found.curves


def test_criteria_may_be_chosen(ensemble):
    found = choose_k(ensemble, k_max=5, criteria=["margin"])
    assert list(found.curves) == ["margin"]
    assert found.verdict.startswith("The only vote")


def test_the_same_seed_gives_the_same_answer(ensemble, points, found):
    again = choose_k(ensemble, k_max=6, features=points, effort=SMALL)
    assert all((again.curves[key] == found.curves[key]).all() for key in found.curves)
    assert again.verdict == found.verdict


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"k_max": 1}, "k_max must be"),
        ({"k_max": 10_000}, "k_max must be"),
        ({"k_max": True}, "k_max must be"),
        ({"criteria": ["guess"]}, "criterion must be one of"),
        ({"effort": "endless"}, "effort must be"),
        ({"features": [[1.0]]}, "features must be a matrix"),
        ({"method": "guess"}, "method must be"),
        ({"features": np.ones((90, 2))}, "must differ"),
    ],
)
def test_what_cannot_be_asked_is_refused(ensemble, options, said):
    with pytest.raises(InvalidParameterError, match=said):
        choose_k(ensemble, **options)


def test_where_nothing_is_told_apart_there_is_nothing_to_choose():
    with pytest.raises(InvalidParameterError, match="one microcluster"):
        choose_k(Ensemble.from_labels(np.zeros((10, 3), int)))


def test_more_features_than_objects_are_compared_on_their_components():
    points = blobs(24, 2, 40, seed=1)
    found = choose_k(kmeans_ensemble(points, 8, (2, 4)), features=points, k_max=4, effort=Effort(8, 20, 2))
    assert found.structure is not None
    assert "on their 23 principal components" in found.verdict
    assert "principal components" not in choose_k(kmeans_ensemble(points, 8, (2, 4)), k_max=4, effort="quick").verdict


def test_cancel_is_heard_everywhere(ensemble, points):
    watch = Heard()
    choose_k(ensemble, features=points, k_max=4, effort=Effort(5, 3, 2), monitor=watch)
    assert len(set(watch.stages)) > 5
    for stage in set(watch.stages):
        fresh = Ensemble.from_labels(ensemble.labels)  # what an ensemble remembers would skip stages
        with pytest.raises(Cancelled):
            choose_k(fresh, features=points, k_max=4, effort=Effort(5, 3, 2), monitor=stopping_at_stage(stage))


def test_what_was_made_before_a_cancel_is_kept(ensemble, points, found):
    question = ask(ensemble, "lwea", None, 6, points, 0, SMALL)
    with pytest.raises(Cancelled):
        answer(question, monitor=Heard(lambda heard: len(question._made.get("null_rows", ())) > 5))
    kept = len(question._made["null_rows"])
    assert 5 < kept < 20
    again = answer(question)
    assert len(question._made["null_rows"]) == 20
    assert all((again.curves[key] == found.curves[key]).all() for key in found.curves)


def test_too_few_null_sets_leave_the_question_of_structure_open(ensemble, points):
    found = choose_k(ensemble, k_max=4, features=points, effort=Effort(10, 15, 2))
    assert found.structure is None
    assert "was not asked" in found.verdict
    assert "pac" in found.null


@pytest.mark.parametrize("sets", [0, 1, 2, 3])
def test_nothing_is_said_of_sets_without_clusters_that_are_not_there(ensemble, points, sets):
    found = choose_k(ensemble, k_max=4, features=points, effort=Effort(10, sets, 2))
    assert ("rcsi" in found.left_out) == ("pac" not in found.null) == (sets < 3)


def test_a_quick_answer_draws_objects(ensemble, points):
    few = choose_k(ensemble, k_max=4, features=points, effort=Effort(10, 3, 2, objects=40))
    assert few.drawn.shape == (40,)
    assert few.runs.labels.shape == (3, 10, 40)
    assert few.partitions[2].shape == (90,)


@pytest.mark.parametrize("objects", [None, 40])
def test_no_order_of_rows_decides(ensemble, points, objects):
    rows, effort = np.random.default_rng(0).permutation(90), Effort(10, 20, 2, objects=objects)
    other = Ensemble.from_labels(ensemble.labels[rows])
    a, b = (choose_k(one, k_max=4, features=x, effort=effort) for one, x in ((ensemble, points), (other, points[rows])))
    assert (a.k, a.votes, a.verdict) == (b.k, b.votes, b.verdict)
    for key in a.curves:
        assert a.curves[key] == pytest.approx(b.curves[key], abs=1e-12)
    assert a.drawn.tolist() == rows[b.drawn].tolist()
    assert (a.runs.labels == b.runs.labels).all()
    assert a.structure.null.tolist() == b.structure.null.tolist()


def test_efforts_have_names():
    assert EFFORTS["quick"].null_sets >= 20  # fewer could never reach 5 %
    assert EFFORTS["full"].repeats == 100


def test_every_criterion_says_what_it_is(found):
    from engine.choosing_k import find_criterion

    for key, one in known_criteria().items():
        assert find_criterion(key) is one
        assert one.summary.endswith(".")
        assert one.title
    assert all(reading.endswith(".") for reading in found.readings.values())


def test_of_many_clusters_as_many_are_tried_as_runs_can_tell_apart():
    points = np.random.default_rng(0).normal(size=(400, 2))
    made = Ensemble.from_labels(np.arange(400)[:, None] // [1, 2])
    assert ask(made, "eac", None, 300, points, 0, "full").ks[-1] == 255
    assert ask(made, "eac", None, 300, None, 0, "full").ks[-1] == 300


@pytest.mark.parametrize("n", [3, 5, 12])
def test_of_few_objects_as_many_clusters_are_tried_as_a_share_of_them_can_have(n):
    points = np.random.default_rng(0).normal(size=(n, 2))
    made = kmeans_ensemble(points, 5, (2, n - 1), seed=1)
    found = choose_k(made, features=points, effort="quick")
    assert found.ks.tolist() == list(range(2, min(10, max(2, round(0.8 * n)), len(made.microclusters)) + 1))
    assert np.isfinite(found.curves["pac"]).all()


def test_nobody_is_sent_further_where_no_more_groups_are_told_apart():
    made = Ensemble.from_labels(np.tile(np.repeat(np.arange(4), 5)[:, None], 6))
    verdict = choose_k(made, effort="quick").verdict
    assert verdict.startswith("4, the most that can be tried here. ")
    assert "pick 4, the largest number there can be, and have no vote." in verdict
    assert "further" not in verdict
    shorter = choose_k(made, k_max=3, effort="quick").verdict
    assert shorter.startswith("At least 3: the range is too short to tell. ")
    assert "look further" in shorter


@pytest.mark.parametrize("seed", [3, 27])
def test_no_order_of_rows_or_columns_decides_on_k(seed):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 3, 60)
    labels = np.column_stack([np.where(rng.random(60) < 0.35, rng.integers(0, 5, 60), groups) for _ in range(7)])
    rows, columns = rng.permutation(60), rng.permutation(7)
    given, mixed = (choose_k(Ensemble.from_labels(one), k_max=8, seed=3) for one in (labels, labels[rows][:, columns]))
    assert given.k == mixed.k
    for key, curve in given.curves.items():
        np.testing.assert_allclose(mixed.curves[key], curve, err_msg=key)


@pytest.mark.parametrize(("method", "runs"), [("lwea", 1), ("got", 4)])
def test_a_run_is_not_repeated_for_what_stands_in_its_trace(ensemble, monkeypatch, method, runs):
    ran = []
    run = running.run_consensus
    monkeypatch.setattr(running, "run_consensus", lambda *given, **named: ran.append(1) or run(*given, **named))
    monkeypatch.setattr(questions, "run_consensus", None)  # for whoever brings partitions and no run
    asked = ["lifetime"] if method == "lwea" else ["prototype_gap"]
    found = choose_k(ensemble, method, k_max=5, criteria=asked)
    assert not found.left_out
    assert len(ran) == runs


def test_a_run_that_is_there_serves_every_k(ensemble, monkeypatch):
    alone = choose_k(ensemble, "lwea", k_max=5, criteria=["lifetime"])
    question = ask(ensemble, "lwea", None, 5, None, 0, "quick")
    question.give_run(run_consensus("lwea", ensemble, 7))
    monkeypatch.setattr(running, "run_consensus", None)
    found = answer(question, ["lifetime"])
    assert all((found.partitions[k] == alone.partitions[k]).all() for k in (2, 3, 4, 5))
    assert found.curves["lifetime"].tolist() == alone.curves["lifetime"].tolist()


def test_a_criterion_that_needs_more_than_there_is_leaves_the_word_to_the_others(monkeypatch):
    rng = np.random.default_rng(0)
    places = rng.random(600)
    steps = rng.integers(30, 70, 40)
    ensemble = Ensemble.from_labels(np.stack([np.floor(places * k + rng.random()).astype(int) for k in steps], axis=1))
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "40M")
    found = choose_k(ensemble, k_max=4, effort="quick")
    assert "the graph between clusters needs" in found.left_out["eigengap"]
    assert "lifetime" in found.curves
    assert found.k in range(1, 5)


def test_one_other_vote_is_the_other():
    ks, curves = np.arange(2, 8), {}
    one = verdict_of(2, {"a": 2, "b": 2, "c": 3}, {}, curves, ks, None, True)
    assert one.startswith("Two of three votes say 2: a and b. The other says 3.")
    two = verdict_of(2, {"a": 2, "b": 2, "c": 3, "d": 4}, {}, curves, ks, None, True)
    assert two.startswith("Two of four votes say 2: a and b. The others say 3 or 4.")


@pytest.mark.parametrize(
    ("n", "d", "most", "said"),
    [
        (30, 40, None, "more features than objects: sets are drawn on their 29 principal components."),
        (30, 20, 12, "more features than the 12 objects that are looked at: sets are drawn on their 11 principal"),
        (30, 30, None, ""),
    ],
)
def test_more_features_than_objects_are_said_of_those_that_are_looked_at(n, d, most, said):
    points = np.random.default_rng(0).normal(size=(n, d))
    made = kmeans_ensemble(points, 5, (2, 4), seed=1)
    effort = replace(EFFORTS["quick"], objects=most)
    words = choosing._on_components(ask(made, "eac", None, None, points, 0, effort))
    assert (said in words) if said else (words == "")


def test_readings_say_the_pick_and_its_value(ensemble):
    found = choose_k(ensemble, k_max=5, criteria=["anmi"])
    value = found.curves["anmi"][list(found.ks).index(found.picks["anmi"])]
    assert found.readings["anmi"].startswith(f"{found.picks['anmi']} clusters share most with the base clusterings, ")
    assert f"{value:.2f}" in found.readings["anmi"]


def test_a_null_without_spread_is_taken_as_normal():
    p, fitted = undecided_pairs.tail(0.2, np.full(5, 0.3))
    assert (p, fitted) == (0.0, "normal")
    wide = np.array([0.0, 0.0, 1.0, 1.0, 1.0])  # no beta has as much variance
    mean, sd = wide.mean(), wide.std(ddof=1)
    p, fitted = undecided_pairs.tail(0.1, wide)
    assert fitted == "normal"
    assert p == pytest.approx(scipy.stats.norm.cdf(0.1, mean, sd))
