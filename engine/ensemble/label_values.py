"""Labels of any value at the door: what is one, what says that there is none, and numbers for the rest."""

from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..runtime.errors import InvalidEnsembleError, InvalidParameterError
from ..runtime.wording import shown


def as_array(labels: ArrayLike) -> NDArray:
    """Labels as an array in this machine's order of bytes, its mask kept; words beside numbers stay what they are."""
    several = isinstance(labels, list | tuple)
    try:
        if several and any(isinstance(row, np.ma.MaskedArray) for row in labels):  # type: ignore[union-attr]
            return np.ma.array(labels)
        array = np.asanyarray(labels)
    except ValueError as error:
        raise InvalidEnsembleError("labels must be an array. Got rows of different lengths") from error
    if several and array.dtype.kind in "US":  # numpy writes NaN among words as the word "nan"
        array = np.array(labels, dtype=object)
    if array.dtype.kind == "T":  # numpy's words of any length
        array = array.astype(object)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def coded(matrix: NDArray, missing: int | str | None) -> NDArray[np.int64]:
    """Numbers of the values in every column of an object matrix, -1 where a label is missing: (N, M)."""
    codes = np.empty(matrix.shape, np.int64)
    for m, column in enumerate(matrix.T):
        known: dict[Any, int] = {}
        for row, value in enumerate(column.tolist()):
            if is_missing(value, missing):
                codes[row, m] = -1
            elif _is_label(value):
                codes[row, m] = known.setdefault(value, len(known))
            else:
                raise InvalidEnsembleError(
                    f"labels must be whole numbers or words. Got {shown(value)} in row {row + 1:,}, column {m + 1:,}"
                )
    return codes


def is_missing(value: object, missing: int | str | None) -> bool:
    """Whether one value out of a mixture says that there is no label."""
    if isinstance(value, str | bytes):
        word = value if isinstance(value, str) else value.decode("latin-1")
        return word in ("", "nan") or (missing is not None and word == str(missing))
    if isinstance(value, Real | np.bool_):
        return bool(value != value) or (missing is not None and bool(value == missing))
    return value is None or type(value).__name__ in ("NAType", "NaTType", "MaskedConstant")  # pandas is not imported


def _is_label(value: object) -> bool:
    return isinstance(value, str | bytes | np.bool_) or (isinstance(value, Real) and value % 1 == 0)


def label_vector(labels: ArrayLike) -> NDArray:
    """One label an object as an array that sorts: (N,); missing ones are refused, a comparison needs them all."""
    array = as_array(labels)
    if isinstance(array, np.ma.MaskedArray):
        _require_all(np.ma.getmaskarray(array))
        array = array.data
    if array.dtype.kind == "f":
        _require_all(np.isnan(array))
    elif array.dtype.kind == "O" and array.ndim == 1:
        array = coded(array[:, None], None)[:, 0]
        _require_all(array < 0)
    return array


def _require_all(missing: NDArray[np.bool_]) -> None:
    if missing.any():
        raise InvalidParameterError(
            f"every object needs a label here. Got {int(missing.sum()):,} without one, the first in row "
            f"{int(missing.argmax()) + 1:,}: leave these objects out"
        )
