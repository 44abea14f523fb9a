"""Work beside the pages: below them in priority, fair to every session, and never without end."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from engine.runtime.memory import ACCOUNT
from tests.app.compute.test_jobs import until
from ui.compute import uploads
from ui.compute.jobs import CrowdedError, Jobs, Lanes, State


def always():
    return True


def test_who_has_least_running_comes_first():
    lanes, gate, started, order = Lanes(1, 100, "computations"), threading.Event(), threading.Event(), []
    lanes.submit(lambda: (started.set(), gate.wait(10)), always, "ann")
    started.wait(5)
    for i in range(3):
        lanes.submit(lambda i=i: order.append(f"ann {i}"), always, "ann")
    lanes.submit(lambda: order.append("bob 0"), always, "bob")
    lanes.submit(lambda: order.append("cyd 0"), always, "cyd")
    gate.set()
    until(lambda: len(order) == 5)
    assert order == ["ann 0", "bob 0", "cyd 0", "ann 1", "ann 2"]


def test_one_session_does_not_take_all_lanes():
    jobs, gates = Jobs(workers=2), [threading.Event() for _ in range(6)]
    held = [jobs.submit(("ann", i), lambda monitor, i=i: gates[i].wait(20), "ann") for i in range(6)]
    until(lambda: sum(job.state is State.RUNNING for job in held) == 2)
    others = [jobs.submit(("bob", i), lambda monitor: 7, "bob") for i in range(3)]
    gates[0].set()
    assert [job.future.result(10) for job in others] == [7, 7, 7]  # before any other of ann's begins
    for gate in gates:
        gate.set()
    assert all(job.wait(10) for job in held)


def test_three_lanes_run_at_once():
    jobs, barrier = Jobs(), threading.Barrier(3)
    found = [jobs.submit(i, lambda monitor: barrier.wait(5), "ann") for i in range(3)]
    assert {job.future.result(10) for job in found} == {0, 1, 2}


def test_more_work_than_may_wait_is_refused_until_some_of_it_ends():
    lanes, gate = Lanes(1, 2, "studies"), threading.Event()
    started = threading.Event()
    lanes.submit(lambda: (started.set(), gate.wait(10)), always, "ann")
    started.wait(5)
    wanted = [True, True]
    for i in range(2):
        lanes.submit(lambda: None, lambda i=i: wanted[i], "ann")
    with pytest.raises(CrowdedError, match="2 studies of yours are waiting"):
        lanes.submit(lambda: None, always, "ann")
    lanes.submit(lambda: None, always, "bob")
    wanted[1] = False  # cancelled: its place is free
    lanes.submit(lambda: None, always, "ann")
    gate.set()


def test_a_refused_job_is_not_kept(monkeypatch):
    monkeypatch.setattr("ui.compute.jobs.MOST_WAITING", 1)
    jobs, gate = Jobs(workers=1), threading.Event()
    running = jobs.submit("a", lambda monitor: gate.wait(10), "ann")
    until(lambda: running.state is State.RUNNING)
    jobs.submit("b", lambda monitor: 1, "ann")
    assert isinstance(jobs.submit("c", lambda monitor: 1, "ann").future.exception(), CrowdedError)
    gate.set()
    until(lambda: jobs.find("b").state is State.DONE)
    assert jobs.submit("c", lambda monitor: 1, "ann").future.result(5) == 1


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="priorities of threads")
def test_jobs_and_their_helpers_stand_below_the_pages():
    script = """
import os, threading
from engine.runtime.blocks import map_blocks
from ui.compute.jobs import Jobs
found = set()
def nice(start, stop):
    found.add(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
def compute(monitor):
    nice(0, 0)
    map_blocks(nice, 1000)
Jobs().submit("key", compute).future.result()
here = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
print(sorted(found), here)
"""
    root, environment = Path(uploads.__file__).parents[2], {**os.environ, "CONCORD_THREADS": "2"}
    said = subprocess.run([sys.executable, "-c", script], cwd=root, env=environment, capture_output=True, text=True)
    before = os.getpriority(os.PRIO_PROCESS, 0)
    assert said.stdout.split() == [f"[{min(19, before + 10)}]", str(before)], said.stderr


@pytest.mark.long
def test_a_session_holds_so_many_bytes_of_uploads(monkeypatch):
    monkeypatch.setattr(uploads, "MOST_A_SESSION", 3 * 2**20)
    kept, made = uploads.Uploads(alive=lambda user: True), []
    for i in range(3):
        rows = "\n".join(f"{i},{j}" for j in range(100_000)).encode()
        made.append(uploads.keep_file(f"{i}.csv", rows, "features"))  # 1.6 MB each
        kept.add(made[-1], "ann")
        if i == 0:
            kept.find(made[0].id, "bob")
    assert kept.find(made[0].id, "bob")  # he still uses it
    assert kept.find(made[2].id, "ann")
    kept.add(uploads.keep_file("more.csv", b"1,2\n" * 100_000, "features"), "ann")
    assert kept.find(made[1].id, "ann") is None
    assert ACCOUNT.held > 0
