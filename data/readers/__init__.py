"""One reader per file format; all hand on a Table."""

import importlib
import pkgutil
from functools import cache
from pathlib import Path

from ..errors import DataError, files_of
from ..limits import check_bytes, check_content
from ..records import Kind
from .tables import Reader, Table


@cache
def known_readers() -> dict[str, Reader]:
    """Return the readers that modules of this folder list as `READERS`, by ending, in the order of their places."""
    modules = [importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    found = [reader for module in modules for reader in getattr(module, "READERS", ())]
    return {ending: reader for reader in sorted(found, key=lambda one: one.place) for ending in reader.endings}


def titles() -> str:
    """Return what files can be read, for people: "CSV, TSV, TXT, NPY, ... or a ZIP of label vectors"."""
    *others, last = dict.fromkeys(reader.title for reader in known_readers().values())
    return f"{', '.join(others)}, or {last}"


def read_table(extension: str, content: bytes | Path, kind: Kind, label_column: str | int | None) -> Table:
    """Return the table in `content`, read as the file's extension says; some files are read where they are."""
    if extension not in known_readers():
        formats = ", ".join(sorted(known_readers()))
        raise DataError(f"{files_of(extension)} are not read here. Save it as one of {formats}.")
    reader = known_readers()[extension]
    if isinstance(content, Path) and not reader.in_place:
        content = content.read_bytes()
    size = content.stat().st_size if isinstance(content, Path) else len(content)
    check_content(size)
    if not isinstance(content, Path):
        check_bytes(size)
    try:
        return reader.read(content, kind, label_column)
    except MemoryError:
        raise DataError("Reading the file takes more memory than there is. Bring a smaller part.") from None
    except ModuleNotFoundError as error:  # pyarrow and h5py are optional where the app is not
        line = f"pip install {error.name}"
        raise DataError(f"Reading {extension} needs the package {error.name}. Install it: {line}") from None


def is_long(extension: str, content: bytes) -> bool:
    """Return whether a file of plain numbers can only be base clusterings, by its rows and types."""
    reader = known_readers()[extension]
    return reader.is_long is not None and reader.is_long(content)


def array_names(extension: str, content: bytes) -> list[str]:
    """Return the names of the arrays in a file, none for formats that hold one table."""
    reader = known_readers()[extension]
    return [] if reader.names is None else reader.names(content)
