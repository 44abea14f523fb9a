"""Peak memory while something ran, though other threads run beside it."""

import threading
from contextlib import suppress
from pathlib import Path
from weakref import WeakSet

import psutil

_STATUS, _RESET = Path("/proc/self/status"), Path("/proc/self/clear_refs")
_lock = threading.Lock()
_watching: "WeakSet[PeakMemory]" = WeakSet()


class PeakMemory:
    """A watch on the memory of this process; what other threads hold meanwhile counts too.

    Linux alone can start its high-water mark anew. Elsewhere the peak is that of the process so far (Windows), or of
    the moments at which somebody looked.
    """

    def __init__(self) -> None:
        with _lock:
            _share()  # what was before belongs to those who watched then
            with suppress(OSError):
                _RESET.write_text("5")
            self.highest = 0.0
            _watching.add(self)

    def read(self) -> float:
        """Highest resident memory since this watch began, MB."""
        with _lock:
            _share()
            return self.highest


def _share() -> None:
    """The mark is as old as the youngest watch: it holds for all of them."""
    now = _high_water()
    for watch in _watching:
        watch.highest = max(watch.highest, now)


def _high_water() -> float:
    """Most memory this process has held, MB: since the mark on Linux, ever on Windows; what it holds now elsewhere."""
    with suppress(OSError, StopIteration):
        line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024 / 1e6
    held = psutil.Process().memory_info()
    return getattr(held, "peak_wset", held.rss) / 1e6
