"""One reader per file format; all hand on a Table."""

from functools import partial

from ..errors import DataError
from ..limits import check_bytes
from ..records import Kind
from .anndata import names_h5ad, read_h5ad
from .matlab import names_mat, read_mat
from .numpy_files import is_long_npy, names_npz, read_npy, read_npz
from .parquet import is_long_parquet, read_parquet
from .tables import Table
from .text import read_text
from .zipped import Reader, read_zip

_FILES: dict[str, Reader] = {
    ".csv": read_text,
    ".tsv": read_text,
    ".txt": read_text,
    ".npy": read_npy,
    ".npz": read_npz,
    ".mat": read_mat,
    ".parquet": read_parquet,
    ".h5ad": read_h5ad,
}
READERS: dict[str, Reader] = {**_FILES, ".zip": partial(read_zip, _FILES)}
TEXT_EXTENSIONS = (".csv", ".tsv", ".txt")


def read_table(extension: str, content: bytes, kind: Kind, label_column: str | int | None) -> Table:
    """Return the table in `content`, read as the file's extension says.

    Raises
    ------
    DataError
        If the extension is unknown or the content cannot be read as such a file.
    """
    if extension not in READERS:
        formats = ", ".join(sorted(READERS))
        raise DataError(f"Files ending in {extension or 'nothing'} are not read here. Save it as one of {formats}.")
    if not content:
        raise DataError("The file is empty (0 bytes). Check that it was saved completely.")
    check_bytes(len(content))
    try:
        return READERS[extension](content, kind, label_column)
    except MemoryError:
        raise DataError("Reading the file takes more memory than there is. Bring a smaller part.") from None
    except ModuleNotFoundError as error:  # pyarrow and h5py are optional where the app is not
        line = f"pip install {error.name}"
        raise DataError(f"Reading {extension} needs the package {error.name}. Install it: {line}") from None


def is_long(extension: str, content: bytes) -> bool:
    """Return whether a file of plain numbers (NPY, Parquet) can only be base clusterings, by its rows and types."""
    looks = {".npy": is_long_npy, ".parquet": is_long_parquet}.get(extension)
    return looks is not None and looks(content)


def array_names(extension: str, content: bytes) -> list[str]:
    """Return the names of the arrays in a MAT, NPZ or H5AD file, none for other formats."""
    names = {".mat": names_mat, ".npz": names_npz, ".h5ad": names_h5ad}.get(extension)
    return [] if names is None else names(content)
