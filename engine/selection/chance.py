"""The cloud of chance: what random choices of base clusterings of the same size are worth."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..ensemble import Ensemble
from ..ensemble.reading_labels import label_vector
from ..params import Float, Params, require
from ..runtime.blocks import kept_threads
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor, Quiet
from .judging import Judge, check_count

#: A choice lies outside the cloud where at most so many of the random ones, itself among them, lie so far out.
TAIL = 0.05
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
        choice : (number,) int or (M,) bool
            As `select` answers.
        monitor : Monitor, optional

        Returns
        -------
        float

        Raises
        ------
        InvalidParameterError
            If it holds more or fewer than the random ones.
        """
        chosen = self.judge.in_canonical_order(choice)
        if len(chosen) != self.number:
            raise InvalidParameterError(
                f"a choice must hold {self.number:,} base clusterings, as the random ones do. Got {len(chosen):,}"
            )
        return self.judge.value(chosen, monitor)

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
        value = require("value", Float(), value)
        apart = np.where(np.abs(self.values - value) < _EQUAL, 0.5, self.values < value)
        return float(100 * apart.mean())

    @property
    def band(self) -> tuple[float, float]:
        """Ends of what can come by chance: of random choices at most one in twenty lies below, and above; ±inf if few.

        A further random choice is beyond all of `draws` once in draws + 1: fewer than 19 tell nothing.
        """
        ordered, beyond = np.sort(self.values), int(TAIL * (len(self.values) + 1))
        return (float(ordered[beyond - 1]), float(ordered[-beyond])) if beyond else (-np.inf, np.inf)

    def inside(self, value: float) -> bool:
        """Whether as much can come by chance: within the `band`.

        Parameters
        ----------
        value : float

        Returns
        -------
        bool
        """
        low, high = self.band
        return low - _EQUAL < require("value", Float(), value) < high + _EQUAL

    def sentence(self, value: float) -> str:
        """The place of a value in the cloud, in words.

        Parameters
        ----------
        value : float

        Returns
        -------
        str
        """
        value = require("value", Float(), value)
        n, equal = len(self.values), np.abs(self.values - value) < _EQUAL
        said = f"{self.title} {value:.3f} is above {100 * np.mean(~equal & (self.values < value)):.0f} %"
        said += f" and equal to {100 * equal.mean():.0f} %" if equal.any() else ""
        said += f" of {n:,} random choice{'s' * (n != 1)} of {self.number:,} of {self.n_clusterings:,} base clusterings"
        if np.isinf(self.band).any():
            return f"{said}: too few to tell from chance."
        if self.inside(value):
            return f"{said}: inside the cloud, as much can come by chance."
        better = value > self.band[1]
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
        Random choices, at least 1; fewer than 19 cannot show that a choice is none of them.
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
    draws consensus runs, ten times as many without a truth. Does not depend on the order of rows or columns, but where
    groups of objects are exact mirror images of each other (`ensemble.form.mirrored`): which is first is then a toss.

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
    classes = None if truth is None else label_vector(truth)
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
