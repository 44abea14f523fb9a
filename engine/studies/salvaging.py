"""What is whole of a damaged store, saved into a new one."""

import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

from .records import FORMS, text_or_bytes
from .store import Store, StoreError, companions

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
        Whether pages could not be read, and with them records.
    written : int or None
        Records that the store should have; None where its count is damaged.
    """

    kept: int
    damaged: int
    out_of_reach: bool
    written: int | None


def salvage(damaged: Path, goal: Path) -> Salvaged:
    """Copy all whole records of a damaged store into a new one.

    The table is read from both ends of every range of keys, so that a damaged page hides as little as may be.

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
    with _copied(damaged) as connection:
        try:
            names = {row[1] for row in connection.execute("PRAGMA table_info(records)")}
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise StoreError(f"{damaged} could not be read: nothing of it is whole ({error})") from error
        forms = [form for form in FORMS.values() if names.issuperset(form[0])]
        if not forms:
            raise StoreError(f"{damaged} could not be read: it has no table of records with checksums")
        columns, record_of = forms[0]
        rows, out_of_reach = _rows_in_reach(connection, columns)
        written = _written(connection)
    whole = [record for row in rows if (record := record_of(*row)) is not None]
    with closing(Store(goal)) as store:
        store.add(whole)
    return Salvaged(len(whole), len(rows) - len(whole), out_of_reach, written)


@contextmanager
def _copied(path: Path) -> Iterator[sqlite3.Connection]:
    """A copy of a store and what lies beside it: what a killed process began to write is taken back there."""
    with TemporaryDirectory() as aside:
        copy = Path(aside) / "store"
        for file, twin in zip((path, *companions(path)), (copy, *companions(copy)), strict=True):
            if file.is_file():
                shutil.copyfile(file, twin)
        with closing(sqlite3.connect(copy)) as connection:
            connection.text_factory = text_or_bytes
            yield connection


def _rows_in_reach(connection: sqlite3.Connection, columns: Iterable[str]) -> tuple[set[tuple], bool]:
    """Rows of all ranges of keys, each from the front, and from the back where the front ends at a damage."""
    found, out_of_reach = set[tuple](), False
    for low, high in pairwise(_EDGES):
        where = f"key >= '{low}'" + ("" if high is None else f" AND key < '{high}'")
        for order in ("ASC", "DESC"):
            try:
                found.update(
                    connection.execute(f"SELECT {', '.join(columns)} FROM records WHERE {where} ORDER BY key {order}")
                )
                break
            except (sqlite3.DatabaseError, UnicodeDecodeError):
                out_of_reach = True
    return found, out_of_reach


def _written(connection: sqlite3.Connection) -> int | None:
    """How many records were written, where that can still be read."""
    try:
        found = connection.execute("SELECT n FROM tally").fetchall()
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return None
    return found[0][0] if len(found) == 1 and isinstance(found[0][0], int) else None
