"""Units on Dask workers: each source travels once to a worker, records come home as units end."""

import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from ..runtime.blocks import kept_threads
from ..runtime.errors import EngineError, imported, shortened, shown
from .records import Record
from .sources import Source
from .units import Unit, run_unit

#: Seconds between two looks at what is done, which is also how fast a cancel is heard.
_LOOK = 0.1
#: Seconds after which nobody is waited for any more.
PATIENCE = 20
#: Seconds between two questions to the scheduler who works, while nothing comes.
_ASK = 1.0
_SCHEMES = ("tcp", "tls", "ws", "wss")
#: What Dask raises where nobody is there any more.
_LOST = (OSError, TimeoutError, RuntimeError, CancelledError)


class SchedulerError(EngineError):
    """The scheduler cannot be reached, has no workers, or is lost half-way; what was kept is said."""


class Watch:
    """Whether anybody of a scheduler is at work, asked now and then."""

    def __init__(self, client: Any) -> None:
        self._client, self._worked = client, time.monotonic()
        self._asked = self._worked

    def nobody(self) -> bool:
        """Whether nobody has been for so long that it makes no sense to wait."""
        if time.monotonic() - self._asked <= _ASK:
            return False
        self._asked = time.monotonic()
        if any(self._client.processing().values()):
            self._worked = self._asked
        return self._asked - self._worked > PATIENCE


def connect(address: str) -> Any:
    """A client of a Dask scheduler; an address where nobody listens is refused at once."""
    distributed = imported("distributed", "Running on other machines", '"dask[distributed]"')
    _knock(address)
    try:
        return distributed.Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise _nobody(address, error) from error


def _knock(address: str) -> None:
    """Refuse what is no address, or where nobody listens."""
    from distributed.comm import parse_address, parse_host_port

    try:
        scheme, place = parse_address(address)
        host, port = parse_host_port(place)
    except ValueError:
        raise SchedulerError(
            f"CONCORD_SCHEDULER must be an address such as tcp://10.0.0.1:8786. Got {shown(address)}"
        ) from None
    if scheme not in _SCHEMES:
        return
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise _nobody(address, error) from error


def _nobody(address: str, error: Exception) -> SchedulerError:
    reason = shortened(str(error))
    return SchedulerError(f"CONCORD_SCHEDULER: no scheduler answers at {shortened(address)} ({reason})")


def run_on_dask(address: str, units: Sequence[Unit], sources: Mapping[str, Source], keeper: Any) -> None:
    """Run units on the workers of a scheduler, which gives what dies with a worker to another.

    A unit that takes worker after worker along is left out. The `keeper` is handed the records of every unit as they
    come, is asked whether to go on, and knows how many there are.
    """
    with _reached(address, keeper) as client:
        from dask import config

        pending = set[Any]()
        try:
            names = dict.fromkeys(unit.tasks[0].dataset for unit in units)
            with config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}):  # data are a task here
                there = {name: client.submit(_itself, sources[name], pure=False) for name in names}
            pending |= {client.submit(run_remotely, unit, there[unit.tasks[0].dataset], pure=False) for unit in units}
            _keep_all(client, address, pending, keeper)
        except _LOST as error:
            raise _kept(f"the scheduler at {address} or its workers were lost", keeper) from error
        finally:
            with suppress(*_LOST):  # where there is still somebody to hear it
                client.cancel(list(pending))


@contextmanager
def _reached(address: str, keeper: Any) -> Iterator[Any]:
    """A client of a scheduler that has workers; a refusal also says what was kept before."""
    with ExitStack() as stack:
        try:
            client = stack.enter_context(connect(address))
            stack.enter_context(client.as_current())
            require_workers(client, address)
        except SchedulerError as error:
            raise _kept(str(error), keeper) from error
        except _LOST as error:
            raise _kept(f"the scheduler at {shortened(address)} was lost", keeper) from error
        yield client


def _kept(what: str, keeper: Any) -> SchedulerError:
    """The error that says what was kept."""
    return SchedulerError(
        f"{what}. {keeper.done:,} of {keeper.total:,} records are kept. Run the study again for the others"
    )


def _itself(source: Source) -> Source:
    """A data set as a task, which is made again where the worker that had it dies."""
    return source


def _keep_all(client: Any, address: str, pending: set[Any], keeper: Any) -> None:
    """Keep the records of every unit as it ends, and do not wait for ever where nobody works."""
    from distributed.scheduler import KilledWorker

    watch = Watch(client)
    while pending:
        done = [future for future in pending if future.done()]
        for future in done:
            error = future.exception(timeout=PATIENCE) if future.status == "error" else None
            if error is None:
                keeper.keep(future.result(timeout=PATIENCE))
            elif not isinstance(error, KilledWorker):  # the study says at its end that it is missing
                reason = shortened(f"{type(error).__name__}: {error}", 200)
                raise _kept(f"a worker of {address} failed ({reason})", keeper) from error
            pending.discard(future)
        keeper.check()
        if not done:
            time.sleep(_LOOK)
        if watch.nobody():
            raise _kept(f"the scheduler at {address} has had nobody at work for {PATIENCE} s", keeper)


def run_remotely(unit: Unit, source: Source) -> list[Record]:
    """All records of a unit, on a worker."""
    with kept_threads():
        return list(run_unit(unit.tasks, source, unit.recipe, unit.most))


def require_workers(client: Any, address: str) -> None:
    """Refuse a scheduler without workers, after 20 seconds."""
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        raise SchedulerError(f"the scheduler at {address} has no workers. Start some: dask worker {address}") from None


def workers(address: str) -> list[dict[str, Any]]:
    """Who works at a scheduler, and how busy: name, threads, tasks, CPU in percent, memory in MB."""
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
