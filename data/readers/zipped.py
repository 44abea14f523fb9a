"""A folder of label vectors as one ZIP file: each file one base clustering, called by its name."""

import lzma
import struct
import zipfile
import zlib
from pathlib import PurePosixPath

from ..errors import DataError, listed, refusing
from ..limits import MAX_CLUSTERINGS, check_bytes, check_size
from ..reading.progress import Watched, goes_on
from ..records import Kind
from . import known_readers
from .tables import Reader, Table

#: What damage to an archive may raise. RuntimeError: encrypted members, and unknown compression (NotImplementedError);
#: ValueError: places before the file, and names that are no UTF-8.
ZIP_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(OSError, KeyError, RuntimeError, EOFError, ValueError),
)
#: The flag of a member that is encrypted.
_LOCKED = 1


def read_zip(content: bytes, kind: Kind, label_column: str | int | None) -> Table:
    """Return the label vectors of a folder side by side, in the order of their names.

    A folder holds labels only. Files inside that no other reader reads are left out.
    """
    if kind != "labels":
        raise DataError("A ZIP file is read as a folder of label vectors. Open it as labels, or unpack the one file.")
    readers = {ending: reader for ending, reader in known_readers().items() if reader.read is not read_zip}
    with refusing("a ZIP file", *ZIP_ERRORS), Watched(content) as held, zipfile.ZipFile(held) as archive:
        files = sorted((one for one in archive.infolist() if _is_vector(one, readers)), key=lambda one: one.filename)
        if any(one.flag_bits & _LOCKED for one in files):
            raise DataError("The ZIP file is locked by a password. Unpack it, and pack it without one.")
        check_bytes(sum(one.file_size for one in files))
        if not 1 <= len(files) <= MAX_CLUSTERINGS:
            known = ", ".join(sorted(readers))
            raise DataError(
                f"The folder has {len(files):,} files of labels ({known}); 1 to {MAX_CLUSTERINGS:,} are read."
            )
        names = [one.filename for one in files]
        if doubled := sorted({name for name in names if names.count(name) > 1}):
            raise DataError(f"The folder has more than one file called {doubled[0]}. Give each a name of its own.")
        tables: dict[str, Table] = {}
        for one in files:
            goes_on()
            vector = tables[one.filename] = _vector(readers, one.filename, archive.read(one))
            check_size(vector.n_rows, len(tables), kind)
    _check_lengths({name: table.n_rows for name, table in tables.items()})
    said: dict[str, list[str]] = {}
    for name, table in tables.items():
        for note in table.notes:
            said.setdefault(note, []).append(name)
    notes = (f"Read {len(files):,} files of the folder.", *(f"{listed(some)}: {note}" for note, some in said.items()))
    return Table(tuple(table.columns[0] for table in tables.values()), _names(list(tables)), notes=notes)


def _check_lengths(lengths: dict[str, int]) -> None:
    """Refuse vectors that are not all of one length."""
    first = next(iter(lengths))
    for name, length in lengths.items():
        if length != lengths[first]:
            raise DataError(
                f"{name} has {length:,} labels where {first} has {lengths[first]:,}. Every file needs one an object."
            )


def _is_vector(one: zipfile.ZipInfo, readers: dict[str, Reader]) -> bool:
    """Return whether a member looks like a file of labels by its name."""
    path = PurePosixPath(one.filename)
    hidden = any(part.startswith((".", "__MACOSX")) for part in path.parts)
    return not one.filename.endswith("/") and not hidden and path.suffix.lower() in readers


def _vector(readers: dict[str, Reader], name: str, content: bytes) -> Table:
    """Return a file of one column."""
    try:
        table = readers[PurePosixPath(name).suffix.lower()].read(content, "labels", None)
    except DataError as error:
        raise DataError(f"{name}: {error}") from error
    if len(table.columns) != 1:
        raise DataError(f"{name} has {len(table.columns):,} columns; a file of the folder holds one label vector.")
    return table


def _names(files: list[str]) -> tuple[str, ...]:
    """Return what the base clusterings are called: the names of the files, with folder and ending where needed."""
    stems = [PurePosixPath(file).stem for file in files]
    return tuple(stem if stems.count(stem) == 1 else file for stem, file in zip(stems, files, strict=True))


READERS = (Reader("a ZIP of label vectors", (".zip",), read_zip, place=90),)
