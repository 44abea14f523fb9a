"""What a machine does with millions of objects: `python -m bench.bench_large [--out FILE]`, a quarter of an hour.

LWEA on a million objects is in `bench_scale`. Labels are made once, beside the runs that are measured, and read from
files: peak memory is that of a program which loads labels and finds their consensus.
"""

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from bench.bench_scale import gaussians
from bench.harness import arguments, in_fresh_process, machine, publish, report_task, resident_mb, table
from engine import Ensemble, run_consensus
from engine.monitor import SILENT

ME = "bench.bench_large"
FOLDER = Path(tempfile.gettempdir()) / "concord_bench_large"
#: Clusters asked for: as many as there are groups.
K = {"gaussians": 30, "line": 10}


def line_views(n_objects: int, seed: int = 0) -> np.ndarray:
    """Noisy views of ten groups on a line, hardly two rows alike: (N, 20) uint8, k_m in [2, 50]."""
    rng = np.random.default_rng(seed)
    place = (rng.integers(10, size=n_objects) * 1000 + rng.integers(1000, size=n_objects)).astype(np.float32)
    labels = np.empty((n_objects, 20), np.uint8)
    for m in range(20):
        edges = np.sort(rng.choice(10_000, int(rng.integers(2, 51)) - 1, replace=False)).astype(np.float32)
        labels[:, m] = np.searchsorted(edges, place + rng.normal(0, 400, n_objects).astype(np.float32))
    return labels


#: Label matrices by name; those of k-means take minutes to make.
LABELS: dict[str, Callable[[], np.ndarray]] = {
    "gaussians 100,000": lambda: gaussians(100_000, (2, 316)),
    "gaussians 1,000,000": lambda: gaussians(1_000_000, (2, 1000)),
    "line 1,000,000": lambda: line_views(1_000_000),
    "line 2,000,000": lambda: line_views(2_000_000),
    "line 10,000,000": lambda: line_views(10_000_000),
}


def file_of(name: str) -> Path:
    """Where a label matrix is, made if it is not there."""
    path = FOLDER / f"{name.replace(' ', '_').replace(',', '')}.npy"
    if not path.exists():
        FOLDER.mkdir(exist_ok=True)
        np.save(path, LABELS[name]())
    return path


def task_of(task: str) -> None:
    """One run in a process of its own: "lwea of gaussians 100,000"."""
    what, _, name = task.partition(" of ")
    path = file_of(name)
    if what in OTHERS:
        report_task(OTHERS[what](path))
        return
    run_consensus(what, Ensemble.from_labels(np.load(path, mmap_mode="r")[:3000]), 5)  # kernels are loaded before
    before, start, cpu = resident_mb(), time.perf_counter(), time.process_time()
    labels = np.load(path)
    result = run_consensus(what, Ensemble.from_labels(labels), K[name.split()[0]])
    found = {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu, "before_mb": before}
    report_task({**found, "n": len(result.microclusters), "size_mb": labels.size / 2**20})


def pictures(path: Path) -> dict[str, float]:
    """Seconds of the co-association of all objects in an order by clusters, of a zoom, and of a zoom of the scatter."""
    from engine.similarities import pair_evidence  # noqa: PLC0415
    from ui.figures import density, matrix_image  # noqa: PLC0415 - only here
    from ui.scene.matrices import factor  # noqa: PLC0415

    labels = np.load(path)
    made, n = Ensemble.from_labels(labels), len(labels)
    order = np.lexsort(labels.T[:3])
    shown = factor(made, "ca", pair_evidence()["ca"].params.of({}), SILENT)
    points = np.random.default_rng(0).normal(size=(n, 2))
    windows = {"whole": (0, n, 0, n), "zoom": (n // 5, n // 2, n // 4, n // 3)}
    shown.window(order[:100], (0, 100, 0, 100))
    density(points[:1000], labels[:1000, 0], "light")
    made.remember("block profiles", dict).clear()
    found = {}
    for name, window in windows.items():
        start = time.perf_counter()
        matrix_image(shown.window(order, window), "light", scale="similarity", name="CA", extent=window)
        found[f"{name}_s"] = time.perf_counter() - start
    for name, extent in {"scatter_s": None, "scatter_zoom_s": (-1.0, 1.0, -1.0, 1.0)}.items():
        start = time.perf_counter()
        density(points, labels[:, 0], "light", extent=extent)
        found[name] = time.perf_counter() - start
    return found


def distributed(path: Path, scheduler: str | None) -> dict[str, float]:
    """LWGP over tiles of rows, by threads of this process or by the workers of a scheduler."""
    from engine.distributed import distributed_consensus  # noqa: PLC0415 - only here

    found = distributed_consensus(str(path), "lwgp", K["line"], scheduler=scheduler)
    assert found.labels is not None
    return {"seconds": found.seconds, "rounds": found.rounds, "sum": float(found.labels.astype(np.int64).sum())}


def by_workers(path: Path) -> dict[str, float]:
    """The same on a scheduler and two workers of one thread, on this machine."""
    from tests.engine.dask_cluster import running_cluster  # noqa: PLC0415 - only here

    with tempfile.TemporaryDirectory() as scratch, running_cluster(Path(scratch)) as (address, _):
        return distributed(path, address)


OTHERS: dict[str, Callable[[Path], dict[str, float]]] = {
    "pictures": pictures,
    "threads": lambda path: distributed(path, None),
    "workers": by_workers,
}
RUNS = (
    "lwea of gaussians 100,000",
    "eac of gaussians 100,000",
    "ptgp of gaussians 100,000",
    "lwgp of line 10,000,000",
    "usenc of line 10,000,000",
    "eac of gaussians 1,000,000",
)


def row(task: str) -> list[str]:
    """A line of the table of methods."""
    what, _, name = task.partition(" of ")
    file_of(name)
    run = in_fresh_process(ME, task)
    print(task, run, flush=True)
    size, own = run["size_mb"], run["peak_mb"] - run["before_mb"]
    cells = [what.upper(), name, f"{run['n']:,.0f}", f"{run['seconds']:.3g} s", f"{run['cpu']:.3g} s"]
    return [*cells, f"{run['peak_mb']:,.0f} MB", f"{own:,.0f} MB", f"{4 * size:,.0f} MB", f"{48 * size + 300:,.0f} MB"]


def main() -> None:
    """Measure, print, and write where `--out` says."""
    chosen = arguments()
    if chosen.task:
        task_of(chosen.task)
        return
    load = os.getloadavg()[0]
    header = ["method", "labels", "n", "wall-clock", "time of all cores", "peak memory", "above the start"]
    header += ["label matrix, 4 bytes each", "48 bytes each + 300 MB"]
    methods = table(header, [row(task) for task in RUNS])
    file_of("line 1,000,000")
    file_of("line 2,000,000")
    seen = in_fresh_process(ME, "pictures of line 1,000,000")
    threads, workers = (in_fresh_process(ME, f"{who} of line 2,000,000") for who in ("threads", "workers"))
    same = "the same labels" if threads["sum"] == workers["sum"] else "NOT the same labels"
    publish(
        TEXT.format(machine=machine(), load=load, methods=methods, same=same, **_words(seen, threads, workers)),
        chosen.out,
    )


def _words(seen: dict[str, float], threads: dict[str, float], workers: dict[str, float]) -> dict[str, str]:
    pictures = [
        ["CA of 1,000,000 objects, one order", f"{seen['whole_s']:.2f} s"],
        ["a zoom of it", f"{seen['zoom_s']:.2f} s"],
        ["density of 1,000,000 objects", f"{seen['scatter_s']:.2f} s"],
        ["a zoom of it", f"{seen['scatter_zoom_s']:.2f} s"],
    ]
    runs = [
        ["two threads of one process", f"{threads['seconds']:.1f} s"],
        ["two workers", f"{workers['seconds']:.1f} s"],
    ]
    return {"pictures": table(["picture", "server"], pictures), "distributed": table(["LWGP", "wall-clock"], runs)}


TEXT = """# Millions of objects

{machine}; load {load:.1f} at the start

One run each in a fresh process that loads the labels from a file; M = 20. "Gaussians": k-means on 30 Gaussians in 16
features, k_m in 2..sqrt(N), k = 30. "Line": noisy views of ten groups on a line, k_m in 2..50, k = 10.

{methods}

Pictures, from labels to what the browser gets, at the server:

{pictures}

LWGP on 2,000,000 x 20 labels in a file, tile by tile (`engine.distributed`); {same}:

{distributed}"""


if __name__ == "__main__":
    main()
