"""Everything there is to load: the bundled sets, the files of the folder CONCORD_DATA, then sets of OpenML."""

import difflib
import os
import re
from collections import Counter
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import numpy as np

from .bundled import GRAPH_TITLES, TITLES, load_bundled
from .errors import DataError, shortened
from .limits import check_bytes
from .openml.cache import PREFIX, cached_names
from .openml.loading import is_kept, load_named, titled
from .readers import known_readers
from .readers.arrays import hold_clusterings
from .reading.elsewhere import ELSEWHERE
from .records import Dataset, Kind, Pool
from .roles import columns_of
from .uploads import assembled

if TYPE_CHECKING:
    from .reading.opening import Reading

VARIABLE = "CONCORD_DATA"
_LABEL_SUFFIX, _MEMBERS_SUFFIX = "_label", "_members"
_NO_TEXT = re.compile("[\ud800-\udfff]")
_PROSE = {"readme", "license", "licence", "notice", "changelog", "sources", "requirements", "citation"}


def folder_files(taken: Collection[str] = ()) -> dict[str, Path]:
    """Return the readable files of the folder by name, sorted; no file is opened.

    A file is named by its relative path without extension, or with it where the name would not be unique or is `taken`;
    bytes that are no UTF-8 are written as `(e9)`.
    """
    root = os.environ.get(VARIABLE)
    if not root:
        return {}
    paths = [path for path in _walk(Path(root)) if _is_data(path)]
    full = {path: _words(path.relative_to(root).as_posix()) for path in paths}
    names = {path: full[path].removesuffix(_words(path.suffix)) for path in paths}
    while clashes := _clashes(names, taken):
        names |= {path: full[path] for path in clashes}
    return dict(sorted((name, path) for path, name in names.items()))


def load_file(name: str, path: Path, reading: "Reading" = ELSEWHERE) -> Dataset | Pool:
    """Return the data set or pool in a file of the folder.

    A ZIP file, a MAT or NPZ file with an array `members`, an ensemble that `engine.save_ensemble` wrote, a file called
    `X_members`, and an NPY or Parquet file of more whole numbers than features may have rows, is a pool; everything
    else is features. A text file `X_label` beside `X` gives the labels.
    """
    content = _content(path)
    names, long = reading.look(_words(path.name), content)
    named = hold_clusterings(names) or path.stem.endswith(_MEMBERS_SUFFIX)
    if named or path.suffix.lower() == ".zip" or long:
        return replace(_read(path, content, "labels", reading), name=name)
    dataset = replace(_read(path, content, "features", reading), name=name)
    beside = _label_file(path)
    return _labelled(dataset, beside, reading) if beside.is_file() and _is_text(path) else dataset  # type: ignore[arg-type]


def _read(path: Path, content: bytes, kind: Kind, reading: "Reading") -> Dataset | Pool:
    """Return what a file holds under the roles that are proposed for its columns."""
    table = reading.table(_words(path.name), content, kind)
    return assembled(_words(path.name), table, columns_of(table, kind), kind)


def _words(name: str) -> str:
    """Return the name of a file as text that pages and links can hold: Python keeps what is no UTF-8 as surrogates."""
    return _NO_TEXT.sub(lambda found: f"({ord(found[0]) & 0xFF:x})", name)


def _walk(root: Path) -> list[Path]:
    """Return all visible files below the root."""
    found = []
    for folder, subfolders, files in os.walk(root):
        subfolders[:] = sorted(sub for sub in subfolders if not sub.startswith("."))
        found += [Path(folder, file) for file in sorted(files) if not file.startswith(".")]
    return found


def _is_data(path: Path) -> bool:
    """Return whether a file looks like data by its name, and may be read."""
    if path.suffix.lower() not in known_readers() or path.stem.casefold() in _PROSE:
        return False
    if path.stem.endswith(_LABEL_SUFFIX) and _is_text(path):
        owner = path.with_name(path.stem.removesuffix(_LABEL_SUFFIX) + path.suffix)
        if owner.is_file():
            return False
    return path.is_file() and os.access(path, os.R_OK)


def _is_text(path: Path) -> bool:
    """Return whether a file is a text table by its ending."""
    return known_readers()[path.suffix.lower()].text


def _label_file(path: Path) -> Path:
    """Return where the labels of a text file would be."""
    return path.with_name(path.stem + _LABEL_SUFFIX + path.suffix)


def _clashes(names: dict[Path, str], taken: Collection[str]) -> list[Path]:
    """Return the files whose name is in use twice and can still be given its ending."""
    counts = Counter([*names.values(), *taken])
    return [path for path, name in names.items() if counts[name] > 1 and not name.endswith(_words(path.name))]


def _content(path: Path) -> bytes:
    """Return the bytes of a file that is not too large."""
    try:
        check_bytes(path.stat().st_size)
        return path.read_bytes()
    except OSError as exc:
        raise DataError(f"{_words(path.name)} cannot be read ({exc.strerror}). Check that it is still there.") from exc


def _labelled(dataset: Dataset, beside: Path, reading: "Reading") -> Dataset:
    """Return the data set with the labels of the file beside it, less a column that repeats them."""
    called = _words(beside.name)
    try:
        members = _read(beside, _content(beside), "labels", reading).members  # type: ignore[union-attr]
    except DataError as exc:
        raise DataError(f"{called}: {exc}") from exc
    if members.shape != (dataset.n_objects, 1):
        raise DataError(
            f"{called} has {members.shape[0]} rows and {members.shape[1]} columns; it needs one label "
            f"for each of the {dataset.n_objects} rows of {dataset.source}."
        )
    labels, features = members[:, 0].astype(np.int64), dataset.features
    notes = (*dataset.notes, f"Labels are from {called}.")
    names = dataset.feature_names
    if dataset.n_features > 1 and _same_partition(features[:, -1], labels):
        features, names = features[:, :-1], names[:-1]
        notes += ("The last column repeated the labels and was left out.",)
    return replace(dataset, features=features, labels=labels, feature_names=names, notes=notes, class_names=())


def _same_partition(column: np.ndarray, labels: np.ndarray) -> bool:
    """Return whether a column of features tells the same classes apart, under any numbering."""
    if not np.array_equal(column, np.rint(column)):
        return False
    pairs = len(np.unique(np.column_stack([column, labels]), axis=0))
    return pairs == len(np.unique(column)) == len(np.unique(labels))


#: Names of what comes with the app, which no file of the folder can have.
_OWN = TITLES | GRAPH_TITLES


def catalog(graphs: bool = False) -> list[str]:
    """Return the names that can be loaded, bundled sets first, then the folder's, sorted, then OpenML's in the cache.

    The folder is the one the variable CONCORD_DATA names, with all below it; none of its files is
    opened, and nothing is asked over the network.

    Parameters
    ----------
    graphs : bool
        Whether the bundled graphs stand behind the bundled sets; they are for `load_graph`.

    Returns
    -------
    list of str
        Each name once; every one that is no graph is a valid argument of `load`.

    Examples
    --------
    >>> catalog()[:3]
    ['moons', 'spirals', 'uneven_blobs']
    """
    return list(titles(graphs))


def titles(graphs: bool = False) -> dict[str, str]:
    """Return what a menu of all of them shows: the names of `catalog`, and their titles.

    Parameters
    ----------
    graphs : bool
        As for `catalog`.

    Returns
    -------
    dict of str to str
        One look at the folder serves them all, where `title` looks for each.
    """
    files = {name: _in_folder(name) for name in folder_files(taken=_OWN)}
    return (_OWN if graphs else TITLES) | files | {name: titled(name) for name in cached_names() if name not in files}


def load(name: str, reading: "Reading" = ELSEWHERE) -> Dataset | Pool:
    """Return a data set or a pool of the catalog.

    Parameters
    ----------
    name : str
        One of `catalog()`, or "openml/<name>/<version>" for a set that OpenML has; anything else,
        a path included, is refused.
    reading : Reading, optional
        Who opens a file of the folder, or a set of OpenML: by default a process of its own with limits of memory and
        time, `data.HERE` this one.

    Returns
    -------
    Dataset or Pool
        A pool where the file holds base clusterings.

    Raises
    ------
    DataError
        If the name is not in the catalog, or its file cannot be used.

    Examples
    --------
    >>> load("iris").features.shape
    (150, 4)
    """
    if not isinstance(name, str):
        raise DataError(f"the name of a data set must be text, got {name!r}.")
    if name in TITLES:
        return load_bundled(name)
    files = folder_files(taken=_OWN)
    if name not in files and name.startswith(PREFIX):
        return load_named(name, reading)
    if name not in files:
        raise _unknown(name)
    return load_file(name, files[name], reading)


def is_far(name: str) -> bool:
    """Return whether loading this asks openml.org, which may take minutes: it was never fetched.

    Parameters
    ----------
    name : str
        As for `load`.

    Returns
    -------
    bool
        False for whatever is on this machine, and for unknown names.

    Raises
    ------
    DataError
        If it begins like a set of OpenML, and is no such name.

    Examples
    --------
    >>> is_far("iris")
    False
    """
    return name.startswith(PREFIX) and name not in folder_files(taken=_OWN) and not is_kept(name)


def file_of(name: str) -> Path | None:
    """Return the file of the folder that a name stands for, None for other sets."""
    return None if name in _OWN else folder_files(taken=_OWN).get(name)


def version_of(path: Path) -> tuple:
    """Return what changes whenever a file of the folder, or the labels beside it, is written or goes."""
    found = []
    for one in [path, _label_file(path)] if _is_text(path) else [path]:
        with suppress(OSError):
            stat = one.stat()
            found.append((str(one), stat.st_ino, stat.st_size, stat.st_mtime_ns))
    return tuple(found)


def title(name: str) -> str:
    """Return the name a menu shows.

    Parameters
    ----------
    name : str
        One of `catalog(graphs=True)`, or "openml/<name>/<version>".

    Returns
    -------
    str
        For a file of the folder, its name and the folder it stands in.

    Raises
    ------
    DataError
        If the name is not in the catalog.

    Examples
    --------
    >>> title("two_gaussian_overlap"), title("iris")
    ('Two Gaussians (overlapping)', 'Iris')
    """
    if name in _OWN:
        return _OWN[name]
    if name not in folder_files(taken=_OWN):
        if name.startswith(PREFIX):
            return titled(name)
        raise _unknown(name)
    return _in_folder(name)


def _in_folder(name: str) -> str:
    """Return the title of a file of the folder."""
    path = PurePosixPath(name)
    return path.name if path.parent == PurePosixPath() else f"{path.name} ({path.parent})"


def _unknown(name: str) -> DataError:
    """Return the refusal of a name, with the nearest ones there are."""
    names = catalog(graphs=True)
    last = {other: PurePosixPath(other).name.casefold() for other in names}
    wanted = PurePosixPath(name).name.casefold()
    near = difflib.get_close_matches(name, names, n=3)
    near += [other for other in names if last[other] == wanted and other not in near]
    near += [other for other in names if difflib.SequenceMatcher(None, last[other], wanted).ratio() > 0.7]
    meant = (
        f"Did you mean {', '.join(dict.fromkeys(near))}?" if near else f"There are {', '.join(names[:5])} and others."
    )
    return DataError(f"There is no data set {shortened(name)!r}. {meant}")
