"""Strategies that choose some of the base clusterings: plain data, found like methods, and the call that runs one."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..confidence import nmi_with_each
from ..consensus import run_consensus
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_ensemble
from ..pairs.agreement import clustering_agreement
from ..params import one_of, require_integer
from ..runtime.discovery import declared
from ..runtime.errors import InvalidParameterError, shown
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
        return nmi_with_each(self.ensemble, answer)

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
    """All strategies by key, in their places: every `Strategy` in `strategies/`.

    >>> list(known_strategies())[:2]
    ['snmi', 'joint']
    """
    found = declared(f"{__package__}.strategies", Strategy)
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
    return known_strategies()[one_of("strategy", key, known_strategies())]


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


#: Longest number in words.
_DIGITS = 9


def selection_of(words: str, n_clusterings: int) -> tuple[str, int]:
    """What words ask for: a strategy, and how many base clusterings it keeps.

    Parameters
    ----------
    words : str
        "STRATEGY" (half of them), "STRATEGY:NUMBER" or "STRATEGY:SHARE%", such as "snmi:10" or "snmi:30%".
    n_clusterings : int
        M.

    Returns
    -------
    strategy : str
    number : int
        From 1 to M.

    Raises
    ------
    InvalidParameterError
        If there is no such strategy, or no such number.

    Examples
    --------
    >>> selection_of("snmi", 5), selection_of("joint:4", 5), selection_of("hull:30%", 20)
    (('snmi', 3), ('joint', 4), ('hull', 6))
    """
    strategy, colon, many = str(words).partition(":")
    find_strategy(strategy)
    if not colon:
        return strategy, (n_clusterings + 1) // 2
    share = many.endswith("%")
    if not (digits := many.removesuffix("%")).isdecimal() or not digits.isascii() or len(digits) > _DIGITS:
        form = "STRATEGY, STRATEGY:NUMBER or STRATEGY:SHARE%"
        raise InvalidParameterError(f"a selection must be {form}. Got {shown(words)}")
    number = int(digits)
    if share and not 1 <= number <= 100:
        raise InvalidParameterError(f"a share must be from 1 % to 100 %. Got {shown(words)}")
    if not share and not 1 <= number <= n_clusterings:
        raise InvalidParameterError(f"number must be an integer from 1 to {n_clusterings:,}. Got {shown(words)}")
    return strategy, max(1, (number * n_clusterings + 50) // 100) if share else number


def select(
    ensemble: Ensemble,
    strategy: str,
    number: int,
    n_clusters: int | None = None,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> NDArray[np.int64]:
    """Choose base clusterings by a strategy: which columns of the ensemble they are.

    Parameters
    ----------
    ensemble : Ensemble
        Of M base clusterings; missing labels are taken, and two base clusterings compared on what both label.
    strategy : str
        One of `known_strategies()`.
    number : int
        How many to choose, from 1 to M.
    n_clusters : int, optional
        k of the consensus that `least_alike` compares with; by default the median number of clusters of the base
        clusterings.
    seed : int
        Of `random`, of the k-means of `cas`, and of the consensus.
    monitor : Monitor, optional

    Returns
    -------
    (number,) int64
        Ascending. Hand them to `Ensemble.select`, or where labels are missing to `Ensemble.seen_by`.

    Raises
    ------
    InvalidParameterError
        If there is no such strategy, or a number is out of range.

    Notes
    -----
    What is chosen does not depend on the order of rows or columns, nor on names of labels: ties are decided by the
    canonical order, and only between exact mirror images by a toss. O(n M^2) time on the n
    microclusters.

    References
    ----------
    fern2008selection; azimi2009aces.

    Examples
    --------
    >>> odd = [0, 1, 0, 1, 0, 1]
    >>> columns = [[0, 0, 0, 1, 1, 1], odd, [0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 1]]
    >>> select(Ensemble.from_labels(np.transpose(columns)), "snmi", 2).tolist()
    [0, 3]
    """
    chosen, m, seed = find_strategy(strategy), require_ensemble(ensemble).n_clusterings, require_integer("seed", seed)
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 1 <= number <= m:
        raise InvalidParameterError(f"number must be an integer from 1 to {m:,}, the base clusterings. Got {number!r}")
    if number == m:
        return np.arange(m)
    ensemble = ensemble.tossed(seed)  # of mirror images the one that the consensus takes
    rng, made = np.random.default_rng(seed), ensemble.canonical
    found = chosen.run(Candidates(made, _k(ensemble, n_clusters), rng, seed, monitor), int(number))
    return np.sort(ensemble.form.clusterings[np.asarray(found)])


def selected(
    ensemble: Ensemble, words: str, n_clusters: int | None = None, seed: int = 0, monitor: Monitor = SILENT
) -> tuple[Ensemble, NDArray[np.int64]]:
    """The ensemble of those base clusterings that a strategy keeps, and which columns they are.

    Parameters
    ----------
    ensemble : Ensemble
        Of M base clusterings.
    words : str
        Strategy and number, as `selection_of` reads them; "": all.
    n_clusters, seed, monitor
        As in `select`.

    Returns
    -------
    ensemble : Ensemble
        With the words as `select`, and the columns as `kept`, in `provenance`.
    kept : (number,) int64
        Ascending.

    Raises
    ------
    InvalidParameterError, InvalidEnsembleError
        If there is no such strategy or number, or an object loses its last label.

    Examples
    --------
    >>> made, kept = selected(Ensemble.from_labels([[0, 0, 0], [0, 1, 1], [1, 1, 1]]), "snmi:2")
    >>> made.provenance
    {'kept': [1, 2], 'select': 'snmi:2'}
    """
    if not words:
        return ensemble, np.arange(ensemble.n_clusterings)
    strategy, number = selection_of(words, ensemble.n_clusterings)
    kept = select(ensemble, strategy, number, n_clusters, seed, monitor)
    made = ensemble.select(kept)
    return replace(made, provenance=made.provenance | {"select": words}), kept


def _k(ensemble: Ensemble, n_clusters: int | None) -> int:
    """The number of clusters as given; else the median of the base clusterings', as far as there are groups."""
    if n_clusters is not None:
        return n_clusters
    return min(max(2, int(np.median(ensemble.n_clusters_each))), max(2, len(ensemble.microclusters)))
