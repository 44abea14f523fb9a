"""CSPA, HBGF and MCLA beside the METIS call inside them: `python -m bench.bench_partitioners`."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench.harness import (
    arguments,
    in_fresh_process,
    interleaved,
    machine,
    peak_mb,
    publish,
    report_task,
    seconds_text,
    table,
)
from engine import Ensemble, Monitor, consensus_methods, run_consensus
from engine.generators import kmeans_ensemble
from engine.graphs import metis_cuts

ME = "bench.bench_partitioners"
K = 10
#: Task: method, N, and what its time is held against.
TASKS = {"cspa": ("cspa", 5_000), "hbgf": ("hbgf", 20_000), "mcla": ("mcla", 5_000), "hbgf_small": ("hbgf", 5_000)}
#: HBGF cuts spectrally by default.
PARAMS = {"hbgf": {"partitioner": "metis"}}


def labels_of(n_objects: int) -> np.ndarray:
    """M = 20 k-means clusterings, k from 2 to sqrt N, of ten overlapping blobs in ten dimensions: (N, 20)."""
    rng = np.random.default_rng(0)
    points = rng.normal(size=(n_objects, 10)) + rng.uniform(-4, 4, size=(10, 10))[rng.integers(10, size=n_objects)]
    return np.array(kmeans_ensemble(points, 20, seed=0).labels)


def stored(n_objects: int) -> Path:
    """Where the labels wait for the process that measures memory."""
    return Path(tempfile.gettempdir(), f"concord_bench_{n_objects}.npy")


class InsideMetis(Monitor):
    """Keeps what METIS was given last, so that the same call can be timed alone."""

    def __init__(self) -> None:
        self.call = metis_cuts.cut
        self.given: tuple = ()
        metis_cuts.cut = self.keep

    def keep(self, *given):
        """Call METIS, and remember with what."""
        self.given = given
        return self.call(*given)


def task_time(task: str, repeats: int = 7) -> None:
    """Interleaved: the whole method on an ensemble never seen before, and its METIS call alone."""
    key, n = TASKS[task]
    labels, inside = labels_of(n), InsideMetis()
    run_consensus(key, Ensemble.from_labels(labels[:300]), K, PARAMS.get(key))
    ensembles = iter([Ensemble.from_labels(labels) for _ in range(repeats + 1)])
    run_consensus(key, next(ensembles), K, PARAMS.get(key))
    given = inside.given
    candidates = {
        "method": lambda: run_consensus(key, next(ensembles), K, PARAMS.get(key)),
        "metis": lambda: inside.call(*given),
        "one_cut": lambda: with_one_cut(inside.call, given),
    }
    times = interleaved(candidates, repeats)
    report_task({name: values.tolist() for name, values in times.items()})


def with_one_cut(call: Callable, given: tuple) -> None:
    """The same METIS call with METIS's default of a single cut."""
    kept, metis_cuts.N_CUTS = metis_cuts.N_CUTS, 1
    call(*given)
    metis_cuts.N_CUTS = kept


def task_memory(task: str) -> None:
    """One run in a process that did not make the ensemble: labels come from a file."""
    key, n = TASKS[task]
    labels = np.load(stored(n))
    run_consensus(key, Ensemble.from_labels(labels[:300]), K, PARAMS.get(key))
    before = peak_mb()
    result = run_consensus(key, Ensemble.from_labels(labels), K, PARAMS.get(key))
    report_task({"before": before, "n": len(result.microclusters), "repaired": result.trace["repaired"]})


def row(task: str) -> tuple[list[str], float]:
    """A line of the table, and the median seconds of the method."""
    key, n = TASKS[task]
    np.save(stored(n), labels_of(n))
    times = {name: np.array(values) for name, values in in_fresh_process(ME, task).items() if name != "peak_mb"}
    memory = in_fresh_process(ME, f"memory_{task}")
    median = float(np.median(times["method"]))
    note = f"n = {memory['n']:,}, {memory['repaired']} parts repaired; {memory['before']:.0f} MB before it starts"
    line = [
        f"{consensus_methods()[key].title}, N = {n:,}, M = 20, k = {K}",
        seconds_text(times["method"]),
        seconds_text(times["metis"]),
        f"{median / np.median(times['metis']):.2f}x",
        seconds_text(times["one_cut"]),
        f"{median - np.median(times['metis']):.3f} s",
        f"{memory['peak_mb']:.0f} MB",
        note,
    ]
    return line, median


def main() -> None:
    """Measure, print, and write where `--out` says."""
    chosen = arguments()
    if chosen.task:
        memory = chosen.task.startswith("memory_")
        (task_memory if memory else task_time)(chosen.task.removeprefix("memory_"))
        return
    measured = {task: row(task) for task in TASKS}
    header = [
        "what",
        "ours, median (range)",
        "its METIS call (best of five cuts)",
        "ratio",
        "METIS, one cut",
        "all but METIS",
        "peak memory",
        "note",
    ]
    rows = table(header, [line for line, _ in measured.values()])
    ratio = measured["mcla"][1] / measured["hbgf_small"][1]
    publish(f"# Partitioners\n\n{machine()}\n\n{rows}\n\nMCLA / HBGF at N = 5,000: {ratio:.2f}x", chosen.out)


if __name__ == "__main__":
    main()
