"""Studies on Dask: a real scheduler and two workers on loopback, one of which dies half-way."""

import signal
import time

import numpy as np
import pytest
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker

from engine import Cancelled
from engine.studies import dask_workers
from engine.studies.running import run_study
from engine.studies.sources import Source
from engine.studies.store import Store
from engine.studies.study import Study
from tests.engine.dask_cluster import killing_half_way, scheduler_and_workers
from tests.engine.studies.examples import without_cost
from tests.monitors import stopping_at_done

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
    killer = killing_half_way(victim)
    remote = run_study(STUDY, sources, Store(tmp_path / "remote"), killer, scheduler=address)
    assert killer.happened_at < len(local)
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


def test_large_data_travel_without_a_word(cluster, tmp_path, recwarn):
    address, _ = cluster
    points = np.random.default_rng(0).normal(size=(2000, 700))  # 11 MB
    study = Study(("large",), ("eac",), repeats=1, n_clusterings=(2,), k=(2,))
    run_study(study, {"large": Source("large", features=points)}, Store(tmp_path / "s"), scheduler=address)
    assert not [one for one in recwarn if "graph" in str(one.message)]


def test_a_cancel_stops_the_workers(cluster, sources, tmp_path):
    address, _ = cluster
    store, stop = Store(tmp_path / "s"), stopping_at_done(1)
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
    monkeypatch.setattr(dask_workers, "PATIENCE", 2)
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


class Future:
    """What became of a unit: records, or an error in its place."""

    def __init__(self, error=None, done=True):
        self.error, self.ended = error, done
        self.status = "error" if error else "finished"

    def done(self):
        return self.ended

    def result(self, timeout):
        return ["record"]

    def exception(self, timeout):
        return self.error


class Idle:
    """A client of a scheduler whose workers have nothing to do."""

    def processing(self):
        return {"worker": []}


def test_what_fails_on_a_worker_is_a_line_that_says_what_was_kept():
    failed = {Future(ModuleNotFoundError("no engine\nhere"))}
    with pytest.raises(dask_workers.SchedulerError) as caught:
        dask_workers._keep_all(Idle(), "tcp://x:1", failed, Kept())
    assert str(caught.value) == (
        "a worker of tcp://x:1 failed (ModuleNotFoundError: no engine here). 0 of 7 records are kept. "
        "Run the study again for the others"
    )


def test_where_nobody_works_for_long_it_ends_with_what_was_kept(monkeypatch):
    monkeypatch.setattr(dask_workers, "PATIENCE", 0.3)
    monkeypatch.setattr(dask_workers, "_ASK", 0.1)
    keeper = Kept()
    with pytest.raises(dask_workers.SchedulerError, match="has had nobody at work .* 1 of 7 records are kept"):
        dask_workers._keep_all(Idle(), "tcp://x:1", {Future(), Future(done=False)}, keeper)
    assert keeper.records == ["record"]


def test_what_kills_its_workers_is_left_out():
    keeper = Kept()
    dask_workers._keep_all(Idle(), "tcp://x:1", {Future(KilledWorker("t", None, 3)), Future()}, keeper)
    assert keeper.records == ["record"]
