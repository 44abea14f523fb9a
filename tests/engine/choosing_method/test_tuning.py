"""Choosing a setting without a truth: stability by its definition, rules against loops, and the table of a rerun."""

import csv

import numpy as np
import pytest

from bench import bench_tuning
from engine import Ensemble, InvalidParameterError, consensus_methods, metrics, run_consensus
from engine.choosing_method import choose_setting, league, tuning_losses
from engine.choosing_method.null_answers import structure_of_answers
from engine.choosing_method.tuning import FILE, SPLITS
from engine.generators import lac_ensemble
from engine.metrics import ari
from tests.strategies import random_labels

PARAMS = consensus_methods()["lwea"].params


def halves(ensemble, k, params, seed):
    """Mean ARI of the answers to two halves, drawn in the canonical order of base clusterings."""
    rng, order, found = np.random.default_rng(seed), ensemble.form.clusterings, []
    for _ in range(SPLITS):
        mixed = order[rng.permutation(len(order))]
        parts = mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]
        found.append(ari(*(run_consensus("lwea", ensemble.select(one), k, params, seed).labels for one in parts)))
    return float(np.mean(found))


def test_the_most_stable_setting_is_chosen():
    ensemble = Ensemble.from_labels(random_labels(80, 10, 4, 2, noise=0.35))
    settings = [PARAMS(theta=theta) for theta in (0.02, 0.4, 4.0)]
    found = choose_setting(ensemble, "lwea", 4, settings, seed=3)
    assert found.stability == pytest.approx([halves(ensemble, 4, one, 3) for one in settings])
    assert len(set(found.stability)) > 1
    assert found.chosen == found.stability.argmax()
    for one, answer in zip(settings, found.answers, strict=True):
        assert metrics.ari(answer, run_consensus("lwea", ensemble, 4, one, 3).labels) == 1


def test_a_setting_without_an_answer_is_never_chosen():
    ensemble = Ensemble.from_labels(random_labels(60, 6, 3, 1, noise=0.2))
    kind = consensus_methods()["ecmc"].params
    found = choose_setting(ensemble, "ecmc", 3, [kind(low=0.5, high=0.5), kind()])
    assert found.chosen == 1
    assert found.answers[0] is None
    assert "low must be less than high" in found.left_out[0]


def test_base_clusterings_of_single_objects_keep_nobody_from_being_halved():
    """Sets of one group cannot be clustered as finely; a setting is compared with none."""
    labels = np.stack([np.arange(12)] + [np.arange(12) // 4] * 5, axis=1)
    found = choose_setting(Ensemble.from_labels(labels), "eac", 2, [consensus_methods()["eac"].params()])
    assert np.isfinite(found.stability).all()
    assert structure_of_answers(Ensemble.from_labels(labels), 2) is None


def test_what_cannot_be_halved_is_refused():
    with pytest.raises(InvalidParameterError, match="at least 4 base clusterings"):
        choose_setting(Ensemble.from_labels(random_labels(30, 3, 3, 1)), "lwea", 3, [PARAMS()])
    with pytest.raises(InvalidParameterError, match="settings"):
        choose_setting(Ensemble.from_labels(random_labels(30, 6, 3, 1)), "lwea", 3, [])


@pytest.mark.parametrize(("method", "parameter"), bench_tuning.SWEPT)
def test_losses_are_those_of_the_table(method, parameter):
    with FILE.open(newline="") as file:
        lines = [one for one in csv.DictReader(file) if (one["method"], one["parameter"]) == (method, parameter)]
    lost = {rule: [] for rule in ("stability", "default")}
    for name in dict.fromkeys(one["set"] for one in lines):
        rows = [one for one in lines if one["set"] == name]
        best = max(float(one["ari"]) for one in rows)
        stable = max(rows, key=lambda one: float(one["stability"]))
        (default,) = [one for one in rows if one["value"].endswith("*")]
        lost["stability"].append(best - float(stable["ari"]))
        lost["default"].append(best - float(default["ari"]))
    found = tuning_losses(method, parameter)
    for rule, values in lost.items():
        assert found[rule].mean == pytest.approx(np.mean(values))
    assert found["default"].n == len({one.set for one in league()})
    assert tuning_losses(method, parameter, ["iris"])["default"].n == found["default"].n - 1
    assert tuning_losses(method, "nothing") is None


def test_a_rerun_gives_what_the_table_says(monkeypatch):
    monkeypatch.setattr(bench_tuning, "SWEPT", (("lwea", "theta"),))
    with FILE.open(newline="") as file:
        told = [line for line in csv.reader(file) if line[:3] == ["iris", "lwea", "theta"]]
    assert bench_tuning.lines_of("iris") == told


@pytest.mark.parametrize(("n", "said"), [(90, None), (420, "a part of 400 objects has hard labels only")])
def test_soft_memberships_are_there_as_long_as_all_objects_are_looked_at(n, said):
    rng = np.random.default_rng(0)
    points = rng.normal(size=(n, 4)) + 6 * rng.integers(0, 3, (n, 1))
    made = lac_ensemble(points, 4, [0.5, 1, 2, 4], seed=1)
    found = choose_setting(made, "wspa", 3, [consensus_methods()["wspa"].params()])
    assert found.left_out == ({0: said} if said else {})
    assert found.answers[0] is not None
    assert np.isfinite(found.stability).tolist() == [not said]
