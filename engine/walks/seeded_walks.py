"""Random walks that end at seeds: which seed does a walker from each microcluster reach first (Grady 2006)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from ..ensemble import Ensemble
from ..pairs.counts import co_association
from ..params import Float, require
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_square
from ..runtime.monitor import SILENT, Monitor

#: The walkers' probabilities are sought until what is missing of each is below this share of its right-hand side.
_EXACT, _STAGE = 1e-12, "walking to the seeds"
#: Probabilities that differ by no more are equal: the solver's rounding decides nothing. So are sums of co-associations
#: in single precision.
_EQUAL, _EQUAL_SUMS = 1e-9, 1e-6

#: Values of beta and of the threshold. Beyond 30, weights exp(-beta (1 - a)) span more digits than the solver keeps.
BETA = Float(low=0.0, high=30.0, slider=(0.0, 30.0))
THRESHOLD = Float(low=0.0, high=1.0, slider=(0.0, 1.0))


@dataclass(frozen=True, eq=False)
class SeededAnswer:
    """Where the seeds' labels spread: labels (N,), and the probability (N, k) of reaching a seed of each label first.

    Of probabilities equal up to 1e-9 the lowest label counts. Rows sum to 1; to 0 where no seed can be reached.
    """

    labels: NDArray[np.int32]
    probabilities: NDArray[np.float64]


def neighborhood(
    ensemble: Ensemble, beta: float, threshold: float, monitor: Monitor = SILENT
) -> tuple[NDArray[np.float32], sparse.csr_array]:
    """Co-association (n, n), and the graph of its larger entries, w_ij = exp(-beta (1 - a_ij)), without a diagonal.

    Links are pairs that meet, in at least the share `threshold` of the base clusterings.
    """
    n, m = len(ensemble.microclusters), ensemble.n_clusterings
    require_square("the graph to walk on", n, n_arrays=4, itemsize=8)
    together = co_association(ensemble, monitor)
    counts = np.rint(together * m).astype(np.int32)
    np.fill_diagonal(counts, 0)
    graph = sparse.csr_array(np.where(counts >= threshold * m - 1e-9, counts, 0))
    graph.data = np.exp(-beta * (1 - graph.data / m))
    return together, graph


def seeded_probabilities(
    graph: sparse.csr_array, sizes: NDArray, seeds: NDArray, monitor: Monitor = SILENT
) -> NDArray[np.float64]:
    """Probability that a walker from each node reaches the seeds of each label first: (n, k); 0 where none is reached.

    Harmonic on all other nodes: p_i = sum_j r_j w_ij p_j / sum_j r_j w_ij, and 1 at a seed of the label; `seeds` (n,)
    are 0..k-1, -1 elsewhere; r is the number of objects each node stands for.

    Exact on microclusters if a seed is a whole one. Conjugate gradients with the degrees as preconditioner, all labels
    together: O(links k) a round. Reference: grady2006walks.

    A path of four nodes with a seed at both ends:

    >>> path = sparse.csr_array(np.diag([1.0, 1, 1], 1) + np.diag([1.0, 1, 1], -1))
    >>> seeded_probabilities(path, np.ones(4), np.array([0, -1, -1, 1])).round(3).tolist()
    [[1.0, 0.0], [0.667, 0.333], [0.333, 0.667], [0.0, 1.0]]
    """
    weigh = sparse.diags_array(np.asarray(sizes, np.float64))
    scaled = sparse.csr_array(weigh @ graph @ weigh)
    monitor.tick(_STAGE, 0, 100)
    n_labels = int(seeds.max()) + 1
    found = np.zeros((len(seeds), n_labels))
    found[seeds >= 0, seeds[seeds >= 0]] = 1
    component = connected_components(graph, directed=False)[1]
    free = np.flatnonzero((seeds < 0) & np.isin(component, component[seeds >= 0]))
    if len(free):
        rows = scaled[free]
        monitor.tick(_STAGE, 0, 100)
        found[free] = _harmonic(rows[:, free], rows.sum(axis=1), rows @ found, monitor)
    return found


def _harmonic(links: sparse.csr_array, degrees: NDArray, sides: NDArray, monitor: Monitor) -> NDArray[np.float64]:
    """Solve (diag(degrees) - links) p = sides by conjugate gradients, a column a label."""
    p = sides / degrees[:, None]
    left = links @ p  # what is missing of the sides: sides - degrees p is 0 at first
    goal = _EXACT * np.maximum(np.abs(sides).max(axis=0), 1e-300)
    scaled = left / degrees[:, None]
    direction, size = scaled.copy(), np.einsum("ij,ij->j", left, scaled)
    for done in range(10 * len(p)):
        missing = float((np.abs(left).max(axis=0) / goal).max())
        monitor.tick(_STAGE, min(99, done), 100)
        if missing <= 1:
            break
        bent = degrees[:, None] * direction - links @ direction
        step = size / np.maximum(np.einsum("ij,ij->j", direction, bent), 1e-300)
        p += step * direction
        left -= step * bent
        scaled = left / degrees[:, None]
        before, size = size, np.einsum("ij,ij->j", left, scaled)
        direction = scaled + size / np.maximum(before, 1e-300) * direction
    monitor.tick(_STAGE, 100, 100)
    p = np.clip(p, 0, 1)
    return p / p.sum(axis=1, keepdims=True)


def nearest_seeds(probabilities: NDArray, together: NDArray, sizes: NDArray, seeds: NDArray) -> NDArray[np.int64]:
    """The likeliest label of every node, (n,): of one that reaches no seed, that of the seeds it meets most."""
    labels = _first_largest(probabilities, _EQUAL)
    lost = np.flatnonzero(probabilities.max(axis=1) == 0)
    if len(lost):
        share = np.zeros((len(seeds), probabilities.shape[1]))
        placed = np.flatnonzero(seeds >= 0)
        share[placed, seeds[placed]] = sizes[placed]
        labels[lost] = _first_largest(together[lost] @ (share / share.sum(axis=0)), _EQUAL_SUMS)
    return labels


def _first_largest(values: NDArray, equal: float) -> NDArray[np.int64]:
    """The lowest column of those that hold a row's largest value, or nearly so."""
    return (values >= values.max(axis=1, keepdims=True) - equal).argmax(axis=1)


def seeded_partition(
    ensemble: Ensemble, seeds: ArrayLike, beta: float = 10.0, threshold: float = 0.0, monitor: Monitor = SILENT
) -> SeededAnswer:
    """Spread the labels of a few objects over all others, by walks on the co-association.

    `seeds` (N,) are 0..k-1 for objects whose label is given, each at least once, below 0 for all others; `beta` is how
    much less a weaker link counts, `threshold` the share of base clusterings from which on pairs are linked. An object
    that no base clustering tells from a seed has the seed's label; two such seeds of different labels are refused.

    Raises
    ------
    InvalidParameterError
        If `beta` is not in [0, 30] or `threshold` not in [0, 1], as for SRW, seeds will not do, or labels are missing.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 1], [1, 2]])
    >>> seeded_partition(ensemble, [0, -1, -1, 1]).labels.tolist()
    [0, 0, 1, 1]
    """
    beta, threshold = require("beta", BETA, beta), require("threshold", THRESHOLD, threshold)
    if not ensemble.complete:
        raise InvalidParameterError("seeded_partition needs a label of every object in every base clustering")
    micro, form = ensemble.microclusters, _on_microclusters(ensemble, seeds)
    together, graph = neighborhood(ensemble, beta, threshold, monitor)
    probabilities = seeded_probabilities(graph, micro.sizes, form, monitor)
    labels = nearest_seeds(probabilities, together, micro.sizes, form)
    return SeededAnswer(labels[micro.assignment].astype(np.int32), probabilities[micro.assignment])


def _on_microclusters(ensemble: Ensemble, seeds: ArrayLike) -> NDArray[np.int64]:
    """The seeds' labels by microcluster, checked: (n,)."""
    given, micro = np.asarray(seeds), ensemble.microclusters
    if given.shape != (ensemble.n_objects,) or not np.issubdtype(given.dtype, np.integer):
        raise InvalidParameterError(
            f"seeds must be {ensemble.n_objects} integers, one an object. Got {given.dtype} {given.shape}"
        )
    values = np.unique(given[given >= 0])
    if len(values) < 2 or values[-1] != len(values) - 1:
        raise InvalidParameterError(
            f"seeds must hold every label 0..k-1 for some k of at least 2. Got {values[:20].tolist()}"
        )
    placed = np.flatnonzero(given >= 0)
    lowest, highest = np.full(len(micro), len(values)), np.full(len(micro), -1)
    np.minimum.at(lowest, micro.assignment[placed], given[placed])
    np.maximum.at(highest, micro.assignment[placed], given[placed])
    torn = np.flatnonzero((highest >= 0) & (lowest != highest))
    if len(torn):
        members = placed[micro.assignment[placed] == torn[0]]
        other = members[given[members] != given[members[0]]][0]
        raise InvalidParameterError(
            f"seeds must agree where no base clustering tells objects apart. Got label {given[members[0]]} for object "
            f"{members[0]} and {given[other]} for object {other}"
        )
    return highest
