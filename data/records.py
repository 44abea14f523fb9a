"""What a file can hold: objects with features, base clusterings made elsewhere, or objects and what links them."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from .errors import DataError

Kind = Literal["features", "labels"]
Missing = Literal["refuse", "drop", "mean"]
#: A base clustering that did not see an object has this label for it.
MISSING = -1
#: How it is said that objects were left out because they miss a label.
SET_ASIDE = "are set aside."


def _frozen(array: ArrayLike, dtype: DTypeLike | None = None) -> np.ndarray:
    """Return `array` as a read-only C-contiguous array nobody else can write to."""
    result = np.require(array, dtype=dtype, requirements="C")
    if result.flags.writeable or result.base is not None:
        result = result.copy()
    result.setflags(write=False)
    return result


def _names(names: Sequence[str] | np.ndarray | None) -> np.ndarray | None:
    """Return names as a read-only array of str, None where there are none."""
    return None if names is None else _frozen(np.array([str(name) for name in names], dtype=object))


def _fingerprint(*arrays: np.ndarray | None, names: Iterable[str] = ()) -> str:
    """Hash of the content, 32 hexadecimal digits; names count where there are any."""
    digest = hashlib.blake2b("\0".join(names).encode(), digest_size=16)
    for array in arrays:
        digest.update(b"none" if array is None else f"{array.shape} {array.dtype.str}".encode())
        if array is not None:
            digest.update(array.data)
    return digest.hexdigest()


def class_name(source: "Dataset | Pool | Graph", label: int) -> str:
    """What a class is called: by its name where it has one, else by its number.

    >>> class_name(Dataset("pair", [[0], [1]], [0, 5], "typed in", class_names=("no",)), 5)
    '5'
    """
    known = 0 <= label < len(source.class_names)
    return source.class_names[label] if known else str(label)


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
    identifiers : ndarray of shape (N,), str, or None
        What each object is called where the file says so, "" where it does not say.
    class_names : tuple of str
        What the classes 0, 1, ... are called where they have names, or empty.
    answers : mapping of str to ndarray of shape (N,)
        Clusterings of one's own that came along, by column: to be compared with, never used.
    rows : ndarray of shape (N,), int, or None
        Where the objects stood, from 0, before rows were dropped; None: all are here.

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
    identifiers: np.ndarray | None = None
    class_names: tuple[str, ...] = ()
    answers: Mapping[str, np.ndarray] = field(default_factory=dict)
    rows: np.ndarray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "features", _frozen(self.features, np.float64))
        object.__setattr__(self, "identifiers", _names(self.identifiers))
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

    @property
    def columns(self) -> tuple[str, ...]:
        """What the features are called: as in the file, else "feature 1" and so on; D names."""
        return self.feature_names or tuple(f"feature {i + 1}" for i in range(self.n_features))

    @cached_property
    def fingerprint(self) -> str:
        """Hash of features, classes, own answers and all names, 32 hexadecimal digits."""
        own = () if self.identifiers is None else self.identifiers
        names = [*self.answers, *own, *self.feature_names, *self.class_names]
        return _fingerprint(self.features, self.labels, *self.answers.values(), names=names)


@dataclass(frozen=True, eq=False)
class Pool:
    """Base clusterings made elsewhere, and the true labels if known.

    Parameters
    ----------
    name : str
        Name as in the catalog, or the uploaded file's name without extension.
    members : ndarray of shape (N, M), integer
        One base clustering a column; any integers, gaps and negatives included, `MISSING` where there is no label.
        Read-only.
    labels : ndarray of shape (N,), int, or None
        True classes.
    source : str
        Where the pool comes from, in words.
    notes : tuple of str
        What a reader of the pool should know.
    rows : ndarray of shape (N,), int, or None
        Where the objects stood, from 0, before others were dropped or set aside; None: all are here.
    identifiers : ndarray of shape (N,), str, or None
        What each object is called where the file says so, "" where it does not say.
    clustering_names : tuple of str
        P names, one a base clustering, or empty.
    class_names : tuple of str
        What the classes 0, 1, ... are called where they have names, or empty.
    answers : mapping of str to ndarray of shape (N,)
        Clusterings of one's own that came along, by column: to be compared with, never used.
    """

    name: str
    members: np.ndarray
    labels: np.ndarray | None
    source: str
    notes: tuple[str, ...] = ()
    rows: np.ndarray | None = None
    identifiers: np.ndarray | None = None
    clustering_names: tuple[str, ...] = ()
    class_names: tuple[str, ...] = ()
    answers: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "members", _frozen(self.members))
        object.__setattr__(self, "identifiers", _names(self.identifiers))
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

    @cached_property
    def fingerprint(self) -> str:
        """Hash of base clusterings, classes, own answers and all names, 32 hexadecimal digits."""
        own = () if self.identifiers is None else self.identifiers
        names = [*self.clustering_names, *self.answers, *own, *self.class_names]
        return _fingerprint(self.members, self.labels, *self.answers.values(), names=names)

    def labelled_everywhere(self) -> "Pool":
        """The pool of those objects that every base clustering labels, `rows` saying which they are.

        Returns
        -------
        Pool
            This one where no label is missing; identifiers and classes go with their objects.

        Raises
        ------
        DataError
            If there are fewer than two.

        Examples
        --------
        >>> pool = Pool("own", np.array([[0, 1], [0, MISSING], [2, 2]]), None, "by hand")
        >>> pool.labelled_everywhere().rows.tolist()
        [0, 2]
        """
        kept = np.flatnonzero(np.all(self.members != MISSING, axis=1))
        if len(kept) == self.n_objects:
            return self
        if len(kept) < 2:
            raise DataError(f"Fewer than two objects of {self.name} have a label in every base clustering.")
        note = f"{self.n_objects - len(kept):,} of {self.n_objects:,} objects that miss a label {SET_ASIDE}"
        labels, names = (None if one is None else one[kept] for one in (self.labels, self.identifiers))
        rows = kept if self.rows is None else self.rows[kept]
        few = replace(self, members=self.members[kept], labels=labels, notes=(*self.notes, note), rows=rows)
        return replace(few, identifiers=names, answers={name: one[kept] for name, one in self.answers.items()})


@dataclass(frozen=True, eq=False)
class Graph:
    """Objects and the edges between them, with features, places and true labels if known.

    Edges are as they were brought; what counts as an edge is the engine's to say (`engine.Graph.of_edges`).

    Parameters
    ----------
    name : str
        Name as in the catalog, or the uploaded file's name without extension.
    n_objects : int
        N, isolated ones included.
    sources, targets : ndarray of shape (E,), int64
        The objects at both ends of every edge.
    weights : ndarray of shape (E,), float64
        One an edge.
    labels : ndarray of shape (N,), int, or None
        True classes.
    source : str
        Where the graph comes from, in words.
    notes : tuple of str
        What a reader of the graph should know.
    features : ndarray of shape (N, D), float64, or None
        Unscaled and finite.
    feature_names : tuple of str
        D names, or empty.
    coordinates : ndarray of shape (N, 2), float64, or None
        Where the objects are drawn, as the file says.
    identifiers : ndarray of shape (N,), str, or None
        What each object is called where the file says so.
    class_names : tuple of str
        What the classes 0, 1, ... are called where they have names, or empty.
    answers : mapping of str to ndarray of shape (N,)
        Clusterings of one's own that came along, by column: to be compared with, never used.
    """

    name: str
    n_objects: int
    sources: np.ndarray
    targets: np.ndarray
    weights: np.ndarray
    labels: np.ndarray | None
    source: str
    notes: tuple[str, ...] = ()
    features: np.ndarray | None = None
    feature_names: tuple[str, ...] = ()
    coordinates: np.ndarray | None = None
    identifiers: np.ndarray | None = None
    class_names: tuple[str, ...] = ()
    answers: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, dtype in (("sources", np.int64), ("targets", np.int64), ("weights", np.float64)):
            object.__setattr__(self, name, _frozen(getattr(self, name), dtype))
        for name, kept in (("features", np.float64), ("coordinates", np.float64), ("labels", None)):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, _frozen(getattr(self, name), kept))
        object.__setattr__(self, "identifiers", _names(self.identifiers))

    @property
    def n_features(self) -> int:
        """Number of features D, 0 where there are none."""
        return 0 if self.features is None else self.features.shape[1]

    @property
    def columns(self) -> tuple[str, ...]:
        """What the features are called: as in the file, else "feature 1" and so on; D names."""
        return self.feature_names or tuple(f"feature {i + 1}" for i in range(self.n_features))

    @cached_property
    def fingerprint(self) -> str:
        """Hash of edges, features, places, classes, own answers and all names, 32 hexadecimal digits."""
        own = () if self.identifiers is None else self.identifiers
        ends, beside = (self.sources, self.targets, self.weights), (self.features, self.coordinates, self.labels)
        arrays = *ends, *beside, np.array(self.n_objects), *self.answers.values()
        return _fingerprint(*arrays, names=[*self.answers, *own, *self.feature_names, *self.class_names])


#: What a file, or a name of the catalog, can stand for.
Content = Dataset | Pool | Graph
