"""Ensembles of locally adaptive clusterings: one run for every value of 1/h, with soft memberships."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..ensemble import Ensemble
from ..ensemble.reading_labels import as_numbers, as_points
from ..params import Interval, Params, param, require, require_integer
from ..runtime.blocks import limited_threads, map_blocks, n_threads
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor, Relay
from .adaptive_subspaces import INVERSE_H_BOUNDS, LACResult, lac
from .registry import Generator, require_clusterings, streams_of

#: Clusters taken where nobody knows the number of classes.
UNKNOWN_CLASSES = 3
#: Values of 1/h for features of variance 1: from "all features alike" to "one feature decides", in steps 1-2-5.
INVERSE_H = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0)


@dataclass(frozen=True)
class LACParams(Params):
    """Parameters of LAC as a base clusterer: one run a value of 1/h."""

    inverse_h: tuple[float, float] = param(
        (INVERSE_H[0], INVERSE_H[-1]),
        kind=Interval(marks=INVERSE_H, low=INVERSE_H_BOUNDS[0], high=INVERSE_H_BOUNDS[1]),
        symbol="1/h",
        word="",
        doc="Range of 1/h, relative to the scaling of the features. Low: all features count alike. High: only the "
        "tightest feature of a cluster counts.",
    )
    k: int | None = param(
        None,
        symbol="k",
        doc="Clusters in each. Automatic: as many as there are classes (3 if unknown).",
        raising="More clusters in each are purer and see less of the whole.",
        concept="lac_k",
        automatic=lambda ensemble, n_classes: n_classes or UNKNOWN_CLASSES,
        low=2,
        high=100,
        slider=(2, 20),
    )


def default_inverse_h(features: ArrayLike) -> list[float]:
    """Values of 1/h that span "all features alike" to "one feature decides" for features of this spread.

    Parameters
    ----------
    features : (N, D) float

    Returns
    -------
    list of float
        `INVERSE_H` over the mean variance of the features that vary, to two significant digits: h is in squared
        units of the features.

    Examples
    --------
    >>> default_inverse_h([[0.0, 7.0], [10.0, 7.0]])[:3]
    [0.004, 0.008, 0.02]
    """
    variances = np.var(as_points(features, least=1), axis=0)
    varying = variances[variances > 0]
    scale = float(varying.mean()) if len(varying) else 1.0
    return [float(f"{value / scale:.2g}") for value in INVERSE_H]


def spread_inverse_h(low: float, high: float, n: int) -> list[float]:
    """Values of 1/h, n of them, from the lowest to the highest, in even ratios, to four significant digits.

    Parameters
    ----------
    low, high : float
        Ends, 0 < low <= high.
    n : int
        How many, at least 1.

    Returns
    -------
    list of float
        Ascending; `low` alone where n is 1.

    Raises
    ------
    InvalidParameterError

    Examples
    --------
    >>> spread_inverse_h(0.1, 1000, 5)
    [0.1, 1.0, 10.0, 100.0, 1000.0]
    """
    low, high = require("ends", Interval(), (low, high))
    return [float(f"{value:.4g}") for value in np.geomspace(low, high, require_integer("n", n, 1))]


def lac_ensemble(
    features: ArrayLike, k: int, inverse_h: Sequence[float], seed: int = 0, *, monitor: Monitor = SILENT
) -> Ensemble:
    """Cluster the objects once for every value of 1/h: `ensemble_of(lac_runs(...))`.

    Parameters
    ----------
    features : (N, D) float
    k : int
        Clusters of every run.
    inverse_h : sequence of float
        At least one value; `default_inverse_h(features)` gives a range.
    seed : int
        The same seed gives the same ensemble on any number of threads.
    monitor : Monitor, optional

    Returns
    -------
    Ensemble
        With soft memberships, and with these settings in `provenance`.

    Raises
    ------
    InvalidParameterError, Cancelled

    Examples
    --------
    >>> points = np.random.default_rng(0).normal(size=(60, 3))
    >>> lac_ensemble(points, 2, inverse_h=[0.5, 5, 50]).memberships.shape
    (60, 6)
    """
    runs = lac_runs(features, k, inverse_h, seed, monitor=monitor)
    return ensemble_of(runs, {"k": int(k), "seed": seed})


def lac_runs(
    features: ArrayLike, k: int, inverse_h: Sequence[float], seed: int = 0, *, monitor: Monitor = SILENT
) -> list[LACResult]:
    """One run of `lac` for every value of 1/h, each with a seed stream of its own; parameters as `lac_ensemble`.

    The runs do not depend on how many there are: more values continue the list.

    Parameters
    ----------
    features : (N, D) float
        Finite; scaled as you wish.
    k : int
        Clusters of every run, in 2..N.
    inverse_h : sequence of float
        1/h of every run, above 0.
    seed : int
        Run r draws from stream r of the seed.
    monitor : Monitor, optional

    Returns
    -------
    list of LACResult
        One a value of 1/h, in their order.

    Raises
    ------
    InvalidParameterError
        If features are not finite, or k or a value of 1/h is not allowed.
    """
    values = as_numbers(inverse_h, "inverse_h", "a list of numbers").tolist()
    if not isinstance(values, list):
        raise InvalidParameterError(f"inverse_h must be a list of numbers. Got {values}")
    if not values:
        raise InvalidParameterError("inverse_h must have at least 1 value. Got none")
    streams = streams_of(seed, len(values))
    runs: list[LACResult | None] = [None] * len(values)
    relay = Relay(monitor)

    def fit(start: int, stop: int) -> None:
        with limited_threads(1 if len(values) > 1 else n_threads()):  # the runs stand beside each other
            for m in range(start, stop):
                runs[m] = lac(features, k, values[m], streams[m], monitor=relay.inner)

    map_blocks(fit, len(values), relay, "clustering in subspaces", block=1)
    return [run for run in runs if run is not None]


def ensemble_of(runs: Sequence[LACResult], provenance: dict | None = None) -> Ensemble:
    """The ensemble whose base clusterings are these runs, their posteriors side by side as memberships.

    Parameters
    ----------
    runs : sequence of LACResult
        On the same objects. Their clusters are numbered by first appearance, as the ensemble numbers them, so the
        columns of the posteriors are in the order of `Ensemble.offsets`.
    provenance : dict, optional
        Added to what the runs know of themselves.

    Returns
    -------
    Ensemble
        (N, M) labels of M runs, with memberships (N, M k).

    Raises
    ------
    InvalidEnsembleError
        If there is no run.
    """
    labels: NDArray = np.column_stack([run.labels for run in runs]) if runs else np.empty((0, 0), np.int32)
    memberships = np.hstack([run.posterior for run in runs]) if runs else None
    known = {"generator": "LAC", "inverse_h": [run.inverse_h for run in runs]}
    return Ensemble.from_labels(labels, memberships, known | (provenance or {}))


def _make(features, n_clusterings, params: LACParams, seed, first, n_classes, monitor) -> Ensemble:
    """See `Generator.make`."""
    values = spread_inverse_h(*params.inverse_h, require_clusterings(n_clusterings))
    points = as_points(features, least=1)
    k = params.k or min(n_classes or UNKNOWN_CLASSES, max(2, len(points)))
    return lac_ensemble(points, k, values, seed, monitor=monitor)


GENERATOR = Generator(
    key="lac",
    title="LAC, weighted features",
    params=LACParams,
    make=_make,
    nested=False,
    reference="alrazgan2006lac",
    summary="Each run weighs the features for every cluster, under its own 1/h, and also says how strongly every "
    "object belongs (soft memberships).",
)
