"""What the process that opens files of labels does for `files` (see `engine/runtime/side_worker.py`), within limits.

Whatever a file does to its reader, it does not do to whoever computes: the process may take so much memory, so many
seconds a step, busy or asleep, and can be ended (Windows has none of these limits, macOS none of memory). A file may
lie on a slow machine: a step reads little. An answer is rows of labels, or JSON in bytes.
"""

import io
import json
import math
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

resource: Any
try:
    import resource
except ImportError:  # not of this system: no limits then
    resource = None

#: Cells of a Parquet file that are unpacked, and bytes of a file that are read, in one step.
_STEP, _BYTES = 1 << 22, 1 << 20
#: How pandas calls the names of rows: no base clustering.
_INDEX = re.compile(r"__index_level_\d+__")
#: Limits that this process was started with.
_OUTER: dict[int, tuple[int, int]] = {}


class _RefusedError(Exception):
    """Why a file cannot be read, in words that follow its name."""


def solve(given: dict[str, NDArray]) -> NDArray:
    """The answer to a question in JSON: what a header says, or rows first..stop of some columns."""
    asked = json.loads(given["asked"].tobytes())
    read = _npy if asked["path"].endswith(".npy") else _parquet
    if read is _parquet:
        import pyarrow.parquet  # noqa: F401 - before the time runs: that takes as long as it takes
    step = _limit(asked.pop("seconds"), asked.pop("n_bytes"))
    step()
    try:
        found = read(step=step, **asked)
    except _RefusedError as error:
        found = {"refused": str(error)}
    except MemoryError:
        found = {"refused": " takes more memory than a reader may. Write it in smaller row groups"}
    except (OSError, ValueError, KeyError, EOFError) as error:  # Arrow's are ValueErrors, those of names KeyErrors
        reason = " ".join(str(error).split())[:200]
        found = {"refused": f" cannot be read as {'NPY' if read is _npy else 'Parquet'}: {reason}"}
    finally:
        _no_alarm()
    return found if isinstance(found, np.ndarray) else np.frombuffer(json.dumps(found).encode(), np.uint8)


def _limit(seconds: float, n_bytes: int) -> Callable[[], None]:
    """Limit the memory of this process from here on; what is returned begins a step, which may take so long."""
    if resource is None:
        return lambda: None
    own = Path("/proc/self/statm")
    if own.exists():
        _allow(resource.RLIMIT_AS, int(own.read_bytes().split()[0]) * resource.getpagesize() + n_bytes)
    _allow(resource.RLIMIT_CORE, 0)

    def step() -> None:
        _allow(resource.RLIMIT_CPU, math.ceil(time.process_time() + seconds))
        signal.alarm(math.ceil(seconds))

    return step


def _allow(kind: int, wanted: int) -> None:
    """So much for now; never more than whoever started this process allows it."""
    outer, most = _OUTER.setdefault(kind, resource.getrlimit(kind))
    bounds = [one for one in (wanted, outer, most) if one != resource.RLIM_INFINITY]
    resource.setrlimit(kind, (min(bounds), most))


def _no_alarm() -> None:
    if hasattr(signal, "alarm"):
        signal.alarm(0)


def _npy(path: str, step: Callable[[], None], first: int = 0, stop: int = -1, columns: Any = None) -> Any:
    """Shape of a matrix of numbers, or its rows; nothing is mapped, a file may shrink while it is read."""
    with open(path, "rb") as file:
        version = np.lib.format.read_magic(file)
        header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, by_columns, kind = header(file)
        if len(shape) != 2 or shape[0] < 0 or shape[1] < 1 or kind.kind not in "iufb":
            raise _RefusedError(f" must hold a matrix of numbers. Got {kind} of shape {shape}")
        n_rows, n_columns = shape
        start = file.tell()
        if start + kind.itemsize * n_rows * n_columns > os.fstat(file.fileno()).st_size:
            raise _RefusedError(" cannot be read as NPY: it is shorter than its header says")
        if columns is None:
            return {"n_rows": n_rows, "columns": [str(m + 1) for m in range(n_columns)]}
        if n_columns != len(columns) or stop > n_rows:
            return np.empty((0, n_columns))
        if not by_columns:
            file.seek(start + kind.itemsize * n_columns * first)
            return _filled(file, np.empty((stop - first, n_columns), kind), step)
        found = np.empty((n_columns, stop - first), kind)
        for m in range(n_columns):
            file.seek(start + kind.itemsize * (n_rows * m + first))
            _filled(file, found[m], step)
        return found.T


class _Source(io.FileIO):
    """A file whose bytes come in steps, however many are asked for at once."""

    def __init__(self, path: str, step: Callable[[], None]):
        super().__init__(path)
        self._step = step

    def read(self, size: int | None = -1) -> bytes:
        """So many bytes, or all that are left."""
        left = os.fstat(self.fileno()).st_size if size is None or size < 0 else size
        pieces = []
        while left > 0 and (piece := super().read(min(left, _BYTES))):
            pieces.append(piece)
            left -= len(piece)
            self._step()
        return b"".join(pieces)


def _filled(file: Any, array: NDArray, step: Callable[[], None]) -> NDArray:
    """The array, filled from the file."""
    into, place = array.reshape(-1).view(np.uint8), 0
    while place < array.nbytes and (got := file.readinto(into[place : place + _BYTES])):
        place += got
        step()
    if place < array.nbytes:
        raise _RefusedError(" does not hold what its header said: it is damaged, or changed while it was read")
    return array


def _parquet(path: str, step: Callable[[], None], first: int = 0, stop: int = -1, columns: Any = None) -> Any:
    """Rows and names of columns, or of the row groups that reach into first..stop its rows; missing ones are NaN."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Arrow's own pool lies in a gigabyte that it takes ahead, whatever the limit.
    pa.set_memory_pool(pa.system_memory_pool())
    opened = pq.ParquetFile(_Source(path, step))
    if columns is None:
        return _header(opened, pa.types)
    begun, parts = 0, []
    for group in range(opened.metadata.num_row_groups):
        n_rows = opened.metadata.row_group(group).num_rows
        begin, end = max(first, begun), min(stop, begun + n_rows)
        if begin < end:
            if set(columns) - set(opened.schema_arrow.names):
                return np.empty((0, 0))
            cut = slice(begin - begun, end - begun)
            parts.append(np.column_stack(list(_cut(opened, group, columns, max(1, _STEP // n_rows), cut, step))))
        begun += n_rows
    return np.concatenate(parts) if parts else np.empty((0, len(columns)))


def _cut(opened: Any, group: int, columns: list[str], n_each: int, cut: slice, step: Any) -> Iterator[NDArray]:
    """Rows of a row group, column by column; so many columns are unpacked in one step."""
    for place in range(0, len(columns), n_each):
        step()
        table = opened.read_row_group(group, columns=columns[place : place + n_each], use_threads=False)
        for name in columns[place : place + n_each]:
            found = table.column(name).to_numpy()[cut]  # with gaps, whole numbers are floats, but truth values objects
            yield found.astype(float) if found.dtype == object else found.copy()  # a view would keep the whole column


def _indexes(schema: Any) -> set[str]:
    """Columns that are the index of a data frame: pandas says so beside them, or in their names."""
    try:
        said = json.loads((schema.metadata or {}).get(b"pandas", b"{}")).get("index_columns")
    except (ValueError, AttributeError):  # somebody else's words
        said = None
    named = {name for name in said if isinstance(name, str)} if isinstance(said, list) else set()
    return named | {name for name in schema.names if _INDEX.fullmatch(name)}


def _header(opened: Any, types: Any) -> dict[str, Any]:
    schema = opened.schema_arrow
    indexes = _indexes(schema)
    names = [name for name in schema.names if name not in indexes]
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise _RefusedError(f" has two columns {twice[0]}: base clusterings are told apart by their names")
    for field in map(schema.field, names):
        kinds = (types.is_integer, types.is_floating, types.is_boolean, types.is_null)  # the last where all are missing
        if not any(is_kind(field.type) for is_kind in kinds):
            raise _RefusedError(f", {_first_text(opened, field.name)}: labels must be numbers")
    return {"n_rows": opened.metadata.num_rows, "columns": names}


def _first_text(opened: Any, name: str) -> str:
    """Row and column of the first value that is no number, for a message."""
    for batch in opened.iter_batches(columns=[name]):
        for row, value in enumerate(batch.column(0).to_pylist()):
            if value is not None and not str(value).lstrip("-").isdigit():
                return f"row {row + 1:,}, column {name}: {str(value)[:40]!r}"
        break
    return f"row 1, column {name}: text"
