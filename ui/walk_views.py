"""What the pages on elite neighbours and trajectories show, computed on microclusters."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from engine import Ensemble
from engine.evidence import (
    co_association,
    default_neighbors,
    elite_neighbor_graph,
    link_quality,
    microcluster_elite_graph,
    preserved_link_ratio,
    probability_trajectory,
    trajectory_similarities,
    trajectory_similarity,
)
from ui import pipeline
from ui.jobs import Job
from ui.run_config import RunConfig
from ui.state import change, change_param, config

#: Values of K at which the page measures what is kept.
K_LADDER = (1, 2, 3, 5, 8, 10, 15, 20, 30, 50)
#: Lengths of the walk at which the page shows what mixing does.
T_LADDER = (1, 2, 3, 5, 8, 12, 20, 35, 60, 100, 200, 400, 1000)
#: Beyond so many microclusters, n x n views would take too long to be looked at live.
LIVE = 3000


def settings(chosen: RunConfig, n: int) -> tuple[int, int]:
    """K and T: the method's own where it has them, else those of the page; automatic ones filled in."""
    own = chosen.method_params.as_dict()
    K = own["K"] if "K" in own else chosen.elite
    T = own["T"] if "T" in own else chosen.steps
    return min(K or default_neighbors(n), max(1, n - 1)), T or default_neighbors(n)


def set_walk(name: str, value: int | None) -> None:
    """Set K or T for the method that has it, else for the page."""
    if name in config().method_params.as_dict():
        change_param(name, value)
    else:
        change(**{{"K": "elite", "T": "steps"}[name]: value})


def elite_graph(chosen: RunConfig, made: Ensemble, K: int) -> Job:
    """Job: the K-elite neighbour graph, CSR (n, n)."""
    key = ("elite", pipeline.ensemble_key(chosen), K)
    return pipeline.start(key, lambda monitor: microcluster_elite_graph(made, K, monitor), "elite")


@dataclass(frozen=True, eq=False)
class Ladder:
    """Share of links kept, and number of components, for every K of the ladder."""

    K: list[int]
    kept: list[float]
    components: list[int]


def ladder(chosen: RunConfig, made: Ensemble) -> Job:
    """Job: RatioPL and components against K."""
    n = len(made.microclusters)

    def compute(monitor) -> Ladder:
        similarity = co_association(made, monitor)
        ks = [K for K in K_LADDER if K < n - 1]
        kept, components = [], []
        for done, K in enumerate(ks):
            monitor.tick("pruning", done, len(ks))
            graph = elite_neighbor_graph(similarity, K)
            kept.append(preserved_link_ratio(graph, similarity))
            components.append(int(connected_components(graph, directed=False)[0]))
        return Ladder([*ks, n - 1], [*kept, 1.0], [*components, parts_of_all_links(made)])

    return pipeline.start(("ladder", pipeline.ensemble_key(chosen)), compute, "ladder")


def parts_of_all_links(made: Ensemble) -> int:
    """Connected parts of the graph with every link, without that graph: whoever shares a cluster is linked."""
    belongs = made.incidence[made.microclusters.representatives]
    return int(connected_components(sparse.block_array([[None, belongs], [belongs.T, None]]), directed=False)[0])


def pruning(chosen: RunConfig, made: Ensemble, graph: sparse.csr_array, K: int) -> Job:
    """Job: LinkQuality of all links, and of those kept, by weight."""
    m = made.n_clusterings
    edges = np.arange(1, m + 1) / m if m <= 50 else np.arange(1, 51) / 50
    classes = pipeline.truth(chosen)

    def compute(monitor):
        whole = co_association(made, monitor)
        kept = graph.toarray().astype(np.float32)
        np.fill_diagonal(kept, 1)  # pairs inside a microcluster are never pruned
        return [link_quality(matrix, made.microclusters, classes, edges, monitor) for matrix in (whole, kept)]

    return pipeline.start(("pruning", pipeline.ensemble_key(chosen), K), compute, "pruning")


def walks(graph: sparse.csr_array, sizes: np.ndarray, starts: tuple[int, int], T: int):
    """Trajectories of two walkers, 2 x (T, n), and the cosine of the two up to each step, (T,)."""
    both = [probability_trajectory(graph, sizes, start, T) for start in starts]
    dot, first, second = ((a * b).sum(axis=1).cumsum() for a, b in ((both[0], both[1]), (both[0],) * 2, (both[1],) * 2))
    norm = np.sqrt(first * second)
    return both, np.divide(dot, norm, out=np.zeros(T), where=norm > 0)


def similarity_images(chosen: RunConfig, made: Ensemble, graph, K: int, T: int, order: np.ndarray, pixels=160) -> Job:
    """Job: (lengths, images) of PTS for T = 1 .. at most 20, nodes in `order`."""
    lengths = sorted({*np.linspace(1, T, min(T, 16)).astype(int).tolist()})
    sizes = made.microclusters.sizes

    def compute(monitor):
        images = [
            _reduced(matrix, order, pixels) for _, matrix in trajectory_similarities(graph, sizes, lengths, monitor)
        ]
        return lengths, images

    key = ("pts film", pipeline.ensemble_key(chosen), K, T, order.tobytes()[:4000])
    return pipeline.start(key, compute, "pts")


def _reduced(matrix: np.ndarray, order: np.ndarray, pixels: int) -> np.ndarray:
    """Block means over nodes in an order."""
    n_bins = min(pixels, len(order))
    bins = np.arange(len(order)) * n_bins // len(order)
    share = sparse.csr_array((1 / np.bincount(bins)[bins], (bins, order)), shape=(n_bins, len(order)))
    return (share @ matrix) @ share.T


def mixing(chosen: RunConfig, made: Ensemble, graph, K: int, groups: np.ndarray) -> Job:
    """Job: mean PTS inside and between groups of nodes, (n_lengths, 2), for ever longer walks."""
    sizes = made.microclusters.sizes
    same = groups[:, None] == groups
    off = ~np.eye(len(groups), dtype=bool)

    def compute(monitor):
        found = []
        for done, T in enumerate(T_LADDER):
            monitor.tick("walking on", done, len(T_LADDER))
            pts = trajectory_similarity(graph, sizes, T, dtype=np.float64)
            found.append([pts[same & off].mean() if (same & off).any() else np.nan, pts[~same].mean()])
        return np.array(found)

    return pipeline.start(("mixing", pipeline.ensemble_key(chosen), K, chosen.method, chosen.k), compute, "mixing")


def node_positions(points: np.ndarray, made: Ensemble) -> np.ndarray:
    """Mean place of the objects of each microcluster: (n, 2)."""
    micro = made.microclusters
    return np.column_stack([np.bincount(micro.assignment, column) / micro.sizes for column in points.T])


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
    """A node's links, heaviest first, and its threshold; a link is (other, size, weight, kept here, kept there)."""
    span = slice(graph.indptr[node], graph.indptr[node + 1])
    others, weights = graph.indices[span], graph.data[span]
    threshold = _threshold(weights, K)
    rows = [
        (int(j), int(sizes[j]), float(w), bool(w >= threshold),
         bool(w >= _threshold(graph.data[graph.indptr[j] : graph.indptr[j + 1]], K)))
        for j, w in sorted(zip(others, weights, strict=True), key=lambda link: (-link[1], link[0]))
    ]  # fmt: skip
    return rows, threshold


def _threshold(weights: np.ndarray, K: int) -> float:
    """Weight of the K-th heaviest link; a node's heaviest K links are all in the pruned graph."""
    return float(np.sort(weights)[::-1][min(K, len(weights)) - 1]) if len(weights) else 0.0
