"""Starting jobs: a function of a module and its inputs.

The key of a job follows from them: the function's name, and a token of every input.
"""

import enum
import hashlib
import weakref
from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import streamlit as st
from scipy import sparse

from engine import Monitor
from ui.compute.jobs import Job, Jobs
from ui.session.state import is_here, place, user

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


#: Seconds: a job that ends within them is shown at once, without a progress bar.
PATIENCE = 0.6


@st.cache_resource
def jobs() -> Jobs:
    """The jobs of this process."""
    return Jobs(alive=is_here, weigh_every=0.5)


def start(function: Callable[..., Any], *inputs: Any, slot: str = "", patient: bool = False) -> Job:
    """The job that runs `function(*inputs, monitor=...)`: the one that is there, or a new one.

    A session has one job a slot (by default one for each function): an unfinished one before it is let go. A `patient`
    job takes minutes.
    """
    key, slot = key_of(function, *inputs), slot or function.__qualname__
    held = st.session_state.setdefault("_held_jobs", {})
    if held.get(slot, key) != key:
        jobs().release(held[slot], user())
    held[slot] = key

    def compute(monitor: Monitor) -> Any:
        result = function(*inputs, monitor=monitor)
        remember(result, key)
        return result

    return jobs().submit(key, compute, user(), patient, place())


def release(slot: str) -> None:
    """Let go of what this session wanted last in a slot; it stops if nobody else wants it and it is not done."""
    held = st.session_state.get("_held_jobs", {})
    if slot in held:
        jobs().release(held.pop(slot), user())


def find(function: Callable[..., Any], *inputs: Any) -> Job | None:
    """The job of a function on these inputs, if there is one."""
    return jobs().find(key_of(function, *inputs), user())


def asked_here(function: Callable[..., Any], *inputs: Any) -> Job | None:
    """The job of a function on these inputs, if this session asked for it; what others ask is theirs."""
    key = key_of(function, *inputs)
    return jobs().find(key, user()) if key in st.session_state.get("_held_jobs", {}).values() else None


def forget(function: Callable[..., Any], *inputs: Any) -> None:
    """Drop the job of a function on these inputs, so that it can start anew."""
    jobs().forget(key_of(function, *inputs), user())


def watch(job: Job) -> None:
    """Let this session count as one that looks on while a job runs."""
    jobs().watch(job, user(), place())


def cancel(job: Job) -> None:
    """Give a job up; it goes on for others who wait for it."""
    jobs().cancel(job.key, user())


def is_left(job: Job) -> bool:
    """Whether this session gave up a job that goes on for others."""
    return jobs().find(job.key, user()) is not job
