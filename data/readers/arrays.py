"""Files of named arrays (MAT, NPZ): which array is the table, and which the truth."""

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ..errors import DataError, listed, shortened
from ..limits import check_array
from ..records import Kind
from .tables import Table

FEATURES = ("fea", "x", "features", "data")
MEMBERS = ("members",)
TRUTH = ("gt", "gnd", "y", "labels", "label", "truth")
_MAIN: dict[Kind, tuple[str, ...]] = {"features": FEATURES, "labels": MEMBERS}
_SHOWN: dict[Kind, str] = {"features": "fea, X, features or data", "labels": "members"}
_OTHER: dict[Kind, tuple[tuple[str, ...], str]] = {
    "features": (MEMBERS, "base clusterings"),
    "labels": (FEATURES, "features"),
}


#: Arrays by which an ensemble is known that `engine.save_ensemble` wrote: its base clusterings are `labels`.
SAVED_ENSEMBLE = frozenset({"format", "fingerprint", "provenance", "labels"})


def hold_clusterings(names: Iterable[str]) -> bool:
    """Return whether arrays of these names are base clusterings.

    >>> hold_clusterings(["Members", "gt"]), hold_clusterings(["X", "labels"])
    (True, False)
    """
    known = {name.casefold() for name in names}
    return bool(known & set(MEMBERS)) or known >= SAVED_ENSEMBLE


class Declared(NamedTuple):
    """What a file says of an array before it is read."""

    shape: tuple[int, ...]
    itemsize: int


def read_named(
    declared: Mapping[str, Declared],
    fetch: Callable[[str], np.ndarray],
    kind: Kind,
    label_column: str | int | None,
) -> Table:
    """Choose among named arrays, check the declared sizes, then `fetch` the chosen ones by name."""
    main, truth = choose({name: item.shape for name, item in declared.items()}, kind, label_column)
    check_array(*declared[main], main, kind)
    if truth is not None:
        size = math.prod(declared[truth].shape)  # a row or a column: only its length matters
        check_array((size,), declared[truth].itemsize, truth, "labels")
    notes = [f"Read the array {main!r}."] if main.casefold() not in _MAIN[kind] and main else []
    if truth is None and (wide := _by_name([name for name in declared if name != main], TRUTH)) is not None:
        notes.append(f"The array {shortened(wide)!r} stayed in the file: true labels are one column.")
    return as_table(fetch(main), None if truth is None else fetch(truth), tuple(notes))


def as_table(matrix: np.ndarray, truth: np.ndarray | None = None, notes: tuple[str, ...] = ()) -> Table:
    """Return the columns of a one- or two-dimensional array of numbers."""
    matrix = real(matrix)
    matrix = matrix[:, None] if matrix.ndim == 1 else matrix
    return Table(tuple(matrix.T), truth=truth, notes=notes)


def edges_of(matrix: sparse.sparray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return both ends and the weight of every entry, and of a symmetric matrix each edge once: three (E,) arrays."""
    rows = sparse.csr_array(matrix)
    found = sparse.triu(rows) if (rows != rows.T.tocsr()).nnz == 0 else rows
    entries = sparse.coo_array(found)
    return entries.coords[0].astype(np.int64), entries.coords[1].astype(np.int64), entries.data.astype(np.float64)


def classes_of(values: Iterable[Any], name: str) -> tuple[tuple[str, ...], np.ndarray | None, tuple[str, ...]]:
    """Return the classes that nodes say they have: names, labels (N,) or None, and a note where some have none.

    >>> classes_of(["x", "y", "x"], "club"), classes_of(["x", "", None], "club")[1:]
    ((('x', 'y'), array([0, 1, 0]), ()), (None, ("'club' was not read as classes: 2 nodes have none.",)))
    """
    if gaps := sum(one is None or one != one or one == "" for one in values):
        have = "1 node has" if gaps == 1 else f"{gaps:,} nodes have"
        return (), None, (f"{name!r} was not read as classes: {have} none.",)
    called, labels = np.unique([str(one) for one in values], return_inverse=True)
    return tuple(called.tolist()), labels, ()


def real(array: np.ndarray) -> np.ndarray:
    """Return an array as it is if it holds real numbers, and refuse any other."""
    if array.dtype.kind not in "biuf":
        raise DataError(f"The array holds {array.dtype} values, not real numbers. Save it as plain numbers.")
    return array


def choose(
    shapes: Mapping[str, tuple[int, ...]], kind: Kind, label_column: str | int | None = None
) -> tuple[str, str | None]:
    """Return the names of the table, if exactly one array could be it, and of the true labels (None if there are none).

    >>> choose({"fea": (150, 4), "gt": (150, 1)}, "features")
    ('fea', 'gt')
    >>> choose({"members": (150, 100), "gt": (150, 1)}, "labels")
    ('members', 'gt')
    """
    truth = _truth_name(shapes, label_column)
    rest = [name for name in shapes if name != truth]
    main = _by_name(rest, _MAIN[kind])
    if main is None:
        _refuse_other_kind(rest, kind)
        if not rest and truth is not None and kind == "labels":
            return truth, None
        main = rest[0] if len(rest) == 1 else None
    if main is None:
        if not shapes:
            raise DataError(
                "The file holds no plain matrix of numbers: cells, structs, tables and words are not read. Save one, "
                f"named {_SHOWN[kind]}."
            )
        held = listed([f"{shortened(name)} {'x'.join(map(str, shape))}" for name, shape in shapes.items()])
        raise DataError(f"No array of the file is named {_SHOWN[kind]}; it holds {held}. Rename the one to be read.")
    return main, truth


def _truth_name(shapes: Mapping[str, tuple[int, ...]], label_column: str | int | None) -> str | None:
    """Return the array of true labels: the one asked for, or a vector with a usual name."""
    if isinstance(label_column, int):
        return None
    if label_column is not None:
        if label_column not in shapes:
            raise DataError(f"There is no array {label_column!r}; the file holds {listed(list(shapes))}.")
        return label_column
    vectors = [name for name, shape in shapes.items() if len(shape) == 1 or (len(shape) == 2 and 1 in shape)]
    return _by_name(vectors, TRUTH)


def _refuse_other_kind(names: list[str], kind: Kind) -> None:
    """Say so when the file plainly holds the other kind of data."""
    names_of_other, word = _OTHER[kind]
    found = _by_name(names, names_of_other)
    if found is not None and (kind == "features" or found.casefold() == "fea"):
        raise DataError(f"The file holds {word} (the array {found!r}). Open it as {word} instead.")


def _by_name(names: list[str], wanted: tuple[str, ...]) -> str | None:
    """Return the first name that is wanted, in the order of the wanted ones, ignoring case."""
    found = {name.casefold(): name for name in reversed(names)}
    return next((found[name] for name in wanted if name in found), None)
