"""Strategies that choose some of the base clusterings, as plain data, found like methods."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..consensus import run_consensus
from ..ensemble import Ensemble
from ..metrics import nmi
from ..pairs.agreement import clustering_agreement
from ..runtime.discovery import declared
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor

#: Sums of equal numbers differ by less, and count as equal: what comes first in the canonical order wins.
DIGITS = 10


@dataclass(eq=False)
class Candidates:
    """What strategies choose from: base clusterings in canonical order, and what is made once for all strategies.

    A strategy sees places in the canonical order alone, so neither the order of rows or columns nor names of labels
    can decide a tie.

    Attributes
    ----------
    ensemble : Ensemble
        In canonical form.
    n_clusters : int
        k of the answer that `least_alike` looks at.
    rng : Generator
        The one source of chance.
    """

    ensemble: Ensemble
    n_clusters: int
    rng: np.random.Generator
    seed: int = 0
    monitor: Monitor = SILENT

    @cached_property
    def agreement(self) -> NDArray[np.float64]:
        """NMI (max) between every two base clusterings: (M, M)."""
        return self.ensemble.remember("agreement", lambda: clustering_agreement(self.ensemble, monitor=self.monitor))

    @cached_property
    def snmi(self) -> NDArray[np.float64]:
        """Sum of the NMI of each base clustering with all others: (M,)."""
        return self.agreement.sum(axis=1) - self.agreement.diagonal()

    @cached_property
    def likeness(self) -> NDArray[np.float64]:
        """NMI (max) of each base clustering with the answer of EAC to all of them: (M,)."""
        answer = run_consensus("eac", self.ensemble, self.n_clusters, seed=self.seed, monitor=self.monitor).labels
        return np.array([nmi(own[own >= 0], answer[own >= 0]) for own in self.ensemble.labels.T])

    def __len__(self) -> int:
        return self.ensemble.n_clusterings


@dataclass(frozen=True)
class Strategy:
    """A rule that chooses some of the base clusterings, described.

    Attributes
    ----------
    key, title : str
        Name in code ("snmi") and for people ("most agreement").
    run : callable
        `run(candidates, number) -> places`: exactly `number` different places, in any order.
    summary : str
        What it does, in a sentence a student understands.
    reference : str
        Bib key (docs/references.bib).
    place : int
        Where it stands in lists, lower first.
    """

    key: str
    title: str
    run: Callable[[Candidates, int], ArrayLike]
    summary: str
    reference: str
    place: int = 100


@cache
def known_strategies() -> dict[str, Strategy]:
    """All strategies by key, in their places: every `STRATEGY` in `strategies/`.

    >>> list(known_strategies())[:2]
    ['snmi', 'joint']
    """
    found = declared(f"{__package__}.strategies", "STRATEGY")
    return {one.key: one for one in sorted(found, key=lambda one: (one.place, one.key))}


def find_strategy(key: str) -> Strategy:
    """The strategy under a key.

    Parameters
    ----------
    key : str
        One of `known_strategies()`.

    Returns
    -------
    Strategy

    Raises
    ------
    InvalidParameterError
    """
    known = known_strategies()
    if key not in known:
        raise InvalidParameterError(f"strategy must be one of {', '.join(known)}. Got {key!r}")
    return known[key]


def largest(values: NDArray, number: int) -> NDArray[np.int64]:
    """Places of the largest values, the first of equals.

    Parameters
    ----------
    values : (M,) float
    number : int
        At most M.

    Returns
    -------
    (number,) int64

    Examples
    --------
    >>> largest(np.array([0.5, 0.9, 0.1 + 0.2, 0.3]), 3).tolist()
    [1, 0, 2]
    """
    return np.argsort(-np.round(values, DIGITS), kind="stable")[:number]
