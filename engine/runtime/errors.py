"""Errors of the engine: every message has the name, the rule, and the value got.

Whoever needs an optional package that is not there says which, and the line that installs it.
"""

from importlib import import_module
from types import ModuleType


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
    """

    def __init__(self, what: str, needed: int, limit: int, alternatives: tuple[str, ...] = (), in_use: int = 0):
        self.what, self.needed, self.limit, self.alternatives, self.in_use = what, needed, limit, alternatives, in_use
        message = f"{what} needs {_gib(needed)}, and {_gib(limit)} may be used (half of the free memory)"
        if in_use:
            message += f", of which {_gib(in_use)} are in use by others just now"
        if alternatives:
            message += (
                f"; {', '.join(alternatives)} would do without it, and fewer base clusterings or objects need less"
            )
        super().__init__(message)

    def __reduce__(self) -> tuple:
        """Made again from its parts: errors travel between processes."""
        return TooLargeError, (self.what, self.needed, self.limit, self.alternatives, self.in_use)


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
