import subprocess
import sys
import threading

import numpy as np
import pytest

from engine import Cancelled, Ensemble, InvalidParameterError, TooLargeError, run_consensus
from engine.runtime.blocks import kept_threads, limited_threads, map_blocks
from engine.runtime.memory import memory_limit, require_square
from engine.selection import chance
from tests.monitors import Heard, stopping_at_done


@pytest.mark.parametrize("threads", ["1", "3"])
@pytest.mark.parametrize("n", [0, 1, 7, 100])
def test_every_row_is_visited_once(n, threads, monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", threads)
    visits = np.zeros(n, int)

    def visit(start, stop):
        visits[start:stop] += 1

    recorder = Heard()
    map_blocks(visit, n, recorder, "visiting", block=3)
    assert (visits == 1).all()
    assert recorder.ticks[-1] == ("visiting", -(-n // 3), -(-n // 3))


@pytest.mark.parametrize("threads", ["1", "2"])
def test_cancel_stops_new_blocks(threads, monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", threads)
    ran, gate = [], threading.Event()

    def work(start, stop):
        ran.append(start)
        gate.wait(0.01)

    with pytest.raises(Cancelled):
        map_blocks(work, 500, stopping_at_done(2), block=1)
    assert len(ran) < 20


def test_an_error_in_a_block_reaches_the_caller(monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", "2")

    def fail(start, stop):
        raise ZeroDivisionError(start)

    with pytest.raises(ZeroDivisionError):
        map_blocks(fail, 10, block=1)


BLAS_SCRIPT = """
from threading import Event, Thread

from threadpoolctl import threadpool_info, threadpool_limits
from engine.runtime.blocks import single_threaded_libraries

def blas():
    return [lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"]

with single_threaded_libraries():
    pass
before = blas()
with single_threaded_libraries():
    with single_threaded_libraries():
        assert set(blas()) == {1}
    assert set(blas()) == {1}
assert blas() == before and before

inside, left = Event(), Event()
def hold():
    with single_threaded_libraries():
        inside.set()
        left.wait()
first = Thread(target=hold)
first.start()
inside.wait()
with single_threaded_libraries():  # while another thread, alive, was the one to limit
    left.set()
    first.join()
    assert set(blas()) == {1}
assert blas() == before

left.clear()
inside.clear()
def keep():
    limits = threadpool_limits(limits=2, user_api="blas")  # never given back
    inside.set()
    left.wait()
keeper = Thread(target=keep)
keeper.start()
inside.wait()
with single_threaded_libraries():
    assert set(blas()) == {1}
left.set()
print("limited and restored")
"""


def test_blas_is_limited_inside_and_restored_after():
    # in a process of its own: the limit belongs to the whole process, and other tests' threads use it too
    done = subprocess.run([sys.executable, "-c", BLAS_SCRIPT], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "limited and restored", done.stderr


@pytest.mark.parametrize(("text", "size"), [("1000", 1000), ("2K", 2048), ("1.5G", 3 * 2**29), ("3 MiB", 3 * 2**20)])
def test_memory_limit_reads_sizes(text, size, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", text)
    assert memory_limit() == size


@pytest.mark.parametrize("text", ["plenty", "-5G", "-1"])
def test_memory_limit_refuses_other_words(text, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", text)
    with pytest.raises(InvalidParameterError, match=f"such as 800M or 2G. Got '{text}'"):
        memory_limit()


def test_the_refusal_names_need_and_limit(monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "3M")
    require_square("a matrix", 800)
    with pytest.raises(TooLargeError, match=r"1,000 x 1,000\) needs 3.81 MiB, and 3 MiB may be used"):
        require_square("a matrix", 1000)


def test_threads_are_kept_through_many_calls_and_through_one_that_fails(monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", "2")
    seen, done = set(), np.zeros(40)

    def kernel(start, stop):
        seen.add(threading.get_ident())
        done[start:stop] += 1
        if done[start] == 3:
            raise ValueError("third time")

    with kept_threads():
        for _ in range(2):
            map_blocks(kernel, 40, block=1)
        with pytest.raises(ValueError, match="third time"):
            map_blocks(kernel, 40, block=1)
        assert (done >= 2).all()
        map_blocks(lambda start, stop: seen.add(threading.get_ident()), 40, block=1)
    assert len(seen) <= 2
    assert threading.get_ident() not in seen


@pytest.mark.parametrize(
    "call", [lambda made: run_consensus("lwgp", made, 3), lambda made: chance(made, "lwgp", 10, 3)]
)
def test_threads_are_started_once_a_call_however_often_it_maps_blocks(call, monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", "2")
    made = Ensemble.from_labels(np.random.default_rng(0).integers(5, size=(120, 20)))
    started, start = [], threading.Thread.start
    monkeypatch.setattr(threading.Thread, "start", lambda self: started.append(self.name) or start(self))
    call(made)
    assert 1 <= len(started) <= 2


def test_whoever_is_limited_to_one_thread_uses_none_that_are_kept(monkeypatch):
    monkeypatch.setenv("CONCORD_THREADS", "2")
    seen = set()
    with kept_threads(), limited_threads(1):
        map_blocks(lambda start, stop: seen.add(threading.get_ident()), 40, block=1)
    assert seen == {threading.get_ident()}
