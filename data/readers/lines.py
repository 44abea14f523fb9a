"""The lines of a text table: how they are parted, which are comments, and whether the first of them name columns."""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from ..errors import DataError, counted, refusing
from ..limits import MAX_ROWS, check_size
from ..reading.progress import goes_on, noted
from ..records import Kind
from .tables import MISSING_TOKENS, is_number

WHITE_SPACE = r"\s+"
_SEPARATORS = ("\t", ";", ",", "|")
_SEPARATOR_SAMPLE = 50
_LOOKED_AT = 5
_COMMENTS = ("#", "%")
#: What a spreadsheet writes into a cell without a value, which begins as a comment does.
_NO_VALUE = re.compile(r"#N/?A(?=\s*(?:[,;|\t\"]|$))")
#: What is quoted; a last quotation mark with which a cell begins; and lines that a cell may have.
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_OPENS_CELL = re.compile(r'(?:^|[,;|\t])\s*"(?:[^"]|"")*$')
_MOST_LINES = 1000
_SAID = 4096  # lines
MISSING = frozenset(MISSING_TOKENS)
WHOLE = re.compile(r"\+?[0-9]{1,20}")
DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+")
_WITH_COMMA = re.compile(r"[-+]?\d+,\d+")
#: Numbers with grouped thousands, another minus, or per cent.
OTHERWISE = re.compile(r"[-+−–]?(?:[1-9]\d{0,2}(?:[.,' \u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)? ?%?)")


class Lines(NamedTuple):
    """The lines of a text table, all of one width; `above`: the cells of a comment right above them, if as many."""

    lines: list[str]
    row_numbers: list[int]
    separator: str
    width: int
    above: tuple[str, ...] = ()


def read_lines(content: bytes, kind: Kind) -> Lines:
    """Return the lines that carry cells, with their row in the file.

    Blank lines and comments (# or %) are left out; below the first line one with as many cells as the others is a row.
    In a table of one column a blank line between others stays: there it is an empty cell.
    """
    text = _decoded(content)
    for mark in ("\r\n", "\r"):
        goes_on()
        text = text.replace(mark, "\n")
    n_lines = text.count("\n")
    if n_lines > 2 * MAX_ROWS[kind]:
        check_size(n_lines, 1, kind)
    lines = _joined(text.rstrip("\n ").split("\n"))
    rows = [i for i, line in enumerate(noted(lines)) if line.strip() and not _is_comment(line)]
    if not rows:
        raise DataError("The file holds no values, only blank lines and comments. Check that it was saved completely.")
    separator = _separator([lines[i] for i in rows[:_SEPARATOR_SAMPLE]], kind)
    above: tuple[str, ...] = ()
    width = len(split_cells(lines[rows[0]], separator))
    if width == 1:
        rows = [i for i in noted(range(rows[0], len(lines))) if not _is_comment(lines[i])]
    else:
        above = _named_above(lines[: rows[0]], separator, width)
        named = separator != WHITE_SPACE or not is_number(split_cells(lines[rows[-1]], separator)[0])
        rows = [i for i in noted(range(rows[0], len(lines))) if _is_row(lines[i], separator, width, named)]
        while not lines[rows[-1]].strip():  # what a spreadsheet leaves below its last row
            rows.pop()
    kept = [lines[i].strip(" ") if separator != WHITE_SPACE else lines[i].strip() for i in noted(rows)]
    if separator != WHITE_SPACE and all(line.endswith(separator) for line in kept):
        kept = [line.removesuffix(separator) for line in kept]
    elif separator != WHITE_SPACE and _only_rows_end(kept, separator):
        kept = [kept[0], *(line.removesuffix(separator) for line in noted(kept[1:]))]
    starts = list(accumulate((line.count("\n") + 1 for line in noted(lines)), initial=1))
    numbers = [starts[i] for i in rows]
    kept = _with_corner([line.replace("\n", " ") for line in noted(kept)], separator)
    return Lines(kept, numbers, separator, _common_width(kept, numbers, separator, kind), above)


def _is_comment(line: str) -> bool:
    stripped = line.lstrip()
    return stripped.startswith(_COMMENTS) and not _NO_VALUE.match(stripped)


def _is_row(line: str, separator: str, width: int, named: bool) -> bool:
    """Return whether a line below the first carries cells: where rows are `named`, a name may begin as a comment does.

    Words with blanks between them are a comment; a name beside numbers is none. Nothing but tabs may be empty cells.
    """
    if not line.strip():
        return separator == "\t" and len(split_cells(line, separator)) == width
    if not _is_comment(line):
        return True
    cells = split_cells(line, separator)
    words = separator == WHITE_SPACE and not (cells[0].strip("#%") and all(map(is_number, cells[1:])))
    return named and len(cells) == width and not words


def _only_rows_end(lines: list[str], separator: str) -> bool:
    """Return whether all lines but the first end with a separator, and the first has as many cells as stand before."""
    first, *below = lines
    more = bool(below) and len(split_cells(below[0], separator)) == len(split_cells(first, separator)) + 1
    return more and all(line.endswith(separator) for line in below)


def _named_above(lines: list[str], separator: str, width: int) -> tuple[str, ...]:
    """Return the cells of the comment right above a table, if it has as many: so some tools write column names."""
    last = next((line for line in reversed(lines) if line.strip()), "")
    cells = tuple(split_cells(last.lstrip(" #%"), separator))
    return cells if len(cells) == width else ()


def _joined(lines: list[str]) -> list[str]:
    """Lines, those that end inside a quoted cell with the lines after them up to its end; one without an end stays."""
    out: list[str] = []
    i = 0
    while i < len(lines):
        if len(out) % _SAID == 0:
            goes_on()
        stop = i + 1
        if lines[i].count('"') % 2 and _OPENS_CELL.search(lines[i]):
            ends = (j for j in range(i + 1, min(i + _MOST_LINES, len(lines))) if lines[j].count('"') % 2)
            stop = next(ends, i) + 1
        out.append("\n".join(lines[i:stop]))
        i = stop
    return out


def split_cells(line: str, separator: str) -> list[str]:
    """Return the cells of one line, without quotes and outer blanks.

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


def _decoded(content: bytes) -> str:
    """Return the text of a file, refusing binary content."""
    coding = "UTF-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "UTF-8"
    try:
        text = content.decode("utf-16" if coding == "UTF-16" else "utf-8-sig")
    except UnicodeDecodeError as exc:
        row = content[: exc.start].count(b"\n") + 1
        raise DataError(
            f"The file is not text: row {row} holds bytes that are not {coding}. If it is a table, "
            "save it as CSV in UTF-8; if not, its name may have the wrong ending."
        ) from exc
    if "\0" in text:
        row = text[: text.index("\0")].count("\n") + 1
        raise DataError(f"The file is not text: row {row} holds a NUL byte. It may be another kind of file, renamed.")
    return text


def _separator(sample: list[str], kind: Kind) -> str:
    """Return tab, semicolon, comma or bar if most lines have it, else white space; of several what parts best.

    Labels of several words are one column: there white space parts numbers, or a name from its number.
    """
    unquoted, below = [_QUOTED.sub("", line) for line in sample], sample[1:] or sample
    marks = [mark for mark in _SEPARATORS if 2 * sum(mark in line for line in unquoted) >= len(sample)]
    if "|" in marks and not all(is_number(c) or c in MISSING for line in below for c in split_cells(line, "|")):
        marks.remove("|")  # it is part of words
    first = sample[0].split()
    agrees = _are_decimal_commas(first) or ("," not in sample[0] and len(first) == len(below[0].split()))
    if marks == [","] and agrees and all(_are_decimal_commas(line.split()) for line in below):
        return WHITE_SPACE
    if marks:
        return max(marks, key=lambda mark: _parts(sample, mark))
    cells = [split_cells(line, WHITE_SPACE) for line in below]
    numbers = [[is_number(cell) for cell in row] for row in cells]
    mostly = 2 * sum(map(sum, numbers)) > sum(map(len, numbers))
    table = len(set(map(len, cells))) == 1 and len({row[0] for row in cells}) > 1
    columns = zip(*cells, strict=True) if table else ()
    named = any(any(map(is_number, one)) and all(is_number(c) or c in MISSING for c in one) for one in columns)
    quoted = all(len(_QUOTED.findall(line)) > 1 for line in below)
    return WHITE_SPACE if kind != "labels" or mostly or named or (table and quoted) else ","


def _are_decimal_commas(cells: list[str]) -> bool:
    """Return whether what blanks part are several whole numbers and numbers with a decimal comma."""
    fractions = [cell for cell in cells if "," in cell]
    whole = all(WHOLE.fullmatch(cell) for cell in cells if "," not in cell)
    return len(cells) > 1 <= len(fractions) and whole and all(map(_WITH_COMMA.fullmatch, fractions))


def _parts(sample: list[str], mark: str) -> tuple[bool, float]:
    """Return how well a mark parts lines into cells: whether most are of one width, and how much of them is numbers."""
    rows = [split_cells(line, mark) for line in sample]
    (_, most), *_ = Counter(map(len, rows)).most_common(1)
    lengths = {cell: len(cell) for row in rows for cell in row}
    numbers = sum(n for cell, n in lengths.items() if is_number(cell) or OTHERWISE.fullmatch(cell))
    return most >= 0.9 * len(rows), numbers / max(1, sum(lengths.values()))


def _with_corner(lines: list[str], separator: str) -> list[str]:
    """Return the lines with the cell that R leaves out: of one word fewer than cells below, the first is missing."""
    words, *below = (split_cells(line, separator) for line in lines[: 1 + _LOOKED_AT])
    if not below or any(map(is_number, words)) or len(below[0]) != len(words) + 1:
        return lines
    numbered = [cells[0] for cells in below] == [str(row + 1) for row in range(len(below))]
    if not numbered and not any(map(is_number, below[0][1:])):  # words alone may lack a cell
        return lines
    mark = " " if separator == WHITE_SPACE else separator
    quoted = (word.replace('"', '""') for word in ("", *words))
    return [mark.join(f'"{word}"' for word in quoted), *lines[1:]]


def _common_width(lines: list[str], numbers: list[int], separator: str, kind: Kind) -> int:
    """Return the number of cells every line has, or refuse the first line that differs."""
    width = len(split_cells(lines[0], separator))
    check_size(max(len(lines) - 1, 1), width, kind)  # one line may be the header
    for line, number in noted(zip(lines, numbers, strict=True)):
        if line.count('"') % 2:
            raise DataError(f"Row {number} opens a quotation mark and does not close it. Close or remove it.")
        found = len(split_cells(line, separator))
        if found != width:
            raise DataError(
                f"Row {number} has {counted(found, 'value')} where row {numbers[0]} has {width}. "
                "Every row needs the same number of values."
            )
    return width


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
