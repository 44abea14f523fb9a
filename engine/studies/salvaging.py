"""What is whole of a damaged store, saved into a new one."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .records import Record
from .rows import COLUMNS_OF_A_ROW, DamagedRowError, record_of_row, text_or_bytes
from .store import Store, StoreError
from .store_file import companions

#: Keys begin with two hexadecimal digits: a damaged page hides at most what lies beside it in one of these ranges.
_EDGES = ("", *(f"{i:02x}" for i in range(256)), None)


@dataclass(frozen=True)
class Salvaged:
    """What came of saving a store.

    Attributes
    ----------
    kept : int
        Records that were whole.
    damaged : int
        Rows that were there and not what was written.
    out_of_reach : bool
        Whether pages could not be read, and with them an unknown number of records.
    """

    kept: int
    damaged: int
    out_of_reach: bool


def salvage(damaged: Path, goal: Path) -> Salvaged:
    """Copy all whole records of a damaged store into a new one.

    Parameters
    ----------
    damaged : Path
        Is only read. If no version of Concord wrote it, nothing of it is found whole.
    goal : Path
        Must not exist.

    Returns
    -------
    Salvaged
        Counts.

    Raises
    ------
    StoreError
        If the goal is there already, the file is not, or nothing can be read of it.
    """
    if goal.exists():
        raise StoreError(f"{goal} is there already. Name a new file")
    if not damaged.is_file():
        raise StoreError(f"{damaged} could not be read: there is no such file")
    reader = _Reader(damaged)
    whole = reader.records()
    with closing(Store(goal)) as store:
        store.add(whole.values())
    return Salvaged(len(whole), len(reader.damaged), reader.out_of_reach)


class _Reader:
    """Reads a table from both ends of every range of keys, so that a damaged page hides as little as may be."""

    def __init__(self, path: Path):
        self._path, self.damaged, self.out_of_reach = path, set[str](), False

    def records(self) -> dict[str, Record]:
        """All whole records by key."""
        found = dict[str, Record]()
        with TemporaryDirectory() as aside, closing(sqlite3.connect(self._copied(Path(aside)))) as connection:
            connection.text_factory = text_or_bytes
            self._require_table(connection)
            for low, high in pairwise(_EDGES):
                for row in self._range(connection, low or "", high):
                    self._sort(found, row)
        return found

    def _copied(self, folder: Path) -> Path:
        """The file and what lies beside it in a folder: what a killed process began to write is taken back there."""
        copy = folder / "store"
        for file, goal in zip((self._path, *companions(self._path)), (copy, *companions(copy)), strict=True):
            if file.is_file():
                shutil.copyfile(file, goal)
        return copy

    def _require_table(self, connection: sqlite3.Connection) -> None:
        """Refuse what has no records as they are written today."""
        try:
            there = {row[1] for row in connection.execute("PRAGMA table_info(records)")}
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise StoreError(f"{self._path} could not be read: nothing of it is whole ({error})") from error
        if "key" not in there:
            raise StoreError(f"{self._path} could not be read: it has no table of records")
        if lacking := [name for name in COLUMNS_OF_A_ROW if name not in there]:
            raise StoreError(f"{self._path} could not be read: its records have no {lacking[0]}, as of another version")

    def _range(self, connection: sqlite3.Connection, low: str, high: str | None) -> Iterator[tuple]:
        """Rows with keys in [low, high), from the front, and from the back where the front ends at a damage."""
        columns = ", ".join(COLUMNS_OF_A_ROW)
        below = "" if high is None else f" AND key < '{high}'"
        for direction in ("ASC", "DESC"):
            try:
                yield from connection.execute(
                    f"SELECT {columns} FROM records WHERE key >= '{low}'{below} ORDER BY key {direction}"
                )
                return
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                self.out_of_reach = True

    def _sort(self, found: dict[str, Record], row: tuple[Any, ...]) -> None:
        try:
            record = record_of_row(row)
        except DamagedRowError:
            self.damaged.add(repr(row))
        else:
            found[record.key] = record
