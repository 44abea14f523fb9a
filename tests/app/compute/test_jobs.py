import threading
import time

import numpy as np
import pytest

from engine import Ensemble, InvalidParameterError
from engine.runtime.memory import ACCOUNT
from ui.compute import jobs as job_lanes
from ui.compute.jobs import Jobs, Progress, State
from ui.compute.keeping import size_of
from ui.scene import Scene
from ui.scene.consensus import k_choices
from ui.session.run_config import RunConfig


@pytest.fixture
def jobs():
    return Jobs(workers=2, kept_bytes=1000)


def until(condition, seconds=5):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.005)
    assert condition()


def test_a_job_runs_once_for_everybody(jobs):
    calls = []
    for user in ("a", "b", "c"):
        assert jobs.submit("key", lambda monitor: calls.append(1) or 42, user).future.result() == 42
    assert calls == [1]


def test_progress_and_time_left_are_reported(jobs):
    gate = threading.Event()

    def compute(monitor):
        monitor.tick("first", 0, 4)
        monitor.tick("first", 1, 4)
        gate.wait(5)

    job = jobs.submit("key", compute)
    until(lambda: job.progress.done == 1)
    assert job.state is State.RUNNING
    assert job.progress.share == 0.25
    assert job.progress.seconds_left is not None
    gate.set()
    until(lambda: job.state is State.DONE)


def endless(monitor):
    while True:
        monitor.tick("going on", 0, 1)
        time.sleep(0.005)


def test_cancel_is_heard_and_lasts_until_forgotten(jobs):
    job = jobs.submit("key", endless, "a")
    jobs.cancel("key", "a")
    until(lambda: job.state is State.CANCELLED)
    jobs.release("key", "a")  # another question in between
    assert jobs.submit("key", endless, "a") is jobs.find("key", "a") is job
    assert jobs.find("key", "b") is None
    assert jobs.submit("key", lambda monitor: "done", "b").future.result() == "done"  # who did not cancel
    assert jobs.submit("key", endless, "a") is job
    jobs.forget("key", "a")
    shared = jobs.submit("key", endless, "a")
    until(lambda: shared.state is State.DONE)


def test_a_cancel_stops_a_job_for_who_cancelled_alone():
    there = {"a", "b", "c"}
    jobs = Jobs(workers=2, alive=there.__contains__)
    job = jobs.submit("key", endless, "a", place="walks")
    assert jobs.submit("key", endless, "b", place="compare") is job
    jobs.cancel("key", "a")
    assert jobs.submit("key", endless, "a").state is jobs.find("key", "a").state is State.CANCELLED
    assert jobs.submit("key", endless, "b") is jobs.find("key", "b") is job
    time.sleep(0.05)
    assert job.state is State.RUNNING
    jobs.forget("key", "a")
    assert jobs.submit("key", endless, "a") is job
    jobs.cancel("key", "a")
    there.remove("b")  # nobody is left who waits for it
    jobs.submit("key", endless, "c")
    jobs.cancel("key", "c")
    until(lambda: job.state is State.CANCELLED)
    there.remove("c")
    jobs.sweep()
    assert jobs.find("key", "a").state is State.CANCELLED
    there.remove("a")
    jobs.sweep()
    assert not jobs._left


@pytest.mark.parametrize("let_go", [Jobs.cancel, Jobs.release])
@pytest.mark.parametrize("looks_on", [True, False])
def test_whoever_looks_on_keeps_a_job_going_while_there(jobs, let_go, looks_on):
    job = jobs.submit("key", endless, "a", place="compare")
    jobs.watch(job, "b", "compare")
    if not looks_on:
        jobs.submit("other", lambda monitor: 0, "b", place="start")
    let_go(jobs, "key", "a")
    time.sleep(0.05)
    assert (job.state is State.RUNNING) == looks_on
    jobs.cancel("key", "b")
    until(lambda: job.state is State.CANCELLED)


def test_what_ended_before_it_heard_of_a_cancel_is_there(jobs):
    gate = threading.Event()
    job = jobs.submit("key", lambda monitor: gate.wait(5) and 42, "a")
    until(lambda: job.state is State.RUNNING)
    jobs.cancel("key", "a")
    gate.set()
    until(lambda: job.state is State.DONE)
    assert jobs.submit("key", endless, "a") is jobs.find("key", "b") is job
    jobs.sweep()
    assert not jobs._left
    jobs.submit("key", endless, "b")
    jobs.cancel("key", "a")  # a click that comes too late
    assert jobs.find("key", "a") is job


def test_a_waiting_job_can_be_cancelled(jobs):
    running = [jobs.submit(i, endless) for i in range(2)]
    waiting = jobs.submit("late", endless)
    assert waiting.state is State.WAITING
    jobs.cancel("late")
    assert waiting.state is State.CANCELLED
    for i, job in enumerate(running):
        jobs.cancel(i)
        until(lambda job=job: job.state is State.CANCELLED)


def test_what_nobody_wants_any_more_stops_and_starts_anew_when_wanted(jobs):
    job = jobs.submit("key", endless, "a")
    jobs.submit("key", endless, "b")
    jobs.release("key", "a")
    time.sleep(0.05)
    assert job.state is State.RUNNING
    jobs.release("key", "b")
    until(lambda: job.state is State.CANCELLED)
    assert jobs.submit("key", lambda monitor: 7, "a").future.result() == 7


def test_a_failure_is_kept_until_forgotten(jobs):
    def fail(monitor):
        raise InvalidParameterError("no")

    job = jobs.submit("key", fail)
    until(lambda: job.state is State.FAILED)
    assert isinstance(jobs.submit("key", endless).future.exception(), InvalidParameterError)
    jobs.forget("key")
    assert jobs.submit("key", lambda monitor: 7).future.result() == 7


def test_old_results_go_when_memory_is_short(jobs):
    for name in "abc":
        jobs.submit(name, lambda monitor: np.zeros(50), place=name).future.result()
    jobs.submit("d", lambda monitor: 0).future.result()
    assert jobs.find("a") is None
    assert jobs.find("c") is not None


def test_what_a_page_needs_at_once_stays_as_long_as_somebody_is_there():
    there = {"ann", "bob"}
    jobs = Jobs(workers=2, kept_bytes=1000, alive=there.__contains__)

    def ask(name, user, place):
        return jobs.submit(name, lambda monitor: np.zeros(100), user, place=place).future.result()

    for _ in range(3):  # 800 bytes each: not even two of them fit
        for name in "abc":
            ask(name, "ann", "matrices")
    assert all(jobs.find(name) for name in "abc")
    ask("d", "ann", "start")
    ask("a", "bob", "matrices")
    ask("e", "bob", "matrices")
    assert [bool(jobs.find(name)) for name in "abcde"] == [True, False, False, True, True]
    there.remove("bob")
    ask("d", "ann", "start")
    ask("f", "ann", "start")
    assert [bool(jobs.find(name)) for name in "ade"] == [False, True, False]


def test_however_many_are_kept_a_new_one_does_not_weigh_them_all(monkeypatch):
    """Nor does it go beyond what may be kept: what nobody is there for goes, oldest first."""
    monkeypatch.setattr(job_lanes, "MOST_JOBS", 5)
    jobs, weighed = Jobs(weigh_every=3600.0, alive=lambda user: False), []
    jobs.submit(0, lambda monitor: 0).future.result()
    monkeypatch.setattr(ACCOUNT, "weigh", lambda: weighed.append(True))
    for name in range(1, 20):
        jobs.submit(name, lambda monitor: 0).future.result()
    assert weighed == []
    assert [name for name in range(20) if jobs.find(name)] == [15, 16, 17, 18, 19]


def test_what_failed_takes_no_place_of_results(monkeypatch):
    monkeypatch.setattr(job_lanes, "MOST_JOBS", 5)
    jobs = Jobs(weigh_every=3600.0, alive=lambda user: True)
    for name in "abc":
        jobs.submit(name, lambda monitor: 0, "ann", place="walks").future.result()
    for name in range(9):
        jobs.submit(name, lambda monitor: 1 / 0, "bob", place="data").future.exception()
    for user in ("bob", "ann"):
        jobs.submit(user, lambda monitor: 0, user, place="start").future.result()
    assert all(jobs.find(name) for name in "abc")
    assert len(jobs._jobs) <= 6


def test_a_result_that_was_let_go_is_not_kept_for_its_user(jobs):
    for name in "abc":
        jobs.submit(name, lambda monitor: np.zeros(100), "ann", place="matrices").future.result()
        jobs.release(name, "ann")
    jobs.submit("d", lambda monitor: 0, "ann", place="matrices").future.result()
    assert [bool(jobs.find(name)) for name in "ab"] == [False, False]


def test_sizes_count_arrays_inside():
    assert size_of({"a": [np.zeros(10)], "b": (np.zeros(5), "text")}) == 120


def test_pages_never_wait_behind_patient_work():
    jobs, gate = Jobs(workers=1), threading.Event()
    long = [jobs.submit(("long", i), lambda monitor: gate.wait(30), patient=True) for i in range(3)]
    quick = jobs.submit("quick", lambda monitor: 7)
    assert quick.future.result(timeout=10) == 7
    assert [job.state for job in long[1:]] == [State.WAITING, State.WAITING]
    gate.set()
    assert all(job.future.result(timeout=10) for job in long)


def test_the_time_left_follows_from_the_time_gone(monkeypatch):
    monkeypatch.setattr("ui.compute.jobs.time.monotonic", lambda: 130.0)
    assert Progress("a", 3, 4, started=100.0).seconds_left == pytest.approx(10)
    assert Progress("a", 1, 10, started=100.0).seconds_left == pytest.approx(270)
    assert Progress("a", 1, 11, started=100.0).seconds_left is None
    assert Progress("a", 3, 4, started=100.0, first=0.5).seconds_left == pytest.approx(30)
    assert Progress("a", 6, 11, started=100.0, first=0.5).seconds_left is None
    assert Progress("a", 0, 0).share == 0
    assert Progress("a", 9, 4).share == 1


def test_parts_of_a_whole_are_one_task_and_what_begins_anew_another(monkeypatch):
    """A part's first tick says how far the whole is: in no time, it seemed, so that hardly any was left."""
    now = [0.0]
    monkeypatch.setattr("ui.compute.jobs.time.monotonic", lambda: now[0])
    progress = Progress().then("asking methods", 0, 30)
    for now[0], stage, done in [(8.0, "asking methods", 4), (10.0, "comparing halves", 6)]:
        progress = progress.then(stage, done, 30)
    assert progress.seconds_left == pytest.approx(40)
    now[0] = 50.0
    assert progress.then("comparing halves", 30, 30).then("drawing", 0, 7).seconds_left is None
    kept = Progress().then("sets", 60, 100)  # what was kept of an earlier look took no time
    now[0] = 60.0
    assert kept.then("sets", 80, 100).seconds_left == pytest.approx(10)


@pytest.mark.parametrize(("k", "most"), [(None, 10), (3, 10), (5, 10), (8, 16), (60, 30)])
def test_numbers_of_clusters_tried_reach_twice_the_wanted_and_never_past_the_ensemble(k, most):
    made = Ensemble.from_labels(np.arange(30)[:, None] // [1, 2, 3])
    assert len(made.microclusters) == 30
    assert k_choices(made, Scene(RunConfig(data="iris", k=k)).wanted_k) == list(range(2, most + 1))
