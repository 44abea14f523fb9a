"""One account of the process's memory: whoever allocates asks first, and gives back.

Uploads, readers, running jobs and kept results all hold shares of one limit. Where a share is not to be had, results
that are merely kept go first, the one used longest ago before the others; then who asks waits for other work, or is
refused.
"""

import ctypes
import math
import os
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Protocol

import psutil

from .errors import InvalidParameterError, TooLargeError
from .monitor import SILENT, Monitor

_ROOT = Path("/sys/fs/cgroup")
_MEMBERSHIP = Path("/proc/self/cgroup")


def free_in_cgroup(root: Path = _ROOT, membership: Path = _MEMBERSHIP) -> list[int]:
    """Bytes each bounded control group above this process leaves; empty where there are none."""
    return [left for folder, version in _groups(root, membership) if (left := _left(folder, version)) is not None]


def _groups(root: Path, membership: Path) -> Iterator[tuple[Path, int]]:
    """Yield the folder of every group this process is in, innermost first, with the version of its files."""
    try:
        lines = membership.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = (line.split(":", 2) + ["", ""])[:3]
        if controllers not in ("",) and "memory" not in controllers.split(","):
            continue
        base, version = (root / "memory", 1) if controllers else (root, 2)
        inner = PurePosixPath(path.lstrip("/"))
        for place in (inner, *inner.parents):
            yield base / place, version


_FILES = {
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    2: ("memory.max", "memory.current", "inactive_file"),
}


def _left(folder: Path, version: int) -> int | None:
    """Limit less use of one group; None where it has no limit."""
    limit, use, reclaimable = _FILES[version]
    try:
        allowed, used = ((folder / name).read_text(encoding="utf-8").strip() for name in (limit, use))
        if not allowed.isdigit() or int(allowed) >= 2**60:  # version 1 writes nearly 2**63 for none
            return None
        return int(allowed) - int(used) + _counter(folder / "memory.stat", reclaimable)
    except OSError:
        return None


def _counter(path: Path, name: str) -> int:
    """One number of a file of lines "name number"; 0 where it is not there."""
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(" ")
        if key == name:
            return int(value)
    return 0


#: The variable that sets the limit.
_LIMIT = "CONCORD_MEMORY_LIMIT"
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
#: What is no larger is granted at once where it fits by itself: waiting for it would help nobody.
SMALL = 4 * 2**20
#: Seconds work waits for the memory of other work, and between two looks at it.
PATIENCE, _LOOK = 60.0, 0.1
#: Seconds that a look at the memory of the machine does for what is small: looking takes longer than a small matrix.
_RECENT = 0.5
_free, _looked = 0, -math.inf


class Keeper(Protocol):
    """Whoever keeps results that can be made again."""

    def oldest(self) -> float | None:
        """When the result that may go first was last used (`time.monotonic`); None if none may go."""

    def drop_oldest(self) -> None:
        """Let that result go, and give its share back."""

    def weigh(self) -> None:
        """Weigh again what is kept: some results grow while they are used."""

    def sweep(self) -> None:
        """Let go of what nobody is there for."""


class Share:
    """Some bytes of an account, held until they are given back; also a context manager."""

    def __init__(self, account: "Account", n_bytes: int):
        self._account, self.n_bytes = account, n_bytes

    def resize(self, n_bytes: int) -> None:
        """Say what is really there: more or less than was thought."""
        self._account._change(n_bytes - self.n_bytes)
        self.n_bytes = n_bytes

    def give_back(self) -> None:
        """Give all of it back; more than once does no harm."""
        self.resize(0)

    def __enter__(self) -> "Share":
        return self

    def __exit__(self, *_: object) -> None:
        self.give_back()


class Account:
    """What this process holds against `memory_limit()`; any number of threads may ask."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._keepers: weakref.WeakSet[Keeper] = weakref.WeakSet()
        self._held = self._active = self._waiting = 0

    @property
    def held(self) -> int:
        """Bytes of all shares together."""
        return self._held

    def join(self, keeper: Keeper) -> None:
        """Ask this keeper too when memory is short."""
        self._keepers.add(keeper)

    def weigh(self) -> None:
        """Have all that is kept weighed again."""
        for keeper in list(self._keepers):
            keeper.weigh()

    def sweep(self) -> None:
        """Let go of what nobody is there for, and hand it back to the system."""
        before = self._held
        for keeper in list(self._keepers):
            keeper.sweep()
        if self._held < before - SMALL:
            trim()

    def hold(self, n_bytes: int) -> Share:
        """A share of what is there already, whatever the limit says."""
        self._change(n_bytes)
        return Share(self, n_bytes)

    def ask(self, what: str, needed: int, patience: float = 0.0, monitor: Monitor = SILENT) -> Share:
        """A share of `needed` bytes, before they are allocated; waits `patience` seconds for what other work holds.

        A TooLargeError says what they are for where they are more than the limit, or not to be had in time.
        """
        deadline = time.monotonic() + patience
        while True:
            limit = memory_limit(_RECENT if needed <= SMALL else 0.0)
            if needed > limit:
                raise TooLargeError(what, needed, limit, given=bool(os.environ.get(_LIMIT)))
            if self._taken(needed, limit):
                return Share(self, needed)
            if not self._made_room():
                self._wait(what, needed, limit, deadline, monitor)

    def _taken(self, needed: int, limit: int) -> bool:
        with self._changed:
            fits = needed <= SMALL or self._held + needed <= limit
            self._held += needed if fits else 0
            return fits

    def _made_room(self) -> bool:
        """Whether the oldest of all kept results could go."""
        ages = [(age, keeper) for keeper in list(self._keepers) if (age := keeper.oldest()) is not None]
        if ages:
            min(ages, key=lambda pair: pair[0])[1].drop_oldest()
        return bool(ages)

    def _wait(self, what: str, needed: int, limit: int, deadline: float, monitor: Monitor) -> None:
        """Wait for other work; refuse where there is none, or all of it waits too."""
        with self._changed:
            others = self._active - self._waiting - 1
            if others < 1 or time.monotonic() >= deadline:
                raise TooLargeError(what, needed, limit, in_use=self._held, given=bool(os.environ.get(_LIMIT)))
            self._waiting += 1
            try:
                self._changed.wait(_LOOK)
            finally:
                self._waiting -= 1
        monitor.tick("waiting for memory", 0, 1)

    def _change(self, n_bytes: int) -> None:
        with self._changed:
            self._held += n_bytes
            if n_bytes < 0:
                self._changed.notify_all()

    def _count(self, change: int) -> None:
        with self._changed:
            self._active += change


#: That of this process.
ACCOUNT = Account()
_here = threading.local()


class _Work:
    """What one piece of work was granted, by what it is for."""

    def __init__(self, monitor: Monitor):
        self._monitor, self._shares = monitor, dict[str, list[Share]]()

    def take(self, what: str, needed: int) -> None:
        """Ask for what is more than was granted for the same purpose: loops ask again and again."""
        shares = self._shares.setdefault(what, [])
        more = needed - sum(share.n_bytes for share in shares)
        if more > 0:
            shares.append(ACCOUNT.ask(what, more, PATIENCE, self._monitor))

    def give_back(self) -> None:
        for share in (share for shares in self._shares.values() for share in shares):
            share.give_back()


@contextmanager
def working(monitor: Monitor = SILENT) -> Iterator[None]:
    """Inside the block, this thread holds what `require_memory` grants it until the block ends."""
    before, work = getattr(_here, "work", None), _Work(monitor)
    _here.work = work
    ACCOUNT._count(+1)
    try:
        yield
    finally:
        _here.work = before
        ACCOUNT._count(-1)
        work.give_back()


def memory_limit(age: float = 0.0) -> int:
    """Bytes everything together may take: half of the memory that would be free, or `CONCORD_MEMORY_LIMIT`.

    The variable takes bytes or a number with K, M, G or T ("800M"). What control groups and the limits of the process
    leave counts as free, and what the account holds would be; it may have been looked at `age` seconds ago.
    """
    global _free, _looked
    if given := os.environ.get(_LIMIT):
        return _parse_size(given)
    if (now := time.monotonic()) - _looked >= age:
        _free, _looked = _free_memory(), now
    return (_free + ACCOUNT.held) // 2


def require_memory(what: str, needed: int) -> None:
    """Raise TooLargeError if `needed` bytes are not to be had; to be called before allocating.

    Inside `working` they are held until the work ends; else whoever calls is alone to know.
    """
    work = getattr(_here, "work", None)
    if work is None:
        ACCOUNT.ask(what, needed).give_back()
    else:
        work.take(what, needed)


def require_square(what: str, n: int, n_arrays: int = 1, itemsize: int = 4) -> None:
    """`require_memory` for `n_arrays` matrices of n x n that are alive together."""
    require_memory(f"{what} ({n:,} x {n:,})", n_arrays * n * n * itemsize)


def _parse_size(text: str) -> int:
    digits = text.strip().upper().removesuffix("IB").removesuffix("B")
    unit = digits[-1:] if digits[-1:] in _UNITS and digits[-1:] else ""
    try:
        size = int(float(digits.removesuffix(unit)) * _UNITS[unit])
    except (ValueError, OverflowError):
        size = -1
    if size < 0:
        raise InvalidParameterError(f"{_LIMIT} must be a size such as 800M or 2G. Got {text!r}")
    return size


def _free_memory() -> int:
    """Memory that can be taken without swapping and within all limits set from outside, in bytes."""
    free = [int(psutil.virtual_memory().available), *free_in_cgroup(), *_left_of_address_space()]
    return max(0, min(free))


def _left_of_address_space() -> list[int]:
    """What RLIMIT_AS leaves, where it is set."""
    try:
        import resource
    except ImportError:  # not everywhere
        return []
    allowed = resource.getrlimit(resource.RLIMIT_AS)[0]
    return [] if allowed == resource.RLIM_INFINITY else [allowed - psutil.Process().memory_info().vms]


def trim() -> None:
    """Hand free pages back to the system, where the C library has a word for it."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    if trim is not None:
        trim(0)
