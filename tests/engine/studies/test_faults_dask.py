"""Workers and schedulers of Dask killed while a study runs: the same records, or an error that says what was kept.

By `make test-all` alone: moments of a kill hang on the machine. One that is half-way is in test_dask_workers.py.
"""

import signal
import time
from contextlib import closing

import pytest

from engine.studies import dask_workers
from engine.studies.dask_workers import SchedulerError
from engine.studies.running import LostWorkersError, run_study
from engine.studies.store import Store
from tests.engine.dask_cluster import scheduler_and_workers
from tests.engine.studies.examples import without_cost
from tests.engine.studies.faults import ALL, N_TASKS, STUDY, moments, same_or_an_error, small_sources
from tests.monitors import Once

pytestmark = pytest.mark.skipif(not ALL, reason="CONCORD_ALL=1 runs it")


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    """The records of a run on this machine that nobody disturbs."""
    with closing(Store(tmp_path_factory.mktemp("undisturbed") / "s")) as store:
        return without_cost(run_study(STUDY, small_sources(), store))


@pytest.fixture(autouse=True)
def hurried(monkeypatch):
    monkeypatch.setattr(dask_workers, "PATIENCE", 10)


def disturbed(address, n, act, wanted, path):
    """The end of a study during which something happens; what was kept is right, and goes on without Dask."""
    act = Once(lambda heard: heard.done >= n, act)
    with closing(Store(path)) as store:
        begun = time.monotonic()
        error = same_or_an_error(lambda: run_study(STUDY, small_sources(), store, act, scheduler=address), wanted)
        assert time.monotonic() - begun < 120
        assert act.happened_at is not None or isinstance(error, SchedulerError | LostWorkersError)
        if error is not None and act.happened_at is not None:
            assert f"{len(store):,} " in str(error)
            assert "records are kept" in str(error)
        assert without_cost(run_study(STUDY, small_sources(), store)) == wanted
    return error


@pytest.mark.parametrize("n", moments(N_TASKS - 1))
def test_one_of_two_workers_killed(n, wanted, tmp_path):
    with scheduler_and_workers(tmp_path) as (address, (_, victim, _)):
        error = disturbed(address, n, lambda: victim.send_signal(signal.SIGKILL), wanted, tmp_path / "s")
    assert error is None or isinstance(error, SchedulerError | LostWorkersError)  # the other does its work


@pytest.mark.parametrize("n", moments(N_TASKS - 1))
def test_the_scheduler_killed(n, wanted, tmp_path):
    with scheduler_and_workers(tmp_path, ("one",)) as (address, (scheduler, _)):
        error = disturbed(address, n, lambda: scheduler.send_signal(signal.SIGKILL), wanted, tmp_path / "s")
    assert error is None or isinstance(error, SchedulerError)


@pytest.mark.parametrize("n", moments(N_TASKS - 1))
def test_the_only_worker_killed(n, wanted, tmp_path):
    with scheduler_and_workers(tmp_path, ("one",)) as (address, (_, victim)):
        error = disturbed(address, n, lambda: victim.send_signal(signal.SIGKILL), wanted, tmp_path / "s")
    assert error is None or isinstance(error, SchedulerError | LostWorkersError)
