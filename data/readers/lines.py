"""From the bytes of a text table to lines, a separator and a header: nothing is converted here."""

import codecs
import csv
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import DataError, refusing
from ..limits import MAX_ROWS, check_size
from ..records import Kind
from ..wording import counted
from .tables import MISSING_TOKENS, is_number

WHITE_SPACE = r"\s+"
_SEPARATORS = ("\t", ";", ",")
_SEPARATOR_SAMPLE = 50
_HEADER_SAMPLE = 1000
_COMMENTS = ("#", "%")


class Lines(NamedTuple):
    """The lines of a text table, all of one width."""

    lines: list[str]
    row_numbers: list[int]
    separator: str
    width: int


def read_lines(content: bytes, kind: Kind) -> Lines:
    """Return the lines that carry cells, with their row in the file.

    Blank lines and comments (# or %) are left out. In a table of one column a blank line between
    others stays: there it is an empty cell.

    Raises
    ------
    DataError
        If the bytes are no text, hold no cells, or a line has more or fewer cells than the first.
    """
    text = _decoded(content).replace("\r\n", "\n").replace("\r", "\n")
    n_lines = text.count("\n")
    if n_lines > 2 * MAX_ROWS[kind]:
        check_size(n_lines, 1, kind)
    lines = text.rstrip("\n ").split("\n")
    rows = [i for i, line in enumerate(lines) if line.strip() and not line.lstrip().startswith(_COMMENTS)]
    if not rows:
        raise DataError("The file holds no values, only blank lines. Check that it was saved completely.")
    separator = _separator([lines[i] for i in rows[:_SEPARATOR_SAMPLE]])
    if len(split_cells(lines[rows[0]], separator)) == 1:
        rows = [i for i in range(rows[0], len(lines)) if not lines[i].lstrip().startswith(_COMMENTS)]
    kept = [lines[i].strip(" ") if separator != WHITE_SPACE else lines[i].strip() for i in rows]
    if separator != WHITE_SPACE and all(line.endswith(separator) for line in kept):
        kept = [line.removesuffix(separator) for line in kept]
    numbers = [i + 1 for i in rows]
    return Lines(kept, numbers, separator, _common_width(kept, numbers, separator, kind))


def split_cells(line: str, separator: str) -> list[str]:
    """Return the cells of one line, without quotes and outer blanks.

    Examples
    --------
    >>> split_cells('5.1, "a, b",', ",")
    ['5.1', 'a, b', '']
    """
    if '"' not in line:
        cells = line.split() if separator == WHITE_SPACE else line.split(separator)
    else:
        mark = " " if separator == WHITE_SPACE else separator
        with refusing("a text table", csv.Error):
            cells = next(csv.reader([line], delimiter=mark, skipinitialspace=True))
    return [cell.strip() for cell in cells] or [""]


def has_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the first row names the columns.

    It does when it holds no number (but for a column's own position, as data frames write it) and
    stands above cells most of which are numbers. Where every column is text, it does when no first
    cell recurs below it.

    Examples
    --------
    >>> has_header([["x", "kind"], ["1", "a"]]), has_header([["5.1", "setosa"], ["4.9", "setosa"]])
    (True, False)
    >>> has_header([["kind"], ["a"], ["b"]]), has_header([["a"], ["b"], ["a"]])
    (True, False)
    """
    first, rest = rows[0], rows[1 : _HEADER_SAMPLE + 1]
    if not rest:
        return not any(map(is_number, first))
    if any(is_number(cell) and not _is_position(cell, j) for j, cell in enumerate(first)):
        return False
    below = [[row[j] for row in rest if row[j] not in MISSING_TOKENS] for j in range(len(first))]
    texts = [j for j, cell in enumerate(first) if not is_number(cell) and cell not in MISSING_TOKENS]
    if any(2 * sum(map(is_number, below[j])) > len(below[j]) for j in texts):
        return True
    all_text = not any(is_number(cell) for column in below for cell in column)
    return all_text and len(texts) == len(first) and _never_again(first, below)


def _never_again(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether no first cell occurs again in its own column."""
    return not any(cell in column for cell, column in zip(first, below, strict=True))


def _is_position(cell: str, index: int) -> bool:
    """Return whether a cell is its column's number, counted from 0 or from 1."""
    return cell in (str(index), str(index + 1))


def _decoded(content: bytes) -> str:
    """Return the text of a file, refusing binary content."""
    utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as exc:
        row = content[: exc.start].count(b"\n") + 1
        raise DataError(
            f"The file is not text: row {row} holds bytes that are not UTF-8. If it is a table, "
            "save it as CSV in UTF-8; if not, its name may have the wrong ending."
        ) from exc
    if "\0" in text:
        row = text[: text.index("\0")].count("\n") + 1
        raise DataError(f"The file is not text: row {row} holds a NUL byte. It may be another kind of file, renamed.")
    return text


def _separator(sample: list[str]) -> str:
    """Return tab, semicolon or comma if most lines have it (in this order), else white space."""
    for mark in _SEPARATORS:
        if 2 * sum(mark in line for line in sample) >= len(sample):
            return mark
    return WHITE_SPACE


def _common_width(lines: list[str], numbers: list[int], separator: str, kind: Kind) -> int:
    """Return the number of cells every line has, or refuse the first line that differs."""
    width = len(split_cells(lines[0], separator))
    check_size(max(len(lines) - 1, 1), width, kind)  # one line may be the header
    for line, number in zip(lines, numbers, strict=True):
        if line.count('"') % 2:
            raise DataError(f"Row {number} opens a quotation mark and does not close it. Close or remove it.")
        found = len(split_cells(line, separator))
        if found != width:
            raise DataError(
                f"Row {number} has {counted(found, 'value')} where row {numbers[0]} has {width}. "
                "Every row needs the same number of values."
            )
    return width
