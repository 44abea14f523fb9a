"""What a method is known to lose: the league's table, `league.csv`, that `bench.league` measures."""

import csv
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

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
    found: dict[str, list[float]] = {}
    for one in league():
        if one.set not in leave_out:
            found.setdefault(one.method, []).append(one.loss)
    return {key: paired_interval(losses, np.zeros(len(losses))) for key, losses in found.items()}
