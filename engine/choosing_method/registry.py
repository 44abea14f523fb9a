"""Criteria for a choice among methods as plain data, found like methods, and what they share when they are asked."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..consensus import consensus_methods
from ..ensemble import Ensemble
from ..metrics import ari
from ..runtime.discovery import declared
from ..runtime.errors import Cancelled
from ..runtime.kernel_cache import seconds_worked
from ..runtime.monitor import SILENT, Monitor
from .calibration import Ground, calibrated, stupid_partitions


@dataclass(frozen=True)
class Criterion:
    """A criterion for the answers of several methods, described; it has either `run` or `index`.

    Attributes
    ----------
    key, title : str
        Name in code ("agreement") and for people.
    summary : str
        What it measures, in a sentence a student understands.
    reference : str
        Bib key (docs/references.bib).
    run : callable, optional
        `run(question, monitor) -> dict`: a value for every method that answered, the higher the better.
    index : callable, optional
        `index(placed) -> float`: an internal index of one partition (`calibration.Placed`), the higher the better. It
        is told as a z-value among partitions that know nothing.
    needs_features : bool
        It is left out where there are none.
    place : int
        Where it stands, lower first.
    """

    key: str
    title: str
    summary: str
    reference: str
    run: Callable[[Any, Monitor], dict[str, float]] | None = None
    index: Callable[[Any], float] | None = None
    needs_features: bool = False
    place: int = 100


@cache
def known_criteria() -> dict[str, Criterion]:
    """All criteria by key, in their places: every `Criterion` in `criteria/`.

    >>> list(known_criteria())[:2]
    ['agreement', 'stability']
    """
    found = declared(f"{__package__}.criteria", Criterion)
    return {one.key: one for one in sorted(found, key=lambda one: (one.place, one.key))}


#: Splits into halves that a stability is the mean of.
SPLITS = 2
#: Indexes are calibrated on so many objects at most, drawn at random.
OBJECTS = 2_000


class Limit(Monitor):
    """Stops what takes longer than so many seconds: how many rounds a method needs, no law knows. `over`: it did.

    Compiling does not count: on the first run there is, others would be left out than ever after.
    """

    def __init__(self, outer: Monitor, seconds: float):
        self.outer, self.over, self._end = outer, False, seconds_worked() + seconds

    def tick(self, stage: str, done: int, total: int) -> None:
        """See `Monitor`."""
        self.outer.tick(stage, done, total)
        if seconds_worked() > self._end:
            self.over = True
            raise Cancelled


@dataclass(eq=False)
class Question:
    """The answers (N,) of several methods, by name, to one ensemble at one k, and features (N, D) or None.

    `seconds` is what a method may take at most, for its answer and again for its stability.
    """

    ensemble: Ensemble
    n_clusters: int
    features: NDArray[np.float64] | None
    seed: int
    seconds: float = np.inf
    answers: dict[str, NDArray[np.int32]] = field(default_factory=dict)

    def families(self) -> list[str]:
        """The family of every method that answered."""
        return [consensus_methods()[key].family for key in self.answers]

    def alike(self) -> NDArray[np.float64]:
        """ARI between every two answers: (P, P)."""
        return self._alike

    @cached_property
    def _alike(self) -> NDArray[np.float64]:
        return pairwise_ari(list(self.answers.values()))

    def calibrated(
        self, criteria: list[Criterion], monitor: Monitor = SILENT
    ) -> dict[str, dict[str, tuple[float, float]]]:
        """Value and z-value of every index, by method and criterion; nothing where k splits what is inseparable."""
        rng, n = np.random.default_rng([self.seed, 31]), self.ensemble.n_objects
        objects = self._of_every_cluster(drawn_objects(self.ensemble, self.features, OBJECTS, rng))
        some = self.ensemble
        if n > OBJECTS:  # by labels alone: memberships are of all objects
            some, objects = some.among(objects)
        if len(some.microclusters) <= self.n_clusters:
            return {key: {} for key in self.answers}
        points = None if self.features is None else self.features[objects]
        ground = Ground.of(some, points)
        indexes = {
            one.key: one.index for one in criteria if one.index and (not one.needs_features or points is not None)
        }
        stupid = stupid_partitions(some, ground, self.n_clusters, rng, monitor)
        return calibrated(ground, self._placed(some, objects), stupid, indexes, rng, monitor)

    def _of_every_cluster(self, objects: NDArray[np.int64]) -> NDArray[np.int64]:
        """The objects, and two of every cluster that none of them is in: without it another partition is measured."""
        if len(objects) == self.ensemble.n_objects:
            return objects
        order, more = in_order(self.ensemble, self.features), [objects]
        for labels in self.answers.values():
            sizes, seen = np.bincount(labels), np.bincount(labels[objects], minlength=labels.max() + 1)
            more += [order[labels[order] == c][:2] for c in np.flatnonzero((sizes > 0) & (seen == 0))]
        return np.unique(np.concatenate(more))

    def _placed(self, some: Ensemble, objects: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
        """The answers on the microclusters of some objects, of every cluster among them."""
        first = some.microclusters.representatives
        whole = {key: labels[objects][first] for key, labels in self.answers.items()}
        return {key: np.unique(labels, return_inverse=True)[1].astype(np.int64) for key, labels in whole.items()}


def drawn_objects(
    ensemble: Ensemble, features: NDArray[np.float64] | None, most: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """So many objects at most, ascending, drawn by their places in the canonical form: no order of rows decides.

    Those of a microcluster are there in the order of their features, the labels being alike.
    """
    n = ensemble.n_objects
    if n <= most:
        return np.arange(n)
    return np.sort(in_order(ensemble, features)[rng.choice(n, most, replace=False)])


def in_order(ensemble: Ensemble, features: NDArray[np.float64] | None) -> NDArray[np.int64]:
    """All objects in an order that no order of the rows decides: of the canonical form, or by features where alike."""
    if features is None:
        return ensemble.canonical.objects
    return np.lexsort([*features.T[::-1], ensemble.microclusters.assignment])


def pairwise_ari(answers: list[NDArray]) -> NDArray[np.float64]:
    """ARI between every two partitions: (P, P), 1 on the diagonal."""
    alike = np.eye(len(answers))
    for a, b in combinations(range(len(answers)), 2):
        alike[a, b] = alike[b, a] = ari(answers[a], answers[b])
    return alike
