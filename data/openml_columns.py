"""The columns of an OpenML data set as a table of numbers and labels."""

from typing import Any

import numpy as np

from .errors import DataError, counted, shortened
from .limits import check_size
from .readers.tables import Table, as_numbers


def table_of(bunch: Any) -> tuple[Table, str]:
    """Return features, and the target if it names classes, as one table; and the target's name, or "".

    Parameters
    ----------
    bunch : Bunch
        Of `sklearn.datasets.fetch_openml`: `data` and `target` as pandas frames or series,
        `feature_names`, `target_names`.

    Raises
    ------
    DataError
        If a column is text without a set of categories, or there are no features, or too many once
        categories are columns of 0 and 1.
    """
    _refuse_text(bunch.data)
    width = sum(_width(bunch.data[name]) for name in bunch.feature_names)
    if not width or len(bunch.data) < 2:
        raise DataError(f"The data set has {counted(len(bunch.data), 'row')} and {counted(width, 'feature')}.")
    check_size(len(bunch.data), width, "features")
    columns: list[np.ndarray] = []
    names: list[str] = []
    for name in bunch.feature_names:
        for column, label in _spread(bunch.data[name], str(name)):
            columns.append(column)
            names.append(label)
    coded = [name for name in bunch.feature_names if _is_words(bunch.data[name])]
    notes = (f"{counted(len(coded), 'column')} of categories became columns of 0 and 1.",) if coded else ()
    return _with_target(Table(tuple(columns), tuple(names), notes=notes), bunch)


def _with_target(table: Table, bunch: Any) -> tuple[Table, str]:
    """Return the table with the target as last column, if it is one column of classes."""
    if len(bunch.target_names) != 1:
        word = "no target" if not bunch.target_names else "several targets"
        return _noted(table, f"OpenML names {word} here, so the classes are not known."), ""
    (name,) = bunch.target_names
    column = _plain(bunch.target)
    if column.dtype.kind == "f" and not (column == np.rint(column)).all():
        return _noted(table, f"The target {shortened(name)!r} is a measurement, so the classes are not known."), ""
    name = f"{name} (target)" if name in table.names else str(name)
    return Table((*table.columns, column), (*table.names, name), notes=table.notes), name


def _noted(table: Table, note: str) -> Table:
    return Table(table.columns, table.names, notes=(*table.notes, note))


def _refuse_text(frame: Any) -> None:
    """Refuse columns of text that are no categories: dates, names, sentences."""
    texts = [name for name in frame if frame[name].dtype.kind == "O" and not _has_categories(frame[name])]
    if texts:
        listed = ", ".join(shortened(str(name)) for name in texts[:5]) + (", ..." if len(texts) > 5 else "")
        raise DataError(f"Text where numbers belong, in {counted(len(texts), 'column')}: {listed}. Choose another set.")


def _has_categories(series: Any) -> bool:
    return hasattr(series, "cat")


def _is_words(series: Any) -> bool:
    """Return whether a column has categories that are no numbers."""
    return _has_categories(series) and as_numbers(_categories(series)).dtype.kind == "O"


def _categories(series: Any) -> np.ndarray:
    """Return the categories of a column that has any."""
    return np.array([str(value) for value in series.cat.categories], dtype=object)


def _width(series: Any) -> int:
    """Return how many columns of numbers a column becomes."""
    return len(series.cat.categories) if _is_words(series) else 1


def _spread(series: Any, name: str) -> list[tuple[np.ndarray, str]]:
    """Return a column as numbers, with names; categories as a column of 0 and 1 each, NaN where one is missing."""
    if not _is_words(series):
        return [(_plain(series).astype(np.float64), name)]
    codes = series.cat.codes.to_numpy()
    shown = enumerate(_categories(series))
    return [(np.where(codes < 0, np.nan, codes == code), f"{name} = {word}") for code, word in shown]


def _plain(series: Any) -> np.ndarray:
    """Return a column as numbers where all its values are, else as text, None where one is missing."""
    if _has_categories(series):
        codes = series.cat.codes.to_numpy()
        return as_numbers(np.array([*_categories(series), None], dtype=object)[codes])  # code -1: a missing value
    if series.dtype.kind == "O":
        return as_numbers(series.astype(object).where(series.notna(), None).to_numpy(dtype=object))
    return series.to_numpy(dtype=np.float64)
