"""Units on Dask workers: each source travels once to a worker, records come home as units end."""

import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from ..runtime.errors import EngineError
from ..runtime.extras import imported
from ..runtime.wording import shortened, shown
from .records import Record
from .sources import Source
from .units import Unit, run_unit

#: Seconds between two looks at what is done, which is also how fast a cancel is heard.
_LOOK = 0.1
_PATIENCE = 20
#: Seconds between two questions to the scheduler who works, while nothing comes.
_ASK = 1.0
#: How often a unit is given out before it counts as lost.
_TURNS = 4
_SCHEMES = ("tcp", "tls", "ws", "wss")
#: What Dask raises where nobody is there any more.
_LOST = (OSError, TimeoutError, RuntimeError, CancelledError)


class SchedulerError(EngineError):
    """The scheduler cannot be reached, has no workers, or is lost half-way; what was kept is said."""


def connect(address: str) -> Any:
    """A client of a Dask scheduler; an address where nobody listens is refused at once.

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
        If it is no address, or nobody answers there.
    """
    distributed = imported("distributed", "Running on other machines", '"dask[distributed]"')
    _knock(address)
    try:
        return distributed.Client(address, timeout=_PATIENCE, set_as_default=False)
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
        socket.create_connection((host, port), _PATIENCE).close()
    except (OSError, OverflowError, UnicodeError) as error:
        raise _nobody(address, error) from error


def _nobody(address: str, error: Exception) -> SchedulerError:
    reason = shortened(str(error))
    return SchedulerError(f"CONCORD_SCHEDULER: no scheduler answers at {shortened(address)} ({reason})")


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
        Is handed the records of every unit as they come, and asked whether to go on; knows how many there are.

    Raises
    ------
    MissingExtraError, SchedulerError
        If Dask is not installed, nobody answers at the address, or scheduler or workers are lost for good.
    """
    with _reached(address, keeper) as client:
        run = _Run(client, address, sources, keeper)
        try:
            run.all(units)
        except _LOST as error:
            raise run.lost(f"the scheduler at {address} or its workers were lost") from error
        finally:
            run.let_go()


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


class _Run:
    """Units on the workers of one scheduler, given out again where they are lost."""

    def __init__(self, client: Any, address: str, sources: Mapping[str, Source], keeper: Any):
        self._client, self._address, self._sources, self._keeper = client, address, sources, keeper
        self._there: dict[str, Any] = {}
        self._pending: dict[Any, tuple[Unit, int]] = {}
        self._worked = self._asked = time.monotonic()

    def all(self, units: Sequence[Unit]) -> None:
        """Run every unit; one that kills its workers again and again is left out."""
        for unit in units:
            self._give(unit, 1)
        while self._pending:
            done = [future for future in self._pending if future.done()]
            for future in done:
                self._take(future, *self._pending.pop(future))
            self._keeper.check()
            if not done:
                self._require_work()
                time.sleep(_LOOK)

    def _give(self, unit: Unit, turn: int) -> None:
        name = unit.tasks[0].dataset
        if name not in self._there or self._there[name].status in ("cancelled", "lost", "error"):
            self._there[name] = self._client.scatter(self._sources[name], broadcast=True)
        self._pending[self._client.submit(run_remotely, unit, self._there[name], pure=False)] = unit, turn

    def _take(self, future: Any, unit: Unit, turn: int) -> None:
        """Keep the records of a unit that is done; one whose worker was lost is given out again."""
        if future.status == "error":
            self._failed(future.exception(timeout=_PATIENCE))
            return
        try:
            records = future.result(timeout=_PATIENCE)
        except (CancelledError, OSError):  # its worker went, before or after it was done
            self._require_scheduler()
            if turn < _TURNS:
                self._give(unit, turn + 1)
        else:
            self._keeper.keep(records)

    def _failed(self, error: BaseException) -> None:
        """Pass over what has taken several workers along: the study says at its end that it is missing."""
        from distributed.scheduler import KilledWorker

        if not isinstance(error, KilledWorker):
            reason = shortened(f"{type(error).__name__}: {error}", 200)
            raise self.lost(f"a worker of {self._address} failed ({reason})") from error

    def _require_scheduler(self) -> None:
        try:
            _knock(self._address)
        except SchedulerError as error:
            raise self.lost(f"the scheduler at {self._address} was lost") from error

    def _require_work(self) -> None:
        """Do not wait for ever: where nobody has worked for a while, refuse, or give out again what was mislaid."""
        now = time.monotonic()
        if now - self._asked < _ASK:
            return
        self._asked = now
        processing = self._client.processing()
        if any(processing.values()):
            self._worked = now
        elif now - self._worked > _PATIENCE:
            if not processing:
                raise self.lost(f"the scheduler at {self._address} has had no workers for {_PATIENCE:.0f} s")
            self._worked = now
            self._give_again()

    def _give_again(self) -> None:
        """Everything that is pending, data and all: workers are there, and none of them has any of it."""
        mislaid = list(self._pending.items())
        self._pending.clear()
        self._there.clear()
        self._client.cancel([future for future, _ in mislaid])
        for _, (unit, turn) in mislaid:
            if turn < _TURNS:
                self._give(unit, turn + 1)

    def lost(self, what: str) -> SchedulerError:
        """The error that says what was kept."""
        return _kept(what, self._keeper)

    def let_go(self) -> None:
        """Stop what is not done, where there is still somebody to hear it."""
        with suppress(*_LOST, CancelledError):
            self._client.cancel(list(self._pending))


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
