"""CSV, TSV and other text tables: comma, semicolon, tab, bar or white space; a header is optional."""

import re
from collections.abc import Sequence

import numpy as np

from ..errors import DataError, shortened
from ..reading.progress import goes_on, noted
from ..records import Kind
from .lines import (
    DECIMAL_COMMA,
    MISSING,
    OTHERWISE,
    WHITE_SPACE,
    WHOLE,
    Lines,
    has_header,
    may_name_columns,
    n_titles,
    read_lines,
    split_cells,
)
from .tables import LONGEST_NUMBER, Reader, Table, are_names, as_numbers, counts_rows, is_number

_SAMPLE = 1001
_CELLS_AT_ONCE = 200_000
#: Cells that are compared first, and the largest whole number that is read as one: its digits.
_FEW, _LARGEST = 64, str(2**64 - 1)
_TRUTH_VALUES = {word: word.lower() == "true" for word in ("True", "TRUE", "true", "False", "FALSE", "false")}
_TENS = np.array([10**place for place in range(1, 20)], np.uint64)
_GROUPED = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")


def read_text(content: bytes, kind: Kind, label_column: str | int | None) -> Table:
    """Return the columns of a text table; a column with any text in it stays text."""
    found = read_lines(content, kind)
    sample = [split_cells(line, found.separator) for line in found.lines[:_SAMPLE]]
    names: tuple[str, ...] = ()
    notes = []
    if above := n_titles(sample):
        said = f"Row {found.row_numbers[0]} was" if above == 1 else f"The first {above} rows were"
        notes.append(f"{said} left out, above the column names.")
        found, sample = _below(found, above), sample[above:]
    pointed = _with_points(sample, found.separator)
    if has_header(pointed) or label_column in sample[0]:
        names = tuple(sample[0])
        notes.append(f"Row {found.row_numbers[0]} was read as column names.")
        found = _below(found, 1)
    elif found.above and has_header([found.above, *sample]):
        names = found.above
        notes.append("The comment above the first row was read as column names.")
    elif may_name_columns(pointed, kind):
        notes.append(f"Row {found.row_numbers[0]} was read as values, though it may be a header with numbers.")
    if not found.lines:
        raise DataError("The file holds column names but no rows of values. Add the values.")
    if kind == "labels" and found.width == 1 and (words := _words_a_line(sample)) > 1:
        notes.append(
            f"The {words} words of a line were read as one label; part columns by commas, if they are several."
        )
    decimal = _decimal_mark(found.separator, sample[1:] or sample)
    if decimal == ",":
        notes.append("The comma was read as the decimal mark.")
    columns, others = _converted(found, decimal, kind)
    notes += _doubts(sample, [others[j] for j in sorted(others)], decimal)
    notes += _spelt_otherwise([others[j] for j in sorted(others) if columns[j].dtype.kind == "O"])
    table = Table(columns, names, np.array(found.row_numbers), notes=tuple(notes))
    return _without_row_numbers(table)


def _words_a_line(sample: list[list[str]]) -> int:
    """Return how many words every line has whose only cell may be several; 1 where lines differ, or begin alike."""
    lines = [row[0].split() for row in sample if row[0]]
    alike = len({len(line) for line in lines}) == 1 and len({line[0] for line in lines}) > 1
    return len(lines[0]) if alike else 1


def _with_points(sample: list[list[str]], separator: str) -> list[list[str]]:
    """Return cells with decimal points in place of decimal commas."""
    if _decimal_mark(separator, sample) != ",":
        return sample
    return [[cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell for cell in row] for row in sample]


def _below(found: Lines, first: int) -> Lines:
    """Return the lines from one on."""
    return found._replace(lines=found.lines[first:], row_numbers=found.row_numbers[first:])


def _converted(found: Lines, decimal: str, kind: Kind) -> tuple[tuple[np.ndarray, ...], dict[int, list[str]]]:
    """Return the columns, and by place the cells of those that are not plain numbers throughout.

    Lines are converted some at a time: as cells they take ten times the memory that their numbers do.
    """
    step = max(_CELLS_AT_ONCE // found.width, 1)
    parts: list[list[np.ndarray]] = [[] for _ in range(found.width)]
    others: dict[int, list[str]] = {}
    for start in range(0, len(found.lines), step):
        goes_on()
        rows = [split_cells(line, found.separator) for line in found.lines[start : start + step]]
        for j, cells in enumerate(map(list, zip(*rows, strict=True))):
            numbers = None if j in others or _may_be_names(cells) else _plain_numbers(cells, decimal)
            if numbers is None:
                others[j] = []
            else:
                parts[j].append(numbers)
    if others:
        for line in noted(found.lines):
            cells = split_cells(line, found.separator)
            for j, held in others.items():
                held.append(cells[j])
    columns = tuple(
        _column(others[j], decimal, kind) if j in others else np.concatenate(parts[j]) for j in range(found.width)
    )
    return columns, others


def _may_be_names(cells: Sequence[str]) -> bool:
    """Return whether numbers are spelt as names are: all different, some with a zero in front or too long for one."""
    few = cells[:_FEW]  # most columns need no closer look: labels come again, and measurements have decimals
    if len(set(few)) < len(few) or not all(cell.isdecimal() or cell in MISSING for cell in few):
        return False
    if not any(cell[:1] == "0" != cell or (len(cell), cell) > (len(_LARGEST), _LARGEST) for cell in cells):
        return False
    return len(set(cells)) == len(cells) and all(cell.isdecimal() or cell in MISSING for cell in cells)


def _plain_numbers(cells: Sequence[str], decimal: str) -> np.ndarray | None:
    """Return cells as int64, or float64 with NaN where empty; None where it takes a closer look."""
    text = "".join(cells)
    if "_" in text or (decimal == "," and "." in text) or max(map(len, cells)) > LONGEST_NUMBER:
        return None
    if decimal == ",":
        cells = [cell.replace(",", ".") for cell in cells]
    try:
        numbers = np.fromiter(map(int, cells), np.int64, len(cells))
        return numbers if len(text) == _digits(numbers) else None  # else some are spelt otherwise
    except OverflowError:
        return None
    except ValueError:
        pass
    try:
        return np.array([float(cell) if cell not in MISSING else np.nan for cell in cells])
    except ValueError:
        return None


def _digits(numbers: np.ndarray) -> int:
    """Return how many characters whole numbers take.

    >>> _digits(np.array([0, -12, 999]))
    7
    """
    beyond = np.searchsorted(_TENS, np.abs(numbers).astype(np.uint64), side="right")  # right for -2**63, too
    return int((beyond + 1 + (numbers < 0)).sum())


def _column(cells: list[str], decimal: str, kind: Kind) -> np.ndarray:
    """Return one column as truth values, whole numbers beyond int64, numbers, or text with None for missing."""
    goes_on()
    words = set(cells)
    if words <= _TRUTH_VALUES.keys():
        return np.array([_TRUTH_VALUES[cell] for cell in cells])
    held = [None if cell in MISSING else cell for cell in cells]
    if _may_be_names(cells) or (kind == "labels" and are_names(words - MISSING)):
        return np.array(held, dtype=object)
    if all(WHOLE.fullmatch(cell) and int(cell) < 2**64 for cell in cells):
        whole = np.array([int(cell) for cell in cells], np.uint64)
        return whole if whole.max() >= 2**63 else whole.astype(np.int64)
    if decimal == ",":
        held = [cell.replace(",", ".") if cell and DECIMAL_COMMA.fullmatch(cell) else cell for cell in held]
    return as_numbers(np.array(held, dtype=object))


def _decimal_mark(separator: str, rows: list[list[str]]) -> str:
    """Return the comma if cells are written 1,5 and none 1.5 (never where the comma separates)."""
    if separator not in (";", "\t", WHITE_SPACE):
        return "."
    cells = [cell for row in rows for cell in row]
    with_comma = any(DECIMAL_COMMA.fullmatch(cell) for cell in cells)
    with_point = any("." in cell and is_number(cell) for cell in cells)
    return "," if with_comma and not with_point else "."


def _doubts(sample: list[list[str]], texts: list[list[str]], decimal: str) -> list[str]:
    """Return notes on commas in numbers that may have been meant otherwise."""
    commas = [cell for row in sample for cell in row if DECIMAL_COMMA.fullmatch(cell)]
    if decimal == "," and commas and all(map(_GROUPED.fullmatch, commas)):
        read = commas[0].replace(",", ".")
        return [
            f"Cells such as {commas[0]} were read as {read}; if the comma groups thousands, save the file without it."
        ]
    written = next((cell for cells in texts for cell in cells if DECIMAL_COMMA.fullmatch(cell)), None)
    if written is None:
        return []
    shown = shortened(written)
    read = shown.replace(",", ".") if decimal == "," else "text"
    if decimal == "," and not any("." in cell and is_number(cell) for cells in texts for cell in cells):
        return []
    return [f"Decimal marks are mixed: cells such as {shown} were read as {read}. Save the file with one mark."]


def _spelt_otherwise(texts: list[list[str]]) -> list[str]:
    """Return a note on a column of text whose cells all are numbers to a person."""
    for cells in texts:
        odd = [cell for cell in dict.fromkeys(cells) if cell not in MISSING and not is_number(cell)]
        written = next((cell for cell in odd if not DECIMAL_COMMA.fullmatch(cell)), None)
        if written is not None and all(map(OTHERWISE.fullmatch, odd)):
            shown = shortened(written)
            return [f"Cells such as {shown} were read as text. If they are numbers, write them as -1001.5 is."]
    return []


def _without_row_numbers(table: Table) -> Table:
    """Drop a nameless first column that only counts the rows, as data frames write it."""
    first = table.columns[0]
    if table.names and not table.names[0] and len(table.columns) > 1 and counts_rows(first):
        return table.without(0, "The nameless first column only counts the rows; it was left out.")
    return table


READERS = (
    Reader(
        "CSV, TSV, TXT, DATA",
        (".csv", ".tsv", ".txt", ".data"),
        read_text,
        plain=True,
        text=True,
        edges=True,
        place=10,
    ),
)
