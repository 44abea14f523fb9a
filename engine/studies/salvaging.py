"""What is whole of a damaged store, saved into a new one."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from .records import FORMS, text_or_bytes
from .store import Store, StoreError, copied, require_new, require_there, written

#: Keys begin with two hexadecimal digits: a damaged page hides at most what lies beside it in one of these ranges.
_EDGES = ("", *(f"{i:02x}" for i in range(256)), None)


@dataclass(frozen=True)
class Salvaged:
    """What came of saving a store: records `kept` whole, rows `damaged`, and how many should have been `written`.

    `out_of_reach`: pages could not be read, and with them records; `written` is None where its count is damaged.
    """

    kept: int
    damaged: int
    out_of_reach: bool
    written: int | None


def salvage(damaged: Path, goal: Path) -> Salvaged:
    """Copy all whole records of a damaged store, which is only read, into a new one that must not exist.

    The table is read from both ends of every range of keys, so that a damaged page hides as little as may be. If no
    version of Concord wrote it, nothing of it is found whole.
    """
    require_new(goal)
    require_there(damaged)
    with copied(damaged) as copy, closing(sqlite3.connect(copy)) as connection:
        connection.text_factory = text_or_bytes
        try:
            names = {row[1] for row in connection.execute("PRAGMA table_info(records)")}
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            raise StoreError(f"{damaged} could not be read: nothing of it is whole ({error})") from error
        forms = [form for form in FORMS.values() if names.issuperset(form[0])]
        if not forms:
            raise StoreError(f"{damaged} could not be read: it has no table of records with checksums")
        columns, record_of = forms[0]
        rows, out_of_reach = _rows_in_reach(connection, columns)
        expected = written(connection)
    whole = [record for row in rows if (record := record_of(*row)) is not None]
    with closing(Store(goal)) as store:
        store.add(whole)
    return Salvaged(len(whole), len(rows) - len(whole), out_of_reach, expected)


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
