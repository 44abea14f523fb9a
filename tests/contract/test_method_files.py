"""A file that declares a method is one that a stranger reads at a glance: no longer than a screen or two."""

import importlib
import pkgutil
from pathlib import Path

import pytest

import engine.methods

SHORTEST, LONGEST = 20, 80
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
    assert SHORTEST <= n_lines(name) <= LONGEST, "whole ideas belong to engine/evidence or engine/partition"
