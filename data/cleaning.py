"""Missing values and constant columns of a feature matrix."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from .errors import DataError, MissingValuesError
from .readers.tables import Table
from .records import Missing
from .wording import counted, shortened

_SHOWN = 5


def without_missing(
    table: Table, features: np.ndarray, labels: np.ndarray | None, missing: Missing
) -> tuple[Table, np.ndarray, np.ndarray | None, tuple[str, ...]]:
    """Return table, features and labels with every feature finite, and notes on how that came about.

    Parameters
    ----------
    table : Table
        Names rows and columns in messages.
    features : ndarray of shape (N, D), float64
        NaN and infinities count as missing.
    labels : ndarray of shape (N,) or None
        Rows are dropped from it too.
    missing : {"refuse", "drop", "mean"}
        What to do.

    Raises
    ------
    MissingValuesError
        If values are missing and `missing` is "refuse".
    DataError
        If fewer than two rows are left, or a column has no value to take a mean of.
    """
    absent = ~np.isfinite(features)
    if not absent.any():
        return table, features, labels, ()
    if missing == "refuse":
        rows = [table.row(i) for i in np.flatnonzero(absent.any(axis=1))[:_SHOWN]]
        columns = [table.column(j) for j in np.flatnonzero(absent.any(axis=0))[:_SHOWN]]
        raise MissingValuesError(int(absent.sum()), rows, columns)
    if missing == "mean":
        return table, _with_means(table, features, absent), labels, (_mean_note(absent),)
    kept = ~absent.any(axis=1)
    if kept.sum() < 2:
        raise DataError(
            f"Rows without a missing value: {kept.sum()}; clustering needs two or more. "
            "Put in the column means, or leave out the columns with many gaps."
        )
    note = f"Dropped {(~kept).sum():,} of {counted(len(kept), 'row')} for missing values."
    return replace(table, row_numbers=None), features[kept], None if labels is None else labels[kept], (note,)


def constant_note(features: np.ndarray, names: Sequence[str] = ()) -> tuple[str, ...]:
    """Return a note naming the columns whose values are all equal, or nothing.

    >>> constant_note(np.array([[1.0, 2.0], [1.0, 3.0]]), ("a", "b"))
    ('1 constant column: a.',)
    """
    constant = np.flatnonzero((features == features[0]).all(axis=0))
    if not constant.size:
        return ()
    shown = [shortened(names[j]) if names else str(j + 1) for j in constant[:_SHOWN]]
    more = ", ..." if constant.size > _SHOWN else ""
    return (f"{counted(constant.size, 'constant column')}: {', '.join(shown)}{more}.",)


def _with_means(table: Table, features: np.ndarray, absent: np.ndarray) -> np.ndarray:
    """Return the features with every gap filled by the mean of its column's finite values."""
    counts = (~absent).sum(axis=0)
    if not counts.all():
        index = int(np.argmin(counts))
        raise DataError(f"{table.column(index).capitalize()} has no value at all, so it has no mean. Leave it out.")
    means = np.where(absent, 0.0, features / counts).sum(axis=0)  # divided first: no overflow
    return np.where(absent, means, features)


def _mean_note(absent: np.ndarray) -> str:
    """Say how many gaps were filled."""
    gaps, columns = int(absent.sum()), int(absent.any(axis=0).sum())
    return f"{counted(gaps, 'missing value')} in {counted(columns, 'column')} became the column mean."
