"""Data sets by name, read or fetched once and shared by all sessions."""

import os
from contextlib import suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path

import numpy as np

import data
from data import DataError, Dataset, Pool
from data.library import VARIABLE, file_of, version_of
from data.records import Content, Graph, Missing
from engine import Graph as Links
from engine import Monitor
from engine.ensemble import frozen
from engine.monitor import SILENT
from ui.compute import uploads
from ui.compute.keeping import Kept
from ui.compute.reading import Reading

#: As many as a study may well have; fewer where the account is short.
_LOADED: Kept[Content] = Kept(64)
_LABELLED: Kept[Pool] = Kept(8)
_SCALED: Kept[np.ndarray] = Kept(8)
_LINKED: Kept[Links] = Kept(8)
_NUMBERED: Kept[np.ndarray] = Kept(32)
#: Files of the folder by the folder's name and theirs, as far as they were asked for, and when their folders changed.
_FILES: dict[tuple[str | None, str], tuple[Path, tuple]] = {}


#: Whether what runs here draws a page, which waits for no file.
_DRAWING = ContextVar("drawing", default=False)


class FarError(DataError):
    """A data set is on OpenML and was never fetched, or in a file that a page has not read: `name` in the catalog.

    `version` is what `version` says of it.
    """

    def __init__(self, name: str, version: tuple = ()) -> None:
        super().__init__(f"{data.title(name)} was not fetched yet. Fetch it on the page Data")
        self.name, self.version = name, version


def drawing() -> None:
    """From here on this thread draws a page: a file of the folder is read by a job, which has a Cancel."""
    _DRAWING.set(True)


def find(name: str, labelled: bool = False) -> Content:
    """The data set, or the pool with all its objects or those that no base clustering misses; DataError if unreadable.

    FarError if the set is on OpenML and was never fetched: no page waits for another machine.
    """
    if name.startswith(uploads.PREFIX):
        found = uploads.find(name).content
    else:
        key = name, version(name)  # as it is before it is read: what is written meanwhile is read the next time
        found = _LOADED.get(key, partial(_here, *key))
    if labelled and isinstance(found, Pool):
        return _LABELLED.get((name, found.fingerprint), found.labelled_everywhere)
    return found


def version(name: str) -> tuple:
    """What changes whenever somebody writes the file of the folder that a name stands for; () for other names.

    A file is looked for once, and again where its folder has got or lost one: there may be thousands.
    """
    if name.startswith(uploads.PREFIX):
        return ()
    place = os.environ.get(VARIABLE), name
    path, beside = _FILES.get(place, (None, ()))
    if path is None or beside != _changed(path.parent):
        if (path := file_of(name)) is None:
            _FILES.pop(place, None)
            return ()
        _FILES[place] = path, _changed(path.parent)
    return version_of(path)


def _changed(folder: Path) -> tuple:
    """What changes whenever a folder gets or loses a file."""
    with suppress(OSError):
        return (folder.stat().st_mtime_ns,)
    return ()


def _here(name: str, version: tuple) -> Content:
    if data.is_far(name) or (_DRAWING.get() and version):
        raise FarError(name, version)
    return read(name, version)


def read(name: str, version: tuple = (), monitor: Monitor = SILENT) -> Content:
    """What this machine has by a name; a file of the folder is read by another process, which a cancel ends.

    `version` tells the jobs that read a file before and after it was written apart.
    """
    return data.load_graph(name) if name in data.graph_catalog() else data.load(name, Reading(monitor))


def fetch(name: str, version: int | None, missing: Missing, monitor: Monitor = SILENT) -> Dataset:
    """The Dataset, from this machine or from OpenML; its names know no capitals."""
    asking = "asking openml.org"
    asked = partial(monitor.tick, asking, 0, 1)
    asked()
    return data.load_openml(name, version, missing, asked, Reading(monitor, stage=asking))


def keep(name: str, found: Content, version: tuple = ()) -> None:
    """Hand over a set that was fetched or read, also where the folder that keeps them cannot be written."""
    _LOADED.get((name, version), lambda: found)


def title_of(name: str) -> str:
    """Name of a data set for people."""
    return uploads.find(name).filename if name.startswith(uploads.PREFIX) else data.title(name)


def cells_of(name: str) -> uploads.File | Path | None:
    """The AnnData file of a data set, a copy of which may carry results; None where it came from elsewhere."""
    if name.startswith(uploads.PREFIX):
        return uploads.find(name).file
    path = file_of(name)
    return path if path is not None and uploads.takes_results(path.name) else None


def linked(source: Graph) -> Links:
    """The edges of a graph under the engine's rules, which its notes tell."""
    ends = source.sources, source.targets
    return _LINKED.get(source.fingerprint, lambda: Links.of_edges(*ends, source.weights, source.n_objects))


def scaled(source: Dataset | Graph, scaling: str) -> np.ndarray:
    """The features, scaled: (N, D), read-only."""
    key = source.fingerprint, scaling
    return _SCALED.get(key, lambda: frozen(data.scale(source.features, scaling)))


def numbered(source: Content) -> np.ndarray | None:
    """Classes 0.. in the order of their labels, whatever stands first in the file: (N,) int32, read-only; or None."""
    if source.labels is None:
        return None
    labels = source.labels
    return _NUMBERED.get(source.fingerprint, lambda: frozen(np.unique(labels, return_inverse=True)[1].astype(np.int32)))
