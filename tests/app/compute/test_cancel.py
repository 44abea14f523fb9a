"""A cancel is heard inside whatever a job runs, and by whoever waits for another."""

import threading

import numpy as np
import pytest

from engine import Cancelled, Monitor, consensus_methods
from engine.generators import Generator, Recipe, known_generators
from engine.params import Params
from tests.monitors import Heard, stopping_at_tick
from tests.strategies import random_labels
from ui.compute import generating
from ui.scene import AtOnce, Scene
from ui.scene.consensus import scores_by_k
from ui.scene.methods import method_answers
from ui.session.run_config import RunConfig


@pytest.fixture(scope="module")
def run():
    config = RunConfig(data="iris", m=8, method="lwgp")
    made = Scene(config).ensemble
    return config, made, Scene(config).consensus


def test_scores_against_k_hear_it_inside_a_consensus(run):
    config, made, result = run
    inputs = made, result, Scene(config).truth, "ari", [2, 3, 4]
    heard = Heard()
    scores_by_k(*inputs, monitor=heard)
    assert len(heard.ticks) > 2 * len(inputs[-1])  # more than one a run: the runs speak too
    with pytest.raises(Cancelled):
        scores_by_k(*inputs, monitor=stopping_at_tick(3))


def test_every_method_asked_hears_it(run):
    config, made, _ = run
    settings = tuple((method, config.params_of(method)) for method in ("cspa", "lwgp"))  # a tree is not grown twice
    heard = Heard()
    method_answers(made, settings, 3, 0, heard)
    assert len(heard.ticks) > 2 * len(settings)
    with pytest.raises(Cancelled):
        method_answers(made, settings, 3, 0, stopping_at_tick(4))


def test_the_error_curve_hears_it_inside_its_runs():
    scene = Scene(RunConfig(data="two_gaussian", seed=77), AtOnce(stopping_at_tick(4)))
    with pytest.raises(Cancelled):
        scene.get("error_curve")
    assert scene.curve_so_far.lac == []


def test_whoever_waits_for_base_clusterings_ticks(monkeypatch):
    gate, inside = threading.Event(), threading.Event()

    def make(features, n, params, seed, first, n_classes, monitor):
        inside.set()
        gate.wait(10)
        from engine import Ensemble

        return Ensemble.from_labels(random_labels(len(features), n, 3, seed))

    slow = Generator("slow", "slow", Params, make, nested=False, reference="", summary="Waits.")
    monkeypatch.setitem(known_generators(), "slow", slow)
    held = generating.BaseClusterings(Scene(RunConfig(data="iris")).source, "none", Recipe("slow"), 0)
    first = threading.Thread(target=held.first, args=(3, Monitor()))
    first.start()
    assert inside.wait(5)
    with pytest.raises(Cancelled):
        held.first(4, stopping_at_tick(2))
    gate.set()
    first.join()
    assert held.first(3, Monitor()).n_clusterings == 3


def test_base_clusterings_grow_and_the_first_stay():
    held = generating.BaseClusterings(Scene(RunConfig(data="iris")).source, "standard", Recipe(), 5)
    many, few = held.first(23, Monitor()), held.first(4, Monitor())
    assert (many.labels[:, :4] == few.labels).all()
    assert "lwea" in consensus_methods()
    assert np.array_equal(held.first(25, Monitor()).labels[:, :23], many.labels)
