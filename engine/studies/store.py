"""Records on disk: SQLite, a row as each task ends, so that nothing finished is ever lost."""

import os
import shutil
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from ..console import replacing
from ..runtime.errors import EngineError, InvalidParameterError, shortened
from .records import FORMS, VERSION, Record, row_of, text_or_bytes
from .study import Task

#: The command line of studies, in the source tree and where Concord is installed.
PROGRAM = f"python -m {__package__}"
#: With which a file of SQLite begins.
MAGIC = b"SQLite format 3\0"
_PATIENCE = 30.0  # seconds to wait for another process that writes

#: Marks the file as one of ours: "Conc".
_APPLICATION_ID = 0x436F6E63
#: Triggers count records as they come and go: one that a damage puts out of reach is missed.
_TABLES = (
    "CREATE TABLE records (key TEXT PRIMARY KEY, record TEXT, checksum TEXT) WITHOUT ROWID",
    "CREATE TABLE tally (n INTEGER)",
    "INSERT INTO tally VALUES (0)",
    "CREATE TRIGGER count_INSERT AFTER INSERT ON records BEGIN UPDATE tally SET n = n + 1; END",
    "CREATE TRIGGER count_DELETE AFTER DELETE ON records BEGIN UPDATE tally SET n = n - 1; END",
    f"PRAGMA application_id = {_APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)


class StoreError(EngineError):
    """The file of results cannot be read or written; the message says which and why."""


def default_path() -> Path:
    """`CONCORD_STORE`, else records.sqlite in the user's data folder; it need not be there."""
    if given := os.environ.get("CONCORD_STORE"):
        return Path(given)
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "concord" / "records.sqlite"


class Store:
    """Records by key, in one file that several threads and processes may use at once.

    The file is its owner's alone (0600). Every record has a checksum: what is read is what was written, or an error.
    If the file is removed or replaced while it is open, the next reading or writing says so. A file of the form before
    is rewritten as it is opened.

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
        if self.path.is_dir():
            raise StoreError(f"{self.path} is a folder. Name a file")
        with self._explained("opened"):
            make_file(self.path)
            self._connection = sqlite3.connect(self.path, timeout=_PATIENCE, check_same_thread=False)
            self._connection.isolation_level = None  # every statement is its own transaction
            self._connection.text_factory = text_or_bytes
            self._prepare()
            self._opened = self.path.stat()
        self._missing = ""

    def _prepare(self) -> None:
        """Check that the file is ours and whole, or make it so."""
        run = self._connection.execute
        form = self._form()
        make_private(self.path)
        # What is written stands in the file itself, not in a log beside it: nothing else must be whole, or be copied.
        run("PRAGMA journal_mode = DELETE")
        run("PRAGMA synchronous = FULL")
        if form:
            self._check()
        if form == VERSION:
            return
        with self._transaction():  # who comes second finds all of it, or nothing
            form = self._form()
            if form == VERSION:
                return
            before = self._all(form) if form else []
            for table in ("records", "tally"):
                run(f"DROP TABLE IF EXISTS {table}")
            for statement in _TABLES:
                run(statement)
            self._insert(before)

    def _form(self) -> int:
        """The form of the file's table; 0 where there is none yet."""
        run = self._connection.execute
        tables = schema_of(self._connection)
        mark, form = (run(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version"))
        if tables and mark != _APPLICATION_ID:
            raise StoreError(f"{self.path} is a database of another program. Choose another file")
        if tables and form not in FORMS:
            who = "an earlier" if form < VERSION else "a later"
            raise StoreError(
                f"{self.path} was written by {who} version of Concord, whose records are not read here. "
                "Choose another file"
            )
        allowed = ("CREATE TABLE",) if form == VERSION else ("CREATE TABLE", "CREATE TRIGGER")  # those go unused
        for name, made in tables:
            if made not in _TABLES and not made.upper().startswith(allowed):
                raise StoreError(
                    f"{self.path} could not be opened: {shortened(name)} in it is nothing that Concord makes, and may "
                    f"change or compute records. {salvaging(self.path)}"
                )
        return form if tables else 0

    def _check(self) -> None:
        """Refuse a file whose pages do not fit together, or with more or fewer records than were written."""
        (said,) = self._connection.execute("PRAGMA integrity_check(1)").fetchone()
        if said != "ok":
            raise sqlite3.DatabaseError(f"malformed: {said!r}")
        found = self._connection.execute("SELECT (SELECT count(*) FROM records), n FROM tally").fetchall()
        if len(found) != 1 or not isinstance(found[0][1], int):
            raise sqlite3.DatabaseError(f"malformed: a count of {found}")
        there, written = found[0]
        if there != written:
            raise StoreError(
                f"{self.path} could not be opened: it has {there:,} records, and {written:,} were written. "
                + salvaging(self.path)
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Run statements of which all take effect, or none."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
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
        records = list(records)
        with self._writing(), self._transaction():
            self._insert(records)

    def _insert(self, records: Iterable[Record]) -> None:
        self._connection.executemany("INSERT OR IGNORE INTO records VALUES (?, ?, ?)", map(row_of, records))

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
            with self._reading():
                records = self._all(VERSION, f"WHERE key IN ({', '.join('?' * len(part))})", part)
            found |= {record.key: record for record in records}
        return found

    def all(self) -> list[Record]:
        """All records, by data set, method, parameters, M, repeat and k.

        Returns
        -------
        list of Record
            As they were written.
        """
        with self._reading():
            found = self._all(VERSION)
        return sorted(found, key=place)

    def _all(self, form: int, where: str = "", values: Iterable[str] = ()) -> list[Record]:
        """Records of rows of a form, all of them whole."""
        columns, record_of = FORMS[form]
        rows = self._connection.execute(f"SELECT {', '.join(columns)} FROM records {where}", list(values)).fetchall()
        found = [record for row in rows if (record := record_of(*row)) is not None]
        if len(found) < len(rows):
            raise StoreError(
                f"{self.path} could not be read: {len(rows) - len(found):,} of {len(rows):,} records are damaged. "
                + salvaging(self.path)
            )
        return found

    def __len__(self) -> int:
        with self._reading():
            return int(self._connection.execute("SELECT count(*) FROM records").fetchone()[0])

    def written(self) -> int | None:
        """How many records were written and not dropped, whatever can be read of them.

        Returns
        -------
        int or None
            None if that count is damaged.
        """
        with self._lock:
            return written(self._connection)

    def backup(self, goal: Path) -> int:
        """Copy the store as it is now, also while others write to it.

        Parameters
        ----------
        goal : Path
            Must not exist. It is there once it is whole.

        Returns
        -------
        int
            Records in the copy.

        Raises
        ------
        StoreError
            If the goal is there already or cannot be written, or this store is damaged.
        """
        require_new(goal)
        try:
            with replacing(goal) as half:
                make_file(half)
                with self._reading(), closing(sqlite3.connect(half)) as copy:
                    self._connection.backup(copy)
                with closing(Store(half)) as copied:
                    return len(copied.all())
        except OSError as error:
            raise StoreError(f"{goal} could not be written: {error.strerror or error}") from error

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
        if not self._missing:
            now = None
            with suppress(FileNotFoundError, NotADirectoryError):  # asked once: it may go between two questions
                now = self.path.stat()
            if now is None or not os.path.samestat(now, self._opened):
                self._missing = f"it was {'removed' if now is None else 'replaced'} while it was open"
        return not self._missing

    @contextmanager
    def _reading(self) -> Iterator[None]:
        with self._explained("read"), self._lock:
            self._require_file("read")
            yield

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
        if not self.is_there():
            self._connection.close()
            raise StoreError(
                f"{self.path} could not be {what}: {self._missing}. Bring it back, or start anew with a new file"
            )

    def close(self) -> None:
        """Give the file free."""
        self._connection.close()

    def _reason(self, said: str) -> str:
        if "full" in said:
            return "the disk is full. Make room; everything finished before is kept"
        if "locked" in said:
            return f"another process has been writing for more than {_PATIENCE:.0f} s"
        if "not a database" in said and not _begins_as_a_store(self.path):
            return "it is no store, or the file is damaged from its first byte on. Name another, or bring back a copy"
        if "not a database" in said or "malformed" in said:
            n = written(self._connection)
            count = "" if n is None else f", and {n:,} records were written to it"
            return (
                f"the file is damaged{count}. Move it away and start anew, or bring back a copy. {salvaging(self.path)}"
            )
        if "readonly" in said:
            return "it may not be written to. Open a copy of it"
        return said

    @contextmanager
    def _explained(self, what: str) -> Iterator[None]:
        """Say in plain words what SQLite or the system says in its own."""
        try:
            yield
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            # what SQLite says of a damaged table holds its damaged name
            said = str(error) if isinstance(error, sqlite3.DatabaseError) else "malformed"
            raise StoreError(f"{self.path} could not be {what}: {self._reason(said)}") from error
        except InvalidParameterError as error:  # a record that is none
            raise StoreError(f"{self.path} could not be {what}: {error}") from error
        except OSError as error:
            raise StoreError(f"{self.path} could not be {what}: {error.strerror or error}") from error


def place(record: Record) -> tuple:
    """Where a record stands among all; one without a k comes first of its repeat."""
    ids = record.dataset, record.method, record.params, record.n_clusterings, record.repeat, record.seed
    return *ids, -1 if record.k is None else record.k, record.key


def salvaging(path: Path) -> str:
    """How to save what is whole of a damaged file, in a sentence."""
    return f"Save what is whole: {PROGRAM} salvage --store {path} --to NEW"


def schema_of(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Names of what is in a database, and the statements that made it; a trigger may be called like a table."""
    made = connection.execute("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL")
    return [(str(name), str(statement)) for name, statement in made]


def is_table(schema: list[tuple[str, str]], name: str) -> bool:
    """Whether rows stand in the file: those of a view or a virtual table may be computed for ever."""
    return any(one == name and made.upper().startswith("CREATE TABLE") for one, made in schema)


def written(connection: sqlite3.Connection) -> int | None:
    """How many records were written, where that can still be read."""
    try:
        ours = is_table(schema_of(connection), "tally")
        found = connection.execute("SELECT n FROM tally").fetchall() if ours else []
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return None
    return found[0][0] if len(found) == 1 and isinstance(found[0][0], int) else None


@contextmanager
def opened(path: Path) -> Iterator[Store]:
    """A store that must be there, to be read; where nothing may be written, a copy of it."""
    require_there(path)
    if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
        with closing(Store(path)) as store:
            yield store
        return
    with copied(path) as copy:
        try:
            with closing(Store(copy)) as store:
                yield store
        except StoreError as error:
            raise StoreError(str(error).replace(str(copy), str(path))) from error


@contextmanager
def copied(path: Path) -> Iterator[Path]:
    """A copy of a store and what lies beside it: what a killed process began to write is taken back there."""
    with TemporaryDirectory() as aside:
        copy = Path(aside) / "store"
        for file, twin in zip((path, *companions(path)), (copy, *companions(copy)), strict=True):
            with _said_of(path):
                if file.is_file():
                    shutil.copyfile(file, twin)
        yield copy


def _begins_as_a_store(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def require_there(path: Path) -> None:
    """Refuse to read a file that is not there: opened, it would be an empty store."""
    with _said_of(path):
        there = path.is_file()
    if not there:
        raise StoreError(f"{path} could not be read: there is no such file")


@contextmanager
def _said_of(path: Path) -> Iterator[None]:
    """Say which store the system could not read."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} could not be read: {error.strerror or error}") from error


def require_new(goal: Path) -> None:
    """Refuse to write over what is there."""
    if goal.exists():
        raise StoreError(f"{goal} is there already. Name a new file")


def make_file(path: Path) -> None:
    """See to it that a file is there; one that is made, and a folder made for it, are their owner's alone."""
    if not path.parent.is_dir():
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(mode=0o700, exist_ok=True)
    with suppress(FileExistsError):  # never opened where it is there: closing it would end SQLite's locks
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def make_private(path: Path) -> None:
    """Leave a store, and what lies beside it, to nobody but its owner."""
    for file in (path, *companions(path)):
        with suppress(FileNotFoundError, PermissionError):  # of somebody else, who decides
            if file.is_file():  # /dev/null is everybody's
                file.chmod(file.stat().st_mode & 0o700)


def companions(path: Path) -> list[Path]:
    """What SQLite may keep beside a database: the pages that a write is about to change; logs of earlier forms."""
    return [path.with_name(path.name + ending) for ending in ("-journal", "-wal", "-shm")]
