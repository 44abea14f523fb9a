"""Data sets of OpenML by name and version, through scikit-learn, kept in a cache folder."""

import gzip
import http.client
import json
import re
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import numpy as np

from ..errors import DataError, counted, shortened
from ..faults import constant_note, without_missing
from ..limits import check_size
from ..readers.tables import Table, as_numbers
from ..records import Dataset, Missing
from ..roles import split_labels
from . import cache
from .cache import PREFIX, Entry

_LIST = "https://www.openml.org/api/v1/json/data/list/data_name/{}/limit/100"
_SECONDS = 15  # until a server that does not answer counts as out of reach
_REFUSED = (404, 412)  # 412 is OpenML's "no result"
_BROKEN = (EOFError, zlib.error, gzip.BadGzipFile, http.client.HTTPException, ValueError, LookupError, TypeError)
_NAME = re.compile(r"[\w.+() -]{1,100}")


def load_openml(
    name: str,
    version: int | None = None,
    missing: Missing = "refuse",
    meanwhile: Callable[[], object] | None = None,
) -> Dataset:
    """Return a data set of OpenML; from the cache if it was loaded before, otherwise over the network.

    Parameters
    ----------
    name : str
        Name on OpenML, in either case.
    version : int or None
        None takes the active version if there is just one.
    missing : {"refuse", "drop", "mean"}
        What to do with missing features: raise, drop the rows, or put in the column means.
    meanwhile : callable, optional
        Is called ten times a second while OpenML is asked; what it raises ends the waiting, and goes on from here.

    Returns
    -------
    Dataset
        Features (N, D); a column of categories becomes a column of 0 and 1 for each of them. The
        default target becomes the labels. Decisions taken are in `notes`.

    Raises
    ------
    MissingValuesError
        If features have missing values and `missing` is "refuse".
    DataError
        If OpenML cannot be reached, has no such set or several versions, if the set is too large, or
        if it cannot be used; the message says what to do.
    """
    if missing not in ("refuse", "drop", "mean"):
        raise DataError(f"missing must be 'refuse', 'drop' or 'mean', got {missing!r}.")
    checked = _checked(name)
    entry, bunch = unless_stopped(lambda: _found(checked, version), meanwhile)
    return _dataset(entry, bunch, missing)


def _found(name: str, version: int | None) -> tuple[Entry, Any]:
    """Return which set that is, and scikit-learn's bunch of it, from the cache or over the network."""
    entry = cache.recall(name, version) or _find(name, version)
    bunch = _fetch(entry)
    cache.remember(entry, bunch.details["url"])
    return entry, bunch


def load_named(name: str) -> Dataset:
    """Return the data set of a catalog name, "openml/<name>/<version>", or with "/drop" or "/mean" at the end."""
    return load_openml(*openml_parts(name))


def titled(name: str) -> str:
    """Return what a menu shows for a catalog name.

    >>> titled("openml/iris/1"), titled("openml/vehicle/2/mean")
    ('iris (OpenML, version 1)', 'vehicle (OpenML, version 2, gaps filled with means)')
    """
    short, version, missing = openml_parts(name)
    mended = {"drop": ", rows with gaps dropped", "mean": ", gaps filled with means", "refuse": ""}[missing]
    return f"{short} (OpenML, version {version}{mended})"


def is_kept(name: str) -> bool:
    """Return whether the set of a catalog name was fetched before, and nothing of it is missing since."""
    short, version, _ = openml_parts(name)
    entry = cache.recall(short, version)
    return entry is not None and entry.is_whole


def openml_parts(name: str) -> tuple[str, int, Missing]:
    """Return name, version and what to do about missing values of a catalog name.

    Parameters
    ----------
    name : str
        Such as "openml/iris/1" or "openml/vehicle/2/mean".

    Returns
    -------
    tuple of (str, int, str)
        As `load_openml` takes them.

    Raises
    ------
    DataError
        If it is no such name.

    Examples
    --------
    >>> openml_parts("openml/Vehicle/2/mean")
    ('vehicle', 2, 'mean')
    """
    match = re.fullmatch(PREFIX + r"([^/]+)/([1-9]\d{0,5})(?:/(drop|mean))?", name)
    if match is None:
        raise DataError(f"Data sets of OpenML are named like openml/iris/1, got {shortened(name)!r}.")
    mended: dict[str | None, Missing] = {None: "refuse", "drop": "drop", "mean": "mean"}
    return _checked(match[1]), int(match[2]), mended[match[3]]


def _checked(name: str) -> str:
    """Return the name as it is compared: in lower case, without space around it."""
    if not _NAME.fullmatch(name.strip()):
        raise DataError(f"{name[:100]!r} is no name on OpenML. Names have letters, digits and - _ . + ( ), no slash.")
    return name.strip().casefold()


def _find(name: str, version: int | None) -> Entry:
    """Ask OpenML which data set that is, and refuse one that is too large before its data are asked for."""
    found = _listed(name, version)
    if not found:
        which = name if version is None else f"{name} in version {version}"
        raise DataError(f"OpenML has no active data set {which}. Look up name and version on openml.org.")
    if len(found) > 1:
        versions = ", ".join(str(item["version"]) for item in found)
        raise DataError(f"OpenML has several active versions of {name}: {versions}. Say which.")
    with _understood(name):
        (item,) = found
        sizes = {quality["name"]: float(quality["value"]) for quality in item.get("quality", [])}
        entry = Entry(name, int(item["version"]), int(item["did"]))
        rows, columns = (int(sizes.get(f"NumberOf{what}", 1)) for what in ("Instances", "Features"))
    check_size(rows, max(columns - 1, 1), "features")
    return entry


def _listed(name: str, version: int | None) -> list[dict[str, Any]]:
    """Return what OpenML lists under a name; a version may be withdrawn, but is then asked for by number."""
    url = _LIST.format(quote(name, safe=""))
    if version is None:
        return _ask(url + "/status/active", name)
    return _ask(f"{url}/data_version/{version}", name) or _ask(f"{url}/data_version/{version}/status/deactivated", name)


def _ask(url: str, name: str) -> list[dict[str, Any]]:
    """Return the data sets of one answer; none if OpenML says so."""
    try:
        with _understood(name), urlopen(url, timeout=_SECONDS) as answer:
            found = json.load(answer)["data"]["dataset"]
    except HTTPError as error:
        if error.code in _REFUSED:
            return []
        raise _failed(error) from error
    if not isinstance(found, list) or not all(isinstance(item, dict) and "version" in item for item in found):
        raise _damaged(name, "no list of data sets")
    return found


def _fetch(entry: Entry) -> Any:
    """Return scikit-learn's bunch; whatever it has in the cache folder is not asked for again."""
    from sklearn.datasets import fetch_openml

    home = str(cache.folder().parent)
    try:
        with _understood(entry.name):
            cache.make_private()
            return fetch_openml(data_id=entry.did, data_home=home, as_frame=True, parser="pandas", n_retries=1)
    except HTTPError as error:
        raise _failed(error) from error


@contextmanager
def _understood(name: str) -> Iterator[None]:
    """Turn what goes wrong between here and OpenML into a sentence; answers with an error code go on."""
    try:
        yield
    except (DataError, HTTPError):
        raise
    except _BROKEN as exc:
        if "Sparse ARFF" in str(exc):
            raise DataError(f"{name} is stored as a sparse matrix, which is not read here. Choose another.") from exc
        raise _damaged(name, str(exc)) from exc
    except OSError as exc:
        raise _unreachable(exc) from exc


def _damaged(name: str, detail: str) -> DataError:
    """Return the refusal of an answer that cannot be read."""
    return DataError(f"OpenML's answer for {name} is damaged or cut off ({detail[:160]}). Try again later.")


def _unreachable(exc: OSError) -> DataError:
    """Return what to say when there is no connection, or no room for the cache."""
    if exc.filename:
        return DataError(f"The cache folder {cache.folder()} cannot be used ({exc.strerror}). Make room there.")
    reason = getattr(exc, "reason", exc)
    words = getattr(reason, "strerror", None) or reason  # without the number of the error
    return DataError(
        f"OpenML cannot be reached ({words}). Check the connection; sets loaded before are still in the list."
    )


def _failed(error: HTTPError) -> DataError:
    """Return what to say when the server answers with an error code."""
    return DataError(f"OpenML cannot answer now (error {error.code}). Try again later.")


def _dataset(entry: Entry, bunch: Any, missing: Missing) -> Dataset:
    """Return the data set once its columns are numbers and none is missing."""
    table, target = table_of(bunch)
    labels: np.ndarray | None = None
    called: tuple[str, ...] = ()
    if target:
        table, labels, called = split_labels(table, table.names.index(target))
    check_size(table.n_rows, len(table.columns), "features")
    features = np.column_stack([column.astype(np.float64) for column in table.columns])
    table, features, labels, notes = without_missing(table, features, labels, missing)
    notes = (*table.notes, *notes, *constant_note(features, table.names))
    if bunch.details.get("status", "active") != "active":
        notes = (f"OpenML lists this version as {bunch.details['status']}.", *notes)
    name = entry.catalog_name + ("" if missing == "refuse" else f"/{missing}")
    source = f"OpenML, data set {entry.did}: {entry.name}, version {entry.version}"
    return Dataset(name, features, labels, source, table.names, notes, class_names=called)


_Result = TypeVar("_Result")
_LOOK = 0.1  # seconds between two looks at whether it is still wanted


def unless_stopped(task: Callable[[], _Result], meanwhile: Callable[[], object] | None) -> _Result:
    """Return what a task returns; `meanwhile` is called ten times a second, and what it raises ends the waiting.

    The task then goes on alone, in a thread that keeps nobody from ending the program.

    >>> unless_stopped(lambda: 3, None), unless_stopped(lambda: 4, lambda: None)
    (3, 4)
    """
    if meanwhile is None:
        return task()
    meanwhile()
    future: Future[_Result] = Future()
    threading.Thread(target=_run, args=(task, future), name="concord-waiting", daemon=True).start()
    while not wait([future], _LOOK).done:
        meanwhile()
    return future.result()


def _run(task: Callable[[], _Result], future: "Future[_Result]") -> None:
    try:
        future.set_result(task())
    except BaseException as error:  # noqa: BLE001 - goes to whoever waits
        future.set_exception(error)


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
