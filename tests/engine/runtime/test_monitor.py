"""Monitors between a run and those who watch it; every inner run has one."""

import threading
from functools import partial

import numpy as np
import pytest

from engine import Cancelled, Ensemble, generators, leave_one_out
from engine.consensus import consensus_methods
from engine.consensus.running import run_settings
from engine.monitor import Part, Quiet, Relay
from tests.monitors import Heard, stopping_at_tick
from tests.strategies import random_labels


def test_a_part_counts_in_the_steps_of_the_whole():
    watch = Heard()
    batch = Part(watch, before=5, whole=20, stage="clustering")
    for done in (0, 5, 99):
        batch.tick("any", done, 5)
    assert watch.ticks == [("clustering", 5, 20), ("clustering", 10, 20), ("clustering", 20, 20)]


@pytest.mark.parametrize(
    ("steps", "total", "said"), [(1, 4, (13, 20)), (2, 4, (7, 10)), (3, 3, (4, 5)), (2, 0, (3, 5))]
)
def test_a_part_of_so_many_steps_refines_them_as_far_as_need_be(steps, total, said):
    """Three of five steps are done before; one of `total` is done inside."""
    watch = Heard()
    Part(watch, before=3, whole=5, steps=steps).tick("walking", min(1, total), total)
    assert watch.ticks == [("walking", *said)]


def test_the_quiet_only_ask():
    watch = stopping_at_tick(2)
    quiet = Quiet(partial(watch.tick, "the whole", 1, 3))
    quiet.tick("a part", 5, 6)
    with pytest.raises(Cancelled):
        quiet.tick("a part", 6, 6)
    assert watch.ticks == [("the whole", 1, 3)] * 2


def test_a_cancel_is_relayed_to_other_threads_which_never_ask_themselves():
    watch, outcome = stopping_at_tick(2), []
    relay = Relay(watch)
    relay.inner.tick("any", 0, 1)
    relay.tick("any", 0, 2)

    def elsewhere():
        try:
            relay.inner.tick("any", 1, 1)
            outcome.append("goes on")
        except Cancelled:
            outcome.append("stops")

    def in_another_thread():
        thread = threading.Thread(target=elsewhere)
        thread.start()
        thread.join()

    in_another_thread()
    assert len(watch.ticks) == 1
    with pytest.raises(Cancelled):
        relay.tick("any", 1, 2)
    in_another_thread()
    assert outcome == ["goes on", "stops"]


def test_on_one_thread_a_cancel_reaches_the_run_under_way(monkeypatch):
    """Between the ticks of `map_blocks` there is a whole run of LAC: its own ticks ask."""
    monkeypatch.setenv("CONCORD_THREADS", "1")
    points = np.random.default_rng(0).normal(size=(200, 4))
    runs = Heard()
    generators.lac(points, 5, 1.0, monitor=runs)
    assert len(runs.ticks) > 4
    stopped = stopping_at_tick(3)
    with pytest.raises(Cancelled):
        generators.lac_runs(points, 5, [1.0, 2.0], monitor=stopped)
    assert [done for _, done, _ in stopped.ticks] == [0, 0, 0]


def test_every_run_of_the_influence_hears_a_cancel_within(monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", "1")  # so that the number of ticks is always the same
    labels, whole = random_labels(60, 3), Heard()
    leave_one_out("lwea", Ensemble.from_labels(labels), 3, monitor=whole)
    parts = [done for _, done, _ in whole.ticks]
    assert parts == sorted(parts)
    assert min(parts.count(m) for m in range(4)) > 3  # the run on all, and one without each
    for last in range(1, len(parts) + 1, 5):
        stopped = stopping_at_tick(last)
        with pytest.raises(Cancelled):
            leave_one_out("lwea", Ensemble.from_labels(labels), 3, monitor=stopped)
        assert len(stopped.ticks) == last


@pytest.mark.parametrize(("key", "n_settings"), [("pta", 2), ("lwgp", 1), ("cspa", 1)])
def test_every_run_of_a_sweep_hears_a_cancel_within(key, n_settings, monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", "1")

    def sweep(monitor):
        ensemble = Ensemble.from_labels(random_labels(60, 4))
        settings = [consensus_methods()[key].params()] * n_settings
        return list(run_settings(key, ensemble, settings, [3, 4], monitor=monitor))

    whole = Heard()
    sweep(whole)
    n_ticks = len(whole.ticks)
    for last in (1, n_ticks // 3, n_ticks // 2):
        stopped = stopping_at_tick(last)
        with pytest.raises(Cancelled):
            sweep(stopped)
        assert len(stopped.ticks) == last
