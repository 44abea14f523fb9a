"""The one way in for files: browser uploads and folder files alike."""

from dataclasses import replace
from pathlib import PurePosixPath
from typing import Literal, overload

import numpy as np

from .cleaning import constant_note, without_missing
from .errors import DataError
from .limits import check_size
from .readers import read_table
from .readers.tables import Table, is_number
from .records import MISSING, Dataset, Kind, Missing, Pool
from .truth import integers, split_labels
from .wording import counted, shortened

_INT32 = np.iinfo(np.int32)


@overload
def read_upload(
    filename: str,
    content: bytes,
    kind: Literal["features"],
    missing: Missing = ...,
    label_column: str | int | None = ...,
) -> Dataset: ...
@overload
def read_upload(
    filename: str,
    content: bytes,
    kind: Literal["labels"],
    missing: Missing = ...,
    label_column: str | int | None = ...,
) -> Pool: ...
def read_upload(
    filename: str,
    content: bytes,
    kind: Kind,
    missing: Missing = "refuse",
    label_column: str | int | None = None,
) -> Dataset | Pool:
    r"""Read a file somebody brought.

    Formats, by the ending of `filename`: CSV, TSV, TXT (comma, semicolon, tab or white space; header
    optional), NPY, NPZ (pickled objects are never opened), MAT (versions 5 and 7.3), Parquet. In MAT
    and NPZ the arrays fea/X/features/data, members and gt/Y/labels/label/truth are found by name.

    Parameters
    ----------
    filename : str
        Name with its ending; any folders in it are ignored.
    content : bytes
        The whole file.
    kind : {"features", "labels"}
        Objects with features, (N, D), or base clusterings, (N, M), one a column.
    missing : {"refuse", "drop", "mean"}
        What to do with features that are empty, NaN or infinite: raise, drop the rows, or put in
        the column means. In base clusterings an empty cell, NaN or -1 is a missing label, and stays; true labels may
        never be missing.
    label_column : str, int or None
        Name or position (from 0; negative from the end) of the column with the true labels; for MAT
        and NPZ also the name of an array. None looks for the usual names.

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
    if kind not in ("features", "labels"):
        raise DataError(f"kind must be 'features' or 'labels', got {kind!r}.")
    if missing not in ("refuse", "drop", "mean"):
        raise DataError(f"missing must be 'refuse', 'drop' or 'mean', got {missing!r}.")
    path = PurePosixPath(filename.replace("\\", "/"))
    table = read_table(path.suffix.lower(), content, kind, label_column)
    table, labels = split_labels(table, kind, label_column)
    _check_table(table, kind)
    if kind == "labels":
        members = _members(table)
        return Pool(path.stem, members, labels, path.name, table.notes + _gap_note(members))
    return _dataset(path, table, labels, missing)


def _dataset(path: PurePosixPath, table: Table, labels: np.ndarray | None, missing: Missing) -> Dataset:
    """Return the data set once its cells are numbers and none is missing."""
    table, features, labels, notes = without_missing(table, _features(table), labels, missing)
    names = tuple(name or str(j + 1) for j, name in enumerate(table.names))
    notes += constant_note(features, names)
    return Dataset(path.stem, features, labels, path.name, names, table.notes + notes)


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


def _features(table: Table) -> np.ndarray:
    """Return the columns as one (N, D) float64 matrix, refusing the first cell that is text."""
    for j, column in enumerate(table.columns):
        if column.dtype.kind == "O":
            _refuse_text(table, j)
    with np.errstate(over="ignore"):
        return np.column_stack([column.astype(np.float64) for column in table.columns])


def _refuse_text(table: Table, index: int) -> None:
    """Raise an error that names the first text cell of a column."""
    cells = table.columns[index]
    at = next((i for i, cell in enumerate(cells) if cell is not None and not is_number(cell)), None)
    if at is None:  # a text column, as stored, that holds nothing
        raise DataError(f"{table.column(index).capitalize()} is empty. Leave it out.")
    raise DataError(
        f"Row {table.row(at)}, {table.column(index)}: {shortened(cells[at])!r} is text where a number "
        "belongs. Correct the cell, leave the column out, or choose it as the label column."
    )


def _members(table: Table) -> np.ndarray:
    """Return the columns as one (N, M) matrix of the smallest integers that hold them, `MISSING` where empty."""
    columns, several = [], len(table.columns) > 1
    for j, column in enumerate(table.columns):
        empty = _empty(column)
        if several and empty.any() and not empty.all():
            rows = np.arange(1, table.n_rows + 1) if table.row_numbers is None else table.row_numbers
            kept = replace(table, columns=(*table.columns[:j], column[~empty]), row_numbers=rows[~empty])
            labels = np.full(len(column), MISSING, np.int64)
            labels[~empty] = integers(kept, j)
        else:
            labels = integers(table, j)
        small = _INT32.min <= labels.min() and labels.max() <= _INT32.max
        columns.append(labels.astype(np.int32) if small else labels)
    return np.column_stack(columns)


def _empty(column: np.ndarray) -> np.ndarray:
    """Return which cells hold nothing."""
    if column.dtype.kind == "O":
        return np.array([cell is None for cell in column])
    return np.isnan(column) if column.dtype.kind == "f" else np.zeros(len(column), bool)


def _gap_note(members: np.ndarray) -> tuple[str, ...]:
    """Say how many labels are missing, refusing objects and base clusterings that have none."""
    unseen = members == MISSING
    if members.shape[1] == 1 or not unseen.any():
        return ()
    lost = np.flatnonzero(unseen.all(axis=1))
    if len(lost):
        raise DataError(f"Object {lost[0] + 1:,} has no label at all: no base clustering saw it. Leave it out.")
    few = np.flatnonzero((~unseen).sum(axis=0) < 2)
    if len(few):
        raise DataError(f"Base clustering {few[0] + 1:,} labels fewer than two objects. Leave the column out.")
    columns = int(unseen.any(axis=0).sum())
    return (f"{counted(int(unseen.sum()), 'label')} missing in {counted(columns, 'base clustering')} (empty or -1).",)
