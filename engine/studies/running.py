"""Running a study: what is missing, in threads here or on Dask workers elsewhere, each record kept as it is found."""

import itertools
import os
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from ..runtime.blocks import kept_threads, limited_threads, n_threads
from ..runtime.errors import Cancelled, EngineError
from ..runtime.monitor import SILENT, Monitor, Quiet
from .dask_workers import run_on_dask
from .records import Record
from .sources import Source
from .store import Store
from .study import Study, Task, expand
from .units import Unit, run_unit

#: What progress is called while tasks run.
STAGE = "running tasks"
#: Workers of a study give way to whoever looks at a page.
_NICENESS = 10


def run_study(
    study: Study,
    sources: Mapping[str, Source],
    store: Store,
    monitor: Monitor = SILENT,
    scheduler: str | None = None,
) -> list[Record]:
    """Find the records a study lacks, and return all of them.

    Parameters
    ----------
    study : Study
    sources : mapping of str to Source
        The data sets by name.
    store : Store
        Records found before are not computed again.
    monitor : Monitor, optional
        Told how many tasks are done; when it raises, the records found so far are kept.
    scheduler : str, optional
        Address of a Dask scheduler, "tcp://..."; by default `CONCORD_SCHEDULER`, and threads of this process
        without it.

    Returns
    -------
    list of Record
        In the order of `expand`.

    Raises
    ------
    InvalidStudyError, StoreError, Cancelled, SchedulerError, LostWorkersError
    """
    tasks = expand(study, sources)
    have = store.of(tasks)
    units = _units(study, [task for task in tasks if task.key not in have])
    keeper = _Keeper(store, monitor, len(have), len(tasks))
    address = scheduler or os.environ.get("CONCORD_SCHEDULER")
    if units and address:
        run_on_dask(address, units, sources, keeper)
    elif units:
        _run_in_threads(units, sources, keeper)
    have = store.of(tasks)
    missing = sum(task.key not in have for task in tasks)
    if missing:
        raise LostWorkersError(
            f"{missing:,} of {len(tasks):,} tasks have no record: their workers were lost. "
            f"{len(have):,} records are kept. Run the study again"
        )
    return [have[task.key] for task in tasks]


class LostWorkersError(EngineError):
    """Tasks were given to workers that never answered; running the study again computes what is missing."""


class _Keeper:
    """Keeps records as they come and tells how far it is; safe to call from any thread."""

    def __init__(self, store: Store, monitor: Monitor, done: int, total: int):
        self.store, self.monitor, self.done, self.total = store, monitor, done, total
        self.stopped = threading.Event()
        self._lock = threading.Lock()
        self.check()

    def keep(self, records: Sequence[Record]) -> None:
        self.store.add(records)
        with self._lock:
            self.done += len(records)
        self.check()

    def check(self) -> None:
        """Report, and raise Cancelled if anybody asked to stop."""
        if self.stopped.is_set():
            raise Cancelled
        with self._lock:
            try:
                self.monitor.tick(STAGE, self.done, self.total)
            except Cancelled:
                self.stopped.set()
                raise


def _units(study: Study, tasks: Sequence[Task]) -> list[Unit]:
    """Missing tasks by unit; units of one ensemble stay beside each other, so that it is made once and then let go."""
    most = max(study.n_clusterings)
    return [Unit(list(group), study.recipe, most) for _, group in itertools.groupby(tasks, key=lambda task: task.unit)]


def _run_in_threads(units: Sequence[Unit], sources: Mapping[str, Source], keeper: _Keeper) -> None:
    cores = n_threads()
    workers = min(cores, len(units))

    def run(unit: Unit) -> None:
        _give_way()
        with limited_threads(max(1, cores // workers)), kept_threads():
            source = sources[unit.tasks[0].dataset]
            for record in run_unit(unit.tasks, source, unit.recipe, unit.most, Quiet(keeper.check)):
                keeper.keep([record])

    with ThreadPoolExecutor(workers, "concord-study") as pool:  # none is left at work when this ends, however it ends
        futures = [pool.submit(run, unit) for unit in units]
        try:
            for future in as_completed(futures):
                future.result()
        finally:
            keeper.stopped.set()  # heard by those that still run
            pool.shutdown(cancel_futures=True)


def _give_way() -> None:
    """Lower this thread's priority: Linux alone counts niceness by thread."""
    if sys.platform == "linux" and threading.current_thread() is not threading.main_thread():
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
