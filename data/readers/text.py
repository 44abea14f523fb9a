"""CSV, TSV and other text tables: comma, semicolon, tab or white space; a header is optional."""

import io
import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ..errors import DataError, refusing
from ..records import Kind
from ..wording import shortened
from .lines import WHITE_SPACE, Lines, has_header, read_lines, split_cells
from .tables import MISSING_TOKENS, Table, as_numbers, is_number

if TYPE_CHECKING:
    import pandas as pd

_HEADER_SAMPLE = 1001
_DECIMAL_COMMA = re.compile(r"[-+]?\d*,\d+")
_GROUPED = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")


def read_text(content: bytes, kind: Kind, label_column: str | int | None) -> Table:
    """Return the columns of a text table; a column with any text in it stays text."""
    found = read_lines(content, kind)
    sample = [split_cells(line, found.separator) for line in found.lines[:_HEADER_SAMPLE]]
    names: tuple[str, ...] = ()
    notes = []
    if has_header(sample) or label_column in sample[0]:
        names = tuple(sample[0])
        notes.append(f"Row {found.row_numbers[0]} was read as column names.")
        found = found._replace(lines=found.lines[1:], row_numbers=found.row_numbers[1:])
    elif _may_name_columns(sample, kind):
        notes.append(f"Row {found.row_numbers[0]} was read as values, though it may be a header with numbers.")
    if not found.lines:
        raise DataError("The file holds column names but no rows of values. Add the values.")
    decimal = _decimal_mark(found.separator, sample[1:] or sample)
    if decimal == ",":
        notes.append("The comma was read as the decimal mark.")
    frame = _parsed(found, decimal)
    columns = tuple(_column(frame[j], decimal) for j in range(found.width))
    notes += _doubts(sample, frame, decimal)
    table = Table(columns, names, np.array(found.row_numbers), notes=tuple(notes))
    return _without_row_numbers(table)


def _parsed(found: Lines, decimal: str) -> "pd.DataFrame":
    """Return the lines as a data frame; white space around cells and quotes is dropped."""
    import pandas as pd

    with refusing("a text table", pd.errors.ParserError, pd.errors.EmptyDataError, ValueError, OverflowError):
        frame = pd.read_csv(
            io.StringIO("\n".join(found.lines) + "\n"),
            sep=found.separator,
            header=None,
            names=range(found.width),
            index_col=False,
            skipinitialspace=True,
            skip_blank_lines=False,
            na_values=list(MISSING_TOKENS),
            keep_default_na=False,
            decimal=decimal,
            float_precision="round_trip",
            low_memory=False,
        )
    if len(frame) != len(found.lines):
        raise DataError("A quotation mark is opened and never closed, so rows run together. Close it.")
    return frame


def _column(series: "pd.Series", decimal: str) -> np.ndarray:
    """Return one column as numbers, or as text cells if any cell is no number."""
    from pandas.api.types import is_numeric_dtype

    if is_numeric_dtype(series.dtype):
        return series.to_numpy()
    cells = [str(cell).strip() if here else None for cell, here in zip(series, series.notna(), strict=True)]
    if decimal == ",":
        cells = [cell.replace(",", ".") if cell and _DECIMAL_COMMA.fullmatch(cell) else cell for cell in cells]
    return as_numbers(np.array(cells, dtype=object))


def _decimal_mark(separator: str, rows: list[list[str]]) -> str:
    """Return the comma if cells are written 1,5 and none 1.5 (never where the comma separates)."""
    if separator not in (";", "\t", WHITE_SPACE):
        return "."
    cells = [cell for row in rows for cell in row]
    with_comma = any(_DECIMAL_COMMA.fullmatch(cell) for cell in cells)
    with_point = any("." in cell and is_number(cell) for cell in cells)
    return "," if with_comma and not with_point else "."


def _may_name_columns(rows: list[list[str]], kind: Kind) -> bool:
    """Return whether a first row with numbers looks like names: counted, whole above fractions, or beside words."""
    first, rest = rows[0], rows[1:]
    words = [j for j, cell in enumerate(first) if not is_number(cell) and cell not in MISSING_TOKENS]
    if len(rest) > 1 and any(all(is_number(row[j].replace(",", ".")) for row in rest) for j in words):
        return True  # words above numbers, and numbers beside them
    if len(first) < 3 or len(rest) < 2 or not all(cell.isdecimal() for cell in first) or len(set(first)) < len(first):
        return False
    steps = {int(b) - int(a) for a, b in pairwise(first)}
    if steps == {1} and not any({int(b) - int(a) for a, b in pairwise(row)} == {1} for row in rest if _whole(row)):
        return True
    below = [[row[j] for row in rest if is_number(row[j])] for j in range(len(first))]
    return kind == "features" and all(2 * sum("." in cell for cell in column) > len(column) for column in below)


def _whole(row: list[str]) -> bool:
    """Return whether all cells are digits."""
    return all(cell.isdecimal() for cell in row)


def _doubts(sample: list[list[str]], frame: "pd.DataFrame", decimal: str) -> list[str]:
    """Return notes on commas in numbers that may have been meant otherwise."""
    commas = [cell for row in sample for cell in row if _DECIMAL_COMMA.fullmatch(cell)]
    if decimal == "," and commas and all(map(_GROUPED.fullmatch, commas)):
        read = commas[0].replace(",", ".")
        return [
            f"Cells such as {commas[0]} were read as {read}; if the comma groups thousands, save the file without it."
        ]
    texts = [cells.dropna().astype(str).str.strip() for _, cells in frame.items() if cells.dtype.kind not in "biuf"]
    written = [cells[cells.str.fullmatch(_DECIMAL_COMMA)] for cells in texts]
    shown = next((shortened(cells.iloc[0]) for cells in written if len(cells)), None)
    if shown is None:
        return []
    read = shown.replace(",", ".") if decimal == "," else "text"
    if decimal == "," and not any("." in cell and is_number(cell) for cells in texts for cell in cells):
        return []
    return [f"Decimal marks are mixed: cells such as {shown} were read as {read}. Save the file with one mark."]


def _without_row_numbers(table: Table) -> Table:
    """Drop a nameless first column that only counts the rows, as data frames write it."""
    first = table.columns[0]
    if not table.names or table.names[0] or len(table.columns) < 2 or first.dtype.kind not in "iu":
        return table
    counted = np.arange(len(first))
    if np.array_equal(first, counted) or np.array_equal(first, counted + 1):
        return table.without(0, "The nameless first column only counts the rows; it was left out.")
    return table
