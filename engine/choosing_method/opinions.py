"""What the answers of all methods have in common, and whether they fall into one, two or three groups."""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..confidence import element_centric_consistency
from ..ensemble import Ensemble
from ..ensemble.renumbering import first_appearance
from ..metrics import align
from ..params import require_integer
from ..partitions import partition_distances, partition_map
from ..runtime.monitor import SILENT, Monitor

#: Groups of opinions looked at.
MOST = 3
#: Sets of answers of one opinion, for the null, and the dimensions they are drawn in.
NULL_SETS, DIMENSIONS = 99, 5
#: A silhouette that so few of them reach is taken for more than one opinion.
LEVEL = 0.05
#: Share of the answers that put an object of the core where the chosen one does.
CORE = 0.9


@dataclass(frozen=True, eq=False)
class Opinions:
    """Groups of answers.

    Attributes
    ----------
    group : (P,) int64
        The group of every answer, the largest group first.
    medoids : (g,) int64
        The answer of each group with the least sum of distances to the others in it.
    shares : (g,) float64
        Answers in each group, as a share of all.
    silhouette : float
        Mean silhouette of the groups; nan for one group.
    p : float
        Share of sets of one opinion whose best silhouette is as large, this one among them; nan where nothing was
        compared.
    """

    group: NDArray[np.int64]
    medoids: NDArray[np.int64]
    shares: NDArray[np.float64]
    silhouette: float
    p: float


@dataclass(frozen=True, eq=False)
class Common:
    """Where every object lies in the answers.

    Attributes
    ----------
    consistency : (N,) float64
        Element-centric consistency over all answers, in (0, 1].
    share : (N,) float64
        Share of the answers, their clusters renamed, that put an object where the chosen one does.
    core : (N,) bool
        Objects where that is at least nine of ten.
    other : (N,) int32
        The cluster of the chosen answer that most of the other answers put it in; -1 where there is none.
    """

    consistency: NDArray[np.float64]
    share: NDArray[np.float64]
    core: NDArray[np.bool_]
    other: NDArray[np.int32]

    @property
    def core_percent(self) -> int:
        """Share of the objects in the core, rounded down: 100 only where it is all of them."""
        return int(self.core.sum()) * 100 // len(self.core)


def opinions(answers: NDArray[np.int32], seed: int = 0, monitor: Monitor = SILENT) -> Opinions:
    """Group answers around one, two or three of them (medoids under variation of information, searched in full).

    More than one group is believed where its mean silhouette is beyond that of points of one Gaussian with the spread
    of the answers, laid out in five dimensions, and each group has at least two answers.

    Parameters
    ----------
    answers : (N, P) int32
        A partition a column.
    seed : int
    monitor : Monitor, optional

    Returns
    -------
    Opinions

    References
    ----------
    meila2007vi; rousseeuw1987silhouettes.

    Examples
    --------
    >>> one, other = [0] * 6 + [1] * 6, [0, 1] * 6
    >>> nearly = [[0] * 5 + [1] * 7, [0] * 7 + [1] * 5, [1, 1] + [0, 1] * 5, [0, 1] * 5 + [1, 1]]
    >>> found = opinions(np.array([one, other, one, other, one, other, *nearly]).T)
    >>> found.group.tolist()
    [0, 1, 0, 1, 0, 1, 0, 0, 1, 1]
    """
    seed = require_integer("seed", seed)
    distances = partition_distances(answers, "vi", monitor)
    n = len(distances)
    group, silhouette, p = np.zeros(n, np.int64), np.nan, np.nan
    if n >= 4 and distances.max() > 0:
        best, group_found = _best(distances, 2)
        spread = partition_map(distances, min(DIMENSIONS, n - 1)).points.std(axis=0)
        rng, reached = np.random.default_rng([seed, 41]), 0
        for done in range(NULL_SETS):
            monitor.tick("looking for several opinions", done, NULL_SETS)
            points = rng.standard_normal((n, len(spread))) * spread
            apart = np.sqrt(((points[:, None] - points[None]) ** 2).sum(axis=2))
            reached += _best(apart, 2)[0] >= best - 1e-12
        p = (1 + reached) / (1 + NULL_SETS)
        if p < LEVEL:
            group, silhouette = group_found, best
    sizes = np.bincount(group)
    order = np.argsort(-sizes, kind="stable")
    rank = np.argsort(order, kind="stable")
    medoids = [int(members[distances[np.ix_(members, members)].sum(axis=1).argmin()])
               for members in (np.flatnonzero(group == g) for g in order)]  # fmt: skip
    return Opinions(rank[group], np.array(medoids), sizes[order] / n, silhouette, p)


def common(answers: NDArray[np.int32], chosen: int, monitor: Monitor = SILENT) -> Common:
    """What all agree on: where every object lies in the answers, told in the clusters of one of them.

    Parameters
    ----------
    answers : (N, P) int32
        P >= 2 partitions.
    chosen : int
        The column whose clusters are spoken of.
    monitor : Monitor, optional

    Returns
    -------
    Common

    Notes
    -----
    O(N P + n P^2) time, n the groups of objects that some answer tells apart; no matrix between objects.

    References
    ----------
    gates2019element.
    """
    order = Ensemble.from_labels(answers).canonical.objects  # decides which of equally good names are taken
    own = answers[order, chosen]
    numbered = first_appearance(own)
    k, rows = int(numbered.max()) + 1, np.arange(len(own))
    votes = np.zeros((len(own), k + 1), np.int64)
    for column in answers[order].T:
        named = align(column, numbered)
        votes[rows, np.where(named < k, named, k)] += 1
    share, other = np.empty(len(own)), np.full(len(own), -1, np.int32)
    share[order] = votes[rows, numbered] / answers.shape[1]
    rest = votes[:, :k].copy()
    rest[rows, numbered] = 0
    names = own[np.unique(numbered, return_index=True)[1]]
    other[order] = np.where(rest.max(axis=1) > 0, names[rest.argmax(axis=1)], -1)
    return Common(element_centric_consistency(answers, monitor), share, share >= CORE - 1e-9, other)


def _best(distances: NDArray[np.float64], least: int) -> tuple[float, NDArray[np.int64]]:
    """The groups around two or three medoids with the largest mean silhouette, each of at least so many answers."""
    found, group = -1.0, np.zeros(len(distances), np.int64)
    for g in range(2, MOST + 1):
        sets = np.array(list(combinations(range(len(distances)), g)))
        cost = distances[sets].min(axis=1).sum(axis=1)
        labels = distances[sets[cost.argmin()]].argmin(axis=0)
        if np.bincount(labels, minlength=g).min() >= least and (value := _silhouette(distances, labels)) > found:
            found, group = value, labels
    return found, group


def _silhouette(distances: NDArray[np.float64], labels: NDArray[np.int64]) -> float:
    """Mean silhouette; 0 for who is alone."""
    counts = np.bincount(labels)
    sums = distances @ np.eye(len(counts))[labels]
    rows = np.arange(len(labels))
    near = sums[rows, labels] / np.maximum(counts[labels] - 1, 1)
    means = sums / counts
    means[rows, labels] = np.inf
    far = means.min(axis=1)
    larger = np.maximum(near, far)
    values = np.divide(far - near, larger, out=np.zeros_like(near), where=larger > 0)
    return float(np.where(counts[labels] > 1, values, 0).mean())
