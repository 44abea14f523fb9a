"""PTA and PTGP at size, beside dense powers of the walk and beside LWEA: `python -m bench.bench_pta`."""

import time
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform

from bench.bench_foundations import first_merges
from bench.harness import (
    arguments,
    in_fresh_process,
    interleaved,
    machine,
    pool,
    publish,
    report_task,
    seconds_text,
    table,
)
from engine import Ensemble, consensus_methods, metrics, run_consensus
from engine.evidence import default_neighbors

ME = "bench.bench_pta"


def dense_pta(labels: np.ndarray, k: int) -> np.ndarray:
    """PTA as the formulas read: dense P, P^2, ..., P^T in float64, a Gram matrix each, scipy average linkage."""
    rows, owner, sizes = np.unique(labels, axis=0, return_inverse=True, return_counts=True)
    n, m = rows.shape
    one_hot = np.hstack([(column[:, None] == np.unique(column)).astype(float) for column in rows.T])
    weights = one_hot @ one_hot.T / m
    np.fill_diagonal(weights, 0)
    K = T = default_neighbors(n)
    threshold = np.partition(weights, n - K, axis=1)[:, n - K]
    weights[weights < np.minimum(threshold[:, None], threshold)] = 0
    p = weights * sizes
    p /= np.maximum(p.sum(axis=1, keepdims=True), 1e-300)
    power, gram = p, p @ p.T
    for _ in range(T - 1):
        power = power @ p
        gram += power @ power.T
    length = np.sqrt(np.maximum(np.diagonal(gram), 1e-300))
    similarity = gram / length / length[:, None]
    tree = linkage(squareform(1 - similarity, checks=False), "average")
    return first_merges(tree, n, k)[owner.ravel()]


def nearly_distinct(seed: int = 0) -> np.ndarray:
    """N = 5,000, M = 20, k_m in [2, 70]: noisy views of ten groups on a line, hardly any two rows alike."""
    rng = np.random.default_rng(seed)
    place = rng.integers(10, size=5000) * 1000 + rng.integers(1000, size=5000)
    labels = np.empty((5000, 20), np.int32)
    for m in range(20):
        edges = np.sort(rng.choice(10_000, int(rng.integers(2, 71)) - 1, replace=False))
        labels[:, m] = np.searchsorted(edges, np.clip(place + rng.normal(0, 300, 5000), 0, 9_999))
    return labels


def first_columns(name: str) -> np.ndarray:
    """The first 20 base clusterings of a published pool: (N, 20)."""
    return np.ascontiguousarray(pool(name)[0][:, :20])


def ratio_row(what: str, labels: np.ndarray, k: int) -> list[str]:
    """Ours beside dense powers, labels in, labels out."""
    run_consensus("pta", Ensemble.from_labels(labels[:300]), k)  # kernels are loaded before we count
    found: dict[str, np.ndarray] = {}
    times = interleaved(
        {
            "ours": lambda: found.update(ours=run_consensus("pta", Ensemble.from_labels(labels), k).labels),
            "dense": lambda: found.update(dense=dense_pta(labels, k)),
        }
    )
    ratio = np.median(times["dense"]) / np.median(times["ours"])
    same = metrics.ari(found["ours"], found["dense"])
    n = len(Ensemble.from_labels(labels).microclusters)
    note = f"n = {n:,}, labels {'the same' if same == 1 else f'differ: ARI {same:.6f}'}"
    return [
        what,
        seconds_text(times["ours"]),
        f"dense powers: {seconds_text(times['dense'])}",
        f"{ratio:.1f}x",
        "",
        note,
    ]


def task_of(key: str) -> None:
    """One method on the letters pool, in a process of its own."""
    labels = first_columns("pools/lwea/LR")
    run_consensus(key, Ensemble.from_labels(labels[:300]), 26)
    start = time.perf_counter()
    result = run_consensus(key, Ensemble.from_labels(labels), 26)
    seconds = time.perf_counter() - start
    report_task({"seconds": seconds, "n": len(result.microclusters), "high_water_mb": high_water_mb()})


def high_water_mb() -> float:
    """Peak memory of this process alone: what getrusage reports starts from the peak of the process that forked it."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def letters_row(key: str) -> list[str]:
    """Seconds and peak memory of three fresh processes."""
    runs = [in_fresh_process(ME, key) for _ in range(3)]
    seconds = np.array([run["seconds"] for run in runs])
    peak = max(run["high_water_mb"] for run in runs)
    what = f"{consensus_methods()[key].title}, pool lwea/LR, N = 20,000, M = 20, k = 26"
    return [what, seconds_text(seconds), "-", "-", f"{peak:.0f} MB", f"n = {runs[0]['n']:,.0f}, 3 processes"]


def main() -> None:
    """Measure, print, and write where `--out` says."""
    chosen = arguments()
    if chosen.task:
        task_of(chosen.task)
        return
    mnist = "PTA, pool lwea/MNIST, N = 5,000, M = 20, k = 10, labels in, labels out"
    rows = [
        ratio_row(mnist, first_columns("pools/lwea/MNIST"), 10),
        ratio_row("PTA, N = 5,000, M = 20, k = 10, rows nearly all distinct", nearly_distinct(), 10),
        *(letters_row(key) for key in ("lwea", "pta", "ptgp")),
    ]
    header = ["what", "ours, median (range)", "instead", "ratio", "peak memory", "note"]
    publish(f"# Probability trajectories\n\n{machine()}\n\n{table(header, rows)}", chosen.out)


if __name__ == "__main__":
    main()
