"""Readers that do what a bad file may make of one: hang, asleep or busy inside a library, die, or dawdle."""

import pytest

from data.reading import elsewhere

#: What stands in for reading a file, by name.
_DEEDS = {
    "asleep": "time.sleep(600)",
    "deaf": "ctypes.PyDLL(None).pause()",  # asleep, and no other thread of it may run
    "busy": "sum(itertools.repeat(0))",  # deaf too
    "crashed": "os.kill(os.getpid(), 11)",
    "slow": "[(time.sleep(0.2), progress.goes_on()) for _ in range(8)]",
}
_SWITCHED = """
import ctypes, itertools, os, time
import data.graph_files, data.uploads
from data.reading import opening, progress
def instead_of(before):
    def instead(*given):
        {deed}
        return before(*given)
    return instead
data.uploads.read_table = data.graph_files.read_table = instead_of(data.uploads.read_table)
opening.arrays_npz = instead_of(opening.arrays_npz)
"""


def doing(monkeypatch: pytest.MonkeyPatch, deed: str) -> None:
    """Have every reader do this before it opens a file."""
    switched = _SWITCHED.format(deed=_DEEDS[deed])
    line = "from data.reading.process import main"
    assert line in elsewhere.ALONE
    monkeypatch.setattr(elsewhere, "ALONE", elsewhere.ALONE.replace(line, f"{switched}{line}"))
    monkeypatch.setattr(elsewhere.READY, "_spare", None)  # it has begun already
