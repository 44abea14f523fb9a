"""Errors of the engine: every message has the name, the rule, and the value got."""


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
    """

    def __init__(self, what: str, needed: int, limit: int, alternatives: tuple[str, ...] = ()):
        self.what, self.needed, self.limit, self.alternatives = what, needed, limit, alternatives
        message = f"{what} needs {_gib(needed)}, and {_gib(limit)} may be used (half of the free memory)"
        if alternatives:
            message += f"; {', '.join(alternatives)} would do without it"
        super().__init__(message)


class Cancelled(Exception):  # noqa: N818 - a request that was met, not an error
    """The caller asked to stop, and the engine stopped at its next tick."""


def _gib(n_bytes: int) -> str:
    """Bytes in words, with three significant digits."""
    for unit, factor in (("GiB", 2**30), ("MiB", 2**20)):
        if n_bytes >= factor:
            return f"{n_bytes / factor:.3g} {unit}"
    return f"{n_bytes / 2**10:.3g} KiB"
