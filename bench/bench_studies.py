"""Studies beside one cell at a time: what sharing saves, and what a task costs: `python -m bench.bench_studies`."""

import tempfile
import time
from pathlib import Path

import numpy as np

from bench.harness import arguments, interleaved, machine, pool, publish, seconds_text, table
from engine import consensus_methods, generators, metrics, run_consensus
from engine.studies import units
from engine.studies.running import run_study
from engine.studies.sources import Source
from engine.studies.store import Store
from engine.studies.study import Study

THETAS = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 2.0)
LENGTHS = tuple(range(1, 21))
DRAWS = 20


def mnist() -> Source:
    """The MNIST pool of LWEA: N = 5,000."""
    labels, truth = pool("pools/lwea/MNIST")
    return Source("MNIST", pool=labels, truth=truth)


def alone(source: Source, study: Study) -> dict[tuple, float]:
    """Every cell by itself: draw, run, score; NMI by (method, setting, repeat)."""
    found = {}
    for method in study.methods:
        for repeat in range(study.repeats):
            for setting in study.settings(method):
                made = generators.draw(source.pool, study.n_clusterings[0], study.seed + repeat)
                labels = run_consensus(method, made, source.true_k, setting, study.seed + repeat).labels
                found[method, setting, repeat] = metrics.scores(labels, source.truth)["nmi_max"]
    return found


def together(source: Source, study: Study) -> dict[tuple, float]:
    """The same cells as a study, into a new store; nothing is left from a run before."""
    units.ENSEMBLES = units.Ensembles()
    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "records.sqlite")
        records = run_study(study, {source.name: source}, store)
        store.close()
    cells = [
        (method, setting, repeat)
        for repeat in range(study.repeats)
        for method in study.methods
        for setting in study.settings(method)
    ]
    return dict(zip(cells, [record.nmi_max for record in records], strict=True))


def sweep_row(name: str, source: Source, study: Study, repeats: int) -> list[str]:
    """A sweep as a study, and one cell at a time, interleaved."""
    warm = Study(study.datasets, study.methods, repeats=1, n_clusterings=study.n_clusterings)
    alone(source, warm)
    together(source, warm)
    found: dict[str, dict] = {}
    times = interleaved(
        {
            "study": lambda: found.update(study=together(source, study)),
            "alone": lambda: found.update(alone=alone(source, study)),
        },
        repeats,
    )
    ratio = np.median(times["alone"]) / np.median(times["study"])
    same = found["study"] == found["alone"]
    return [
        name,
        seconds_text(times["study"]),
        seconds_text(times["alone"]),
        f"{ratio:.1f}x",
        f"{len(found['alone']):,} cells, results {'the same' if same else 'DIFFER'}",
    ]


def overhead_row() -> list[str]:
    """10,000 tasks that do next to nothing, as a study and as plain calls."""
    rng = np.random.default_rng(0)
    tiny = Source("tiny", pool=rng.integers(3, size=(30, 40)), truth=rng.integers(3, size=30))
    study = Study(("tiny",), ("eac",), repeats=10_000, n_clusterings=(5,))
    sample = Study(("tiny",), ("eac",), repeats=1_000, n_clusterings=(5,))
    together(tiny, sample)
    start = time.perf_counter()
    together(tiny, study)
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    alone(tiny, sample)
    plain = (time.perf_counter() - start) / 1_000
    each = seconds / 10_000
    return [
        "10,000 tasks of EAC on 30 objects",
        f"{seconds:.1f} s, {1e3 * each:.2f} ms a task",
        f"{1e3 * plain:.2f} ms a task",
        f"{1e3 * (each - plain):.2f} ms added",
        "the ensembles are made in both; one run each",
    ]


def main() -> None:
    """Measure, print, and write where `--out` says."""
    chosen = arguments()
    consensus_methods()
    source = mnist()
    rows = [
        sweep_row(
            f"{consensus_methods()[method].title}, theta x {len(THETAS)} x {DRAWS} draws",
            source,
            Study(("MNIST",), (method,), repeats=DRAWS, grid={method: {"theta": THETAS}}),
            3,
        )
        for method in ("lwea", "lwgp")
    ]
    rows.append(
        sweep_row(
            f"PTA, T = 1..20 x {4} draws",
            source,
            Study(("MNIST",), ("pta",), repeats=4, grid={"pta": {"T": LENGTHS}}),
            3,
        )
    )
    rows.append(overhead_row())
    header = ["what", "as a study, median (range)", "each cell alone, median (range)", "ratio", "note"]
    words = "Pool lwea/MNIST, N = 5,000, M = 10, k = 10. Both in one warm process, interleaved."
    publish(f"# Studies\n\n{words}\n\n{machine()}\n\n{table(header, rows)}", chosen.out)


if __name__ == "__main__":
    main()
