"""Results written into a copy of an AnnData file: columns of obs and an entry of uns, everything else as it was."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import DataError, refusing
from .readers.anndata import OURS
from .readers.hdf5 import ERRORS, refuse_broken_heaps
from .reading.elsewhere import ELSEWHERE

if TYPE_CHECKING:
    import h5py

    from .reading.opening import Reading


def annotate(
    path: Path,
    columns: Mapping[str, np.ndarray],
    settings: Mapping[str, Any],
    names: Sequence[str] | np.ndarray | None = None,
    reading: "Reading" = ELSEWHERE,
) -> None:
    """Write columns into obs and settings into uns of an AnnData file, in place; nothing else is read or changed.

    Parameters
    ----------
    path : Path
        A file of AnnData 0.7 or newer; bring a copy, for a failure halfway leaves it half written.
    columns : mapping of str to (N,) array
        Under `concord_` and their name: words become categories, numbers stay numbers. Those of an earlier run are
        replaced.
    settings : mapping of str to value
        Words, numbers, True or False, lists of numbers and mappings of these; they stand in `uns/concord`, less None.
    names : (N,) str or int, optional
        Of the rows as obs has them, or their places from 0, where some were left out: those stay without a value.
    reading : Reading, optional
        Who opens the file: by default a process of its own with limits of memory and time, `data.HERE` this one.

    Raises
    ------
    DataError
        If it is no such file, has another number of rows, does not know a name, or two rows have one.
    """
    reading.annotate(path, columns, settings, names)


def write_results(
    path: Path,
    columns: Mapping[str, np.ndarray],
    settings: Mapping[str, Any],
    names: Sequence[str] | np.ndarray | None,
) -> None:
    """Write results into a file opened in this process, as `annotate` says."""
    import h5py

    refuse_broken_heaps(path)
    with refusing("an AnnData file (.h5ad)", *ERRORS), h5py.File(path, "r+") as file:
        obs = _group(file, "obs")
        if "_index" not in obs.attrs or "column-order" not in obs.attrs:
            raise DataError("The table obs of the file is of an old form. Save it again with a newer anndata.")
        index = np.array([_word(name) for name in obs[obs.attrs["_index"]][()].tolist()], dtype=object)
        place = None if names is None else _places(index, names)
        order = [_word(name) for name in np.asarray(obs.attrs["column-order"]).ravel()]
        for name, values in columns.items():
            if len(values) != (expected := len(index) if place is None else len(place)):
                rows = "obs has" if place is None else "names are of"
                raise DataError(f"There are {len(values):,} results, and {rows} {expected:,} rows: it is another file.")
            if np.ma.isMaskedArray(values):  # what is hidden has no value
                plain = np.array(values, dtype=np.float64 if values.dtype.kind in "biuf" else object)
                plain[np.ma.getmaskarray(values)] = np.nan if plain.dtype.kind == "f" else None
                values = plain
            key = f"{OURS}_{name}"
            _write(obs, key, values if place is None else _spread(values, place, len(index)))
            order += [] if key in order else [key]
        obs.attrs.create("column-order", np.array(order, dtype=object), dtype=h5py.string_dtype())
        if "uns" not in file:
            _encoded(file.create_group("uns"), "dict", "0.1.0")
        _write(_group(file, "uns"), OURS, settings)


def _once(places: np.ndarray) -> np.ndarray:
    """The places, each named once: of two results for one row one would be lost."""
    if len(np.unique(places)) < len(places):
        raise DataError("Two results are for one row of obs. Name each row once.")
    return places


def _places(index: np.ndarray, names: Sequence[str] | np.ndarray) -> np.ndarray:
    """Rows of obs with these names, or at these places: (N,)."""
    given = np.asarray(names)
    if given.dtype.kind in "iu":
        if len(given) and not 0 <= given.min() <= given.max() < len(index):
            raise DataError(f"obs has {len(index):,} rows, and none at the places that are named: it is another file.")
        return _once(given)
    if given.shape == index.shape and (given.astype(str) == index.astype(str)).all():
        return np.arange(len(index))  # in their order names need not be unique
    row = {name: place for place, name in enumerate(index.tolist())}
    if len(row) < len(index):
        raise DataError("Rows were left out, and names in obs are not unique: nobody knows which. Make them unique.")
    try:
        return _once(np.array([row[str(name)] for name in names], np.int64))
    except KeyError as error:
        raise DataError(f"No row of obs is called {error.args[0]}: it is another file.") from None


def _spread(values: np.ndarray, place: np.ndarray, n_rows: int) -> np.ndarray:
    """Values in their rows, None or NaN in the others."""
    words = np.asarray(values).dtype.kind in "OU"
    found = np.full(n_rows, None if words else np.nan, dtype=object if words else np.float64)
    found[place] = values
    return found


def _group(file: "h5py.File", name: str) -> "h5py.Group":
    import h5py

    if not isinstance(file.get(name, getlink=True), h5py.HardLink) or not isinstance(file[name], h5py.Group):
        raise DataError(f"The file has no group {name} of its own, so it is no AnnData file. Check what was saved.")
    return file[name]


def _write(group: "h5py.Group", name: str, value: Any) -> None:
    """Write a value as AnnData publishes its form, in the place of one that is there."""
    import h5py

    if name in group:
        del group[name]
    words = h5py.string_dtype()
    if isinstance(value, Mapping):
        inner = _encoded(group.create_group(name), "dict", "0.1.0")
        for key, one in value.items():
            if one is not None:
                _write(inner, key, one)
    elif isinstance(value, str):
        _encoded(group.create_dataset(name, data=value, dtype=words), "string", "0.2.0")
    elif np.ndim(value) == 0:
        _encoded(group.create_dataset(name, data=value), "numeric-scalar", "0.2.0")
    elif (array := np.asarray(value)).dtype.kind in "OU" and isinstance(value, np.ndarray):
        here = array != None  # noqa: E711
        known, codes = np.unique(array[here].astype(str), return_inverse=True)
        inner = _encoded(group.create_group(name), "categorical", "0.2.0")
        inner.attrs["ordered"] = False
        small = next(kind for kind in (np.int8, np.int16, np.int32) if len(known) <= np.iinfo(kind).max)
        stored = np.full(len(array), -1, small)
        stored[here] = codes
        _encoded(inner.create_dataset("codes", data=stored), "array", "0.2.0")
        _write(inner, "categories", known.tolist())
    elif array.dtype.kind in "OU":
        _encoded(group.create_dataset(name, data=array.astype(object), dtype=words), "string-array", "0.2.0")
    else:
        _encoded(group.create_dataset(name, data=array), "array", "0.2.0")


def _encoded(item: Any, kind: str, version: str) -> Any:
    item.attrs["encoding-type"], item.attrs["encoding-version"] = kind, version
    return item


def _word(name: Any) -> str:
    return name.decode("utf-8") if isinstance(name, bytes) else str(name)
