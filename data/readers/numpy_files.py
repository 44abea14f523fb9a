"""NPY and NPZ files. Headers are read first; pickled objects are never opened."""

import io
import math
import tokenize
import zipfile
from dataclasses import replace
from functools import partial
from typing import IO

import numpy as np
from numpy.lib import format as npy_format
from scipy import sparse

from ..errors import DataError, refusing
from ..limits import MAX_FEATURE_ROWS, check_array, check_bytes, check_parts
from ..reading.progress import Watched
from ..records import Kind
from .arrays import SAVED_ENSEMBLE, Declared, as_table, read_named, real
from .tables import Reader, Table
from .zipped import ZIP_ERRORS

# MemoryError: the parser of headers says so of brackets in brackets in brackets
_NPY_ERRORS = (ValueError, TypeError, EOFError, SyntaxError, RecursionError, MemoryError, tokenize.TokenError)
_NPZ_ERRORS = (*_NPY_ERRORS, *ZIP_ERRORS)
#: Arrays by which a matrix is known that scipy's `save_npz` wrote.
_SPARSE = {"shape.npy", "format.npy", "data.npy"}


def read_npy(content: bytes, kind: Kind, label_column: str | int | None) -> Table:
    """Return the one array of an NPY file as a table."""
    if isinstance(label_column, str):
        raise DataError("An NPY file has no column names. Give the number of the label column, from 0.")
    with refusing("an NPY file", *_NPY_ERRORS):
        stream = io.BytesIO(content)
        shape, dtype, by_columns = _header(stream)
        check_array(shape, dtype.itemsize, "", kind)
        _refuse_short(shape, dtype, len(content) - stream.tell())
        values = np.frombuffer(content, dtype, math.prod(shape), stream.tell())  # a view: nothing is copied
        return as_table(values.reshape(shape, order="F" if by_columns else "C"))


def is_long_npy(content: bytes) -> bool:
    """Return whether an NPY file has more rows of whole numbers than features may have: these are labels."""
    with refusing("an NPY file", *_NPY_ERRORS):
        shape, dtype, _ = _header(io.BytesIO(content))
    return len(shape) > 0 and shape[0] > MAX_FEATURE_ROWS and dtype.kind in "iu"


def read_npz(content: bytes, kind: Kind, label_column: str | int | None) -> Table:
    """Return the table, and the true labels if any, among the arrays of an NPZ file."""
    with refusing("an NPZ file", *_NPZ_ERRORS), Watched(content) as held, zipfile.ZipFile(held) as archive:
        _check_unpacked(archive)
        declared = _declared(archive)
        if _SPARSE <= set(archive.namelist()):
            raise DataError("The file holds a sparse matrix. Save its toarray() instead, or open it as a graph.")
        if declared.keys() >= SAVED_ENSEMBLE:
            return _saved_ensemble(archive, declared, kind)
        return read_named(declared, partial(_array, archive), kind, label_column)


def _saved_ensemble(archive: zipfile.ZipFile, declared: dict[str, Declared], kind: Kind) -> Table:
    """Return the base clusterings of an ensemble that `engine.save_ensemble` wrote, -1 where there is no label."""
    if kind == "features":
        raise DataError("The file holds base clusterings (an ensemble). Open it as base clusterings instead.")
    check_array(*declared["labels"], "labels", kind)
    beside = {"memberships": "soft memberships", "graph_sources": "graph"}
    left = [word for name, word in beside.items() if name in declared]
    notes = (f"The ensemble's {' and '.join(left)} stayed in the file.",) if left else ()
    table = as_table(_array(archive, "labels"), notes=notes)
    found = {}
    for name in (one for one in ("identifiers", "rows") if one in declared):
        check_array(*declared[name], name, kind)
        found[name] = _array(archive, name)
        if found[name].shape != (table.n_rows,) or (name == "rows" and found[name].dtype.kind not in "iu"):
            raise DataError(f"The file is damaged: its {name} are not one for each of {table.n_rows:,} objects.")
    places, called = found.get("rows"), found.get("identifiers", found.get("rows"))
    if called is None:
        return table
    if places is not None and (np.diff(places, prepend=-1) > 0).all():  # others are names alone
        table = replace(table, places=places)
    names = np.array([str(one) for one in called.tolist()], dtype=object)
    proposed = (*[""] * len(table.columns), "identifier")
    return replace(table, columns=(*table.columns, names), proposed=proposed)


def arrays_npz(content: bytes) -> dict[str, np.ndarray]:
    """Return all arrays of an NPZ file by name, whatever they are and as large as memory lets them be."""
    with refusing("an NPZ file", *_NPZ_ERRORS), Watched(content) as held, zipfile.ZipFile(held) as archive:
        return {name: _array(archive, name) for name in _declared(archive)}


def _array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    with archive.open(f"{name}.npy") as stream:
        return npy_format.read_array(stream, allow_pickle=False)


def names_npz(content: bytes) -> list[str]:
    """Return the names of the arrays in an NPZ file."""
    with refusing("an NPZ file", *_NPZ_ERRORS), Watched(content) as held, zipfile.ZipFile(held) as archive:
        return [name.removesuffix(".npy") for name in archive.namelist()]


def sparse_npz(content: bytes) -> sparse.coo_array:
    """Return the matrix that scipy's `save_npz` wrote, by rows, by columns or by entries."""
    with (
        refusing("an NPZ file of a sparse matrix", *_NPZ_ERRORS),
        Watched(content) as held,
        zipfile.ZipFile(held) as archive,
    ):
        _check_unpacked(archive)
        _declared(archive)  # looks at every size that is stated
        if not set(archive.namelist()) >= _SPARSE:
            raise DataError("The file holds no sparse matrix. Save it with scipy.sparse.save_npz.")
        matrix = sparse.load_npz(Watched(content))
        if hasattr(matrix, "check_format"):
            matrix.check_format(full_check=True)  # a damaged file may point beyond its own rows
        found = sparse.coo_array(matrix)
        real(found.data)
        for end, n in zip(found.coords, found.shape, strict=True):
            if end.min(initial=0) < 0 or end.max(initial=-1) >= n:
                raise DataError("The matrix has entries beyond its own shape: the file is damaged. Save it again.")
        return found


def _check_unpacked(archive: zipfile.ZipFile) -> None:
    check_bytes(sum(member.file_size for member in archive.infolist()))


def _declared(archive: zipfile.ZipFile) -> dict[str, Declared]:
    """Return what the members say of themselves; zipfile never unpacks more than the stated size."""
    check_parts(len(archive.infolist()), "arrays")
    declared = {}
    for member in archive.infolist():
        if not member.filename.endswith(".npy"):
            continue
        with archive.open(member) as stream:
            shape, dtype, _ = _header(stream)
            _refuse_short(shape, dtype, member.file_size - stream.tell())
        if dtype.kind in "biufcU":
            declared[member.filename.removesuffix(".npy")] = Declared(shape, dtype.itemsize)
    return declared


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], np.dtype, bool]:
    """Return shape and dtype of the array that follows, and whether it is stored by columns; no pickled objects."""
    version = npy_format.read_magic(stream)
    read = npy_format.read_array_header_1_0 if version == (1, 0) else npy_format.read_array_header_2_0
    shape, by_columns, dtype = read(stream)
    if dtype.hasobject:
        raise DataError("The file holds pickled Python objects, which are never opened. Save a plain numeric array.")
    return shape, dtype, by_columns


def _refuse_short(shape: tuple[int, ...], dtype: np.dtype, n_bytes: int) -> None:
    """Refuse an array whose bytes are not all there."""
    if math.prod(shape) * dtype.itemsize > n_bytes:
        raise DataError(f"The file ends before its array of shape {shape} is complete. Save it again.")


READERS = (
    Reader("NPY", (".npy",), read_npy, is_long=is_long_npy, plain=True, place=20),
    Reader("NPZ", (".npz",), read_npz, names=names_npz, place=21),
)
