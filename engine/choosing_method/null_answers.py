"""Whether there is anything to find: stability beside that on one group clustered as often and as finely."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..choosing_k import Structure, principal_scores, without_clusters
from ..ensemble import Ensemble
from ..generators import kmeans_ensemble
from ..runtime.blocks import kept_threads
from ..runtime.monitor import SILENT, Monitor, Quiet
from ..selection.judging import Judge
from .registry import drawn_objects

#: Quick methods of two families whose mean stability over halves is the statistic, and splits of each.
PANEL, SPLITS = ("lwea", "lwgp"), 4
#: Sets of one group: with 20 the smallest p is below 5 %.
NULL_SETS = 20
#: Features of sets of one group where the data have none to tell: of four such sets the most stable counts.
DIMENSIONS = (2, 3, 5, 8)
#: Objects looked at, drawn at random, and base clusterings of a set of one group, at most.
OBJECTS, CLUSTERINGS = 400, 30


class Part(NamedTuple):
    """The ensemble on the objects looked at, their features (n, D) or None, and how fine the whole ensemble is."""

    ensemble: Ensemble
    points: NDArray[np.float64] | None
    ks: tuple[int, int]

    def has_halves(self, k: int) -> bool:
        """Whether answers into k clusters to its halves can be compared."""
        return self.ensemble.n_clusterings >= 4 and len(self.ensemble.microclusters) > k

    @property
    def has_null_sets(self) -> bool:
        """Whether sets of one group, of as many objects, can be clustered as finely."""
        return self.ensemble.n_objects > self.ks[1]


def part_of(ensemble: Ensemble, features: ArrayLike | None, rng: np.random.Generator) -> Part:
    """At most 400 objects, drawn at random; without features where these do not tell them apart."""
    given = None if features is None else np.asarray(features)
    objects, each = drawn_objects(ensemble, given, OBJECTS, rng), ensemble.n_clusters_each
    some, objects = Ensemble(ensemble.labels).among(objects)
    points = None if given is None or (given[objects] == given[objects[0]]).all() else given[objects]
    ks = max(int(each.min()), 2), max(int(each.max()), 2)
    return Part(some, points, ks)


def null_ensembles(part: Part, m: int, number: int, rng: np.random.Generator) -> Iterator[Iterator[Ensemble]]:
    """Sets of one group, clustered m times as finely: without features one a number of dimensions."""
    scores = None if part.points is None else principal_scores(part.points)
    for _ in range(number):
        plain = [(part.ensemble.n_objects, dimensions) for dimensions in DIMENSIONS]
        clouds = map(rng.standard_normal, plain) if scores is None else [without_clusters(scores, rng)]
        seed = int(rng.integers(2**31))
        yield (kmeans_ensemble(points, m, part.ks, seed) for points in clouds)


@kept_threads()
def structure_of_answers(
    ensemble: Ensemble,
    n_clusters: int,
    features: NDArray[np.float64] | None = None,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> Structure | None:
    """Compare the stability of answers with that on sets of one group; None below four base clusterings.

    Such a set is a Gaussian with the covariance of the features (without features: of 2, 3, 5 and 8 independent ones,
    of which the most stable counts), clustered as often by k-means, into numbers of clusters from the same range. None,
    too, where k is no less than the groups that the objects drawn fall into, or a base clustering has as many clusters
    as there are objects.

    What k-means does not see (chains, spirals) is not stable either, and comes out as one group: no evidence is not
    evidence of none. References: hennig2007stability; john2020m3c.
    """
    rng = np.random.default_rng([seed, 37])
    part = part_of(ensemble, features, rng)
    some = part.ensemble
    if not (part.has_halves(n_clusters) and part.has_null_sets):
        return None

    def stability(made: Ensemble, done: int) -> float:
        asked = Quiet(lambda: monitor.tick("looking for structure", done, NULL_SETS + 1))
        judges = [Judge(made, key, n_clusters, seed=seed, split_seed=seed) for key in PANEL]
        return float(np.mean([judge.value(np.arange(made.n_clusterings), asked, SPLITS) for judge in judges]))

    null, m = np.empty(NULL_SETS), min(CLUSTERINGS, some.n_clusterings)
    columns = np.sort(some.form.clusterings[rng.permutation(some.n_clusterings)[:m]])
    statistic = stability(some.seen_by(columns)[0], 0)  # objects that none of these saw say nothing
    for b, sets in enumerate(null_ensembles(part, m, NULL_SETS, rng)):
        null[b] = max(stability(made, b + 1) for made in sets)
    n_reached = int((null >= statistic - 1e-12).sum())
    return Structure(statistic, null, n_reached, (1 + n_reached) / (1 + NULL_SETS))
