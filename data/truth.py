"""True labels, in a column of a table or beside it, and how labels become integers."""

import difflib
import re

import numpy as np

from .errors import DataError, NoColumnError, shortened
from .faults import LARGEST_EXACT, not_whole
from .readers.tables import Table, as_numbers, is_number

LABEL_COLUMNS = ("label", "labels", "class", "target", "gt", "truth", "y")
_SHOWN_CLASSES = 5


def split_labels(table: Table, place: int) -> tuple[Table, np.ndarray, tuple[str, ...]]:
    """Return the table without its true labels, the labels (N,) as integers, and what they are called."""
    labels, names = integers(table, place), class_names(table.columns[place])
    return table.without(place, f"Labels are taken from {table.column(place)}{_classes(names)}."), labels, names


def class_names(column: np.ndarray) -> tuple[str, ...]:
    """Return the classes of a column of text, in the order of their codes; empty for numbers.

    >>> class_names(np.array(["b 10", "b 9", "a", "b 9"], dtype=object))
    ('a', 'b 9', 'b 10')
    """
    return tuple(sorted(set(column.tolist()), key=_in_order)) if column.dtype.kind == "O" else ()


def _in_order(name: str) -> tuple[list[object], str]:
    """Sort words as a dictionary does, and numbers inside them by their value, however many digits they have."""
    pieces: list[object] = []
    for place, piece in enumerate(re.split("([0-9]+)", name)):
        digits = piece.lstrip("0")
        pieces.append((len(digits), digits) if place % 2 else piece.casefold())
    return pieces, name


def integers(table: Table, index: int) -> np.ndarray:
    """Return a column of labels as integers; a column wholly of text is coded in the order of its words.

    DataError names row and column of a cell that is empty, fractional, or text among numbers.

    >>> integers(Table((np.array(["b", "a", "b"], dtype=object),)), 0)
    array([1, 0, 1])
    """
    column = table.columns[index]
    if column.dtype.kind == "O":
        return _coded(table, index)
    if column.dtype.kind in "bi":
        return column.astype(np.int64)
    wrong = not_whole(column)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise DataError(
            f"Row {table.row(at)}, {table.column(index)}: {_shown(column[at])}. Labels must be whole numbers."
        )
    return column.astype(np.int64)


def _shown(value: np.generic) -> str:
    """Say what is wrong with a label."""
    if np.isnan(value):
        return "the cell is empty or not a number"
    if np.abs(value) > LARGEST_EXACT:
        return f"{value} is too large"
    return f"{value} is not a whole number"


def _coded(table: Table, index: int) -> np.ndarray:
    """Return codes 0, 1, ... in the order of the words, for a column in which every cell is text."""
    cells = table.columns[index].tolist()
    for cell in dict.fromkeys(cells):
        if cell is None or is_number(cell):
            number = f"{shortened(cell or '')!r} is a number in a column of text"
            what = "the cell is empty" if cell is None else number
            raise DataError(
                f"Row {table.row(cells.index(cell))}, {table.column(index)}: {what}. "
                "Labels must be all numbers or all text."
            )
    codes = {name: code for code, name in enumerate(class_names(table.columns[index]))}
    return np.array([codes[cell] for cell in cells], np.int64)


def own_array(table: Table) -> np.ndarray:
    """Return the labels that came as an array of their own as integers: (N,) int64."""
    truth = np.asarray(table.truth)
    if truth.size not in truth.shape[:2] or truth.ndim > 2:
        raise DataError(f"The true labels have shape {truth.shape}; they must be one column.")
    if truth.size != table.n_rows:
        hint = " The table may be transposed." if truth.size == len(table.columns) else ""
        raise DataError(f"There are {truth.size:,} true labels for {table.n_rows:,} rows.{hint}")
    cells = truth.ravel()
    if cells.dtype.kind not in "biufU":
        raise DataError(f"The true labels are {cells.dtype} values. Save them as whole numbers.")
    if cells.dtype.kind == "U":
        cells = as_numbers(cells.astype(object))
    return integers(Table((cells,), ("true labels",)), 0)


def asked_for(table: Table, label_column: str | int) -> int:
    """Return the position of a column that is named, or counted from 0 (negative: from the end)."""
    n_columns = len(table.columns)
    if isinstance(label_column, int):
        if not -n_columns <= label_column < n_columns:
            raise NoColumnError(f"There is no column {label_column}; the columns are 0 to {n_columns - 1}.")
        return label_column % n_columns
    if label_column in table.names:
        return table.names.index(label_column)
    near = difflib.get_close_matches(label_column, table.names, n=3)
    listed = ", ".join(map(shortened, near or table.names[:5])) or "without names"
    raise NoColumnError(f"There is no column {shortened(label_column)!r}; the columns are {listed}.")


def _classes(names: tuple[str, ...]) -> str:
    """Return, for text labels, which class got which code."""
    if not names:
        return ""
    shown = ", ".join(f"{code} = {shortened(name)}" for code, name in enumerate(names[:_SHOWN_CLASSES]))
    return f" ({shown}{', ...' if len(names) > _SHOWN_CLASSES else ''})"
