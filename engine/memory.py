"""The check that stands before every dense allocation."""

import os

import psutil

from .errors import InvalidParameterError, TooLargeError

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def memory_limit() -> int:
    """Bytes a dense array may take: half of the free memory, or `CONCORD_MEMORY_LIMIT`.

    The variable takes bytes or a number with K, M, G or T ("800M").

    Raises
    ------
    InvalidParameterError
        If the variable is set and is no size.
    """
    given = os.environ.get("CONCORD_MEMORY_LIMIT")
    return _free_memory() // 2 if given is None else _parse_size(given)


def require_memory(what: str, needed: int) -> None:
    """Raise TooLargeError if `needed` bytes are over the limit; to be called before allocating."""
    limit = memory_limit()
    if needed > limit:
        raise TooLargeError(what, needed, limit)


def require_square(what: str, n: int, n_arrays: int = 1, itemsize: int = 4) -> None:
    """`require_memory` for `n_arrays` matrices of n x n that are alive together."""
    require_memory(f"{what} ({n:,} x {n:,})", n_arrays * n * n * itemsize)


def _parse_size(text: str) -> int:
    digits = text.strip().upper().removesuffix("IB").removesuffix("B")
    unit = digits[-1:] if digits[-1:] in _UNITS and digits[-1:] else ""
    try:
        return int(float(digits.removesuffix(unit)) * _UNITS[unit])
    except ValueError:
        raise InvalidParameterError(f"CONCORD_MEMORY_LIMIT must be a size such as 800M or 2G. Got {text!r}") from None


def _free_memory() -> int:
    """Memory that can be taken without swapping, in bytes."""
    return int(psutil.virtual_memory().available)
