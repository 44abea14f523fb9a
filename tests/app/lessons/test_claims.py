"""Quantities, claims, and the facts they are made of, against loops over objects."""

import itertools

import numpy as np
import pytest

from engine import metrics
from ui.lessons.facts import facts
from ui.lessons.lesson import read_claim, read_quantity
from ui.scene import Scene
from ui.scene.data_set import NotThereError
from ui.session.run_config import from_query


@pytest.fixture(scope="module")
def scene():
    return Scene(from_query({"data": "iris", "m": "6", "seed": "3", "method": "eac", "pair": "3.99"})[0])


def of(scene, text):
    return read_quantity(text).of(scene)


def test_a_quantity_may_change_a_setting(scene):
    changed = Scene(scene.config.with_(m=9))
    assert of(scene, "clusterings") == 6
    assert of(scene, "clusterings(m=9)") == 9
    assert of(scene, "score(eac, m=9)") == of(changed, "score(eac)")


@pytest.mark.parametrize(
    ("text", "true"),
    [
        ("clusterings == 6", True),
        ("clusterings > 6", False),
        ("clusterings >= 6", True),
        ("clusterings < 7", True),
        ("clusterings <= 5", False),
        ("clusterings(m=9) >= clusterings + 3", True),
        ("clusterings(m=9) > clusterings + 3", False),
        ("clusterings - 1 == 5", True),
        ("600% == clusterings", True),
    ],
)
def test_claims_compare(scene, text, true):
    assert read_claim(text).holds(scene) is true


@pytest.mark.parametrize(
    "text", ["score", "1 < 2 < 3", "score(eac) >= ", "score(eac) = .3", "score(eac) >= .3; import os"]
)
def test_what_is_no_claim_is_refused(text):
    with pytest.raises(ValueError, match="is no"):
        read_claim(text)


def test_scores_are_those_of_the_engine(scene):
    labels = scene.varied(method="eac").consensus.labels
    assert of(scene, "score(eac)") == metrics.nmi(labels, scene.truth, "max")
    each = [metrics.nmi(column, scene.truth, "max") for column in scene.ensemble.labels.T]
    assert of(scene, "base_mean") == pytest.approx(np.mean(each))
    assert of(scene, "base_best") == max(each)
    assert of(scene, "beaten(eac)") == sum(one < metrics.nmi(labels, scene.truth, "max") for one in each)
    assert of(scene, "wrong(eac)") == pytest.approx(1 - metrics.accuracy(labels, scene.truth))


def test_means_of_a_matrix_are_those_over_pairs_of_objects(scene):
    labels, truth, inside, between = scene.ensemble.labels, scene.truth, [], []
    for i, j in itertools.permutations(range(len(truth)), 2):
        (inside if truth[i] == truth[j] else between).append(np.mean(labels[i] == labels[j]))
    assert of(scene, "inside(ca)") == pytest.approx(np.mean(inside))
    assert of(scene, "between(ca)") == pytest.approx(np.mean(between))
    assert of(scene, "contrast(ca)") == pytest.approx(np.mean(inside) / np.mean(between))
    assert of(scene, "pair_meets") == sum(labels[3] == labels[99])
    assert of(scene, "pair_value(ca)") == pytest.approx(np.mean(labels[3] == labels[99]))


def test_certain_pairs_are_counted_between_objects(scene):
    labels, truth = scene.ensemble.labels, scene.truth
    for alpha in (0.5, 1):  # in a microcluster all are certain
        pairs = [
            truth[i] == truth[j]
            for i, j in itertools.combinations(range(len(truth)), 2)
            if np.mean(labels[i] == labels[j]) >= alpha - 1e-9
        ]
        assert of(scene, f"certain_pairs(alpha={alpha})") == len(pairs) > 0
        assert of(scene, f"certain_right(alpha={alpha})") == pytest.approx(np.mean(pairs))


def test_links_of_one_weight_are_counted_between_objects(scene):
    labels, truth = scene.ensemble.labels, scene.truth
    found = {"weak": [], "strong": []}
    for i, j in itertools.combinations(range(len(truth)), 2):
        weight = np.mean(labels[i] == labels[j])
        if 0 < weight <= 0.2 + 1e-9:
            found["weak"].append(truth[i] == truth[j])
        elif weight > 0.8 + 1e-9:
            found["strong"].append(truth[i] == truth[j])
    assert of(scene, "weak_right") == pytest.approx(np.mean(found["weak"]))
    assert of(scene, "strong_right") == pytest.approx(np.mean(found["strong"]))


def test_what_is_missing_is_no_label_that_two_share():
    scene = Scene(from_query({"data": "iris", "m": "60", "generator": "subsampling", "seed": "1", "pair": "40.107"})[0])
    labels, truth = scene.ensemble.labels, scene.truth
    i, j = labels[[40, 107]]
    assert of(scene, "pair_meets") == ((i == j) & (i >= 0)).sum() < (i == j).sum()
    wrong = [1 - metrics.accuracy(one[one >= 0], truth[one >= 0]) for one in labels.T]
    assert of(scene, "base_wrong") == pytest.approx(np.mean(wrong))
    seen = (labels >= 0).astype(int)
    together = sum((labels[:, None, m] == labels[:, m]) & (seen[:, None, m] * seen[:, m] > 0) for m in range(60))
    first, second = np.triu_indices(len(truth), 1)
    weights = (together / (seen @ seen.T))[first, second]
    weak, strong = (weights > 0) & (weights <= 0.2 + 1e-9), weights > 0.8 + 1e-9
    right = truth[first] == truth[second]
    assert of(scene, "weak_right") == pytest.approx(right[weak].mean())
    assert of(scene, "strong_right") == pytest.approx(right[strong].mean())
    assert of(scene, "weak_links") == pytest.approx(weak.sum() / (weights > 0).sum())


def test_the_mean_over_draws_is_that_of_single_ensembles(scene):
    each = [of(Scene(scene.config.with_(seed=3 + draw)), "score(eac)") for draw in range(3)]
    assert of(scene, "mean_score(eac, 3)") == pytest.approx(np.mean(each))
    assert of(scene, "sd_score(eac, 3)") == pytest.approx(np.std(each, ddof=1))  # as Compare counts it


def test_the_best_k_is_no_worse_than_any(scene):
    each = {k: of(Scene(scene.config.with_(k=k)), "score(eac)") for k in range(2, 21)}
    assert of(scene, "best_k_score(eac)") == max(each.values())
    assert each[int(of(scene, "best_k(eac)"))] == max(each.values())


def test_the_toy_knows_nothing_but_the_order_of_the_rows(scene):
    assert of(scene, "rows_sorted") > 0.4
    assert of(scene, "rows_shuffled") < 0.2


def test_every_fact_says_what_it_is_and_can_be_measured(scene):
    words = {"method": "eac", "evidence": "ca", "draws": "2", "copies": "2", "strategy": "snmi"}
    for fact in facts().values():
        assert fact.sentence.endswith(".")
        called = f"{fact.name}({', '.join(words[kind] for kind in fact.words)})"
        if fact.name == "resolution_inconsistency":
            with pytest.raises(NotThereError, match="no graph"):
                of(scene, called)
            continue
        assert np.isfinite(of(scene, called)), called
        assert read_quantity(called).written(scene)
