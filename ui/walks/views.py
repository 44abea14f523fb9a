"""What the pages on elite neighbours and trajectories show, computed on microclusters."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from engine import Ensemble, Monitor, consensus_methods
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
from engine.monitor import SILENT
from engine.similarities.trajectories import WalkParams
from ui.compute.jobs import Job
from ui.compute.work import start
from ui.figures.numbering import FIRST
from ui.session.run_config import RunConfig

#: Values of K at which the page measures what is kept.
K_LADDER = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50)
#: Lengths of the walk at which the page shows what mixing does.
T_LADDER = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 200, 400, 1000)
#: Pixels along a frame of the film of similarities.
PIXELS = 160
#: Beyond so many microclusters, n x n views would take too long to be looked at live.
LIVE = 3000


def settings(chosen: RunConfig, n: int) -> tuple[int, int]:
    """K and T of random walks, as for every method that walks; automatic ones filled in."""
    return min(chosen.K or default_neighbors(n), max(1, n - 1)), chosen.T or default_neighbors(n)


def walker(chosen: RunConfig, made: Ensemble) -> RunConfig:
    """The settings under which a method walks here: those given if theirs does, else with PTA.

    Where labels are missing that PTA needs, the chosen method answers, whatever it is.
    """
    if issubclass(consensus_methods()[chosen.method].params, WalkParams):
        return chosen
    takes = made.complete or consensus_methods()["pta"].takes_missing
    return chosen.with_(method="pta") if takes else chosen


def elite_graph(made: Ensemble, K: int) -> Job:
    """Job: the K-elite neighbour graph, CSR (n, n)."""
    return start(microcluster_elite_graph, made, K)


@dataclass(frozen=True, eq=False)
class Ladder:
    """Share of links kept, and number of components, for every K of the ladder.

    `n_rows` says how many microclusters' links were counted, where it were not those of all.
    """

    K: list[int]
    kept: list[float]
    components: list[int]
    n_rows: int | None = None


def ladder(made: Ensemble, monitor: Monitor = SILENT) -> Ladder:
    """RatioPL and components against K: the widest graph is searched for, and thinned."""
    n = len(made.microclusters)
    ks = [K for K in K_LADDER if K < n - 1]
    asked, n_links = microcluster_links(made, monitor=monitor)
    graph = microcluster_elite_graph(made, ks[-1] if ks else None, monitor)
    kept, components = [], []
    for K in reversed(ks):
        graph = thinned_elite_graph(graph, K)
        kept.append(float(np.diff(graph.indptr)[asked].sum() / max(1, n_links.sum())))
        components.append(int(connected_components(graph, directed=False)[0]))
    n_rows = None if len(asked) == n else len(asked)
    return Ladder([*ks, n - 1], [*kept[::-1], 1.0], [*components[::-1], parts_of_all_links(made)], n_rows)


def parts_of_all_links(made: Ensemble) -> int:
    """Connected parts of the graph with every link, without that graph: whoever shares a cluster is linked."""
    belongs = made.clusters.incidence()
    return int(connected_components(sparse.block_array([[None, belongs], [belongs.T, None]]), directed=False)[0])


def pruning(
    made: Ensemble, graph: sparse.csr_array, truth: np.ndarray, monitor: Monitor = SILENT
) -> tuple[LinkQuality, LinkQuality]:
    """LinkQuality of all links, and of those kept, by weight."""
    m = made.n_clusterings
    edges = np.arange(1, m + 1) / m if m <= 50 else np.arange(1, 51) / 50
    before = link_quality_by_rows(made, np.ones(made.n_clusters_total), truth, edges, monitor)
    return before, link_quality_of_graph(graph, made.microclusters, truth, edges, monitor)


def walks(graph: sparse.csr_array, sizes: np.ndarray, starts: tuple[int, int], T: int):
    """Trajectories of two walkers, 2 x (T, n), and the cosine of the two up to each step, (T,)."""
    both = [probability_trajectory(graph, sizes, start, T) for start in starts]
    dot, first, second = ((a * b).sum(axis=1).cumsum() for a, b in ((both[0], both[1]), (both[0],) * 2, (both[1],) * 2))
    norm = np.sqrt(first * second)
    return both, np.divide(dot, norm, out=np.zeros(T), where=norm > 0)


def similarity_images(
    graph: sparse.csr_array, sizes: np.ndarray, T: int, order: np.ndarray, pixels: int, monitor: Monitor = SILENT
) -> tuple[list[int], list[np.ndarray]]:
    """Lengths of walks, 1 .. at most 20, and pixels of PTS after each, nodes in `order`."""
    lengths = sorted({*np.linspace(1, T, min(T, 16)).astype(int).tolist()})
    images = [_reduced(matrix, order, pixels) for _, matrix in trajectory_similarities(graph, sizes, lengths, monitor)]
    return lengths, images


def _reduced(matrix: np.ndarray, order: np.ndarray, pixels: int) -> np.ndarray:
    """Block means over nodes in an order."""
    n_bins = min(pixels, len(order))
    bins = np.arange(len(order)) * n_bins // len(order)
    share = sparse.csr_array((1 / np.bincount(bins)[bins], (bins, order)), shape=(n_bins, len(order)))
    return (share @ matrix) @ share.T


def members(labels: np.ndarray, made: Ensemble) -> np.ndarray:
    """Objects of each microcluster by their label: (n, labels)."""
    counts = np.zeros((len(made.microclusters), int(labels.max()) + 1))
    np.add.at(counts, (made.microclusters.assignment, labels), 1)
    return counts


def mixing(graph: sparse.csr_array, sizes: np.ndarray, members: np.ndarray, monitor: Monitor = SILENT) -> np.ndarray:
    """Mean PTS between two objects of one label, and of two, (n_lengths, 2), for ever longer walks."""
    inside = members.sum(axis=0)
    pairs = (inside * (inside - 1)).sum(), inside.sum() ** 2 - (inside**2).sum()
    found, own32 = [], members.astype(np.float32)
    for _, pts in trajectory_similarities(graph, sizes, T_LADDER, monitor, scratch=True):
        total = members.T @ (pts @ own32).astype(float)
        own = (np.diag(pts).astype(float) * sizes).sum()  # an object and itself
        sums = np.trace(total) - own, total.sum() - np.trace(total)
        found.append([each / n if n else np.nan for each, n in zip(sums, pairs, strict=True)])
    return np.array(found)


def node_positions(points: np.ndarray, made: Ensemble) -> np.ndarray:
    """Mean place of the objects of each microcluster: (n, 2)."""
    micro = made.microclusters
    return np.column_stack([np.bincount(micro.assignment, column) / micro.sizes for column in points.T])


def starts(made: Ensemble, pair: tuple[int, int]) -> tuple[int, int]:
    """The microclusters of two objects, from which walkers leave."""
    i, j = made.microclusters.assignment[list(pair)]
    return int(i), int(j)


def majority(labels: np.ndarray, made: Ensemble) -> np.ndarray:
    """Most frequent label in each microcluster, the lower one if they tie: (n,)."""
    micro = made.microclusters
    counts = np.zeros((len(micro), int(labels.max()) + 1), np.int64)
    np.add.at(counts, (micro.assignment, labels), 1)
    return counts.argmax(axis=1)


def links(graph: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Each link once: (m, 2) nodes and (m,) weights."""
    upper = sparse.triu(graph, 1).tocoo()
    return np.column_stack([upper.row, upper.col]), upper.data


def neighbors(graph: sparse.csr_array, sizes: np.ndarray, node: int, K: int):
    """A node's links, heaviest first, and its threshold.

    A link is (number of the other node, its size, weight, kept here, kept there).
    """
    span = slice(graph.indptr[node], graph.indptr[node + 1])
    others, weights = graph.indices[span], graph.data[span]
    threshold = _threshold(weights, K)
    rows = [
        (
            int(j) + FIRST,
            int(sizes[j]),
            float(w),
            bool(w >= threshold),
            bool(w >= _threshold(graph.data[graph.indptr[j] : graph.indptr[j + 1]], K)),
        )
        for j, w in sorted(zip(others, weights, strict=True), key=lambda link: (-link[1], link[0]))
    ]
    return rows, threshold


def _threshold(weights: np.ndarray, K: int) -> float:
    """Weight of the K-th heaviest link; a node's heaviest K links are all in the pruned graph."""
    return float(np.sort(weights)[::-1][min(K, len(weights)) - 1]) if len(weights) else 0.0
