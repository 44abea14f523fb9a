"""Data sets of OpenML by name and version, kept in a cache folder."""

import json
import re
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import urlopen

import numpy as np

from ..errors import DataError, shortened
from ..faults import constant_note, without_missing
from ..limits import check_size
from ..reading.elsewhere import ELSEWHERE
from ..records import Dataset, Missing
from ..roles import split_labels
from . import cache
from .cache import PREFIX, Entry
from .fetching import Fetched, damaged, failed, understood

if TYPE_CHECKING:
    from ..reading.opening import Reading

_LIST = "https://www.openml.org/api/v1/json/data/list/data_name/{}/limit/100"
_SECONDS = 15  # until a server that does not answer counts as out of reach
_REFUSED = (404, 412)  # 412 is OpenML's "no result"
_NAME = re.compile(r"[\w.+() -]{1,100}")


def load_openml(
    name: str,
    version: int | None = None,
    missing: Missing = "refuse",
    meanwhile: Callable[[], object] | None = None,
    reading: "Reading" = ELSEWHERE,
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
    reading : Reading, optional
        Who takes and opens what OpenML has: by default a process of its own with limits of memory and time, `data.HERE`
        this one.

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
    entry, fetched = unless_stopped(lambda: _found(checked, version, reading), meanwhile)
    return _dataset(entry, fetched, missing)


def _found(name: str, version: int | None, reading: "Reading") -> tuple[Entry, Fetched]:
    """Return which set that is, and what is in it, from the cache or over the network."""
    entry = cache.recall(name, version) or _find(name, version)
    with understood(name):
        cache.make_private()
    fetched = reading.openml(entry.did, name)
    cache.remember(entry, fetched.url)
    return entry, fetched


def load_named(name: str, reading: "Reading" = ELSEWHERE) -> Dataset:
    """Return the data set of a catalog name, "openml/<name>/<version>", or with "/drop" or "/mean" at the end."""
    return load_openml(*openml_parts(name), reading=reading)


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
        raise DataError(
            f"{shortened(name)!r} is no name on OpenML. Names have up to 100 letters, digits, - _ . + ( ), no slash."
        )
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
    with understood(name):
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
        with understood(name), urlopen(url, timeout=_SECONDS) as answer:
            found = json.load(answer)["data"]["dataset"]
    except HTTPError as error:
        if error.code in _REFUSED:
            return []
        raise failed(error) from error
    if not isinstance(found, list) or not all(isinstance(item, dict) and "version" in item for item in found):
        raise damaged(name, "no list of data sets")
    return found


def _dataset(entry: Entry, fetched: Fetched, missing: Missing) -> Dataset:
    """Return the data set once its columns are numbers and none is missing."""
    table, target = fetched.table, fetched.target
    labels: np.ndarray | None = None
    called: tuple[str, ...] = ()
    if target:
        table, labels, called = split_labels(table, table.names.index(target))
    check_size(table.n_rows, len(table.columns), "features")
    features = np.column_stack([column.astype(np.float64) for column in table.columns])
    whole = np.isfinite(features).all(axis=1)
    rows = np.flatnonzero(whole) if missing == "drop" and not whole.all() else None
    table, features, labels, notes = without_missing(table, features, labels, missing)
    notes = (*table.notes, *notes, *constant_note(features, table.names))
    if fetched.status != "active":
        notes = (f"OpenML lists this version as {fetched.status}.", *notes)
    name = entry.catalog_name + ("" if missing == "refuse" else f"/{missing}")
    source = f"OpenML, data set {entry.did}: {entry.name}, version {entry.version}"
    return Dataset(name, features, labels, source, table.names, notes, class_names=called, rows=rows)


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
