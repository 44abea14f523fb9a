"""Keys of jobs, made from what a job is given: the function's name and a token of every input."""

import enum
import hashlib
import weakref
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from scipy import sparse

#: Tokens of objects that never change, by identity: results of jobs, and read-only arrays once they were hashed.
_known: dict[int, tuple[weakref.ref, Hashable]] = {}


def key_of(function: Callable[..., Any], *inputs: Any) -> tuple:
    """The key of `function(*inputs)`: equal for equal inputs, and different as soon as one of them differs.

    TypeError if the function is not of a module: what it closes over would not be in the key.
    """
    if "<locals>" in function.__qualname__ or "<lambda>" in function.__qualname__ or function.__closure__:
        raise TypeError(f"a job must be a function of a module that closes over nothing. Got {function.__qualname__}")
    return function.__module__, function.__qualname__, *(token(value) for value in inputs)


def token(value: Any) -> Hashable:
    """What stands for an input in a key: itself if it is plain, else a hash of its content, or where it comes from."""
    if value is None or isinstance(value, bool | int | float | str | bytes | enum.Enum):
        return type(value).__name__, value
    if isinstance(value, tuple | list):
        return type(value).__name__, *(token(item) for item in value)
    if isinstance(value, Mapping):
        return "mapping", *((token(name), token(item)) for name, item in value.items())
    name = type(value).__qualname__
    if isinstance(content := getattr(value, "fingerprint", None), str):
        return name, content
    if (known := _known.get(id(value))) and known[0]() is value:
        return known[1]
    if isinstance(value, np.ndarray | np.generic):
        return _remembered(value, "array", value.shape, value.dtype.str, _digest(value))
    if sparse.issparse(value):
        rows = value.tocsr()
        return "sparse", value.shape, *(token(part) for part in (rows.indptr, rows.indices, rows.data))
    if is_dataclass(value) and not isinstance(value, type):
        return name, *(token(getattr(value, field.name)) for field in fields(value))
    raise TypeError(f"{name} has no token: it cannot be the input of a job")


def remember(result: Any, key: Hashable) -> None:
    """A result of a job stands for itself by the key that made it."""
    if not isinstance(result, np.generic) and hasattr(type(result), "__weakref__") or isinstance(result, np.ndarray):
        _note(result, ("result of", key))


def _remembered(array: Any, *content: Hashable) -> Hashable:
    """Hash a read-only array once."""
    if isinstance(array, np.ndarray) and not array.flags.writeable:
        _note(array, content)
    return content


def _note(value: Any, content: Hashable) -> None:
    place = id(value)
    if (known := _known.get(place)) and known[0]() is value:
        return  # a job may hand on what another one made
    _known[place] = weakref.ref(value, lambda _: _known.pop(place, None)), content


def _digest(array: Any) -> str:
    return hashlib.blake2b(np.ascontiguousarray(array).tobytes(), digest_size=16).hexdigest()
