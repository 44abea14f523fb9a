"""Files are opened by processes of their own, one a file: what a file does to its reader, it does to nobody else.

A reader has limits of memory and time: it is started, asked one question, listened to, and ended at any moment;
`data.reading.process` is what it runs.
"""

import builtins
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from ..errors import DataError, NoColumnError, shortened
from ..limits import check_bytes
from ..openml.fetching import Fetched
from ..readers import known_readers
from ..readers.tables import Reader, Table
from ..records import Graph, Kind
from .handed_over import CONTENT, load_arrays, load_graph, load_table, save_results
from .limits import ALONE, ONLINE, Limits

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


def _started(when: str, program: str = "") -> subprocess.Popen:
    """A reader; nothing in the folder it is started in can stand in for a module."""
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-P", "-c", program or ALONE, str(_HOME), when],
        text=True,
        stdin=pipe,
        stdout=pipe,
        stderr=nowhere,
        start_new_session=True,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )


READY = _Ready()


#: Bytes a reader may take at most of what is packed, and beside what is accounted for.
MOST_BYTES, SLACK = 2 * 2**30, 2**28
#: Text and plain arrays take so many bytes a byte of the file; what is packed may take anything.
BYTES_A_BYTE = 12
#: The same where the words of a text are the ends of edges, each looked up among all.
BYTES_A_BYTE_OF_EDGES = 40
#: Seconds without a word from a reader after which it is ended, and those it may take whatever it says.
SILENCE, SECONDS = 10.0, 600
#: The first where scikit-learn opens a set of OpenML, which says nothing once it has come.
_SILENCE_OF_OPENML = 120.0
#: Seconds until a reader has begun: nothing of the file has been looked at then.
_BEGIN = 120
_LOOK = 0.05
PREFIX = "concord-upload-"


class Elsewhere:
    """Files are opened in a process of its own each; data.reading.opening.Reading says what the methods return.

    Parameters
    ----------
    silence : float
        Seconds without progress after which a reader is ended.
    """

    #: How far readers stand back behind others.
    nice = 0

    def __init__(self, silence: float = SILENCE) -> None:
        self.silence = silence

    def meanwhile(self) -> None:
        """Is called twenty times a second; what it raises ends the reader."""

    def allowed(self, filename: str, needed: int | None) -> int:
        """Bytes that the reader of a file may take; `needed` is None where its size says nothing of that."""
        return MOST_BYTES if needed is None else needed

    def lacks(self, lacking: tuple[str, ...]) -> None:
        """Hear what this system does not offer to readers of files."""

    def look(self, filename: str, content: bytes) -> tuple[list[str], bool]:
        """Return the names of the arrays in a file, and whether it can only be base clusterings."""
        reader = _reader(filename)
        if reader is not None and reader.names is None and reader.is_long is None:
            return [], False  # whatever is in it
        with _folder() as folder:
            found = self._asked(folder, filename, content, "look")
            return found["names"], found["long"]

    def table(self, filename: str, content: bytes | Path, kind: Kind, matrix: str | int | None = None) -> Table:
        """Return the columns of a file."""
        if not isinstance(content, Path) and _reader(filename) is not None:
            check_bytes(len(content))  # before it is copied
        with _folder() as folder:
            self._asked(folder, filename, content, "table", kind=kind, matrix=matrix)
            return load_table(folder)

    def graph(self, filename: str, content: bytes | Path, place: str | None = None) -> Graph:
        """Return the graph in a file."""
        with _folder() as folder:
            self._asked(folder, filename, content, "graph", place=place)
            return load_graph(folder)

    def arrays(self, filename: str, content: bytes) -> dict[str, np.ndarray]:
        """Return all arrays of an NPZ file by name."""
        with _folder() as folder:
            self._asked(folder, filename, content, "arrays")
            return load_arrays(folder)

    def openml(self, did: int, name: str) -> Fetched:
        """Return the set of a number on OpenML; the process has a network, and may write into the cache's folder."""
        with _folder() as folder:
            found = self._asked(folder, name, b"", "openml", did=did)
            return Fetched(load_table(folder), **found["said"])

    def annotate(
        self,
        path: Path,
        columns: Mapping[str, np.ndarray],
        settings: Mapping[str, Any],
        names: Sequence[str] | np.ndarray | None,
    ) -> None:
        """Write results into a file."""
        with _folder() as folder:
            save_results(columns, settings, names, folder)
            self._asked(folder, Path(path).name, Path(path), "annotate")

    def _asked(self, folder: Path, filename: str, content: bytes | Path, act: str, **how: Any) -> dict[str, Any]:
        """What a reader answers about a file."""
        here = isinstance(content, Path)
        size = content.stat().st_size if isinstance(content, Path) else len(content)
        silence = _SILENCE_OF_OPENML if act == "openml" else self.silence
        limits = Limits(self.allowed(filename, _needed(filename, size, act)) + SLACK, SECONDS, silence, self.nice)
        if not isinstance(content, Path):
            (folder / CONTENT).write_bytes(content)
        request = {"folder": str(folder), "filename": str(filename), "act": act, "limits": vars(limits), **how}
        request |= {"path": str(content.absolute())} if isinstance(content, Path) else {}
        asked = json.dumps(request, default=lambda one: one.item())
        found = self._answer(asked, shortened(Path(filename).name), limits, act == "openml")
        self.lacks(tuple(found["lacking"]))
        for category, words in found["warnings"]:
            warnings.warn(words, getattr(builtins, category, UserWarning), stacklevel=4)
        if "system" in found:
            raise OSError(*found["system"], str(content) if here else filename)
        if "error" in found:
            raise (NoColumnError if found.get("refusal") == NoColumnError.__name__ else DataError)(found["error"])
        return found

    def _answer(self, request: str, name: str, limits: Limits, online: bool) -> dict[str, Any]:
        """What a reader says in the end; it is killed when somebody asks to stop, or when nothing is heard of it."""
        talk = Conversation(_started("now", ONLINE) if online else READY.take(), request)
        try:
            self.meanwhile()  # also a reader that is done at once does not outrun a cancel
            while not talk.over(_LOOK):
                self.meanwhile()
                if talk.silent_for(limits.silence, _BEGIN):
                    raise _unheard(name, limits.silence)
                if talk.lasted > limits.seconds:
                    raise DataError(f"Reading {name} took more than {limits.seconds} s. Bring a smaller part.")
        finally:
            talk.end()
        if talk.answer:
            return json.loads(talk.answer)
        if talk.ran_out:
            raise _unheard(name, limits.silence)
        raise DataError(
            f"The reader of {name} ended without an answer: the file is damaged, or too large. Save it again."
        )


def _unheard(name: str, silence: float) -> DataError:
    return DataError(
        f"Nothing was heard of the reader of {name} for {silence:g} s, and it was ended: the file is damaged, or of a "
        "kind that is not read here. Save it again."
    )


def _reader(filename: str) -> Reader | None:
    return known_readers().get(Path(filename).suffix.lower())


def _needed(filename: str, n_bytes: int, act: str) -> int | None:
    """Memory that a reader needs, as far as the size of its file says."""
    reader, each = _reader(filename), BYTES_A_BYTE_OF_EDGES if act == "graph" else BYTES_A_BYTE
    return 64 * 2**20 + each * n_bytes if reader and reader.plain else None


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder of one's own, readable by its owner alone; gone afterwards, while what is mapped stays."""
    folder = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


#: How files are opened unless somebody says otherwise.
ELSEWHERE = Elsewhere()
