"""Errors of the engine: every message has the name, the rule, and the value got, in one short line.

Whoever needs an optional package that is not there says which, and the line that installs it.
"""

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Any


class EngineError(Exception):
    """Base of all errors the engine raises on purpose."""


class InvalidEnsembleError(EngineError, ValueError):
    """The labels given cannot be an ensemble of base clusterings."""


class InvalidParameterError(EngineError, ValueError):
    """A parameter is unknown, of the wrong kind, or out of its range."""


class MissingEvidenceError(EngineError):
    """A method needs something this ensemble or this machine does not have."""


class MissingExtraError(MissingEvidenceError, ImportError):
    """A method needs a package that is optional, and it is not installed."""


class TooLargeError(EngineError):
    """A dense array would not fit into the memory allowed.

    Parameters
    ----------
    what : str
        The array, in words.
    needed, limit : int
        Bytes.
    alternatives : tuple of str
        Titles of the methods that need no dense matrix.
    in_use : int
        Bytes of the limit that others held when it was refused, 0 where it is more than the limit.
    given : bool
        Whether `CONCORD_MEMORY_LIMIT` sets the limit; else it is half of the free memory.
    """

    def __init__(
        self,
        what: str,
        needed: int,
        limit: int,
        alternatives: tuple[str, ...] = (),
        in_use: int = 0,
        given: bool = False,
    ):
        self.what, self.needed, self.limit, self.alternatives, self.in_use = what, needed, limit, alternatives, in_use
        self.given = given
        rule = "set by CONCORD_MEMORY_LIMIT" if given else "half of the free memory; CONCORD_MEMORY_LIMIT sets another"
        message = f"{what} needs {_gib(needed)}, and {_gib(limit)} may be used ({rule})"
        if in_use:
            message += f", of which {_gib(in_use)} are in use by others just now"
        if alternatives:
            message += (
                f"; {', '.join(alternatives)} would do without it, and fewer base clusterings or objects need less"
            )
        super().__init__(message)

    def __reduce__(self) -> tuple:
        """Made again from its parts: errors travel between processes."""
        return TooLargeError, (self.what, self.needed, self.limit, self.alternatives, self.in_use, self.given)


class PartitionerError(EngineError):
    """A library that partitions graphs gave up.

    Parameters
    ----------
    partitioner : str
        Its name.
    what : str
        What it was to cut, in words.
    reason : str
        What it said, or what its status means.
    """

    def __init__(self, partitioner: str, what: str, reason: str):
        self.partitioner, self.what, self.reason = partitioner, what, reason
        super().__init__(
            f"{partitioner} could not cut {what}: {reason}. Try another number of clusters or fewer base clusterings, "
            f"or choose a method that does without {partitioner}, such as LWGP"
        )

    def __reduce__(self) -> tuple:
        """Three arguments make it again, not its one message: errors travel between processes."""
        return PartitionerError, (self.partitioner, self.what, self.reason)


class Cancelled(Exception):  # noqa: N818 - a request that was met, not an error
    """The caller asked to stop, and the engine stopped at its next tick."""


def _gib(n_bytes: int) -> str:
    """Bytes in words, with three significant digits."""
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20)):
        if n_bytes >= factor:
            return f"{n_bytes / factor:.3g} {unit}"
    return f"{n_bytes / 2**10:.3g} KiB"


def imported(name: str, what: str, install: str = "") -> ModuleType:
    """An optional package.

    >>> imported("numpy", "This line").__name__
    'numpy'
    """
    try:
        return import_module(name)
    except ImportError:
        line = f"pip install {install or name}"
        raise MissingExtraError(
            f"{what} needs the package {name}, which is not installed. Install it: {line}"
        ) from None


#: Characters of a value that a message repeats.
MOST_SHOWN = 80
#: Names that a message lists.
_MOST_LISTED = 8
_LARGEST_SHOWN = 10**MOST_SHOWN


def shortened(text: str, most: int = MOST_SHOWN) -> str:
    r"""Text in one line, cut so that a message stays readable.

    >>> shortened("abcdefgh", 5), shortened("two\nlines")
    ('ab...', 'two lines')
    """
    line = " ".join(text[: 4 * most].split()) + "..." * (len(text) > 4 * most)
    return line if len(line) <= most else f"{line[: most - 3]}..."


def shown(value: Any) -> str:
    """A value as a message repeats it: as Python writes it, cut at 80 characters.

    >>> shown("lwea"), shown([1, 2]), shown(10**5000)
    ("'lwea'", '[1, 2]', 'an integer of more than 80 digits')
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _LARGEST_SHOWN:
        return f"an integer of more than {MOST_SHOWN} digits"
    if isinstance(value, str):
        return shortened(repr(value[: 2 * MOST_SHOWN]))
    if isinstance(value, list | tuple) and value:
        inside = ", ".join(map(shown, value[:MOST_SHOWN]))
        return shortened(f"[{inside}]" if isinstance(value, list) else f"({inside})")
    if isinstance(value, dict) and value:
        first = list(value.items())[:MOST_SHOWN]
        return shortened("{" + ", ".join(f"{shown(name)}: {shown(one)}" for name, one in first) + "}")
    return shortened(repr(value))


def listed(names: Iterable[Any]) -> str:
    """Names in a row, each cut at 80 characters; of many only the first eight.

    >>> listed(["a", "b"]), listed(range(10))
    ('a, b', '0, 1, 2, 3, 4, 5, 6, 7 and 2 more')
    """
    every = [shortened(str(name)) for name in names]
    more = len(every) - _MOST_LISTED
    return ", ".join(every[:_MOST_LISTED]) + (f" and {more:,} more" if more > 0 else "")
