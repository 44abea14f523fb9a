"""What reading says while it goes on: that it does, and no more. The process that reads a file listens (`listen`).

Every word stands for a part of the file that was not looked at before, so a file has only so many: a loop without an
end says nothing, and whoever waits can tell it from a large file.
"""

import io
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeVar

_Item = TypeVar("_Item")
_EACH = 4096  # items
_BLOCK = 1 << 14  # bytes


def _nobody() -> None:
    """Nobody listens where files are read in the process that asks."""


_hears: Callable[[], None] = _nobody


def listen(hears: Callable[[], None]) -> None:
    """Call this at every word from here on."""
    global _hears
    _hears = hears


def goes_on() -> None:
    """Say that another part is done."""
    _hears()


def noted(items: Iterable[_Item]) -> Iterator[_Item]:
    """Return the items, saying so at every few thousandth.

    >>> list(noted("ab"))
    ['a', 'b']
    """
    for place, item in enumerate(items):
        if place % _EACH == 0:
            goes_on()
        yield item


class Watched(io.RawIOBase):
    """The bytes of a file, or a file where it is, for libraries that read it; only what is read first is a word.

    >>> Watched(b"abc").read(2)
    b'ab'
    """

    def __init__(self, content: bytes | Path) -> None:
        self._held = content.open("rb", buffering=0) if isinstance(content, Path) else io.BytesIO(content)
        size = self._held.seek(0, io.SEEK_END)
        self._held.seek(0)
        self._seen = bytearray(size // _BLOCK + 1)

    def readinto(self, into: Any) -> int:
        """Fill a buffer from where the file stands; how many bytes that were."""
        at = self._held.tell()
        n_bytes = self._held.readinto(into) or 0
        first, stop = at // _BLOCK, (at + n_bytes - 1) // _BLOCK + 1
        if self._seen.find(0, first, stop) >= 0:
            self._seen[first:stop] = b"\1" * (stop - first)
            goes_on()
        return n_bytes

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place."""
        return self._held.seek(offset, whence)

    def tell(self) -> int:
        """Where the file stands."""
        return self._held.tell()

    def readable(self) -> bool:
        """It is."""
        return True

    def seekable(self) -> bool:
        """It is."""
        return True

    def close(self) -> None:
        """Close the file."""
        self._held.close()
        super().close()
