"""Labels and soft memberships as they come, checked at the door.

What is a label, what says that there is none, and numbers for labels of any value.
"""

import re
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..runtime.errors import InvalidEnsembleError, InvalidParameterError, shown
from .microclusters import frozen

#: A whole number as Python writes it.
_WHOLE = re.compile(r"0|-?[1-9][0-9]{0,18}")


def as_array(labels: ArrayLike) -> NDArray:
    """Labels as an array in this machine's order of bytes, its mask kept; words beside numbers stay what they are.

    So do whole numbers that numpy would round: among numbers below 0, one of 2^63 or more makes all of a list floats.
    """
    several = isinstance(labels, list | tuple)
    try:
        if several and any(isinstance(row, np.ma.MaskedArray) for row in labels):  # type: ignore[union-attr]
            return np.ma.array(labels)
        array = np.asanyarray(labels)
    except ValueError as error:
        raise InvalidEnsembleError("labels must be an array. Got rows of different lengths") from error
    if several and (array.dtype.kind in "US" or _is_rounded(array)):  # numpy writes NaN among words as the word "nan"
        array = np.array(labels, dtype=object)
    if array.dtype.kind == "T":  # numpy's words of any length
        array = array.astype(object)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _is_rounded(array: NDArray) -> bool:
    """Whether floats may have been made of whole numbers that they do not hold."""
    return array.dtype.kind == "f" and bool((np.abs(array) >= 2**53).any())


def coded(matrix: NDArray, missing: int | str | None) -> NDArray[np.int64]:
    """Numbers of the values in every column of an object matrix, -1 where a label is missing: (N, M).

    Ascending where all values are numbers, as arrays of numbers are; else by first appearance.
    """
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
        if not any(isinstance(value, str | bytes) for value in known):
            ranks = {value: rank for rank, value in enumerate(sorted(known))}
            codes[:, m] = np.array([*map(ranks.__getitem__, known), -1])[codes[:, m]]
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


def _is_small(value: Any) -> bool:
    return isinstance(value, int | float | np.number | np.bool_) and bool(-(2**31) <= value < 2**31)


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
    elif array.dtype.kind in "US" and array.ndim == 1:
        _require_all(_is_no_word(array))
    if array.ndim != 1:
        raise InvalidParameterError(f"labels must be one an object, (N,). Got shape {array.shape}")
    return array


def cluster_names(labels: ArrayLike, what: str) -> NDArray[np.int32]:
    """Labels that clusters are to be called by again, (N,), as whole numbers of 32 bits; what is none is refused.

    >>> cluster_names(np.array([9, 2.0], dtype=object), "labels").tolist()
    [9, 2]
    """
    given = np.asarray(labels)
    if given.dtype.kind == "O" and all(map(_is_small, given.flat)):
        given = given.astype(np.float64)
    fits = np.zeros(given.shape, bool)
    if given.dtype.kind in "iubf":
        fits = np.isfinite(given) & (given >= -(2**31)) & (given < 2**31) & (given % 1 == 0)
    if fits.all():
        return given.astype(np.int32)
    raise InvalidParameterError(f"{what} must be whole numbers of 32 bits. Got {shown(given[~fits].tolist()[0])}")


def _require_all(missing: NDArray[np.bool_]) -> None:
    if missing.any():
        raise InvalidParameterError(
            f"every object needs a label here. Got {int(missing.sum()):,} without one, the first in row "
            f"{int(missing.argmax()) + 1:,}: leave these objects out"
        )


def as_labels_and_missing(
    labels: ArrayLike, missing: int | str | None = -1
) -> tuple[NDArray, NDArray[np.bool_] | None]:
    """Labels (N, M), and where there are none: (N, M) bool, or None where nothing is missing.

    NaN, None, empty strings, what a numpy mask hides and the value `missing` are missing labels; there the first matrix
    holds anything.
    """
    given, missing = as_array(labels), _plain_missing(missing)
    matrix, hidden = _as_matrix(given), np.ma.getmaskarray(given) if np.ma.is_masked(given) else None
    if matrix.dtype.kind == "O":
        seen = matrix.copy()
        seen[np.ma.getmaskarray(given)] = None
        matrix = coded(seen, missing)
        missing = -1
    unseen = _where_missing(matrix, missing)
    if hidden is not None:
        unseen = hidden if unseen is None else unseen | hidden
    if unseen is None:
        return _as_labels(matrix), None
    _check_seen(unseen)
    filled = np.full(matrix.shape, matrix[~unseen][0], matrix.dtype)
    filled[~unseen] = matrix[~unseen]
    return _as_labels(filled), unseen


def _plain_missing(missing: Any) -> int | str | None:
    """What says that a label is missing, of whatever type it came in."""
    if missing is None or isinstance(missing, str):
        return int(missing) if missing and _WHOLE.fullmatch(missing) else missing  # as numbers or as words, alike
    if isinstance(missing, int | np.integer):
        return int(missing)
    if isinstance(missing, float | np.floating) and (np.isnan(missing) or missing.is_integer()):
        return None if np.isnan(missing) else int(missing)  # NaN is one whatever else is
    raise InvalidParameterError(f"missing must be a whole number, a word or None. Got {shown(missing)}")


def unmasked(values: Any) -> Any:
    """What has no numpy mask, as it is; else an array in which hidden numbers are NaN, hidden whole numbers -1."""
    if not isinstance(values, np.ma.MaskedArray):
        return values
    kind: Any
    hidden: Any
    if values.dtype.kind == "f" or values.dtype == np.uint64:
        kind, hidden = np.result_type(values.dtype, np.float32), np.nan
    else:
        kind, hidden = (np.int64, -1) if values.dtype.kind in "iub" else (object, None)
    plain = np.array(values.data, dtype=kind)
    plain[np.ma.getmaskarray(values)] = hidden
    return plain


def without_mask(features: Any) -> Any:
    """Features with NaN where a numpy mask hides one: what is hidden is no number, and is refused as such."""
    if not isinstance(features, np.ma.MaskedArray):
        return features
    return np.where(np.ma.getmaskarray(features), np.nan, features.data.astype(np.float64))


def as_numbers(values: Any, name: str = "features", form: str = "a matrix of numbers") -> NDArray[np.float64]:
    """Values in float64, NaN where a numpy mask hides one; what float64 does not hold, words and such, is refused."""
    try:
        given = np.asanyarray(values)
        if given.dtype.kind != "c":
            return np.asarray(without_mask(given), dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise InvalidParameterError(f"{name} must be {form}. Got {shown(values)}")


#: Squares of larger features overflow, and so do their sums.
LARGEST_FEATURE = 1e100


def as_points(
    features: Any, n_objects: int | None = None, name: str = "features", least: int = 2
) -> NDArray[np.float64]:
    """Finite features below `LARGEST_FEATURE` as (N, D) float64, D >= 1, or a refusal that names the cell.

    N is `n_objects`, or any number from `least` on where that is None.
    """
    points = as_numbers(features, name)
    fits = points.ndim == 2 and points.shape[1] > 0
    if not fits or (len(points) < least if n_objects is None else len(points) != n_objects):
        many = f"at least {least}" if n_objects is None else f"{n_objects:,}"
        raise InvalidParameterError(
            f"{name} must be a matrix of {many} objects x at least 1 feature. Got shape {points.shape}"
        )
    if len(points) and not (-LARGEST_FEATURE < points.min() and points.max() < LARGEST_FEATURE):  # nor where it is NaN
        row, column = np.argwhere(~(np.abs(points) < LARGEST_FEATURE))[0]
        raise InvalidParameterError(
            f"{name} must be finite and below {LARGEST_FEATURE:g} in absolute value. "
            f"Got {points[row, column]} in row {row + 1:,}, column {column + 1:,}"
        )
    return points


def _as_matrix(labels: ArrayLike) -> NDArray:
    matrix = np.asarray(labels)
    if matrix.ndim != 2:
        got = f"shape {matrix.shape}" if matrix.ndim else f"one value of type {type(matrix.item()).__name__}"
        raise InvalidEnsembleError(f"labels must be a matrix (objects x base clusterings). Got {got}")
    if matrix.shape[0] < 2 or matrix.shape[1] < 1:
        raise InvalidEnsembleError(f"labels must have at least 2 rows and 1 column. Got shape {matrix.shape}")
    return matrix


def _as_labels(matrix: NDArray) -> NDArray:
    if matrix.dtype.kind == "f":
        return _integers(matrix)
    if matrix.dtype.kind not in "iubUS":
        raise InvalidEnsembleError(f"labels must be whole numbers or words. Got dtype {matrix.dtype}")
    return matrix


def _where_missing(matrix: NDArray, missing: int | str | None) -> NDArray[np.bool_] | None:
    """True where a label is missing, None where nothing is: whole numbers are looked through once, by their lowest."""
    kind = matrix.dtype.kind
    if kind in "iub":
        if not isinstance(missing, int) or (missing < 0 and (kind in "ub" or matrix.min() >= 0)):
            return None
        unseen = matrix == missing
    elif kind == "f":
        unseen = np.isnan(matrix) | (matrix == missing) if isinstance(missing, int) else np.isnan(matrix)
    elif kind in "US":
        unseen = _is_no_word(matrix)
        if missing is not None:
            unseen |= matrix == (str(missing) if kind == "U" else str(missing).encode())
    else:
        return None
    return unseen if unseen.any() else None


def _is_no_word(words: NDArray) -> NDArray[np.bool_]:
    """Where an array of words has none: numpy writes NaN among words as the word "nan"."""
    nothing, nan = ("", "nan") if words.dtype.kind == "U" else (b"", b"nan")
    return (words == nothing) | (words == nan)


def _check_seen(unseen: NDArray[np.bool_]) -> None:
    """Every object has a label, every base clustering two."""
    lost = np.flatnonzero(unseen.all(axis=1))
    if len(lost):
        shown = ", ".join(f"{i + 1:,}" for i in lost[:5]) + (", ..." if len(lost) > 5 else "")
        raise InvalidEnsembleError(
            f"every object needs at least one label: nothing ties the others to it. Got {len(lost):,} without any, "
            f"in row{'s' if len(lost) > 1 else ''} {shown}"
        )
    empty = np.flatnonzero((~unseen).sum(axis=0) < 2)
    if len(empty):
        raise InvalidEnsembleError(
            "every base clustering must label at least two objects: fewer are never seen together. "
            f"Got {int((~unseen[:, empty[0]]).sum())} in column {empty[0] + 1:,}"
        )


def _integers(matrix: NDArray) -> NDArray:
    """Floats that are whole numbers, as int64."""
    matrix = matrix.astype(np.promote_types(matrix.dtype, np.float64), copy=False)
    whole = np.isfinite(matrix) & (matrix == np.floor(matrix)) & (np.abs(matrix) < 2**53)
    if not whole.all():
        row, column = np.argwhere(~whole)[0]
        rule = "whole numbers" + (", below 2^53 where they are floats" if abs(matrix[row, column]) >= 2**53 else "")
        raise InvalidEnsembleError(
            f"labels must be {rule}. Got {matrix[row, column]} in row {row + 1}, column {column + 1}"
        )
    return matrix.astype(np.int64)


def as_memberships(memberships: ArrayLike | None, labels: NDArray) -> NDArray[np.float64] | None:
    """Soft rows: finite, non-negative, one column a cluster."""
    if memberships is None:
        return None
    try:
        given = np.asanyarray(memberships)
    except ValueError as error:
        raise InvalidEnsembleError("memberships must be a matrix of numbers. Got rows of different lengths") from error
    if np.ma.is_masked(given) or given.dtype.kind not in "biuf":
        got = "hidden ones" if np.ma.is_masked(given) else f"dtype {given.dtype}"
        raise InvalidEnsembleError(f"memberships must be numbers, all of them there. Got {got}")
    soft = np.array(given, dtype=np.float64, order="C")
    expected = (len(labels), int((labels.max(axis=0) + 1).sum()))
    if soft.shape != expected:
        raise InvalidEnsembleError(f"memberships must have shape {expected} (objects x clusters). Got {soft.shape}")
    if not np.isfinite(soft).all() or soft.min() < 0:
        raise InvalidEnsembleError("memberships must be finite and not negative")
    return frozen(soft)
