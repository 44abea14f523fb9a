"""A label matrix as tiles: runs of rows that are cut by row number alone, however the rows are stored.

Sums are taken tile by tile and added in the order of the tiles. So they are the same bits for any chunks or files, and
for any number of workers. Labels of any value become clusters 0..K-1: what occurs is looked up once, before any work.
"""

import zlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..ensemble.clusters import Clusters
from ..ensemble.reading_labels import unmasked
from ..runtime.errors import InvalidEnsembleError
from .files import File, Piece, look_at, paths_of

#: Rows of a tile. A Parquet row group of more rows is read once for every tile it reaches into.
TILE = 262_144


@dataclass(frozen=True)
class Tile:
    """Consecutive rows from number `first` on: where they lie, or what computes them in a dask.array.

    `mark` is what `mark_of` said of them when they were first read; `shape` is what an array says of itself.
    """

    first: int
    rows: Any
    mark: int | None = None
    shape: tuple[int, int] | None = None

    def read(self) -> NDArray:
        """The rows as they are stored: (rows, M); refused if they are no longer what they were."""
        here = not isinstance(self.rows, tuple)
        found = np.asarray(unmasked(self.rows)) if here else np.concatenate([piece.read() for piece in self.rows])
        if self.shape not in (None, found.shape):
            raise InvalidEnsembleError(
                f"the array says {self.shape} of its rows from {self.first + 1:,} on, and holds {found.shape} there"
            )
        if self.mark is not None and mark_of(found) != self.mark:
            names = "the labels" if here else " or ".join(sorted({piece.file.path for piece in self.rows}))
            rows = f"rows {self.first + 1:,} to {self.first + len(found):,}"
            raise InvalidEnsembleError(
                f"{names} changed while they were read ({rows}). Begin again once nobody writes to them"
            )
        return found

    def place(self, row: int) -> str:
        """Where a row of this tile is, for a message: file and row, counted from 1."""
        if not isinstance(self.rows, tuple):
            return f"row {self.first + row + 1:,}"
        for piece in self.rows:
            if row < len(piece):
                return f"{piece.file.path}, row {piece.first + row + 1:,}"
            row -= len(piece)
        raise IndexError(row)


def mark_of(rows: NDArray) -> int:
    """A checksum of labels as they are stored: every pass over them must read the same."""
    return zlib.crc32(np.ascontiguousarray(rows).view(np.uint8).reshape(-1).data)


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
    placed = zip(range(0, n, tile), parts, strict=True)
    return LabelMatrix(n, m, tuple(Tile(first, part, shape=(min(tile, n - first), m)) for first, part in placed))


#: Stands for a missing label.
MISSING = np.iinfo(np.int64).min
#: Labels that lie closer together than this are looked up in a table.
_WIDEST = 1 << 22


@dataclass(frozen=True)
class Seen:
    """What a tile holds: labels of every base clustering with how often they occur, and its first fault."""

    values: list[NDArray[np.int64]]
    counts: list[NDArray[np.int64]]
    fault: str = ""
    n_missing: int = 0
    mark: int = 0


@dataclass(frozen=True)
class Coding:
    """Which label is which cluster: `values` (k_m,) are labels of every base clustering, ascending; `sizes` (K,)."""

    values: tuple[NDArray[np.int64], ...]
    sizes: NDArray[np.int64]
    complete: bool

    @property
    def offsets(self) -> NDArray[np.int64]:
        """First cluster of every base clustering, and K at the end: (M + 1,)."""
        return np.concatenate([[0], np.cumsum([len(values) for values in self.values])])

    def clusters(self, tile: Tile) -> Clusters:
        """Which row of a tile lies in which cluster."""
        labels = as_integers(tile.read())
        table, offsets = np.empty(labels.shape, np.int32), self.offsets
        for m, values in enumerate(self.values):
            table[:, m] = _looked_up(labels[:, m], values, int(offsets[m]))
        return Clusters.of_table(table, offsets, np.ones(len(table), np.int64))


def _looked_up(labels: NDArray[np.int64], values: NDArray[np.int64], offset: int) -> NDArray[np.int32]:
    """Clusters of the labels of one base clustering, -1 where one is missing."""
    low, span = int(values[0]), int(values[-1]) - int(values[0]) + 1  # Python's numbers do not overflow
    if span > _WIDEST:
        found = (np.searchsorted(values, labels) + offset).astype(np.int32)
        return np.where(labels == MISSING, np.int32(-1), found)
    table = np.empty(span + 1, np.int32)
    table[values - low], table[span] = np.arange(offset, offset + len(values), dtype=np.int32), -1
    return table[np.where(labels == MISSING, span, labels - low)]


def as_integers(labels: NDArray) -> NDArray[np.int64]:
    """Labels as whole numbers: (rows, M); -1 and NaN become `MISSING`, a fraction stays one below the check."""
    if labels.dtype.kind == "f":
        seen = np.isfinite(labels)
        whole = np.where(seen, labels, 0).astype(np.int64)
        return np.where(seen & (whole != -1), whole, MISSING)
    whole = labels.astype(np.int64)
    return np.where(whole == -1, MISSING, whole)


def scan(tile: Tile) -> Seen:
    """Read a tile once: what occurs in it, or where it is wrong."""
    raw = tile.read()
    if fault := _fault(raw):
        row, what = fault
        return Seen([], [], f"{tile.place(row)}: {what}")
    labels = as_integers(raw)
    pairs = [np.unique(column[column != MISSING], return_counts=True) for column in labels.T]
    n_missing = int((labels == MISSING).sum())
    return Seen([values for values, _ in pairs], [counts for _, counts in pairs], "", n_missing, mark_of(raw))


def _fault(raw: NDArray) -> tuple[int, str] | None:
    """First row that cannot be labels, and why."""
    if raw.dtype.kind not in "iufb":
        return 0, f"labels must be numbers, all of one type. Got {raw.dtype}, {str(raw.flat[0])[:40]!r}"
    if raw.dtype.kind in "ui" and (wrong := (raw > 2**62) | (raw < -(2**62))).any():
        row, m = np.argwhere(wrong)[0]
        return int(row), f"labels must lie within 2^62 of 0, and base clustering {m + 1} has {raw[row, m]}"
    if raw.dtype.kind == "f":
        whole = np.nan_to_num(raw.astype(np.float64))
        wrong = np.isinf(raw) | (np.abs(whole) >= 2**53) | (whole % 1 != 0)  # from there on two numbers are one
        if wrong.any():
            row, m = np.argwhere(wrong)[0]
            large = " below 2^53 where they are floats or some are missing" * bool(np.abs(whole[row, m]) >= 2**53)
            return int(row), f"labels must be whole numbers{large}, and base clustering {m + 1} has {raw[row, m]}"
    empty = (as_integers(raw) == MISSING).all(axis=1)
    return (int(empty.argmax()), "no base clustering labels this object") if empty.any() else None


def marked(matrix: LabelMatrix, seen: list[Seen]) -> LabelMatrix:
    """The matrix, whose rows must from here on be what was seen."""
    tiles = (replace(tile, mark=one.mark) for tile, one in zip(matrix.tiles, seen, strict=True))
    return replace(matrix, tiles=tuple(tiles))


def coding_of(matrix: LabelMatrix, seen: list[Seen]) -> Coding:
    """The coding of a whole matrix from what its tiles hold."""
    if faults := [one.fault for one in seen if one.fault]:
        raise InvalidEnsembleError(faults[0])
    values, sizes = [], []
    for m in range(matrix.n_clusterings):
        found, place = np.unique(np.concatenate([one.values[m] for one in seen]), return_inverse=True)
        weights = np.concatenate([one.counts[m] for one in seen])
        if weights.sum() < 2:
            raise InvalidEnsembleError(f"base clustering {m + 1} labels fewer than two objects")
        values.append(found)
        sizes.append(np.bincount(place, weights, minlength=len(found)).astype(np.int64))
    return Coding(tuple(values), np.concatenate(sizes), not any(one.n_missing for one in seen))
