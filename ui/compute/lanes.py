"""Lanes in which work runs beside the pages: few threads, below the pages in priority, and fair to every session."""

import os
import sys
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable

from engine import EngineError

#: How much lower than a page the threads of a lane stand (Linux; helpers they start inherit it).
NICENESS = 10


class CrowdedError(EngineError):
    """One session has more work waiting than it may have."""


class Lanes:
    """A fixed number of daemon threads: unlike those of an executor, they do not keep a closing server waiting.

    Who has the least running comes first, and among equals who waited longest; at most `most` pieces of one user's work
    wait.
    """

    def __init__(self, n: int, most: int, what: str):
        self._most, self._what = most, what
        self._waiting: OrderedDict[str, deque[tuple[Callable[[], None], Callable[[], bool]]]] = OrderedDict()
        self._running: Counter[str] = Counter()
        self._changed = threading.Condition()
        for i in range(n):
            threading.Thread(target=self._work, name=f"concord-{what}-{i}", daemon=True).start()

    def submit(self, run: Callable[[], None], wanted: Callable[[], bool], user: str) -> None:
        """Run `run()` for a user once a thread is free, if still `wanted()` then; CrowdedError if too many wait."""
        with self._changed:
            queue = self._waiting.setdefault(user, deque())
            for gone in [piece for piece in queue if not piece[1]()]:
                queue.remove(gone)
            if len(queue) >= self._most:
                raise CrowdedError(
                    f"{len(queue)} {self._what} of yours are waiting, and no more may. Let some end, or cancel them"
                )
            queue.append((run, wanted))
            self._changed.notify()

    def _work(self) -> None:
        _step_back()
        while True:
            user, run = self._next()
            try:
                run()
            finally:
                del run
                with self._changed:
                    self._running[user] -= 1
                    self._changed.notify()

    def _next(self) -> tuple[str, Callable[[], None]]:
        """Wait for work, and take a piece of whoever has the least running."""
        with self._changed:
            while not any(self._waiting.values()):
                self._changed.wait()
            user = min((one for one, queue in self._waiting.items() if queue), key=self._running.__getitem__)
            run, _ = self._waiting[user].popleft()
            self._waiting.move_to_end(user)
            if not self._waiting[user]:
                del self._waiting[user]
            self._running[user] += 1
            self._running += Counter()  # forgets whom nothing runs for
            return user, run


def _step_back() -> None:
    """Lower the priority of this thread: pages are served first."""
    if sys.platform == "linux" and NICENESS:
        own = threading.get_native_id()
        lower = os.getpriority(os.PRIO_PROCESS, own) + NICENESS
        os.setpriority(os.PRIO_PROCESS, own, min(19, lower))
