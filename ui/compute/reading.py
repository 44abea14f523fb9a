"""Files are read in a process of their own: limits of memory and time, and it can be killed at any moment."""

import json
import logging
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import psutil

import data
from data import DataError, Graph
from data.graph_files import load_graph
from data.readers import known_readers
from data.readers.tables import Table
from data.reading_limits import ALONE
from data.reading_process import ANNOTATED, CONTENT, GRAPH, NAMES, load_table, save_columns
from data.records import Kind
from engine import Monitor, TooLargeError
from engine.monitor import SILENT
from engine.runtime.memory import memory_limit, require_memory

#: Bytes a reader may take at most, and beside what is accounted for.
MOST_BYTES, SLACK = 2 * 2**30, 2**28
#: Text and plain arrays take so many bytes a byte of the file; what is packed may take anything.
BYTES_A_BYTE = 12
#: The same where the words of a text are the ends of edges, each looked up among all.
BYTES_A_BYTE_OF_EDGES = 40
#: Seconds a file may take, processor and wall.
SECONDS = 120
#: The same for looking which arrays it has.
SECONDS_FOR_NAMES = 10
_LOOK = 0.05
_PREFIX = "concord-upload-"
_ROOT = Path(data.__file__).parents[1]


def read_file(
    filename: str, content: bytes | memoryview, kind: Kind, matrix: str | None, monitor: Monitor = SILENT
) -> Table:
    """The columns of a file, read elsewhere; a cancel, or too much memory or time, kills the process."""
    with _folder() as folder:
        _asked(folder, filename, content, kind, matrix, SECONDS, monitor)
        return load_table(folder)


def read_graph_file(filename: str, content: bytes | memoryview, place: str | None, monitor: Monitor = SILENT) -> Graph:
    """The graph in a file, read elsewhere as its columns would be."""
    with _folder() as folder:
        _asked(folder, filename, content, GRAPH, place, SECONDS, monitor)
        return load_graph(folder)


def arrays_in(filename: str, content: bytes | memoryview, monitor: Monitor = SILENT) -> list[str]:
    """The names of the arrays in a file, listed elsewhere, for a name may be as bad as an array."""
    return _looked_into(filename, content, monitor)["names"]


def annotated(
    filename: str,
    content: bytes | memoryview,
    columns: Mapping[str, np.ndarray],
    settings: Mapping[str, Any],
    names: Sequence[str] | np.ndarray | None,
    monitor: Monitor = SILENT,
) -> bytes:
    """A copy of an AnnData file with results in it (`data.annotate`), written elsewhere."""
    with _folder() as folder:
        save_columns(columns, settings, names, folder)
        _asked(folder, filename, content, ANNOTATED, None, SECONDS, monitor)
        return (folder / CONTENT).read_bytes()


def _looked_into(filename: str, content: bytes | memoryview, monitor: Monitor) -> dict[str, Any]:
    with _folder() as folder:
        return _asked(folder, filename, content, NAMES, None, SECONDS_FOR_NAMES, monitor)


class ReadingElsewhere:
    """Files of the folder (`data.folder.Reading`) are opened where uploads are: a link names them, and anybody may."""

    def __init__(self, monitor: Monitor = SILENT):
        self._monitor = monitor

    def look(self, filename: str, content: bytes) -> tuple[list[str], bool]:
        """The names of the arrays in a file, and whether it can only be base clusterings."""
        found = _looked_into(filename, content, self._monitor)
        return found["names"], found["long"]

    def table(self, filename: str, content: bytes, kind: Kind) -> Table:
        """The columns of a file."""
        return read_file(filename, content, kind, None, self._monitor)


def _asked(
    folder: Path,
    filename: str,
    content: bytes | memoryview,
    kind: str,
    matrix: str | None,
    seconds: int,
    monitor: Monitor,
) -> dict[str, Any]:
    """What the reader answers about a file, which has its memory and time."""
    needed = _estimate(filename, len(content), kind)
    try:
        require_memory(f"Reading {filename}", needed)
    except TooLargeError as error:
        raise DataError(f"{error}. Try again once others have closed their pages.") from None
    (folder / CONTENT).write_bytes(content)
    limits = {"n_bytes": needed + SLACK, "seconds": seconds}
    request = {"folder": str(folder), "filename": filename, "kind": kind, "matrix": matrix, **limits}
    found = _answer(request, monitor)
    _say_once(tuple(found.get("lacking", ())))
    if "error" in found:
        raise DataError(found["error"])
    return found


@cache
def _say_once(lacking: tuple[str, ...]) -> None:
    """Tell the operator what this system does not offer to readers of files."""
    if lacking:
        logging.getLogger(__name__).warning("Files are read without: %s", "; ".join(lacking))


def _estimate(filename: str, n_bytes: int, kind: str) -> int:
    """Memory that a reader is allowed."""
    reader = known_readers().get(Path(filename).suffix.lower())
    most, each = min(MOST_BYTES, memory_limit() // 2), BYTES_A_BYTE_OF_EDGES if kind == GRAPH else BYTES_A_BYTE
    return min(most, 64 * 2**20 + each * n_bytes) if reader and reader.plain else most


def _answer(request: dict, monitor: Monitor) -> dict[str, Any]:
    """What the reader says; it is killed when somebody asks to stop, or when it takes too long."""
    seconds = request["seconds"]
    process, deadline = _READY.take(), time.monotonic() + seconds
    said: list[str] = []
    listener = threading.Thread(target=_ask, args=(process, request, said), daemon=True)
    listener.start()
    try:
        while listener.is_alive():
            monitor.tick("reading the file", 0, 1)
            if time.monotonic() > deadline:
                raise DataError(f"Reading the file took more than {seconds} s, and was given up. Bring a smaller part.")
            listener.join(_LOOK)
    finally:
        process.kill()
        process.wait()
        listener.join()
    if not said or not said[0]:
        raise DataError(
            "The reader of the file ended without an answer: the file is damaged, or too large. Save it again."
        )
    return json.loads(said[0])


def _ask(process: subprocess.Popen, request: dict, said: list[str]) -> None:
    """Hand over a request and note the answer; the pipe stays open, its end would tell the reader that nobody waits."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(BrokenPipeError), process.stdout:
        process.stdin.write(json.dumps(request) + "\n")
        process.stdin.flush()
        said.append(process.stdout.readline())


class _Ready:
    """One process that has started up already, so that nobody waits for it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._spare: subprocess.Popen | None = None

    def take(self) -> subprocess.Popen:
        """A process that waits for a request; the next one is started."""
        with self._lock:
            spare, self._spare = self._spare, _started()
        return spare if spare is not None and spare.poll() is None else _started()

    def warm(self) -> None:
        """Start the first one."""
        with self._lock:
            self._spare = self._spare or _started()


def _started() -> subprocess.Popen:
    begun = ["-c", ALONE] if sys.platform == "linux" else ["-m", "data.reading_process"]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, *begun], cwd=_ROOT, text=True, stdin=pipe, stdout=pipe, stderr=nowhere, start_new_session=True
    )


_READY = _Ready()


def warm() -> None:
    """Have a reader ready before the first file comes, and clear away what a killed app left behind."""
    _READY.warm()
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        owner = folder.name.removeprefix(_PREFIX).partition("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder of one's own, readable by its owner alone; gone afterwards, while what is mapped stays."""
    folder = tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-")
    try:
        yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
