"""Which setting of a method, without a truth: the one whose answers to halves of the base clusterings agree most.

They are compared by ARI, which is 0 on average between random partitions of such sizes. To take off, besides, what the
same setting reaches on sets of one group loses more: `tuning.csv`, which `bench.bench_tuning` measures, has both.
"""

import csv
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..consensus import find_method, run_consensus, several_clusters
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_ensemble
from ..params import Params, require_integer
from ..runtime.blocks import kept_threads
from ..runtime.errors import EngineError, InvalidParameterError, MissingEvidenceError
from ..runtime.monitor import SILENT, Monitor, Quiet
from ..selection.judging import Judge
from ..statistics import Interval, paired_interval
from .league import check_left_out
from .null_answers import OBJECTS, part_of

#: Splits into halves that a stability is the mean of.
SPLITS = 2
FILE = Path(__file__).with_name("tuning.csv")
#: One line a set, parameter and value: ARI of its answer, stability, and mean and spread of that on sets of one group.
COLUMNS = ("set", "method", "parameter", "value", "ari", "stability", "null_mean", "null_sd")
#: Rules that choose a value, by what the page and the table call them.
RULES = ("stability", "above one group", "default", "any value")


@dataclass(frozen=True, eq=False)
class ChosenSetting:
    """Settings of a method side by side.

    Attributes
    ----------
    chosen : int
        The place of the one with the largest stability, the first of equals; -1 where none has any.
    stability : (S,) float64
        Mean ARI of the answers to two halves of the base clusterings; nan for a setting without an answer.
    answers : tuple of (N,) int32 or None
        What each setting answers on all base clusterings.
    left_out : dict of int to str
        Places of settings without an answer, and why.
    """

    chosen: int
    stability: NDArray[np.float64]
    answers: tuple[NDArray[np.int32] | None, ...]
    left_out: dict[int, str]


def stability(
    ensemble: Ensemble, method: str, n_clusters: int, params: Params, seed: int = 0, monitor: Monitor = SILENT
) -> float:
    """Mean ARI of the answers to two halves of the base clusterings, over some splits."""
    judge = Judge(ensemble, method, n_clusters, params, seed=seed, split_seed=seed)
    return judge.value(np.arange(ensemble.n_clusterings), monitor, SPLITS)


@kept_threads()
def choose_setting(
    ensemble: Ensemble,
    method: str,
    n_clusters: int,
    settings: Sequence[Params],
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> ChosenSetting:
    """Compare settings of a method without a truth, and choose the one with the largest stability.

    Parameters
    ----------
    ensemble : Ensemble
        Of at least 4 base clusterings.
    method : str
    n_clusters : int
        k.
    settings : sequence of Params
        Parameters of the method.
    seed : int
    monitor : Monitor, optional

    Returns
    -------
    ChosenSetting

    Raises
    ------
    InvalidParameterError
        If there are fewer base clusterings, no settings, or k is no less than the groups that nothing tells apart.
    Cancelled

    Notes
    -----
    Four runs of half the base clusterings a setting, on at most 400 objects, and one of all on all.

    References
    ----------
    hennig2007stability.

    Examples
    --------
    >>> from engine.methods.lwea import LWEAParams
    >>> labels = np.tile(np.repeat([0, 1, 2], 8)[:, None], 6)
    >>> labels[[0, 9, 17], [1, 2, 3]] = 3
    >>> choose_setting(Ensemble.from_labels(labels), "lwea", 3, [LWEAParams(theta=0.4)]).stability
    array([1.])
    """
    if not settings:
        raise InvalidParameterError("settings must be at least one")
    several_clusters(n_clusters)
    settings = [find_method(method).params.of(params) for params in settings]
    seed = require_integer("seed", seed)
    part = part_of(require_ensemble(ensemble), None, np.random.default_rng([seed, 43]))
    if not part.has_halves(n_clusters):
        raise InvalidParameterError(
            f"stability needs at least 4 base clusterings that tell more than {n_clusters} groups apart. "
            f"Got {ensemble.n_clusterings} that tell {len(part.ensemble.microclusters)}"
        )
    whole = ensemble.n_objects <= OBJECTS  # then memberships are there, too
    some = ensemble if whole else part.ensemble
    values, left_out = np.full(len(settings), np.nan), dict[int, str]()
    answers: list[NDArray[np.int32] | None] = [None] * len(settings)
    for i, params in enumerate(settings):
        asked = Quiet(partial(monitor.tick, "comparing settings", i, len(settings)))
        try:
            answers[i] = run_consensus(method, ensemble, n_clusters, params, seed, asked).labels
            if not whole and "memberships" in find_method(method).requirements(params):
                raise MissingEvidenceError(f"a part of {OBJECTS} objects has hard labels only")
            values[i] = stability(some, method, n_clusters, params, seed, asked)
        except EngineError as error:
            left_out[i] = str(error)
    known = np.isfinite(values)
    chosen = int(np.where(known, values, -np.inf).argmax()) if known.any() else -1
    return ChosenSetting(chosen, values, tuple(answers), left_out)


@cache
def _measured() -> tuple[dict[str, str], ...]:
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def tuning_losses(method: str, parameter: str, leave_out: Collection[str] = ()) -> dict[str, Interval] | None:
    """What choosing a parameter's value costs on the sets of the league: mean ARI below that of its best value there.

    Parameters
    ----------
    method, parameter : str
    leave_out : collection of str
        Sets that do not count: those the answer is wanted for.

    Returns
    -------
    dict of str to Interval, or None
        By rule, one of `RULES`; None where it was not measured.

    Raises
    ------
    InvalidParameterError
        If one that is left out is no set of the league.
    """
    check_left_out(leave_out)
    lines = [one for one in _measured() if (one["method"], one["parameter"]) == (method, parameter)]
    lost: dict[str, list[float]] = {}
    for name, group in groupby(lines, key=lambda one: one["set"]):
        if name in leave_out:
            continue
        rows = list(group)
        ari, stable, null = (np.array([float(row[c]) for row in rows]) for c in ("ari", "stability", "null_mean"))
        default = next(i for i, row in enumerate(rows) if row["value"].endswith("*"))
        taken = (ari[stable.argmax()], ari[(stable - null).argmax()], ari[default], ari.mean())
        for rule, score in zip(RULES, taken, strict=True):
            lost.setdefault(rule, []).append(ari.max() - score)
    return {rule: paired_interval(values, np.zeros(len(values))) for rule, values in lost.items()} or None
