"""What is kept to be shown again: bounded, shared by all sessions, and given up where the account is short."""

import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np

from engine.runtime.memory import ACCOUNT, SMALL, Share

Value = TypeVar("Value")
#: Cells of a column of text that are weighed; the others count as much as these.
_SAMPLE = 200
#: Seconds after which what is larger than `engine.runtime.memory.SMALL` need not be kept: nobody looks at it.
IDLE = 300.0


@dataclass(eq=False)
class _Entry(Generic[Value]):
    value: Value
    share: Share
    used: float


class Kept(Generic[Value]):
    """Values by key, at most so many; the least recently used goes first.

    Each holds a share of the process's account; an evicted one lives on as long as somebody uses it. What is large and
    was not used for `idle` seconds goes with the next sweep.
    """

    def __init__(self, most: int, idle: float = IDLE):
        self._most, self._idle = most, idle
        self._entries = OrderedDict[Hashable, _Entry[Value]]()
        self._lock, self._making = threading.Lock(), dict[Hashable, threading.Lock]()
        ACCOUNT.join(self)

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value under a key, made where it is not there: once, however many ask at the same time."""
        if (found := self.find(key)) is not None:
            return found
        with self._one_at_a_time(key):
            if (found := self.find(key)) is None:
                found = make()
                self.keep(key, found)
            return found

    def find(self, key: Hashable) -> Value | None:
        """The value under a key, if it is there; it counts as used."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            entry.used = time.monotonic()
            self._entries.move_to_end(key)
            return entry.value

    def keep(self, key: Hashable, value: Value) -> None:
        """Keep a value under a key where there is none."""
        with self._lock:
            if key in self._entries:
                return
            self._entries[key] = _Entry(value, ACCOUNT.hold(size_of(value)), time.monotonic())
            while len(self._entries) > self._most:
                self._drop_first()

    def weigh(self) -> None:
        """Weigh again: some values grow while they are used."""
        with self._lock:
            for entry in self._entries.values():
                entry.share.resize(size_of(entry.value))

    def oldest(self) -> float | None:
        """When the value that goes first was last used."""
        with self._lock:
            return next((entry.used for entry in self._entries.values()), None)

    def drop_oldest(self) -> None:
        """Let that value go."""
        with self._lock:
            self._drop_first()

    def sweep(self) -> None:
        """Let go of large values that were not used for long."""
        before = time.monotonic() - self._idle
        with self._lock:
            old = [key for key, one in self._entries.items() if one.used < before and one.share.n_bytes > SMALL]
            for key in old:
                self._entries.pop(key).share.give_back()

    def clear(self) -> None:
        """Let everything go."""
        with self._lock:
            while self._entries:
                self._drop_first()

    def _drop_first(self) -> None:
        if self._entries:
            _, entry = self._entries.popitem(last=False)
            entry.share.give_back()

    @contextmanager
    def _one_at_a_time(self, key: Hashable) -> Iterator[None]:
        with self._lock:
            lock = self._making.setdefault(key, threading.Lock())
        try:
            with lock:
                yield
        finally:
            with self._lock:
                self._making.pop(key, None)


def size_of(value: Any, depth: int = 8) -> int:
    """Bytes of the arrays inside a value, each counted once; a view counts as far as it reaches."""
    return _size(value, depth, set())


def _size(value: Any, depth: int, seen: set[int]) -> int:
    if depth == 0 or id(value) in seen or value is None or isinstance(value, bool | int | float | str):
        return 0
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        return value.nbytes + (_texts(value) if value.dtype.kind == "O" else 0)
    if hasattr(value, "nbytes"):
        return int(value.nbytes)
    if isinstance(value, dict):
        return sum(_size(item, depth - 1, seen) for item in list(value.values()))
    if isinstance(value, list | tuple):
        return sum(_size(item, depth - 1, seen) for item in value[:10_000])
    return _size(getattr(value, "__dict__", None), depth - 1, seen)


def _texts(cells: np.ndarray) -> int:
    """Bytes of the objects in a column, from a sample of it: as if no two of them were the same."""
    shown = cells.ravel()[:: max(1, cells.size // _SAMPLE)]
    return sum(map(sys.getsizeof, shown)) * cells.size // max(1, len(shown))
