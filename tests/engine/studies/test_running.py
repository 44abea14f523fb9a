"""Running a study: only what is missing, heard when it is to stop, nothing lost."""

import json
import time
from dataclasses import replace

import numpy as np
import pytest

from engine import Cancelled, __version__, consensus_methods, metrics, run_consensus
from engine.generators import Recipe
from engine.runtime.blocks import n_threads
from engine.studies import running
from engine.studies.running import run_study
from engine.studies.sources import Source
from engine.studies.study import Study, expand
from tests.engine.studies.examples import blobs, sample, without_cost
from tests.monitors import Heard, stopping_at_done


def test_records_are_what_one_call_at_a_time_gives(sources, store):
    study = Study(
        ("blobs", "pool"), ("lwea", "lwgp"), repeats=2, seed=3, n_clusterings=(6,), grid={"lwea": {"theta": (0.2, 1.0)}}
    )
    records = run_study(study, sources, store)
    assert len(records) == len(expand(study, sources)) == len(store)
    for task, record in zip(expand(study, sources), records, strict=True):
        source = sources[task.dataset]
        made = source.ensemble(Recipe(), 6, task.seed)
        labels = run_consensus(task.method, made, 3, task.setting, seed=task.seed).labels
        expected = metrics.scores(labels, source.truth)
        assert {name: getattr(record, name) for name in expected} == pytest.approx(expected)
        assert (record.k, record.error, record.key) == (3, "", task.key)
        assert record.peak_mb > 10
        assert json.loads(record.params) == task.setting.as_dict()
        assert (record.generator, record.version) == (task.generator, __version__)


def test_only_what_is_missing_runs(sources, store, monkeypatch):
    study = Study(("blobs",), ("lwea",), repeats=3, grid={"lwea": {"theta": (0.2, 0.4)}})
    first = run_study(study, sources, store)
    store.forget([first[1].key, first[4].key])
    ran = []
    run_unit = running.run_unit
    monkeypatch.setattr(running, "run_unit", lambda tasks, *rest: (ran.extend(tasks), run_unit(tasks, *rest))[1])
    again = run_study(study, sources, store)
    assert {task.key for task in ran} == {first[1].key, first[4].key}
    assert without_cost(again) == without_cost(first)


def test_the_scheduler_that_is_given_goes_before_that_of_the_environment(sources, store, monkeypatch):
    asked = []
    monkeypatch.setattr(running, "run_on_dask", lambda address, units, *_: asked.append((address, len(units))))
    monkeypatch.setenv("CONCORD_SCHEDULER", "tcp://of-the-environment:1")
    for given, address in (("tcp://given:2", "tcp://given:2"), (None, "tcp://of-the-environment:1")):
        with pytest.raises(running.LostWorkersError):
            run_study(Study(("blobs",), ("eac",), repeats=2), sources, store, scheduler=given)
        assert asked.pop() == (address, 2)


@pytest.mark.parametrize(("repeats", "each"), [(1, 4), (2, 2), (9, 1)])
def test_units_share_the_threads(sources, store, monkeypatch, repeats, each):
    monkeypatch.setenv("CONCORD_THREADS", "4")
    found, run_unit = [], running.run_unit
    monkeypatch.setattr(running, "run_unit", lambda *given: (found.append(n_threads()), run_unit(*given))[1])
    run_study(Study(("blobs",), ("eac",), repeats=repeats), sources, store)
    assert found == [each] * repeats


def test_records_that_come_together_count_one_by_one(store):
    heard = Heard()
    running._Keeper(store, heard, 1, 4).keep([sample("a"), sample("b")])
    assert heard.ticks == [(running.STAGE, 1, 4), (running.STAGE, 3, 4)]
    assert len(store) == 2


def test_progress_begins_with_what_is_there(sources, store):
    study = Study(("blobs",), ("lwea",), repeats=3)
    run_study(replace(study, repeats=2), sources, store)
    heard = Heard()
    run_study(study, sources, store, heard)
    assert heard.ticks[0] == (running.STAGE, 2, 3)
    assert heard.ticks[-1] == (running.STAGE, 3, 3)


def test_a_method_that_raises_becomes_a_record(sources, store, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError("by nothing")

    broken = consensus_methods()["eac"].__class__("eac", "EAC", consensus_methods()["eac"].params, fail, "x")
    monkeypatch.setitem(consensus_methods(), "eac", broken)
    records = run_study(Study(("blobs",), ("eac", "lwea"), repeats=1), sources, store)
    assert records[0].error == "ZeroDivisionError: by nothing"
    assert records[0].nmi_max is None
    assert records[1].error == ""


def test_an_ensemble_that_cannot_be_made_is_the_error_of_its_tasks_alone(store):
    """A draw of columns that leaves an object unseen ended a study of all sets, at the same place every time."""
    features, truth = blobs()
    pool = np.tile(truth[:, None], 8)
    pool[7, :7] = -1
    some = {"gappy": Source("gappy", pool=pool, truth=truth), "blobs": Source("blobs", features, truth=truth)}
    records = run_study(Study(("gappy", "blobs"), ("eac",), n_clusterings=(4,), repeats=5), some, store)
    failed = [record for record in records if record.error]
    assert {record.dataset for record in failed} == {"gappy"}
    assert 0 < len(failed) < 5
    assert all("at least one label" in record.error and record.k is None for record in failed)
    assert len(store.all()) == 10


def test_more_clusters_than_microclusters_is_a_record_too(sources, store):
    records = run_study(Study(("blobs",), ("lwea",), repeats=1, k=(3, 5000)), sources, store)
    assert [bool(record.error) for record in records] == [False, True]
    assert "n_clusters must be at most" in records[1].error


def test_without_classes_there_are_no_scores(sources, store):
    (record,) = run_study(Study(("blind",), ("lwea",), repeats=1, k=(3,)), sources, store)
    assert (record.k, record.error, record.ari) == (3, "", None)


def test_a_cancel_is_heard_within_a_second_and_loses_nothing(store):
    rng = np.random.default_rng(0)
    slow = {"big": Source("big", pool=rng.integers(40, size=(3000, 20)), truth=rng.integers(4, size=3000))}
    study = Study(("big",), ("lwea", "ec_cms"), repeats=4, n_clusterings=(8,))
    stop = stopping_at_done(2)
    with pytest.raises(Cancelled):
        run_study(study, slow, store, stop)
    assert time.monotonic() - stop.asked_at < 1
    assert 2 <= len(store) < 8


def test_one_word_is_enough_to_stop_all_threads(store):
    features, truth = blobs(3, 300)
    study = Study(
        ("big",),
        ("lwea", "lwgp"),
        repeats=2,
        grid={m: {"theta": tuple(np.linspace(0.1, 2, 100).tolist())} for m in ("lwea", "lwgp")},
    )
    once = Heard(lambda heard: heard.done > 2 and heard.asked_at is None)
    with pytest.raises(Cancelled):
        run_study(study, {"big": Source("big", features=features, truth=truth)}, store, once)
    time.sleep(0.5)
    assert 2 < len(store) < 30


def test_tasks_without_a_record_are_counted(sources, store, monkeypatch):
    monkeypatch.setattr(running, "_run_in_threads", lambda *a: None)
    with pytest.raises(running.LostWorkersError, match="2 of 2 tasks have no record"):
        run_study(Study(("blobs",), ("eac",), repeats=2), sources, store)


def test_progress_counts_tasks(sources, store):
    heard = Heard()
    run_study(Study(("blobs",), ("lwea",), repeats=4), sources, store, heard)
    assert heard.ticks[0] == (running.STAGE, 0, 4)
    assert heard.ticks[-1] == (running.STAGE, 4, 4)
    assert heard.ticks == sorted(heard.ticks)
