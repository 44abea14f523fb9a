"""CSV, TSV and other text tables: comma, semicolon, tab, bar or white space; a header is optional."""

import codecs
import csv
import re
from collections import Counter
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from ..errors import DataError, counted, refusing, shortened
from ..limits import MAX_ROWS, check_size
from ..reading.progress import goes_on, noted
from ..records import Kind
from .headers import has_header, may_name_columns, n_titles
from .tables import LONGEST_NUMBER, MISSING_TOKENS, Reader, Table, are_names, as_numbers, counts_rows, is_number

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
    if "|" in marks and not all(is_number(c) or c in _MISSING for line in below for c in split_cells(line, "|")):
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
    named = any(any(map(is_number, one)) and all(is_number(c) or c in _MISSING for c in one) for one in columns)
    quoted = all(len(_QUOTED.findall(line)) > 1 for line in below)
    return WHITE_SPACE if kind != "labels" or mostly or named or (table and quoted) else ","


def _are_decimal_commas(cells: list[str]) -> bool:
    """Return whether what blanks part are several whole numbers and numbers with a decimal comma."""
    fractions = [cell for cell in cells if "," in cell]
    whole = all(_WHOLE.fullmatch(cell) for cell in cells if "," not in cell)
    return len(cells) > 1 <= len(fractions) and whole and all(map(_WITH_COMMA.fullmatch, fractions))


def _parts(sample: list[str], mark: str) -> tuple[bool, float]:
    """Return how well a mark parts lines into cells: whether most are of one width, and how much of them is numbers."""
    rows = [split_cells(line, mark) for line in sample]
    (_, most), *_ = Counter(map(len, rows)).most_common(1)
    lengths = {cell: len(cell) for row in rows for cell in row}
    numbers = sum(n for cell, n in lengths.items() if is_number(cell) or _OTHERWISE.fullmatch(cell))
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


_SAMPLE = 1001
_CELLS_AT_ONCE = 200_000
_MISSING = frozenset(MISSING_TOKENS)
#: Cells that are compared first, and the largest whole number that is read as one: its digits.
_FEW, _LARGEST = 64, str(2**64 - 1)
_TRUTH_VALUES = {word: word.lower() == "true" for word in ("True", "TRUE", "true", "False", "FALSE", "false")}
_TENS = np.array([10**place for place in range(1, 20)], np.uint64)
_WHOLE = re.compile(r"\+?[0-9]{1,20}")
_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+")
_WITH_COMMA = re.compile(r"[-+]?\d+,\d+")
_GROUPED = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
#: Numbers with grouped thousands, another minus, or per cent.
_OTHERWISE = re.compile(r"[-+−–]?(?:[1-9]\d{0,2}(?:[.,' \u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)? ?%?)")


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
    return [[cell.replace(",", ".") if _DECIMAL_COMMA.fullmatch(cell) else cell for cell in row] for row in sample]


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
    if len(set(few)) < len(few) or not all(cell.isdecimal() or cell in _MISSING for cell in few):
        return False
    if not any(cell[:1] == "0" != cell or (len(cell), cell) > (len(_LARGEST), _LARGEST) for cell in cells):
        return False
    return len(set(cells)) == len(cells) and all(cell.isdecimal() or cell in _MISSING for cell in cells)


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
        return np.array([float(cell) if cell not in _MISSING else np.nan for cell in cells])
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
    held = [None if cell in _MISSING else cell for cell in cells]
    if _may_be_names(cells) or (kind == "labels" and are_names(words - _MISSING)):
        return np.array(held, dtype=object)
    if all(_WHOLE.fullmatch(cell) and int(cell) < 2**64 for cell in cells):
        whole = np.array([int(cell) for cell in cells], np.uint64)
        return whole if whole.max() >= 2**63 else whole.astype(np.int64)
    if decimal == ",":
        held = [cell.replace(",", ".") if cell and _DECIMAL_COMMA.fullmatch(cell) else cell for cell in held]
    return as_numbers(np.array(held, dtype=object))


def _decimal_mark(separator: str, rows: list[list[str]]) -> str:
    """Return the comma if cells are written 1,5 and none 1.5 (never where the comma separates)."""
    if separator not in (";", "\t", WHITE_SPACE):
        return "."
    cells = [cell for row in rows for cell in row]
    with_comma = any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)
    with_point = any("." in cell and is_number(cell) for cell in cells)
    return "," if with_comma and not with_point else "."


def _doubts(sample: list[list[str]], texts: list[list[str]], decimal: str) -> list[str]:
    """Return notes on commas in numbers that may have been meant otherwise."""
    commas = [cell for row in sample for cell in row if _DECIMAL_COMMA.fullmatch(cell)]
    if decimal == "," and commas and all(map(_GROUPED.fullmatch, commas)):
        read = commas[0].replace(",", ".")
        return [
            f"Cells such as {commas[0]} were read as {read}; if the comma groups thousands, save the file without it."
        ]
    written = next((cell for cells in texts for cell in cells if _DECIMAL_COMMA.fullmatch(cell)), None)
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
        odd = [cell for cell in dict.fromkeys(cells) if cell not in _MISSING and not is_number(cell)]
        written = next((cell for cell in odd if not _DECIMAL_COMMA.fullmatch(cell)), None)
        if written is not None and all(map(_OTHERWISE.fullmatch, odd)):
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
