"""A record: what became of one task. It names its fields, as a text with a checksum and as a row of a table."""

import hashlib
import io
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .. import __version__
from ..confidence import INTERNAL
from ..metrics import MEASURES
from ..runtime.errors import InvalidParameterError, imported
from ..tables import harmless
from .study import Task

if TYPE_CHECKING:
    import pandas as pd

#: Scores that this version knows; a record may hold others, of a version that knew them.
SCORES = (*MEASURES, *INTERNAL)
#: Columns of the exported table, in their order.
COLUMNS = (
    *("dataset", "method", "params", "repeat", "seed", "k", *MEASURES, "seconds", "error"),
    *("n_clusterings", "generator", "version", "k_asked", "peak_mb", *INTERNAL, "key"),
)
_WHOLE = ("repeat", "seed", "k", "n_clusterings")
_IDS = ("key", "dataset", "method", "params", "n_clusterings", "repeat", "seed", "generator", "k_asked")


@dataclass(frozen=True)
class Record:
    """One row of results; `key` and what else describes the task are the task's.

    `scores` by name are those that were found, `MEASURES` against the classes and `INTERNAL` ones without; each is an
    attribute, too: `record.ari` is None where it was not found. `k` is the number asked for, the true one, the best, or
    what a method found that finds it itself; `k_asked` says which of these, and is empty in old records.
    `seconds` of what tasks share (a walk, a tree) count to the one that came first; making the ensemble counts to none;
    where k is looked for, all of the search counts.
    `peak_mb` is the whole process, other tasks and the ensemble included. `version` of Concord is empty in old records.
    """

    key: str
    dataset: str
    method: str
    params: str
    n_clusterings: int
    repeat: int
    seed: int
    k: int | None = None
    scores: dict[str, float] = field(default_factory=dict, hash=False)
    seconds: float = 0.0
    peak_mb: float = 0.0
    error: str = ""
    generator: str = ""
    version: str = ""
    k_asked: str = ""

    @classmethod
    def of(cls, **values: Any) -> Self:
        """A record of fields and scores by name, as `as_dict` gives them; a score that is None or NaN was not found."""
        own = {name: values.pop(name) for name in FIELDS if name in values}
        return cls(**own, scores={name: float(v) for name, v in values.items() if v is not None and v == v})

    def __getattr__(self, name: str) -> float | None:
        if name not in FIELDS and (name in SCORES or name in self.scores):  # copies are asked before they have fields
            return self.scores.get(name)
        raise AttributeError(name)

    def as_dict(self) -> dict[str, Any]:
        """All fields, and each score in place of all of them: None where it was not found."""
        return {name: getattr(self, name) for name in FIELDS if name != "scores"} | dict.fromkeys(SCORES) | self.scores


FIELDS = tuple(one.name for one in fields(Record))


def record_of(task: Task, **found: Any) -> Record:
    """A record with the task's ids, what was found, and the version that found it."""
    return Record.of(**{name: getattr(task, name) for name in _IDS}, version=__version__, **found)


def row_of(record: Record) -> tuple[str, str, str]:
    """A record as it is stored: key, all else as JSON by name, and the checksum of both."""
    own = {name: value for name, value in record.as_dict().items() if value is not None}
    key = own.pop("key")
    text = json.dumps(own, ensure_ascii=False, default=_plain).encode("utf-8", "replace").decode()
    return key, text, checksum(key, text)


def record_of_row(key: Any, text: Any, written: Any) -> Record | None:
    """The record a row was made of; None where the row is not what was written."""
    return Record.of(key=key, **json.loads(text)) if written == checksum(key, text) else None


def checksum(*texts: Any) -> str:
    """16 hexadecimal digits that change with every bit of the texts."""
    return hashlib.blake2b("\n".join(map(str, texts)).encode(), digest_size=8).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise InvalidParameterError(f"a record cannot hold a value of type {type(value).__name__}")


def text_or_bytes(raw: bytes) -> str | bytes:
    """A text as SQLite hands it over; a damaged one stays bytes, and is noticed by its checksum."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


#: The form of the table that is written. The one before had a column a field, and a checksum of all of them in order.
VERSION = 6
_COLUMNS_5 = (
    *("key", "dataset", "method", "params", "n_clusterings", "repeat", "seed", "k"),
    *("nmi_max", "nmi_arithmetic", "nmi_sqrt", "ari", "pairwise_f", "accuracy", "purity"),
    *("seconds", "peak_mb", "error", "generator", "version", "margin", "anmi", "stability", "checksum"),
)


def _record_of_row_5(*row: Any) -> Record | None:
    *values, written = row
    found = hashlib.blake2b(json.dumps(values, default=repr).encode(), digest_size=8).hexdigest()
    return Record.of(**dict(zip(_COLUMNS_5, values, strict=False))) if written == found else None


#: Columns of a table of records by the form it has, and the record of a row; None where that is damaged.
FORMS: dict[int, tuple[tuple[str, ...], Callable[..., Record | None]]] = {
    5: (_COLUMNS_5, _record_of_row_5),
    VERSION: (("key", "record", "checksum"), record_of_row),
}


def to_csv(records: Iterable[Record]) -> str:
    """Records as CSV, columns as in `COLUMNS`, then scores of other versions; none at all gives the header alone."""
    frame = _frame(records)
    words = frame.select_dtypes(exclude="number").map(harmless)  # data sets are called as their files are
    return frame.assign(**words).to_csv(index=False, lineterminator="\n")


def to_parquet(records: Iterable[Record]) -> bytes:
    """The same table as Parquet."""
    out = io.BytesIO()
    imported("pyarrow", "Exporting Parquet")
    _frame(records).to_parquet(out, index=False)
    return out.getvalue()


def _frame(records: Iterable[Record]) -> "pd.DataFrame":
    """All there is of records, in the order of their table; whole numbers stay whole where some are missing."""
    pd = imported("pandas", "Exporting results")  # running a study does without
    rows = [record.as_dict() for record in records]
    scores = (*SCORES, *sorted({name for row in rows for name in row} - {*FIELDS, *SCORES}))
    frame = pd.DataFrame(rows, columns=[*COLUMNS, *(name for name in scores if name not in COLUMNS)])
    return frame.astype(dict.fromkeys(_WHOLE, "Int64") | dict.fromkeys(scores, "float64"))
