"""Background jobs: computed once, shared by all sessions, with progress and cancel."""

import enum
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any

from engine import Cancelled, Monitor

#: Finished results are kept up to this many bytes in all, and beyond it as long as somebody looks at them.
KEPT_BYTES = 2 * 2**30
WORKERS = 2
MOST_JOBS = 512


class State(enum.Enum):
    """Where a job stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True)
class Progress:
    """The last tick: what is being done, how far, since when."""

    stage: str = "waiting for its turn"
    done: int = 0
    total: int = 0
    started: float = 0.0

    @property
    def share(self) -> float:
        """Finished part of this stage, in [0, 1]."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Estimate for this stage, once a tenth of it is done."""
        if self.share < 0.1:
            return None
        return (time.monotonic() - self.started) * (1 - self.share) / self.share


@dataclass(eq=False)
class Job(Monitor):
    """One computation; `tick` is called by the engine, in the job's own thread."""

    key: Hashable
    stop: threading.Event = field(default_factory=threading.Event)
    progress: Progress = field(default_factory=Progress)
    future: Future = field(default_factory=Future)
    users: dict[str, str] = field(default_factory=dict)  # who wants it, and on which page they were then

    def tick(self, stage: str, done: int, total: int) -> None:
        """Note the progress; stop here if somebody asked to."""
        if self.stop.is_set():
            raise Cancelled
        started = self.progress.started if stage == self.progress.stage else time.monotonic()
        self.progress = Progress(stage, done, total, started)

    @property
    def state(self) -> State:
        """Where the job stands now."""
        if not self.future.done():
            return State.RUNNING if self.future.running() else State.WAITING
        if self.future.cancelled() or isinstance(self.future.exception(), Cancelled):
            return State.CANCELLED
        return State.FAILED if self.future.exception() else State.DONE

    def wait(self, seconds: float) -> bool:
        """Wait for the end at most so long; whether it has come."""
        wait([self.future], seconds)
        return self.future.done()

    def cancel(self) -> None:
        """Ask the job to stop at its next tick."""
        self.stop.set()
        self.future.cancel()


class _Workers:
    """A fixed number of daemon threads: unlike those of an executor, they do not keep a closing server waiting."""

    def __init__(self, n: int):
        self._queue: SimpleQueue = SimpleQueue()
        for i in range(n):
            threading.Thread(target=self._work, name=f"concord-job-{i}", daemon=True).start()

    def submit(self, compute: Callable[[Any], Any], job: Any) -> Future:
        """Run `compute(job)` when a thread is free."""
        future: Future = Future()
        self._queue.put((future, compute, job))
        return future

    def _work(self) -> None:
        while True:
            future, compute, job = self._queue.get()
            if future.set_running_or_notify_cancel():
                try:
                    result = compute(job)
                except BaseException as error:  # noqa: BLE001 - goes to whoever asks for the result
                    future.set_exception(error)
                else:
                    future.set_result(result)


class Jobs:
    """All jobs of this process by key: a bounded executor, and a bounded memory of results.

    `alive` says whether a user is still there; what is kept is weighed at most every `weigh_every` seconds.
    """

    def __init__(
        self,
        workers: int = WORKERS,
        kept_bytes: int = KEPT_BYTES,
        alive: Callable[[str], bool] = lambda user: True,
        weigh_every: float = 0.0,
    ):
        self._workers = _Workers(workers)
        self._patient = _Workers(1)  # for work of minutes: however much of it waits, pages never wait behind it
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._places: dict[str, str] = {}
        self._lock = threading.Lock()
        self._kept_bytes, self._alive = kept_bytes, alive
        self._weigh_every, self._weighed = weigh_every, -weigh_every

    def submit(
        self, key: Hashable, compute: Callable[[Monitor], Any], user: str = "", patient: bool = False, place: str = ""
    ) -> Job:
        """The job under this key: the one that is there, or a new one; `place` is the page the user is on.

        `patient` jobs take minutes and run one after the other, beside the others. `compute(monitor)` runs in a
        thread of its own and must not touch `st`. A job that everybody let go of is started anew; one that a person
        cancelled, or that failed, stays so until `forget`.
        """
        with self._lock:
            job = self._jobs.get(key)
            if job is None or (job.stop.is_set() and not job.users):
                job = self._jobs[key] = Job(key)
                job.future = (self._patient if patient else self._workers).submit(compute, job)
            job.users[user] = self._places[user] = place
            self._jobs.move_to_end(key)
            self._forget_oldest()
            return job

    def find(self, key: Hashable) -> Job | None:
        """The job under this key, if there is one."""
        return self._jobs.get(key)

    def forget(self, key: Hashable) -> None:
        """Drop a job, so that the next `submit` starts it anew."""
        with self._lock:
            self._jobs.pop(key, None)

    def release(self, key: Hashable, user: str) -> None:
        """A user no longer wants this: stop it if nobody else does and it is not done."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                return
            job.users.pop(user, None)
            if not job.users and not job.future.done():
                job.cancel()

    def _forget_oldest(self) -> None:
        """Drop finished results, oldest first, until the rest fits.

        What a page needs all at once stays: it would start one result anew for want of the other, for ever.
        """
        if time.monotonic() - self._weighed < self._weigh_every and len(self._jobs) <= MOST_JOBS:
            return
        self._weighed = time.monotonic()
        sizes = {key: size_of(job.future.result()) for key, job in self._jobs.items() if job.state is State.DONE}
        total = sum(sizes.values())
        for key in list(sizes)[:-1]:
            if total <= self._kept_bytes and len(self._jobs) <= MOST_JOBS:
                return
            if not self._looked_at(self._jobs[key]):
                total -= sizes[key]
                del self._jobs[key]

    def _looked_at(self, job: Job) -> bool:
        """Whether anybody who wanted it is still on the page where they wanted it."""
        return any(self._places.get(user) == place and self._alive(user) for user, place in job.users.items())


def size_of(value: Any, depth: int = 4) -> int:
    """Bytes of the arrays inside a result."""
    if hasattr(value, "nbytes"):
        return int(value.nbytes)
    if depth == 0:
        return 0
    if isinstance(value, dict):
        return sum(size_of(item, depth - 1) for item in value.values())
    if isinstance(value, list | tuple):
        return sum(size_of(item, depth - 1) for item in value[:10_000])
    return size_of(getattr(value, "__dict__", ()), depth - 1)
