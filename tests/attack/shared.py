"""What every door of the attack shares: how much is tried, with which seeds, and how what falls is told.

CONCORD_ALL=1 tries everything, CONCORD_VOLUME=x so many times what an ordinary run tries, CONCORD_SEED=n other draws.
"""

import os
import resource
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from data import DataError
from engine.runtime.errors import EngineError

VOLUME = float(os.environ.get("CONCORD_VOLUME", 25 if os.environ.get("CONCORD_ALL") else 1))
SEED = int(os.environ.get("CONCORD_SEED", 0))
#: What one case may take.
SECONDS, KIB = 10, 2**20
REFUSALS = (DataError, EngineError)
_SHOWN = 12


def drawn(number: int) -> Iterator[tuple[int, np.random.Generator]]:
    """So many cases, times the volume: each its number and a generator of its own, so that any can be run alone."""
    for case in range(max(1, round(number * VOLUME))):
        yield case, np.random.default_rng([SEED, case])


class SlowError(Exception):
    """A case took longer than it may."""


@contextmanager
def at_most(seconds: int = SECONDS) -> Iterator[None]:
    """Raise `SlowError` where something takes longer, of the processor, as soon as Python runs again."""

    def stop(*_):
        raise SlowError(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)  # the other one is pytest's
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


class Tally:
    """What came of each case of a test; `settle` fails with all that fell."""

    def __init__(self, note: Callable[[str, object], None]):
        self.counts: Counter[str] = Counter()
        self.fallen: dict[str, list[str]] = {}
        self._note = note

    def fell(self, kind: str, case: str) -> None:
        """One case came to something that may not be."""
        self.counts["fell"] += 1
        self.fallen.setdefault(kind, []).append(case)

    def attempt(self, case: str, act: Callable[[], str | None], seconds: int = SECONDS) -> None:
        """Count an answer, or a refusal in words; a sentence that comes back is a fault, as any other error is."""
        before = peak()
        try:
            with at_most(seconds):
                fault = act()
            self.counts["answered"] += 1
            if fault:
                self.fell(fault, case)
        except REFUSALS as error:
            self.counts["refused"] += 1
            if not str(error).strip() or "Traceback" in str(error):
                self.fell(f"refused without words: {type(error).__name__}", case)
        except Exception as error:  # noqa: BLE001 - what may be raised is what is tested
            self.fell(where(error), case)
        if peak() - before > KIB:
            self.fell("more than 1 GiB", case)

    def settle(self) -> None:
        """Hand the counts to the report, and fail where anything fell."""
        for name, count in sorted(self.counts.items()):
            self._note(name, count)
        told = [f"{len(cases)} x {kind}\n    {'; '.join(cases[:_SHOWN])}" for kind, cases in self.fallen.items()]
        assert not told, f"{self.counts}\n" + "\n".join(told)
        assert self.counts


def where(error: BaseException) -> str:
    """An error with the last line of our own that it went through."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if "/attack/" not in one.filename]
    ours = [one for one in frames if "site-packages" not in one.filename and "/lib/python" not in one.filename]
    at = f"{Path(*Path(ours[-1].filename).parts[-2:])}:{ours[-1].lineno}" if ours else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:150]} @ {at}"


def peak() -> int:
    """The most memory this process had, KiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
