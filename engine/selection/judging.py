"""What the consensus of some of the base clusterings is worth: its score, or without a truth its stability."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..consensus import find_method, run_consensus, several_clusters
from ..ensemble import Ensemble
from ..ensemble.ensembles import require_ensemble
from ..ensemble.reading_labels import as_array
from ..metrics import MEASURES, ari, score
from ..params import Params, one_of, require_integer
from ..runtime.errors import InvalidParameterError, shown
from ..runtime.monitor import SILENT, Monitor

#: Splits into halves that a stability is the mean of.
SPLITS = 5
#: What a stability is called.
STABILITY = "stability (ARI of halves)"


@dataclass(frozen=True, eq=False)
class Judge:
    """What choices are judged by; the same choice has the same value, whoever else is judged.

    Choices are columns of the ensemble; k becomes fewer where a choice tells fewer groups apart or has fewer clusters.
    Without a truth (N,) the value is the stability: ARI between the consensus of one half of the choice and that of the
    other, the mean of several splits, drawn by `split_seed`.
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
        method = find_method(self.method)
        require_ensemble(self.ensemble)
        method.params.of(self.params)
        if not method.finds_k:
            several_clusters(self.n_clusters)
        one_of("measure", self.measure, MEASURES)
        if self.truth is not None and np.shape(self.truth) != (self.ensemble.n_objects,):
            raise InvalidParameterError(
                f"truth must have one class for each of {self.ensemble.n_objects:,} objects. "
                f"Got shape {np.shape(self.truth)}"
            )
        require_integer("seed", self.seed)
        if self.ensemble.n_clusterings < 2:
            raise InvalidParameterError("choices need at least 2 base clusterings to choose from. Got 1")

    @property
    def title(self) -> str:
        """What a value is."""
        return STABILITY if self.truth is None else MEASURES[self.measure]

    def value(self, choice: ArrayLike, monitor: Monitor = SILENT, splits: int = SPLITS) -> float:
        """The worth of a choice of columns: its score, or the mean stability over some splits into halves."""
        places = self.in_canonical_order(choice)
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
        some, objects = self.ensemble.drawn(choice)
        most = min(
            len(some.microclusters), some.n_clusters_total
        )  # no cut of a graph has more parts than it has clusters
        k = None if find_method(self.method).finds_k else min(self.n_clusters, most)
        out = np.full(self.ensemble.n_objects, -1, np.int32)
        out[objects] = 0 if k == 1 else run_consensus(self.method, some, k, self.params, self.seed, monitor).labels
        return out

    def in_canonical_order(self, choice: ArrayLike) -> NDArray[np.int64]:
        """The columns of a choice in canonical order, so that no order of columns decides how halves are drawn."""
        given = as_array(choice)
        if given.dtype == bool and given.shape == (self.ensemble.n_clusterings,):
            given = np.flatnonzero(given)
        if given.dtype.kind not in "iu" and given.size:
            raise InvalidParameterError(f"a choice must hold places of base clusterings. Got {shown(given.tolist())}")
        places = np.unique(given)
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
