"""k-means on labels: base clusters are the coordinates, and single moves finish what Lloyd's rounds leave."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from ..blocks import map_blocks
from ..ensemble import Ensemble
from ..monitor import SILENT, Monitor, Relay
from ..numerics.label_means import round_kernel, sweep_kernel, tally_kernel, total_kernel
from ..numerics.seen_label_means import seen_round_kernel, seen_sweep_kernel, seen_tally_kernel, seen_total_kernel

#: Rounds, and sweeps of single moves, after which a start that has not settled is stopped.
MAX_ROUNDS = 100


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


def kmeans_on_labels(
    rows: LabelRows,
    n_clusters: int,
    n_starts: int,
    polish: bool,
    rng: np.random.Generator,
    monitor: Monitor = SILENT,
) -> LabelRuns:
    """Separate microclusters by k-means on their rows of labels, from several starts.

    A start is k distinct microclusters, drawn by their objects. Lloyd's rounds go on until no label changes, sweeps of
    exact single moves (Hartigan) until none raises the total.

    Parameters
    ----------
    rows : LabelRows
    n_clusters : int
        k, at most n.
    n_starts : int
    polish : bool
        Whether single moves follow the rounds.
    rng : Generator
        All starts are drawn beforehand: the result does not depend on threads.
    monitor : Monitor, optional

    Returns
    -------
    LabelRuns

    Notes
    -----
    O(n M k) time a round or sweep; memory O(n + K k) a thread beyond the rows.

    References
    ----------
    wu2015kcc; hartigan1975.
    """
    share = rows.sizes / rows.sizes.sum()
    seeds = []
    for start in range(n_starts):
        monitor.tick("drawing starts", start, n_starts)
        seeds.append(rng.choice(len(share), n_clusters, replace=False, p=share))
    logs, relay, lock = rows.logs, Relay(monitor), Lock()
    one_run = _one_run if rows.start is None else _one_run_where_seen
    outcomes: dict[int, tuple[float, int, bool]] = {}
    best: list[tuple[float, int, NDArray]] = []

    def run(start: int, stop: int) -> None:
        for s in range(start, stop):
            labels, total, repaired, settled = one_run(rows, logs, seeds[s], polish, relay.inner)
            with lock:
                outcomes[s] = total, repaired, settled
                best[:] = [min([*best, (-total, s, labels)], key=lambda one: one[:2])]

    map_blocks(run, n_starts, relay, "trying starts", block=1)
    chosen = best[0][1]
    totals = np.array([outcomes[s][0] for s in range(n_starts)])
    unsettled = sum(not outcomes[s][2] for s in range(n_starts))
    return LabelRuns(best[0][2], totals, outcomes[chosen][1], unsettled)


def _one_run(
    rows: LabelRows, logs: NDArray, seeds: NDArray, polish: bool, monitor: Monitor
) -> tuple[NDArray[np.int32], float, int, bool]:
    """Labels, total, clusters made anew, and whether nothing moved in the end."""
    k, n_columns = len(seeds), len(rows.values)
    labels = np.full(len(rows.ids), -1, np.int32)
    labels[seeds] = np.arange(k)
    counts, table = np.empty((n_columns, k)), np.empty((n_columns, k))
    mass, members = np.empty(k), np.empty(k, np.int64)
    tally_kernel(rows.ids, rows.sizes, rows.spread, labels, counts, mass, members)
    own = (rows.ids, rows.sizes, rows.spread, rows.values, logs, labels, counts, mass, members)
    repaired, settled = _settle(lambda: round_kernel(*own, table), lambda: sweep_kernel(*own), polish, monitor)
    return labels, total_kernel(rows.ids, rows.values, logs, counts, mass), repaired, settled


def _one_run_where_seen(
    rows: LabelRows, logs: NDArray, seeds: NDArray, polish: bool, monitor: Monitor
) -> tuple[NDArray[np.int32], float, int, bool]:
    """`_one_run` where labels are missing."""
    assert rows.start is not None
    assert rows.clustering_of is not None
    k, n_columns, n_clusterings = len(seeds), len(rows.values), int(rows.clustering_of[-1]) + 1
    labels = np.full(len(rows.sizes), -1, np.int32)
    labels[seeds] = np.arange(k)
    counts, members = np.empty((n_columns, k)), np.empty(k, np.int64)
    mass, squares = np.empty((n_clusterings, k)), np.empty((n_clusterings, k))
    given = (rows.start, rows.ids, rows.clustering_of, rows.sizes, rows.spread, rows.values, logs, rows.one_mass)
    state = (labels, counts, mass, squares, members)
    seen_tally_kernel(*given, *state)
    repaired, settled = _settle(
        lambda: seen_round_kernel(*given, *state), lambda: seen_sweep_kernel(*given, *state), polish, monitor
    )
    return labels, seen_total_kernel(rows.clustering_of, rows.values, logs, counts, mass, squares), repaired, settled


def _settle(
    one_round: Callable[[], tuple[int, int]], one_sweep: Callable[[], int], polish: bool, monitor: Monitor
) -> tuple[int, bool]:
    """Rounds until no label changes, then sweeps; clusters made anew, and whether nothing moved in the end."""
    changed, repaired, n_rounds = 1, 0, 0
    while changed and n_rounds < MAX_ROUNDS:
        monitor.tick("moving centres", n_rounds, MAX_ROUNDS)
        changed, refilled = one_round()
        repaired, n_rounds = repaired + refilled, n_rounds + 1
    n_rounds = 0
    while polish and (changed or not n_rounds) and n_rounds < MAX_ROUNDS:
        monitor.tick("moving single microclusters", n_rounds, MAX_ROUNDS)
        changed, n_rounds = one_sweep(), n_rounds + 1
    return repaired, not changed
