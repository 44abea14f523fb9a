"""Methods at their full size beside an older state of themselves, in turns: `python -m bench.bench_sizes --old FOLDER`.

FOLDER holds that state: `git archive COMMIT engine data ui bench | tar -x -C FOLDER`. Every run is a process of its
own; labels, and residuals where there are, are compared. `--only WORD` runs the lines whose name has this word.
"""

import argparse
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bench.harness import machine, pool, publish, seconds_text, table

M, LAMBDAS = 20, np.geomspace(0.1, 1, 12)
#: Objects that make about so many microclusters.
LARGE = 20_600
#: Objects of a first run that is not measured: PTGP takes the form of the whole beyond as many rows as clusters.
WARM = {"ptgp": 6_000}


@dataclass(frozen=True)
class Size:
    """A line of the table: a method on some base clusterings, `rounds` times in each state."""

    name: str
    method: str
    labels: str
    rounds: int = 3
    #: The older state runs too; it would refuse the largest.
    beside: bool = True


SIZES = (
    Size("EC-CMS, pool MNIST, n = 3,049", "ec_cms", "MNIST"),
    Size("EC-CMS, pool LR, n = 9,020", "ec_cms", "LR"),
    Size("EC-CMS, digits: a lambda move, labels and matrix, median of 12", "ec_cms", "digits"),
    Size(f"EC-CMS, made, N = n = {LARGE:,}", "ec_cms", "large", 1, beside=False),
    Size("PTA, pool LR, n = 9,020", "pta", "LR"),
    Size("PTGP, pool LR, n = 9,020", "ptgp", "LR"),
    Size("PTGP, 100,000 objects in 30 Gaussians, n = 99,957", "ptgp", "gaussians 100,000", 1),
)


def labels_of(what: str) -> tuple[np.ndarray, int]:
    """Base clusterings (N, M), and k."""
    if what == "large":
        from bench.bench_costs import views

        return views(LARGE, M, 100), 5
    if what == "digits":
        from sklearn.datasets import load_digits

        from engine.generators import kmeans_ensemble

        return kmeans_ensemble(load_digits().data, M, seed=0).labels, 10
    if what.startswith("gaussians"):
        from bench.bench_large import file_of

        return np.load(file_of(what)), 30
    members, truth = pool(f"pools/lwea/{what}")
    return np.ascontiguousarray(members[:, :M]), len(np.unique(truth))


def run_once(method: str, what: str, out: str) -> None:
    """Labels in, labels out; the median of lambda moves for digits."""
    from bench.harness import peak_mb
    from engine import Ensemble, run_consensus

    matrix, k = labels_of(what)
    run_consensus(method, Ensemble.from_labels(matrix[: WARM.get(method, 300)]), 3)  # kernels are loaded before
    made, seconds = Ensemble.from_labels(matrix), []
    for lam in LAMBDAS if what == "digits" else [None]:
        start = time.perf_counter()
        params, record = ({"lam": lam}, ("enhanced",)) if lam else (None, ())
        found = run_consensus(method, made, k, params, record=record)
        seconds.append(time.perf_counter() - start)
    residuals = found.trace.get("residuals", np.zeros(0))
    np.savez(out, labels=found.labels, residuals=residuals, seconds=np.median(seconds), peak=peak_mb())


def _in(folder: Path, size: Size, out: Path) -> dict[str, np.ndarray]:
    """One run by the engine of a folder."""
    here = Path(__file__).resolve()
    call = f"run_path({str(here)!r})['run_once']({size.method!r}, {size.labels!r}, {str(out)!r})"
    line = f"from runpy import run_path; {call}"
    subprocess.run([sys.executable, "-c", line], check=True, env=os.environ | {"PYTHONPATH": str(folder)}, cwd=folder)
    with np.load(out) as archive:
        return dict(archive)


def row(size: Size, old: Path) -> list[str]:
    """A line of the table."""
    folders = [Path.cwd(), *([old] if size.beside else [])]
    with TemporaryDirectory() as scratch:
        out = Path(scratch) / "run.npz"
        runs = [[_in(folder, size, out) for folder in folders] for _ in range(size.rounds)]
    seconds = np.array([[one["seconds"] for one in together] for together in runs])
    peaks = [f"{max(float(together[i]['peak']) for together in runs) / 1024:.2f} GiB" for i in range(len(folders))]
    first, *second = runs[0]
    notes = [f"{len(first['residuals'])} iterations"] if len(first["residuals"]) else []
    if not second:
        return [size.name, seconds_text(seconds[:, 0]), "-", "-", peaks[0], "-", *notes]
    notes.append("same labels" if (first["labels"] == second[0]["labels"]).all() else "OTHER LABELS")
    if shared := min(len(first["residuals"]), len(second[0]["residuals"])):
        ratios = first["residuals"][1:shared] / np.maximum(second[0]["residuals"][1:shared], 1e-300)
        notes.append(f"residuals within {np.abs(ratios - 1).max():.0e}")
    ratio = f"{np.median(seconds[:, 1] / seconds[:, 0]):.2f}x"
    return [size.name, seconds_text(seconds[:, 0]), seconds_text(seconds[:, 1]), ratio, *peaks, "; ".join(notes)]


def main() -> None:
    """All sizes, old and new in turns."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path)
    parser.add_argument("--old", type=Path, required=True)
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    rows = [row(size, chosen.old.resolve()) for size in SIZES if chosen.only in size.name]
    header = ["what", "now, median (range)", "before", "ratio", "peak now", "peak before", "note"]
    words = f"M = {M}, labels in, labels out; in turns, a process each run, three rounds, one of the largest two."
    publish(f"# Methods at their full size\n\n{machine()}\n\n{words}\n\n{table(header, rows)}", chosen.out)


if __name__ == "__main__":
    main()
