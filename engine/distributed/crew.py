"""Passes over all tiles: threads of this process, or Dask's workers wherever they are."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import reduce
from operator import add
from typing import Any

from ..runtime.blocks import n_threads
from ..runtime.errors import imported
from ..runtime.monitor import Monitor, Relay
from ..studies.dask_workers import PATIENCE, SchedulerError, Watch, connect, require_workers
from .files import heard_by
from .passes import alone
from .tiles import Tile

#: Seconds between two looks at what is done, which is also how fast a cancel is heard.
_LOOK = 0.25


class Crew(ABC):
    """Who works: goes over the tiles and hands results back in their order.

    Everything a task needs travels with it, so that a lost worker costs no more than what it was doing: the scheduler
    gives that to another.
    """

    #: What it looks like where no other could do it, either.
    lost: tuple[type[BaseException], ...] = ()

    def __init__(self, n_workers: int, monitor: Monitor) -> None:
        self._most, self._monitor = 2 + 2 * n_workers, monitor

    @abstractmethod
    def give(self, function: Callable[..., Any], tile: Tile, shared: tuple) -> Any:
        """A future of `function(tile, *shared)`."""

    def loss(self, _error: BaseException) -> str:
        """What was lost."""
        return "workers were lost again and again over the same rows"

    def watch(self) -> Watch | None:
        """Who sees whether anybody is at work, while nothing comes; nobody where somebody always is."""
        return None

    def over(self, tiles: Iterable[Tile], stage: str, function: Callable[..., Any], *shared: Any) -> Iterator[Any]:
        """`function(tile, *shared)` for every tile, in order; only a few are under way at once."""
        waiting, under_way = deque(tiles), deque[Any]()
        total = len(waiting)
        try:
            for done in range(total):
                while waiting and len(under_way) < self._most:
                    under_way.append(self.give(function, waiting.popleft(), shared))
                self._monitor.tick(stage, done, total)
                yield self._result(under_way.popleft(), stage, (done, total))
            self._monitor.tick(stage, total, total)
        except self.lost as error:
            raise SchedulerError(f"{stage}: {self.loss(error)}") from error
        finally:
            with suppress(*self.lost):  # where there is still somebody to hear it
                for future in under_way:
                    future.cancel()

    def added(self, tiles: Iterable[Tile], stage: str, function: Callable[..., Any], *shared: Any) -> Any:
        """The sum of `over`, taken in the order of the tiles."""
        return reduce(add, self.over(tiles, stage, function, *shared))

    def _result(self, future: Any, stage: str, at: tuple[int, int]) -> Any:
        watch = self.watch()  # anew: what one did meanwhile is no idleness of others
        while True:
            try:
                return future.result(timeout=_LOOK)
            except TimeoutError:
                if future.done():  # a task may end so itself
                    return future.result()
                self._monitor.tick(stage, *at)
                if watch is not None and watch.nobody():
                    raise SchedulerError(
                        f"the scheduler has had nobody at work for {PATIENCE} s. Begin again with workers"
                    ) from None


class Threads(Crew):
    """Threads of this process."""

    def __init__(self, pool: ThreadPoolExecutor, monitor: Relay) -> None:
        super().__init__(n_threads(), monitor)
        self._pool, self._heard = pool, monitor.inner

    def give(self, function: Callable[..., Any], tile: Tile, shared: tuple) -> Any:
        """A chunk of a dask.array is computed in the thread that needs it."""
        if hasattr(tile.rows, "dask"):
            return self._pool.submit(_of_chunk_here, function, tile, shared)
        return self._pool.submit(self._work, function, tile, *shared)

    def _work(self, function: Callable[..., Any], tile: Tile, *shared: Any) -> Any:
        with heard_by(self._heard):
            return alone(function, tile, *shared)


class Workers(Crew):
    """Workers of a Dask scheduler."""

    def __init__(self, client: Any, monitor: Monitor) -> None:
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker

        super().__init__(sum(client.nthreads().values()), monitor)
        self._client, self._of_workers = client, KilledWorker
        self.lost = (CancelledError, KilledWorker, CommClosedError)

    def loss(self, error: BaseException) -> str:
        """What went is told by the error: only a scheduler that lives says that workers died.

        The client's own state is too slow for it: futures of a lost scheduler end while it is still called running.
        """
        if isinstance(error, self._of_workers):
            return super().loss(error)
        return "the scheduler was lost. Begin again with another"

    def watch(self) -> Watch:
        """Nobody waits for ever where nobody works."""
        return Watch(self._client)

    def give(self, function: Callable[..., Any], tile: Tile, shared: tuple) -> Any:
        """A chunk of a dask.array is computed where it is needed."""
        if hasattr(tile.rows, "dask"):
            delayed = imported("dask", "Chunks").delayed(_of_chunk)
            chunk = delayed(tile.rows, replace(tile, rows=None), function, *shared)
            return self._client.compute(chunk)
        return self._client.submit(alone, function, tile, *shared, pure=False)


def _of_chunk_here(function: Callable[..., Any], tile: Tile, shared: tuple) -> Any:
    rows = tile.rows.compute(scheduler="synchronous")
    return _of_chunk(rows, tile, function, *shared)


def _of_chunk(rows: Any, tile: Tile, function: Callable[..., Any], *shared: Any) -> Any:
    return alone(function, replace(tile, rows=rows), *shared)


@contextmanager
def crew(scheduler: str | None, monitor: Monitor) -> Iterator[Crew]:
    """Workers of a scheduler, or as many threads as the engine may use here."""
    if scheduler:
        with connect(scheduler) as client, client.as_current():
            require_workers(client, scheduler)
            yield Workers(client, monitor)
    else:
        with ThreadPoolExecutor(n_threads()) as pool:
            relay = Relay(monitor)
            try:
                yield Threads(pool, relay)
            finally:
                relay.stop()  # before the pool waits for its threads
