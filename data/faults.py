"""Cells that cannot be used in the role their column has: empty, text, infinite, or not whole."""

import numpy as np

from .readers.tables import is_number

#: All that can be wrong with a cell.
FAULTS = ("empty", "text", "infinite", "fractional")
LARGEST_EXACT = 2.0**53  # beyond it, doubles skip integers


def faults_of(cells: np.ndarray, role: str) -> dict[str, np.ndarray]:
    """Return where a column is faulty in a role, fault by fault.

    Parameters
    ----------
    cells : ndarray of shape (N,)
        Numbers (NaN where empty) or objects: str cells, None where empty.
    role : {"feature", "clustering", "class", "identifier"}
        An identifier may be anything but empty. Labels of a base clustering may be missing, those of the class not;
        both are whole numbers or text, not a mixture.

    Returns
    -------
    dict of str to ndarray of shape (N,), bool
        A mask for each of `FAULTS`; no cell is in two of them.

    Examples
    --------
    >>> cells = np.array(["1.5", None, "inf", "wide"], dtype=object)
    >>> {fault: mask.astype(int).tolist() for fault, mask in faults_of(cells, "feature").items()}
    {'empty': [0, 1, 0, 0], 'text': [0, 0, 0, 1], 'infinite': [0, 0, 1, 0], 'fractional': [0, 0, 0, 0]}
    """
    empty, text, numbers = _sorted_out(cells)
    if role == "identifier":
        nothing = np.zeros(len(cells), bool)
        return {"empty": empty, "text": nothing, "infinite": nothing, "fractional": nothing}
    is_label = role in ("class", "clustering")
    if is_label and text.sum() > (~text & ~empty).sum():  # words, and numbers among them are what does not belong
        text, numbers = ~text & ~empty, np.zeros(len(cells))
    infinite = np.isinf(numbers) & ~text
    fractional = _not_whole(numbers) & ~infinite & ~text & ~empty if is_label else np.zeros(len(cells), bool)
    unknown = np.zeros(len(cells), bool) if role == "clustering" else empty
    return {"empty": unknown, "text": text, "infinite": infinite, "fractional": fractional}


def _not_whole(numbers: np.ndarray) -> np.ndarray:
    """Return where numbers are no labels: not whole, or beyond what doubles hold exactly."""
    with np.errstate(invalid="ignore"):
        return (numbers != np.rint(numbers)) | (np.abs(numbers) > LARGEST_EXACT)


def as_floats(cells: np.ndarray) -> np.ndarray:
    """Return a column as float64, NaN where a cell is empty or text.

    >>> as_floats(np.array(["1.5", None, "wide"], dtype=object))
    array([1.5, nan, nan])
    """
    if cells.dtype.kind != "O":
        with np.errstate(over="ignore"):
            return cells.astype(np.float64)
    return np.array([float(cell) if is_number(cell) else np.nan for cell in cells], np.float64)


def _sorted_out(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return where cells are empty, where they are text, and the numbers of the others."""
    nothing = np.zeros(len(cells), bool)
    if cells.dtype.kind in "bi":  # labels of 64 bits are no doubles, and never faulty
        return nothing, nothing, np.zeros(len(cells))
    text = nothing
    if cells.dtype.kind == "O":
        text = np.array([cell is not None and not is_number(cell) for cell in cells], bool)
    numbers = as_floats(cells)
    return np.isnan(numbers) & ~text, text, numbers
