"""Processes that read files: started, asked one question each, listened to, and ended."""

import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

import psutil

from . import limits

#: The folder of the package that readers import.
_HOME = Path(__file__).parents[1]
#: Of the time without a word, the share of it that a reader must have had the processor to count as busy with nothing,
#: and below which it counts as asleep; between the two others held the processor, and it is waited for.
_BUSY, _ASLEEP = 0.9, 0.05
_OUT_OF_TIME = (-24, -14)  # SIGXCPU, SIGALRM


class Conversation:
    """One request to a reader, and what it says: words that it goes on, then perhaps an answer."""

    def __init__(self, process: subprocess.Popen, request: str) -> None:
        self.answer = ""
        self._process, self._words = process, 0
        self._known, self._since, self._used = 0, time.monotonic(), 0.0
        self._begun: float | None = None
        self._listener = threading.Thread(target=self._listen, args=(request,), daemon=True)
        self._listener.start()

    def over(self, seconds: float) -> bool:
        """Whether the reader has answered or ended, after waiting so long for it."""
        self._listener.join(seconds)
        return not self._listener.is_alive()

    def silent_for(self, silence: float, begin: float) -> bool:
        """Whether nothing was heard for so long, of a reader that had the processor; `begin` is for the first word."""
        now = time.monotonic()
        if self._words != self._known:
            self._known, self._since, self._used = self._words, now, self._processor_time()
        if not self._known:
            return now - self._since > begin
        if now - self._since < silence:
            return False
        used = self._processor_time() - self._used
        return not _ASLEEP * (now - self._since) < used < _BUSY * silence

    @property
    def lasted(self) -> float:
        """Seconds since the first word."""
        return 0.0 if self._begun is None else time.monotonic() - self._begun

    @property
    def ran_out(self) -> bool:
        """Whether the system ended the reader for taking too long."""
        return self._process.returncode in _OUT_OF_TIME

    def end(self) -> None:
        """End the reader, whatever it does."""
        self._process.kill()
        self._process.wait()
        self._listener.join()
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()

    def _listen(self, request: str) -> None:
        """Hand over the request and note what comes; the pipe stays open, its end would tell that nobody waits."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with suppress(BrokenPipeError), self._process.stdout:
            self._process.stdin.write(request + "\n")
            self._process.stdin.flush()
            for line in self._process.stdout:
                self._words += 1
                self._begun = self._begun or time.monotonic()
                if line.startswith("{"):
                    self.answer = line
                    return

    def _processor_time(self) -> float:
        try:
            times = psutil.Process(self._process.pid).cpu_times()
        except psutil.Error:  # it has just ended
            return self._used
        return times.user + times.system


class _Ready:
    """Readers to be asked; once somebody called `warm`, one has started up already, so that nobody waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._warm = False
        self._spare: subprocess.Popen | None = None

    def take(self) -> subprocess.Popen:
        """A process that waits for a request."""
        with self._lock:
            spare, self._spare = self._spare, _started("ahead") if self._warm else None
        return spare if spare is not None and spare.poll() is None else _started("now")

    def warm(self) -> None:
        """Keep one ready from here on."""
        with self._lock:
            self._warm, self._spare = True, self._spare or _started("ahead")


def _started(when: str) -> subprocess.Popen:
    """A reader; nothing in the folder it is started in can stand in for a module."""
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-P", "-c", limits.ALONE, str(_HOME), when],
        text=True,
        stdin=pipe,
        stdout=pipe,
        stderr=nowhere,
        start_new_session=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )


READY = _Ready()
