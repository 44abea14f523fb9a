"""Ensembles of U-SPEC clusterings: spectral clustering of objects and a few representatives.

Huang, Wang, Wu, Lai and Kwoh, "Ultra-scalable spectral clustering and ensemble clustering", IEEE TKDE 32(6), 2020.
"""

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ..ensemble import Ensemble
from ..graphs.eigenvectors import top_eigenvectors
from ..params import Int, Params, param
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor, Relay
from .kmeans_runs import _fit_all, as_features, copies
from .registry import Generator, KRange, by_name, k_bounds, require_clusterings, streams_of

#: Rounds of k-means for the representatives, and for the labels: few on purpose, for the variety of the ensemble.
_ROUNDS_OF_CENTRES, _ROUNDS_OF_LABELS = 10, 5
#: Candidates drawn for each representative, and objects compared at a time.
_CANDIDATES, _BLOCK = 10, 2_000


@dataclass(frozen=True)
class USPECParams(Params):
    """Parameters of U-SPEC as a base clusterer."""

    k_range: str | tuple[int, int] = param(
        (20, 60),
        kind=KRange(),
        symbol="k",
        word="",
        doc="Clusters in each, drawn at random from this range; never more than representatives.",
        raising="More clusters in each are purer and see less of the whole.",
        concept="uspec_k",
    )
    representatives: int = param(
        1000,
        kind=Int(low=2, high=100_000, slider=(50, 2000)),
        symbol="p",
        word="representatives",
        doc="Points that stand for all objects; never more than there are objects.",
        raising="Raising it gives a finer picture, at p^2 D and p^3 cost.",
        concept="uspec_p",
    )
    neighbors: int = param(
        5,
        kind=Int(low=1, high=1000, slider=(1, 20)),
        symbol="K'",
        word="neighbours",
        doc="Nearest representatives each object is linked to.",
        raising="Raising it smooths, and bridges gaps.",
        concept="uspec_neighbors",
    )


def uspec_ensemble(
    features: ArrayLike,
    n_clusterings: int,
    k_range: str | tuple[int, int] = (20, 60),
    seed: int = 0,
    *,
    representatives: int = 1000,
    neighbors: int = 5,
    first: int = 0,
    monitor: Monitor = SILENT,
) -> Ensemble:
    """Cluster the objects M times by U-SPEC, each time with other representatives and another k.

    Objects are linked to their nearest representatives by exp(-d^2 / (2 sigma^2)), sigma the mean distance of all
    links; the bipartite graph is cut into k by transfer cuts.

    Parameters
    ----------
    features : (N, D) float
        Scaled as you wish; finite.
    n_clusterings : int
        M >= 1. The first clusterings do not depend on M.
    k_range : str or (low, high)
        See `k_bounds`; what exceeds the number of representatives is lowered to it.
    seed : int
        The same seed gives the same labels on any number of threads.
    representatives : int
        p, the centres of a short k-means over 10 p candidates; at most the objects that differ.
    neighbors : int
        K', at most p.
    first : int
        Leave out so many clusterings at the beginning.
    monitor : Monitor, optional

    Returns
    -------
    Ensemble
        With these settings and the k drawn in `provenance`.

    Raises
    ------
    InvalidParameterError, TooLargeError, Cancelled

    Notes
    -----
    O(N p D + N K'^2 + p^3) a clustering. The published code searches nearest representatives approximately; this search
    is exact, and faster at these sizes.

    References
    ----------
    huang2020usenc; li2012tcut.

    Examples
    --------
    >>> points = np.random.default_rng(0).normal(size=(60, 2))
    >>> uspec_ensemble(points, 3, (3, 4), seed=1, representatives=20).labels.shape
    (60, 3)
    """
    points = as_features(features)
    n_clusterings = require_clusterings(n_clusterings)
    settings = USPECParams(k_range, representatives, neighbors)
    distinct = len(copies(points))
    p = min(settings.representatives, distinct)
    require_memory("the graph between representatives", 3 * 8 * p * p)
    low, high = (min(bound, p) for bound in _bounds(settings.k_range, len(points)))
    streams = [np.random.default_rng(child) for child in streams_of(seed, n_clusterings, first)]
    ks = [int(rng.integers(low, high + 1)) for rng in streams]
    labels, relay = np.empty((len(points), n_clusterings), np.int32), Relay(monitor)

    def fit(start: int, stop: int) -> None:
        for m in range(start, stop):
            labels[:, m] = _one_run(points, ks[m], p, min(settings.neighbors, p), streams[m], relay.inner)

    _fit_all(fit, n_clusterings, relay)
    provenance = {"generator": "U-SPEC", "k": ks, "k_range": [low, high], "seed": seed, "representatives": p}
    return Ensemble.from_labels(labels, provenance=provenance | {"neighbors": min(settings.neighbors, p)})


def _bounds(k_range: str | tuple[int, int], n_objects: int) -> tuple[int, int]:
    """Lowest and highest k; a range of numbers is lowered to the objects there are."""
    if isinstance(k_range, str):
        return k_bounds(k_range, n_objects)
    return min(k_range[0], n_objects), min(k_range[1], n_objects)


def _one_run(
    points: NDArray[np.float32], k: int, p: int, n_links: int, rng: np.random.Generator, monitor: Monitor
) -> NDArray[np.int32]:
    """Labels of one clustering; all alike where all objects are."""
    from sklearn.cluster import KMeans

    if p < 2:
        return np.zeros(len(points), np.int32)
    fitted = partial(KMeans, init="random", n_init=1)
    chosen = np.sort(rng.choice(len(points), min(_CANDIDATES * p, len(points)), replace=False))
    if len(copies(points[chosen])) < p:  # nearly all of them copies of a few
        firsts = copies(points).representatives
        chosen = firsts[np.sort(rng.choice(len(firsts), min(_CANDIDATES * p, len(firsts)), replace=False))]
    monitor.tick("choosing representatives", 0, 1)
    centres = fitted(p, max_iter=_ROUNDS_OF_CENTRES, random_state=int(rng.integers(2**31))).fit(points[chosen])
    graph = _links(points, centres.cluster_centers_, n_links, monitor)
    monitor.tick("cutting the graph", 0, 1)
    model = fitted(k, max_iter=_ROUNDS_OF_LABELS, random_state=int(rng.integers(2**31)))
    return model.fit(_embedding(graph, k)).labels_


def _links(points: NDArray, centres: NDArray, n_links: int, monitor: Monitor) -> sparse.csr_array:
    """Weights between objects and their nearest representatives: (N, p)."""
    n, near = len(points), np.empty((len(points), n_links), np.int32)
    squares = np.empty((n, n_links))
    lengths = (centres.astype(np.float64) ** 2).sum(axis=1)
    for low in range(0, n, _BLOCK):
        monitor.tick("finding nearest representatives", low, n)
        block = points[low : low + _BLOCK].astype(np.float64)
        far = (block**2).sum(axis=1)[:, None] - 2 * block @ centres.T.astype(np.float64) + lengths
        own = np.argpartition(far, n_links - 1, axis=1)[:, :n_links]
        near[low : low + _BLOCK], squares[low : low + _BLOCK] = own, np.take_along_axis(far, own, axis=1)
    squares = np.maximum(squares, 0)
    width = np.sqrt(squares).mean()
    weights = np.exp(-squares / (2 * width**2)) if width > 0 else np.ones_like(squares)
    start = np.arange(0, n * n_links + 1, n_links)
    values = np.maximum(weights, np.finfo(float).eps).ravel()
    return sparse.csr_array((values, near.ravel(), start), shape=(n, len(centres)))


def _embedding(graph: sparse.csr_array, k: int) -> NDArray[np.float64]:
    """Transfer cuts: the top k eigenvectors of the graph between representatives, lifted, rows at length 1."""
    rows = graph.sum(axis=1)
    scaled = sparse.diags_array(1 / rows) @ graph
    between = (graph.T @ scaled).toarray()
    degrees = between.sum(axis=1)
    root = np.sqrt(np.divide(1.0, degrees, out=np.zeros_like(degrees), where=degrees > 0))
    between *= root
    between *= root[:, None]
    lifted = scaled @ (root[:, None] * top_eigenvectors(np.ascontiguousarray((between + between.T) / 2), k))
    return lifted / np.maximum(np.linalg.norm(lifted, axis=1, keepdims=True), 1e-300)


GENERATOR = Generator(
    key="uspec",
    title="spectral clustering (U-SPEC)",
    params=USPECParams,
    make=by_name(uspec_ensemble),
    nested=True,
    reference="huang2020usenc",
    summary="Each cuts the graph between objects and a thousand representatives, so that clusters may have any shape.",
)
