"""The two things a file can hold: objects with features, or base clusterings made elsewhere."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

Kind = Literal["features", "labels"]
Missing = Literal["refuse", "drop", "mean"]


def _frozen(array: ArrayLike, dtype: DTypeLike | None = None) -> np.ndarray:
    """Return `array` as a read-only C-contiguous array nobody else can write to."""
    result = np.require(array, dtype=dtype, requirements="C")
    if result.flags.writeable or result.base is not None:
        result = result.copy()
    result.setflags(write=False)
    return result


@dataclass(frozen=True, eq=False)
class Dataset:
    """Objects with features, and their true labels if known.

    Parameters
    ----------
    name : str
        Name as in the catalog, or the uploaded file's name without extension.
    features : ndarray of shape (N, D), float64
        Unscaled and finite. Kept as a read-only copy.
    labels : ndarray of shape (N,), int, or None
        True classes, any integers.
    source : str
        Where the data come from, in words.
    feature_names : tuple of str
        D names, or empty.
    notes : tuple of str
        What a reader of the data should know: rows dropped, constant columns, ...

    Examples
    --------
    >>> Dataset("pair", [[0, 1], [2, 3]], None, "typed in").features.flags.writeable
    False
    """

    name: str
    features: np.ndarray
    labels: np.ndarray | None
    source: str
    feature_names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", _frozen(self.features, np.float64))
        if self.labels is not None:
            object.__setattr__(self, "labels", _frozen(self.labels))

    @property
    def n_objects(self) -> int:
        """Number of objects N."""
        return self.features.shape[0]

    @property
    def n_features(self) -> int:
        """Number of features D."""
        return self.features.shape[1]


@dataclass(frozen=True, eq=False)
class Pool:
    """Base clusterings made elsewhere, and the true labels if known.

    Parameters
    ----------
    name : str
        Name as in the catalog, or the uploaded file's name without extension.
    members : ndarray of shape (N, M), integer
        One base clustering a column; any integers, gaps and negatives included. Read-only.
    labels : ndarray of shape (N,), int, or None
        True classes.
    source : str
        Where the pool comes from, in words.
    notes : tuple of str
        What a reader of the pool should know.
    """

    name: str
    members: np.ndarray
    labels: np.ndarray | None
    source: str
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", _frozen(self.members))
        if self.labels is not None:
            object.__setattr__(self, "labels", _frozen(self.labels))

    @property
    def n_objects(self) -> int:
        """Number of objects N."""
        return self.members.shape[0]

    @property
    def n_clusterings(self) -> int:
        """Number of base clusterings M in the pool."""
        return self.members.shape[1]
