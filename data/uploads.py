"""The one way in for files: browser uploads and folder files alike."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Literal, overload

import numpy as np

from .errors import DataError, FaultyCellsError, begun, counted, shortened
from .faults import FAULTS, as_floats, constant_note, count_note, empty_cells, faults_of, labels_note, without_missing
from .graph_files import are_ends
from .limits import check_size
from .readers import read_table
from .readers.tables import Table
from .reading.elsewhere import ELSEWHERE
from .records import MISSING, Dataset, Kind, Missing, Pool
from .roles import (
    MAIN,
    Column,
    Role,
    columns_of,
    integers,
    is_called_labels,
    is_fractional,
    own_array,
    place_of,
    split_labels,
)

if TYPE_CHECKING:
    from .reading.opening import Reading

_INT32 = np.iinfo(np.int32)
_SHOWN = 5


@overload
def read_upload(
    filename: str,
    content: bytes | Path,
    kind: Literal["features"],
    missing: Missing = ...,
    label_column: str | int | None = ...,
    roles: Mapping[str | int, Role] | None = ...,
    matrix: str | None = ...,
    reading: "Reading" = ...,
) -> Dataset: ...
@overload
def read_upload(
    filename: str,
    content: bytes | Path,
    kind: Literal["labels"],
    missing: Missing = ...,
    label_column: str | int | None = ...,
    roles: Mapping[str | int, Role] | None = ...,
    matrix: str | None = ...,
    reading: "Reading" = ...,
) -> Pool: ...
def read_upload(
    filename: str,
    content: bytes | Path,
    kind: Kind,
    missing: Missing = "refuse",
    label_column: str | int | None = None,
    roles: Mapping[str | int, Role] | None = None,
    matrix: str | None = None,
    reading: "Reading" = ELSEWHERE,
) -> Dataset | Pool:
    r"""Read a file somebody brought.

    Formats, by the ending of `filename`: CSV, TSV, TXT, DATA (comma, semicolon, tab, bar or white space; header
    optional), NPY, NPZ (pickled objects are never opened), MAT (versions 5 and 7.3), Parquet, H5AD (AnnData: X or
    one of obsm, and columns of obs), ZIP (a folder of label vectors). In MAT and NPZ the arrays fea/X/features/data,
    members and gt/Y/labels/label/truth are found by name.

    Parameters
    ----------
    filename : str
        Name with its ending; any folders in it are ignored.
    content : bytes or Path
        The whole file; an H5AD file may also be opened where it is, so that no more of it is read than is asked for.
    kind : {"features", "labels"}
        Objects with features, (N, D), or base clusterings, (N, M), one a column.
    missing : {"refuse", "drop", "mean"}
        What to do with features that are empty, text or infinite: raise, drop the rows, or put in the column means.
        In base clusterings an empty cell, NaN or -1 is a missing label, and stays; "drop" drops rows with cells that
        are no labels, and objects without any label. True labels may never be missing.
    label_column : str, int or None
        Name or position (from 0; negative from the end) of the column with the true labels; for MAT
        and NPZ also the name of an array. None looks for the usual names.
    roles : mapping of str or int to role, optional
        What columns are, by name or position: "feature" or "clustering", "class", "answer" (a clustering of one's own,
        to be compared with), "identifier" (names the objects), or "ignore". Those that are not mentioned have the role
        that `data.roles.columns_of` proposes.
    matrix : str, optional
        The matrix of an H5AD file, such as "obsm/X_umap"; by default X, or obsm/X_pca where X has too many columns.
    reading : Reading, optional
        Who opens the file: by default a process of its own with limits of memory and time, `data.HERE` this one.

    Returns
    -------
    Dataset or Pool
        As `kind` says; decisions taken while reading are in `notes`.

    Raises
    ------
    MissingValuesError
        If features have missing values and `missing` is "refuse".
    DataError
        If the file cannot be used; the message says what is wrong, where, and what to do.

    Examples
    --------
    >>> plants = read_upload("plants.csv", b"width,class\n1.5,a\n2.5,b\n", "features")
    >>> plants.features.ravel(), plants.labels, plants.feature_names
    (array([1.5, 2.5]), array([0, 1]), ('width',))
    """
    table = reading.table(filename, content, kind, matrix or label_column)
    if label_column is not None and table.truth is None:
        roles = {**(roles or {}), label_column: "class"}
    return assembled(filename, table, columns_of(table, kind, roles), kind, missing)


def open_table(filename: str, content: bytes | Path, kind: Kind, label_column: str | int | None = None) -> Table:
    r"""Return the columns of a file opened in this process, before anything is decided about them.

    >>> open_table("plants.csv", b"plant,width\na,1.5\nb,\n", "features").names
    ('plant', 'width')
    """
    if kind not in ("features", "labels"):
        raise DataError(f"kind must be 'features' or 'labels', got {kind!r}.")
    table = read_table(PurePosixPath(filename).suffix.lower(), content, kind, label_column)
    _check_table(table, kind)
    return table


def assembled(
    filename: str, table: Table, columns: Sequence[Column], kind: Kind, missing: Missing = "refuse"
) -> Dataset | Pool:
    r"""Return what a table holds once every column has its role.

    Parameters
    ----------
    filename : str
        Name with its ending; any folders in it are ignored.
    table : Table
        As `open_table` returned it.
    columns : sequence of Column
        One for each column of the table, as `columns_of` returned them.
    kind, missing
        As for `read_upload`.

    Returns
    -------
    Dataset or Pool
        As `kind` says; decisions taken are in `notes`.

    Raises
    ------
    MissingValuesError
        If features have faulty cells and `missing` is "refuse".
    DataError
        If labels have, or nothing is left.

    Examples
    --------
    >>> table = open_table("plants.csv", b"plant,width\na,1.5\nb,\nc,2.5\n", "features")
    >>> plants = assembled("plants.csv", table, columns_of(table, "features"), "features", "drop")
    >>> plants.identifiers.tolist(), plants.features.ravel().tolist()
    (['a', 'c'], [1.5, 2.5])
    """
    if missing not in ("refuse", "drop", "mean"):
        raise DataError(f"missing must be 'refuse', 'drop' or 'mean', got {missing!r}.")
    path = PurePosixPath(filename.replace("\\", "/"))
    identifiers, named = _identifiers(table, columns)
    table = replace(table, notes=(*table.notes, *named, *_ignored(table, columns), *_edges_note(table)))
    rows = table.places
    if missing == "drop":
        table, identifiers, rows = _without_faulty_rows(table, columns, identifiers)
    answers = _answers(table, columns)
    labels, called, table = _classes(table, columns)
    table = replace(table, notes=table.notes + _second_classes(table, _left(columns), labels))
    table = table.only([j for j, column in enumerate(_left(columns)) if column.role in ("feature", "clustering")])
    _check_table(table, kind)
    if kind == "labels":
        members, names = _members(table), tuple(column.name for column in columns if column.role == "clustering")
        notes = table.notes + count_note(table, "base clustering") + _gap_note(members, table)
        own = names if table.names else ()
        return Pool(path.stem, members, labels, path.name, notes, rows, identifiers, own, called, answers)
    made = _dataset(path, table, labels, missing, identifiers)
    return replace(made, class_names=called, answers=answers, rows=rows)


def faulty_rows(table: Table, columns: Sequence[Column]) -> np.ndarray:
    r"""Return which rows have a cell that cannot be used, so that "drop" leaves them out: (N,) bool.

    >>> table = open_table("plants.csv", b"plant,width\na,1.5\nb,\nc,wide\nd,2\n", "features")
    >>> faulty_rows(table, columns_of(table, "features")).tolist()
    [False, True, True, False]
    """
    found = np.zeros(table.n_rows, bool)
    for cells, column in zip(table.columns, columns, strict=True):
        if column.faults:
            found |= np.any(list(faults_of(cells, column.role).values()), axis=0)
    return found


def dropped_rows(table: Table, columns: Sequence[Column]) -> np.ndarray:
    r"""Return which rows "drop" leaves out, those that no base clustering of several labels among them: (N,) bool.

    >>> table = open_table("runs.csv", b"a,b\n0,1\n,\n1,wide\n1,0\n0,1\n", "labels")
    >>> dropped_rows(table, columns_of(table, "labels")).tolist()
    [False, True, True, False, False]
    """
    return faulty_rows(table, columns) | _without_label(table, columns)


def _without_label(table: Table, columns: Sequence[Column]) -> np.ndarray:
    runs = [cells for cells, column in zip(table.columns, columns, strict=True) if column.role == "clustering"]
    if len(runs) < 2:
        return np.zeros(table.n_rows, bool)
    return np.all([empty_cells(cells) | (cells == MISSING) for cells in runs], axis=0)


def _without_faulty_rows(
    table: Table, columns: Sequence[Column], identifiers: np.ndarray | None
) -> tuple[Table, np.ndarray | None, np.ndarray | None]:
    """Return table and identifiers without the rows that have a faulty cell, a note added, and which are left."""
    dropped = dropped_rows(table, columns)
    if not dropped.any():
        return table, identifiers, table.places
    if table.n_rows - dropped.sum() < 2:
        raise DataError(
            f"Rows without a faulty cell: {table.n_rows - dropped.sum()}; clustering needs two or more. "
            "Put in the column means, or ignore the columns with many gaps."
        )
    what = (
        "faulty cells"
        if any(column.text or column.fractional for column in columns if column.faults)
        else "missing values"
    )
    note = f"Dropped {dropped.sum():,} of {counted(table.n_rows, 'row')} for {what}."
    kept = replace(table.rows(~dropped), notes=(*table.notes, note))
    left = np.flatnonzero(~dropped)
    rows = left if table.places is None else table.places[left]
    return kept, None if identifiers is None else identifiers[left], rows


def _identifiers(table: Table, columns: Sequence[Column]) -> tuple[np.ndarray | None, tuple[str, ...]]:
    """Return what objects are called, and a note on where this comes from."""
    place = place_of(columns, "identifier")
    if place is None:
        return None, ()
    cells, empty = table.columns[place], faults_of(table.columns[place], "identifier")["empty"]
    names = np.array(["" if none else _word(cell) for cell, none in zip(cells, empty, strict=True)], dtype=object)
    repeated = int((~empty).sum()) - len(set(names[~empty]))
    more = f"; {counted(repeated, 'name')} not for the first time" if repeated else ""
    by = table.column(place) if table.names or not table.proposed else "the identifiers in the file"
    return names, (f"Objects are named by {by}{more}.",)


def _word(cell: object) -> str:
    """Return an identifier as text: whole numbers without a decimal point."""
    return str(int(cell)) if isinstance(cell, float | np.floating) and cell.is_integer() else str(cell)


def _ignored(table: Table, columns: Sequence[Column]) -> tuple[str, ...]:
    """Say which columns are left out."""
    names = [shortened(column.name) for column in columns if column.role == "ignore"]
    if not names:
        return ()
    more = ", ..." if len(names) > _SHOWN else ""
    return (f"{counted(len(names), 'column')} left out: {', '.join(names[:_SHOWN])}{more}.",)


def _edges_note(table: Table) -> tuple[str, ...]:
    """Say so where rows look like edges: what stands in them would be clustered, not the objects that they link."""
    if not are_ends(table.names):
        return ()
    return ("Its columns are named like the two ends of edges: if its rows are edges, read it as a graph.",)


def _classes(table: Table, columns: Sequence[Column]) -> tuple[np.ndarray | None, tuple[str, ...], Table]:
    """Return the true labels if there are any, what they are called, and the table without them."""
    place = place_of(columns, "class")
    if place is None:
        return None if table.truth is None else own_array(table), (), table
    table, labels, called = split_labels(table, place)
    return labels, called, table


def _answers(table: Table, columns: Sequence[Column]) -> dict[str, np.ndarray]:
    """Return the clusterings of one's own, by the name of their column, as integers."""
    found: dict[str, np.ndarray] = {}
    for column in (one for one in columns if one.role == "answer"):
        name = column.name if column.name not in found else f"{column.name} ({column.place + 1})"
        found[name] = integers(table, column.place)
        found[name].setflags(write=False)
    return found


def _second_classes(table: Table, columns: Sequence[Column], labels: np.ndarray | None) -> tuple[str, ...]:
    """Name columns that are used as values and look like labels, by their names or because they repeat the class."""
    found = [
        table.column(place)
        for place, (cells, column) in enumerate(zip(table.columns, columns, strict=True))
        if (labels is not None and column.role in MAIN.values() and is_called_labels(column.name, table.names))
        and not is_fractional(cells)
        or (column.role == "feature" and _repeats(cells, labels))
    ]
    if not found:
        return ()
    more = ", ..." if len(found) > _SHOWN else ""
    these = "looks like labels, and is" if len(found) == 1 else "look like labels, and are"
    words = f"{', '.join(found[:_SHOWN])}{more} {these} used as values; ignore what is none."
    return (begun(words),)


def _repeats(cells: np.ndarray, labels: np.ndarray | None) -> bool:
    """Return whether whole numbers tell the same classes apart as the labels, under any numbering."""
    if labels is None or cells.dtype.kind not in "iu" or (cells.max() - cells.min()) >= len(cells):
        return False
    numbers, classes = (np.unique(one, return_inverse=True)[1] for one in (cells, labels))
    n = numbers.max() + 1
    return n > 1 and n == classes.max() + 1 == len(np.unique(numbers * np.int64(n) + classes))


def _left(columns: Sequence[Column]) -> list[Column]:
    """Return the columns that are still there once the class is taken out."""
    return [column for column in columns if column.role != "class"]


def _dataset(
    path: PurePosixPath, table: Table, labels: np.ndarray | None, missing: Missing, identifiers: np.ndarray | None
) -> Dataset:
    """Return the data set once its cells are numbers and none is missing."""
    if missing == "refuse":
        _refuse_text(table)
    features = np.empty((table.n_rows, len(table.columns)))
    for j, column in enumerate(table.columns):  # into one matrix: no second copy
        features[:, j] = as_floats(column)
    table, features, labels, notes = without_missing(table, features, labels, missing)
    features.setflags(write=False)
    names = tuple(name or str(j + 1) for j, name in enumerate(table.names))
    notes += (*count_note(table, "feature"), *constant_note(features, names), *labels_note(features, path))
    return Dataset(path.stem, features, labels, path.name, names, table.notes + notes, identifiers)


def _check_table(table: Table, kind: Kind) -> None:
    """Refuse a table without columns, with fewer than two rows, or too large."""
    if not table.columns:
        raise DataError(f"The file has zero columns of {kind}, the label column aside. Check what was saved.")
    if table.n_rows < 2:
        word = "no rows" if table.n_rows == 0 else "only one row"
        width = counted(len(table.columns), "column")
        raise DataError(
            f"The file has {word} of values and {width}; clustering needs two objects "
            "or more, one a row. If rows and columns are exchanged, transpose it."
        )
    check_size(table.n_rows, len(table.columns), kind)


def _refuse_text(table: Table) -> None:
    """Raise an error that names the first cell of text and counts all cells that are no numbers."""
    if not any(column.dtype.kind == "O" for column in table.columns):
        return
    found = [faults_of(column, "feature") for column in table.columns]
    first = next((j for j, faults in enumerate(found) if faults["text"].any()), None)
    if first is None:
        return
    masks = [np.any([faults[fault] for fault in FAULTS], axis=0) for faults in found]
    rows = [table.row(i) for i in np.flatnonzero(np.any(masks, axis=0))[:_SHOWN]]
    columns = [table.column(j) for j, mask in enumerate(masks) if mask.any()][:_SHOWN]
    at = int(np.argmax(found[first]["text"]))
    where = f"Row {table.row(at)}, {table.column(first)}: {shortened(table.columns[first][at])!r}"
    raise FaultyCellsError(int(sum(mask.sum() for mask in masks)), rows, columns, where)


def _members(table: Table) -> np.ndarray:
    """Return the columns as one (N, M) matrix of the smallest integers that hold them, `MISSING` where empty."""
    several = len(table.columns) > 1
    members = np.empty((table.n_rows, len(table.columns)), np.int32)
    for j, column in enumerate(table.columns):
        empty = empty_cells(column)
        if several and empty.any() and not empty.all():
            rows = np.arange(1, table.n_rows + 1) if table.row_numbers is None else table.row_numbers
            kept = replace(table, columns=(*table.columns[:j], column[~empty]), row_numbers=rows[~empty])
            labels = np.full(len(column), MISSING, np.int64)
            labels[~empty] = integers(kept, j)
        else:
            labels = integers(table, j)
        small = _INT32.min <= labels.min() and labels.max() <= _INT32.max
        members = members if small else members.astype(np.int64, copy=False)
        members[:, j] = labels
    members.setflags(write=False)
    return members


def _gap_note(members: np.ndarray, table: Table) -> tuple[str, ...]:
    """Say how many labels are missing, refusing objects and base clusterings that have none."""
    unseen = members == MISSING
    if members.shape[1] == 1 or not unseen.any():
        return ()
    lost = np.flatnonzero(unseen.all(axis=1))
    if len(lost):
        many, it = ("have", "them") if len(lost) > 1 else ("has", "it")
        raise DataError(
            f"{counted(len(lost), 'object')} {many} no label at all (empty or -1 in every base clustering), the first "
            f"in row {table.row(int(lost[0])):,}. Leave {it} out; where -1 is a cluster, give it another number."
        )
    few = np.flatnonzero((~unseen).sum(axis=0) < 2)
    if len(few):
        raise DataError(f"Base clustering {few[0] + 1:,} labels fewer than two objects. Leave the column out.")
    columns = int(unseen.any(axis=0).sum())
    return (f"{counted(int(unseen.sum()), 'label')} missing in {counted(columns, 'base clustering')} (empty or -1).",)
