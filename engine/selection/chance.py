"""The cloud of chance: what random choices of base clusterings of the same size are worth.

A choice is worth what its consensus is: its score, or without a truth its stability.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..consensus import find_method, run_consensus
from ..ensemble import Ensemble
from ..metrics import MEASURES, ari, score
from ..params import Params
from ..runtime.blocks import kept_threads
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor, Quiet

#: Splits into halves that a stability is the mean of.
SPLITS = 5
#: What a stability is called.
STABILITY = "stability (ARI of halves)"


@dataclass(frozen=True, eq=False)
class Judge:
    """What choices are judged by; the same choice has the same value, whoever else is judged.

    Choices are columns of the ensemble; k becomes fewer where a choice tells fewer groups apart. Without a truth (N,)
    the value is the stability: ARI between the consensus of one half of the choice and that of the other, the mean of
    several splits, drawn by `split_seed`.
    """

    ensemble: Ensemble
    method: str
    n_clusters: int
    params: Mapping[str, Any] | Params | None = None
    truth: NDArray | None = None
    measure: str = "nmi_max"
    seed: int = 0
    split_seed: int = 0

    def __post_init__(self) -> None:
        find_method(self.method).params.of(self.params)
        if self.measure not in MEASURES:
            raise InvalidParameterError(f"measure must be one of {', '.join(MEASURES)}. Got {self.measure!r}")
        if self.truth is not None and np.shape(self.truth) != (self.ensemble.n_objects,):
            raise InvalidParameterError(
                f"truth must have one class for each of {self.ensemble.n_objects:,} objects. "
                f"Got shape {np.shape(self.truth)}"
            )
        if self.ensemble.n_clusterings < 2:
            raise InvalidParameterError("choices need at least 2 base clusterings to choose from. Got 1")

    @property
    def title(self) -> str:
        """What a value is."""
        return STABILITY if self.truth is None else MEASURES[self.measure]

    def value(self, choice: ArrayLike, monitor: Monitor = SILENT, splits: int = SPLITS) -> float:
        """The worth of a choice of columns: its score, or the mean stability over some splits into halves."""
        places = self._canonical(choice)
        if self.truth is not None:
            found = self.labels(places, monitor)
            seen = found >= 0
            return score(found[seen], self.truth[seen], self.measure)
        rng, found_values = np.random.default_rng(self.split_seed), []
        for _ in range(splits):
            mixed = rng.permutation(len(places))
            one, other = places[mixed[: len(mixed) // 2]], places[mixed[len(mixed) // 2 :]]
            a, b = self.labels(one, monitor), self.labels(other, monitor)
            both = (a >= 0) & (b >= 0)
            found_values.append(ari(a[both], b[both]) if both.any() else 0.0)
        return float(np.mean(found_values))

    def resplit(self, split_seed: int) -> "Judge":
        """The same with other splits."""
        return replace(self, split_seed=split_seed)

    def labels(self, choice: NDArray, monitor: Monitor = SILENT) -> NDArray[np.int32]:
        """The consensus of a choice, (N,); -1 where no base clustering of it saw an object."""
        some, objects = self.ensemble.seen_by(choice)
        out, k = np.full(self.ensemble.n_objects, -1, np.int32), min(self.n_clusters, len(some.microclusters))
        found = run_consensus(self.method, some, k, self.params, self.seed, monitor).labels if k > 1 else 0
        out[objects] = found
        return out

    def _canonical(self, choice: ArrayLike) -> NDArray[np.int64]:
        """The columns of a choice in canonical order, so that no order of columns decides how halves are drawn."""
        places = np.unique(np.asarray(choice))
        least = 1 if self.truth is not None else 2
        if len(places) < least or places[0] < 0 or places[-1] >= self.ensemble.n_clusterings:
            raise InvalidParameterError(
                f"a choice must hold at least {least} of the {self.ensemble.n_clusterings:,} base clusterings. "
                f"Got {places.tolist()}"
            )
        order = self.ensemble.form.clusterings
        return order[np.isin(order, places)]

    def drawn(self, number: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """A random choice of so many different columns, drawn in canonical order."""
        return self.ensemble.form.clusterings[rng.permutation(self.ensemble.n_clusterings)[:number]]


def check_count(name: str, value: Any, low: int, high: int | None = None) -> int:
    """A whole number within limits."""
    outside = isinstance(value, bool) or not isinstance(value, int | np.integer) or value < low
    if outside or (high is not None and value > high):
        upper = "" if high is None else f" to {high:,}"
        raise InvalidParameterError(f"{name} must be an integer from {low:,}{upper}. Got {value!r}")
    return int(value)


#: Percentiles between which a choice lies inside the cloud.
INSIDE = (5.0, 95.0)
#: Values that differ by less are equal.
_EQUAL = 1e-9


@dataclass(frozen=True, eq=False)
class Chance:
    """What random choices of one size are worth.

    Attributes
    ----------
    values : (draws,) float64
        Score or stability of the consensus of every random choice.
    number : int
        Base clusterings in each.
    n_clusterings : int
        M, those they were drawn from.
    title : str
        What a value is.
    """

    values: NDArray[np.float64]
    number: int
    n_clusterings: int
    title: str
    judge: Judge = field(repr=False)

    def value(self, choice: ArrayLike, monitor: Monitor = SILENT) -> float:
        """What a choice of columns is worth, measured like the random ones.

        Parameters
        ----------
        choice : (number,) int
            As `select` answers.
        monitor : Monitor, optional

        Returns
        -------
        float
        """
        return self.judge.value(choice, monitor)

    def percentile(self, value: float) -> float:
        """Share of the random choices that are worth less, in percent; equal ones count half.

        Parameters
        ----------
        value : float

        Returns
        -------
        float
            In [0, 100].
        """
        apart = np.where(np.abs(self.values - value) < _EQUAL, 0.5, self.values < value)
        return float(100 * apart.mean())

    def inside(self, value: float) -> bool:
        """Whether as much can come by chance: between the 5th and the 95th percentile.

        Parameters
        ----------
        value : float

        Returns
        -------
        bool
        """
        return INSIDE[0] <= self.percentile(value) <= INSIDE[1]

    def sentence(self, value: float) -> str:
        """The place of a value in the cloud, in words.

        Parameters
        ----------
        value : float

        Returns
        -------
        str
        """
        of = f"{len(self.values):,} random choices of {self.number:,} of {self.n_clusterings:,} base clusterings"
        said = f"{self.title} {value:.3f} is above {self.percentile(value):.0f} % of {of}"
        if self.inside(value):
            return f"{said}: inside the cloud, as much can come by chance."
        better = self.percentile(value) > INSIDE[1]
        return f"{said}: outside the cloud, {'more than chance gives' if better else 'less than chance gives'}."


@kept_threads()
def chance(
    ensemble: Ensemble,
    method: str,
    number: int,
    n_clusters: int,
    draws: int = 60,
    truth: ArrayLike | None = None,
    score: str = "nmi_max",
    params: Mapping[str, Any] | Params | None = None,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> Chance:
    """Draw base clusterings at random, again and again, and see what their consensus is worth.

    Whatever a strategy gains is read against this cloud: without it, selection looks better than it is.

    Parameters
    ----------
    ensemble : Ensemble
        Of M >= 2 base clusterings.
    method, n_clusters, params
        As for `engine.run_consensus`; where a choice tells fewer than k groups apart, it is cut into these.
    number : int
        Base clusterings a choice, from 2 to M.
    draws : int
        Random choices, at least 1.
    truth : (N,) labels, optional
        With it a choice is worth its score; without it its stability, the mean ARI between the consensus of one half
        of the choice and of the other, over five splits.
    score : str
        One of `engine.metrics.MEASURES`.
    seed : int
    monitor : Monitor, optional

    Returns
    -------
    Chance

    Raises
    ------
    InvalidParameterError
        If a name is unknown or a number out of range. And what `run_consensus` raises.

    Notes
    -----
    draws consensus runs, ten times as many without a truth. Does not depend on the order of rows or columns.

    References
    ----------
    fern2008selection.

    Examples
    --------
    >>> labels = np.array([[0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1], [0, 1, 0, 1, 0, 1]]).T
    >>> cloud = chance(Ensemble.from_labels(labels), "eac", 3, 2, draws=20, truth=labels[:, 0])
    >>> bool(cloud.inside(cloud.value([0, 1, 2])))
    True
    """
    classes = None if truth is None else np.asarray(truth)
    judge = Judge(ensemble, method, n_clusters, params, classes, score, seed)
    check_count("number", number, 2, ensemble.n_clusterings)
    check_count("draws", draws, 1)
    rng, values = np.random.default_rng(seed), []
    known: dict[tuple[int, ...], float] = {}
    for done in range(draws):
        ask = partial(monitor.tick, "drawing base clusterings at random", done, draws)
        ask()
        choice = judge.drawn(number, rng)
        key = tuple(np.sort(choice).tolist())
        if key not in known:
            known[key] = judge.value(choice, Quiet(ask))
        values.append(known[key])
    return Chance(np.array(values), number, ensemble.n_clusterings, judge.title, judge)
