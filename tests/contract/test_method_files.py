"""A file that declares a method is one that a stranger reads at a glance: no longer than a screen or two."""

import importlib
import pkgutil
from pathlib import Path

import pytest

import engine.methods

SHORTEST, LONGEST = 20, 80
#: Methods whose files are longer for now.
LONGER = frozenset({"kcc"})
DECLARING = [
    found.name
    for found in pkgutil.iter_modules(engine.methods.__path__)
    if hasattr(importlib.import_module(f"engine.methods.{found.name}"), "METHOD")
]


def n_lines(name):
    """Lines as `wc -l` counts them."""
    return Path(importlib.import_module(f"engine.methods.{name}").__file__).read_bytes().count(b"\n")


@pytest.mark.parametrize("name", DECLARING)
def test_a_method_has_20_to_80_lines(name):
    length = n_lines(name)
    assert length >= SHORTEST
    if name in LONGER:
        assert length > LONGEST, f"{name} is short enough: take it out of LONGER"
    else:
        assert length <= LONGEST, "whole ideas belong to engine/evidence, engine/partition or a file beside it"
