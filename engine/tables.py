"""Tables of text for other programs."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

#: What makes a spreadsheet take a word for a formula, full-width or after white space too; numbers may begin so.
_MARKS = r"[=+\-@\uff1d\uff0b\uff0d\uff20]"
_FORMULA = re.compile(rf"[\t\r\n]|\s*{_MARKS}")
#: Where a cell begins for a spreadsheet that parts at semicolons or tabs.
_LATER = re.compile(rf"([;\t]\s*)(?={_MARKS})")


def as_csv(columns: Mapping[str, Sequence[Any]]) -> bytes:
    r"""Columns as CSV, their names in the first line; words that a spreadsheet would run begin with an apostrophe.

    Parameters
    ----------
    columns : mapping of str to sequence
        All of one length.

    Returns
    -------
    bytes
        UTF-8.

    Raises
    ------
    ValueError
        If the lengths differ.

    Examples
    --------
    >>> as_csv({"object": ["=1+1", "b"], "margin": [-0.5, 1]})
    b"object,margin\n'=1+1,-0.5\nb,1\n"
    """
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow([harmless(name) for name in columns])
    writer.writerows(map(harmless, row) for row in zip(*columns.values(), strict=True))
    return held.getvalue().encode()


def harmless(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula.

    Parameters
    ----------
    value : object
        Only words are changed, and only such as are no numbers.

    Returns
    -------
    object

    Examples
    --------
    >>> harmless("@sum"), harmless("-0.5"), harmless(-0.5), harmless("a;=1+1")
    ("'@sum", '-0.5', -0.5, "a;'=1+1")
    """
    if not isinstance(value, str) or _is_number(value):
        return value
    return ("'" if _FORMULA.match(value) else "") + _LATER.sub(r"\1'", value)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
