"""Objects that were not there, or were left out: the consensus cluster of which their base labels say most.

So a consensus of a sample of the objects is handed on to all, where a method's matrix fits no machine.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..consensus import Consensus, find_method, run_consensus
from ..ensemble import Ensemble, frozen
from ..ensemble.clusters import contingency_of
from ..ensemble.ensembles import require_ensemble
from ..ensemble.reading_labels import as_array, as_points, cluster_names, label_vector, unmasked
from ..ensemble.renumbering import first_appearance
from ..params import Params, require_integer
from ..runtime.blocks import map_blocks
from ..runtime.errors import InvalidParameterError, MissingEvidenceError, shown
from ..runtime.kernel_cache import seconds_worked
from ..runtime.monitor import SILENT, Monitor
from .profiles import checked_partition


@dataclass(frozen=True, eq=False)
class Predicted:
    """Where new objects belong.

    Attributes
    ----------
    labels : (N',) int32
        Clusters, numbered as in the partition given.
    support : (N',) float64
        Similarity to that cluster, S(i, C), in [0, 1].
    margin : (N',) float64
        Less the similarity to the next one, in [0, 1]; at 0 two clusters are as near, and the first to appear is taken.
    """

    labels: NDArray[np.int32]
    support: NDArray[np.float64]
    margin: NDArray[np.float64]


def predict(ensemble: Ensemble, labels: ArrayLike, base_labels: ArrayLike, monitor: Monitor = SILENT) -> Predicted:
    """The consensus cluster of new objects, whose base clusters are known: argmax over C of S(i, C).

    Parameters
    ----------
    ensemble : Ensemble
    labels : (N,) int
        A partition of its objects, such as `Consensus.labels`.
    base_labels : (N', M) int
        Labels of the new objects, numbered as in `ensemble.labels`; -1 where a base clustering says nothing.
    monitor : Monitor, optional

    Returns
    -------
    Predicted

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    O(N' M k) time. An object of the ensemble whose margin is positive gets its own cluster again.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 0], [1, 1], [1, 1]])
    >>> found = predict(ensemble, [0, 0, 1, 1], [[1, 1], [0, -1], [0, 1]])
    >>> found.labels.tolist(), found.margin.tolist()
    ([1, 0, 0], [1.0, 1.0, 0.0])
    """
    clusters, given = checked_partition(ensemble, labels), _checked(ensemble, base_labels)
    return _placed(given, ensemble, ensemble.labels, cluster_names(labels, "labels"), clusters, monitor)


def extended(ensemble: Ensemble, objects: ArrayLike, labels: ArrayLike, monitor: Monitor = SILENT) -> Predicted:
    """The cluster of every object, where the clusters of some are known: argmax over C of S(i, C).

    Parameters
    ----------
    ensemble : Ensemble
        Of N objects.
    objects : (n,) int
        Those whose clusters are known, each once.
    labels : (n,) int
        Their clusters.
    monitor : Monitor, optional

    Returns
    -------
    Predicted
        Of all N objects, `objects` among them; those that share no base cluster with any of them have support 0.

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    O(N M k) time.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0], [0, 1], [1, 2], [1, 2], [0, 0]])
    >>> found = extended(ensemble, [0, 2], [5, 3])
    >>> found.labels.tolist(), found.support.tolist()
    ([5, 5, 3, 3, 5], [1.0, 0.5, 1.0, 1.0, 1.0])
    """
    known, given = np.asarray(objects), label_vector(labels)
    if known.ndim != 1 or known.shape != given.shape or not len(known):
        raise InvalidParameterError(
            f"objects and labels must be as many, and at least one. Got {known.shape} and {given.shape}"
        )
    if known.dtype.kind not in "iu":
        raise InvalidParameterError(f"objects must be places of objects, whole numbers. Got {shown(known.tolist()[0])}")
    if known.min() < 0 or known.max() >= ensemble.n_objects or len(np.unique(known)) < len(known):
        raise InvalidParameterError(f"objects must be in 0..{ensemble.n_objects - 1:,}, each once")
    rows = np.ascontiguousarray(ensemble.labels[known])
    return _placed(ensemble.labels, ensemble, rows, cluster_names(labels, "labels"), first_appearance(given), monitor)


def _placed(
    asked: NDArray[np.int32],
    ensemble: Ensemble,
    rows: NDArray[np.int32],
    names: NDArray[np.int32],
    clusters: NDArray[np.int32],
    monitor: Monitor,
) -> Predicted:
    """Where objects `asked` (N', M) belong, from objects `rows` (n, M) with the clusters called `names` (n,)."""
    table, seen = contingency_of(rows, ensemble.offsets, clusters, int(clusters.max()) + 1)
    names, n = names[np.unique(clusters, return_index=True)[1]], len(asked)
    found, support, margin = np.empty(n, np.int32), np.empty(n), np.empty(n)
    map_blocks(
        lambda a, b: _predict_kernel(a, b, asked, ensemble.offsets, table, seen, found, support, margin),
        n,
        monitor,
        "placing objects",
    )
    return Predicted(names[found], support, margin)


def nearest_base_labels(ensemble: Ensemble, features: ArrayLike, new_features: ArrayLike) -> NDArray[np.int32]:
    """Base labels of new objects: in every base clustering the cluster whose mean is nearest, (N', M).

    Parameters
    ----------
    ensemble : Ensemble
    features : (N, D) float
        Of the ensemble's objects, scaled as when it was made.
    new_features : (N', D) float
        Scaled alike.

    Returns
    -------
    (N', M) int32
        Labels as the base clusterings of the ensemble number them.

    Raises
    ------
    InvalidParameterError

    Notes
    -----
    The means are the centres of base clusterings by k-means; base clusterings of another kind may be cut otherwise.
    """
    points = as_points(features, ensemble.n_objects)
    new = as_points(new_features, name="new features", least=0)
    if new.shape[1] != points.shape[1]:
        raise InvalidParameterError(
            f"new features must have the columns of the features, {points.shape[1]:,}. Got {new.shape[1]:,}"
        )
    return labels_by_means(ensemble, cluster_means(ensemble, points), new)


def cluster_means(ensemble: Ensemble, features: NDArray[np.float64]) -> NDArray[np.float64]:
    """Means of all clusters of all base clusterings, in the order of `Ensemble.offsets`: (K, D)."""
    return (ensemble.incidence.T.astype(np.float64) @ features) / ensemble.cluster_sizes[:, None]


def labels_by_means(ensemble: Ensemble, means: NDArray[np.float64], new: NDArray[np.float64]) -> NDArray[np.int32]:
    """In every base clustering the cluster whose mean (a row of (K, D)) is nearest to each row of (N', D): (N', M)."""
    middle = means.mean(axis=0)  # far from the origin squares would leave nothing of what lies between two means
    means, new = means - middle, new - middle
    squares = (means**2).sum(axis=1)
    distances = squares - 2 * np.einsum("nd,kd->nk", new, means)  # row by row: alone or among others, the same bits
    bounds = zip(ensemble.offsets[:-1], ensemble.offsets[1:], strict=True)
    return np.stack([distances[:, low:high].argmin(axis=1) for low, high in bounds], axis=1).astype(np.int32)


def _checked(ensemble: Ensemble, base_labels: ArrayLike) -> NDArray[np.int32]:
    given, m = as_array(unmasked(base_labels)), ensemble.n_clusterings
    if given.ndim != 2 or given.shape[1] != m or given.dtype.kind not in "iu":
        raise InvalidParameterError(
            f"base_labels must be whole numbers of shape (new objects, {m}). Got {given.dtype} {given.shape}"
        )
    wrong = (given < -1) | (given >= ensemble.n_clusters_each)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        raise InvalidParameterError(
            f"base_labels must be -1 or below the clusters of each base clustering. Got {given[row, column]} in row "
            f"{row + 1}, column {column + 1}"
        )
    return np.ascontiguousarray(given, dtype=np.int32)


@njit(cache=True, nogil=True)
def _predict_kernel(start, stop, labels, offsets, table, seen, found, support, margin):
    k = table.shape[1]
    together, pairs = np.empty(k), np.empty(k)
    for i in range(start, stop):
        together[:], pairs[:] = 0.0, 0.0
        for m in range(labels.shape[1]):
            if labels[i, m] >= 0:
                for a in range(k):
                    together[a] += table[offsets[m] + labels[i, m], a]
                    pairs[a] += seen[m, a]
        best, following, at = -1.0, 0.0, 0
        for a in range(k):
            share = together[a] / pairs[a] if pairs[a] > 0 else 0.0
            if share > best:
                following, best, at = max(best, 0.0), share, a
            elif share > following:
                following = share
        found[i], support[i], margin[i] = at, best, best - following


#: What of the trace still holds for all objects: it says how the run went, not where an object is.
_HOLDS = ("repaired", "unsettled", "breaches")


def consensus_of_sample(
    key: str,
    ensemble: Ensemble,
    n_clusters: int,
    n_sample: int,
    params: Mapping[str, Any] | Params | None = None,
    seed: int = 0,
    monitor: Monitor = SILENT,
) -> Consensus:
    """Run a method on a sample of the objects, and put every other object into its most similar cluster.

    Parameters
    ----------
    key : str
        Method, one of `consensus_methods()`.
    ensemble : Ensemble
        Of N objects.
    n_clusters : int
        k.
    n_sample : int
        Objects drawn without replacement, at least 2; with N or more the method runs on all. It does not run on those
        drawn whose only labels no other has that was drawn.
    params : mapping or Params, optional
    seed : int
        Of the sample and of the method.
    monitor : Monitor, optional

    Returns
    -------
    Consensus
        Labels of all N objects. Objects of the sample keep the label the method gave them, and whom no base clustering
        tells apart from one of them has its label; every other one is in the cluster C with the largest S(i, C), its
        mean co-association with the objects of the sample in C. No order of rows or columns changes this, up to objects
        that could change places in the labels. The trace says which objects were drawn (`sampled_objects`) and how many
        others share no base cluster with any of them (`strangers`: their cluster is a guess).

    Raises
    ------
    InvalidParameterError, MissingEvidenceError, MissingExtraError, TooLargeError, PartitionerError, Cancelled
        As `run_consensus`; soft memberships are those of all objects or none.

    Examples
    --------
    >>> ensemble = Ensemble.from_labels([[0, 0]] * 60 + [[1, 1]] * 40)
    >>> found = consensus_of_sample("eac", ensemble, 2, 20)
    >>> np.bincount(found.labels).tolist(), len(found.trace["sampled_objects"])
    ([60, 40], 20)
    """
    require_integer("n_sample", n_sample, 2)
    seed = require_integer("seed", seed)
    if n_sample >= require_ensemble(ensemble).n_objects:
        return run_consensus(key, ensemble, n_clusters, params, seed, monitor)
    start, drawn = seconds_worked(), sample_of(ensemble, n_sample, seed)
    part, drawn = _part(key, params, ensemble, drawn)
    found = run_consensus(key, part, n_clusters, params, seed, monitor)
    group = ensemble.microclusters.assignment
    placed = extended(ensemble, drawn, found.labels, monitor)  # ties between clusters go by their canonical order
    known = np.full(len(ensemble.microclusters), -1, np.int32)
    known[group[drawn]] = found.labels
    labels = first_appearance(np.where(known[group] >= 0, known[group], placed.labels))
    labels.setflags(write=False)
    trace = {name: found.trace[name] for name in _HOLDS if name in found.trace}
    trace |= {"sampled_objects": frozen(np.sort(drawn)), "strangers": int((placed.support == 0).sum())}
    return replace(
        found, labels=labels, seconds=seconds_worked() - start, trace=trace, microclusters=ensemble.microclusters
    )


def sample_of(ensemble: Ensemble, n_sample: int, seed: int) -> NDArray[np.int64]:
    """Objects drawn without replacement, ascending: (n_sample,)."""
    places = np.random.default_rng([seed, ensemble.n_objects]).choice(ensemble.n_objects, n_sample, replace=False)
    drawn = ensemble.canonical.objects[places]
    drawn.sort()
    drawn.setflags(write=False)
    return drawn


def _part(
    key: str, params: Mapping[str, Any] | Params | None, ensemble: Ensemble, objects: NDArray[np.int64]
) -> tuple[Ensemble, NDArray[np.int64]]:
    """The base clusterings on some objects, by their labels alone, and those that still have one.

    Rows and columns stand in canonical order: a sample may have mirror images that the whole has not, and which is
    which is then decided by where they stand.
    """
    method = find_method(key)
    needs = method.requirements(method.params.of(params))
    if "graph" in needs:
        raise MissingEvidenceError(f"{method.title} needs the graph of all objects, and a sample has lost most edges")
    if "memberships" in needs:
        raise MissingEvidenceError(
            f"{method.title} needs soft memberships, and a sample of the objects has hard labels only"
        )
    rank = np.argsort(ensemble.canonical.objects)
    return Ensemble(ensemble.labels).among(objects[np.argsort(rank[objects])], ensemble.form.clusterings)
