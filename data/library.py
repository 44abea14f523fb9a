"""Everything there is to load: the bundled sets, the files of the folder, then sets of OpenML."""

import difflib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from .bundled.data_sets import TITLES, load_bundled
from .bundled.graphs import TITLES as GRAPHS
from .errors import DataError, shortened
from .folder import folder_files, load_file
from .openml.cache import PREFIX, cached_names
from .openml.loading import is_kept, load_named, titled
from .reading.elsewhere import ELSEWHERE
from .records import Dataset, Pool

if TYPE_CHECKING:
    from .reading.opening import Reading

#: Names of what comes with the app, which no file of the folder can have.
_OWN = TITLES | GRAPHS


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
        Who opens a file of the folder: by default a process of its own with limits of memory and time, `data.HERE` this
        one.

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
    if name in TITLES:
        return load_bundled(name)
    files = folder_files(taken=_OWN)
    if name not in files and name.startswith(PREFIX):
        return load_named(name)
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


def is_in_folder(name: str) -> bool:
    """Return whether this is a file of the folder that CONCORD_DATA names; it is not opened.

    Parameters
    ----------
    name : str
        As for `load`.

    Returns
    -------
    bool
        False for bundled sets, and for those of OpenML.
    """
    return file_of(name) is not None


def file_of(name: str) -> Path | None:
    """Return the file of the folder that a name stands for, None for other sets."""
    return None if name in _OWN else folder_files(taken=_OWN).get(name)


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
    listed = ", ".join(dict.fromkeys(near)) or ", ".join(names[:5]) + ", ..."
    return DataError(f"There is no data set {shortened(name)!r}. Did you mean: {listed}?")
