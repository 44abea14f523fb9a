"""Files are read in processes of their own (`data.reading`), on the account of the app's memory, until a cancel."""

import logging
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from data import Graph
from data.errors import NoRoomError
from data.readers.tables import Table
from data.reading.elsewhere import MOST_BYTES, PREFIX, READY, SILENCE, Elsewhere
from data.records import Kind
from engine import Monitor, TooLargeError
from engine.monitor import SILENT
from engine.runtime.memory import memory_limit, require_memory


class Reading(Elsewhere):
    """Readers that stand back behind the pages, have their memory of the account, and end when a monitor says so."""

    nice = 10

    def __init__(self, monitor: Monitor = SILENT, silence: float = SILENCE, stage: str = "reading the file") -> None:
        super().__init__(silence)
        self._monitor, self._stage = monitor, stage

    def meanwhile(self) -> None:
        """Ask whether it is still wanted."""
        self._monitor.tick(self._stage, 0, 1)

    def allowed(self, filename: str, needed: int | None) -> int:
        """What is needed and there; NoRoomError where it is not."""
        most = min(MOST_BYTES, memory_limit() // 2)
        n_bytes = most if needed is None else min(most, needed)
        try:
            require_memory(f"Reading {filename}", n_bytes)
        except TooLargeError as error:
            raise NoRoomError(f"{error}. Try again once others have closed their pages.") from None
        return n_bytes

    def lacks(self, lacking: tuple[str, ...]) -> None:
        """Tell the operator."""
        _say_once(lacking)


def read_file(filename: str, content: bytes, kind: Kind, matrix: str | None, monitor: Monitor = SILENT) -> Table:
    """The columns of a file."""
    return Reading(monitor).table(filename, content, kind, matrix)


def read_graph_file(filename: str, content: bytes, place: str | None, monitor: Monitor = SILENT) -> Graph:
    """The graph in a file."""
    return Reading(monitor).graph(filename, content, place)


def arrays_in(filename: str, content: bytes, monitor: Monitor = SILENT) -> list[str]:
    """The names of the arrays in a file, for a name may be as bad as an array."""
    return Reading(monitor).look(filename, content)[0]


def annotated(
    filename: str,
    content: bytes,
    columns: Mapping[str, np.ndarray],
    settings: Mapping[str, Any],
    names: Sequence[str] | np.ndarray | None,
    monitor: Monitor = SILENT,
) -> bytes:
    """A copy of an AnnData file with results in it (`data.annotate`)."""
    with tempfile.TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-") as folder:
        copy = Path(folder, "copy.h5ad")
        copy.write_bytes(content)
        Reading(monitor).annotate(copy, columns, settings, names)
        return copy.read_bytes()


@cache
def _say_once(lacking: tuple[str, ...]) -> None:
    """Tell the operator what this system does not offer to readers of files."""
    if lacking:
        logging.getLogger(__name__).warning("Files are read without: %s", "; ".join(lacking))


def warm() -> None:
    """Have a reader ready before the first file comes, and clear away what a killed app left behind."""
    READY.warm()
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*-*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdigit() and not psutil.pid_exists(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)
