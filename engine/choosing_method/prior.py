"""What a method is known to lose: the league's table, `league.csv`, that `bench.league` measures."""

import csv
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from ..statistics.differences import Interval, paired_interval

FILE = Path(__file__).with_name("league.csv")
#: One line a set and method: means over its draws; loss is the ARI of the best method of each draw less the own one.
COLUMNS = ("set", "objects", "k", "draws", "method", "nmi", "ari", "loss", "seconds", "failed", "hash")


@dataclass(frozen=True)
class Standing:
    """How a method did on one set of the league: means over `draws` ensembles.

    `failed` is the share of draws without an answer, which count as an ARI of 0; `hash` stands for all label vectors.
    """

    set: str
    objects: int
    k: int
    draws: int
    method: str
    nmi: float
    ari: float
    loss: float
    seconds: float
    failed: float
    hash: str


@cache
def league() -> tuple[Standing, ...]:
    """All standings of the table."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(_standing(line) for line in csv.DictReader(file))


def _standing(line: dict[str, str]) -> Standing:
    kinds = Standing.__annotations__
    return Standing(**{name: kinds[name](line[name]) for name in COLUMNS})


def expected_losses(leave_out: Collection[str] = ()) -> dict[str, Interval]:
    """Mean loss of always taking a method, over the sets of the league, with its 95 % interval, by method.

    Parameters
    ----------
    leave_out : collection of str
        Sets that do not count: those the answer is wanted for.

    Returns
    -------
    dict of str to Interval
        ARI below the best method of each ensemble; sets count alike.
    """
    return _intervals(leave_out, lambda standings: [one.loss for one in standings])


def expected_ranks(leave_out: Collection[str] = ()) -> dict[str, Interval]:
    """Mean rank by ARI among the methods of the league, 1 the best, with its 95 % interval, by method.

    As `expected_losses`; what is level shares the mean of its places.
    """
    return _intervals(leave_out, lambda standings: rankdata([-one.ari for one in standings]))


def _intervals(
    leave_out: Collection[str], values_of: Callable[[list[Standing]], Iterable[float]]
) -> dict[str, Interval]:
    """Mean over the sets of what a set gives each of its methods, by method."""
    by_set: dict[str, list[Standing]] = {}
    for one in league():
        if one.set not in leave_out:
            by_set.setdefault(one.set, []).append(one)
    found: dict[str, list[float]] = {}
    for standings in by_set.values():
        for one, value in zip(standings, values_of(standings), strict=True):
            found.setdefault(one.method, []).append(float(value))
    return {key: paired_interval(values, np.zeros(len(values))) for key, values in found.items()}
