"""Kernels compiled earlier serve only while all they were built on is as it was.

Numba keeps a compiled kernel until the file it stands in changes. What it calls, and constants, come from other files
too, and are compiled into it: after an update of one of those it would go on with the old ones, or mix both. `install`
lets numba tell kernels of this package apart by all of it, and has it tell how long it compiles.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Any

import numpy as np
from numba.core import event
from numba.core.caching import FunctionCache

_PACKAGE = __name__.removesuffix(".runtime.kernel_cache")
_CONSTANTS = (bool, int, float, complex, str, bytes, tuple, np.generic)


class _Compiling(event.Listener):
    """How long kernels have been compiled, the one that is under way included; kernels inside kernels count once."""

    def __init__(self) -> None:
        # how many are under way, since when, and seconds before: one thing, for threads that look in between
        self._state = 0, 0.0, 0.0

    def on_start(self, _: event.Event) -> None:
        """A kernel is being compiled, perhaps for another."""
        depth, since, spent = self._state
        self._state = depth + 1, since if depth else time.perf_counter(), spent

    def on_end(self, _: event.Event) -> None:
        """It is there, or failed."""
        depth, since, spent = self._state
        self._state = depth - 1, since, spent + (0.0 if depth > 1 else time.perf_counter() - since)

    def now(self) -> bool:
        """Whether one is under way."""
        return self._state[0] > 0

    def seconds(self) -> float:
        """So far, in all."""
        depth, since, spent = self._state
        return spent + (time.perf_counter() - since if depth else 0.0)


_COMPILING = _Compiling()


def is_compiling() -> bool:
    """Whether a kernel is being compiled right now: a first run waits for it, no other does."""
    return _COMPILING.now()


def seconds_worked() -> float:
    """A clock that stands still while kernels are compiled: no method is to blame that nobody ran it before."""
    return time.perf_counter() - _COMPILING.seconds()


def install() -> None:
    """Have numba look for kernels of this package, and keep them, under what they were built on; once is enough."""
    before: Callable[..., Any] = FunctionCache._index_key
    if getattr(before, "knows", None) == _PACKAGE:
        return

    def index_key(self: FunctionCache, sig: object, codegen: object) -> tuple:
        key, function = before(self, sig, codegen), self._py_func
        return (*key, built_on(function)) if f"{function.__module__}.".startswith(f"{_PACKAGE}.") else key

    vars(index_key)["knows"] = _PACKAGE
    event.register("numba:compile", _COMPILING)
    setattr(FunctionCache, "_index_key", index_key)  # noqa: B010 - to the type checker a method stays what it was


def built_on(function: FunctionType) -> str:
    """A digest of the constants that a kernel reads, and of the files of the kernels that it calls, and so on."""
    digest = hashlib.sha256()
    for part in _parts(function, {function}):
        digest.update(part)
    return digest.hexdigest()


def _parts(function: FunctionType, seen: set[FunctionType]) -> Iterator[bytes]:
    for name in sorted(_names(function.__code__)):
        value = function.__globals__.get(name)
        called = getattr(value, "py_func", None) or getattr(value, "_defn", None)  # a kernel, or an intrinsic
        if called is None:
            if isinstance(value, _CONSTANTS):
                yield repr((name, value)).encode()
            elif isinstance(value, np.ndarray):
                yield repr((name, value.dtype, value.shape)).encode() + value.tobytes()
        elif called not in seen:
            seen.add(called)
            yield _digest(called.__code__.co_filename)
            yield from _parts(called, seen)


def _names(code: CodeType) -> set[str]:
    """Names that code may look up, that of functions inside it too."""
    inside = (_names(part) for part in code.co_consts if isinstance(part, CodeType))
    return set(code.co_names).union(*inside)


@cache
def _digest(file: str) -> bytes:
    with open(file, "rb") as content:
        return hashlib.sha256(content.read()).digest()
