"""EC-CMS beside an older state of itself, in turns: `python -m bench.bench_ec_cms_size --old FOLDER`.

FOLDER holds that state: `git archive COMMIT engine data ui bench | tar -x -C FOLDER`. Every run is a
process of its own; labels and residuals of the two are compared.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.harness import machine, pool, publish, seconds_text, table

ROUNDS = 3
POOLS = ("MNIST", "LR")
M, LAMBDAS = 20, np.geomspace(0.1, 1, 12)
#: Objects that make about so many microclusters.
LARGE = 20_600


def _labels(what: str) -> tuple[np.ndarray, int]:
    """Base clusterings (N, M), and k."""
    if what == "large":
        from bench.bench_costs import views

        return views(LARGE, M, 100), 5
    if what == "digits":
        from sklearn.datasets import load_digits

        from engine.generators import kmeans_ensemble

        return kmeans_ensemble(load_digits().data, M, seed=0).labels, 10
    members, truth = pool(f"pools/lwea/{what}")
    return np.ascontiguousarray(members[:, :M]), len(np.unique(truth))


def run_once(what: str, out: str) -> None:
    """Labels in, labels out; the median of lambda moves for digits."""
    from bench.harness import peak_mb
    from engine import Ensemble, run_consensus

    labels, k = _labels(what)
    run_consensus("ec_cms", Ensemble.from_labels(labels[:300]), 3)  # kernels are loaded before the clock runs
    made = Ensemble.from_labels(labels)
    seconds = []
    for lam in LAMBDAS if what == "digits" else [0.4]:
        start = time.perf_counter()
        found = run_consensus("ec_cms", made, k, {"lam": lam}, record=("enhanced",) if what == "digits" else ())
        seconds.append(time.perf_counter() - start)
    residuals = found.trace["residuals"]
    np.savez(out, labels=found.labels, residuals=residuals, seconds=np.median(seconds), peak=peak_mb())


def _in(folder: Path, what: str, out: Path) -> dict[str, np.ndarray]:
    """One run by the engine of a folder."""
    here = Path(__file__).resolve()
    line = f"import runpy; runpy.run_path({str(here)!r})['run_once']({what!r}, {str(out)!r})"
    subprocess.run([sys.executable, "-c", line], check=True, env=os.environ | {"PYTHONPATH": str(folder)}, cwd=folder)
    with np.load(out) as archive:
        return dict(archive)


def row(what: str, old: Path | None, name: str) -> list[str]:
    """A line of the table."""
    folders = [Path.cwd(), *([old] if old else [])]
    with TemporaryDirectory() as scratch:
        out = Path(scratch) / "run.npz"
        runs = [[_in(folder, what, out) for folder in folders] for _ in range(ROUNDS)]
    seconds = np.array([[one["seconds"] for one in together] for together in runs])
    peaks = [f"{max(float(together[i]['peak']) for together in runs) / 1024:.2f} GiB" for i in range(len(folders))]
    note = f"{len(runs[0][0]['residuals'])} iterations"
    if not old:
        return [name, seconds_text(seconds[:, 0]), "-", "-", peaks[0], "-", note]
    first, second = runs[0]
    shared = min(len(first["residuals"]), len(second["residuals"]))
    ratios = first["residuals"][1:shared] / np.maximum(second["residuals"][1:shared], 1e-300)
    same = "same labels" if (first["labels"] == second["labels"]).all() else "OTHER LABELS"
    note += f" and {len(second['residuals'])}; {same}; residuals within {np.abs(ratios - 1).max():.0e}"
    ratio = f"{np.median(seconds[:, 1] / seconds[:, 0]):.2f}x"
    return [name, seconds_text(seconds[:, 0]), seconds_text(seconds[:, 1]), ratio, *peaks, note]


def main() -> None:
    """All sets, old and new in turns; the largest by the new one alone, which the old one would refuse."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    parser.add_argument("--old", type=Path, required=True)
    chosen = parser.parse_args()
    rows = [row(what, chosen.old.resolve(), f"{what}, M = {M}: labels in, labels out") for what in POOLS]
    rows.append(row("digits", chosen.old.resolve(), "digits: a lambda move, labels and matrix, median of 12"))
    rows.append(row("large", None, f"made, N = n = {LARGE:,}, M = {M}"))
    header = ["what", "now, median (range)", "before", "ratio", "peak now", "peak before", "note"]
    text = f"# EC-CMS beside its older state\n\n{machine()}\n\nIn turns, {ROUNDS} rounds, a process each.\n\n"
    publish(text + table(header, rows), chosen.out)


if __name__ == "__main__":
    main()
