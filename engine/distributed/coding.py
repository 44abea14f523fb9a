"""From labels of any value to clusters 0..K-1: what occurs is looked up once, before any work."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..ensemble.clusters import Clusters
from ..runtime.errors import InvalidEnsembleError
from .tiles import LabelMatrix, Tile

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
    low, span = int(values[0]), int(values[-1] - values[0]) + 1
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
    return Seen([values for values, _ in pairs], [counts for _, counts in pairs], n_missing=n_missing)


def _fault(raw: NDArray) -> tuple[int, str] | None:
    """First row that cannot be labels, and why."""
    if raw.dtype.kind not in "iufb":
        return 0, f"labels must be numbers, all of one type. Got {raw.dtype}, {str(raw.flat[0])[:40]!r}"
    if raw.dtype.kind == "u" and (wrong := raw > 2**62).any():
        row, m = np.argwhere(wrong)[0]
        return int(row), f"labels must be below 2^62, and base clustering {m + 1} has {raw[row, m]}"
    if raw.dtype.kind == "f":
        wrong = np.isinf(raw) | (np.abs(np.nan_to_num(raw)) > 2**53) | (np.nan_to_num(raw) % 1 != 0)
        if wrong.any():
            row, m = np.argwhere(wrong)[0]
            return int(row), f"labels must be whole numbers, and base clustering {m + 1} has {raw[row, m]}"
    empty = (as_integers(raw) == MISSING).all(axis=1)
    return (int(empty.argmax()), "no base clustering labels this object") if empty.any() else None


def coding_of(matrix: LabelMatrix, seen: list[Seen]) -> Coding:
    """The coding of a whole matrix from what its tiles hold."""
    if faults := [one.fault for one in seen if one.fault]:
        raise InvalidEnsembleError(faults[0])
    values, sizes = [], []
    for m in range(matrix.n_clusterings):
        found, place = np.unique(np.concatenate([one.values[m] for one in seen]), return_inverse=True)
        if not len(found):
            raise InvalidEnsembleError(f"base clustering {m + 1} labels no object")
        weights = np.concatenate([one.counts[m] for one in seen])
        values.append(found)
        sizes.append(np.bincount(place, weights, minlength=len(found)).astype(np.int64))
    return Coding(tuple(values), np.concatenate(sizes), not any(one.n_missing for one in seen))
