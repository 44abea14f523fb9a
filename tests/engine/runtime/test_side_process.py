"""Processes for libraries that cannot be stopped: reused, given up when idle, killed by a cancel."""

import threading
import time

import numpy as np
import psutil
import pytest

from engine import Cancelled
from engine.monitor import SILENT
from engine.runtime import side_process
from engine.runtime.side_process import SideProcessError, solve_aside
from tests.monitors import Heard

SCRIPT = """
import os, sys, time
import numpy as np

def solve(given):
    print("chatter of a library")
    os.write(1, b"and of one in C\\n")
    time.sleep(float(given["seconds"]))
    if given["fails"]:
        raise ValueError("no such thing.")
    return np.array([os.getpid()])
"""


@pytest.fixture
def script(tmp_path, monkeypatch):
    (tmp_path / "script.py").write_text(SCRIPT)
    monkeypatch.setattr(side_process, "_idle", [])
    yield tmp_path / "script.py"
    for process in side_process._idle:
        process.end()


def ask(script, monitor=SILENT, seconds=0.0, fails=False):
    given = {"seconds": np.array(seconds), "fails": np.array(fails)}
    return int(solve_aside(script, given, "testing", monitor)[0])


def test_an_answer_is_read_without_the_parser_of_python(script, monkeypatch):
    """Python 3.11 failed once as two threads read the heads of NPY files, which are Python."""
    monkeypatch.setattr("ast.literal_eval", lambda *_: pytest.fail("parsed"))
    assert ask(script) > 0


def test_the_next_task_has_the_same_process_and_two_at_once_have_two(script):
    first = ask(script)
    assert ask(script) == first
    found = []
    threads = [threading.Thread(target=lambda: found.append(ask(script, seconds=1))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 2


def test_a_cancel_kills_the_process_and_the_next_call_is_free(script):
    cancelled, ended = threading.Event(), []

    def run():
        with pytest.raises(Cancelled):
            ask(script, Heard(lambda heard: cancelled.is_set()), seconds=60)
        ended.append(time.monotonic())

    pid = ask(script)
    thread = threading.Thread(target=run)
    thread.start()
    time.sleep(0.5)
    asked = time.monotonic()
    cancelled.set()
    thread.join()
    assert ended[0] - asked < 1
    assert not psutil.pid_exists(pid)
    assert ask(script) != pid


def test_an_error_is_its_last_line_and_the_next_call_has_another_process(script):
    pid = ask(script)
    with pytest.raises(SideProcessError, match="^ValueError: no such thing$"):
        ask(script, fails=True)
    assert ask(script) != pid


def test_a_process_that_died_while_idle_is_replaced(script):
    pid = ask(script)
    side_process._idle[0].process.kill()
    side_process._idle[0].process.wait()
    assert ask(script) != pid


def test_an_idle_process_ends_and_its_folder_goes(script, monkeypatch):
    monkeypatch.setattr(side_process, "_IDLE", 0.2)
    pid = ask(script)
    folder = side_process._idle[0]._said.parent
    until = time.monotonic() + 10
    while psutil.pid_exists(pid) or folder.exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    assert not side_process._idle
