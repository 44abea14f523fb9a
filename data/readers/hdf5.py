"""MAT files of version 7.3, which are HDF5 files with a MATLAB header.

An HDF5 file can point at other files (external links, external storage, virtual datasets); such a
file could show what else lies on this machine, so anything but plain stored values is refused.
"""

import math
import mmap
import struct
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import DataError, refusing
from ..limits import MAX_BYTES, MEAN_CHUNK, check_bytes, check_parts, inflated_size
from ..reading.progress import Watched, goes_on
from ..records import Kind
from .arrays import Declared, read_named
from .tables import Table

if TYPE_CHECKING:
    import h5py

_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_USER_BLOCK = 512
_GZIP, _SHUFFLE = 1, 2
#: How a heap of words begins, and how many bytes say what comes, of it and of each of its objects.
_HEAP, _HEAD_BYTES = b"GCOL\x01", 16
_WORD = 4  # words of any length take more in the file than their place in memory
ERRORS = (
    OSError,
    RuntimeError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    OverflowError,
    MemoryError,
    zlib.error,
)


def refuse_broken_heaps(content: bytes | Path) -> None:
    """Refuse a file whose heaps of words do not go on: HDF5 would look for their next object for ever.

    One that is read where it is, and is larger than what may be unpacked, is not looked through.
    """
    if isinstance(content, bytes):
        _walk_heaps(content)
    elif 0 < content.stat().st_size <= MAX_BYTES:
        with content.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as held:
            _walk_heaps(held)


def _walk_heaps(held: bytes | mmap.mmap) -> None:
    """Go through the objects of every heap, each its index, its size, and content up to a multiple of 8 bytes."""
    start = held.find(_HEAP)
    goes_on()
    while 0 <= start <= len(held) - _HEAD_BYTES:
        end = start + int.from_bytes(held[start + 8 : start + 16], "little")
        at = start + _HEAD_BYTES
        while at + _HEAD_BYTES <= end <= len(held):
            index, size = struct.unpack("<H6xQ", held[at : at + _HEAD_BYTES])
            step = size if index == 0 else _HEAD_BYTES + -(-size // 8) * 8
            if not _HEAD_BYTES <= step <= end - at:
                raise DataError("The file keeps words in a heap that is damaged. Save it again.")
            at += step
        start = held.find(_HEAP, start + 1)
        goes_on()


def is_hdf5(content: bytes) -> bool:
    """Return whether the bytes begin an HDF5 file, with or without MATLAB's header before it."""
    return content.startswith(_SIGNATURE) or content[_USER_BLOCK:].startswith(_SIGNATURE)


def read_hdf5(content: bytes, kind: Kind, label_column: str | int | None) -> Table:
    """Return the table, and the true labels if any, among the variables of the file."""
    import h5py

    refuse_broken_heaps(content)
    with refusing("a MAT file of version 7.3", *ERRORS), Watched(content) as held, h5py.File(held, "r") as file:
        stored = _plain_datasets(file)
        declared = {name: Declared(_shape(item), item.dtype.itemsize) for name, item in stored.items()}
        return read_named(declared, lambda name: _values(stored[name]), kind, label_column)


def names_hdf5(content: bytes) -> list[str]:
    """Return the names of the numeric variables in the file."""
    import h5py

    refuse_broken_heaps(content)
    with refusing("a MAT file of version 7.3", *ERRORS), Watched(content) as held, h5py.File(held, "r") as file:
        return list(_plain_datasets(file))


def _plain_datasets(file: "h5py.File") -> dict[str, "h5py.Dataset"]:
    """Return the numeric datasets at the top of the file, refusing any that point elsewhere."""
    import h5py

    datasets = {}
    check_parts(len(file), "variables")
    for name in file:
        item = file[name] if isinstance(file.get(name, getlink=True), h5py.HardLink) else None
        refuse_elsewhere(name, item)
        if not isinstance(item, h5py.Dataset) or item.dtype.kind not in "biuf":
            continue
        if item.attrs.get("MATLAB_class") != b"char":
            datasets[name] = item
    return datasets


def refuse_elsewhere(name: str, item: Any) -> None:
    """Refuse what points at another place (`item` is None) or is kept in another file."""
    if item is None:
        raise DataError(f"The variable {name!r} points to another place. Save its values themselves.")
    if getattr(item, "external", None) or getattr(item, "is_virtual", False):
        raise DataError(f"The variable {name!r} is kept in another file. Save its values themselves.")


def _shape(item: "h5py.Dataset") -> tuple[int, ...]:
    """Return the shape as MATLAB sees it (HDF5 keeps the axes in reverse order)."""
    if "MATLAB_empty" in item.attrs:
        return (0, 0)
    return item.shape[::-1] if "MATLAB_class" in item.attrs else item.shape


def _values(item: "h5py.Dataset") -> np.ndarray:
    """Return the values of a dataset whose declared shape has been checked."""
    if "MATLAB_empty" in item.attrs:
        return np.empty((0, 0))
    check_stored(item)
    return item[()].T if "MATLAB_class" in item.attrs else item[()]


def check_stored(item: "h5py.Dataset") -> None:
    """Refuse values that are declared and not there, too many chunks, or chunks that unpack to more than they say."""
    if item.shape is None or item.size == 0:
        return
    n_bytes = item.size * item.dtype.itemsize
    if item.chunks is None:
        stored, whole = item.id.get_storage_size(), n_bytes
    else:
        stored = item.id.get_num_chunks()
        whole = math.prod(-(-n // step) for n, step in zip(item.shape, item.chunks, strict=True))
        if whole > 1000 + n_bytes // MEAN_CHUNK:
            raise DataError(f"The file keeps its values in {whole:,} small chunks. Save it with larger chunks or none.")
    if stored < whole:
        raise DataError(
            "The file declares values that it does not hold (unallocated storage). Save it again with them."
        )
    if item.chunks is not None:
        _check_chunks(item)


def _check_chunks(item: "h5py.Dataset") -> None:
    """Refuse chunks that would unpack to more than they declare, or an unknown compression."""
    chunk_bytes = math.prod(item.chunks) * item.dtype.itemsize
    check_bytes(chunk_bytes)
    pipeline = item.id.get_create_plist()
    filters = [pipeline.get_filter(i)[0] for i in range(pipeline.get_nfilters())]
    if not set(filters) <= {_GZIP, _SHUFFLE}:
        raise DataError("The file uses a compression that is not read here. Save it with gzip or with none.")
    if _GZIP in filters:
        places: list[tuple[int, ...]] = []
        item.id.chunk_iter(lambda chunk: places.append(chunk.chunk_offset))  # asking for one by one is quadratic
        for place in places:
            mask, packed = item.id.read_direct_chunk(place)
            found = inflated_size(packed, _WORD * chunk_bytes) if not mask else chunk_bytes
            if found != chunk_bytes and (item.dtype.kind != "O" or found > _WORD * chunk_bytes):
                raise DataError("A part of the file unpacks to an unexpected size: it is damaged.")
