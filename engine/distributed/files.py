"""Files of labels: what their headers say, runs of their rows, and labels written as they come, never half a file."""

import json
import os
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fnmatch import fnmatch
from glob import glob
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..console import is_one_of, replacing
from ..runtime.errors import InvalidEnsembleError, InvalidParameterError, imported
from ..runtime.monitor import SILENT, Monitor
from ..runtime.side_process import SideProcessError, solve_aside

_KINDS = (".parquet", ".npy")
_here = threading.local()
_READER = Path(__file__).with_name("label_reader.py")
#: Seconds in which a reader must get on: read a megabyte more, or unpack a few columns.
READER_SECONDS = 10.0
#: Bytes that a reader may take, and those it may take besides for every label it hands over.
READER_BYTES, _BYTES_A_CELL = 2 * 2**30, 32


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
        where = f", rows {self.first + 1:,} to {self.stop:,},"
        n_bytes = READER_BYTES + _BYTES_A_CELL * len(self) * self.file.n_columns
        asked = {"first": self.first, "stop": self.stop, "columns": self.file.columns}
        found = _asked(self.file.path, where, n_bytes, **asked)
        if found.shape != (len(self), self.file.n_columns) or found.dtype.kind not in "iufb":
            raise InvalidEnsembleError(
                f"{self.file.path} does not hold what its header said: it is damaged, or changed while it was read"
            )
        return found


@contextmanager
def heard_by(monitor: Monitor) -> Iterator[None]:
    """Inside the block, files that this thread reads tick there, and a cancel ends their reader."""
    _here.monitor = monitor
    try:
        yield
    finally:
        del _here.monitor


def _asked(path: str, where: str, n_bytes: int, **asked: Any) -> Any:
    """What the process that reads a file answers: rows, or what a header says; `where` names the part, for messages."""
    question = json.dumps({"path": os.path.abspath(path), "seconds": READER_SECONDS, "n_bytes": n_bytes, **asked})
    try:
        given = {"asked": np.frombuffer(question.encode(), np.uint8)}
        found = solve_aside(_READER, given, f"reading {Path(path).name}", getattr(_here, "monitor", SILENT))
    except SideProcessError as error:
        raise InvalidEnsembleError(f"{path}{where} cannot be read: {error}") from error
    if found.dtype == np.uint8 and found.ndim == 1:
        said = json.loads(found.tobytes())
        if "refused" in said:
            raise InvalidEnsembleError(f"{path}{where}{said['refused']}")
        return said
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
    if any(not path.endswith(".npy") for path in paths):
        imported("pyarrow.parquet", "Parquet", "pyarrow")
    headers = [_asked(path, "", READER_BYTES) for path in paths]
    files = [File(path, said["n_rows"], tuple(said["columns"])) for path, said in zip(paths, headers, strict=True)]
    return [files[0], *(_in_order_of(files[0], file) for file in files[1:])]


def _in_order_of(first: File, file: File) -> File:
    """The file, read by the names of the first one: whoever wrote it may have had another order."""
    if missing := [name for name in first.columns if name not in file.columns]:
        named = "NPY" not in (_kind(first), _kind(file))
        if not named and file.n_columns == first.n_columns:
            raise InvalidEnsembleError(
                f"{first.path} and {file.path} call their columns differently: NPY has no names, and counts them "
                "from 0. Write all files in one format"
            )
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


def numbered(tiles: Iterable[NDArray[np.int32]], n_clusters: int) -> Iterator[NDArray[np.int32]]:
    """Labels numbered 0.. by first appearance over all tiles, which come in order."""
    number, n_found = np.full(n_clusters, -1, np.int32), 0
    for labels in tiles:
        found, first = np.unique(labels, return_index=True)
        for label in found[np.argsort(first)]:
            if number[label] < 0:
                number[label], n_found = n_found, n_found + 1
        yield number[labels]


def require_writable(out: str | os.PathLike | None, source: Any) -> None:
    """Refuse a name that will not do, before any work: no file that is read, and none that would be the next time."""
    if out is None:
        return
    goal = Path(out)
    if goal.suffix not in (".parquet", ".npy"):
        raise InvalidParameterError(f"labels are written as .parquet or .npy. Got {goal.name}")
    if goal.is_dir() or not goal.parent.is_dir():
        raise InvalidParameterError(f"{goal} must be a file in a folder that exists")
    if isinstance(source, str | os.PathLike) and not Path(source).is_file():
        pattern = os.path.join(source, "*") if Path(source).is_dir() else source
        given, read = (Path(os.path.realpath(one)).parts for one in (goal, pattern))
        if len(given) == len(read) and all(map(fnmatch, given, read)):
            raise InvalidParameterError(f"{goal} would be read with the labels the next time. Name another place")
    if not hasattr(source, "shape") and is_one_of(goal, paths_of(source)):
        raise InvalidParameterError(f"{goal} is a file that is read. Name another")


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
