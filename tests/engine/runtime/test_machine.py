"""Memory and cores, also on systems that say less of themselves than Linux does."""

import os
import types

import psutil
import pytest

from engine.runtime import blocks, memory


def test_free_memory_is_what_the_system_has(monkeypatch):
    monkeypatch.delenv("CONCORD_MEMORY_LIMIT", raising=False)
    monkeypatch.setattr(psutil, "virtual_memory", lambda: types.SimpleNamespace(available=10_000_001))
    with memory.ACCOUNT.hold(4_000_000):
        assert memory.ACCOUNT.held >= 4_000_000
        assert memory.memory_limit() == (10_000_001 + memory.ACCOUNT.held) // 2  # what is held would be free


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="this system does not bind processes to cores")
def test_threads_are_the_cores_this_process_is_bound_to(monkeypatch):
    monkeypatch.delenv("CONCORD_THREADS", raising=False)
    mine = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, {min(mine)})
        assert blocks.n_threads() == 1
    finally:
        os.sched_setaffinity(0, mine)
    assert blocks.n_threads() == len(mine)


def test_where_processes_are_not_bound_all_cores_count(monkeypatch):
    monkeypatch.delenv("CONCORD_THREADS", raising=False)
    monkeypatch.delattr(blocks.os, "sched_getaffinity")
    monkeypatch.setattr(psutil, "Process", lambda: types.SimpleNamespace())
    monkeypatch.setattr(psutil, "cpu_count", lambda: 6)
    assert blocks.n_threads() == 6
    monkeypatch.setattr(psutil, "cpu_count", lambda: None)
    assert blocks.n_threads() == 1
