"""GoT at size: refined distances beside scipy's Dijkstra, and the whole method: `python -m bench.bench_got`."""

import time

import numpy as np
from scipy.sparse import csgraph

from bench.harness import (
    arguments,
    in_fresh_process,
    interleaved,
    machine,
    peak_mb,
    pool,
    publish,
    report_task,
    seconds_text,
    table,
)
from engine import Ensemble, evidence, run_consensus
from engine.generators import kmeans_ensemble

ME = "bench.bench_got"


def refined_row(repeats: int = 3) -> list[str]:
    """Refined distance of a dense co-association matrix, beside scipy's Dijkstra on the same matrix."""
    labels = np.ascontiguousarray(pool("pools/lwea/FCT")[0][:, :20])
    evidence.shortest_paths(
        evidence.distance_steps(Ensemble.from_labels(labels[:300])), 20
    )  # kernels are loaded before we count
    ensemble = Ensemble.from_labels(labels)
    direct = evidence.distance_steps(ensemble, refine=False).astype(float)
    found: dict[str, np.ndarray] = {}
    times = interleaved(
        {
            "ours": lambda: found.update(
                ours=evidence.shortest_paths(evidence.distance_steps(ensemble, refine=False), ensemble.n_clusterings)
            ),
            "scipy": lambda: found.update(scipy=csgraph.shortest_path(direct, method="D")),
        },
        repeats,
    )
    ratio = np.median(times["scipy"]) / np.median(times["ours"])
    same = np.array_equal(found["ours"], found["scipy"])
    n, meet = len(direct), np.mean(direct < 20)
    return [
        f"refined distance, pool lwea/FCT, N = {len(labels):,}, M = 20",
        seconds_text(times["ours"]),
        f"scipy shortest_path(method='D'): {seconds_text(times['scipy'])}",
        f"{ratio:.0f}x",
        "",
        f"n = {n:,}, {meet:.0%} of pairs meet, distances {'the same' if same else 'DIFFER'}; ours counts pairs too",
    ]


def blobs() -> np.ndarray:
    """N = 5,000, M = 50, k = 50 everywhere: k-means on ten overlapping blobs. (N, M) labels."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(5000, 2)) + rng.uniform(-8, 8, size=(10, 2))[rng.integers(10, size=5000)]
    return np.array(kmeans_ensemble(points, 50, (50, 50), seed=0).labels)


def task_got(k: int) -> None:
    """The whole method, in a process of its own; memory that k-means took before is told apart."""
    labels = blobs()
    run_consensus("got", Ensemble.from_labels(labels[:300]), k)
    before = peak_mb()
    start = time.perf_counter()
    result = run_consensus("got", Ensemble.from_labels(labels), k)
    seconds = time.perf_counter() - start
    rounds = result.trace["growth"].n_rounds
    report_task({"seconds": seconds, "n": len(result.microclusters), "rounds": rounds, "before_mb": before})


def got_row(k: int) -> list[str]:
    """Seconds and peak memory of three fresh processes."""
    runs = [in_fresh_process(ME, str(k)) for _ in range(3)]
    seconds = np.array([run["seconds"] for run in runs])
    peak, before = (max(run[name] for run in runs) for name in ("peak_mb", "before_mb"))
    note = f"n = {runs[0]['n']:,.0f}, {runs[0]['rounds']:.0f} rounds, 3 processes; {before:.0f} MB before it starts"
    return [
        f"GoT, blobs, N = 5,000, M = 50, every k_m = 50, k = {k}",
        seconds_text(seconds),
        "-",
        "-",
        f"{peak:.0f} MB",
        note,
    ]


def main() -> None:
    """Measure, print, and write where `--out` says."""
    chosen = arguments()
    if chosen.task:
        task_got(int(chosen.task))
        return
    header = ["what", "ours, median (range)", "instead", "ratio", "peak memory", "note"]
    rows = [refined_row(), got_row(10), got_row(50)]
    publish(f"# Growing trees\n\n{machine()}\n\n{table(header, rows)}", chosen.out)


if __name__ == "__main__":
    main()
