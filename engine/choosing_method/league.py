"""The league: its frozen ensembles, and what a method is known to lose there (`league.csv`, by `bench.league`).

The ensembles are bundled sets, sets and pools of CONCORD_DATA, and generated families, so whoever has the engine can
make them; the data sets are asked of the package that reads data, as the command line does.
"""

import csv
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from ..console import data_sets
from ..ensemble import Ensemble
from ..generators import kmeans_ensemble
from ..runtime.errors import InvalidParameterError, shown
from ..statistics import Interval, paired_interval

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


@cache
def league_sets() -> tuple[str, ...]:
    """Names of the sets of the table."""
    return tuple(dict.fromkeys(one.set for one in league()))


def no_set(name: Any) -> InvalidParameterError:
    """What is said of a name that is no set of the league."""
    return InvalidParameterError(f"{shown(name)} is not in the league. Its sets are {'; '.join(league_sets())}")


def check_left_out(leave_out: Collection[str]) -> Collection[str]:
    """The sets to leave out: a name that is none would leave the set at hand in."""
    if isinstance(leave_out, str) or not isinstance(leave_out, Collection):
        raise InvalidParameterError(f"leave_out must be a collection of sets of the league. Got {shown(leave_out)}")
    for name in leave_out:
        if name not in league_sets():
            raise no_set(name)
    return leave_out


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

    Raises
    ------
    InvalidParameterError
        If one that is left out is no set of the league.
    """
    return _intervals(leave_out, lambda standings: [one.loss for one in standings])


def expected_ranks(leave_out: Collection[str] = ()) -> dict[str, Interval]:
    """Mean rank by ARI among the methods of the league, 1 the best, with its 95 % interval, by method.

    As `expected_losses`; what is level shares the mean of its places.
    """
    return _intervals(leave_out, lambda standings: scipy.stats.rankdata([-one.ari for one in standings]))


def _intervals(
    leave_out: Collection[str], values_of: Callable[[list[Standing]], Iterable[float]]
) -> dict[str, Interval]:
    """Mean over the sets of what a set gives each of its methods, by method."""
    check_left_out(leave_out)
    by_set: dict[str, list[Standing]] = {}
    for one in league():
        if one.set not in leave_out:
            by_set.setdefault(one.set, []).append(one)
    found: dict[str, list[float]] = {}
    for standings in by_set.values():
        for one, value in zip(standings, values_of(standings), strict=True):
            found.setdefault(one.method, []).append(float(value))
    return {key: paired_interval(values, np.zeros(len(values))) for key, values in found.items()}


#: Base clusterings of every ensemble, and objects at most.
M, OBJECTS = 20, 1_000


def _spread(rng: np.random.Generator, centres: Any, sizes: Any, sd: Any = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussians of one sd, or one a group."""
    truth = np.repeat(np.arange(len(sizes)), sizes)
    scale = np.broadcast_to(sd, len(sizes))[truth, None]
    return np.asarray(centres, float)[truth] + scale * rng.normal(size=(len(truth), len(centres[0]))), truth


def _overlap(rng: np.random.Generator, apart: float) -> tuple[np.ndarray, np.ndarray]:
    """Four Gaussians at the corners of a square."""
    return _spread(rng, apart * np.array([[0, 0], [0, 1], [1, 0], [1, 1]]), [100] * 4)


def _imbalance(rng: np.random.Generator, ratio: float) -> tuple[np.ndarray, np.ndarray]:
    """Four Gaussians, each smaller than the one before."""
    return _spread(rng, [[0, 0], [6, 0], [0, 6], [6, 6]], [int(240 / ratio**i) for i in range(4)])


def _chains(rng: np.random.Generator, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Three long waves, side by side."""
    truth, place = np.repeat(np.arange(3), 130), rng.uniform(0, 4 * np.pi, 390)
    return np.column_stack([place, np.sin(place) + 2.2 * truth]) + rng.normal(0, noise, (390, 2)), truth


def _nested(rng: np.random.Generator, apart: float) -> tuple[np.ndarray, np.ndarray]:
    """Three groups of three groups each; the truth are the nine."""
    angles = 2 * np.pi * np.arange(3) / 3
    corners = np.column_stack([np.cos(angles), np.sin(angles)])
    return _spread(rng, (12 * corners[:, None] + apart * corners[None]).reshape(-1, 2), [45] * 9)


def _noise(rng: np.random.Generator, features: int) -> tuple[np.ndarray, np.ndarray]:
    """Four Gaussians in three features, beside features that say nothing."""
    points, truth = _spread(rng, 5 * np.eye(4)[:, :3], [90] * 4)
    return np.column_stack([points, rng.normal(size=(len(points), features))]), truth


def _spreads(rng: np.random.Generator, ratio: float) -> tuple[np.ndarray, np.ndarray]:
    """Three Gaussians, the widest several times as wide as the narrowest."""
    return _spread(rng, [[0, 0], [9, 0], [4, 9]], [120] * 3, np.geomspace(0.6, 0.6 * ratio, 3))


def _nothing(rng: np.random.Generator, features: int, flat: bool) -> tuple[np.ndarray, np.ndarray]:
    """One group, a Gaussian or a cube; cut into four."""
    return rng.random((300, features)) if flat else rng.normal(size=(300, features)), np.zeros(300, int)


GENERATED: dict[str, Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]] = {
    **{f"overlap, {apart:g} apart": partial(_overlap, apart=apart) for apart in (3.0, 4.0)},
    **{f"imbalance, 1 : {ratio:g}": partial(_imbalance, ratio=ratio) for ratio in (2.0, 3.0)},
    **{f"chains, noise {noise:g}": partial(_chains, noise=noise) for noise in (0.1, 0.25)},
    **{f"nested, {apart:g} apart": partial(_nested, apart=apart) for apart in (2.5, 4.0)},
    **{f"{features} features of noise": partial(_noise, features=features) for features in (6, 20)},
    **{f"widths, 1 : {ratio:g}": partial(_spreads, ratio=ratio) for ratio in (3.0, 5.0)},
    **{
        f"no structure, {'flat' if flat else 'Gaussian'}, {features} features": partial(
            _nothing, features=features, flat=flat
        )
        for features, flat in ((2, True), (8, True), (2, False), (8, False))
    },
}
#: k where there is no truth.
CUT = 4


def structured(name: str) -> bool:
    """Whether a set has groups at all."""
    return not name.startswith("no structure")


class Frozen(NamedTuple):
    """What draws of a set are made from.

    `values` are scaled features (n, D), or the members (n, P) of a pool; `truth` (n,) are classes from 0; `objects`
    (n,) are the places of these n of the set's `whole` objects.
    """

    values: NDArray
    truth: NDArray[np.int64]
    objects: NDArray[np.int64]
    whole: int
    is_pool: bool

    @property
    def k(self) -> int:
        """The number of classes; `CUT` where there are none."""
        return int(self.truth.max()) + 1 if self.truth.any() else CUT


@cache
def frozen(name: str) -> Frozen:
    """At most 1,000 objects of a set, always the same; DataError for a set that is not on this machine."""
    rng = np.random.default_rng(0)
    data = data_sets()
    if name in GENERATED:
        points, truth = GENERATED[name](rng)
        return Frozen(data.scale(points, "standard"), truth, np.arange(len(truth)), len(truth), False)
    given = data.load(name)
    objects = np.sort(rng.permutation(len(given.labels))[:OBJECTS])
    truth = np.unique(given.labels[objects], return_inverse=True)[1]
    if isinstance(given, data.Pool):
        return Frozen(given.members[objects], truth, objects, given.n_objects, True)
    return Frozen(data.scale(given.features[objects], "standard"), truth, objects, given.n_objects, False)


def ensemble_of(name: str, draw: int) -> tuple[Ensemble, NDArray[np.int64], int]:
    """The frozen ensemble of a set and a draw, its truth, and k."""
    one = frozen(name)
    if one.is_pool:
        columns = np.random.default_rng(draw).permutation(one.values.shape[1])[:M]
        return Ensemble.from_labels(np.ascontiguousarray(one.values[:, columns])), one.truth, one.k
    return kmeans_ensemble(one.values, M, seed=draw), one.truth, one.k
