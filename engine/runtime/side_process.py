"""Libraries that cannot be stopped, in processes that can: started when needed, kept a moment, ended by a cancel."""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

import numpy as np
from numpy.typing import NDArray

from .errors import EngineError
from .monitor import Monitor

_WORKER = Path(__file__).with_name("side_worker.py")
#: Seconds a process waits for the next task: long enough for a thought between two moves of a knob, short enough to
#: give back its memory.
_IDLE = 30.0
_LOOK = 0.1
#: Signals by which the system ends a process that has set itself a time: SIGALRM and SIGXCPU.
_TOO_LONG = (14, 24)
#: BLAS and OpenMP on one thread there, too: rounding must not depend on the cores of the machine.
_ENVIRONMENT = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
_lock = threading.Lock()
_idle: list["_Process"] = []


class SideProcessError(EngineError):
    """A process of its own ended before it answered; the message says why."""


def solve_aside(script: Path, given: dict[str, NDArray], stage: str, monitor: Monitor) -> NDArray:
    """What `solve` of a script makes of arrays, in a process of its own that serves the next task too.

    The script defines `solve(given) -> array` and imports nothing of this package; arrays travel through files. A
    cancel kills the process within 0.1 s; if it ends by itself, SideProcessError has the last line it wrote.
    """
    monitor.tick(stage, 0, 1)
    process = _take(script)
    try:
        found = process.ask(given, stage, monitor)
    except BaseException:
        process.end()
        raise
    _give_back(process)
    monitor.tick(stage, 1, 1)
    return found


def _take(script: Path) -> "_Process":
    """A process that waits for this script's tasks, or a new one."""
    with _lock:
        for process in _idle:
            if process.script == script and process.rest():
                _idle.remove(process)
                return process
    return _Process(script)


def _give_back(process: "_Process") -> None:
    with _lock:
        _idle.append(process)
        process.wait_for_task(_IDLE, _drop)


def _drop(process: "_Process") -> None:
    """End a process that nobody asked for a while."""
    with _lock:
        if process not in _idle:
            return
        _idle.remove(process)
    process.end()


class _Process:
    """One process and the folder through which arrays travel."""

    def __init__(self, script: Path):
        self.script = script
        self._folder = tempfile.TemporaryDirectory(prefix="concord-", ignore_cleanup_errors=True)
        self._said = Path(self._folder.name, "said")
        command = [sys.executable, "-P", str(_WORKER), str(script)]
        pipe = subprocess.PIPE
        with self._said.open("w") as said:
            self.process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=said, text=True, env=os.environ | _ENVIRONMENT
            )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self._tasks, self._lines = self.process.stdin, self.process.stdout
        self._answers: SimpleQueue[str] = SimpleQueue()
        threading.Thread(target=self._listen, name="concord-side", daemon=True).start()
        self._timer: threading.Timer | None = None

    def _listen(self) -> None:
        """Every answer, and an empty one at the end."""
        for line in self._lines:
            self._answers.put(line)
        self._answers.put("")

    def ask(self, given: dict[str, NDArray], stage: str, monitor: Monitor) -> NDArray:
        """The answer to one task."""
        folder = Path(self._folder.name)
        files = {name: str(folder / f"given_{name}.npy") for name in given}
        for name, array in given.items():
            monitor.tick(stage, 0, 1)
            np.save(files[name], array, allow_pickle=False)
        found = str(folder / "found")
        try:
            print(json.dumps([files, found]), file=self._tasks, flush=True)
        except OSError as error:  # it has just ended
            raise SideProcessError(self._reason()) from error
        if not (answer := self._answer(stage, monitor)):
            raise SideProcessError(self._reason())
        try:
            kind, shape = json.loads(answer)
            return np.fromfile(found, kind).reshape(shape)  # Python 3.11 may fail to read heads of NPY in two threads
        except (OSError, ValueError, TypeError) as error:
            raise SideProcessError("its process left an answer that cannot be read") from error
        finally:
            Path(found).unlink(missing_ok=True)  # it may be large, and the next task long in coming

    def _answer(self, stage: str, monitor: Monitor) -> str:
        while True:
            try:
                return self._answers.get(timeout=_LOOK)
            except Empty:
                monitor.tick(stage, 0, 1)

    def _reason(self) -> str:
        """Why it ended: the last line it wrote, which names the error; killed processes write none."""
        status = self.process.wait()
        lines = self._said.read_text(errors="replace").strip().splitlines()
        if lines and status > 0:
            return lines[-1][-300:].rstrip(".")
        if -status in _TOO_LONG:
            return "its process took too long and was ended"
        return f"its process ended with status {status}, most likely for want of memory"

    def wait_for_task(self, seconds: float, drop: Callable[["_Process"], None]) -> None:
        self._timer = threading.Timer(seconds, drop, (self,))
        self._timer.daemon = True
        self._timer.start()

    def rest(self) -> bool:
        """End the waiting; whether it is still there."""
        if self._timer:
            self._timer.cancel()
        return self.process.poll() is None

    def end(self) -> None:
        """Kill it, and drop what it was given."""
        self.process.kill()
        self.process.wait()
        with suppress(OSError):  # a task it no longer hears
            self._tasks.close()
        self._folder.cleanup()
