"""Methods that work between clusters, beside the same formulas in plain numpy: `python -m bench.bench_rivals`."""

import time
from collections.abc import Callable

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform
from sklearn.cluster import KMeans

from bench.bench_foundations import first_merges, million
from bench.bench_pta import nearly_distinct
from bench.harness import (
    arguments,
    in_fresh_process,
    interleaved,
    machine,
    publish,
    report_task,
    resident_mb,
    seconds_text,
    table,
)
from engine import Ensemble, consensus_methods, evidence, metrics, run_consensus
from engine.graphs.eigenvectors import rotated_parts
from engine.runtime.blocks import single_threaded_libraries

ME = "bench.bench_rivals"
K = 10
MILLION = ("usenc", "gp_mgla")


def one_hot(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Z (N, K) of ones, and the base clustering of every cluster."""
    blocks = [(column[:, None] == np.unique(column)).astype(float) for column in labels.T]
    return np.hstack(blocks), np.repeat(np.arange(len(blocks)), [block.shape[1] for block in blocks])


def links_of(z: np.ndarray) -> np.ndarray:
    """Jaccard index of clusters, diagonal 0."""
    shared, sizes = z.T @ z, z.sum(axis=0)
    links = shared / (sizes[:, None] + sizes - shared)
    np.fill_diagonal(links, 0)
    return links


def plain_tree(similarity: np.ndarray) -> np.ndarray:
    """Scipy average linkage of N objects, the first N - k merges."""
    np.fill_diagonal(similarity, 1)
    return first_merges(linkage(squareform(1 - similarity, checks=False), "average"), len(similarity), K)


def plain_eac(labels: np.ndarray) -> np.ndarray:
    """Z Z^T / M."""
    z, _ = one_hot(labels)
    return plain_tree(z @ z.T / labels.shape[1])


def plain_crowd(labels: np.ndarray) -> np.ndarray:
    """NCAI^2 of every base clustering."""
    m = labels.shape[1]
    agreement = np.array([[metrics.nmi(a, b) for b in labels.T] for a in labels.T]) - np.eye(m)
    means = agreement.sum(axis=1) / (m - 1)
    return (means / means.max()) ** 2


def plain_weac(labels: np.ndarray) -> np.ndarray:
    """Z diag(w) Z^T / sum w."""
    (z, base), weights = one_hot(labels), plain_crowd(labels)
    return plain_tree((z * weights[base]) @ z.T / weights.sum())


def plain_wct(labels: np.ndarray) -> np.ndarray:
    """Z F Z^T / M, F by rows of minima."""
    z, base = one_hot(labels)
    links, found = links_of(z), np.zeros((z.shape[1],) * 2)
    for i in range(len(found)):
        own = np.flatnonzero(base == base[i])
        found[i, own] = np.minimum(links[i], links[own]).sum(axis=1)
    np.fill_diagonal(found, 0)
    found *= 0.8 / found.max()
    np.fill_diagonal(found, 1)
    return plain_tree(z @ found @ z.T / labels.shape[1])


def plain_propagated(z: np.ndarray) -> np.ndarray:
    """Cosines of trajectories by dense powers, T = 20."""
    step = links_of(z)
    step /= step.sum(axis=1, keepdims=True)
    power, gram = step, step @ step.T
    for _ in range(19):
        power = power @ step
        gram += power @ power.T
    length = np.sqrt(np.diagonal(gram))
    return gram / length / length[:, None]


def plain_ecpcs_hc(labels: np.ndarray) -> np.ndarray:
    """Z F Z^T / M, F the same-base blocks."""
    z, base = one_hot(labels)
    between = np.where(base[:, None] == base, plain_propagated(z), 0)
    return plain_tree(z @ between @ z.T / labels.shape[1])


def plain_ecpcs_mc(labels: np.ndarray) -> np.ndarray:
    """All eigenvectors of the regularised graph; rotations and votes as the engine has them."""
    z, _ = one_hot(labels)
    graph = plain_propagated(z)
    root = 1 / np.sqrt(graph.sum(axis=1) + 1)
    rows = root[:, None] * np.linalg.eigh((graph + np.eye(len(graph)) / 2) * root * root[:, None])[1][:, ::-1][:, :K]
    rows /= np.linalg.norm(rows, axis=0)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    tried = [rotated_parts(rows, start * len(rows) // 20) for start in range(20)]
    groups = max(tried, key=lambda one: one[1])[0]
    belongs = np.eye(K)[groups]
    return (z @ (belongs / np.maximum(belongs.sum(axis=0), 1))).argmax(axis=1)


def plain_srs(labels: np.ndarray) -> np.ndarray:
    """Four rounds of SimRank between N objects and K clusters, as products."""
    z, _ = one_hot(labels)
    m, sizes = labels.shape[1], z.sum(axis=0)
    objects, between = np.eye(len(z)), np.eye(z.shape[1])
    for _ in range(4):
        new_objects = 0.8 / m**2 * (z @ between @ z.T)
        between = 0.8 * (z.T @ objects @ z) / (sizes[:, None] * sizes)
        objects = new_objects
        np.fill_diagonal(objects, 1)
        np.fill_diagonal(between, 1)
    return plain_tree(objects)


def plain_tcut(edges: np.ndarray, n: int) -> np.ndarray:
    """Transfer cut of a dense graph, scikit-learn's k-means on its first n rows."""
    degree = edges.sum(axis=1)
    between = (edges.T / degree) @ edges
    root = 1 / np.sqrt(between.sum(axis=1))
    vectors = root[:, None] * np.linalg.eigh(between * root * root[:, None])[1][:, ::-1][:, :K]
    rows = (edges[:n] @ vectors) / degree[:n, None]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return KMeans(K, n_init=20, random_state=0).fit_predict(rows)


def plain_usenc(labels: np.ndarray) -> np.ndarray:
    """N x K edges of ones."""
    z, _ = one_hot(labels)
    return plain_tcut(z, len(z))


def plain_gp_mgla(labels: np.ndarray) -> np.ndarray:
    """(N + K) x K edges, those between clusters by rows of minima."""
    (z, base), weights = one_hot(labels), plain_crowd(labels)
    links = links_of(z) + np.eye(z.shape[1])
    between = np.array([np.minimum(row, links) @ weights[base] for row in links])
    between /= between.max()
    np.fill_diagonal(between, 1)
    return plain_tcut(np.vstack([0.5 * z * weights[base], between]), len(z))


PLAIN: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "eac": plain_eac, "weac": plain_weac, "wct": plain_wct, "ecpcs_hc": plain_ecpcs_hc, "srs": plain_srs,
    "ecpcs_mc": plain_ecpcs_mc, "usenc": plain_usenc, "gp_mgla": plain_gp_mgla,
}  # fmt: skip
#: What a method does between clusters, before it turns to objects.
BETWEEN: dict[str, Callable[[Ensemble], object]] = {
    "wct": evidence.connected_triples,
    "ecpcs_hc": evidence.propagated_similarity,
    "srs": evidence.cluster_simrank,
    "ecpcs_mc": evidence.propagated_similarity,
    "gp_mgla": lambda ensemble: evidence.source_aware_triples(ensemble, evidence.crowd_weights(ensemble)),
}


def between_clusters(key: str, ensemble: Ensemble) -> None:
    """The part of a method that never sees an object, on one BLAS thread as inside a run."""
    with single_threaded_libraries():
        BETWEEN.get(key, lambda ensemble: None)(ensemble)


def row_of(key: str, labels: np.ndarray, repeats: int = 5) -> list[str]:
    """Ours and the plain version by turns, labels in and labels out; beside them EAC and the part between clusters."""
    for method in {key, "eac"}:
        run_consensus(method, Ensemble.from_labels(labels[:400]), K)  # kernels are loaded before we count
    ready = Ensemble.from_labels(labels).canonical
    found: dict[str, np.ndarray] = {}
    candidates = {
        "eac": lambda: run_consensus("eac", Ensemble.from_labels(labels), K),
        "ours": lambda: found.update(ours=run_consensus(key, Ensemble.from_labels(labels), K).labels),
        "plain": lambda: found.update(plain=PLAIN[key](labels)),
        "between": lambda: between_clusters(key, ready),
    }
    seconds = interleaved(candidates, repeats)
    eac, ours, plain, between = (float(np.median(seconds[name])) for name in candidates)
    runs = [in_fresh_process(ME, key) for _ in range(3)]
    return [
        consensus_methods()[key].title,
        seconds_text(seconds["ours"]),
        seconds_text(seconds["plain"]),
        f"{plain / ours:.1f}x",
        f"{between:.3f} s" if key in BETWEEN else "-",
        f"{(ours - between) / eac:.2f}",
        f"{max(run['peak_mb'] - run['before_mb'] for run in runs):.0f} MB",
        f"ARI {metrics.ari(found['ours'], found['plain']):.4f}",
    ]


def task_of(task: str) -> None:
    """One method in a process of its own; "million usenc" on a million objects."""
    key = task.split()[-1]
    labels = million() if task.startswith("million") else nearly_distinct()
    run_consensus(key, Ensemble.from_labels(labels[:2000]), K)
    before, start = resident_mb(), time.perf_counter()
    result = run_consensus(key, Ensemble.from_labels(labels), K)
    seconds = time.perf_counter() - start
    report_task({"seconds": seconds, "before_mb": before, "n": len(result.microclusters)})


def million_row(key: str) -> list[str]:
    """Three fresh processes on N = 1,000,000."""
    runs = [in_fresh_process(ME, f"million {key}") for _ in range(3)]
    above = max(run["peak_mb"] - run["before_mb"] for run in runs)
    seconds = np.array([run["seconds"] for run in runs])
    return [consensus_methods()[key].title, seconds_text(seconds), f"{above:.0f} MB", f"n = {runs[0]['n']:,.0f}"]


def main() -> None:
    """Measure, print, and write where `--out` says."""
    chosen = arguments()
    if chosen.task:
        task_of(chosen.task)
        return
    labels = nearly_distinct()
    ensemble = Ensemble.from_labels(labels)
    size = f"N = 5,000 (n = {len(ensemble.microclusters):,}), M = 20, K = {ensemble.n_clusters_total}, k = {K}"
    header = ["method", "ours, median (range)", "plain numpy", "ratio", "of ours, between clusters",
              "the rest over EAC", "peak memory above the start", "ours and plain"]  # fmt: skip
    text = f"# Methods that work between clusters\n\n{machine()}\n\n{size}, labels in, labels out:\n\n"
    text += table(header, [row_of(key, labels) for key in PLAIN])
    text += "\n\nN = 1,000,000, M = 20, k = 10, fresh processes:\n\n"
    text += table(["method", "median (range)", "peak memory above the start", "note"], list(map(million_row, MILLION)))
    publish(text, chosen.out)


if __name__ == "__main__":
    main()
