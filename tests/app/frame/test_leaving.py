"""A session whose browser has gone is closed soon, unless it comes back."""

import asyncio
import gc
import weakref

import pytest

from ui.frame import leaving
from ui.frame.leaving import Leaving
from ui.frame.warm_start import tidy


def test_who_has_left_is_closed_after_the_time_of_grace(monkeypatch):
    there, closed, now = {"ann", "bob"}, [], [100.0]
    monkeypatch.setattr(leaving.time, "monotonic", lambda: now[0])
    sessions = Leaving(there.__contains__, closed.append, grace=30)
    later = []

    async def end():
        monkeypatch.setattr(asyncio.get_running_loop(), "call_later", lambda seconds, run: later.append((seconds, run)))
        sessions.connection_ended()

    for name in there:
        sessions.arrive(name)
    there.remove("ann")
    asyncio.run(end())
    assert later[0][0] == 31
    now[0] += 20
    sessions.forget()
    assert closed == []  # she may come back
    there.add("ann")
    now[0] += 11
    sessions.forget()
    assert closed == []  # and has
    there.remove("ann")
    asyncio.run(end())
    now[0] += 31
    later[1][1]()
    assert closed == ["ann"]
    sessions.forget()
    assert closed == ["ann"]


def test_it_is_known_whether_anybody_is_left():
    sessions = Leaving(lambda _: False, lambda _: None, grace=0)
    assert not sessions.anybody
    sessions.arrive("ann")
    assert sessions.anybody
    asyncio.run(_end(sessions))
    sessions.forget()
    assert not sessions.anybody


async def _end(sessions):
    sessions.connection_ended()


class Ring:
    """An object in a cycle with itself."""

    def __init__(self):
        self.itself = self


@pytest.mark.long
def test_what_visitors_left_goes_though_it_was_set_aside():
    ring = Ring()
    left = weakref.ref(ring)
    gc.freeze()
    del ring
    gc.collect()
    assert left() is not None  # out of the collector's sight
    tidy()
    assert left() is None
    assert gc.get_freeze_count() > 0
    gc.unfreeze()
