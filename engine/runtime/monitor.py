"""How the engine talks while it works: progress out, a wish to stop in, intermediates out."""

import threading
from collections.abc import Callable
from math import gcd
from typing import Any

from .errors import Cancelled


class Monitor:
    """Two verbs. The default neither reports, nor stops, nor keeps anything.

    A caller that wants to stop a run overrides `tick` and raises `engine.runtime.errors.Cancelled` there.
    """

    def tick(self, stage: str, done: int, total: int) -> None:
        """Report that `done` of `total` parts of `stage` are finished.

        Parameters
        ----------
        stage : str
            What is being done, in a word or two.
        done, total : int
            Parts, 0 <= done <= total.

        Raises
        ------
        Cancelled
            Once the caller has asked to stop.
        """

    def record(self, name: str, value: Any) -> None:
        """Offer a named intermediate (see `engine.consensus.method`).

        Whoever keeps an array copies it: the engine goes on working in place. A function without
        arguments may be given instead of a value that costs something; it is called only if the value is kept.

        Parameters
        ----------
        name : str
            One of the vocabulary.
        value : object
            Or a callable that makes it.
        """


SILENT = Monitor()


class Part(Monitor):
    """Reports a task as part of a larger one; what the task records is not passed on.

    Parameters
    ----------
    outer : Monitor
        Hears of the whole.
    before, whole : int
        Steps of the whole: those done before the task begins, and all of them.
    steps : int, optional
        Steps the task makes, from its start to its end; by default the task counts in the steps of the whole.
    stage : str, optional
        What the whole is called; by default what the task calls itself.

    Examples
    --------
    >>> class Said(Monitor):
    ...     def tick(self, stage, done, total):
    ...         print(stage, done, total)
    >>> Part(Said(), before=1, whole=2, steps=1).tick("walking", 3, 4)
    walking 7 8
    >>> Part(Said(), before=5, whole=20, stage="clustering").tick("clustering a batch", 2, 5)
    clustering 7 20
    """

    def __init__(self, outer: Monitor, before: int, whole: int, steps: int | None = None, stage: str | None = None):
        self.outer, self.before, self.whole, self.steps, self.stage = outer, before, whole, steps, stage

    def tick(self, stage: str, done: int, total: int) -> None:
        """See `Monitor`."""
        total = max(total, 1)
        steps = total if self.steps is None else self.steps
        finer = total // gcd(steps, total)  # into how many each step of the whole is divided
        so_far = min(self.before * finer + done * (steps * finer // total), self.whole * finer)
        self.outer.tick(self.stage or stage, so_far, self.whole * finer)


class Quiet(Monitor):
    """Says nothing of the work it is given to; every tick asks whether the work is still wanted.

    Parameters
    ----------
    ask : callable
        Raises `Cancelled` once it is not, such as `partial(outer.tick, stage, done, total)`, which repeats how far
        the whole is.
    """

    def __init__(self, ask: Callable[[], object]):
        self._ask = ask

    def tick(self, stage: str, done: int, total: int) -> None:
        """See `Monitor`."""
        self._ask()


class Relay(Monitor):
    """Passes ticks on; once the outer monitor has raised, work under way in other threads hears it too.

    Attributes
    ----------
    inner : Monitor
        For that work, in any thread. It reports nothing. The outer monitor is asked from one thread alone, the one
        that made the relay.
    """

    def __init__(self, outer: Monitor):
        self.outer, self.inner = outer, Quiet(self._ask)
        self._home, self._stopped = threading.get_ident(), threading.Event()
        self._latest: tuple[str, int, int] | None = None

    def tick(self, stage: str, done: int, total: int) -> None:
        """See `Monitor`."""
        self._latest = stage, done, total
        self._ask()

    def stop(self) -> None:
        """Have work under way in other threads hear that nobody waits for it."""
        self._stopped.set()

    def _ask(self) -> None:
        if self._stopped.is_set():
            raise Cancelled
        if self._latest is None or threading.get_ident() != self._home:
            return
        try:
            self.outer.tick(*self._latest)
        except Cancelled:
            self._stopped.set()
            raise
