"""Library calls of seconds: the same bytes here and in a process that can be ended, and a cancel is heard meanwhile."""

import time
from contextlib import suppress

import numpy as np
import pytest

from engine import Cancelled, Ensemble, run_consensus
from engine.graphs import library_calls
from engine.monitor import SILENT
from engine.runtime import side_process
from engine.runtime.blocks import single_threaded_libraries
from tests.monitors import Heard
from tests.strategies import random_labels
from ui.scene import places


@pytest.fixture(autouse=True)
def _processes_end(monkeypatch):
    monkeypatch.setattr(side_process, "_idle", [])
    yield
    for process in side_process._idle:
        process.end()


def symmetric(n, seed=0):
    square = np.random.default_rng(seed).random((n, n))
    return square + square.T


CALLS = {
    "eigenvectors": lambda: np.vstack(library_calls.smallest_eigenvectors(symmetric(300), 1, SILENT)[1:]),
    "drawn to 0": lambda: library_calls.drawn_to_zero(symmetric(300), 2.0, "testing", SILENT),
    "inverse": lambda: library_calls.inverse(symmetric(300), "testing", SILENT),
    "right": lambda: np.vstack(library_calls.right_vectors(symmetric(300), "testing", SILENT)),
    "norm": lambda: library_calls.spectral_norm(symmetric(300), "testing", SILENT),
    "t-SNE": lambda: library_calls.tsne(np.random.default_rng(0).random((150, 3)), "testing", SILENT),
    "t-SNE of distances": lambda: library_calls.tsne(
        (symmetric(150) * (1 - np.eye(150))).astype(np.float32), "testing", SILENT, distances=True
    ),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_the_same_bytes_come_back_from_another_process(call, monkeypatch):
    with single_threaded_libraries():
        monkeypatch.setattr(library_calls, "_LONG", 10**9)
        monkeypatch.setattr(library_calls, "_MANY", 10**9)
        here = call()
        assert not side_process._idle
        monkeypatch.setattr(library_calls, "_LONG", 0)
        monkeypatch.setattr(library_calls, "_MANY", 0)
        there = call()
        assert side_process._idle
    assert np.asarray(here).tobytes() == np.asarray(there).tobytes()


def _consensus(method):
    def work(monitor, n=3_000):
        run_consensus(method, Ensemble.from_labels(random_labels(n, 20, 40, 0)), 8, monitor=monitor)

    return work


DISTANCES = 1 - np.corrcoef(np.random.default_rng(0).random((600, 9)))
#: What works for seconds: each was deaf for as long as a library's call took.
DEAF = {
    **{method: _consensus(method) for method in ("ecmc", "rsec", "trce", "spce")},
    "t-SNE": lambda monitor: places._tsne(np.random.default_rng(0).random((5_000, 10)), monitor),
    "t-SNE of labels": lambda monitor: places._placed(
        1 - np.corrcoef(np.random.default_rng(0).random((600, 9))), monitor
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("work", DEAF.values(), ids=DEAF)
def test_a_cancel_is_heard_within_a_second(work):
    """Whenever it comes: less work of this process lies between two ticks, and between the last and the end.

    On the clock of the processor: others may keep it busy. That a waiting for a process ticks has a test of its own.
    """
    if work.__name__ == "work":
        work(SILENT, n=60)  # compiles
    said, until = [time.process_time()], time.monotonic() + 3
    with suppress(Cancelled):
        work(Heard(lambda heard: said.append(time.process_time()) or time.monotonic() > until))
    said.append(time.process_time())
    assert np.diff(said).max() < 1
