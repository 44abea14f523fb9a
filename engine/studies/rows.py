"""Records as rows of a table: plain values with a checksum, looked at again when they are read."""

import hashlib
import json
import math
from collections.abc import Sequence
from typing import Any

from ..runtime.errors import EngineError
from .records import FIELDS, Record

CHECKSUM = "checksum"
#: All columns of a row, in their order.
COLUMNS_OF_A_ROW = (*FIELDS, CHECKSUM)
WHOLE = ("repeat", "seed", "k", "n_clusterings")
TEXT = ("key", "dataset", "method", "params", "error", "generator", "version")
#: What a record must have: the rest may be unknown.
_ALWAYS = (*TEXT, "repeat", "seed", "n_clusterings", "seconds", "peak_mb")


class DamagedRowError(EngineError):
    """A row is not what was written."""


def column_type(name: str) -> str:
    """What SQLite calls the type of a column.

    Parameters
    ----------
    name : str
        One of `COLUMNS_OF_A_ROW`.

    Returns
    -------
    str
        "INTEGER", "TEXT" or "REAL".
    """
    return "INTEGER" if name in WHOLE else "TEXT" if name in (*TEXT, CHECKSUM) else "REAL"


def row_of(record: Record) -> tuple[Any, ...]:
    """A record as a row.

    Parameters
    ----------
    record : Record
        Complete.

    Returns
    -------
    tuple
        Values of `COLUMNS_OF_A_ROW`, as SQLite gives them back.
    """
    values = tuple(_plain(name, getattr(record, name)) for name in FIELDS)
    return (*values, checksum(values))


def record_of_row(row: Sequence[Any]) -> Record:
    """The record a row was made of.

    Parameters
    ----------
    row : sequence
        Values of `COLUMNS_OF_A_ROW`, texts by `text_or_bytes`.

    Returns
    -------
    Record
        Equal to the one that was written.

    Raises
    ------
    DamagedRowError
        If a value is of another type than it was, or the checksum is of another row.
    """
    *values, written = row
    for name, value in zip(FIELDS, values, strict=True):
        if not _allowed(name, value):
            raise DamagedRowError(f"{name} of a record is damaged")
    if written != checksum(values):
        raise DamagedRowError("the checksum of a record is another one")
    return Record(*values)


def text_or_bytes(raw: bytes) -> str | bytes:
    """A text as SQLite hands it over; a damaged one stays bytes, and is noticed as no text.

    Parameters
    ----------
    raw : bytes
        UTF-8, where it is whole.

    Returns
    -------
    str or bytes
    """
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def checksum(values: Sequence[Any]) -> str:
    """16 hexadecimal digits that change with every value.

    Parameters
    ----------
    values : sequence
        Of `FIELDS`, plain.

    Returns
    -------
    str
    """
    return hashlib.blake2b(json.dumps(list(values), default=repr).encode(), digest_size=8).hexdigest()


def _plain(name: str, value: Any) -> Any:
    """A value as SQLite gives it back: NaN is none there, -0.0 is 0.0, numbers have the column's type."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if value is None or not hasattr(value, "__float__"):
        return value  # of no type a column has: SQLite refuses it, and says so
    if name in WHOLE:
        return int(value)
    return None if math.isnan(value) else float(value) + 0.0


def _allowed(name: str, value: Any) -> bool:
    if value is None:
        return name not in _ALWAYS
    return isinstance(value, str if name in TEXT else int if name in WHOLE else float)
