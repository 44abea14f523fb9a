"""Studies on Dask: a real scheduler and two workers on loopback, one of which dies half-way."""

import signal
import time

import numpy as np
import pytest
from distributed.client import FuturesCancelledError
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from engine import Cancelled
from engine.studies import dask_workers
from engine.studies.running import run_study
from engine.studies.sources import Source
from engine.studies.store import Store
from engine.studies.study import Study, expand
from engine.studies.units import Unit
from tests.engine.dask_cluster import KillHalfWay, scheduler_and_workers
from tests.engine.studies.examples import Stop, without_cost

pytestmark = pytest.mark.long


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


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("tcp://127.0.0.1:9", "no scheduler answers at tcp://127.0.0.1:9"),
        ("tcp://127.0.0.1:99999", "no scheduler answers at tcp://127.0.0.1:99999"),
        ("tcp://nobody.invalid:1", "no scheduler answers at tcp://nobody.invalid:1"),
        ("foo://127.0.0.1:9", "unknown address scheme 'foo'"),
        ("nonsense", "must be an address such as tcp://10.0.0.1:8786. Got 'nonsense'"),
        ("tcp://", "must be an address"),
        ("tcp://127.0.0.1:x", "must be an address"),
        ("x" * 5000, "xxx..."),
    ],
)
def test_nobody_at_the_address_is_a_line_at_once_and_nothing_is_computed(address, words, sources, tmp_path, capfd):
    store = Store(tmp_path / "s")
    run_study(Study(("points",), ("eac",), repeats=2), sources, store)
    begun = time.monotonic()
    with pytest.raises(dask_workers.SchedulerError) as caught:
        run_study(Study(("points",), ("eac",), repeats=5), sources, store, scheduler=address)
    assert time.monotonic() - begun < 10
    assert words in str(caught.value)
    assert "2 of 5 records are kept. Run the study again for the others" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250
    assert len(store) == 2
    assert "Traceback" not in capfd.readouterr().err


def test_a_scheduler_without_workers_says_what_is_kept(sources, tmp_path, monkeypatch):
    monkeypatch.setattr(dask_workers, "_PATIENCE", 2)
    store = Store(tmp_path / "s")
    run_study(Study(("points",), ("eac",), repeats=2), sources, store)
    with scheduler_and_workers(tmp_path, ()) as (address, _), pytest.raises(dask_workers.SchedulerError) as caught:
        run_study(Study(("points",), ("eac",), repeats=5), sources, store, scheduler=address)
    assert "has no workers. Start some: dask worker" in str(caught.value)
    assert "2 of 5 records are kept" in str(caught.value)


@pytest.mark.parametrize("broken", [CommClosedError("lost"), OSError("reset"), RuntimeError("closed")])
def test_a_scheduler_that_goes_while_it_is_asked_is_a_line_that_says_what_is_kept(
    broken, sources, tmp_path, monkeypatch
):
    class Gone:
        """A client whose scheduler goes as soon as it is asked who works."""

        def __init__(self, *_, **__):
            pass

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def as_current(self):
            return self

        def wait_for_workers(self, *_, **__):
            raise broken

    monkeypatch.setattr(dask_workers, "connect", lambda address: Gone())
    store = Store(tmp_path / "s")
    with pytest.raises(dask_workers.SchedulerError, match="0 of 5 records are kept"):
        run_study(Study(("points",), ("eac",), repeats=5), sources, store, scheduler="tcp://127.0.0.1:9")


class Kept:
    """In place of the keeper of a study."""

    def __init__(self):
        self.records, self.done, self.total = [], 0, 7

    def keep(self, records):
        self.records += records
        self.done += 1

    def check(self):
        pass


class Unsure:
    """A client whose futures are lost for the first so many times."""

    def __init__(self, losses, error=None):
        self.losses, self.error, self.given = losses, error, 0

    def scatter(self, source, broadcast):
        return self

    status = "finished"

    def submit(self, *_, pure):
        self.given += 1
        return Lost(self.given <= self.losses, self.error)


class Lost:
    def __init__(self, lost, error):
        self.lost, self.error = lost, error
        self.status = "error" if error else "cancelled" if lost else "finished"

    def done(self):
        return True

    def result(self, timeout):
        if self.lost:
            raise FuturesCancelledError([])
        return ["record"]

    def exception(self, timeout):
        return self.error


@pytest.mark.parametrize(("losses", "given", "kept"), [(0, 1, 1), (1, 2, 1), (3, 4, 1), (4, 4, 0), (9, 4, 0)])
def test_what_was_lost_is_given_out_again_a_few_times(losses, given, kept, sources, monkeypatch):
    monkeypatch.setattr(dask_workers, "_knock", lambda address: None)
    client, keeper = Unsure(losses), Kept()
    tasks = expand(Study(("points",), ("eac",), repeats=1), sources)
    dask_workers._Run(client, "tcp://x:1", sources, keeper).all([Unit(tasks, None, 10)])
    assert (client.given, len(keeper.records)) == (given, kept)


def test_what_fails_on_a_worker_is_a_line_that_says_what_was_kept(sources):
    tasks = expand(Study(("points",), ("eac",), repeats=1), sources)
    run = dask_workers._Run(Unsure(1, ModuleNotFoundError("no engine\nhere")), "tcp://x:1", sources, Kept())
    with pytest.raises(dask_workers.SchedulerError) as caught:
        run.all([Unit(tasks, None, 10)])
    assert str(caught.value) == (
        "a worker of tcp://x:1 failed (ModuleNotFoundError: no engine here). 0 of 7 records are kept. "
        "Run the study again for the others"
    )


class Mislaid(Unsure):
    """A scheduler that loses sight of what it was given the first time, though its workers are there."""

    def submit(self, *_, pure):
        found = super().submit(pure=pure)
        found.done = lambda given=self.given: given > 1
        return found

    def processing(self):
        return {"worker": []}

    def cancel(self, futures):
        assert len(futures) == 1


def test_what_nobody_works_on_is_given_out_again(sources, monkeypatch):
    monkeypatch.setattr(dask_workers, "_PATIENCE", 0.3)
    monkeypatch.setattr(dask_workers, "_ASK", 0.1)
    tasks, client, keeper = expand(Study(("points",), ("eac",), repeats=1), sources), Mislaid(0), Kept()
    dask_workers._Run(client, "tcp://x:1", sources, keeper).all([Unit(tasks, None, 10)])
    assert (client.given, len(keeper.records)) == (2, 1)


def test_what_kills_its_workers_is_left_out(sources):
    tasks, client = expand(Study(("points",), ("eac",), repeats=1), sources), Unsure(1, KilledWorker("t", None, 3))
    dask_workers._Run(client, "tcp://x:1", sources, Kept()).all([Unit(tasks, None, 10)])
    assert client.given == 1
