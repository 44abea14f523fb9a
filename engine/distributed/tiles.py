"""A label matrix as tiles: runs of rows that are cut by row number alone, however the rows are stored.

Sums are taken tile by tile and added in the order of the tiles. So they are the same bits for any chunks or files, and
for any number of workers.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..ensemble.reading_labels import unmasked
from ..runtime.errors import InvalidEnsembleError
from .files import File, Piece, look_at, paths_of

#: Rows of a tile. A Parquet row group of more rows is read once for every tile it reaches into.
TILE = 262_144


@dataclass(frozen=True)
class Tile:
    """Consecutive rows from number `first` on: where they lie, or what computes them in a dask.array."""

    first: int
    rows: Any

    def read(self) -> NDArray:
        """The rows as they are stored: (rows, M)."""
        if not isinstance(self.rows, tuple):
            return np.asarray(unmasked(self.rows))
        return np.concatenate([piece.read() for piece in self.rows])

    def place(self, row: int) -> str:
        """Where a row of this tile is, for a message: file and row, counted from 1."""
        if not isinstance(self.rows, tuple):
            return f"row {self.first + row + 1:,}"
        for piece in self.rows:
            if row < len(piece):
                return f"{piece.file.path}, row {piece.first + row + 1:,}"
            row -= len(piece)
        raise IndexError(row)


@dataclass(frozen=True)
class LabelMatrix:
    """Labels of N objects in M base clusterings, not read yet; `tiles` hold all rows, in order."""

    n_objects: int
    n_clusterings: int
    tiles: tuple[Tile, ...]


def open_labels(source: Any, tile: int = TILE) -> LabelMatrix:
    """A label matrix in tiles of rows, its files looked at but not read.

    A text may be a file, a folder or a pattern such as ``FOLDER/*.parquet``: Parquet or NPY, taken in the order of
    their names, numbers as numbers; rows follow each other.
    """
    if hasattr(source, "shape"):
        return _of_array(source, tile)
    files = look_at(paths_of(source))
    starts = np.concatenate([[0], np.cumsum([file.n_rows for file in files])])
    n = int(starts[-1])
    if n < 2:
        raise InvalidEnsembleError(f"the label matrix must have at least 2 rows. Got {n}")
    tiles = tuple(Tile(first, _pieces(files, starts, first, min(first + tile, n))) for first in range(0, n, tile))
    return LabelMatrix(n, files[0].n_columns, tiles)


def _pieces(files: list[File], starts: NDArray, first: int, stop: int) -> tuple[Piece, ...]:
    """Which rows of which files make up the rows first..stop."""
    found = []
    for f in range(int(np.searchsorted(starts, first, side="right")) - 1, len(files)):
        if starts[f] >= stop:
            break
        begin, end = max(first, int(starts[f])), min(stop, int(starts[f + 1]))
        if begin < end:
            found.append(Piece(files[f], begin - int(starts[f]), end - int(starts[f])))
    return tuple(found)


def _of_array(source: Any, tile: int) -> LabelMatrix:
    """Chunks of a dask.array, or slices of an array."""
    if len(source.shape) != 2 or np.isnan(source.shape).any() or source.shape[0] < 2 or source.shape[1] < 1:
        raise InvalidEnsembleError(f"the label matrix must be (N, M), N at least 2 and both known. Got {source.shape}")
    n, m = source.shape
    if hasattr(source, "rechunk"):
        parts = source.rechunk((tile, m)).to_delayed().ravel()
    else:
        parts = [source[first : first + tile] for first in range(0, n, tile)]
    return LabelMatrix(n, m, tuple(Tile(first, part) for first, part in zip(range(0, n, tile), parts, strict=True)))
