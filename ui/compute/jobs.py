"""Background jobs: computed once, shared by all sessions, with progress and cancel.

They run in lanes beside the pages: few threads, below the pages in priority, and fair to every session.
"""

import enum
import os
import sys
import threading
import time
import traceback
import weakref
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future, wait
from dataclasses import dataclass, field, replace
from typing import Any

from engine import Cancelled, EngineError, Monitor
from engine.runtime.blocks import kept_threads
from engine.runtime.memory import ACCOUNT, Share, working
from ui.compute.keeping import size_of

#: How much lower than a page the threads of a lane stand (Linux; helpers they start inherit it).
NICENESS = 10


class CrowdedError(EngineError):
    """One session has more work waiting than it may have."""


class Lanes:
    """A fixed number of daemon threads: unlike those of an executor, they do not keep a closing server waiting.

    Who has the least running comes first, and among equals who waited longest; at most `most` pieces of one user's work
    wait.
    """

    def __init__(self, n: int, most: int, what: str):
        self._most, self._what = most, what
        self._waiting: OrderedDict[str, deque[tuple[Callable[[], None], Callable[[], bool]]]] = OrderedDict()
        self._running: Counter[str] = Counter()
        self._changed = threading.Condition()
        for i in range(n):
            threading.Thread(target=self._work, name=f"concord-{what}-{i}", daemon=True).start()

    def submit(self, run: Callable[[], None], wanted: Callable[[], bool], user: str) -> None:
        """Run `run()` for a user once a thread is free, if still `wanted()` then; CrowdedError if too many wait."""
        with self._changed:
            queue = self._waiting.setdefault(user, deque())
            for gone in [piece for piece in queue if not piece[1]()]:
                queue.remove(gone)
            if len(queue) >= self._most:
                raise CrowdedError(
                    f"{len(queue)} {self._what} of yours are waiting, and no more may. Let some end, or cancel them"
                )
            queue.append((run, wanted))
            self._changed.notify()

    def _work(self) -> None:
        _step_back()
        while True:
            user, run = self._next()
            try:
                run()
            finally:
                del run
                with self._changed:
                    self._running[user] -= 1
                    self._changed.notify()

    def _next(self) -> tuple[str, Callable[[], None]]:
        """Wait for work, and take a piece of whoever has the least running."""
        with self._changed:
            while not any(self._waiting.values()):
                self._changed.wait()
            user = min((one for one, queue in self._waiting.items() if queue), key=self._running.__getitem__)
            run, _ = self._waiting[user].popleft()
            self._waiting.move_to_end(user)
            if not self._waiting[user]:
                del self._waiting[user]
            self._running[user] += 1
            self._running += Counter()  # forgets whom nothing runs for
            return user, run


def _step_back() -> None:
    """Lower the priority of this thread: pages are served first."""
    if sys.platform == "linux" and NICENESS:
        own = threading.get_native_id()
        lower = os.getpriority(os.PRIO_PROCESS, own) + NICENESS
        os.setpriority(os.PRIO_PROCESS, own, min(19, lower))


#: Finished results are kept up to this many bytes in all, and beyond it as long as somebody looks at them.
KEPT_BYTES = 2 * 2**30
#: Of these, results that nobody is there for: the next visitor may ask for the same.
UNATTENDED_BYTES = 2**28
#: Seconds after which a result on somebody's page may go where another person's work is short of memory.
RESTED = 60.0
#: Jobs that run at the same time, and those of minutes beside them.
WORKERS, PATIENT = 3, 1
#: Jobs, and studies, of one session that may wait.
MOST_WAITING, MOST_STUDIES = 48, 4
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
    """The last tick: what is being done, how far; and how far it was when, since it last began at less."""

    stage: str = "waiting for its turn"
    done: int = 0
    total: int = 0
    started: float = 0.0
    first: float = 0.0

    @property
    def share(self) -> float:
        """Finished part, in [0, 1]."""
        return min(1.0, self.done / self.total) if self.total else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Estimate, once a tenth was done since `started`."""
        gained = self.share - self.first
        return (time.monotonic() - self.started) * (1 - self.share) / gained if gained >= 0.1 else None

    def then(self, stage: str, done: int, total: int) -> "Progress":
        """The next tick. Parts of a whole go on from each other, whatever each is called; what begins anew has less."""
        found = Progress(stage, done, total, self.started, self.first)
        if self.total and found.share >= self.share:
            return found
        return replace(found, started=time.monotonic(), first=found.share)


@dataclass(eq=False)
class Job(Monitor):
    """One computation; `tick` is called by the engine, in the job's own thread."""

    key: Hashable
    patient: bool = False  # work of minutes, which goes on when its page is closed
    stop: threading.Event = field(default_factory=threading.Event)
    progress: Progress = field(default_factory=Progress)
    future: Future = field(default_factory=Future)
    users: dict[str, str] = field(default_factory=dict)  # who wants it, and on which page they were then
    watchers: dict[str, str] = field(default_factory=dict)  # who looks on while others wait for it, and where
    share: Share = field(default_factory=lambda: ACCOUNT.hold(0))  # what its result holds of the account
    used: float = field(default_factory=time.monotonic)

    def tick(self, stage: str, done: int, total: int) -> None:
        """Note the progress; stop here if somebody asked to."""
        if self.stop.is_set():
            raise Cancelled
        self.progress = self.progress.then(stage, done, total)

    @property
    def state(self) -> State:
        """Where the job stands now."""
        if not self.future.done():
            return State.RUNNING if self.future.running() else State.WAITING
        if self.future.cancelled() or isinstance(self.future.exception(), Cancelled):
            return State.CANCELLED
        return State.FAILED if self.future.exception() else State.DONE

    @property
    def is_stopped(self) -> bool:
        """Whether it was told to stop, and had not ended before."""
        return self.stop.is_set() and self.state is not State.DONE

    def wait(self, seconds: float) -> bool:
        """Wait for the end at most so long; whether it has come."""
        wait([self.future], seconds)
        return self.future.done()

    def cancel(self) -> None:
        """Ask the job to stop at its next tick."""
        self.stop.set()
        self.future.cancel()

    def run(self, compute: Callable[[Monitor], Any]) -> Any:
        """The result; while it is made, this thread holds what the engine asks for, and then what there is of it."""
        with working(self):
            result = compute(self)
            self.share.resize(size_of(result))
        weakref.finalize(self, self.share.give_back)  # also of a job that was forgotten while it ran
        return result

    def weigh(self) -> int:
        """Bytes of the result."""
        if self.state is State.DONE:
            self.share.resize(size_of(self.future.result()))
        return self.share.n_bytes


#: `job`: the one that this thread runs.
_here = threading.local()


def _run(compute: Callable[[Monitor], Any], job: Job) -> None:
    """Run a job in this thread, which keeps nothing of it alive."""
    if not job.future.set_running_or_notify_cancel():
        return
    _here.job = job
    try:
        with kept_threads():
            result = job.run(compute)
    except BaseException as error:  # noqa: BLE001 - goes to whoever asks for the result
        _forget_arrays(error)
        job.future.set_exception(error)
    else:
        job.future.set_result(result)
    finally:
        del _here.job


def _forget_arrays(error: BaseException | None) -> None:
    """An error is kept with the places it went through, but not with the arrays that were there."""
    while error is not None:
        traceback.clear_frames(error.__traceback__)
        error = error.__cause__ or error.__context__


class Jobs:
    """All jobs of this process by key: a few lanes, and a bounded memory of results.

    `alive` says whether a user is still there; what is kept is weighed at most every `weigh_every` seconds.
    """

    def __init__(
        self,
        workers: int = WORKERS,
        kept_bytes: int = KEPT_BYTES,
        alive: Callable[[str], bool] = lambda user: True,
        weigh_every: float = 0.0,
    ):
        self._lanes = Lanes(workers, MOST_WAITING, "computations")
        self._patient = Lanes(PATIENT, MOST_STUDIES, "studies")  # however many wait, pages never wait behind them
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._left: dict[tuple[Hashable, str], Job] = {}  # what whoever cancelled sees under a key
        self._places: dict[str, str] = {}
        self._lock = threading.Lock()
        self._kept_bytes, self._alive = kept_bytes, alive
        self._weigh_every, self._weighed = weigh_every, -weigh_every
        ACCOUNT.join(self)

    def submit(
        self, key: Hashable, compute: Callable[[Monitor], Any], user: str = "", patient: bool = False, place: str = ""
    ) -> Job:
        """The job under this key: the one that is there, or a new one; `place` is the page the user is on.

        `patient` jobs take minutes and run one after the other, beside the others. `compute(monitor)` runs in a
        thread of its own and must not touch `st`. A stopped job is started anew, but stays so until `forget` for who
        cancelled it, as a failed one does for all.
        """
        with self._lock:
            if (left := self._left.get((key, user))) is not None:
                return left
            job = self._jobs.get(key)
            if job is None or job.is_stopped:
                job = Job(key, patient)
                try:
                    self._enter(job, compute, user)
                except CrowdedError as error:
                    job.future.set_exception(error)
                    return job  # not kept: the next time there may be room
                self._jobs[key] = job
            job.users[user] = self._places[user] = place
            job.used = time.monotonic()
            self._jobs.move_to_end(key)
        self._forget_oldest()
        return job

    def _enter(self, job: Job, compute: Callable[[Monitor], Any], user: str) -> None:
        lanes = self._patient if job.patient else self._lanes
        lanes.submit(lambda: _run(compute, job), lambda: not job.future.done(), user)

    def find(self, key: Hashable, user: str = "") -> Job | None:
        """The job under this key as a user sees it, if there is one: a stopped one is there for who cancelled it."""
        with self._lock:
            job = self._jobs.get(key)
            return self._left.get((key, user)) or (None if job is None or job.is_stopped else job)

    def forget(self, key: Hashable, user: str = "") -> None:
        """Drop a job, so that the next `submit` starts it anew; after a cancel it is the one that others wait for."""
        with self._lock:
            if self._left.pop((key, user), None) is None:
                self._drop(key)

    def watch(self, job: Job, user: str, place: str) -> None:
        """A user is shown how far a job is: should those who want it let go, it goes on for who is still there."""
        with self._lock:
            self._places[user] = place
            if user not in job.users:
                job.watchers[user] = place

    def cancel(self, key: Hashable, user: str = "") -> None:
        """A user gives up what is not done yet, until `forget`; it goes on if somebody else who is there wants it."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None or job.future.done():
                return
            self._let_go(job, user)
            if any(map(self._alive, job.users)):
                self._left[key, user] = aside = Job(key, job.patient)
                aside.cancel()
            else:
                job.cancel()
                self._left[key, user] = job

    def _let_go(self, job: Job, user: str) -> None:
        """Take a user off a job; whoever looks on and is still on that page wants it from now on."""
        job.users |= {one: at for one, at in job.watchers.items() if self._places.get(one) == at}
        job.users.pop(user, None)

    def release(self, key: Hashable, user: str) -> None:
        """A user no longer wants this: stop it if nobody else does and it is not done."""
        with self._lock:
            job = self._jobs.get(key)
            if job is None:
                return
            self._let_go(job, user)
            if not job.users and not job.future.done():
                job.cancel()

    def weigh(self) -> None:
        """Weigh the results again."""
        with self._lock:
            for job in self._jobs.values():
                job.weigh()

    def oldest(self) -> float | None:
        """When the result that may go first was last wanted; None if none may."""
        with self._lock:
            found = self._first_to_go()
            return None if found is None else found.used

    def drop_oldest(self) -> None:
        """Let that result go."""
        with self._lock:
            if (found := self._first_to_go()) is not None:
                self._drop(found.key)

    def sweep(self) -> None:
        """Stop work that nobody is there for, studies aside; let go of all but a few results that nobody looks at."""
        with self._lock:
            for gone in [one for one, job in self._left.items() if job.state is State.DONE or not self._alive(one[1])]:
                del self._left[gone]
            for job in self._jobs.values():
                if not (job.future.done() or job.patient or any(map(self._alive, job.users))):
                    job.cancel()
            alone = [job for job in self._done() if not any(map(self._alive, job.users))]
            total = sum(job.share.n_bytes for job in alone)
            for job in alone:
                if total <= UNATTENDED_BYTES:
                    return
                total -= job.share.n_bytes
                self._drop(job.key)

    def _done(self) -> list[Job]:
        """Jobs with a result, the one wanted longest ago first."""
        return [job for job in self._jobs.values() if job.state is State.DONE]

    def _first_to_go(self) -> Job | None:
        """Of results that nobody looks at the oldest; else one that others looked at some time ago."""
        held = [job for job in self._done() if job.share.n_bytes]
        free = next((job for job in held if not self._looked_at(job)), None)
        if free is not None:
            return free
        asking = _here.job.users if hasattr(_here, "job") else {}
        before = time.monotonic() - RESTED
        return next((job for job in held if job.used < before and not job.users.keys() & asking.keys()), None)

    def _drop(self, key: Hashable) -> None:
        job = self._jobs.pop(key, None)
        if job is not None:
            job.share.give_back()

    def _forget_oldest(self) -> None:
        """Drop finished results, oldest first, until the rest fits.

        What a page needs all at once stays: it would start one result anew for want of the other, for ever. Where there
        are too many to keep, none is weighed again for that: it takes as long as there are many, at every new one.
        """
        if time.monotonic() - self._weighed >= self._weigh_every:
            self._weighed = time.monotonic()
            ACCOUNT.weigh()
        elif len(self._jobs) <= MOST_JOBS:
            return
        with self._lock:
            over = len(self._jobs) - MOST_JOBS
            given_up = [job for job in self._jobs.values() if job.future.done() and job.state is not State.DONE]
            for job in [one for one in given_up if not self._looked_at(one)][: max(over, 0)]:
                self._drop(job.key)
            done = self._done()
            total = sum(job.share.n_bytes for job in done)
            for job in done[:-1]:
                if total <= self._kept_bytes and len(self._jobs) <= MOST_JOBS:
                    return
                if not self._looked_at(job):
                    total -= job.share.n_bytes
                    self._drop(job.key)

    def _looked_at(self, job: Job) -> bool:
        """Whether anybody who wanted it is still on the page where they wanted it."""
        return any(self._places.get(user) == place and self._alive(user) for user, place in job.users.items())
