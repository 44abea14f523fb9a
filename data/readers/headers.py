"""Whether the first rows of a text table are its column names, a title above these, or objects."""

from collections.abc import Sequence
from itertools import pairwise

from ..records import Kind
from .tables import MISSING_TOKENS, is_number

_SAMPLE = 1000
#: Whole numbers that rise by one from cell to cell are no chance from so many on; digits of none that counts.
_A_COUNT, _A_LONG_NUMBER = 3, 10
#: Of more rows than this, hardly one has labels that no other has in any column.
_MANY = 10
#: Cells of a whole row that count from 0, as no other row does: what a data frame without an index writes above it.
_A_LONG_COUNT = 5


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row names the columns.

    It does when it holds no number (but for those that count columns, as data frames write them) and
    stands above cells most of which are numbers. Where every column is mostly text (an object may be
    called 7), it does when no first cell recurs below it.

    >>> has_header([["x", "kind"], ["1", "a"]]), has_header([["5.1", "setosa"], ["4.9", "setosa"]])
    (True, False)
    >>> has_header([["", "0", "1"], ["a", "3", "3"], ["b", "3", "2"]]), has_header([["a", "3", "3"], ["b", "3", "2"]])
    (True, False)
    >>> has_header([["kind"], ["a"], ["b"]]), has_header([["a"], ["b"], ["a"]])
    (True, False)
    >>> has_header([["name", "run"], ["x1", "g0"], ["7", "g1"], ["x3", "g0"]])
    True
    """
    first, rest = rows[0], rows[1 : _SAMPLE + 1]
    if not rest:
        return not any(map(is_number, first))
    numbers = [j for j, cell in enumerate(first) if is_number(cell)]
    if numbers and not _count_columns(first, numbers):
        return False
    below = [[row[j] for row in rest if row[j] not in MISSING_TOKENS] for j in range(len(first))]
    texts = [j for j, cell in enumerate(first) if not is_number(cell) and cell not in MISSING_TOKENS]
    if any(2 * sum(map(is_number, below[j])) > len(below[j]) for j in texts):
        return True
    if numbers:
        named = 0 not in numbers and (not first[0] or len(numbers) >= _A_COUNT)
        if named and _is_index(below[0], len(rest)):
            return True
        if len(first) >= _A_LONG_COUNT and _counts_from_0(first) and len(rest) > 1 and not any(map(_is_run, rest)):
            return True
        return all(below[j] and not any(map(is_number, below[j])) for j in numbers)
    corner = not first[0] and len(first) > 1 and _is_index(below[0], len(rest))  # names of rows, and none of theirs
    return len(texts) == len(first) - corner and _never_again(first[corner:], below[corner:])


def _is_index(cells: Sequence[str], n_rows: int) -> bool:
    """Return whether a column can be the index of a data frame: words or whole numbers, each row another one."""
    return len(set(cells)) == n_rows > 1 and all(cell.isdecimal() or not is_number(cell) for cell in cells)


def _count_columns(first: Sequence[str], numbers: Sequence[int]) -> bool:
    """Return whether numbers among the first cells count on with their columns, as data frames number these.

    From 0 or 1, with or without the column of an index; from anywhere where there are several; and beside an index
    without a name they need but rise, for columns may have been left out.
    """
    if not all(_counts(first[j]) for j in numbers):
        return False
    values = [int(first[j]) for j in numbers]
    shifts = {value - j for value, j in zip(values, numbers, strict=True)}
    if len(shifts) == 1 and (shifts <= {-1, 0, 1} or len(numbers) >= _A_COUNT):
        return len(numbers) < len(first) or shifts <= {0, 1}
    return not first[0] and _rise([first[j] for j in numbers])


def n_titles(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows stand above the column names: words beside empty cells, as a spreadsheet writes a title.

    >>> n_titles([["Trial 3", ""], ["", ""], ["a", "b"], ["1", "2"]]), n_titles([["", "a"], ["x", "2"], ["y", "2"]])
    (2, 0)
    """
    full = next((i for i, row in enumerate(rows) if all(row)), 0)
    words = not any(is_number(cell) for row in rows[: full + 1] for cell in row)
    return full if words and has_header(rows[full:]) and any(map(is_number, rows[-1])) else 0


def _never_again(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether no first cell occurs again in its own column."""
    return not any(cell in column for cell, column in zip(first, below, strict=True))


def may_name_columns(rows: list[list[str]], kind: Kind) -> bool:
    """Return whether a first row with numbers looks like names: counted, whole above fractions, or beside words.

    Of labels also where none of it comes again in its own column: settings of the runs, rather than an object.
    """
    first, rest = rows[0], rows[1:]
    words = [j for j, cell in enumerate(first) if not is_number(cell) and cell not in MISSING_TOKENS]
    if len(rest) > 1 and any(all(is_number(row[j].replace(",", ".")) for row in rest) for j in words):
        return True  # words above numbers, and numbers beside them
    beside = [[cell for j, cell in enumerate(row) if j not in words] for row in rows]
    if len(words) == 1 < len(beside[0]) and _rise(beside[0]):
        return not any(map(_rise, beside[1:]))
    fewest = 2 if kind == "features" else 3  # the first edge of a list, and two labels, often rise
    if len(first) < fewest or len(rest) < 2 or not all(map(_counts, first)) or len(set(first)) < len(first):
        return False
    if _is_run(first) and not any(map(_is_run, rest)):
        return True
    below = [[row[j] for row in rest if is_number(row[j])] for j in range(len(first))]
    if kind == "labels" and len(rest) > _MANY and _never_again(first, below):
        return True
    return kind == "features" and all(2 * sum("." in cell for cell in column) > len(column) for column in below)


def _counts(cell: str) -> bool:
    """Return whether a cell is a whole number that may count something."""
    return cell.isdecimal() and len(cell) < _A_LONG_NUMBER


def _rise(cells: Sequence[str]) -> bool:
    """Return whether cells are whole numbers, each above the one before."""
    return all(map(_counts, cells)) and all(int(a) < int(b) for a, b in pairwise(cells))


def _counts_from_0(cells: Sequence[str]) -> bool:
    """Return whether cells are the whole numbers 0, 1, 2, ..."""
    return _is_run(cells) and int(cells[0]) == 0


def _is_run(cells: Sequence[str]) -> bool:
    """Return whether cells are whole numbers, each one more than the one before."""
    return _rise(cells) and int(cells[-1]) - int(cells[0]) == len(cells) - 1
