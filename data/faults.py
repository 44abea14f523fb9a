"""Cells that cannot be used in the role their column has, and what is done about missing values."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath

import numpy as np

from .errors import DataError, MissingValuesError, begun, counted, shortened
from .readers.tables import SEVERAL, Table, counts_rows, is_number
from .records import Missing

#: All that can be wrong with a cell.
FAULTS = ("empty", "text", "infinite", "fractional")
LARGEST_EXACT = 2.0**53  # beyond it, doubles skip integers


def faults_of(cells: np.ndarray, role: str) -> dict[str, np.ndarray]:
    """Return where a column is faulty in a role, fault by fault: a mask (N,) for each of `FAULTS`.

    An identifier may be anything but empty. Labels of a base clustering may be missing, those of the class and of own
    answers not; all are whole numbers or text, not a mixture. No cell has two faults.

    >>> cells = np.array(["1.5", None, "inf", "wide"], dtype=object)
    >>> {fault: mask.astype(int).tolist() for fault, mask in faults_of(cells, "feature").items()}
    {'empty': [0, 1, 0, 0], 'text': [0, 0, 0, 1], 'infinite': [0, 0, 1, 0], 'fractional': [0, 0, 0, 0]}
    """
    empty, text, numbers = _sorted_out(cells)
    if role == "identifier":
        nothing = np.zeros(len(cells), bool)
        return {"empty": empty, "text": nothing, "infinite": nothing, "fractional": nothing}
    is_label = role in ("class", "answer", "clustering")
    if is_label and text.sum() > (~text & ~empty).sum():  # words, and numbers among them are what does not belong
        text, numbers = ~text & ~empty, np.zeros(len(cells))
    infinite = np.isinf(numbers) & ~text
    fractional = not_whole(numbers) & ~infinite & ~text & ~empty if is_label else np.zeros(len(cells), bool)
    unknown = np.zeros(len(cells), bool) if role == "clustering" else empty
    return {"empty": unknown, "text": text, "infinite": infinite, "fractional": fractional}


def empty_cells(cells: np.ndarray) -> np.ndarray:
    """Return which cells hold nothing."""
    if cells.dtype.kind == "O":
        return np.array([cell is None for cell in cells], bool)
    return np.isnan(cells) if cells.dtype.kind == "f" else np.zeros(len(cells), bool)


def not_whole(numbers: np.ndarray) -> np.ndarray:
    """Return where numbers are no labels: not whole, or beyond what doubles hold exactly."""
    with np.errstate(invalid="ignore"):
        return (numbers != np.rint(numbers)) | (np.abs(numbers) > LARGEST_EXACT)


def as_floats(cells: np.ndarray) -> np.ndarray:
    """Return a column as float64, NaN where a cell is empty or text.

    >>> as_floats(np.array(["1.5", None, "wide"], dtype=object))
    array([1.5, nan, nan])
    """
    if cells.dtype.kind != "O":
        with np.errstate(over="ignore"):
            return cells.astype(np.float64)
    values = {cell: float(cell) if is_number(cell) else np.nan for cell in set(cells)}  # words come again
    return np.array([values[cell] for cell in cells], np.float64)


def _sorted_out(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return where cells are empty, where they are text, and the numbers of the others."""
    nothing = np.zeros(len(cells), bool)
    if cells.dtype.kind in "bi":  # labels of 64 bits are no doubles, and never faulty
        return nothing, nothing, np.zeros(len(cells))
    text = nothing
    if cells.dtype.kind == "O":
        words = {cell for cell in set(cells) if cell is not None and not is_number(cell)}
        text = np.array([cell in words for cell in cells], bool)
    numbers = as_floats(cells)
    return np.isnan(numbers) & ~text, text, numbers


_SHOWN = 5


def without_missing(
    table: Table, features: np.ndarray, labels: np.ndarray | None, missing: Missing
) -> tuple[Table, np.ndarray, np.ndarray | None, tuple[str, ...]]:
    """Return table, features and labels with every feature finite, and notes on how that came about.

    `features` (N, D): NaN and infinities count as missing. `labels` (N,) lose the rows that are dropped. DataError if
    fewer than two rows are left, or a column has no value to take a mean of.
    """
    absent = ~np.isfinite(features)
    if not absent.any():
        return table, features, labels, ()
    if missing == "refuse":
        rows = [table.row(i) for i in np.flatnonzero(absent.any(axis=1))[:_SHOWN]]
        columns = [table.column(j) for j in np.flatnonzero(absent.any(axis=0))[:_SHOWN]]
        raise MissingValuesError(int(absent.sum()), rows, columns)
    if missing == "mean":
        return table, _with_means(table, features, absent), labels, (_mean_note(absent),)
    kept = ~absent.any(axis=1)
    if kept.sum() < 2:
        raise DataError(
            f"Rows without a missing value: {kept.sum()}; clustering needs two or more. "
            "Put in the column means, or leave out the columns with many gaps."
        )
    note = f"Dropped {(~kept).sum():,} of {counted(len(kept), 'row')} for missing values."
    return replace(table, row_numbers=None), features[kept], None if labels is None else labels[kept], (note,)


def constant_note(features: np.ndarray, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return a note naming the columns whose values are all equal, or nothing.

    >>> constant_note(np.array([[1.0, 2.0], [1.0, 3.0]]), ("a", "b"))
    ('1 constant column: a.',)
    """
    constant = np.flatnonzero((features == features[0]).all(axis=0))
    if not constant.size:
        return ()
    shown = [shortened(names[j]) if names else str(j + 1) for j in constant[:_SHOWN]]
    more = ", ..." if constant.size > _SHOWN else ""
    return (f"{counted(constant.size, 'constant column')}: {', '.join(shown)}{more}.",)


def count_note(table: Table, what: str) -> tuple[str, ...]:
    """Return a note where the first of several columns counts the rows: an index, used as a feature or labels.

    >>> count_note(Table((np.arange(20), np.ones(20)), ("", "width")), "feature")
    ('Column 1 counts the rows; ignore it if it is no feature.',)
    """
    if len(table.columns) < 2 or table.n_rows <= SEVERAL or not counts_rows(table.columns[0]):
        return ()
    return (f"{begun(table.column(0))} counts the rows; ignore it if it is no {what}.",)


def labels_note(features: np.ndarray, path: PurePath) -> tuple[str, ...]:
    """Return a note where all columns hold whole numbers without a gap, as labels do, not all 0 and 1; or nothing.

    >>> labels_note(np.array([[0, 1], [1, 2], [2, 1], [0, 2.0], [1, 1], [2, 1]]), PurePath("a.csv"))[0][-25:]
    'a folder: a_members.csv).'
    """
    least, most = features.min(axis=0), features.max(axis=0)
    few = most < len(features) / 2  # a number of a cluster stands twice on average, or it is an identifier or a rank
    if len(least) < 2 or not (np.isin(least, (-1, 0, 1)) & few & (most > least)).all() or (most - least).max() < 2:
        return ()
    if not all(np.array_equal(np.unique(one), np.arange(one.min(), one.max() + 1)) for one in features.T):
        return ()
    name = f"{path.stem}_members{path.suffix}"
    words = (
        f"All {len(least)} columns hold whole numbers without a gap, as labels do. If these are base clusterings, bring"
    )
    return (f"{words} the file as such (in a command: --labels; its name in a folder: {name}).",)


def _with_means(table: Table, features: np.ndarray, absent: np.ndarray) -> np.ndarray:
    """Return the features with every gap filled by the mean of its column's finite values."""
    counts = (~absent).sum(axis=0)
    if not counts.all():
        index = int(np.argmin(counts))
        raise DataError(f"{begun(table.column(index))} has no value at all, so it has no mean. Leave it out.")
    means = np.where(absent, 0.0, features / counts).sum(axis=0)  # divided first: no overflow
    return np.where(absent, means, features)


def _mean_note(absent: np.ndarray) -> str:
    """Say how many gaps were filled."""
    gaps, columns = int(absent.sum()), int(absent.any(axis=0).sum())
    return f"{counted(gaps, 'missing value')} in {counted(columns, 'column')} became the column mean."
