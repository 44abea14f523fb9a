"""Ensembles of communities: runs of Leiden on a graph, or on graphs of nearest neighbours, each with its own settings.

Nearest neighbours are linked by how many of theirs they share: Jarvis and Patrick 1973; Levine and others,
"Data-driven phenotypic dissection of AML", Cell 162(1), 2015 (PhenoGraph). The recipe "eschr" is that of Goggin and
Zunder, "ESCHR: a hyperparameter-randomized ensemble approach for robust clustering across diverse datasets", Genome
Biology 25:242, 2024.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from ..communities.leiden import QUALITIES, QUALITY_TITLES, Quality, communities
from ..ensemble import Ensemble, Graph
from ..ensemble.reading_labels import as_points
from ..params import Choice, Interval, Params, param
from ..runtime.blocks import map_blocks, single_threaded_libraries
from ..runtime.errors import InvalidParameterError
from ..runtime.memory import require_memory
from ..runtime.monitor import SILENT, Monitor, Relay
from .kmeans_runs import as_features, copies
from .registry import Generator, require_clusterings, streams_of

_BLOCK = 1_000


def nearest_neighbours(points: NDArray[np.floating], k: int, monitor: Monitor = SILENT) -> NDArray[np.int32]:
    """The k nearest other objects of every one, the nearest first: (N, k), fewer columns where N - 1 < k.

    Exact, by scikit-learn; of objects equally far any.
    """
    from sklearn.neighbors import NearestNeighbors

    n, k = len(points), min(k, len(points) - 1)
    require_memory("nearest neighbours", 4 * n * k * 2)
    monitor.tick("finding nearest neighbours", 0, n)
    near = np.empty((n, k), np.int32)
    with single_threaded_libraries():
        index = NearestNeighbors(n_neighbors=k + 1).fit(points)

        def search(start: int, stop: int) -> None:
            found = index.kneighbors(points[start:stop], return_distance=False)
            own = found == np.arange(start, stop)[:, None]
            own[~own.any(axis=1), -1] = True  # among many copies it may not find itself
            near[start:stop] = found[~own].reshape(stop - start, k)

        map_blocks(search, n, monitor, "finding nearest neighbours", _BLOCK)
    return near


def shared_neighbours(near: NDArray[np.int32], monitor: Monitor = SILENT) -> Graph:
    """The graph that links every object to its neighbours, weighted by the neighbours that both have.

    The weight is the Jaccard index of the two sets of neighbours, each with its own object.

    >>> shared_neighbours(np.array([[1], [0], [1]], np.int32)).weights.round(2).tolist()
    [1.0, 0.33]
    """
    n, k = near.shape
    own = np.sort(np.column_stack([np.arange(n, dtype=np.int32), near]), axis=1)
    weights = np.empty((n, k))
    map_blocks(lambda start, stop: _jaccard_kernel(start, stop, near, own, weights), n, monitor, "sharing neighbours")
    return Graph.of_edges(np.repeat(np.arange(n), k), near.ravel(), weights.ravel(), n)


@njit(cache=True, nogil=True)
def _jaccard_kernel(start, stop, near, own, weights):
    size = own.shape[1]
    for i in range(start, stop):
        for place in range(near.shape[1]):
            j = near[i, place]
            a, b, both = 0, 0, 0
            while a < size and b < size:
                if own[i, a] == own[j, b]:
                    a, b, both = a + 1, b + 1, both + 1
                elif own[i, a] < own[j, b]:
                    a += 1
                else:
                    b += 1
            weights[i, place] = both / (2 * size - both)


RecipeName = Literal["own", "eschr"]
#: ESCHR: resolutions, the mean share of objects in percent for few and for a million, its spread, and its bounds.
_ESCHR_RESOLUTION, _ESCHR_MEANS, _ESCHR_SPREAD, _ESCHR_BOUNDS = (0.25, 1.75), (90, 30), 10, (10, 100)


@dataclass(frozen=True)
class LeidenParams(Params):
    """Parameters of Leiden as a base clusterer."""

    resolution: tuple[float, float] = param(
        (0.25, 1.75),
        kind=Interval(marks=(0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0, 3.0, 5.0, 10.0)),
        symbol="γ",
        word="resolution",
        doc="Resolution of each run, drawn from this range, every ratio as likely as another.",
        raising="Larger resolutions make more and smaller communities.",
        concept="leiden_resolution",
    )
    neighbors: tuple[float, float] = param(
        (15.0, 15.0),
        kind=Interval(marks=(2, 3, 5, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100)),
        symbol="K'",
        word="neighbours",
        doc="Nearest neighbours each object is linked to, drawn from this range for every run; a graph has its links.",
        raising="More neighbours bridge gaps, and make fewer communities.",
        concept="leiden_neighbors",
    )
    quality: Quality = param(
        "modularity",
        kind=Choice(choices=QUALITIES, named=QUALITY_TITLES),
        symbol="quality",
        word="",
        doc="What is made as large as can be: weight inside communities less what is expected there.",
        concept="leiden_quality",
    )
    share: float = param(
        1.0,
        symbol="share",
        word="",
        doc="Share of the objects each run sees; the others have no label there.",
        raising="Raising it gives better, more alike clusterings.",
        concept="leiden_share",
        low=0.0,
        low_open=True,
        high=1.0,
        slider=(0.1, 1.0),
    )
    recipe: RecipeName = param(
        "own",
        kind=Choice(choices=get_args(RecipeName), named=("these settings", "ESCHR")),
        symbol="recipe",
        word="",
        doc="ESCHR draws resolution, neighbours, distance and share for every run by its own rules.",
        concept="leiden_recipe",
    )


def leiden_ensemble(
    data: ArrayLike | Graph,
    n_clusterings: int,
    resolution: tuple[float, float] = (0.25, 1.75),
    seed: int = 0,
    *,
    neighbors: tuple[float, float] = (15, 15),
    quality: Quality = "modularity",
    share: float = 1.0,
    recipe: RecipeName = "own",
    monitor: Monitor = SILENT,
) -> Ensemble:
    """Find communities M times, each time with another resolution, on a graph or on nearest neighbours.

    Parameters
    ----------
    data : Graph or (N, D) float
        Features are linked to their nearest neighbours, weighted by the neighbours two objects share.
    n_clusterings : int
        M >= 1.
    resolution : (low, high)
        Drawn for every run, log-uniformly.
    seed : int
        The same seed gives the same labels on any number of threads.
    neighbors : (low, high)
        Drawn for every run as whole numbers, at least 1, at most N - 1; not read where `data` is a graph.
    quality : {"modularity", "first_level", "rb", "cpm"}
        See `engine.communities.leiden.communities`; ECG was published with "first_level".
    share : float
        In (0, 1]: objects each run sees; those that none would see the first run sees too. Others have no label there.
    recipe : {"own", "eschr"}
        "eschr" draws for every run: a share around 90 % (30 % of a million objects), i objects; whole numbers of
        neighbours between max(2, 16 i / (i + 6000)) and max(5, 160 i / (i + 6000)); Euclidean or cosine distance; a
        resolution in [.25, 1.75], uniformly. Then only `quality` and `seed` count.
    monitor : Monitor, optional
        Hears a cancel within 0.1 s, also within a run.

    Returns
    -------
    Ensemble
        With the graph: the one given, or that of the middle of `neighbors`; settings in `provenance`.

    Raises
    ------
    InvalidParameterError, MissingExtraError, Cancelled

    Notes
    -----
    Objects with the same features are one node, which stands for all of them: of more copies than neighbours each finds
    some of the others alone, and parts of them would drift away. Runs work in processes of their own, as many as there
    are threads. ESCHR searches neighbours approximately and runs leidenalg on unweighted links; here neighbours are
    exact and links weighted.

    References
    ----------
    traag2019leiden; goggin2024eschr.

    Examples
    --------
    >>> graph = Graph.of_edges([0, 0, 1, 3, 3, 4, 2], [1, 2, 2, 4, 5, 5, 3])
    >>> leiden_ensemble(graph, 3, (1, 1)).labels.T.tolist()
    [[0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1]]
    """
    m, params = require_clusterings(n_clusterings), LeidenParams(resolution, neighbors, quality, share, recipe)
    points = None if isinstance(data, Graph) else as_features(data)
    exact = as_points(data) if points is not None and points.dtype == np.float64 else points
    graph = data if isinstance(data, Graph) else None
    n = graph.n_nodes if graph is not None else len(points)  # type: ignore[arg-type]
    if n < 2:
        raise InvalidParameterError(f"a graph needs at least 2 nodes to be clustered. Got {n}")
    streams = [np.random.default_rng(one) for one in streams_of(seed, m)]
    runs = [_drawn(rng, n, params) for rng in streams]
    _see_all(runs, n)
    links = _Links(graph, points, exact, runs, max(1, round(_middle(_possible(params.neighbors, n)))), monitor)
    labels, relay = np.full((n, m), -1, np.int32), Relay(monitor)

    def find(start: int, stop: int) -> None:
        for place in range(start, stop):
            run = runs[place]
            own, node = links.of(run, relay.inner), links.nodes(run)
            ends, sizes = (node[own.sources], node[own.targets]), np.bincount(node).astype(np.float64)
            labels[run.objects, place] = communities(
                ends, own.weights, sizes, params.quality, run.resolution, [run.seed], relay.inner
            )[0][node]

    map_blocks(find, m, relay, "finding communities", block=1)
    said = {"resolution": [run.resolution for run in runs], "share": [len(run.objects) / n for run in runs]}
    said |= {} if points is None else {"neighbors": [min(run.neighbors, len(run.objects) - 1) for run in runs]}
    provenance = {"generator": "Leiden", "seed": seed, "quality": quality, "recipe": recipe, **said}
    return Ensemble.from_labels(labels, provenance=provenance, graph=links.whole)


@dataclass
class _Run:
    """What one run was drawn to be."""

    objects: NDArray[np.int64]
    resolution: float
    neighbors: int
    cosine: bool
    seed: int


def _drawn(rng: np.random.Generator, n: int, params: LeidenParams) -> _Run:
    if params.recipe == "eschr":
        share = _eschr_share(rng, n)
        size = max(2, round(share * n))
        low, high = max(2.0, 16 * size / (size + 6000)), max(5.0, 160 * size / (size + 6000))
        resolution, cosine = float(rng.uniform(*_ESCHR_RESOLUTION)), bool(rng.integers(2))
    else:
        size, (low, high), cosine = max(2, round(params.share * n)), params.neighbors, False
        resolution = float(np.exp(rng.uniform(*np.log(params.resolution))))
        resolution = float(np.clip(resolution, *params.resolution))  # rounding may leave the range
    low, high = _possible((low, high), n)
    neighbors = int(rng.integers(round(low), round(high) + 1))
    objects = np.sort(rng.permutation(n)[:size]) if size < n else np.arange(n)
    return _Run(objects, resolution, max(1, neighbors), cosine, int(rng.integers(2**31)))


def _eschr_share(rng: np.random.Generator, n: int) -> float:
    """Normal around 90 %, less for many objects, drawn again beyond its bounds."""
    few, many = _ESCHR_MEANS
    mean = few - (few - many) * min(1.0, (np.ceil(n / 1000) - 1) / 1000)
    while True:
        percent = rng.normal(mean, _ESCHR_SPREAD)
        if _ESCHR_BOUNDS[0] <= percent < _ESCHR_BOUNDS[1]:
            return percent / 100


def _see_all(runs: list[_Run], n: int) -> None:
    """Let the first run see what no run would."""
    unseen = np.ones(n, bool)
    for run in runs:
        unseen[run.objects] = False
    runs[0].objects = np.union1d(runs[0].objects, np.flatnonzero(unseen))


def _possible(bounds: tuple[float, float], n: int) -> tuple[float, float]:
    """A range of neighbours, of which n objects have n - 1 at most."""
    return min(bounds[0], n - 1), min(bounds[1], n - 1)


def _middle(bounds: tuple[float, float]) -> float:
    return float(np.sqrt(bounds[0] * bounds[1]))


@dataclass
class _Links:
    """The graphs of the runs: parts of one, or of nearest neighbours that are searched once where all are seen."""

    graph: Graph | None
    points: NDArray[np.floating] | None
    exact: NDArray[np.floating] | None  # cosines are of features that nothing was taken from
    runs: list[_Run]
    middle: int
    monitor: Monitor
    known: dict[int, Graph] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.points is None:
            return
        wanted = {run.neighbors for run in self.runs if self._plain(run)} | {self.middle}
        near = nearest_neighbours(self.points, max(wanted), self.monitor)
        self.known = {k: shared_neighbours(np.ascontiguousarray(near[:, :k]), self.monitor) for k in wanted}

    @property
    def whole(self) -> Graph:
        """The graph of all objects that goes with the ensemble."""
        return self.known[self.middle] if self.graph is None else self.graph

    def of(self, run: _Run, monitor: Monitor) -> Graph:
        if self.graph is not None:
            return self.graph if len(run.objects) == self.graph.n_nodes else self.graph.of_nodes(run.objects)
        assert self.points is not None
        assert self.exact is not None
        if self._plain(run):
            return self.known[run.neighbors]
        points = (self.exact if run.cosine else self.points)[run.objects].astype(np.float64)
        if run.cosine:
            points = points / np.maximum(np.linalg.norm(points, axis=1, keepdims=True), 1e-300)
        return shared_neighbours(nearest_neighbours(points, run.neighbors, monitor), monitor)

    def nodes(self, run: _Run) -> NDArray[np.int32]:
        """The node that each object of a run is: one of features that others have is one with them."""
        if self.points is None:
            return np.arange(len(run.objects), dtype=np.int32)
        return copies(self.points[run.objects]).assignment

    def _plain(self, run: _Run) -> bool:
        return self.points is not None and len(run.objects) == len(self.points) and not run.cosine


def _make(
    features: Any, n_clusterings: int, params: LeidenParams, seed: int, first: int, n_classes: Any, monitor: Monitor
) -> Ensemble:
    """See `Generator.make`."""
    return leiden_ensemble(features, n_clusterings, seed=seed, monitor=monitor, **params.as_dict())


GENERATOR = Generator(
    key="leiden",
    title="communities (Leiden)",
    params=LeidenParams,
    make=_make,
    nested=False,
    takes_graph=True,
    of_features=("neighbors",),
    reference="traag2019leiden",
    summary="Each finds communities, groups with more links inside than expected, on a graph or on nearest neighbours, "
    "with its own resolution and its own order of chance.",
)
