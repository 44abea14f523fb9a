"""The peak of memory while something ran."""

import types
from pathlib import Path

import numpy as np
import psutil
import pytest

from engine.studies import units
from engine.studies.units import PeakMemory

needs_linux = pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="Linux alone starts its mark anew")


@needs_linux
def test_peak_memory_is_that_of_the_time_watched():
    outer = PeakMemory()
    before = outer.read()
    big = np.ones(25_000_000)  # 200 MB
    del big
    inner = PeakMemory()
    assert outer.read() > before + 150
    assert inner.read() < before + 100
    big = np.ones(40_000_000)  # 320 MB
    del big
    assert inner.read() == outer.read() > before + 270


@pytest.mark.parametrize(
    ("says", "peak"), [({"rss": 80_000_000}, 80.0), ({"rss": 80_000_000, "peak_wset": 120_000_000}, 120.0)]
)
def test_other_systems_say_what_they_know(monkeypatch, tmp_path, says, peak):
    monkeypatch.setattr(units, "_STATUS", tmp_path / "none")
    monkeypatch.setattr(units, "_RESET", tmp_path / "none" / "such")
    process = types.SimpleNamespace(memory_info=lambda: types.SimpleNamespace(**says))
    monkeypatch.setattr(psutil, "Process", lambda: process)
    watch = PeakMemory()
    assert watch.read() == peak
    says["rss"] = 0
    process.memory_info = lambda: types.SimpleNamespace(rss=10_000_000)
    assert watch.read() == peak  # the highest that was seen
