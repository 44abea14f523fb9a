"""Studies on Dask: a real scheduler and two workers on loopback, one of which dies half-way."""

import signal
import time

import numpy as np
import pytest

from engine import Cancelled
from engine.studies import dask_workers
from engine.studies.running import run_study
from engine.studies.sources import Source
from engine.studies.store import Store
from engine.studies.study import Study
from tests.engine.dask_cluster import KillHalfWay
from tests.engine.studies.examples import Stop, without_cost


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
