"""Units on Dask workers: each source travels once to a worker, records come home as units end."""

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import EngineError
from ..extras import imported
from .records import Record
from .sources import Source
from .units import Unit, run_unit

#: Seconds between two looks at what is done, which is also how fast a cancel is heard.
_LOOK = 0.25
_PATIENCE = 20


class SchedulerError(EngineError):
    """The scheduler cannot be reached, or has no workers."""


def connect(address: str) -> Any:
    """A client of a Dask scheduler.

    Parameters
    ----------
    address : str
        Such as "tcp://10.0.0.1:8786".

    Returns
    -------
    distributed.Client
        To be closed by whoever asked.

    Raises
    ------
    MissingExtraError
        If Dask is not installed.
    SchedulerError
        If nobody answers at the address.
    """
    distributed = imported("distributed", "Running on other machines", '"dask[distributed]"')
    try:
        return distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise SchedulerError(f"CONCORD_SCHEDULER: no scheduler answers at {address} ({error})") from error


def run_on_dask(address: str, units: Sequence[Unit], sources: Mapping[str, Source], keeper: Any) -> None:
    """Run units on the workers of a scheduler; a unit whose worker dies is run again elsewhere.

    Parameters
    ----------
    address : str
        Of the scheduler.
    units : sequence of Unit
        What is to be run, each by itself.
    sources : mapping of str to Source
        Data sets by name; each is sent to a worker once.
    keeper : object
        Is handed the records of every unit as they come, and asked whether to go on.

    Raises
    ------
    MissingExtraError, SchedulerError
        If Dask is not installed, or nobody answers at the address.
    """
    from distributed import wait

    with connect(address) as client, client.as_current():
        require_workers(client, address)
        names = {unit.tasks[0].dataset for unit in units}
        there = {name: client.scatter(sources[name], broadcast=True) for name in names}
        pending = {client.submit(run_remotely, unit, there[unit.tasks[0].dataset], pure=False) for unit in units}
        try:
            while pending:
                try:
                    done, pending = wait(pending, timeout=_LOOK, return_when="FIRST_COMPLETED")
                except TimeoutError:
                    done = set()
                for future in done:
                    if future.status == "finished":  # else its workers were lost: the study says so at its end
                        keeper.keep(future.result())
                keeper.check()
        finally:
            client.cancel(list(pending))


def run_remotely(unit: Unit, source: Source) -> list[Record]:
    """All records of a unit, on a worker.

    Parameters
    ----------
    unit : Unit
        Tasks on one ensemble.
    source : Source
        The data set of the unit.

    Returns
    -------
    list of Record
        One a task; a task that failed has the error's words.
    """
    return list(run_unit(unit.tasks, source, unit.recipe, unit.most))


def require_workers(client: Any, address: str) -> None:
    """Refuse a scheduler without workers, after 20 seconds.

    Parameters
    ----------
    client : distributed.Client
    address : str
        Of its scheduler, for the message.

    Raises
    ------
    SchedulerError
    """
    try:
        client.wait_for_workers(1, timeout=_PATIENCE)
    except TimeoutError:
        raise SchedulerError(f"the scheduler at {address} has no workers. Start some: dask worker {address}") from None


def workers(address: str) -> list[dict[str, Any]]:
    """Who works at a scheduler, and how busy: name, threads, tasks, CPU in percent, memory in MB.

    Parameters
    ----------
    address : str
        Of the scheduler.

    Returns
    -------
    list of dict
        One a worker, by name.

    Raises
    ------
    MissingExtraError, SchedulerError
    """
    with connect(address) as client:
        found = client.scheduler_info(n_workers=-1)["workers"]
    return [
        {
            "worker": str(worker["name"]),
            "threads": worker["nthreads"],
            "tasks": sum(worker["metrics"].get("task_counts", {}).values()),
            "CPU, %": worker["metrics"].get("cpu", 0.0),
            "memory, MB": worker["metrics"].get("memory", 0) / 1e6,
        }
        for worker in found.values()
    ]
