"""What every reader hands on: the columns of a file, with enough memory to name a bad cell."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..errors import shortened
from ..records import Kind

#: What stands for a value that is missing: what spreadsheets, R, MATLAB and pandas write. "None" may be a class.
MISSING_TOKENS = (
    *("", "?", "NA", "N/A", "n/a", "#N/A", "#NA", "<NA>"),
    *("NaN", "nan", "NAN", "-nan", "-NaN", "NULL", "null"),
)
#: A first column that has more objects than this, each another number, names or counts them.
SEVERAL = 10


@dataclass(frozen=True, eq=False)
class Table:
    """The columns of one file, unchecked.

    Parameters
    ----------
    columns : tuple of ndarray of shape (N,)
        Numbers (bool, int, uint, float; NaN where a cell is empty) or objects: str cells, None
        where a cell is empty.
    names : tuple of str
        One per column, or empty where the file has none.
    row_numbers : ndarray of shape (N,), int, or None
        Row of each object in the file, from 1; None when objects are simply counted.
    truth : ndarray or None
        True labels stored as an array of their own.
    notes : tuple of str
        What was decided while reading.
    proposed : tuple of str
        The role each column has by its place in the file ("" where that says nothing), or empty.
    numbers : tuple of int
        The number of each column in the file, from 1, where some were left out.
    places : ndarray of shape (N,), int, or None
        Where each object stood in the data, from 0, if the file says so: others were left out before.
    """

    columns: tuple[np.ndarray, ...]
    names: tuple[str, ...] = ()
    row_numbers: np.ndarray | None = None
    truth: np.ndarray | None = None
    notes: tuple[str, ...] = ()
    proposed: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    places: np.ndarray | None = None

    @property
    def n_rows(self) -> int:
        """Number of objects N."""
        return len(self.columns[0]) if self.columns else 0

    def row(self, index: int) -> int:
        """Return the row in the file, from 1, of the object at `index`."""
        return index + 1 if self.row_numbers is None else int(self.row_numbers[index])

    def column(self, index: int) -> str:
        """Return the name of a column as a message shows it: its own, or its number from 1."""
        name = self.names[index] if self.names else ""
        return f"column {shortened(name)!r}" if name else f"column {self.numbers[index] if self.numbers else index + 1}"

    def without(self, index: int, *notes: str) -> "Table":
        """Return the table less one column, with notes added."""
        rest = self.only([j for j in range(len(self.columns)) if j != index])
        return replace(rest, notes=self.notes + notes)

    def only(self, places: Sequence[int]) -> "Table":
        """Return the table of some columns, in the order given; each keeps its name or its number."""
        numbers = self.numbers or tuple(range(1, len(self.columns) + 1))
        return replace(
            self,
            columns=tuple(self.columns[j] for j in places),
            names=tuple(self.names[j] for j in places) if self.names else (),
            proposed=tuple(self.proposed[j] for j in places) if self.proposed else (),
            numbers=tuple(numbers[j] for j in places),
        )

    def rows(self, kept: np.ndarray) -> "Table":
        """Return the table of those rows that are kept, (N,) bool; each still knows where it stood in the file."""
        numbers = np.arange(1, self.n_rows + 1) if self.row_numbers is None else np.asarray(self.row_numbers)
        truth = self.truth
        if truth is not None and truth.size == self.n_rows:
            truth = truth.ravel()[kept]
        columns = tuple(as_numbers(one[kept]) if one.dtype.kind == "O" else one[kept] for one in self.columns)
        places = None if self.places is None else self.places[kept]
        return replace(self, columns=columns, row_numbers=numbers[kept], truth=truth, places=places)


#: Characters of the longest number a file may write; what is longer is text, and not read through.
LONGEST_NUMBER = 1000


@dataclass(frozen=True)
class Reader:
    """How files of some endings are read: a module of this folder lists its own as `READERS`.

    Attributes
    ----------
    title : str
        What people call such files, as in "CSV, TSV, TXT".
    endings : tuple of str
        In lower case, with the point.
    read : callable
        The table in the bytes of a file, of a kind; also given a label column, where somebody named one. The first
        sentence of its docstring is what documents say of the format.
    names : callable, optional
        The names of the arrays in a file, where it holds several.
    is_long : callable, optional
        Whether a file of plain numbers can only be base clusterings, by its rows and types.
    choice : bool
        Whether a person chooses one of `names`.
    plain : bool
        Whether the table takes about as much memory as the file; what is packed may take anything.
    text : bool
        Whether it is text, for which labels may stand in a file beside it.
    in_place : bool
        Whether `read` may be given a Path, and then reads no more of the file than it needs.
    edges : bool
        Whether its rows may be the edges of a graph (`data.graph_files`).
    place : int
        Where it stands in lists, lower first.
    """

    title: str
    endings: tuple[str, ...]
    read: Callable[[Any, Kind, str | int | None], Table]
    names: Callable[[bytes], list[str]] | None = None
    is_long: Callable[[bytes], bool] | None = None
    choice: bool = False
    plain: bool = False
    text: bool = False
    in_place: bool = False
    edges: bool = False
    place: int = 50


def is_number(cell: str | None) -> bool:
    """Return whether a cell reads as a number.

    >>> is_number(" 1e3 "), is_number("1_000"), is_number("x"), is_number(None)
    (True, False, False, False)
    """
    if cell is None or len(cell) > LONGEST_NUMBER or "_" in cell:
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True


def as_numbers(cells: np.ndarray) -> np.ndarray:
    """Return text cells as float64, NaN where empty, or unchanged if any is no number.

    >>> as_numbers(np.array(["1", None], dtype=object))
    array([ 1., nan])
    """
    if not all(cell is None or is_number(cell) for cell in set(cells)):
        return cells
    return np.array([np.nan if cell is None else float(cell) for cell in cells])


def are_names(words: Collection[str | None]) -> bool:
    """Return whether different words of digits would be one number: 7 and 07, and numbers too long for one.

    >>> are_names({"1", "01", None}), are_names({"1", "2"}), are_names({"1", "01", "1.5"})
    (True, False, False)
    """
    held = [word for word in words if word is not None]
    return all(word.isdecimal() for word in held) and len(set(map(float, held))) < len(held)


def counts_rows(cells: np.ndarray) -> bool:
    """Return whether whole numbers count the rows, from 0 or from 1.

    >>> counts_rows(np.array([1, 2, 3])), counts_rows(np.array([1, 3, 2]))
    (True, False)
    """
    if cells.dtype.kind not in "iuf" or cells[0] not in (0, 1):
        return False
    return bool(np.array_equal(cells, np.arange(len(cells)) + int(cells[0])))
