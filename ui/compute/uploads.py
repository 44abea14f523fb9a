"""Files a person brought: parsed once, kept by content hash, so that a URL can name them."""

import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import streamlit as st

from data import DataError, Dataset, Pool
from data.readers.tables import Table
from data.records import Kind, Missing
from data.roles import Column, Role, columns_of
from data.uploads import assembled, open_table
from ui.compute.jobs import size_of

PREFIX = "upload-"
KEPT_BYTES = 2**30


@dataclass(frozen=True, eq=False)
class Sheet:
    """A file as it was read, before anything is decided about its columns."""

    filename: str
    kind: Kind
    digest: str
    table: Table
    matrix: str | None = None


@dataclass(frozen=True)
class Upload:
    """What a file holds and the words that read it again; `digest` is that of the file alone."""

    id: str
    filename: str
    kind: str
    missing: str
    content: Dataset | Pool
    roles: Mapping[int, Role] = field(default_factory=dict)
    digest: str = ""
    matrix: str | None = None


class MissingUploadError(DataError):
    """The URL names a file that this server does not hold."""


@st.cache_resource
def _kept() -> OrderedDict[str, Upload]:
    return OrderedDict()


def sheet(filename: str, content: bytes, kind: Kind, matrix: str | None = None) -> Sheet:
    """The columns of a file, or of one matrix in it; what was just read is not read again.

    Raises
    ------
    DataError
        If it cannot be read; the message says why, where, and what to do.
    """
    digest = hashlib.blake2b(content, digest_size=8).hexdigest()
    return _sheet(filename, digest, kind, matrix, content)


@st.cache_resource(max_entries=4, show_spinner=False)
def _sheet(filename: str, digest: str, kind: Kind, matrix: str | None, _content: bytes) -> Sheet:
    return Sheet(filename, kind, digest, open_table(filename, _content, kind, matrix), matrix)


def columns(brought: Sheet, roles: Mapping[int, Role]) -> tuple[Column, ...]:
    """The columns of a file with their roles and faults; what was just counted is not counted again.

    Raises
    ------
    DataError
        If the roles that are given make no sense.
    """
    return _columns(brought.digest, brought.kind, brought.matrix, tuple(sorted(roles.items())), brought)


@st.cache_resource(max_entries=8, show_spinner=False)
def _columns(digest: str, kind: Kind, matrix: str | None, roles: tuple, _brought: Sheet) -> tuple[Column, ...]:
    return columns_of(_brought.table, kind, dict(roles))


def keep(
    brought: Sheet, columns: Sequence[Column], missing: Missing = "refuse", roles: Mapping[int, Role] | None = None
) -> Upload:
    """The content of a file under the roles its columns have; `roles` are those that a person gave.

    Raises
    ------
    DataError
        If it cannot be used; the message says why, where, and what to do.
    """
    words = f"{brought.digest}|{brought.kind}|{brought.matrix}|{missing}|{sorted((roles or {}).items())}"
    id = PREFIX + hashlib.blake2b(words.encode(), digest_size=8).hexdigest()
    kept = _kept()
    if id not in kept:
        content = assembled(brought.filename, brought.table, columns, brought.kind, missing)
        how = missing, content, dict(roles or {}), brought.digest, brought.matrix
        kept[id] = Upload(id, brought.filename, brought.kind, *how)
    kept.move_to_end(id)
    while len(kept) > 1 and sum(size_of(item) for item in kept.values()) > KEPT_BYTES:
        kept.popitem(last=False)
    return kept[id]


def keep_file(filename: str, content: bytes, kind: Kind, missing: Missing = "refuse") -> Upload:
    """A file under the roles that are proposed for its columns."""
    brought = sheet(filename, content, kind)
    return keep(brought, columns_of(brought.table, kind), missing)


def same_file(upload_id: str, upload: Upload) -> bool:
    """Whether an id is of the same file, read in another way."""
    other = _kept().get(upload_id)
    return other is not None and (other.digest, other.kind) == (upload.digest, upload.kind)


def find(upload_id: str) -> Upload:
    """The upload with this id.

    Raises
    ------
    MissingUploadError
    """
    if upload_id not in _kept():
        raise MissingUploadError(
            "This link shows a file that was uploaded in another session, and it is not here. "
            "Upload the same file on the Data page, and the link works again."
        )
    return _kept()[upload_id]
