"""MAT files: version 5 (save -v6, -v7) here, version 7.3 through HDF5.

scipy.io.loadmat would read version 5 too, but a damaged type code makes it crash the whole process,
and with it every session of the app. Plain numeric variables are all that is wanted, so they are
read here: every size is checked against the bytes there are, before any use.
"""

import math
import zlib
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ..errors import DataError, refusing
from ..limits import MAX_BYTES, check_bytes, check_parts, inflated_size
from ..readers import hdf5
from ..reading.progress import goes_on
from ..records import Kind
from .arrays import Declared, read_named
from .tables import Reader, Table

_HEADER_BYTES = 128
_HEAD_BYTES = 4096  # enough for flags, dimensions and name of a variable
_MATRIX, _COMPRESSED = 14, 15
_TYPES = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
_SPARSE_CLASS = 5
_NUMERIC_CLASSES = range(6, 16)  # double, single, int8 ... uint64
_COMPLEX_FLAG = 0x0800
_LONGEST_NAME = 256
_DAMAGED = "The file is damaged; save it again."
_ENDS = "The file ends in the middle of a variable. Save it again."


class Variable(NamedTuple):
    """A numeric variable: its declared shape, whether complex or sparse, and where its element lies."""

    shape: tuple[int, ...]
    is_complex: bool
    is_sparse: bool
    packed: bool
    body: memoryview


def read_mat(content: bytes, kind: Kind, label_column: str | int | None) -> Table:
    """Return the table, and the true labels if any, among the variables of a MAT file."""
    if hdf5.is_hdf5(content):
        return hdf5.read_hdf5(content, kind, label_column)
    order, variables = _variables(content)
    declared = {name: Declared(found.shape, 8) for name, found in variables.items()}
    return read_named(declared, lambda name: _values(variables[name], name, order), kind, label_column)


def names_mat(content: bytes) -> list[str]:
    """Return the names of the numeric variables in a MAT file."""
    return hdf5.names_hdf5(content) if hdf5.is_hdf5(content) else list(_variables(content)[1])


def _variables(content: bytes) -> tuple[str, dict[str, Variable]]:
    """Return the byte order and the numeric variables of a version 5 file, reading no values."""
    order = {b"IM": "<", b"MI": ">"}.get(content[126:128])
    if order is None or len(content) <= _HEADER_BYTES:
        raise DataError("The file is not a MAT file of version 5 or 7.3. Save it with save -v7.")
    found: dict[str, Variable] = {}
    total = 0
    for count, (code, body) in enumerate(_elements(memoryview(content)[_HEADER_BYTES:], order, padded=False)):
        check_parts(count, "elements")
        packed = code == _COMPRESSED
        with refusing("a MAT file", zlib.error):
            total += inflated_size(body, MAX_BYTES - total) if packed else len(body)
            check_bytes(total)
            head = memoryview(zlib.decompressobj().decompress(body, _HEAD_BYTES)) if packed else body
        if packed:
            code, head = _word(head, order), head[8:]
        if code == _MATRIX:
            found |= _described(head, order, packed, body)
    return order, found


def _described(head: memoryview, order: str, packed: bool, body: memoryview) -> dict[str, Variable]:
    """Return a variable by its name, or nothing if it is not numeric."""
    parts = _elements(head, order)
    flags = _word(_next(parts)[1], order)
    if flags & 0xFF not in (_SPARSE_CLASS, *_NUMERIC_CLASSES):
        return {}
    dimensions = _next(parts)[1]
    shape = tuple(np.frombuffer(dimensions[: len(dimensions) // 4 * 4], f"{order}i4").tolist())
    name = bytes(_next(parts)[1][:_LONGEST_NAME]).decode("utf-8", "replace")
    if min(shape, default=-1) < 0:
        raise DataError(f"The variable {name!r} has an impossible shape {shape}. {_DAMAGED}")
    is_sparse = flags & 0xFF == _SPARSE_CLASS
    return {name: Variable(shape, bool(flags & _COMPLEX_FLAG), is_sparse, packed, body)}


def _values(variable: Variable, name: str, order: str) -> np.ndarray:
    """Return the values of a variable whose declared shape has been checked."""
    if variable.is_sparse:
        raise DataError(f"The variable {name!r} is sparse. Save full({name}) instead.")
    if variable.is_complex:
        raise DataError(f"The variable {name!r} is complex. Save real numbers.")
    goes_on()
    body = memoryview(zlib.decompress(variable.body))[8:] if variable.packed else variable.body
    goes_on()
    parts = _elements(body, order)
    for _ in range(3):  # flags, dimensions, name
        _next(parts)
    code, values = _next(parts)
    if code not in _TYPES:
        raise DataError(f"The variable {name!r} has values of an unknown type. {_DAMAGED}")
    dtype = np.dtype(order + _TYPES[code])
    if len(values) != math.prod(variable.shape) * dtype.itemsize:
        raise DataError(f"The variable {name!r} is not complete. {_DAMAGED}")
    return np.frombuffer(values, dtype).reshape(variable.shape, order="F")


def _elements(data: memoryview, order: str, padded: bool = True) -> Iterator[tuple[int, memoryview]]:
    """Yield type code and bytes of each element: a tag of 8 bytes, or of 4 with up to 4 bytes of data."""
    position = 0
    while position + 8 <= len(data):
        word, size = np.frombuffer(data[position : position + 8], f"{order}u4").tolist()
        start = position + 8
        if word >> 16:
            word, size, start = word & 0xFFFF, word >> 16, position + 4
        end = start + size
        if end > len(data) or start < position + 8 < end:
            raise DataError(_ENDS)
        yield word, data[start:end]
        position = end + (-end % 8 if padded else 0)
    if position < len(data):
        raise DataError(_ENDS)


def _next(parts: Iterator[tuple[int, memoryview]]) -> tuple[int, memoryview]:
    """Return the next part of a variable, or refuse a file that ends too early."""
    part = next(parts, None)
    if part is None:
        raise DataError(_ENDS)
    return part


def _word(data: memoryview, order: str) -> int:
    """Return the first four bytes as an unsigned integer."""
    return int.from_bytes(data[:4], "little" if order == "<" else "big")


READERS = (Reader("MAT", (".mat",), read_mat, names=names_mat, place=30),)
