"""What the command lines share: progress on stderr, errors in one line, exit codes, files that are never half."""

import errno
import io
import os
import shutil
import sys
import tempfile
import threading
import time
import zipfile
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import BinaryIO

from .runtime.blocks import kept_threads
from .runtime.errors import EngineError, InvalidParameterError
from .runtime.memory import require_memory
from .runtime.monitor import Monitor


class UsageError(EngineError):
    """What was asked for cannot be meant, or has no way in or out."""


class Progress(Monitor):
    """One line on stderr, at most twice a second; with `ends`, also when a stage is over."""

    def __init__(self, ends: bool = False) -> None:
        self._ends, self._last, self._lock = ends, time.monotonic(), threading.Lock()

    def tick(self, stage: str, done: int, total: int) -> None:
        """Say how much is done."""
        now = time.monotonic()
        with self._lock:
            if now - self._last < 0.5 and not (self._ends and done == total):
                return
            self._last = now
        print(f"{stage}: {done:,} of {total:,}", file=sys.stderr, flush=True)


def run(act: Callable[[Namespace], None], chosen: Namespace) -> int:
    """Do what a command line says; the exit code: 0, 1 after an error, 2 for what cannot be meant, 130 when stopped.

    Errors that were foreseen are one line on stderr; a reader that has had enough ends the program quietly.
    """
    _take_closed_streams()
    try:
        if "out" in chosen and chosen.out in (None, "-"):
            _open("stdout", "--out FILE")  # before any work
        _check_results(chosen)
        with kept_threads():
            act(chosen)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (EngineError, data_sets().DataError, OSError, UnicodeDecodeError) as error:
        if isinstance(error, BrokenPipeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains at its end
            return 1
        print(f"error: {_words(error)}", file=sys.stderr)
        return 2 if isinstance(error, UsageError | data_sets().NoColumnError) else 1
    except KeyboardInterrupt:
        print("stopped; what was finished is kept" if "store" in chosen else "stopped", file=sys.stderr)
        return 130
    return 0


def _words(error: Exception) -> str:
    """An error in one line; of a file its name first, without the number that a system has for it."""
    if isinstance(error, OSError) and error.filename is not None:
        missing = isinstance(error, FileNotFoundError)
        return f"{error.filename}: {'there is no such file or folder' if missing else error.strerror}"
    return " ".join(str(error).split())


def _take_closed_streams() -> None:
    """Put nothing in the place of closed streams: the next file would get their number, and errors go to stdout."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")


def _open(stream: str, instead: str) -> BinaryIO:
    """Bytes of stdin or stdout, unless it is closed."""
    found = getattr(sys, stream)
    if found is None:
        raise UsageError(f"{stream} is closed. Say {instead}")
    return found.buffer


#: Options that name where results are written.
_RESULTS = ("out", "newick", "linkage")


def _check_results(chosen: Namespace) -> None:
    """Refuse a result where nothing can be written, in place of another, or of the file it is made of.

    An AnnData file is only added to.
    """
    named = {option: goal for option in _RESULTS if (goal := getattr(chosen, option, None))}
    goals = {"out": "-", **named}.values()  # what has no name goes to stdout
    if len({"-" if goal == "-" else os.path.realpath(goal) for goal in goals}) < len(goals):
        raise UsageError("two results would be written to one place. Name a file for each")
    for option, goal in named.items():
        file = getattr(chosen, "file", None)
        if file and is_one_of(goal, [file]) and Path(goal).suffix.lower() != ".h5ad":
            raise UsageError(f"--{option} is the file that is read. Name another")
        if goal != "-":
            _place(goal)  # before any work


def is_one_of(goal: str | os.PathLike, files: Iterable[str | os.PathLike]) -> bool:
    """Whether what is written there would be written over one of these files, under whatever name."""
    there = Path(goal).is_file()
    return there and any(Path(file).is_file() and Path(goal).samefile(file) for file in files)


def whole(low: int) -> Callable[[str], int]:
    """What reads a number of a command line: a whole one, `low` or more."""

    def read(word: str) -> int:
        try:
            value = int(word)
        except ValueError:
            value = low - 1
        if value < low:
            raise ArgumentTypeError(f"must be a whole number of at least {low}. Got {word!r}")
        return value

    return read


def read_as_graph(file: str, said: bool, takes_graph: bool) -> bool:
    """Whether a file is a graph: somebody `said` so, it can be nothing else, or it is AnnData and a graph is taken.

    AnnData may hold features alone; where nobody said that it is a graph, it is then read as these.
    """
    alone = data_sets().graph_files.can_only_be_graph(file)
    return said or alone or (takes_graph and file.lower().endswith(".h5ad"))


#: How binary files begin that may come through a pipe; others are read by the ending of their name alone.
_BEGINNINGS = {b"\x93NUMPY": "npy", b"PAR1": "parquet"}


def _kind_of(content: bytes) -> str:
    """The ending that what came without a name would have; an archive is NPZ if it holds arrays alone."""
    if content.startswith(b"PK\x03\x04"):
        with suppress(zipfile.BadZipFile), zipfile.ZipFile(io.BytesIO(content)) as archive:
            return "npz" if all(name.endswith(".npy") for name in archive.namelist()) else "zip"
    return next((kind for begin, kind in _BEGINNINGS.items() if content.startswith(begin)), "csv")


def read_input(path: str) -> tuple[str, bytes | Path]:
    """Name and content of a file; "-" is stdin, and a folder is read as if its files were in one ZIP.

    What comes through stdin has no name: it is NPZ, ZIP, NPY or Parquet if it begins as these do, else text.

    An AnnData file is read where it is, for its matrix may be larger than memory.
    """
    if not path:
        raise UsageError("FILE is an empty word. Name a file, or - for stdin")
    if path == "-":
        content = _all_of(_open("stdin", "FILE"), "stdin")
        return f"stdin.{_kind_of(content)}", content
    if not Path(path).is_dir():
        return path, Path(path) if path.lower().endswith(".h5ad") else content_of(path)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for file in sorted(Path(path).iterdir()):
            if file.is_file():
                name = file.name.encode(errors="backslashreplace").decode()  # it may be no UTF-8
                archive.writestr(name, content_of(file))
                _require_fewer(f"what is in {path}", held.tell())
    return f"{Path(path).resolve().name}.zip", held.getvalue()


#: Bytes that a command takes of a file: what its reader may take at most.
_MOST_BYTES = 2 * 2**30
_PART = 2**24


def content_of(path: str | os.PathLike) -> bytes:
    """All of a file, a device or a pipe, unless that is more than any reader takes, or than memory holds."""
    if size := os.stat(path).st_size:
        _require_fewer(str(path), size)
        require_memory(str(path), size)
    with open(path, "rb") as file:
        return _all_of(file, str(path))


def _all_of(file: BinaryIO, name: str) -> bytes:
    held = io.BytesIO()
    try:
        while part := file.read(_PART):
            held.write(part)
            _require_fewer(name, held.tell())
        return held.getvalue()
    except MemoryError:
        raise UsageError(f"{name} takes more memory than there is. Bring a smaller part") from None


def _require_fewer(name: str, n_bytes: int) -> None:
    if n_bytes > _MOST_BYTES:
        raise UsageError(f"{name} has more than {_MOST_BYTES >> 30} GiB, which no reader takes. Bring a smaller part")


def write_output(path: str | None, content: bytes) -> None:
    """Write to a file, which is never half (`replacing`); without a path to stdout."""
    if path in (None, "-"):
        _open("stdout", "--out FILE").write(content)
        return
    with replacing(str(path)) as half:
        half.write_bytes(content)


@contextmanager
def replacing(path: str | os.PathLike) -> Iterator[Path]:
    """Where to write what is to stand in a file once it is whole, under a name with the same ending.

    The file keeps its mode, a link stays one, hard or soft; a device or a pipe is written to.
    """
    named, goal = Path(path), _place(path)
    there = named.exists()
    # A file of several names is written through, or it were two files afterwards; /dev/stdout may be a file, too.
    alone = not there or (goal.is_file() and goal.stat().st_nlink == 1 and not named.absolute().is_relative_to("/dev"))
    plain = alone and os.access(goal.parent, os.W_OK)
    try:
        with tempfile.TemporaryDirectory(dir=goal.parent if plain else None, prefix=".concord-") as aside:
            half = Path(aside) / f"out{named.suffix}"
            yield half
            if not plain:
                with half.open("rb") as source, named.open("wb") as sink:
                    shutil.copyfileobj(source, sink)
                return
            if there:
                shutil.copymode(goal, half)
            os.replace(half, goal)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise OSError(error.errno, error.strerror, str(named)) from error  # writing names no file, or the one aside


def _place(path: str | os.PathLike) -> Path:
    """The file that is written under this name, which may be a link; an error where none can be."""
    named = Path(path)
    if named.is_dir():
        raise InvalidParameterError(f"{named} is a folder. Name a file")
    goal = Path(os.path.realpath(named))
    if not goal.parent.is_dir():
        raise InvalidParameterError(f"{named} cannot be written: there is no folder {goal.parent}")
    asked = named if named.exists() else goal.parent  # a pipe is there under its name alone
    if not os.access(asked, os.W_OK):
        raise InvalidParameterError(f"{named} cannot be written: {asked} may only be read")
    return goal


def data_sets() -> ModuleType:
    """The package that reads data: beside the engine in the source tree, inside it once installed."""
    root = __package__.partition(".")[0]
    return import_module("data" if root == "engine" else f"{root}.data")
