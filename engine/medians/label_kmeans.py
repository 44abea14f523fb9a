"""k-means on labels: base clusters are the coordinates, and single moves finish what Lloyd's rounds leave.

Points are microclusters as rows of labels, and base clusterings may weigh differently there (Wu et al. 2015).
"""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from ..ensemble import Ensemble
from ..runtime.blocks import map_blocks
from ..runtime.monitor import SILENT, Monitor, Relay
from .label_means import round_kernel, sweep_kernel, tally_kernel, total_kernel
from .seen_label_means import seen_round_kernel, seen_sweep_kernel, seen_tally_kernel, seen_total_kernel


def clustering_weights(ensemble: Ensemble, utility: str) -> NDArray[np.float64]:
    """Weight of every base clustering: 1; for NU_c one over its sum of squared shares, for NU_H one over its entropy.

    A base clustering of one cluster tells nothing apart and weighs nothing under NU_c and NU_H, where the published
    code divides by rounding errors.

    Parameters
    ----------
    ensemble : Ensemble
        Of M base clusterings.
    utility : {"U_c", "U_H", "NU_c", "NU_H"}

    Returns
    -------
    (M,) float64 array
    """
    return utility_weights(ensemble.cluster_sizes, ensemble.n_clusters_each, utility)


def utility_weights(sizes: NDArray, n_each: NDArray, utility: str) -> NDArray[np.float64]:
    """`clustering_weights` from sizes alone.

    Parameters
    ----------
    sizes : (K,) int array
        Of all clusters, those of a base clustering side by side.
    n_each : (M,) int array
        How many clusters each base clustering has.
    utility : {"U_c", "U_H", "NU_c", "NU_H"}

    Returns
    -------
    (M,) float64 array
    """
    if not utility.startswith("N"):
        return np.ones(len(n_each))
    first = np.cumsum(n_each) - n_each
    share = sizes / np.repeat(np.add.reduceat(sizes, first), n_each)  # of all objects, where no label is missing
    each = share**2 if utility == "NU_c" else -share * np.log2(share)
    own = np.add.reduceat(each, first)
    return np.divide(1.0, own, out=np.zeros_like(own), where=n_each > 1)


@dataclass(frozen=True, eq=False)
class LabelRows:
    """What is to be separated.

    Attributes
    ----------
    ids : (n, M) int32, or (e,) where labels are missing
        Clusters every microcluster lies in.
    sizes : (n,) int64
        Objects in each.
    spread : (n,) float64
        Mass of each of these objects; the row is divided by it.
    values : (K,) float64
        Weight of the base clustering each cluster belongs to.
    entropic : bool
        Separate by entropies instead of squared distances; `spread` is 1 then.
    start : (n + 1,) int64 or None
        Where each microcluster begins in `ids`; None where nothing is missing, and all have M.
    clustering_of : (K,) int32 or None
        Base clustering of every cluster, where labels are missing.
    one_mass : bool
        Where labels are missing: a cluster's mass counts all its members, not those that a base clustering saw.
    """

    ids: NDArray[np.int32]
    sizes: NDArray[np.int64]
    spread: NDArray[np.float64]
    values: NDArray[np.float64]
    entropic: bool = False
    start: NDArray[np.int64] | None = None
    clustering_of: NDArray[np.int32] | None = None
    one_mass: bool = False

    @classmethod
    def of(
        cls,
        ensemble: Ensemble,
        spread: NDArray | None = None,
        weights: NDArray | None = None,
        entropic: bool = False,
        one_mass: bool = False,
    ) -> "LabelRows":
        """Rows of an ensemble: mass of an object (n,) and weights of base clusterings (M,) are 1 by default.

        Parameters
        ----------
        ensemble : Ensemble
            Of n microclusters in M base clusterings.
        spread : (n,) float, optional
            Mass of every object of a microcluster, above 0.
        weights : (M,) float, optional
            Of the base clusterings, not negative.
        entropic : bool
            As the attribute of this name.
        one_mass : bool
            As the attribute of this name.

        Returns
        -------
        LabelRows
            n rows for `kmeans_on_labels`.
        """
        n, m = len(ensemble.microclusters), ensemble.n_clusterings
        weights = np.ones(m) if weights is None else np.asarray(weights, dtype=np.float64)
        clusters, complete = ensemble.clusters, ensemble.complete
        return cls(
            clusters.ids.reshape(n, m) if complete else clusters.ids,
            ensemble.microclusters.sizes,
            np.ones(n) if spread is None else np.asarray(spread, dtype=np.float64),
            np.repeat(weights, ensemble.n_clusters_each),
            entropic,
            None if complete else clusters.start,
            None if complete else clusters.clustering_of,
            one_mass,
        )

    @property
    def logs(self) -> NDArray[np.float64]:
        """Values of x log2 x for x = 0..N where entropies need them, else nothing."""
        counts = np.arange(self.sizes.sum() + 1 if self.entropic else 0, dtype=np.float64)
        return counts * np.log2(np.maximum(counts, 1))


@dataclass(frozen=True, eq=False)
class LabelSteps:
    """What may be done with a partition `labels` (n,); all change it and its centres in place. -1 is in no cluster yet.

    `tally` makes the centres. `round` is Lloyd's: labels, then centres; how many changed, and how many clusters were
    made anew. `sweep` makes single moves; how many. `total` is what both raise.
    """

    labels: NDArray[np.int32]
    tally: Callable[[], None]
    round: Callable[[], tuple[int, int]]
    sweep: Callable[[], int]
    total: Callable[[], float]

    @classmethod
    def of(cls, rows: LabelRows, logs: NDArray[np.float64], n_clusters: int) -> "LabelSteps":
        """Steps on labels that are all -1 yet; `logs` are those of the rows, which starts share."""
        labels = np.full(len(rows.sizes), -1, np.int32)
        make = _steps if rows.start is None else _steps_where_seen
        return make(rows, logs, labels, n_clusters)


def _steps(rows: LabelRows, logs: NDArray, labels: NDArray, k: int) -> LabelSteps:
    counts, table = np.empty((2, len(rows.values), k))
    mass, members = np.empty(k), np.empty(k, np.int64)
    state = (labels, counts, mass, members)
    own = (rows.ids, rows.sizes, rows.spread, rows.values, logs, *state)
    return LabelSteps(
        labels,
        lambda: tally_kernel(rows.ids, rows.sizes, rows.spread, *state),
        lambda: round_kernel(*own, table),
        lambda: sweep_kernel(*own),
        lambda: total_kernel(rows.ids, rows.values, logs, counts, mass),
    )


def _steps_where_seen(rows: LabelRows, logs: NDArray, labels: NDArray, k: int) -> LabelSteps:
    """`_steps` where labels are missing."""
    assert rows.start is not None
    assert rows.clustering_of is not None
    counts, members = np.empty((len(rows.values), k)), np.empty(k, np.int64)
    mass, squares = np.empty((2, int(rows.clustering_of[-1]) + 1, k))
    given = (rows.start, rows.ids, rows.clustering_of, rows.sizes, rows.spread, rows.values, logs, rows.one_mass)
    own = (*given, labels, counts, mass, squares, members)
    return LabelSteps(
        labels,
        lambda: seen_tally_kernel(*own),
        lambda: seen_round_kernel(*own),
        lambda: seen_sweep_kernel(*own),
        lambda: seen_total_kernel(rows.clustering_of, rows.values, logs, counts, mass, squares),
    )


#: Rounds, and sweeps of single moves, after which a start that has not settled is stopped.
MAX_ROUNDS = 100
#: Swaps that a start tries at most, and microclusters it may swap among in all.
_SWAPS, _SWAPPED = 20, 4_000
#: A swap must raise the total by more than this share of it: less is rounding.
_LEAST_GAIN = 1e-12


@dataclass(frozen=True, eq=False)
class LabelRuns:
    """What the starts came to.

    Attributes
    ----------
    labels : (n,) int32
        Of the best start, the first of equals; exactly k values.
    totals : (starts,) float64
        The total every start reached; higher is better.
    repaired : int
        Clusters the best start had to make anew.
    unsettled : int
        Starts that were stopped before nothing moved any more.
    """

    labels: NDArray[np.int32]
    totals: NDArray[np.float64]
    repaired: int
    unsettled: int

    def tell(self, objectives: NDArray[np.float64], monitor: Monitor) -> None:
        """Record how the starts came out.

        Parameters
        ----------
        objectives : (starts,) float64
            Lower is better.
        monitor : Monitor
        """
        monitor.record("objectives", objectives)
        monitor.record("unsettled", self.unsettled)
        monitor.record("repaired", self.repaired)


def affordable_swaps(n_microclusters: int) -> int:
    """Swaps that every start tries: 20, fewer beyond 200 microclusters, none beyond 4,000.

    Parameters
    ----------
    n_microclusters : int
        At least 1.

    Returns
    -------
    int

    Examples
    --------
    >>> [affordable_swaps(n) for n in (47, 200, 1_000, 4_001)]
    [20, 20, 4, 0]
    """
    return min(_SWAPS, _SWAPPED // n_microclusters)


def kmeans_on_labels(
    rows: LabelRows,
    n_clusters: int,
    n_starts: int,
    polish: bool,
    rng: np.random.Generator,
    monitor: Monitor = SILENT,
    n_swaps: int = 0,
) -> LabelRuns:
    """Separate microclusters by k-means on their rows of labels, from several starts.

    A start is k distinct microclusters, drawn by their objects. Lloyd's rounds go on until no label changes, sweeps of
    exact single moves (Hartigan) until none raises the total. A swap dissolves a cluster, drawn at random, and begins
    another with a microcluster, drawn by its objects; rounds and sweeps follow, and it is kept if the total has risen.

    Parameters
    ----------
    rows : LabelRows
    n_clusters : int
        k, at most n.
    n_starts : int
    polish : bool
        Whether single moves follow the rounds.
    rng : Generator
        All starts and swaps are drawn beforehand: the result does not depend on threads.
    monitor : Monitor, optional
    n_swaps : int
        Swaps that every start tries when it has settled.

    Returns
    -------
    LabelRuns

    Notes
    -----
    O(n M k) time a round or sweep, and a swap takes nearly as many of them as a start; memory O(n + K k) a thread
    beyond the rows.

    References
    ----------
    wu2015kcc; hartigan1975; franti2018swap.
    """
    share = rows.sizes / rows.sizes.sum()
    seeds = []
    for start in range(n_starts):
        monitor.tick("drawing starts", start, n_starts)
        seeds.append(rng.choice(len(share), n_clusters, replace=False, p=share))
    swaps = np.empty((n_starts, n_swaps, 2), np.int64)
    swaps[..., 0] = rng.integers(n_clusters, size=swaps.shape[:2])
    swaps[..., 1] = rng.choice(len(share), swaps.shape[:2], p=share)
    logs, relay, lock = rows.logs, Relay(monitor), Lock()
    outcomes: dict[int, tuple[float, int, bool]] = {}
    best: list[tuple[float, int, NDArray]] = []

    def run(start: int, stop: int) -> None:
        for s in range(start, stop):
            labels, total, repaired, settled = _one_run(rows, logs, seeds[s], polish, relay.inner, swaps[s])
            with lock:
                outcomes[s] = total, repaired, settled
                best[:] = [min([*best, (-total, s, labels)], key=lambda one: one[:2])]

    map_blocks(run, n_starts, relay, "trying starts", block=1)
    chosen = best[0][1]
    totals = np.array([outcomes[s][0] for s in range(n_starts)])
    unsettled = sum(not outcomes[s][2] for s in range(n_starts))
    return LabelRuns(best[0][2], totals, outcomes[chosen][1], unsettled)


def _one_run(
    rows: LabelRows, logs: NDArray, seeds: NDArray, polish: bool, monitor: Monitor, swaps: NDArray
) -> tuple[NDArray[np.int32], float, int, bool]:
    """Labels, total, clusters made anew, and whether nothing moved in the end."""
    steps = LabelSteps.of(rows, logs, len(seeds))
    labels = steps.labels
    labels[seeds] = np.arange(len(seeds))
    repaired, settled = _settle(steps, polish, monitor)
    kept, total = labels.copy(), steps.total()
    for left, entered in swaps:
        if not _swap(labels, left, entered):
            continue
        refilled, still = _settle(steps, polish, monitor)
        if steps.total() > total + _LEAST_GAIN * abs(total):
            kept, total, repaired, settled = labels.copy(), steps.total(), repaired + refilled, still
        labels[:] = kept
    return kept, total, repaired, settled


def _swap(labels: NDArray[np.int32], left: int, entered: int) -> bool:
    """Dissolve a cluster and begin it anew with a microcluster, unless that one is a cluster by itself."""
    if np.count_nonzero(labels == labels[entered]) == 1:
        return False
    labels[labels == left] = -1
    labels[entered] = left
    return True


def _settle(steps: LabelSteps, polish: bool, monitor: Monitor) -> tuple[int, bool]:
    """Rounds until no label changes, then sweeps; clusters made anew, and whether nothing moved in the end."""
    steps.tally()
    changed, repaired, n_rounds = 1, 0, 0
    while changed and n_rounds < MAX_ROUNDS:
        monitor.tick("moving centres", n_rounds, MAX_ROUNDS)
        changed, refilled = steps.round()
        repaired, n_rounds = repaired + refilled, n_rounds + 1
    n_rounds = 0
    while polish and (changed or not n_rounds) and n_rounds < MAX_ROUNDS:
        monitor.tick("moving single microclusters", n_rounds, MAX_ROUNDS)
        changed, n_rounds = steps.sweep(), n_rounds + 1
    return repaired, not changed
