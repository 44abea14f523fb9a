"""The same labels from workers of a scheduler, one of which dies, and within a limit of memory."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine.distributed import distributed_consensus
from engine.studies.dask_workers import SchedulerError
from tests.engine.dask_cluster import killing_half_way, scheduler_and_workers

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]


def test_a_worker_may_die_half_way(cluster, tmp_path):
    address, (victim, _) = cluster
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=40_000)
    for part in range(5):
        rows = truth[part * 8000 : (part + 1) * 8000, None]
        np.save(
            tmp_path / f"part_{part}.npy",
            np.where(rng.random((8000, 10)) < 0.3, rng.integers(6, size=(8000, 10)), rows),
        )
    options = {"sample": 4000, "tile": 2000}
    here = distributed_consensus(tmp_path, "lwgp", 4, **options)
    killer = killing_half_way(victim)
    there = distributed_consensus(tmp_path, "lwgp", 4, scheduler=address, monitor=killer, **options)
    assert killer.happened_at is not None
    assert victim.wait() == -signal.SIGKILL
    assert there.labels.tolist() == here.labels.tolist()


def test_a_scheduler_that_dies_half_way_is_an_error_in_words(tmp_path):
    np.save(tmp_path / "a.npy", np.random.default_rng(0).integers(6, size=(40_000, 10)))
    with scheduler_and_workers(tmp_path) as (address, processes):
        options = {"sample": 4000, "tile": 2000, "scheduler": address, "monitor": killing_half_way(processes[0])}
        with pytest.raises(SchedulerError, match=r": the scheduler was lost\."):
            distributed_consensus(tmp_path / "a.npy", "lwgp", 4, **options)


SCRIPT = """
import sys
from pathlib import Path
import numpy as np
from engine.distributed import distributed_consensus
from engine.studies.units import PeakMemory

folder = Path(sys.argv[1])
run = lambda files: distributed_consensus(files, "lwgp", 3, out=folder / "out.npy", sample=5000, tile=20_000)
run(folder / "small.npy")
watch = PeakMemory()
before = watch.read()
run(folder / "large.npy")
print(watch.read() - before, len(np.load(folder / "out.npy")))
"""


def test_a_matrix_four_times_the_memory_it_takes(tmp_path):
    rng = np.random.default_rng(0)
    truth = rng.integers(3, size=2_000_000)
    large = np.lib.format.open_memmap(tmp_path / "large.npy", "w+", np.int64, (2_000_000, 16))
    for m in range(16):
        large[:, m] = np.where(rng.random(2_000_000) < 0.2, 3, truth)
    large.flush()
    np.save(tmp_path / "small.npy", large[:100_000])
    megabytes = large.nbytes / 1e6
    del large
    run = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(run, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr
    grown, n_objects = done.stdout.split()
    assert int(n_objects) == 2_000_000
    assert float(grown) < megabytes / 4
