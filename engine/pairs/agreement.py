"""How alike the base clusterings are, and how often a link between two objects is right.

How far one agrees with the crowd of the others, and what it counts for that, is after Huang et al. 2015.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ..ensemble import Ensemble
from ..ensemble.clusters import require_overlaps
from ..ensemble.microclusters import Microclusters, frozen
from ..ensemble.reading_labels import as_numbers, label_vector
from ..ensemble.renumbering import first_appearance
from ..metrics import Normalisation, nmi_of_table, normalised
from ..params import Float, require
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError
from ..runtime.monitor import SILENT, Monitor
from .counts import row_filler


def clustering_agreement(
    ensemble: Ensemble, normalisation: Normalisation = "max", monitor: Monitor = SILENT
) -> NDArray[np.float64]:
    """NMI between every two base clusterings, on the objects both label (0 where they share none).

    Parameters
    ----------
    ensemble : Ensemble
    normalisation : "max" | "arithmetic" | "sqrt" | "min"
        See `engine.metrics.nmi`.
    monitor : Monitor, optional

    Returns
    -------
    (M, M) float64
        Symmetric, diagonal 1, in [0, 1].

    Notes
    -----
    O(n M^2) time on the n microclusters.
    """
    micro, n_each = ensemble.microclusters, ensemble.n_clusters_each
    columns = ensemble.clusters.columns()
    require_overlaps(n_each)
    if not ensemble.complete:
        return _agreement_where_seen(ensemble, columns, normalisation, monitor)
    joint = np.zeros((ensemble.n_clusterings,) * 2)

    def of_clusterings(start: int, stop: int) -> None:
        for m in range(start, stop):
            table = np.empty((n_each[m], n_each[m + 1 :].max(initial=1)), np.int64)
            _joint_entropy_kernel(columns, m, n_each, micro.sizes, table, joint[m])

    map_blocks(of_clusterings, ensemble.n_clusterings, monitor, "comparing base clusterings", block=1)
    joint = np.maximum(joint, joint.T)  # each pair is measured once, from its earlier member
    entropy = np.diag(joint)
    information = np.maximum(entropy[:, None] + entropy - joint, 0)
    return normalised(information, entropy[:, None], entropy[None, :], normalisation)


def _agreement_where_seen(
    ensemble: Ensemble, columns: NDArray, normalisation: Normalisation, monitor: Monitor
) -> NDArray[np.float64]:
    """`clustering_agreement` where labels are missing: entropies, too, are those of the objects both label."""
    sizes, n_each, m = ensemble.microclusters.sizes, ensemble.n_clusters_each, ensemble.n_clusterings
    out = np.ones((m, m))

    def of_clusterings(start: int, stop: int) -> None:
        for one in range(start, stop):
            for other in range(one + 1, m):
                seen = (columns[one] >= 0) & (columns[other] >= 0)
                cells = columns[one, seen].astype(np.int64) * n_each[other] + columns[other, seen]
                counts = np.bincount(cells, weights=sizes[seen], minlength=n_each[one] * n_each[other])
                table = counts.reshape(n_each[one], n_each[other]).astype(np.int64)
                out[one, other] = out[other, one] = nmi_of_table(table, normalisation) if seen.any() else 0.0

    map_blocks(of_clusterings, m, monitor, "comparing base clusterings", block=1)
    return out


@dataclass(frozen=True, eq=False)
class LinkQuality:
    """How many pairs of objects have which value, and how many of them belong together.

    Attributes
    ----------
    values : (b,) float64
        Lower edge of each bin, ascending; a pair belongs to the last bin whose edge it reaches.
    pairs, correct : (b,) int64
        Pairs of different objects in the bin, and those of them that share a class.
    n_together : int
        Pairs that share a class, those below the first edge among them.
    n_rows : int, optional
        Microclusters whose pairs these are, where only a sample of them was looked at.
    """

    values: NDArray[np.float64]
    pairs: NDArray[np.int64]
    correct: NDArray[np.int64]
    n_together: int
    n_rows: int | None = None

    @property
    def precision(self) -> NDArray[np.float64]:
        """Share of the pairs at or above each value that belong together (nan where there are none)."""
        above, right = _from_above(self.pairs), _from_above(self.correct)
        return np.divide(right, above, out=np.full(len(above), np.nan), where=above > 0)

    @property
    def recall(self) -> NDArray[np.float64]:
        """Share of all pairs that belong together that are at or above each value."""
        return _from_above(self.correct) / max(1, self.n_together)


def link_quality(
    matrix: NDArray, microclusters: Microclusters, truth: ArrayLike, values: ArrayLike, monitor: Monitor = SILENT
) -> LinkQuality:
    """Distribution of a matrix's values over pairs of objects, and how many pairs in each bin are correct.

    Parameters
    ----------
    matrix : (n, n) float
        Symmetric, on microclusters; its diagonal counts for the pairs inside a microcluster.
    microclusters : Microclusters
    truth : (N,) labels
        The truth.
    values : (b,) float
        Lower edges of the bins, ascending; pairs below the first are in none. An edge reaches 1e-6 below itself, so
        that a value stored in float32 falls into the bin of its own edge.
    monitor : Monitor, optional

    Returns
    -------
    LinkQuality

    Raises
    ------
    InvalidParameterError
        If `values` do not ascend, or truth and matrix do not fit the microclusters.

    References
    ----------
    huang2016pta, Fig. 1 and Table 1; jia2023eccms, Fig. 1.
    """
    microclusters.require_own(matrix)
    edges, mixed = _edges_and_classes(microclusters, truth, values)
    n = len(microclusters)
    counts = np.zeros((n, 2, len(edges)), np.int64)
    arrays = (*mixed, microclusters.sizes, edges - 1e-6)

    def count(start: int, stop: int) -> None:
        _links_kernel(np.arange(start, stop), matrix[start:stop], *arrays, True, counts[start:stop])

    map_blocks(count, n, monitor, "counting links")
    pairs, correct = counts.sum(axis=0)
    return LinkQuality(edges, pairs, correct, _together(mixed, np.arange(n)) // 2)


def link_quality_by_rows(
    ensemble: Ensemble,
    weights: NDArray,
    truth: ArrayLike,
    values: ArrayLike,
    monitor: Monitor = SILENT,
    most_pairs: int = 400_000_000,
) -> LinkQuality:
    """`link_quality` of a weighted co-association matrix whose rows are made, counted and dropped.

    Parameters
    ----------
    ensemble : Ensemble
    weights : (K,) float
        Weight of every cluster; 1 for the co-association.
    truth, values, monitor
        See `link_quality`.
    most_pairs : int
        Where n x n is more, so many rows as make this number stand for all, evenly spaced in their canonical order:
        the result says so in `n_rows`, and counts every pair from the side of the sample.

    Returns
    -------
    LinkQuality

    Notes
    -----
    O(min(n^2, most_pairs)) time; memory for a few rows.
    """
    fill = row_filler(ensemble, weights)
    return _quality_by_rows(fill, ensemble.microclusters, truth, values, monitor, most_pairs)


def link_quality_of_graph(
    graph: sparse.csr_array,
    microclusters: Microclusters,
    truth: ArrayLike,
    values: ArrayLike,
    monitor: Monitor = SILENT,
    most_pairs: int = 400_000_000,
) -> LinkQuality:
    """`link_quality` of a graph's weights; pairs inside a microcluster count as 1.

    Parameters
    ----------
    graph : (n, n) csr_array of float
        Symmetric, diagonal empty.
    microclusters : Microclusters
    truth, values, monitor
        See `link_quality`.
    most_pairs : int
        See `link_quality_by_rows`, which asks the same rows.

    Returns
    -------
    LinkQuality

    Notes
    -----
    O(min(n^2, most_pairs)) time; memory for a few rows.
    """

    def fill(start: int, stop: int, rows: NDArray) -> None:
        rows[:] = graph[start:stop].toarray()
        rows[np.arange(stop - start), np.arange(start, stop)] = 1

    return _quality_by_rows(fill, microclusters, truth, values, monitor, most_pairs)


def _quality_by_rows(
    fill: Callable[[int, int, NDArray], object],
    micro: Microclusters,
    truth: ArrayLike,
    values: ArrayLike,
    monitor: Monitor,
    most_pairs: int,
) -> LinkQuality:
    """Count over rows that are made, counted and dropped; over evenly spaced ones where all have too many pairs."""
    edges, mixed = _edges_and_classes(micro, truth, values)
    n = len(micro)
    n_rows = min(n, max(1, most_pairs // n))
    asked = np.linspace(0, n - 1, n_rows).astype(np.int64)
    counts = np.zeros((len(asked), 2, len(edges)), np.int64)
    arrays = (*mixed, micro.sizes, edges - 1e-6)

    def count(start: int, stop: int) -> None:
        row = np.empty((1, n), np.float32)
        for place in range(start, stop):
            fill(int(asked[place]), int(asked[place]) + 1, row)
            _links_kernel(asked[place : place + 1], row, *arrays, n_rows == n, counts[place : place + 1])

    map_blocks(count, len(asked), monitor, "counting links")
    pairs, correct = counts.sum(axis=0)
    together = _together(mixed, asked)
    if n_rows == n:
        return LinkQuality(edges, pairs, correct, together // 2)
    return LinkQuality(edges, pairs, correct, together, n_rows)


def _edges_and_classes(
    microclusters: Microclusters, truth: ArrayLike, values: ArrayLike
) -> tuple[NDArray[np.float64], tuple[NDArray, NDArray, NDArray]]:
    """The edges, and for every microcluster which classes its objects have, and how many each."""
    edges, truth = as_numbers(values, "values", "numbers"), label_vector(truth)
    ascending = edges.ndim == 1 and not np.isnan(edges).any() and (np.diff(edges) > 0).all()
    if truth.shape != microclusters.assignment.shape or not ascending:
        raise InvalidParameterError("link_quality needs one class an object, and ascending values")
    numbered = first_appearance(truth)
    shape = (len(microclusters), int(numbered.max()) + 1)
    mixed = sparse.csr_array((np.ones(len(numbered), np.int64), (microclusters.assignment, numbered)), shape=shape)
    return edges, (mixed.indptr, mixed.indices, mixed.data)


def _together(mixed: tuple[NDArray, NDArray, NDArray], asked: NDArray) -> int:
    """Pairs of one class that objects of the microclusters asked make with all others, each counted from its side."""
    first, classes, members = mixed
    rows = np.repeat(np.arange(len(first) - 1), np.diff(first))
    own, n_each = np.isin(rows, asked), np.bincount(classes, members)
    return int((members[own] * (n_each[classes[own]] - 1)).sum())


def _from_above(counts: NDArray) -> NDArray:
    """Sums of this bin and all higher ones."""
    return counts[::-1].cumsum()[::-1]


@njit(cache=True, nogil=True)
def _joint_entropy_kernel(columns, m, n_each, sizes, table, out):
    """Entropy in nats of base clustering m joined with itself and with every later one."""
    total = sizes.sum()
    own = np.zeros(n_each[m], np.int64)
    for i in range(columns.shape[1]):
        own[columns[m, i]] += sizes[i]
    for c in range(n_each[m]):
        if own[c] > 0:
            out[m] -= own[c] / total * np.log(own[c] / total)
    for other in range(m + 1, columns.shape[0]):
        table[:, : n_each[other]] = 0
        for i in range(columns.shape[1]):
            table[columns[m, i], columns[other, i]] += sizes[i]
        for c in range(n_each[m]):
            for j in range(n_each[other]):
                if table[c, j] > 0:
                    p = table[c, j] / total
                    out[other] -= p * np.log(p)


@njit(cache=True, nogil=True)
def _links_kernel(asked, rows, first, truth, members, sizes, edges, once, counts):
    """Count the pairs of each microcluster asked, whose row is given: all, and those of one class.

    `once`: with itself and later ones only, so that over all rows every pair of objects counts once.
    """
    for place in range(len(asked)):
        a = asked[place]
        for b in range(a if once else 0, rows.shape[1]):
            bin_ = np.searchsorted(edges, rows[place, b], side="right") - 1
            if bin_ < 0:
                continue
            pairs, correct = sizes[a] * sizes[b], 0
            s, t = first[a], first[b]
            while s < first[a + 1] and t < first[b + 1]:
                if truth[s] == truth[t]:
                    correct += members[s] * members[t]
                    s += 1
                    t += 1
                elif truth[s] < truth[t]:
                    s += 1
                else:
                    t += 1
            if a == b:  # an object makes no pair with itself
                pairs, correct = pairs - sizes[a], correct - sizes[a]
                if once:
                    pairs, correct = pairs // 2, correct // 2
            counts[place, 0, bin_] += pairs
            counts[place, 1, bin_] += correct


#: Base clusterings whose mean agreement is below it are independent of the others, but for rounding.
_NOTHING = 1e-12


def normalized_crowd_agreement(ensemble: Ensemble, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Mean NMI of every base clustering with the others, the largest of these means set to 1: NCAI.

    Parameters
    ----------
    ensemble : Ensemble
    monitor : Monitor, optional

    Returns
    -------
    (M,) float64
        In [0, 1], the largest 1.

    Notes
    -----
    O(n M^2) time. NMI is divided by the larger entropy, as in the published code (its comment says the geometric
    mean). Two base clusterings of one cluster each agree fully, one with any other not at all. Where nobody agrees with
    anybody, and where there is one base clustering alone, all have 1: the published code divides 0 by 0.

    References
    ----------
    huang2015crowd.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]])
    >>> normalized_crowd_agreement(ensemble).tolist()
    [1.0, 1.0, 0.0]
    """
    return ensemble.remember("normalized_crowd_agreement", lambda: frozen(_measured_agreement(ensemble, monitor)))


def _measured_agreement(ensemble: Ensemble, monitor: Monitor) -> NDArray[np.float64]:
    agreement = clustering_agreement(ensemble, "max", monitor)
    np.fill_diagonal(agreement, 0)
    means = agreement.sum(axis=1) / max(1, ensemble.n_clusterings - 1)
    return means / means.max() if means.max() > _NOTHING else np.ones(len(means))


def crowd_weights(ensemble: Ensemble, beta: float = 2.0, monitor: Monitor = SILENT) -> NDArray[np.float64]:
    """Weight of every base clustering, w = NCAI^beta: (M,), in [0, 1].

    Parameters
    ----------
    ensemble : Ensemble
    beta : float
        At least 0. At 0 all weigh 1; the higher, the more the best agreed with outvote the rest.
    monitor : Monitor, optional

    Returns
    -------
    (M,) float64
        In [0, 1], the largest 1 where the base clusterings agree at all.

    Raises
    ------
    InvalidParameterError

    References
    ----------
    huang2015crowd.
    """
    return normalized_crowd_agreement(ensemble, monitor) ** require("beta", Float(low=0), beta)
