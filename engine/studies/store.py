"""Records on disk: SQLite, a row as each task ends, so that nothing finished is ever lost."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..runtime.errors import EngineError
from .records import Record
from .rows import COLUMNS_OF_A_ROW, DamagedRowError, column_type, record_of_row, row_of, text_or_bytes
from .store_file import Watch, make_private
from .study import Task

#: Marks the file as one of ours ("Conc"), and the form of its table.
_APPLICATION_ID = 0x436F6E63
_VERSION = 5
#: The command line of studies, in the source tree and where Concord is installed.
PROGRAM = f"python -m {__package__}"
_PATIENCE = 30.0  # seconds to wait for another process that writes
_NAMES = ", ".join(COLUMNS_OF_A_ROW)


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

    The file is its owner's alone (0600). Every record has a checksum: what is read is what was written, or an error.
    If the file is removed or replaced while it is open, the next reading or writing says so.

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
            make_private(self.path)
            self._connection = sqlite3.connect(self.path, timeout=_PATIENCE, check_same_thread=False)
            self._connection.isolation_level = None  # every statement is its own transaction
            self._connection.text_factory = text_or_bytes  # a damaged text is noticed here, not inside sqlite3
            self._prepare()
            self._watch = Watch(self.path)

    def _prepare(self) -> None:
        """Check that the file is ours and whole, or make it so."""
        run = self._connection.execute
        (tables,) = run("SELECT count(*) FROM sqlite_master").fetchone()
        mark, version = (run(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
        if tables and mark != _APPLICATION_ID:
            raise StoreError(f"{self.path} is a database of another program. Choose another file")
        if tables and version != _VERSION:
            who = "an earlier" if version < _VERSION else "a later"
            raise StoreError(
                f"{self.path} was written by {who} version of Concord, whose records are not read here. "
                "Choose another file"
            )
        # What is written stands in the file itself, not in a log beside it: nothing else must be whole, or be copied.
        run("PRAGMA journal_mode = DELETE")
        if tables:
            self._check_pages()
            self._check_count()
            return
        columns = ", ".join(f"{name} {column_type(name)}" for name in COLUMNS_OF_A_ROW)
        with self._transaction():  # who comes second finds all of it, or nothing
            run(f"CREATE TABLE IF NOT EXISTS records ({columns}, PRIMARY KEY (key)) WITHOUT ROWID")
            self._start_counting()
            run(f"PRAGMA application_id = {_APPLICATION_ID}")
            run(f"PRAGMA user_version = {_VERSION}")

    def _check_pages(self) -> None:
        """Refuse a file whose pages do not fit together: rows of it may be out of reach without anybody noticing."""
        (said,) = self._connection.execute("PRAGMA integrity_check(1)").fetchone()
        if said != "ok":
            raise sqlite3.DatabaseError(f"malformed: {said!r}")

    def _check_count(self) -> None:
        """Refuse a file with more or fewer records than were written."""
        found = self._connection.execute("SELECT (SELECT count(*) FROM records), n FROM tally").fetchall()
        if len(found) != 1 or not isinstance(found[0][1], int):
            raise sqlite3.DatabaseError(f"malformed: a count of {found}")
        there, written = found[0]
        if there != written:
            raise StoreError(
                f"{self.path} could not be opened: it has {there:,} records, and {written:,} were written. "
                + salvaging(self.path)
            )

    def _start_counting(self) -> None:
        """Count records as they come and go: one that a damage puts out of reach is missed."""
        run = self._connection.execute
        run("CREATE TABLE IF NOT EXISTS tally (n INTEGER)")
        run("INSERT INTO tally SELECT (SELECT count(*) FROM records) WHERE NOT EXISTS (SELECT * FROM tally)")
        for event, step in (("INSERT", "+ 1"), ("DELETE", "- 1")):
            run(
                f"CREATE TRIGGER IF NOT EXISTS count_{event} AFTER {event} ON records "
                f"BEGIN UPDATE tally SET n = n {step}; END"
            )

    @contextmanager
    def _transaction(self) -> Iterator[Callable[..., sqlite3.Cursor]]:
        """Run statements of which all take effect, or none."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield self._connection.execute
            self._connection.execute("COMMIT")
        finally:
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")

    def add(self, records: Iterable[Record]) -> None:
        """Keep records; one that is there already stays as it is.

        Parameters
        ----------
        records : iterable of Record
            All are written, or none.

        Raises
        ------
        StoreError
            If the disk is full, or the file damaged, removed or replaced; then none of these records is kept.
        """
        rows = [row_of(record) for record in records]
        marks = ", ".join("?" * len(COLUMNS_OF_A_ROW))
        with self._writing(), self._transaction():
            self._connection.executemany(f"INSERT OR IGNORE INTO records ({_NAMES}) VALUES ({marks})", rows)

    def of(self, tasks: Iterable[Task]) -> dict[str, Record]:
        """The records there are of these tasks, by key.

        Parameters
        ----------
        tasks : iterable of Task
            Of any studies.

        Returns
        -------
        dict of str to Record
            Tasks that were not run are not in it.
        """
        return self.find(task.key for task in tasks)

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
            found |= {record.key: record for record in self._records(query, part)}
        return found

    def all(self) -> list[Record]:
        """All records, by data set, method, parameters, M, repeat and k.

        Returns
        -------
        list of Record
            As they were written.
        """
        order = "dataset, method, params, n_clusterings, repeat, seed, k, key"
        return self._records(f"SELECT {_NAMES} FROM records ORDER BY {order}")

    def __len__(self) -> int:
        return int(self._rows("SELECT count(*) FROM records")[0][0])

    def forget(self, keys: Iterable[str]) -> None:
        """Drop records, so that their tasks run again.

        Parameters
        ----------
        keys : iterable of str
            Of tasks; unknown ones are passed over.
        """
        with self._writing():
            self._connection.executemany("DELETE FROM records WHERE key = ?", [(key,) for key in keys])

    def is_there(self) -> bool:
        """Whether the file is still the one that was opened.

        Returns
        -------
        bool
            False once it was removed or replaced: every reading and writing then raises `StoreError`.
        """
        return not self._watch.missing()

    def _records(self, query: str, values: Iterable[str] = ()) -> list[Record]:
        """Records of rows, all of them whole."""
        found, damaged = list[Record](), 0
        for row in self._rows(query, values):
            try:
                found.append(record_of_row(row))
            except DamagedRowError:
                damaged += 1
        if damaged:
            raise StoreError(
                f"{self.path} could not be read: {damaged:,} of {damaged + len(found):,} records are damaged. "
                + salvaging(self.path)
            )
        return found

    def _rows(self, query: str, values: Iterable[str] = ()) -> list[tuple[Any, ...]]:
        with self._explained("read"), self._lock:
            self._require_file("read")
            return self._connection.execute(query, list(values)).fetchall()

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A turn to write, into a file that is there before and after: into one without a name nothing is kept."""
        with self._explained("written"), self._lock:
            self._require_file("written")
            try:
                yield
            finally:  # also where SQLite notices first, and calls it read-only
                self._require_file("written")

    def _require_file(self, what: str) -> None:
        if reason := self._watch.missing():
            self._connection.close()
            raise StoreError(f"{self.path} could not be {what}: {reason}. Bring it back, or start anew with a new file")

    def close(self) -> None:
        """Give the file free."""
        self._connection.close()

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        """Say in plain words what SQLite or the system says in its own."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{self.path} could not be {what}: {_reason(error, self.path)}") from error
        except UnicodeDecodeError as error:  # what SQLite says of a damaged table holds its damaged name
            reason = _reason(sqlite3.DatabaseError("malformed"), self.path)
            raise StoreError(f"{self.path} could not be {what}: {reason}") from error
        except OverflowError as error:
            raise StoreError(f"{self.path} could not be {what}: a number has more than 63 bits") from error
        except OSError as error:
            raise StoreError(f"{self.path} could not be {what}: {error.strerror or error}") from error


def salvaging(path: Path) -> str:
    """How to save what is whole of a damaged file, in a sentence.

    Parameters
    ----------
    path : Path
        Of the file.

    Returns
    -------
    str
        With the command.
    """
    return f"Save what is whole: {PROGRAM} salvage --store {path} --to NEW"


def _reason(error: sqlite3.DatabaseError, path: Path) -> str:
    text = str(error)
    if "full" in text:
        return "the disk is full. Make room; everything finished before is kept"
    if "locked" in text:
        return f"another process has been writing for more than {_PATIENCE:.0f} s"
    if "not a database" in text or "malformed" in text:
        return f"the file is damaged. Move it away and start anew, or bring back a copy. {salvaging(path)}"
    if "readonly" in text:
        return "it may not be written to"
    return text
