"""Files a person brought: parsed once, kept by content hash and name, so that a URL can name them.

They are here as long as a session is that used them; then they give their memory back.
"""

import hashlib
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from data import DataError
from data.errors import NoRoomError
from data.readers.tables import Table
from data.records import Content, Kind, Missing
from data.roles import Column, Role, columns_of
from data.uploads import assembled
from engine import Monitor, TooLargeError
from engine.monitor import SILENT
from engine.runtime.memory import ACCOUNT, Share
from ui.compute.keeping import Kept, size_of
from ui.compute.reading import read_file, read_graph_file
from ui.session.state import is_here as open_session
from ui.session.state import user as session

PREFIX = "upload-"
#: The kind of a file that is read as a graph.
GRAPH = "graph"
#: Seconds an upload stays after its last session has closed: a page that is loaded again is a new session.
GRACE = 30.0
#: Bytes of uploads that one session may hold; beyond it its oldest ones go.
MOST_A_SESSION = 2**30
#: Seconds after which the columns of a file that nobody looks at are let go; they can be read again.
SHEET_IDLE = 60.0


@dataclass(frozen=True, eq=False)
class File:
    """The bytes of a file, which stand for themselves by their hash; they hold a share of the account."""

    name: str
    content: bytes

    def __post_init__(self) -> None:
        weakref.finalize(self, ACCOUNT.hold(len(self.content)).give_back)

    @cached_property
    def digest(self) -> str:
        """Hash of the content, 16 hexadecimal digits."""
        return hashlib.blake2b(self.content, digest_size=8).hexdigest()

    @property
    def fingerprint(self) -> str:
        """Name and hash."""
        return f"{self.name}|{self.digest}"


@dataclass(frozen=True, eq=False)
class Sheet:
    """A file as it was read, before anything is decided about its columns."""

    filename: str
    kind: Kind
    digest: str
    table: Table
    matrix: str | None = None
    file: File | None = None

    @property
    def fingerprint(self) -> str:
        """What was read, and as what."""
        return f"{self.filename}|{self.digest}|{self.kind}|{self.matrix}"


@dataclass(frozen=True)
class Upload:
    """What a file holds and the words that read it again; `digest` is that of the file alone.

    `file` is there where results may be written into a copy of it.
    """

    id: str
    filename: str
    kind: str
    missing: str
    content: Content
    roles: Mapping[int, Role] = field(default_factory=dict)
    digest: str = ""
    matrix: str | None = None
    file: File | None = None


class MissingUploadError(DataError):
    """The URL names a file that this server does not hold."""


@dataclass(eq=False)
class _Holding:
    """An upload, its share of the account, and the sessions that use it."""

    upload: Upload
    share: Share
    users: set[str] = field(default_factory=set)
    used: float = field(default_factory=time.monotonic)


class Uploads:
    """All uploads of this process; `alive` says whether a session is still open."""

    def __init__(self, alive: Callable[[str], bool] = open_session, grace: float = GRACE):
        self._held: OrderedDict[str, _Holding] = OrderedDict()
        self._lock, self._alive, self._grace = threading.Lock(), alive, grace
        ACCOUNT.join(self)

    def find(self, upload_id: str, user: str) -> Upload | None:
        """An upload, which this session now uses too."""
        with self._lock:
            if (held := self._held.get(upload_id)) is None:
                return None
            held.users.add(user)
            held.used = time.monotonic()
            self._held.move_to_end(upload_id)
            return held.upload

    def of(self, user: str) -> list[Upload]:
        """The uploads that a session uses, the one looked at last at the end."""
        with self._lock:
            return [held.upload for held in self._held.values() if user in held.users]

    def add(self, upload: Upload, user: str) -> None:
        """Keep an upload for a session; NoRoomError if there is no room for it."""
        try:
            share = ACCOUNT.ask(f"The content of {upload.filename}", size_of(upload.content))
        except TooLargeError as error:
            raise NoRoomError(
                f"{error}. Bring a smaller part, or try again once others have closed their pages."
            ) from None
        with self._lock:
            if (there := self._held.get(upload.id)) is not None:  # another session has just brought the same
                share.give_back()
                there.users.add(user)
            else:
                self._held[upload.id] = _Holding(upload, share, {user})
            self._bound(user)

    def _bound(self, user: str) -> None:
        """Let go of a session's oldest uploads beyond what one session may hold; others that use them keep them."""
        mine = [held for held in self._held.values() if user in held.users]
        total = sum(held.share.n_bytes for held in mine)
        for held in mine[:-1]:
            if total <= MOST_A_SESSION:
                return
            total -= held.share.n_bytes
            held.users.discard(user)
            if not held.users:
                self._drop(held)

    def weigh(self) -> None:
        """Weigh uploads again: some of what follows from them is kept with them."""
        with self._lock:
            for held in self._held.values():
                held.share.resize(size_of(held.upload.content))

    def oldest(self) -> float | None:
        """When the upload that may go first was last used: one whose sessions have all closed."""
        with self._lock:
            return next((held.used for held in self._held.values() if self._left_alone(held)), None)

    def drop_oldest(self) -> None:
        """Let that one go."""
        with self._lock:
            self._drop(next((held for held in self._held.values() if self._left_alone(held)), None))

    def sweep(self) -> None:
        """Let go of uploads whose sessions closed some time ago."""
        before = time.monotonic() - self._grace
        with self._lock:
            for held in [one for one in self._held.values() if self._left_alone(one)]:
                if held.used < before:
                    self._drop(held)

    def _left_alone(self, held: _Holding) -> bool:
        """Whether no session that used it is open; while one is, the time of grace has not begun."""
        if any(map(self._alive, held.users)):
            held.used = time.monotonic()
            return False
        return True

    def _drop(self, held: _Holding | None) -> None:
        if held is not None:
            del self._held[held.upload.id]
            held.share.give_back()


UPLOADS = Uploads()
_COLUMNS: Kept[tuple[Column, ...]] = Kept(8, SHEET_IDLE)


def sheet(file: File, kind: Kind, matrix: str | None = None, monitor: Monitor = SILENT) -> Sheet:
    """The columns of a file, or of one matrix in it, read in a process of its own."""
    table = read_file(file.name, file.content, kind, matrix, monitor)
    return Sheet(file.name, kind, file.digest, table, matrix, file if takes_results(file.name) else None)


def takes_results(filename: str) -> bool:
    """Whether results may be written into a copy of such a file."""
    return filename.lower().endswith(".h5ad")


def columns(brought: Sheet, roles: Mapping[int, Role], monitor: Monitor = SILENT) -> tuple[Column, ...]:
    """The columns of a file with their roles and faults; what was just counted is not counted again."""
    monitor.tick("looking at the columns", 0, 1)
    key = brought.fingerprint, tuple(sorted(roles.items()))
    return _COLUMNS.get(key, lambda: columns_of(brought.table, brought.kind, roles))


def keep(
    brought: Sheet,
    columns: Sequence[Column],
    missing: Missing = "refuse",
    roles: Mapping[int, Role] | None = None,
    user: str | None = None,
) -> Upload:
    """The content of a file under the roles its columns have; `roles` are those that a person gave.

    It is kept for a session, by default the one that runs.
    """
    content = partial(assembled, brought.filename, brought.table, columns, brought.kind, missing)
    how = brought.filename, brought.kind, missing, dict(roles or {}), brought.digest, brought.matrix
    return _kept(how, content, session() if user is None else user, brought.file)


def keep_graph(file: File, matrix: str | None = None, user: str | None = None, monitor: Monitor = SILENT) -> Upload:
    """The graph in a file, or in one matrix of it, read in a process of its own and kept for a session."""
    read = partial(read_graph_file, file.name, file.content, matrix, monitor)
    given = file if takes_results(file.name) else None
    how: tuple = (file.name, GRAPH, "refuse", {}, file.digest, matrix)
    return _kept(how, read, session() if user is None else user, given)


def _kept(how: tuple, content: Callable[[], Content], owner: str, file: File | None) -> Upload:
    """The upload of a file read so, as it is here already, else with its content and an id that stands for both."""
    filename, kind, missing, roles, digest, matrix = how
    words = f"{filename}|{digest}|{kind}|{matrix}|{missing}|{sorted(roles.items())}"
    id = PREFIX + hashlib.blake2b(words.encode(), digest_size=8).hexdigest()
    if (kept := UPLOADS.find(id, owner)) is not None:
        return kept
    made = Upload(id, filename, kind, missing, content(), roles, digest, matrix, file)
    UPLOADS.add(made, owner)
    return UPLOADS.find(id, owner) or made  # another session may have brought the same meanwhile


def take(brought: Sheet, roles: Mapping[int, Role], missing: Missing, user: str, monitor: Monitor = SILENT) -> str:
    """`keep` as a job, from the roles that a person gave alone; the id of the upload, which jobs do not keep alive."""
    return keep(brought, columns(brought, roles, monitor), missing, roles, user).id


def take_graph(file: File, matrix: str | None, user: str, monitor: Monitor = SILENT) -> str:
    """`keep_graph` as a job: the id of the upload."""
    return keep_graph(file, matrix, user, monitor).id


def keep_file(filename: str, content: bytes, kind: str, missing: Missing = "refuse") -> Upload:
    """A graph, or a file under the roles that are proposed for its columns."""
    if kind == GRAPH:
        return keep_graph(File(filename, content))
    brought = sheet(File(filename, content), kind)
    return keep(brought, columns_of(brought.table, kind), missing)


def same_file(upload_id: str, upload: Upload) -> bool:
    """Whether an id is of the same file, read in another way."""
    other = UPLOADS.find(upload_id, session())
    return other is not None and (other.filename, other.digest, other.kind) == (
        upload.filename,
        upload.digest,
        upload.kind,
    )


def reading(upload: Upload) -> dict[str, Any]:
    """How the file of an upload is read, in the words of a study file."""
    roles = {str(place): role for place, role in sorted(upload.roles.items())}
    said = {"kind": upload.kind, "missing": upload.missing, "matrix": upload.matrix, "roles": roles}
    return {name: value for name, value in said.items() if value and (name, value) != ("missing", "refuse")}


def like(filename: str, how: Mapping[str, Any]) -> str:
    """The id of the upload of this session that is a file of this name, read so; DataError if there is none."""
    wanted = {name: value for name, value in how.items() if name != "file" and (name, value) != ("missing", "refuse")}
    named = [upload for upload in UPLOADS.of(session()) if upload.filename == filename]
    found = [upload.id for upload in named if reading(upload) == wanted]
    if not found:
        other = f"{filename} is here, but read in another way" if named else f"{filename} is not here"
        raise DataError(f"The study needs a file: {other}. Upload it on the page Data, and open the study again.")
    return found[-1]


def is_here(upload_id: str) -> bool:
    """Whether there is an upload with this id."""
    return UPLOADS.find(upload_id, session()) is not None


def find(upload_id: str) -> Upload:
    """The upload with this id, or MissingUploadError."""
    found = UPLOADS.find(upload_id, session())
    if found is None:
        raise MissingUploadError(
            "This link shows a file that was uploaded in another session, and it is not here. "
            "Upload the same file on the Data page, and the link works again."
        )
    return found
