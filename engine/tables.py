"""Tables of text for other programs."""

import csv
import io
import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: What makes a spreadsheet take a word for a formula, full-width or after white space too; numbers may begin so.
_MARKS = r"[=+\-@\uff1d\uff0b\uff0d\uff20]"
_FORMULA = re.compile(rf"[\t\r\n]|\s*{_MARKS}")
#: Where a cell begins for a spreadsheet that parts at semicolons or tabs.
_LATER = re.compile(rf"([;\t]\s*)(?={_MARKS})")


def as_csv(columns: Mapping[str, Sequence[Any]]) -> bytes:
    r"""Columns as CSV, their names in the first line; words that a spreadsheet would run begin with an apostrophe.

    >>> as_csv({"object": ["=1+1", "b"], "margin": [-0.5, 1]})
    b"object,margin\n'=1+1,-0.5\nb,1\n"
    """
    held = io.StringIO()
    writer = csv.writer(held, lineterminator="\n")
    writer.writerow([harmless(name) for name in columns])
    writer.writerows(map(harmless, row) for row in zip(*columns.values(), strict=True))
    return held.getvalue().encode()


def labels_csv(
    labels: Sequence[int] | NDArray,
    columns: Mapping[str, Sequence[float] | NDArray] | None = None,
    rows: Sequence[int] | NDArray | None = None,
    identifiers: Sequence[str] | NDArray | None = None,
) -> bytes:
    r"""Labels as the pages give them away: object, what its file calls it, label, and what else is known of it.

    Parameters
    ----------
    labels : (N,) int
        As `Consensus.labels` has them, from 0; they are written unchanged.
    columns : mapping of str to (N,) float, optional
        What stands beside the labels, such as support and margin; to six digits.
    rows : (N,) int, optional
        Places of the objects in their data, from 0, where some were set aside.
    identifiers : (N,) str, optional
        What their file calls them.

    Returns
    -------
    bytes
        UTF-8.

    Raises
    ------
    ValueError
        If a column has more or fewer values than there are labels, or is called as what stands there anyway.

    Examples
    --------
    >>> labels_csv([0, 1], {"margin": [0.25, 1.0]}, identifiers=["a", "b"])
    b'object,identifier,label,margin\n0,a,0,0.25\n1,b,1,1\n'
    """
    extra = {name: six_digits(values) for name, values in (columns or {}).items()}
    objects = object_columns(len(labels), rows, identifiers)
    if taken := {*objects, "label"} & extra.keys():
        raise ValueError(f"columns must have names of their own. Got {', '.join(sorted(taken))}")
    whole = {**objects, "label": np.asarray(labels).tolist(), **extra}
    for name, values in whole.items():
        if len(values) != len(labels):
            raise ValueError(f"{name!r} must have {len(labels):,} values, one a label. Got {len(values):,}")
    return as_csv(whole)


def object_columns(
    n_objects: int, rows: Sequence[int] | NDArray | None = None, identifiers: Sequence[str] | NDArray | None = None
) -> dict[str, list]:
    """The columns that say who stands in a row; arguments as for `labels_csv`.

    >>> object_columns(2, rows=[3, 5]), object_columns(1, identifiers=["a"])
    ({'object': [3, 5]}, {'object': [0], 'identifier': ['a']})
    """
    found: dict[str, list] = {"object": list(range(n_objects)) if rows is None else np.asarray(rows).tolist()}
    return found if identifiers is None else {**found, "identifier": list(map(str, identifiers))}


def six_digits(values: Sequence[float] | NDArray) -> list[str]:
    """Numbers as the files that are given away have them.

    >>> six_digits([2 / 3, 1.0])
    ['0.666667', '1']
    """
    return [f"{value:.6g}" for value in np.asarray(values).tolist()]


def harmless(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula.

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
