"""LWEA and LWGP at size, microclusters, and how fast a slider answers: `python -m bench.bench_foundations`."""

import subprocess
import sys
import time

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from bench.harness import (
    arguments,
    in_fresh_process,
    interleaved,
    machine,
    pool,
    publish,
    report_task,
    resident_mb,
    seconds_text,
    table,
)
from engine import Ensemble, metrics, run_consensus
from engine.ensemble import find_microclusters

ME = "bench.bench_foundations"


def plain_lwea(labels: np.ndarray, k: int, theta: float = 0.4) -> np.ndarray:
    """LWEA the way a user would write it: one-hot product N x N, scipy average linkage, the first N - k merges."""
    n, m = labels.shape
    columns = [np.unique(column, return_inverse=True)[1] for column in labels.T]
    offsets = np.concatenate([[0], np.cumsum([c.max() + 1 for c in columns])])
    index = np.column_stack([c + o for c, o in zip(columns, offsets[:-1], strict=True)])
    one_hot = np.zeros((n, offsets[-1]), np.float32)
    one_hot[np.arange(n)[:, None], index] = 1
    shared = (one_hot.T @ one_hot) / one_hot.sum(axis=0)[:, None]
    entropy = -np.where(shared > 0, shared * np.log2(np.maximum(shared, 1e-30)), 0).sum(axis=1)
    weighted = (one_hot * np.exp(-entropy / (theta * m))) @ one_hot.T / m
    np.fill_diagonal(weighted, 1)
    tree = linkage(squareform(1 - weighted, checks=False), "average")
    return first_merges(tree, n, k)


def first_merges(tree: np.ndarray, n: int, k: int) -> np.ndarray:
    """Labels after the first n - k rows of a scipy tree."""
    parent = np.arange(2 * n - 1)
    for t, (a, b) in enumerate(tree[: n - k, :2].astype(int)):
        parent[[a, b]] = n + t
    for node in range(2 * n - 2, -1, -1):
        parent[node] = parent[parent[node]]
    return np.unique(parent[:n], return_inverse=True)[1]


def million(seed: int = 0) -> np.ndarray:
    """N = 1,000,000, M = 20 int32 labels, k_m in [2, 50]: noisy views of a line, hardly any two rows alike."""
    rng = np.random.default_rng(seed)
    place = rng.integers(10, size=1_000_000) * 1000 + rng.integers(1000, size=1_000_000)
    labels = np.empty((len(place), 20), np.int32)
    for m in range(20):
        k = int(rng.integers(2, 51))
        edges = np.sort(rng.choice(10_000, k - 1, replace=False))
        jitter = np.clip(place + rng.normal(0, 400, len(place)), 0, 9_999)
        labels[:, m] = np.searchsorted(edges, jitter)
    return labels


def task_lwea() -> None:
    members, truth = pool("pools/lwea/LR")
    labels = np.ascontiguousarray(members[:, :20])
    start = time.perf_counter()
    result = run_consensus("lwea", Ensemble.from_labels(labels), 26)
    report_task({"seconds": time.perf_counter() - start, "nmi": metrics.nmi(result.labels, truth)})


def task_lwea_plain() -> None:
    members, truth = pool("pools/lwea/LR")
    start = time.perf_counter()
    found = plain_lwea(members[:, :20], 26)
    report_task({"seconds": time.perf_counter() - start, "nmi": metrics.nmi(found, truth)})


def task_lwgp_million() -> None:
    labels = million()
    run_consensus("lwgp", Ensemble.from_labels(labels[:2000]), 10)  # libraries and kernels are loaded before we count
    before = resident_mb()
    start = time.perf_counter()
    result = run_consensus("lwgp", Ensemble.from_labels(labels), 10)
    seconds = time.perf_counter() - start
    report_task(
        {"seconds": seconds, "before_mb": before, "labels_mb": labels.nbytes / 2**20, "n": len(result.microclusters)}
    )


def task_first_and_second() -> None:
    labels = np.random.default_rng(0).integers(8, size=(2000, 20))
    seconds = []
    for _ in range(2):
        start = time.perf_counter()
        run_consensus("lwea", Ensemble.from_labels(labels), 8)
        seconds.append(time.perf_counter() - start)
    report_task({"first": seconds[0], "second": seconds[1]})


def rows() -> list[list[str]]:
    """Every line of the table."""
    return [*lwea_rows(), lwgp_row(), micro_row(), theta_row(), start_row()]


def lwea_rows() -> list[list[str]]:
    members, _ = pool("pools/lwea/LR")
    labels = np.ascontiguousarray(members[:, :20])
    run_consensus("lwea", Ensemble.from_labels(labels), 26)
    found: dict[str, np.ndarray] = {}
    times = interleaved(
        {
            "ours": lambda: found.update(ours=run_consensus("lwea", Ensemble.from_labels(labels), 26).labels),
            "plain": lambda: found.update(plain=plain_lwea(labels, 26)),
        }
    )
    ratio = np.median(times["plain"]) / np.median(times["ours"])
    same = metrics.ari(found["ours"], found["plain"])
    ours, plain = in_fresh_process(ME, "lwea"), in_fresh_process(ME, "lwea_plain")
    memory = f"{ours['peak_mb']:.0f} MB (plain: {plain['peak_mb']:.0f} MB)"
    return [
        [
            "LWEA, pool lwea/LR, N = 20,000, M = 20, k = 26, labels in, labels out",
            seconds_text(times["ours"]),
            f"plain N x N: {seconds_text(times['plain'])}",
            f"{ratio:.1f}x",
            memory,
            f"ARI {same:.6f}",
        ]
    ]


def lwgp_row() -> list[str]:
    runs = [in_fresh_process(ME, "lwgp_million") for _ in range(3)]
    seconds = np.array([run["seconds"] for run in runs])
    above = max(run["peak_mb"] - run["before_mb"] for run in runs)
    labels = runs[0]["labels_mb"]
    return [
        "LWGP, N = 1,000,000, M = 20, k = 10",
        seconds_text(seconds),
        "-",
        "-",
        f"{above:.0f} MB above the start = {above / labels:.1f}x the label matrix ({labels:.0f} MB)",
        f"n = {runs[0]['n']:,}, 3 runs",
    ]


def micro_row() -> list[str]:
    labels = Ensemble.from_labels(million()).labels
    times = interleaved({"ours": lambda: find_microclusters(labels), "numpy": lambda: np.unique(labels, axis=0)})
    ratio = np.median(times["numpy"]) / np.median(times["ours"])
    n = len(find_microclusters(labels))
    return [
        "Microclusters, N = 1,000,000, M = 20",
        seconds_text(times["ours"]),
        f"numpy.unique(axis=0): {seconds_text(times['numpy'])}",
        f"{ratio:.1f}x",
        "",
        f"n = {n:,}",
    ]


def theta_row() -> list[str]:
    rng = np.random.default_rng(0)
    truth = rng.integers(8, size=2000)
    labels = np.where(rng.random((2000, 20)) < 0.3, rng.integers(40, size=(2000, 20)), truth[:, None])
    ensemble = Ensemble.from_labels(labels)
    run_consensus("lwea", ensemble, 8)
    thetas = iter(np.linspace(0.1, 1, 25))
    times = interleaved({"move": lambda: run_consensus("lwea", ensemble, 8, {"theta": float(next(thetas))})}, 25)[
        "move"
    ]
    return [
        "A theta move, LWEA, N = 2,000, M = 20, warm",
        seconds_text(times),
        "-",
        "-",
        "",
        f"n = {len(ensemble.microclusters):,}, 25 moves",
    ]


def start_row() -> list[str]:
    subprocess.run([sys.executable, "-m", "engine.warm"], check=True)
    runs = [in_fresh_process(ME, "first_and_second") for _ in range(5)]
    extra = np.array([run["first"] - run["second"] for run in runs])
    return [
        "First run minus second, LWEA, N = 2,000, new process, kernels cached",
        seconds_text(extra),
        "-",
        "-",
        "",
        "5 processes",
    ]


def main() -> None:
    chosen = arguments()
    if chosen.task:
        globals()[f"task_{chosen.task}"]()
        return
    header = ["what", "ours, median (range)", "instead", "ratio", "peak memory", "note"]
    publish(f"# Foundations\n\n{machine()}\n\n{table(header, rows())}", chosen.out)


if __name__ == "__main__":
    main()
