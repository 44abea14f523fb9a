"""Methods that cluster the labels themselves, beside the same formulas in plain numpy: `python -m bench.bench_medians`.

KCC and SEC with 20 starts, DREC with its eigenvectors and with a further lambda once they are there. `--task million`
runs KCC and SEC on a million objects, which takes many minutes.
"""

import time
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.linalg import eigh
from sklearn.cluster import KMeans

from bench.bench_foundations import million
from bench.bench_pta import nearly_distinct
from bench.bench_rivals import K, one_hot
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
from engine import Ensemble, consensus_methods, metrics, run_consensus

ME = "bench.bench_medians"
STARTS = 20
MILLION = ("kcc", "sec")
#: What is run: the words beside it, the method, its parameters, and how many of the objects.
RUNS: dict[str, tuple[str, dict[str, object], int]] = {
    "KCC, U_c, 20 starts without single moves": ("kcc", {"starts": STARTS, "polish": False}, 5000),
    "KCC, U_c, 20 starts": ("kcc", {"starts": STARTS}, 5000),
    "KCC, U_H, 20 starts": ("kcc", {"starts": STARTS, "utility": "U_H"}, 5000),
    "SEC, 20 starts": ("sec", {"starts": STARTS}, 5000),
    "DREC, n = 3,000": ("drec", {}, 3000),
}


def rounds(rows: np.ndarray, centres: np.ndarray, own: Callable, average: Callable) -> np.ndarray:
    """Lloyd's rounds until no label changes: `own(labels)` are the centres' terms, (rows @ centres) the rest."""
    labels = np.full(len(rows), -1)
    for _ in range(100):
        found = (own(centres) - 2 * rows @ average(centres)).argmin(axis=1)
        if (found == labels).all():
            break
        labels = found
        for j in np.unique(labels):
            centres[j] = rows[labels == j].mean(axis=0)
    return labels


def plain_kcc(labels: np.ndarray, utility: str = "U_c") -> np.ndarray:
    """Dense one-hot rows, the best of 20 starts at objects; squared distances, or information in bits."""
    z, rng = one_hot(labels)[0], np.random.default_rng(0)
    entropic = utility == "U_H"
    own = (lambda p: 0.0) if entropic else (lambda p: (p**2).sum(axis=1))
    average = (lambda p: np.log2(p + 1e-16).T / 2) if entropic else (lambda p: p.T)
    found = [rounds(z, z[rng.choice(len(z), K, replace=False)], own, average) for _ in range(STARTS)]
    return min(found, key=lambda one: kcc_cost(labels, one, utility))


def kcc_cost(labels: np.ndarray, found: np.ndarray, utility: str = "U_c") -> float:
    """Total squared distance to the centres, or total entropy in bits."""
    z, _ = one_hot(labels)
    counts = one_hot(found[:, None])[0].T @ z
    sizes = np.bincount(np.unique(found, return_inverse=True)[1])[:, None]
    if utility == "U_H":
        return float(-(counts * np.log2(np.where(counts > 0, counts / sizes, 1))).sum())
    return float(len(z) * labels.shape[1] - (counts**2 / sizes).sum())


def plain_sec(labels: np.ndarray) -> np.ndarray:
    """Rows over their weight, weighted k-means, the best of 20 starts at objects."""
    z, rng = one_hot(labels)[0], np.random.default_rng(0)
    weight = z @ z.sum(axis=0)
    rows = z / weight[:, None]
    found = []
    for _ in range(STARTS):
        centres, old = rows[rng.choice(len(z), K, replace=False)], None
        for _ in range(100):
            groups = ((centres**2).sum(axis=1) - 2 * rows @ centres.T).argmin(axis=1)
            if old is not None and (groups == old).all():
                break
            old = groups
            for j in np.unique(groups):
                centres[j] = z[groups == j].sum(axis=0) / weight[groups == j].sum()
        found.append(groups)
    return min(found, key=partial(sec_cost, labels))


def sec_cost(labels: np.ndarray, found: np.ndarray) -> float:
    """Normalised cut of the co-association matrix, diagonal included."""
    z, _ = one_hot(labels)
    counts, weight = one_hot(found[:, None])[0].T @ z, z @ z.sum(axis=0)
    volumes = np.bincount(np.unique(found, return_inverse=True)[1], weights=weight)
    return float(len(volumes) - ((counts**2).sum(axis=1) / volumes).sum())


def plain_drec(labels: np.ndarray) -> np.ndarray:
    """Gram matrix of all objects, five rounds, singular vectors of Z, their angles sharpened, k-means."""
    z, lam = one_hot(labels)[0], 100.0
    values, q = np.linalg.eigh(z @ z.T)
    values, mu = np.maximum(values, 0), np.full(len(z), lam)
    for _ in range(4):
        mu = 2 * lam * np.sqrt((q**2 * values * (mu[:, None] / (values + mu[:, None])) ** 2).sum(axis=1))
    u, s, _ = np.linalg.svd(q @ (values / (values + mu[:, None]) * q).T)
    kept = s > 1e-4 * s[0]
    rows = u[:, kept] * np.sqrt(s[kept])
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    graph = (rows @ rows.T) ** 4
    root = 1 / np.sqrt(graph.sum(axis=1))
    vectors = eigh(graph * root * root[:, None], subset_by_index=[len(z) - K, len(z) - 1])[1]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return KMeans(K, n_init=100, random_state=0).fit_predict(vectors)


def plain(key: str, labels: np.ndarray, utility: str) -> np.ndarray:
    """The plain version of a method."""
    if key == "kcc":
        return plain_kcc(labels, utility)
    return plain_sec(labels) if key == "sec" else plain_drec(labels)


def answers(key: str, labels: np.ndarray, ours: np.ndarray, theirs: np.ndarray, utility: str) -> str:
    """What both came to: the objective, the lower the better, or how far they agree."""
    if key == "drec":
        return f"ARI {metrics.ari(ours, theirs):.4f}"
    cost = partial(kcc_cost, utility=utility) if key == "kcc" else sec_cost
    return f"objective {cost(labels, ours):.6g} and {cost(labels, theirs):.6g}"


def row_of(name: str) -> list[str]:
    """Ours and the plain version by turns, labels in and labels out."""
    key, params, n = RUNS[name]
    labels, utility = nearly_distinct()[:n], str(params.get("utility", "U_c"))
    run_consensus(key, Ensemble.from_labels(labels[:400]), K, params)  # kernels are loaded before we count
    found: dict[str, np.ndarray] = {}
    candidates = {
        "ours": lambda: found.update(ours=run_consensus(key, Ensemble.from_labels(labels), K, params).labels),
        "plain": lambda: found.update(plain=plain(key, labels, utility)),
    }
    seconds = interleaved(candidates, 3)
    ours, theirs = (float(np.median(seconds[one])) for one in candidates)
    runs = [in_fresh_process(ME, name) for _ in range(2)]
    return [
        name,
        seconds_text(seconds["ours"]),
        seconds_text(seconds["plain"]),
        f"{theirs / ours:.1f}x",
        f"{max(run['peak_mb'] - run['before_mb'] for run in runs):.0f} MB",
        answers(key, labels, found["ours"], found["plain"], utility),
    ]


def further_lambda() -> list[str]:
    """DREC on an ensemble that already has its eigenvectors, as under a slider."""
    ensemble = Ensemble.from_labels(nearly_distinct()[:3000])
    run_consensus("drec", ensemble, K)
    seconds = interleaved({"again": lambda: run_consensus("drec", ensemble, K, {"lam": 10.0})})["again"]
    return ["DREC, n = 3,000, a further lambda", seconds_text(seconds), "-", "-", "-", "-"]


def task_of(task: str) -> None:
    """One run in a process of its own; "million kcc" on a million objects."""
    large = task.startswith("million")
    key, params, n = (task.split()[-1], {}, 0) if large else RUNS[task]
    labels = million() if large else nearly_distinct()[:n]
    run_consensus(key, Ensemble.from_labels(labels[:2000]), K, params)
    before, start = resident_mb(), time.perf_counter()
    result = run_consensus(key, Ensemble.from_labels(labels), K, params)
    report_task({"seconds": time.perf_counter() - start, "before_mb": before, "n": len(result.microclusters)})


def million_row(key: str) -> list[str]:
    """Fresh processes on N = 1,000,000 with the method's own number of starts."""
    runs = [in_fresh_process(ME, f"million {key}")]
    above = max(run["peak_mb"] - run["before_mb"] for run in runs)
    method, seconds = consensus_methods()[key], np.array([run["seconds"] for run in runs])
    note = f"n = {runs[0]['n']:,.0f}, {method.params().as_dict()['starts']} starts"
    return [method.title, seconds_text(seconds), f"{above:.0f} MB", note]


def main() -> None:
    """Measure, print, and write where `--out` says."""
    chosen = arguments()
    if chosen.task and chosen.task != "million":
        task_of(chosen.task)
        return
    if chosen.task:
        header = ["method", "median (range)", "peak memory above the start", "note"]
        text = f"# KCC and SEC on a million objects\n\n{machine()}\n\nN = 1,000,000, M = 20, k = {K}, "
        text += "one fresh process each:\n\n"
        publish(text + table(header, [million_row(key) for key in MILLION]), chosen.out)
        return
    text = f"# Methods that cluster the labels\n\n{machine()}\n\nN = 5,000 unless said, M = 20, k = {K}, "
    text += "labels in, labels out. Plain numpy makes no single moves; where ours does, the objective says what they "
    text += "are worth:\n\n"
    header = ["method", "ours, median (range)", "plain numpy", "ratio", "peak memory above the start", "ours and plain"]
    publish(text + table(header, [*map(row_of, RUNS), further_lambda()]), chosen.out)


if __name__ == "__main__":
    main()
