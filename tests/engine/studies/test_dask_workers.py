"""Studies on Dask: a real scheduler and two workers on loopback, one of which dies half-way."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from engine import Cancelled, Monitor
from engine.studies import dask_workers
from engine.studies.running import run_study
from engine.studies.sources import Source
from engine.studies.store import Store
from engine.studies.study import Study
from tests.engine.studies.examples import Stop, without_cost

ROOT = Path(__file__).parents[3]


def start(*arguments, log):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "CONCORD_THREADS": "1"}
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *arguments], cwd=ROOT, env=environment, stdout=log, stderr=subprocess.STDOUT
    )


@pytest.fixture
def cluster(tmp_path):
    """Address of a scheduler with two workers, and their processes."""
    with (tmp_path / "log").open("w+") as log:
        processes = [start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", log=log)]
        address, until = None, time.monotonic() + 60
        while address is None and time.monotonic() < until:
            time.sleep(0.1)
            address = re.search(r"Scheduler at: +(tcp://127\.0\.0\.1:\d+)", (tmp_path / "log").read_text())
        assert address, (tmp_path / "log").read_text()
        for name in ("one", "two"):
            processes.append(
                start(
                    "worker",
                    address[1],
                    "--name",
                    name,
                    "--nthreads",
                    "1",
                    "--no-nanny",
                    "--no-dashboard",
                    "--local-directory",
                    str(tmp_path),
                    log=log,
                )
            )
        with dask_workers.connect(address[1]) as client:
            client.wait_for_workers(2, timeout=60)
        yield address[1], processes[1:]
        for process in processes:
            process.kill()
            process.wait()


@pytest.fixture
def sources():
    rng = np.random.default_rng(0)
    truth = rng.integers(4, size=900)
    points = rng.normal(size=(900, 3)) + 3 * rng.normal(size=(4, 3))[truth]
    return {"points": Source("points", features=points, truth=truth)}


STUDY = Study(
    ("points",),
    ("lwea", "lwgp", "pta"),
    repeats=8,
    n_clusterings=(12,),
    grid={"lwea": {"theta": (0.2, 0.4)}, "pta": {"T": (2, 5)}},
)


class KillHalfWay(Monitor):
    """Kills a worker once half of the tasks are done."""

    def __init__(self, victim):
        self.victim, self.killed_at = victim, None

    def tick(self, stage, done, total):
        if self.killed_at is None and done >= total // 3:
            self.killed_at = done
            self.victim.send_signal(signal.SIGKILL)


def test_a_worker_may_die_half_way(cluster, sources, tmp_path):
    address, (victim, _) = cluster
    local = run_study(STUDY, sources, Store(tmp_path / "local"))
    killer = KillHalfWay(victim)
    remote = run_study(STUDY, sources, Store(tmp_path / "remote"), killer, scheduler=address)
    assert killer.killed_at < len(local)
    assert victim.wait() == -signal.SIGKILL
    assert without_cost(remote) == without_cost(local)


def test_the_environment_chooses_the_scheduler_and_workers_are_listed(cluster, sources, tmp_path, monkeypatch):
    address, _ = cluster
    monkeypatch.setenv("CONCORD_SCHEDULER", address)
    asked = []
    connect = dask_workers.connect
    monkeypatch.setattr(dask_workers, "connect", lambda where: (asked.append(where), connect(where))[1])
    records = run_study(Study(("points",), ("eac",), repeats=4), sources, Store(tmp_path / "s"))
    assert asked == [address]
    assert all(record.nmi_max is not None for record in records)
    found = dask_workers.workers(address)
    assert sorted(row["worker"] for row in found) == ["one", "two"]
    assert all(row["threads"] == 1 and row["memory, MB"] > 10 for row in found)


def test_data_travel_once_to_a_worker(cluster, sources, tmp_path):
    address, _ = cluster
    travelled = []

    class Counted(Source):
        def __reduce__(self):
            travelled.append(self.name)
            return Source, (self.name, self.features, self.pool, self.truth)

    points = sources["points"]
    counted = {"points": Counted("points", points.features, None, points.truth)}
    run_study(Study(("points",), ("eac", "lwea"), repeats=6), counted, Store(tmp_path / "s"), scheduler=address)
    assert len(travelled) <= 2  # packed for the workers, not once a task


def test_a_cancel_stops_the_workers(cluster, sources, tmp_path):
    address, _ = cluster
    store, stop = Store(tmp_path / "s"), Stop(after=1)
    with pytest.raises(Cancelled):
        run_study(Study(("points",), ("lwgp",), repeats=40), sources, store, stop, scheduler=address)
    assert time.monotonic() - stop.asked_at < 1
    kept = len(store)
    assert 1 <= kept < 40


def test_nobody_at_the_address_is_a_message(sources, tmp_path, monkeypatch):
    monkeypatch.setattr(dask_workers, "_PATIENCE", 1)
    with pytest.raises(dask_workers.SchedulerError, match="no scheduler answers at tcp://127.0.0.1:9"):
        run_study(Study(("points",), ("eac",)), sources, Store(tmp_path / "s"), scheduler="tcp://127.0.0.1:9")
