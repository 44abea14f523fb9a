"""Speed of choosing k and of confidence beside plain versions: `python -m bench.bench_choosing_k_speed`."""

import argparse
import time
from pathlib import Path

import numpy as np
from sklearn.cluster import KMeans

from bench.harness import in_fresh_process, interleaved, machine, publish, report_task, seconds_text, table
from engine import Ensemble, confidence
from engine.choosing_k import EFFORTS, Effort, choose_k, consensus_runs
from engine.generators import kmeans_ensemble

ME = "bench.bench_choosing_k_speed"


def plain_runs(points: np.ndarray, ks, repeats: int, share: float = 0.8) -> np.ndarray:
    """PAC of every k by scikit-learn's k-means and matrices of N x N counts."""
    n, found = len(points), []
    size = round(share * n)
    for k in ks:
        together, seen = np.zeros((n, n), np.int16), np.zeros((n, n), np.int16)
        for r in range(repeats):
            subset = np.sort(np.random.default_rng(r).permutation(n)[:size])
            labels = KMeans(k, n_init=1, random_state=r).fit_predict(points[subset])
            block = np.ix_(subset, subset)
            seen[block] += 1
            together[block] += labels[:, None] == labels
        upper = np.triu_indices(n, 1)
        values = together[upper] / np.maximum(seen[upper], 1)
        found.append(((values > 0.1 + 1e-9) & (values < 0.9 - 1e-9)).mean())
    return np.array(found)


def plain_margin(labels: np.ndarray, partition: np.ndarray) -> np.ndarray:
    """Margins by numpy: one contingency a base clustering."""
    k, n = int(partition.max()) + 1, len(labels)
    sizes, sums = np.bincount(partition, minlength=k), np.zeros((n, k))
    for column in labels.T:
        table_ = np.zeros((int(column.max()) + 1, k))
        np.add.at(table_, (column, partition), 1)
        sums += table_[column]
    sums[np.arange(n), partition] -= labels.shape[1]
    members = np.tile(sizes, (n, 1))
    members[np.arange(n), partition] -= 1
    shares = sums / np.maximum(members, 1) / labels.shape[1]
    own = shares[np.arange(n), partition].copy()
    shares[np.arange(n), partition] = -1
    return own - shares.max(axis=1)


def million() -> tuple[Ensemble, np.ndarray]:
    """N = 1,000,000 objects in 10 groups, M = 20 noisy copies."""
    rng = np.random.default_rng(0)
    groups = rng.integers(10, size=1_000_000)
    copies = [np.where(rng.random(len(groups)) < 0.2, rng.integers(10, size=len(groups)), groups) for _ in range(20)]
    return Ensemble.from_labels(np.stack(copies, axis=1)), groups


def speed() -> list[list[str]]:
    """Rows of the table of speed: what, ours, the plain version, the ratio."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(3, 5))[np.arange(500) % 3] * 4 + rng.normal(size=(500, 5))
    made, ks = kmeans_ensemble(points, 20, seed=0), range(2, 11)
    choose_k(made, features=points, k_max=3, effort=Effort(3, 3, 2))  # compiled before the clock runs
    rows = [
        _row(
            "PAC for k = 2..10, N = 500, R = 100, one set",
            interleaved(
                {"ours": lambda: consensus_runs(points, ks, 100).pac(), "plain": lambda: plain_runs(points, ks, 100)}, 3
            ),
        ),
        _row("quick form, N = 500, k to 10", interleaved({"ours": lambda: _chosen(points, made, "quick")}, 3)),
        _row(
            "full form, N = 500, k to 10, R = 100, B = 25",
            interleaved({"ours": lambda: _chosen(points, made, "full")}, 3),
        ),
    ]
    ensemble, groups = million()
    small = Ensemble.from_labels(ensemble.labels[:1000])
    confidence.margin(small, groups[:1000])
    both = {
        "ours": lambda: confidence.cluster_profile(ensemble, groups).margin,
        "plain": lambda: plain_margin(ensemble.labels, groups),
    }
    assert np.allclose(both["ours"](), both["plain"]())
    rows.append(_row("margins, N = 1,000,000, M = 20, k = 10", interleaved(both, 3)))
    return rows


def _chosen(points, made, effort: str):
    return choose_k(made, features=points, k_max=10, effort=EFFORTS[effort])


def _row(what: str, seconds: dict[str, np.ndarray]) -> list[str]:
    if "plain" not in seconds:
        return [what, seconds_text(seconds["ours"]), "-", "-"]
    ratio = np.median(seconds["plain"]) / np.median(seconds["ours"])
    return [what, seconds_text(seconds["ours"]), seconds_text(seconds["plain"]), f"{ratio:.1f}x"]


def large() -> dict[str, float]:
    """36,000 objects, 50 features, k to 15, R = 100: seconds."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(8, 50))[rng.integers(8, size=36_000)] + rng.normal(size=(36_000, 50))
    consensus_runs(points[:500], [2, 3], 4)
    start = time.perf_counter()
    found = consensus_runs(points, range(2, 16), 100)
    assert np.isfinite(found.pac()).all()
    assert np.isfinite(found.delta_area).all()
    return {"seconds": time.perf_counter() - start, "picked": float(found.ks[found.pac().argmin()])}


def main() -> None:
    """Run everything and write the table; `--skip-large` leaves out the 36,000 objects."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    parser.add_argument("--task")
    parser.add_argument("--skip-large", action="store_true")
    given = parser.parse_args()
    if given.task == "large":
        report_task(large())
        return
    lines = [
        "# Choosing k: speed",
        machine(),
        "Median (range); plain is numpy and scikit-learn's k-means in the same run:",
        table(["what", "ours", "plain", "ratio"], speed()),
    ]
    if not given.skip_large:
        found = in_fresh_process(ME, "large")
        lines.append(
            f"36,000 objects, 50 features, k to 15, R = 100, exact PAC, CDF and delta area: {found['seconds']:.0f} s, "
            f"{found['peak_mb']:.0f} MB at the height (PAC is lowest at k = {found['picked']:.0f}; 8 were drawn)."
        )
    publish("\n\n".join(lines), given.out)


if __name__ == "__main__":
    main()
