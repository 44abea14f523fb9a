"""What every method costs, as a law in n, M and K that the page on methods reads: `python -m bench.bench_costs`.

`--only KEY KEY` measures these anew, scaled to the machine the other laws are from ("lwea without a matrix" is a key).

Writes `engine/consensus/costs.csv`: seconds and megabytes are sums of terms such as n^2 M, with factors of at least 0
fitted to the runs made here by their relative error.
"""

import csv
import sys
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from scipy.optimize import least_squares, nnls
from sklearn.datasets import make_blobs

from bench.harness import arguments, cpu_seconds, machine, publish, table
from engine import EngineError, Ensemble, consensus_methods, run_consensus
from engine.consensus.costs import COLUMNS, FILE, MEMORY, TIME, WITHOUT, Size, size_of, term_values, yardstick_run
from engine.generators import leiden_ensemble

#: Objects, base clusterings, and most clusters of each: hardly any two rows are alike, so that n is near N.
SIZES = (150, 500, 1500, 5000)
SHAPES = ((10, 20), (20, 20), (20, 50))
#: The same for trees without a matrix.
LARGE = (12_000, 30_000)
LARGE_SHAPES = ((10, 100), (20, 100), (20, 300), (100, 100))
TREES = ("eac", "weac", "lwea")
#: Terms that only searches through clusters have, and those that only matrices have.
OF_SEARCHES = ("n^2 M/K",)
OF_MATRICES = ("n^2", "n^2 M", "n^3", "nK")
OF_GRAPHS = ("E", "EM", "En/N", "EMn/N")
K = 5
RESULTS, HEADER = Path("bench/results/costs.md"), ["method", "runs", "largest n", "longest run", "off by at most"]
#: A method that takes so many seconds is not run on larger sets.
PATIENCE = 0.5


def views(n_objects: int, n_clusterings: int, most: int, seed: int = 0) -> np.ndarray:
    """Noisy views of five groups on a line: (N, M)."""
    rng = np.random.default_rng(seed)
    place = rng.integers(5, size=n_objects) * 1000 + rng.integers(1000, size=n_objects)
    columns = []
    for _ in range(n_clusterings):
        edges = np.sort(rng.choice(5000, int(rng.integers(2, most + 1)) - 1, replace=False))
        columns.append(np.searchsorted(edges, place + rng.normal(0, 200, n_objects)))
    return np.stack(columns, axis=1)


def clear(n_objects: int, n_clusterings: int, most: int, seed: int = 0) -> np.ndarray:
    """Thirty Gaussians in 16 features, every object with the nearest of some of them: (N, M)."""
    rng = np.random.default_rng(seed)
    points = make_blobs(n_objects, 16, centers=30, cluster_std=3.0, random_state=seed)[0]
    columns = []
    for _ in range(n_clusterings):
        centres = points[rng.choice(n_objects, int(rng.integers(2, most + 1)), replace=False)]
        columns.append((np.square(centres).sum(axis=1) / 2 - points @ centres.T).argmin(axis=1))
    return np.stack(columns, axis=1)


def soft(labels: np.ndarray) -> Ensemble:
    """The same with memberships: nine tenths to the own cluster, the rest to all."""
    hard = Ensemble.from_labels(labels)
    share = 0.1 / np.repeat(hard.n_clusters_each, hard.n_clusters_each)
    memberships = np.tile(share, (len(labels), 1))
    memberships[np.arange(len(labels))[:, None], hard.cluster_index] += 0.9
    return Ensemble.from_labels(labels, memberships=memberships)


def on_graphs(key: str) -> np.ndarray:
    """The same of a method for graphs, and edges and objects: neighbours of points in groups, and in none."""
    found = []
    for n_runs, near, sizes in ((10, 15, SIZES[1:]), (20, 15, (*SIZES[1:], 20_000)), (20, 40, SIZES[1:])):
        for size in sizes:
            for spread in (4.0, 40.0):
                points = make_blobs(size, 20, centers=12, cluster_std=spread, random_state=0)[0]
                made = leiden_ensemble(points, n_runs, neighbors=(near, near))
                seconds, peak = _seconds(key, made), _peak(key, made)
                found.append((*size_of(made)[:3], seconds, peak, *size_of(made)[3:]))
    return np.array(found)


def measured(
    key: str,
    sizes: Sequence[int] = SIZES,
    shapes: Sequence[tuple[int, int]] = SHAPES,
    make: Callable[[int, int, int], np.ndarray] = views,
) -> np.ndarray:
    """(n, M, K, seconds, MB) of every run that the method takes, smallest first."""
    found = []
    for n_clusterings, most in shapes:
        for size in sizes:
            labels = make(size, n_clusterings, most)
            made = soft(labels) if "memberships" in consensus_methods()[key].needs else Ensemble.from_labels(labels)
            try:
                seconds = _seconds(key, made)
                if seconds < PATIENCE / 4:
                    seconds = min(seconds, _seconds(key, made))
            except EngineError:
                break  # a method may refuse large sets
            peak = _peak(key, made)
            found.append((len(made.microclusters), n_clusterings, made.n_clusters_total, seconds, peak))
            if seconds > PATIENCE and sizes is SIZES:
                break
    return np.array(found)


def _peak(key: str, made: Ensemble) -> float:
    """Largest memory of a run beside what was there before, in MB."""
    tracemalloc.start()
    _seconds(key, made)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    return peak


def _seconds(key: str, given: Ensemble) -> float:
    """CPU seconds of one run on an ensemble that remembers nothing; others on the machine do not count."""
    made = Ensemble.from_labels(given.labels, memberships=given.memberships, graph=given.graph)
    start = cpu_seconds()
    run_consensus(key, made, K)
    return cpu_seconds() - start


def law(runs: np.ndarray, column: int, terms: Sequence[str], without: Sequence[str] = ()) -> np.ndarray:
    """Factors of the terms, (T,), none below 0: from the least relative error to the least squares of logarithms.

    A run far above the law counts as much as one far below. Terms `without` get no factor.
    """
    design = np.array([term_values(terms, size) for size in _sizes(runs)])
    largest = np.maximum(design.max(axis=0), np.finfo(float).tiny)
    design /= largest
    design[:, [term in without for term in terms]] = 0
    first = nnls(design / runs[:, [column]], np.ones(len(runs)))[0]
    kept = first > 0
    found = least_squares(
        lambda logs: np.log(design[:, kept] @ np.exp(logs)) - np.log(runs[:, column]), np.log(first[kept])
    )
    first[kept] = np.exp(found.x)
    return first / largest


def _sizes(runs: np.ndarray) -> list[Size]:
    """Those of the runs; on a graph their lines have two numbers more."""
    return [Size(*run[:3], *run[5:]) for run in runs]


def line_of(name: str, runs: np.ndarray, yardstick: float, without: Sequence[str]) -> tuple[list[str], list[object]]:
    """A method's line of the report, and of the file of laws."""
    seconds, memory = law(runs, 3, TIME, without), law(runs, 4, MEMORY, without)
    told = np.array([term_values(TIME, size) for size in _sizes(runs)]) @ seconds
    off = np.exp(np.abs(np.log(told / runs[:, 3])).max())
    words = [name, str(len(runs)), f"{runs[:, 0].max():,.0f}", f"{runs[:, 3].max():.3g} s", f"{off:.2f}x"]
    factors = [f"{value:.6g}" for value in (*seconds, *memory)]
    return words, [name, *factors, int(runs[:, 0].max()), f"{off:.3g}", f"{yardstick:.6g}"]


def _runs_of(key: str) -> tuple[np.ndarray, Sequence[str]]:
    """The runs of a method, and the terms that its law may not have; "lwea without a matrix" is one of its own."""
    tree = key.removesuffix(WITHOUT.format(""))
    if tree != key:
        runs = [measured(tree, LARGE, LARGE_SHAPES, make) for make in (views, clear)]  # what it takes hangs on both
        return np.concatenate(runs), (*OF_MATRICES, *OF_GRAPHS)
    if "graph" in consensus_methods()[key].needs:
        return on_graphs(key), [one for one in (*TIME, *MEMORY) if "E" not in one and one not in ("1", "nM")]
    return measured(key), (*OF_SEARCHES, *OF_GRAPHS)


def anew(keys: Sequence[str]) -> None:
    """Measure some methods, and put their laws among the others."""
    with FILE.open(encoding="utf-8", newline="") as file:
        header, *lines = csv.reader(file)
    there = float(lines[0][-1])
    share = there / min(yardstick_run() for _ in range(5))
    for key in keys:
        runs, without = _runs_of(key)
        runs[:, 3] *= share
        words, line = line_of(key, runs, there, without)
        lines = [other for other in lines if other[0] != key] + [[str(value) for value in line]]
        _tell_anew(words)
    methods = sorted((line for line in lines if " " not in line[0]), key=lambda line: line[0])
    with FILE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *methods, *(one for one in lines if " " in one[0])])


def _tell_anew(words: list[str]) -> None:
    """Put a method's line into the table, in its place, and print it."""
    print(table(HEADER, [words]))  # noqa: T201
    above, below = RESULTS.read_text().split("| --- |", 1)
    rows = [line for line in below.splitlines()[1:] if line and not line.startswith(f"| {words[0]} |")]
    rows.append("| " + " | ".join(words) + " |")
    rows.sort(key=lambda line: (" without " in line, line))
    RESULTS.write_text("\n".join([above + "| --- |" + below.splitlines()[0], *rows]) + "\n")


def main() -> None:
    """Measure all methods, write the laws, print how well they fit."""
    if "--only" in sys.argv:
        anew(sys.argv[sys.argv.index("--only") + 1 :])
        return
    chosen = arguments()
    yardstick = min(yardstick_run() for _ in range(5))
    keys = [key for key, one in consensus_methods().items() if not one.unavailable]
    runs_of = ((key, *_runs_of(key)) for key in (*keys, *map(WITHOUT.format, TREES)))
    found = [line_of(key, runs, yardstick, without) for key, runs, without in runs_of]
    with FILE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *(line for _, line in found)])
    text = f"# What methods cost\n\n{machine()}\n\nCPU seconds as sums of 1, {', '.join(TIME[1:])}, k = {K}; "
    text += (
        "of a graph N objects, E edges, with structure and without; the last column is the largest factor between a "
    )
    text += "run and its law.\n\n"
    publish(text + table(HEADER, [words for words, _ in found]), chosen.out or RESULTS)


if __name__ == "__main__":
    main()
