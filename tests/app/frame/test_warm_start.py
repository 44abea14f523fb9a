"""Kernels are compiled beside the server: by one process, below everything else, no longer than the server lives."""

import os
import subprocess
import sys
import threading
import time

import psutil
import pytest

from engine import warm
from tests.app.conftest import ROOT

HOLDING = """import sys, time; from pathlib import Path; from engine import warm
warm.in_turn(lambda: (print(1, flush=True), time.sleep(600)), Path(sys.argv[1]))"""
SERVER = f"""import sys, time; sys.path.insert(0, {str(ROOT)!r}); from ui.frame import warm_start; warm_start.AFTER = 0
print(warm_start.warm_start().pid, flush=True); time.sleep(600)"""


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def server(tmp_path):
    """A process that starts the warm-up as a server does, from any folder, with no kernel compiled; and the warm-up."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", SERVER]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        child = psutil.Process(int(process.stdout.readline()))
        yield process, child
        process.kill()
        if child.is_running():
            child.kill()


@pytest.mark.long
def test_a_warm_up_ends_with_its_server_wherever_it_is_and_is_below_everything_else(server, tmp_path):
    process, child = server
    assert child.nice() == 19
    wait_for(lambda: list(tmp_path.rglob("*.nbc")))  # it compiles
    process.kill()
    wait_for(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, 10)


def test_two_starts_run_one_warm_up_and_a_later_one_its_own(tmp_path, monkeypatch):
    place, done, asked = tmp_path / "lock", [], threading.Semaphore(0)
    flock, may_end = warm.fcntl.flock, threading.Event()

    def seen(file, how):
        asked.release()
        flock(file, how)

    def work():
        done.append(threading.get_ident())
        assert may_end.wait(60)

    monkeypatch.setattr(warm.fcntl, "flock", seen)
    said: list[bool] = []
    starts = [threading.Thread(target=lambda: said.append(warm.in_turn(work, place))) for _ in range(3)]
    for start in starts:
        start.start()
    for _ in starts:
        assert asked.acquire(timeout=60)
    wait_for(lambda: done)
    may_end.set()
    for start in starts:
        start.join(60)
    assert (len(done), sorted(said)) == (1, [False, False, True])
    assert warm.in_turn(work, place)
    assert len(done) == 2


@pytest.mark.long
def test_the_turn_of_a_killed_warm_up_passes_on(tmp_path):
    place = tmp_path / "lock"
    with subprocess.Popen([sys.executable, "-c", HOLDING, place], cwd=ROOT, text=True, stdout=subprocess.PIPE) as first:
        assert first.stdout.readline() == "1\n"
        first.kill()
    done = []
    assert warm.in_turn(lambda: done.append(1), place)
    assert done == [1]
