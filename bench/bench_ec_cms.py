"""EC-CMS at size, beside the plain N x N iteration, and how fast lambda answers: `python -m bench.bench_ec_cms`."""

import time

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import squareform
from sklearn.datasets import load_digits

from bench.bench_foundations import first_merges
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
from engine import Ensemble, Monitor, evidence, metrics, run_consensus
from engine.generators import kmeans_ensemble

ME = "bench.bench_ec_cms"
ALPHA, LAM, TOL = 0.8, 0.4, 1e-2
ROUNDS, ITERATIONS = 3, 4


class PlainECCMS:
    """EC-CMS the way a user would write it: N x N in float64, one inverse, numpy expressions, scipy's tree."""

    def __init__(self, labels: np.ndarray, theta: float = 0.4):
        n, m = labels.shape
        one_hot = np.hstack([column[:, None] == np.unique(column) for column in labels.T]).astype(float)
        shared = (one_hot.T @ one_hot) / one_hot.sum(axis=0)[:, None]
        entropy = -np.where(shared > 0, shared * np.log2(np.maximum(shared, 1e-300)), 0).sum(axis=1)
        self.a = (one_hot * np.exp(-entropy / (theta * m))) @ one_hot.T / m
        plain = one_hot @ one_hot.T / m
        self.omega = plain >= ALPHA - 1e-9
        h = np.where(self.omega, plain, 0)
        self.inverse = np.linalg.inv(2 * (np.diag(h.sum(axis=1)) - h) + 2 * np.eye(n))
        self.c, self.e, self.f, self.y2 = (np.zeros((n, n)) for _ in range(4))
        self.y1 = self.a.copy()

    def step(self) -> float:
        """One iteration; the largest of the five residuals."""
        c = self.inverse @ (self.a - self.e + self.y1 + self.f - self.y2)
        e = np.where(self.omega, 0, (self.a - c + self.y1) / (LAM + 1))
        p = c + self.y2
        f = np.clip((p + p.T) / 2, 0, 1)
        first, second = self.a - c - e, c - f
        changes = [(c - self.c, self.c), (e - self.e, self.e), (f - self.f, self.f), (first, self.y1)]
        changes.append((second, self.y2))
        with np.errstate(divide="ignore", invalid="ignore"):
            largest = np.nanmax([np.linalg.norm(new) / np.linalg.norm(old) for new, old in changes])
        self.c, self.e, self.f, self.y1, self.y2 = c, e, f, self.y1 + first, self.y2 + second
        return float(largest)

    def labels(self, k: int) -> np.ndarray:
        """Average linkage of C, and the first N - k merges."""
        c = (self.c + self.c.T) / 2
        return first_merges(linkage(squareform(1 - c, checks=False), "average"), len(c), k)


class Silence(Monitor):
    """The longest time without a tick: how long a wish to stop may wait."""

    def __init__(self):
        self.last, self.longest = time.perf_counter(), 0.0

    def tick(self, stage: str, done: int, total: int) -> None:
        """See `Monitor`."""
        now = time.perf_counter()
        self.longest, self.last = max(self.longest, now - self.last), now


def seconds(run) -> float:
    """Time of one call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def fct_row() -> list[str]:
    members, truth = pool("pools/lwea/FCT")
    labels, k = np.ascontiguousarray(members[:, :20]), len(np.unique(truth))
    result = run_consensus("ec_cms", Ensemble.from_labels(labels), k)
    ours, set_ups, steps = [], [], []
    for _ in range(ROUNDS):
        ours.append(seconds(lambda: run_consensus("ec_cms", Ensemble.from_labels(labels), k)))
        start = time.perf_counter()
        plain = PlainECCMS(labels)
        set_ups.append(time.perf_counter() - start)
        steps.append([seconds(plain.step) for _ in range(ITERATIONS)])
    n_iterations = ITERATIONS + 1
    while plain.step() >= TOL and n_iterations < 100:  # to the end once, for the labels
        n_iterations += 1
    start = time.perf_counter()
    same = metrics.ari(result.labels, plain.labels(k))
    tree = time.perf_counter() - start
    scaled = np.array(set_ups) + n_iterations * np.median(steps, axis=1) + tree
    note = (
        f"n = {len(result.microclusters):,}; ARI {same:.6f}; {len(result.trace['residuals'])} and {n_iterations} "
        f"iterations; plain = set-up + {n_iterations} x the median of {ITERATIONS} iterations + tree, {ROUNDS} rounds"
    )
    what = "FCT, N = 3,780, M = 20, labels in, labels out, float32"
    ratio = f"{np.median(scaled) / np.median(ours):.0f}x"
    return [what, seconds_text(np.array(ours)), f"plain float64 N x N: {seconds_text(scaled)}", ratio, "", note]


def task_mnist() -> None:
    members, truth = pool("pools/lwea/MNIST")
    labels = np.ascontiguousarray(members[:, :20])
    run_consensus("ec_cms", Ensemble.from_labels(labels[:600]), 10)  # libraries and kernels are loaded before we count
    before = resident_mb()
    silence = Silence()
    start = time.perf_counter()
    result = run_consensus("ec_cms", Ensemble.from_labels(labels), 10, monitor=silence)
    report_task(
        {
            "seconds": time.perf_counter() - start,
            "before_mb": before,
            "n": len(result.microclusters),
            "iterations": len(result.trace["residuals"]),
            "silence": silence.longest,
            "nmi": metrics.nmi(result.labels, truth),
        }
    )


def mnist_row() -> list[str]:
    runs = [in_fresh_process(ME, "mnist") for _ in range(3)]
    n = int(runs[0]["n"])
    above = max(run["peak_mb"] - run["before_mb"] for run in runs)
    memory = f"{above:.0f} MB above the start = {above * 2**20 / (4 * n * n):.1f} float32 n x n arrays"
    note = (
        f"n = {n:,}, {runs[0]['iterations']} iterations, longest wait for a tick "
        f"{max(run['silence'] for run in runs):.2f} s, 3 processes"
    )
    return [
        "MNIST, N = 5,000, M = 20, labels in, labels out",
        seconds_text(np.array([r["seconds"] for r in runs])),
        "-",
        "-",
        memory,
        note,
    ]


def digits_rows() -> list[list[str]]:
    ensemble = kmeans_ensemble(load_digits().data, 20, seed=0)
    lams = np.geomspace(0.1, 1, 12)

    def move(lam: float) -> float:
        return seconds(lambda: run_consensus("ec_cms", ensemble, 10, {"lam": lam}, record=("enhanced",)))

    move(0.4)
    cold = np.array([move(lam) for lam in lams])
    a, plain = evidence.locally_weighted_co_association(ensemble), evidence.co_association(ensemble)
    sizes = ensemble.microclusters.sizes
    last, warm, iterations = evidence.enhance(a, plain, sizes, lam=0.09), [], []
    evidence.enhance(a, plain, sizes, lam=0.09, start=last.matrix)
    for lam in lams:
        start = time.perf_counter()
        last = evidence.enhance(a, plain, sizes, lam=lam, start=last.matrix)
        warm.append(time.perf_counter() - start)
        iterations.append(last.iterations)
    n = f"n = {len(sizes):,}, 12 moves"
    return [
        ["A lambda move, digits, N = 1,797, M = 20: labels and matrix", seconds_text(cold), "-", "-", "", n],
        [
            "The same move from the last matrix (`start`): the matrix alone",
            seconds_text(np.array(warm)),
            "-",
            "-",
            "",
            f"{n}, {min(iterations)} to {max(iterations)} iterations",
        ],
    ]


def main() -> None:
    chosen = arguments()
    if chosen.task:
        globals()[f"task_{chosen.task}"]()
        return
    header = ["what", "ours, median (range)", "instead", "ratio", "peak memory", "note"]
    rows = [fct_row(), mnist_row(), *digits_rows()]
    publish(f"# EC-CMS\n\n{machine()}\n\n{table(header, rows)}", chosen.out)


if __name__ == "__main__":
    main()
