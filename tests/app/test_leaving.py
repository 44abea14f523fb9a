"""A session whose browser has gone is closed soon, unless it comes back."""

import asyncio

from ui.frame import leaving
from ui.frame.leaving import Leaving


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
