"""Average link without a matrix between objects: `python -m bench.bench_scale` (CONCORD_DATA names the pools).

A million objects take minutes: `--task million`, which prints its own line.
"""

import os
import time

import numpy as np

from bench.harness import (
    arguments,
    in_fresh_process,
    machine,
    pool,
    publish,
    report_task,
    resident_mb,
    seconds_text,
    table,
)
from engine import Ensemble, metrics, run_consensus
from engine.generators import kmeans_ensemble
from engine.trees import agglomeration

ME = "bench.bench_scale"
K = 30
#: Objects, and the range of k_m.
SIZES = {"hundred-thousand": (100_000, (2, 316)), "million": (1_000_000, (2, 1000))}


def gaussians(n_objects: int, k_range: tuple[int, int], seed: int = 0) -> np.ndarray:
    """Labels (N, 20) of k-means on 16 features of 30 Gaussians of deviation 1, centres drawn with 2."""
    rng = np.random.default_rng(seed)
    centres = 2 * rng.normal(size=(30, 16))
    points = centres[rng.integers(30, size=n_objects)] + rng.normal(size=(n_objects, 16))
    return kmeans_ensemble(points, 20, k_range=k_range, seed=seed).labels


def letters() -> np.ndarray:
    """The first 20 base clusterings of the published pool LR."""
    return pool("pools/lwea/LR")[0][:, :20]


def coarse() -> np.ndarray:
    """Labels (20,000, 100) of twelve groups, 15 % of them drawn anew: nearly no two rows are alike."""
    rng = np.random.default_rng(0)
    labels = np.tile(rng.integers(12, size=(20_000, 1)), 100)
    noise = rng.random(labels.shape) < 0.15
    labels[noise] = rng.integers(12, size=int(noise.sum()))
    return labels


def labels_of(name: str) -> np.ndarray:
    """Labels by what they are called."""
    own = {"letters": letters, "coarse": coarse}
    return own[name]() if name in own else gaussians(*SIZES[name])


def task_of(task: str) -> None:
    """One run in a process of its own: "letters lwea dense"; "million" is LWEA on the factor."""
    name, method, form = task.split() if " " in task else (task, "lwea", "factor")
    labels = labels_of(name)
    _only(form, len(labels))
    run_consensus(method, Ensemble.from_labels(labels[:3000]), K)  # kernels are loaded before we count
    before, start, cpu = resident_mb(), time.perf_counter(), time.process_time()
    made = Ensemble.from_labels(labels)
    result = run_consensus(method, made, K)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    found = {"seconds": seconds, "cpu": cpu, "before_mb": before, "n": len(result.microclusters)}
    heights = result.trace["dendrogram"].similarities
    report_task({**found, "k_total": made.n_clusters_total, "last": float(heights[-1]), "sum": float(heights.sum())})


def _only(form: str, n: int) -> None:
    """Take this form, whatever is the faster one; "either" is what is taken where nobody says."""
    if form == "either":
        return
    agglomeration.MANY = 0 if form == "factor" else n
    agglomeration.reads_much = lambda clusters: False


def row_of(name: str, method: str, forms: tuple[str, ...], repeats: int) -> list[list[str]]:
    """The forms by turns, each in fresh processes."""
    runs: dict[str, list[dict[str, float]]] = {form: [] for form in forms}
    for _ in range(repeats):
        for form in forms:
            runs[form].append(in_fresh_process(ME, f"{name} {method} {form}"))
    return [[f"{runs[form][0]['n']:,.0f}", method.upper(), form, *measured(runs[form])] for form in forms]


def measured(runs: list[dict[str, float]]) -> list[str]:
    """Wall-clock, time of all cores, peak memory, and what the tree comes to."""
    wall, cpu = (np.array([run[what] for run in runs]) for what in ("seconds", "cpu"))
    peak, own = max(run["peak_mb"] for run in runs), max(run["peak_mb"] - run["before_mb"] for run in runs)
    return [seconds_text(wall), seconds_text(cpu), f"{peak:.0f} MB", f"{own:.0f} MB", f"{runs[0]['last']:.2e}"]


def equal_partitions() -> str:
    """How alike LWEA's cuts of both trees are on the pool."""
    made, found = Ensemble.from_labels(letters()), {}
    for form in ("factor", "dense"):
        _only(form, made.n_objects)
        found[form] = run_consensus("lwea", made, K)
    trees = [one.trace["dendrogram"].similarities for one in found.values()]
    apart = float(np.abs(trees[0] - trees[1]).max())
    alike = metrics.ari(found["factor"].labels, found["dense"].labels)
    return f"heights differ by at most {apart:.1e}; ARI of the two partitions into {K} is {alike:.4f}"


def main() -> None:
    """Measure, print, and write where `--out` says."""
    chosen = arguments()
    if chosen.task:
        task_of(chosen.task)
        return
    header = ["n", "method", "form", "wall-clock, median (range)", "time of all cores", "peak memory"]
    header += ["above the start", "last height"]
    rows = row_of("letters", "lwea", ("dense", "factor"), 3)
    rows += row_of("coarse", "lwea", ("either",), 3) + row_of("coarse", "lwea", ("factor",), 1)
    rows += row_of("hundred-thousand", "lwea", ("factor",), 2) + row_of("hundred-thousand", "eac", ("factor",), 1)
    text = f"# Average link without a matrix\n\n{machine()}; load {os.getloadavg()[0]:.1f} at the start\n\n"
    text += "n = 9,020: pool LR, M = 20. n near 100,000: 30 Gaussians in 16 features, M = 20, k_m in 2..316, where a "
    text += (
        "matrix would take 40 GB. n near 20,000: twelve groups, M = 100, 15 % of the labels drawn anew, hardest for "
    )
    text += (
        "searches; either: what is taken where nobody says. Labels in, labels out, a fresh process each; peak memory "
    )
    text += "includes the start, where base clusterings were made.\n\n"
    publish(text + table(header, rows) + f"\n\nPool LR: {equal_partitions()}.", chosen.out)


if __name__ == "__main__":
    main()
