"""Objects a person picked: in a scatter, a matrix, a tree or a table; they stay picked on every page until cleared."""

from typing import Any

import numpy as np
import streamlit as st

from ui.session.settings import MAX_RANGES, settings
from ui.session.state import change, config

_KEY = "_picked"


def _place() -> tuple:
    """Where a pick is one: on the same objects."""
    return tuple(getattr(config(), name) for name in settings()["pick"].reset_by)


def picked() -> np.ndarray | None:
    """Indices of the picked objects of the present data set, ascending, or None."""
    if config().pick:
        return np.concatenate([np.arange(first, last + 1) for first, last in config().pick])
    place, objects, _ = st.session_state.get(_KEY, ((), None, ""))
    return objects if place == _place() else None


def pick(objects: Any, words: str) -> None:
    """Pick objects; `words` say where they come from. Two objects also become the pair that is looked at.

    The URL holds them as ranges; objects too scattered for that stay in the session.
    """
    objects = np.unique(np.asarray(objects, dtype=np.int64))
    if not len(objects):
        return
    ranges = ranges_of(objects)
    fits = len(ranges) <= MAX_RANGES
    st.session_state[_KEY] = (_place(), None if fits else objects, words)
    change(pick=ranges if fits else ())
    if len(objects) == 2:
        change(pair=tuple(objects.tolist()))


def ranges_of(objects: np.ndarray) -> tuple[tuple[int, int], ...]:
    """Ascending numbers as ranges, both ends included."""
    breaks = np.flatnonzero(np.diff(objects) > 1)
    firsts, lasts = np.r_[objects[0], objects[breaks + 1]], np.r_[objects[breaks], objects[-1]]
    return tuple(zip(firsts.tolist(), lasts.tolist(), strict=True))


def beyond_links() -> bool:
    """Whether the picked objects are too scattered for an address."""
    return not config().pick and picked() is not None


def clear() -> None:
    """Forget the picked objects."""
    st.session_state.pop(_KEY, None)
    change(pick=())


def origin() -> str:
    """Where the picked objects come from, in words."""
    place, _, words = st.session_state.get(_KEY, ((), None, ""))
    return words if place == _place() else "a link"
