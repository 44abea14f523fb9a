"""Records on disk: SQLite, a row as each task ends, so that nothing finished is ever lost."""

import io
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from ..confidence import INTERNAL
from ..errors import EngineError
from ..extras import imported
from ..metrics import MEASURES
from .records import COLUMNS, FIELDS, Record, completed
from .study import Task

if TYPE_CHECKING:
    import pandas as pd

#: Marks the file as one of ours ("Conc"), and the form of its table.
_APPLICATION_ID = 0x436F6E63
_VERSION = 4
#: Columns that tables of earlier forms lack, by form; there they are empty until a task asks for the record.
_ADDED = {1: ("generator", "version"), 2: ("margin", "anmi"), 3: ("stability",)}
_PATIENCE = 30.0  # seconds to wait for another process that writes
_WHOLE = ("repeat", "seed", "k", "n_clusterings")
_TEXT = ("key", "dataset", "method", "params", "error", *_ADDED[1])
_NAMES = ", ".join(FIELDS)


class StoreError(EngineError):
    """The file of results cannot be read or written; the message says which and why."""


def default_path() -> Path:
    """`CONCORD_STORE`, else records.sqlite in the user's data folder.

    Returns
    -------
    Path
        The file need not be there.
    """
    if given := os.environ.get("CONCORD_STORE"):
        return Path(given)
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "concord" / "records.sqlite"


class Store:
    """Records by key, in one file that several threads and processes may use at once.

    Parameters
    ----------
    path : path, optional
        Made if it does not exist, with its folder; by default `default_path()`.

    Raises
    ------
    StoreError
        If the file is something else, damaged, or cannot be written.
    """

    def __init__(self, path: str | Path | None = None):
        self.path = Path(path or default_path())
        self._lock = threading.Lock()
        with self._explained("opened"):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self.path, timeout=_PATIENCE, check_same_thread=False)
            self._connection.isolation_level = None  # every statement is its own transaction
            self._prepare()

    def _prepare(self) -> None:
        """Check that the file is ours, or make it so."""
        run = self._connection.execute
        (tables,) = run("SELECT count(*) FROM sqlite_master").fetchone()
        mark, version = (run(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
        if tables and mark != _APPLICATION_ID:
            raise StoreError(f"{self.path} is a database of another program. Choose another file")
        if tables and version not in (*_ADDED, _VERSION):
            raise StoreError(f"{self.path} was written by another version of Concord. Choose another file")
        run("PRAGMA synchronous = NORMAL")
        if tables:  # whoever opens a file of today need not wait for those who write
            if version < _VERSION:
                self._add_columns()
            return
        run("PRAGMA journal_mode = WAL")
        columns = ", ".join(f"{name} {_type(name)}" for name in FIELDS)
        run(f"CREATE TABLE IF NOT EXISTS records ({columns}, PRIMARY KEY (key)) WITHOUT ROWID")
        run(f"PRAGMA application_id = {_APPLICATION_ID}")
        run(f"PRAGMA user_version = {_VERSION}")

    def _add_columns(self) -> None:
        """Bring a table of an earlier form to the form of today; nothing in it is lost."""
        with self._transaction() as run:
            (version,) = run("PRAGMA user_version").fetchone()
            for name in [name for form, names in _ADDED.items() if form >= version for name in names]:
                kind = "TEXT NOT NULL DEFAULT ''" if name in _TEXT else "REAL"  # none where another process was first
                run(f"ALTER TABLE records ADD COLUMN {name} {kind}")
            run(f"PRAGMA user_version = {_VERSION}")

    @contextmanager
    def _transaction(self) -> Iterator[Callable[..., sqlite3.Cursor]]:
        """Run statements of which all take effect, or none."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection.execute
            self._connection.execute("COMMIT")
        except sqlite3.Error:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise

    def add(self, records: Iterable[Record]) -> None:
        """Keep records; one that is there already stays as it is.

        Parameters
        ----------
        records : iterable of Record
            All are written, or none.

        Raises
        ------
        StoreError
            If the disk is full or the file damaged; then none of these records is kept.
        """
        rows = [tuple(getattr(record, name) for name in FIELDS) for record in records]
        marks = ", ".join("?" * len(FIELDS))
        with self._explained("written"), self._lock, self._transaction():
            self._connection.executemany(f"INSERT OR IGNORE INTO records ({_NAMES}) VALUES ({marks})", rows)

    def of(self, tasks: Iterable[Task]) -> dict[str, Record]:
        """The records there are of these tasks, by key, with what was not yet kept when they were written.

        Parameters
        ----------
        tasks : iterable of Task
            Of any studies.

        Returns
        -------
        dict of str to Record
            Tasks that were not run are not in it.
        """
        by_key = {task.key: task for task in tasks}
        found = self.find(by_key)
        whole = {key: completed(record, by_key[key]) for key, record in found.items()}
        changed = [(record.params, record.generator, key) for key, record in whole.items() if record != found[key]]
        if changed:
            with self._explained("written"), self._lock, self._transaction():
                self._connection.executemany("UPDATE records SET params = ?, generator = ? WHERE key = ?", changed)
        return whole

    def find(self, keys: Iterable[str]) -> dict[str, Record]:
        """The records there are under these keys.

        Parameters
        ----------
        keys : iterable of str
            Of tasks.

        Returns
        -------
        dict of str to Record
            Keys that are not there are left out.
        """
        keys, found = list(keys), dict[str, Record]()
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            query = f"SELECT {_NAMES} FROM records WHERE key IN ({', '.join('?' * len(part))})"
            found |= {row[0]: Record(*row) for row in self._rows(query, part)}
        return found

    def all(self) -> list[Record]:
        """All records, by data set, method, parameters, M, repeat and k.

        Returns
        -------
        list of Record
            As they were written.
        """
        order = "dataset, method, params, n_clusterings, repeat, seed, k, key"
        return [Record(*row) for row in self._rows(f"SELECT {_NAMES} FROM records ORDER BY {order}")]

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM records")[0][0])

    def forget(self, keys: Iterable[str]) -> None:
        """Drop records, so that their tasks run again.

        Parameters
        ----------
        keys : iterable of str
            Of tasks; unknown ones are passed over.
        """
        with self._explained("written"), self._lock:
            self._connection.executemany("DELETE FROM records WHERE key = ?", [(key,) for key in keys])

    def _rows(self, query: str, values: Iterable[str] = ()) -> list[tuple]:
        with self._explained("read"), self._lock:
            return self._connection.execute(query, list(values)).fetchall()

    def close(self) -> None:
        """Give the file free."""
        self._connection.close()

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        """Say in plain words what SQLite or the system says in its own."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} could not be {what}: {_reason(error)}") from error
        except OSError as error:
            raise StoreError(f"{self.path} could not be {what}: {error.strerror or error}") from error


def _type(column: str) -> str:
    return "INTEGER" if column in _WHOLE else "TEXT" if column in _TEXT else "REAL"


def _reason(error: sqlite3.DatabaseError) -> str:
    text = str(error)
    if "full" in text:
        return "the disk is full. Make room; everything finished before is kept"
    if "locked" in text:
        return f"another process has been writing for more than {_PATIENCE:.0f} s"
    if "not a database" in text or "malformed" in text:
        return "the file is damaged. Move it away and start anew, or bring back a copy"
    if "readonly" in text:
        return "it may not be written to"
    return text


def to_csv(records: Iterable[Record]) -> str:
    """Records as CSV, columns as in `COLUMNS`; none at all gives the header alone.

    Parameters
    ----------
    records : iterable of Record
        In the order of the rows.

    Returns
    -------
    str
        With a header, lines end in a newline.
    """
    return _frame(records).to_csv(columns=COLUMNS, index=False, lineterminator="\n")


def to_parquet(records: Iterable[Record]) -> bytes:
    """Records as Parquet, all fields.

    Parameters
    ----------
    records : iterable of Record
        In the order of the rows.

    Returns
    -------
    bytes
        The content of the file.
    """
    out = io.BytesIO()
    imported("pyarrow", "Exporting Parquet")
    _frame(records).to_parquet(out, index=False)
    return out.getvalue()


def _frame(records: Iterable[Record]) -> "pd.DataFrame":
    """All fields of records; whole numbers stay whole where some are missing."""
    pd = imported("pandas", "Exporting results")  # running a study does without
    frame = pd.DataFrame([record.as_dict() for record in records], columns=list(FIELDS))
    return frame.astype(dict.fromkeys(_WHOLE, "Int64") | dict.fromkeys((*MEASURES, *INTERNAL), "float64"))
