"""Labels of all rows, as they come in, tile by tile: into memory or into a file that is never half."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..runtime.errors import InvalidParameterError
from ..runtime.extras import imported


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
    """Refuse a name that will not do, before any work.

    Raises
    ------
    InvalidParameterError
    """
    if out is None:
        return
    goal = Path(out)
    if goal.suffix not in (".parquet", ".npy"):
        raise InvalidParameterError(f"labels are written as .parquet or .npy. Got {goal.name}")
    if goal.is_dir() or not goal.parent.is_dir():
        raise InvalidParameterError(f"{goal} must be a file in a folder that exists")


def write_labels(tiles: Iterable[NDArray[np.int32]], n_objects: int, out: str | os.PathLike) -> int:
    """Write the labels of all tiles to a file, aside first and then moved; the number of clusters in them."""
    goal, highest = Path(out), -1
    with tempfile.TemporaryDirectory(dir=goal.parent, prefix=".concord-") as aside:
        half = Path(aside) / goal.name
        with _writer(half, n_objects) as write:
            for labels in tiles:
                write(labels)
                highest = max(highest, int(labels.max()))
        os.replace(half, goal)
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
