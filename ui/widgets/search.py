"""A table of many objects shows the first rows; a search finds the others."""

import numpy as np
import streamlit as st

from ui.figures.numbering import FIRST
from ui.scene import Scene
from ui.widgets.terms import note

#: Rows of a table at most.
ROWS = 200


def rows(scene: Scene, objects: np.ndarray, key: str) -> np.ndarray:
    """Draw a field for a search among objects, and say which of them a table shows: the first `ROWS` found at most."""
    words = st.text_input(
        "Find objects",
        key=key,
        persist_state="page",
        placeholder="number, name or class",
        max_chars=80,
        help="The number of an object, a part of its name in the file, or its class.",
    )
    if not words.strip():
        return objects[:ROWS]
    found = objects[matching(scene, objects, words.strip())]
    rest = f", the first {ROWS} shown" if len(found) > ROWS else ""
    note(f"{len(found):,} of {len(objects):,} objects found{rest}.")
    return found[:ROWS]


def matching(scene: Scene, objects: np.ndarray, words: str) -> np.ndarray:
    """Whether words are the number of an object, or a part of its name or of its class, capitals or not: (n,) bool."""
    names = scene.identifiers
    found = np.zeros(len(objects), bool)
    if words.isdecimal():
        found |= objects == int(words[:18]) - FIRST
    if names is not None:
        found |= holding(names[objects], words)
    if scene.truth is not None:
        found |= holding(np.array(scene.class_names), words)[scene.truth[objects]]
    return found


def holding(names: np.ndarray, words: str) -> np.ndarray:
    """Which of some names hold the words, capitals or not: (n,) bool."""
    wanted = words.casefold()
    return np.fromiter((wanted in str(name).casefold() for name in names.tolist()), bool, len(names))
