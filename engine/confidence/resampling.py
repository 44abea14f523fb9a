"""What becomes of a consensus when the base clusterings are drawn again.

Partitions are compared object by object, without renaming their clusters (element-centric similarity).
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..consensus import find_method, run_consensus
from ..ensemble import Ensemble
from ..ensemble.clusters import require_overlaps
from ..ensemble.ensembles import require_ensemble
from ..ensemble.microclusters import find_microclusters
from ..ensemble.reading_labels import as_labels_and_missing
from ..ensemble.renumbering import renumber_columns
from ..metrics import align
from ..params import Params, require_integer
from ..runtime.blocks import kept_threads, map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor, Part


def element_centric_consistency(partitions: ArrayLike, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Mean similarity of the clusters an object lies in, over all pairs of partitions.

    For two partitions it is 1 - (1/2) sum_j |p_ij - q_ij| with p_ij = 1 / |cluster of i| for its members, else 0;
    where clusters do not overlap that is x / max(a, b), a and b the sizes of the two clusters of i and x of what they
    share.

    Parameters
    ----------
    partitions : (N, B) labels of any values
        One partition a column, at least 2. -1, NaN and None say that a partition did not see an object: two partitions
        are compared on what both saw.
    monitor : Monitor, optional

    Returns
    -------
    (N,) float64
        In (0, 1]; 1 where an object always has the same company, and where one partition alone saw it.

    Raises
    ------
    InvalidEnsembleError, InvalidParameterError

    Notes
    -----
    O(N B + n B^2) time, n the objects that some partition tells apart.

    References
    ----------
    gates2019element.

    Examples
    --------
    >>> element_centric_consistency([[0, 0], [0, 0], [0, 1], [1, 1]]).round(3).tolist()
    [0.667, 0.667, 0.333, 0.5]
    """
    labels = renumber_columns(*as_labels_and_missing(partitions))
    n_partitions = labels.shape[1]
    if n_partitions < 2:
        raise InvalidParameterError(f"partitions must have at least 2 columns, to be compared. Got {n_partitions}")
    micro = find_microclusters(labels)
    rows = np.ascontiguousarray(labels[micro.representatives].T)
    n_each = rows.max(axis=1) + 1
    require_overlaps(n_each)
    totals, n_compared = np.zeros((n_partitions, len(micro))), np.zeros((n_partitions, len(micro)), np.int64)

    def compare(start: int, stop: int) -> None:
        for b in range(start, stop):
            table = np.empty((n_each[b], n_each[b + 1 :].max(initial=1)), np.int64)
            _similarities_kernel(b, rows, micro.sizes, n_each, table, totals[b], n_compared[b])

    map_blocks(compare, n_partitions, monitor, "comparing partitions", block=1)
    pairs = n_compared.sum(axis=0)
    return micro.expand(np.divide(totals.sum(axis=0), pairs, out=np.ones(len(micro)), where=pairs > 0))


@njit(cache=True, nogil=True)
def _similarities_kernel(b, rows, sizes, n_each, table, out, n_compared):
    """Add x / max(a, b) of every row between partition b and each later one, on the rows both saw."""
    n = rows.shape[1]
    for other in range(b + 1, rows.shape[0]):
        table[:, : n_each[other]] = 0
        in_first, in_second = np.zeros(n_each[b], np.int64), np.zeros(n_each[other], np.int64)
        for i in range(n):
            if rows[b, i] >= 0 and rows[other, i] >= 0:
                table[rows[b, i], rows[other, i]] += sizes[i]
                in_first[rows[b, i]] += sizes[i]
                in_second[rows[other, i]] += sizes[i]
        for i in range(n):
            own, its = rows[b, i], rows[other, i]
            if own >= 0 and its >= 0:
                out[i] += table[own, its] / max(in_first[own], in_second[its])
                n_compared[i] += 1


@dataclass(frozen=True, eq=False)
class Resampled:
    """A consensus, and those of base clusterings drawn again with replacement.

    Attributes
    ----------
    labels : (N,) int32
        The consensus of all base clusterings.
    partitions : (N, B') int32
        Those of the draws, renamed to overlap most with it; -1 for objects that a draw did not see.
    n_skipped : int
        Draws without a consensus of k clusters: they tell fewer groups apart, or have too few clusters for the method.
    """

    labels: NDArray[np.int32]
    partitions: NDArray[np.int32]
    n_skipped: int

    @cached_property
    def stability(self) -> NDArray[np.float64]:
        """Share of the draws that saw an object in which it keeps its cluster: (N,), in [0, 1]; 1 where none saw it."""
        n_seen, n_kept = (self.partitions >= 0).sum(axis=1), (self.partitions == self.labels[:, None]).sum(axis=1)
        return np.divide(n_kept, n_seen, out=np.ones(len(n_seen)), where=n_seen > 0)

    @cached_property
    def consistency(self) -> NDArray[np.float64]:
        """Element-centric consistency of the draws, which needs no names of clusters: (N,), in (0, 1]; 1 as above."""
        seen = np.flatnonzero((self.partitions >= 0).any(axis=1))
        found = np.ones(len(self.labels))
        found[seen] = element_centric_consistency(self.partitions[seen])
        return found


@kept_threads()
def resampled(
    ensemble: Ensemble,
    method: str,
    n_clusters: int,
    params: Mapping[str, Any] | Params | None = None,
    repeats: int = 50,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> Resampled:
    """Draw the base clusterings again with replacement, run the method again, and rename the clusters found.

    Parameters
    ----------
    ensemble : Ensemble
        Of at least 2 base clusterings.
    method, n_clusters, params
        As for `engine.run_consensus`.
    repeats : int
        B, draws, at least 2.
    seed : int
        Of the draws and of every run.
    monitor : Monitor, optional

    Returns
    -------
    Resampled
        The partitions of the draws under the names of the clusters found, and what they say of objects and
        clusters.

    Raises
    ------
    InvalidParameterError
        Also if hardly any draw tells k groups apart. And what `run_consensus` raises.

    References
    ----------
    hennig2007stability; gates2019element.
    """
    _check(ensemble, repeats, seed)
    ensemble = ensemble.tossed(seed)  # as the run below sees it: its draws are those that pages make
    rng, m = np.random.default_rng(seed), ensemble.n_clusterings
    draws = [ensemble.form.clusterings[rng.integers(m, size=m)] for _ in range(repeats)]
    stage = "drawing base clusterings again"
    base = run_consensus(method, ensemble, n_clusters, params, seed, Part(monitor, 0, repeats + 1, 1, stage)).labels
    found, least = [], 1 if find_method(method).finds_k else n_clusters
    for done, draw in enumerate(draws, 1):
        (again, objects), part = ensemble.drawn(draw), Part(monitor, done, repeats + 1, 1, stage)
        part.tick(stage, 0, 1)
        if len(again.microclusters) < least:
            continue
        with suppress(InvalidParameterError):  # all but k was right a moment ago: who cuts graphs needs k clusters, too
            labels = run_consensus(method, again, n_clusters, params, seed, part).labels
            found.append(np.full(ensemble.n_objects, -1, np.int32))
            found[-1][objects] = align(labels, base[objects])
    if len(found) < 2:
        raise InvalidParameterError(
            f"n_clusters must be lower for draws of base clusterings: only {len(found)} of {repeats} tell "
            f"{n_clusters} groups apart. Got {n_clusters}"
        )
    return Resampled(base, np.stack(found, axis=1), repeats - len(found))


def stability(
    ensemble: Ensemble,
    method: str,
    n_clusters: int,
    params: Mapping[str, Any] | Params | None = None,
    repeats: int = 50,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> NDArray[np.float64]:
    """Share of the draws of base clusterings in which every object keeps its cluster: (N,), in [0, 1].

    See `resampled` for arguments and errors; it also has the partitions.

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects in M >= 2 base clusterings.
    method, n_clusters, params
        As for `engine.run_consensus`.
    repeats : int
        B, draws, at least 2.
    seed : int
        Of the draws and of every run.
    monitor : Monitor, optional

    Returns
    -------
    (N,) float64
        In [0, 1]: of the draws that saw the object, those in which it kept its cluster.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0, 0], [0, 0, 0], [0, 0, 1], [1, 1, 1], [1, 1, 1]])
    >>> stability(ensemble, "eac", 2, repeats=20).tolist()[::4]
    [1.0, 1.0]
    """
    return resampled(ensemble, method, n_clusters, params, repeats, seed, monitor).stability


def _check(ensemble: Ensemble, repeats: int, seed: int) -> None:
    if require_ensemble(ensemble).n_clusterings < 2:
        raise InvalidParameterError("drawing again needs at least 2 base clusterings. Got 1")
    require_integer("repeats", repeats, 2)
    require_integer("seed", seed)
