"""One monitor for all tests: it keeps what it hears, and asks to stop, or does something, where a test says."""

import time
from collections.abc import Callable
from typing import Any

from engine import Cancelled, Monitor


class Heard(Monitor):
    """Keeps ticks and what is recorded; asks to stop at every tick at which `stop` holds of what was heard."""

    def __init__(self, stop: Callable[["Heard"], Any] = lambda heard: False):
        self.ticks: list[tuple[str, int, int]] = []
        self.trace: dict[str, Any] = {}
        self.stage, self.done, self.total = "", 0, 0
        #: When it first asked to stop, on the monotonic clock.
        self.asked_at: float | None = None
        self._stop = stop

    def tick(self, stage, done, total):
        assert 0 <= done <= total
        self.ticks.append((stage, done, total))
        self.stage, self.done, self.total = stage, done, total
        if self._stop(self):
            self.asked_at = self.asked_at or time.monotonic()
            raise Cancelled

    def record(self, name, value):
        self.trace[name] = value() if callable(value) else value

    @property
    def stages(self) -> list[str]:
        """The stage of every tick."""
        return [stage for stage, _, _ in self.ticks]


def stopping_at_tick(n: int) -> Heard:
    """Asks to stop at its n-th tick, and whenever it is asked again."""
    return Heard(lambda heard: len(heard.ticks) >= n)


def stopping_at_done(n: int) -> Heard:
    """Asks to stop once so much is done."""
    return Heard(lambda heard: heard.done >= n)


def stopping_at_stage(stage: str) -> Heard:
    """Asks to stop where this is said to be going on."""
    return Heard(lambda heard: heard.stage == stage)


class Once(Heard):
    """Does something once, as soon as `when` holds; `happened_at` is how much was done then."""

    def __init__(self, when: Callable[[Heard], Any], act: Callable[[], object]):
        super().__init__()
        self.when, self.act, self.happened_at = when, act, None

    def tick(self, stage, done, total):
        super().tick(stage, done, total)
        if self.happened_at is None and self.when(self):
            self.happened_at = done
            self.act()
