"""Files of labels: what their headers say, runs of their rows, and labels written as they come, never half a file."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..console import replacing
from ..runtime.errors import InvalidEnsembleError, InvalidParameterError, imported

_KINDS = (".parquet", ".npy")


@dataclass(frozen=True)
class File:
    """A file of labels; `columns` name the base clusterings as the first file does, in an NPY file by their numbers."""

    path: str
    n_rows: int
    columns: tuple[str, ...]

    @property
    def n_columns(self) -> int:
        """M."""
        return len(self.columns)


@dataclass(frozen=True)
class Piece:
    """Rows first..stop of a file."""

    file: File
    first: int
    stop: int

    def __len__(self) -> int:
        return self.stop - self.first

    def read(self) -> NDArray:
        """The rows as they are stored: (rows, M); refused if the file is no longer what its header said."""
        path, kind = self.file.path, _kind(self.file)
        try:
            found = _read_npy(self) if kind == "NPY" else _read_parquet(self)
        except (OSError, ValueError, KeyError) as error:  # Arrow's errors are ValueErrors, those of names KeyErrors
            if isinstance(error, InvalidEnsembleError):
                raise
            reason = " ".join(str(error).split())[:200]
            raise InvalidEnsembleError(
                f"{path}, rows {self.first + 1:,} to {self.stop:,}, cannot be read as {kind}: {reason}"
            ) from error
        if found.shape != (len(self), self.file.n_columns) or found.dtype.kind not in "iufb":
            raise InvalidEnsembleError(f"{path} was changed while it was read. Begin again once nobody writes to it")
        return found


def paths_of(source: Any) -> list[str]:
    """Files of a pattern, a folder, a path or a list; those of a pattern or folder by name, numbers as numbers."""
    if isinstance(source, Sequence) and not isinstance(source, str):
        found = [str(path) for path in source]
    elif Path(source).is_dir():
        found = sorted((str(path) for path in Path(source).iterdir() if path.suffix in _KINDS), key=_natural)
    else:
        found = [str(source)] if Path(source).is_file() else sorted(glob(str(source)), key=_natural)
    if not found:
        raise InvalidEnsembleError(f"labels must be files in Parquet or NPY. There is none at {source}")
    for path in found:
        if Path(path).suffix not in _KINDS:
            raise InvalidEnsembleError(f"labels must be files in Parquet or NPY. Got {path}")
    return found


def _natural(path: str) -> list[tuple[bool, int, str]]:
    """Order in which part_2 comes before part_10."""
    return [(not word.isdecimal(), int(word) if word.isdecimal() else 0, word) for word in re.split(r"(\d+)", path)]


def look_at(paths: Sequence[str]) -> list[File]:
    """What the headers say, checked against each other."""
    files = [_npy_header(path) if path.endswith(".npy") else _parquet_header(path) for path in paths]
    return [files[0], *(_in_order_of(files[0], file) for file in files[1:])]


def _in_order_of(first: File, file: File) -> File:
    """The file, read by the names of the first one: whoever wrote it may have had another order."""
    if missing := [name for name in first.columns if name not in file.columns]:
        named = "NPY" not in (_kind(first), _kind(file))
        what = f"has no column {missing[0]}" if named else f"has {file.n_columns} columns"
        raise InvalidEnsembleError(f"{file.path} {what}, and {first.path} has {first.n_columns} columns")
    if extra := [name for name in file.columns if name not in first.columns]:
        raise InvalidEnsembleError(f"{file.path} has a column {extra[0]}, and {first.path} has none")
    if _kind(first) != _kind(file) and first.columns != file.columns:
        raise InvalidEnsembleError(
            f"{first.path} and {file.path} have their columns in another order, and NPY has no names to read them by. "
            "Write all files in Parquet"
        )
    return replace(file, columns=first.columns)


def _kind(file: File) -> str:
    return "NPY" if file.path.endswith(".npy") else "Parquet"


def _npy_header(path: str) -> File:
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise InvalidEnsembleError(f"{path} cannot be read as NPY: {error}") from error
    if array.ndim != 2 or array.dtype.kind not in "iufb":
        raise InvalidEnsembleError(f"{path} must hold a matrix of numbers. Got {array.dtype} of shape {array.shape}")
    return File(path, array.shape[0], tuple(str(m + 1) for m in range(array.shape[1])))


def _parquet_header(path: str) -> File:
    opened = _open_parquet(path)
    types, names = imported("pyarrow", "Parquet").types, opened.schema_arrow.names
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise InvalidEnsembleError(f"{path} has two columns {twice[0]}: base clusterings are told apart by their names")
    for field in opened.schema_arrow:
        if not (types.is_integer(field.type) or types.is_floating(field.type) or types.is_boolean(field.type)):
            raise InvalidEnsembleError(f"{path}, {_first_text(opened, field.name)}: labels must be numbers")
    return File(path, opened.metadata.num_rows, tuple(names))


def _open_parquet(path: str) -> Any:
    pyarrow = imported("pyarrow", "Parquet")
    parquet = imported("pyarrow.parquet", "Parquet", "pyarrow")
    try:
        return parquet.ParquetFile(path)
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InvalidEnsembleError(f"{path} cannot be read as Parquet: {error}") from error


def _first_text(opened: Any, name: str) -> str:
    """Row and column of the first value that is no number, for a message."""
    for batch in opened.iter_batches(columns=[name]):
        for row, value in enumerate(batch.column(0).to_pylist()):
            if value is not None and not str(value).lstrip("-").isdigit():
                return f"row {row + 1:,}, column {name}: {str(value)[:40]!r}"
        break
    return f"row 1, column {name}: text"


def _read_npy(piece: Piece) -> NDArray:
    return np.array(np.load(piece.file.path, mmap_mode="r", allow_pickle=False)[piece.first : piece.stop])


def _read_parquet(piece: Piece) -> NDArray:
    """Of the row groups that reach into the piece, its rows; missing values become NaN."""
    opened, start, parts = _open_parquet(piece.file.path), 0, []
    for group in range(opened.metadata.num_row_groups):
        stop = start + opened.metadata.row_group(group).num_rows
        begin, end = max(piece.first, start), min(piece.stop, stop)
        if begin < end:
            table = opened.read_row_group(group, columns=list(piece.file.columns), use_threads=False)
            if table.num_columns != piece.file.n_columns:
                return np.empty((0, table.num_columns))
            columns = [table.column(name).to_numpy() for name in piece.file.columns]
            parts.append(np.column_stack([column[begin - start : end - start] for column in columns]))
        start = stop
    return np.concatenate(parts) if parts else np.empty((0, piece.file.n_columns))


def numbered(tiles: Iterable[NDArray[np.int32]], n_clusters: int) -> Iterator[NDArray[np.int32]]:
    """Labels numbered 0.. by first appearance over all tiles, which come in order."""
    number, n_found = np.full(n_clusters, -1, np.int32), 0
    for labels in tiles:
        found, first = np.unique(labels, return_index=True)
        for label in found[np.argsort(first)]:
            if number[label] < 0:
                number[label], n_found = n_found, n_found + 1
        yield number[labels]


def require_writable(out: str | os.PathLike | None) -> None:
    """Refuse a name that will not do, before any work."""
    if out is None:
        return
    goal = Path(out)
    if goal.suffix not in (".parquet", ".npy"):
        raise InvalidParameterError(f"labels are written as .parquet or .npy. Got {goal.name}")
    if goal.is_dir() or not goal.parent.is_dir():
        raise InvalidParameterError(f"{goal} must be a file in a folder that exists")


def write_labels(tiles: Iterable[NDArray[np.int32]], n_objects: int, out: str | os.PathLike) -> int:
    """Write the labels of all tiles to a file, aside first and then moved; the number of clusters in them."""
    highest = -1
    with replacing(out) as half, _writer(half, n_objects) as write:
        for labels in tiles:
            write(labels)
            highest = max(highest, int(labels.max()))
    return highest + 1


@contextmanager
def _writer(path: Path, n_objects: int) -> Iterator[Any]:
    if path.suffix == ".npy":
        with path.open("wb") as file:
            np.lib.format.write_array_header_1_0(file, {"descr": "<i4", "fortran_order": False, "shape": (n_objects,)})
            yield lambda labels: file.write(labels.astype("<i4").tobytes())
        return
    pyarrow, parquet = imported("pyarrow", "Parquet"), imported("pyarrow.parquet", "Parquet", "pyarrow")
    schema = pyarrow.schema([("label", pyarrow.int32())])
    with parquet.ParquetWriter(path, schema) as file:
        yield lambda labels: file.write_table(pyarrow.table({"label": labels}, schema=schema))
