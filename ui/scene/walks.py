"""Elite neighbours and the walkers on them, computed on microclusters."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from engine import Consensus, Ensemble, Monitor, consensus_methods
from engine.evidence import (
    LinkQuality,
    default_neighbors,
    link_quality_by_rows,
    link_quality_of_graph,
    microcluster_elite_graph,
    microcluster_links,
    probability_trajectory,
    thinned_elite_graph,
    trajectory_similarities,
)
from engine.similarities.trajectories import WalkParams
from ui.scene.matrices import value_bins
from ui.session.settings import Among, Places, Setting

#: What may colour the nodes of the elite-neighbour graph.
NODE_COLORS = ("truth", "consensus", "density")

SETTINGS = (
    Setting("color", "truth", Among(offered=NODE_COLORS), "What colours the nodes of the graph."),
    Setting("pair", (), Places(n=2), "Two objects that are looked at.", ("data", "labelled")),
)

#: Values of K at which what is kept is measured.
K_LADDER = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50)
#: Lengths of the walk at which mixing is measured.
T_LADDER = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 200, 400, 1000)
#: Pixels along a frame of the film of similarities.
PIXELS = 160
#: Beyond so many microclusters, n x n views would take too long to be looked at live.
LIVE = 3000


def n_neighbors(ensemble: Ensemble, K: int | None) -> int:
    """K of elite neighbours, as for every method that walks; an automatic one filled in."""
    n = len(ensemble.microclusters)
    return min(K or default_neighbors(n), max(1, n - 1))


def n_steps(ensemble: Ensemble, T: int | None) -> int:
    """T, the length of walks; an automatic one filled in."""
    return T or default_neighbors(len(ensemble.microclusters))


def walker(scene):
    """The scene under which a method walks: itself if its method does, else with PTA.

    Where labels are missing that PTA needs, the chosen method answers, whatever it is.
    """
    if issubclass(consensus_methods()[scene.config.method].params, WalkParams) or scene.ensemble is None:
        return scene
    takes = scene.ensemble.complete or consensus_methods()["pta"].takes_missing
    return scene.varied(method="pta") if takes else scene


def walked(walker) -> Consensus | None:
    """The consensus of a method that walks."""
    return walker.consensus


def graph(ensemble: Ensemble, n_neighbors: int, monitor: Monitor) -> sparse.csr_array:
    """Choosing elite neighbours: the K-elite neighbour graph, CSR (n, n)."""
    return microcluster_elite_graph(ensemble, n_neighbors, monitor)


def links(graph: sparse.csr_array, monitor: Monitor) -> tuple[np.ndarray, np.ndarray]:
    """Listing the links: each once, (m, 2) nodes and (m,) weights."""
    monitor.tick("listing the links", 0, 1)
    upper = sparse.triu(graph, 1).tocoo()
    return np.column_stack([upper.row, upper.col]), upper.data


def connected_parts(graph: sparse.csr_array, monitor: Monitor) -> np.ndarray:
    """Counting connected parts: which of them each microcluster is in, (n,)."""
    monitor.tick("counting connected parts", 0, 1)
    return connected_components(graph, directed=False)[1]


def meeting_parts(graph: sparse.csr_array, monitor: Monitor) -> np.ndarray:
    """Counting who can meet: who, after some equal number of steps, may stand where another one does, (n,).

    Those with a way of an even number of links between them: where a part has two sides, as a tree has, each side.
    """
    monitor.tick("counting who can meet", 0, 1)
    both_sides = sparse.block_array([[None, graph], [graph, None]], format="csr")  # every node on each side of a step
    sides = connected_components(both_sides, directed=False)[1][: graph.shape[0]]
    return np.unique(sides, return_inverse=True)[1]


def all_links(ensemble: Ensemble, monitor: Monitor) -> sparse.csr_array:
    """Counting links: the graph in which every link is kept."""
    return microcluster_elite_graph(ensemble, len(ensemble.microclusters) - 1, monitor)


@dataclass(frozen=True, eq=False)
class Ladder:
    """Share of links kept, and number of components, for every K of the ladder.

    `n_rows` says how many microclusters' links were counted, where it were not those of all.
    """

    K: list[int]
    kept: list[float]
    components: list[int]
    n_rows: int | None = None


def ladder(ensemble: Ensemble, monitor: Monitor) -> Ladder:
    """Pruning: RatioPL and components against K; the widest graph is searched for, and thinned."""
    n = len(ensemble.microclusters)
    ks = [K for K in K_LADDER if K < n - 1]
    asked, n_links = microcluster_links(ensemble, monitor=monitor)
    widest = microcluster_elite_graph(ensemble, ks[-1] if ks else None, monitor)
    kept, components = [], []
    for K in reversed(ks):
        widest = thinned_elite_graph(widest, K)
        whole = n_links.sum()  # of no links all are kept
        kept.append(float(np.diff(widest.indptr)[asked].sum() / whole) if whole else 1.0)
        components.append(int(connected_components(widest, directed=False)[0]))
    n_rows = None if len(asked) == n else len(asked)
    return Ladder([*ks, n - 1], [*kept[::-1], 1.0], [*components[::-1], _parts_of_all_links(ensemble)], n_rows)


def _parts_of_all_links(made: Ensemble) -> int:
    """Connected parts of the graph with every link, without that graph: whoever shares a cluster is linked."""
    belongs = made.clusters.incidence()
    return int(connected_components(sparse.block_array([[None, belongs], [belongs.T, None]]), directed=False)[0])


def pruning(
    ensemble: Ensemble, graph: sparse.csr_array, classes: np.ndarray, monitor: Monitor
) -> tuple[LinkQuality, LinkQuality]:
    """Counting links: LinkQuality of all of them, and of those kept, by weight."""
    m = ensemble.n_clusterings
    edges = value_bins(m if m <= 100 else None)
    before = link_quality_by_rows(ensemble, np.ones(ensemble.n_clusters_total), classes, edges, monitor)
    return before, link_quality_of_graph(graph, ensemble.microclusters, classes, edges, monitor)


def two_objects(pair: tuple[int, ...], picked: np.ndarray | None, ensemble: Ensemble) -> tuple[int, int]:
    """The pair that is looked at: as chosen, else the first two picked objects, else the first two there are."""
    i, j = pair or (picked[:2].tolist() if picked is not None and len(picked) >= 2 else (0, 1))
    last = ensemble.n_objects - 1
    return min(i, last), min(j, last)


def walk_starts(two_objects: tuple[int, int], ensemble: Ensemble) -> tuple[int, int]:
    """The microclusters of the pair, from which walkers leave."""
    i, j = ensemble.microclusters.assignment[list(two_objects)]
    return int(i), int(j)


class Walks(NamedTuple):
    """Trajectories of two walkers, 2 x (T, n), and the cosine of the two up to each step, (T,)."""

    both: list[np.ndarray]
    cosines: np.ndarray


def walks(graph: sparse.csr_array, ensemble: Ensemble, walk_starts: tuple[int, int], n_steps: int) -> Walks:
    """Where the two walkers may be at each step, and how alike their ways are."""
    both = [probability_trajectory(graph, ensemble.microclusters.sizes, start, n_steps) for start in walk_starts]
    dot, first, second = ((a * b).sum(axis=1).cumsum() for a, b in ((both[0], both[1]), (both[0],) * 2, (both[1],) * 2))
    norm = np.sqrt(first * second)
    return Walks(both, np.divide(dot, norm, out=np.zeros(n_steps), where=norm > 0))


def node_order(walked: Consensus, ensemble: Ensemble) -> np.ndarray:
    """Microclusters by cluster of the method that walks, larger ones first: (n,)."""
    return np.lexsort((-ensemble.microclusters.sizes, _majority(walked.labels, ensemble)))


def node_classes(truth: np.ndarray | None, ensemble: Ensemble) -> np.ndarray | None:
    """Most frequent class in each microcluster, the lower one if they tie: (n,)."""
    return None if truth is None else _majority(truth, ensemble)


def node_clusters(walked: Consensus | None, ensemble: Ensemble) -> np.ndarray | None:
    """Cluster of each microcluster in the consensus of a method that walks, (n,), where one is known."""
    return None if walked is None else _majority(walked.labels, ensemble)


def similarity_images(
    graph: sparse.csr_array, ensemble: Ensemble, n_steps: int, node_order: np.ndarray, monitor: Monitor
) -> tuple[list[int], list[np.ndarray]]:
    """Comparing trajectories: lengths of walks, 1 .. at most 16 of them, and pixels of PTS after each."""
    sizes = ensemble.microclusters.sizes
    lengths = sorted({*np.linspace(1, n_steps, min(n_steps, 16)).astype(int).tolist()})
    films = trajectory_similarities(graph, sizes, lengths, monitor)
    return lengths, [_reduced(matrix, node_order, PIXELS) for _, matrix in films]


def _reduced(matrix: np.ndarray, order: np.ndarray, pixels: int) -> np.ndarray:
    """Block means over nodes in an order."""
    n_bins = min(pixels, len(order))
    bins = np.arange(len(order)) * n_bins // len(order)
    share = sparse.csr_array((1 / np.bincount(bins)[bins], (bins, order)), shape=(n_bins, len(order)))
    return (share @ matrix) @ share.T


def mixing(graph: sparse.csr_array, ensemble: Ensemble, classes: np.ndarray, monitor: Monitor) -> np.ndarray:
    """Walking on: mean PTS between two objects of one class, and of two, (n_lengths, 2), for ever longer walks."""
    return _mixing(graph, ensemble, classes, monitor)


def cluster_mixing(graph: sparse.csr_array, ensemble: Ensemble, walked: Consensus, monitor: Monitor) -> np.ndarray:
    """Walking on: the same for the clusters of the method that walks."""
    return _mixing(graph, ensemble, walked.labels, monitor)


def _mixing(graph: sparse.csr_array, made: Ensemble, labels: np.ndarray, monitor: Monitor) -> np.ndarray:
    members, sizes = _members(labels, made), made.microclusters.sizes
    inside = members.sum(axis=0)
    pairs = (inside * (inside - 1)).sum(), inside.sum() ** 2 - (inside**2).sum()
    found, own32 = [], members.astype(np.float32)
    for _, pts in trajectory_similarities(graph, sizes, T_LADDER, monitor, scratch=True):
        total = members.T @ (pts @ own32).astype(float)
        own = (np.diag(pts).astype(float) * sizes).sum()  # an object and itself
        sums = np.trace(total) - own, total.sum() - np.trace(total)
        found.append([each / n if n else np.nan for each, n in zip(sums, pairs, strict=True)])
    return np.array(found)


def _members(labels: np.ndarray, made: Ensemble) -> np.ndarray:
    """Objects of each microcluster by their label: (n, labels)."""
    counts = np.zeros((len(made.microclusters), int(labels.max()) + 1))
    np.add.at(counts, (made.microclusters.assignment, labels), 1)
    return counts


def _majority(labels: np.ndarray, made: Ensemble) -> np.ndarray:
    return _members(labels, made).argmax(axis=1)


class Neighbors(NamedTuple):
    """Links of one microcluster, heaviest first, and the weight that its own K-th one has.

    A link is (the other node, its size, weight, kept here, kept there).
    """

    node: int
    links: list[tuple[int, int, float, bool, bool]]
    threshold: float


def node_in_focus(walk_starts: tuple[int, int]) -> int:
    """The microcluster that is looked at: that of the first of the two objects."""
    return walk_starts[0]


def neighbors(graph: sparse.csr_array, ensemble: Ensemble, node_in_focus: int, n_neighbors: int) -> Neighbors:
    """The links of the microcluster that is looked at."""
    others, weights = _links_of(graph, node_in_focus)
    threshold = _threshold(weights, n_neighbors)
    rows = [
        (
            int(j),
            int(ensemble.microclusters.sizes[j]),
            float(w),
            bool(w >= threshold),
            bool(w >= _threshold(_links_of(graph, j)[1], n_neighbors)),
        )
        for j, w in sorted(zip(others, weights, strict=True), key=lambda link: (-link[1], link[0]))
    ]
    return Neighbors(node_in_focus, rows, threshold)


def _links_of(graph: sparse.csr_array, node: int) -> tuple[np.ndarray, np.ndarray]:
    span = slice(graph.indptr[node], graph.indptr[node + 1])
    return graph.indices[span], graph.data[span]


def _threshold(weights: np.ndarray, K: int) -> float:
    """Weight of the K-th heaviest link; a node's heaviest K links are all in the pruned graph."""
    return float(np.sort(weights)[::-1][min(K, len(weights)) - 1]) if len(weights) else 0.0
