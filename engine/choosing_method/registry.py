"""Criteria for a choice among methods as plain data, found like methods."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..runtime.discovery import declared
from ..runtime.monitor import Monitor


@dataclass(frozen=True)
class Criterion:
    """A criterion for the answers of several methods, described; it has either `run` or `index`.

    Attributes
    ----------
    key, title : str
        Name in code ("agreement") and for people.
    summary : str
        What it measures, in a sentence a student understands.
    reference : str
        Bib key (docs/references.bib).
    run : callable, optional
        `run(question, monitor) -> dict`: a value for every method that answered, the higher the better.
    index : callable, optional
        `index(placed) -> float`: an internal index of one partition (`calibration.Placed`), the higher the better. It
        is told as a z-value among partitions that know nothing.
    needs_features : bool
        It is left out where there are none.
    place : int
        Where it stands, lower first.
    """

    key: str
    title: str
    summary: str
    reference: str
    run: Callable[[Any, Monitor], dict[str, float]] | None = None
    index: Callable[[Any], float] | None = None
    needs_features: bool = False
    place: int = 100


@cache
def known_criteria() -> dict[str, Criterion]:
    """All criteria by key, in their places: every `Criterion` in `criteria/`.

    >>> list(known_criteria())[:2]
    ['agreement', 'stability']
    """
    found = declared(f"{__package__}.criteria", Criterion)
    return {one.key: one for one in sorted(found, key=lambda one: (one.place, one.key))}
