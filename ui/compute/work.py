"""Starting jobs: a function of a module and its inputs; the key follows from them."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from engine import Monitor
from ui.compute.jobs import Job, Jobs
from ui.compute.keys import key_of, remember
from ui.session.state import is_here, place, user

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
    return jobs().find(key_of(function, *inputs))


def asked_here(function: Callable[..., Any], *inputs: Any) -> Job | None:
    """The job of a function on these inputs, if this session asked for it; what others ask is theirs."""
    key = key_of(function, *inputs)
    return jobs().find(key) if key in st.session_state.get("_held_jobs", {}).values() else None


def forget(function: Callable[..., Any], *inputs: Any) -> None:
    """Drop the job of a function on these inputs, so that it can start anew."""
    jobs().forget(key_of(function, *inputs))
