"""What OpenML has under a number, through scikit-learn, as a table; a process of its own runs this (`data.reading`)."""

import gzip
import http.client
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError

import numpy as np

from ..errors import DataError, counted, shortened
from ..limits import check_size
from ..readers.tables import Table, as_numbers
from ..reading.progress import goes_on
from . import cache

_BROKEN = (EOFError, zlib.error, gzip.BadGzipFile, http.client.HTTPException, ValueError, LookupError, TypeError)


@dataclass(frozen=True, eq=False)
class Fetched:
    """Features, and the target if it names classes, as one table; the target's name, or ""; what OpenML says of both.

    `status` is "active" unless the version was withdrawn; `url` is where the data came from.
    """

    table: Table
    target: str
    status: str
    url: str


def fetch(did: int, name: str) -> Fetched:
    """Return the set of a number on OpenML; whatever scikit-learn has in the cache folder is not asked for again."""
    from sklearn.datasets import fetch_openml

    home = str(cache.folder().parent)
    try:
        with understood(name):
            bunch = fetch_openml(data_id=did, data_home=home, as_frame=True, parser="pandas", n_retries=1)
    except HTTPError as error:
        raise failed(error) from error
    goes_on()
    return Fetched(*table_of(bunch), bunch.details.get("status", "active"), bunch.details["url"])


class Heard(http.client.HTTPResponse):
    """An answer that says that reading goes on as it comes in."""

    def read(self, amt: int | None = None) -> bytes:
        """Return what `HTTPResponse.read` does."""
        found = super().read(amt)
        goes_on()
        return found


@contextmanager
def understood(name: str) -> Iterator[None]:
    """Turn what goes wrong between here and OpenML into a sentence; answers with an error code go on."""
    try:
        yield
    except (DataError, HTTPError):
        raise
    except _BROKEN as exc:
        if "Sparse ARFF" in str(exc):
            raise DataError(f"{name} is stored as a sparse matrix, which is not read here. Choose another.") from exc
        if "out of memory" in str(exc):
            raise _too_large(name) from exc
        raise damaged(name, str(exc)) from exc
    except MemoryError as exc:
        raise _too_large(name) from exc
    except OSError as exc:
        raise unreachable(exc) from exc


def _too_large(name: str) -> DataError:
    return DataError(f"{name} takes more memory than there is. Choose another.")


def damaged(name: str, detail: str) -> DataError:
    """Return the refusal of an answer that cannot be read."""
    return DataError(f"OpenML's answer for {name} is damaged or cut off ({detail[:160]}). Try again later.")


def unreachable(exc: OSError) -> DataError:
    """Return what to say when there is no connection, or no room for the cache."""
    if exc.filename:
        return DataError(f"The cache folder {cache.folder()} cannot be used ({exc.strerror}). Make room there.")
    reason = getattr(exc, "reason", exc)
    words = getattr(reason, "strerror", None) or reason  # without the number of the error
    return DataError(
        f"OpenML cannot be reached ({words}). Check the connection; sets loaded before are still in the list."
    )


def failed(error: HTTPError) -> DataError:
    """Return what to say when the server answers with an error code."""
    return DataError(f"OpenML cannot answer now (error {error.code}). Try again later.")


def table_of(bunch: Any) -> tuple[Table, str]:
    """Return features, and the target if it names classes, as one table; and the target's name, or "".

    `bunch` is that of `sklearn.datasets.fetch_openml`, with pandas frames or series. DataError for a column of text
    without a set of categories, and for no features, or too many once categories are columns of 0 and 1.
    """
    _refuse_text(bunch.data)
    width = sum(_width(bunch.data[name]) for name in bunch.feature_names)
    if not width or len(bunch.data) < 2:
        raise DataError(f"The data set has {counted(len(bunch.data), 'row')} and {counted(width, 'feature')}.")
    check_size(len(bunch.data), width, "features")
    columns: list[np.ndarray] = []
    names: list[str] = []
    for name in bunch.feature_names:
        for column, label in _spread(bunch.data[name], str(name)):
            columns.append(column)
            names.append(label)
    coded = [name for name in bunch.feature_names if _is_words(bunch.data[name])]
    notes = (f"{counted(len(coded), 'column')} of categories became columns of 0 and 1.",) if coded else ()
    return _with_target(Table(tuple(columns), tuple(names), notes=notes), bunch)


def _with_target(table: Table, bunch: Any) -> tuple[Table, str]:
    """Return the table with the target as last column, if it is one column of classes."""
    if len(bunch.target_names) != 1:
        word = "no target" if not bunch.target_names else "several targets"
        return _noted(table, f"OpenML names {word} here, so the classes are not known."), ""
    (name,) = bunch.target_names
    column = _plain(bunch.target)
    if column.dtype.kind == "f" and not (column == np.rint(column)).all():
        return _noted(table, f"The target {shortened(name)!r} is a measurement, so the classes are not known."), ""
    name = f"{name} (target)" if name in table.names else str(name)
    return Table((*table.columns, column), (*table.names, name), notes=table.notes), name


def _noted(table: Table, note: str) -> Table:
    return Table(table.columns, table.names, notes=(*table.notes, note))


def _refuse_text(frame: Any) -> None:
    """Refuse columns of text that are no categories: dates, names, sentences."""
    texts = [name for name in frame if frame[name].dtype.kind == "O" and not _has_categories(frame[name])]
    if texts:
        listed = ", ".join(shortened(str(name)) for name in texts[:5]) + (", ..." if len(texts) > 5 else "")
        raise DataError(f"Text where numbers belong, in {counted(len(texts), 'column')}: {listed}. Choose another set.")


def _has_categories(series: Any) -> bool:
    return hasattr(series, "cat")


def _is_words(series: Any) -> bool:
    """Return whether a column has categories that are no numbers."""
    return _has_categories(series) and as_numbers(_categories(series)).dtype.kind == "O"


def _categories(series: Any) -> np.ndarray:
    """Return the categories of a column that has any."""
    return np.array([str(value) for value in series.cat.categories], dtype=object)


def _width(series: Any) -> int:
    """Return how many columns of numbers a column becomes."""
    return len(series.cat.categories) if _is_words(series) else 1


def _spread(series: Any, name: str) -> list[tuple[np.ndarray, str]]:
    """Return a column as numbers, with names; categories as a column of 0 and 1 each, NaN where one is missing."""
    if not _is_words(series):
        return [(_plain(series).astype(np.float64), name)]
    codes = series.cat.codes.to_numpy()
    shown = enumerate(_categories(series))
    return [(np.where(codes < 0, np.nan, codes == code), f"{name} = {word}") for code, word in shown]


def _plain(series: Any) -> np.ndarray:
    """Return a column as numbers where all its values are, else as text, None where one is missing."""
    if _has_categories(series):
        codes = series.cat.codes.to_numpy()
        return as_numbers(np.array([*_categories(series), None], dtype=object)[codes])  # code -1: a missing value
    if series.dtype.kind == "O":
        return as_numbers(series.astype(object).where(series.notna(), None).to_numpy(dtype=object))
    return series.to_numpy(dtype=np.float64)
