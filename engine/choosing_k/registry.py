"""Criteria for the number of clusters as plain data, found like methods."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..params import one_of
from ..runtime.discovery import declared
from ..runtime.monitor import Monitor

#: What a criterion may need, and what is said where it is not there.
NEEDS = {
    "features": "needs the features, to cluster them again",
    "tree": "reads the method's own tree, and this method grows none",
    "prototypes": "reads the prototypes of GoT, and this method has none",
    "several": "needs at least 4 base clusterings",
    "sets": "needs at least 3 sets without clusters to be compared with",
    "time": "runs the method ten times more, which a short look leaves out on so many microclusters",
}


@dataclass(frozen=True, eq=False)
class Band:
    """What the curve would be for data without clusters: mean and standard deviation for every k, (len(ks),)."""

    mean: NDArray[np.float64]
    sd: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Curve:
    """A criterion over k.

    Attributes
    ----------
    values : (len(ks),) float64
        nan where there is none.
    pick : int or None
        The k it proposes; None where nothing stands out.
    spread : (len(ks),) float64, optional
        Standard deviation of the value, where it is a mean.
    null : Band, optional
    facts : dict
        Numbers its reading names.
    """

    values: NDArray[np.float64]
    pick: int | None
    spread: NDArray[np.float64] | None = None
    null: Band | None = None
    facts: dict[str, float] | None = None


@dataclass(frozen=True)
class Criterion:
    """A criterion for the number of clusters, described.

    Attributes
    ----------
    key, title : str
        Name in code ("lifetime") and on pages ("lifetime").
    run : callable
        `run(question, monitor) -> Curve`; what criteria share is on the question (`questions.Question`).
    reading : callable
        `reading(curve, ks) -> str`: why it picks what it picks, in a sentence.
    summary : str
        What it measures, in a sentence a student understands.
    reference : str
        Bib key (docs/references.bib).
    needs : frozenset of str
        Some of `NEEDS`.
    counts : bool
        Whether its pick is counted; a criterion that leans to one side, or seldom hits (bench/results/choosing_k.md),
        is shown and left out.
    shares : str
        What it has in common with criteria which say the same thing and share its vote; empty where it has its own.
    quick : bool
        Whether it is part of what is drawn at once.
    place : int
        Where it stands, lower first.
    """

    key: str
    title: str
    run: Callable[[Any, Monitor], Curve]
    reading: Callable[[Curve, NDArray[np.int64]], str]
    summary: str
    reference: str
    needs: frozenset[str] = frozenset()
    counts: bool = True
    shares: str = ""
    quick: bool = True
    place: int = 100


@cache
def known_criteria() -> dict[str, Criterion]:
    """All criteria by key, in their places: every `Criterion` in `criteria/`.

    >>> list(known_criteria())[:2]
    ['rcsi', 'pac']
    """
    found = declared(f"{__package__}.criteria", Criterion)
    return {one.key: one for one in sorted(found, key=lambda one: (one.place, one.key))}


def find_criterion(key: str) -> Criterion:
    """The criterion under a key.

    Parameters
    ----------
    key : str
        One of `known_criteria()`.

    Returns
    -------
    Criterion
        Plain data: title, what it needs, and the function that asks it.

    Raises
    ------
    InvalidParameterError
    """
    return known_criteria()[one_of("criterion", key, known_criteria())]


def highest(values: NDArray, ks: NDArray[np.int64], scale: float = 1.0) -> int | None:
    """The k of the largest value, the lowest k of equals; None if there is no value, or all are the same.

    Parameters
    ----------
    values : (K,) float
        One for each k, nan where there is none.
    ks : (K,) int
        In ascending order.
    scale : float
        Of the numbers that values are made of: what differs by less than 1e-12 of it is rounding.

    Returns
    -------
    int or None

    Examples
    --------
    >>> highest(np.array([0.1, np.nan, 0.4, 0.4]), np.array([2, 3, 4, 5]))
    4
    """
    known = np.isfinite(values)
    if not known.any() or np.ptp(values[known]) <= 1e-12 * scale < len(ks) - 1:
        return None
    return int(ks[np.flatnonzero(known)[np.argmax(np.round(values[known] / scale, 12))]])
