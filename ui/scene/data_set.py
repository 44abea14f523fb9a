"""The data set of a state: what it is called, its features, its classes."""

import numpy as np

from data import DataError, Graph, Pool
from data.records import MISSING, Content, class_name
from engine import Graph as Links
from engine.params import Switch
from ui.compute import data_sets
from ui.figures.numbering import distinct
from ui.session.settings import Setting

SETTINGS = (Setting("truth", True, Switch(), "Whether the truth is shown."),)


def source_if_here(data: str, labelled: bool) -> Content | None:
    """The data set, or the pool with all its objects or those that no base clustering misses; None if it is not here.

    For what is drawn beside a page that says what is missing.
    """
    try:
        return data_sets.find(data, labelled)
    except DataError:
        return None


def source(source_if_here: Content | None, data: str, labelled: bool) -> Content:
    """The same for what cannot do without: DataError says why it is not here."""
    return data_sets.find(data, labelled) if source_if_here is None else source_if_here


def title(data: str) -> str:
    """Name of the data set for people."""
    return data_sets.title_of(data)


class NotThereError(DataError, LookupError):
    """Something is asked that this data set has not."""


def features(source: Content, title: str, scaling: str) -> np.ndarray:
    """The features, scaled: (N, D); NotThereError where there are labels or edges only."""
    if not has_features(source):
        what = "labels" if isinstance(source, Pool) else "edges"
        raise NotThereError(f"{title} has {what} only, and this needs features")
    return data_sets.scaled(source, scaling)


def features_if_any(source: Content, scaling: str) -> np.ndarray | None:
    """The same, or None where there are labels or edges only."""
    return data_sets.scaled(source, scaling) if has_features(source) else None


def has_features(source: Content) -> bool:
    """Whether objects are described by features, and not by labels or edges alone."""
    return getattr(source, "features", None) is not None


def linked(source: Content) -> Links | None:
    """The graph between the objects, where one came with the data."""
    return data_sets.linked(source) if isinstance(source, Graph) else None


def edges(linked: Links | None) -> np.ndarray | None:
    """The two ends of every edge: (E, 2), or None where the data are no graph."""
    return None if linked is None else np.column_stack([linked.sources, linked.targets])


def data_notes(source: Content, linked: Links | None) -> tuple[str, ...]:
    """What was decided while the data were read, and what the rules made of their edges."""
    return (*source.notes, *(() if linked is None else linked.notes))


def truth(source: Content) -> np.ndarray | None:
    """Classes 0.. in the order of their labels, (N,), or None where they are not known."""
    return data_sets.numbered(source)


def classes(truth: np.ndarray | None, title: str) -> np.ndarray:
    """The same for what cannot do without: NotThereError where they are not known."""
    if truth is None:
        raise NotThereError(f"{title} has no classes")
    return truth


def class_names(source: Content) -> list[str]:
    """What the data set calls its classes, in their order."""
    return [] if source.labels is None else [class_name(source, one) for one in np.unique(source.labels).tolist()]


def column_names(source: Content) -> list[str]:
    """What the columns are called: as in the file, else their numbers; no two of them alike."""
    if isinstance(source, Pool):
        return distinct(source.clustering_names) or [f"clustering {i + 1}" for i in range(source.n_clusterings)]
    return distinct(source.columns)


def missing_in_file(source: Content) -> np.ndarray | None:
    """Share of the labels that are missing in each base clustering of a file: (M,), or None where none is."""
    gaps = isinstance(source, Pool) and source.members == MISSING
    return gaps.mean(axis=0) if np.any(gaps) else None


def identifiers(source_if_here: Content | None) -> np.ndarray | None:
    """What the objects are called in their file: (N,) str, "" where it does not say; or None."""
    return None if source_if_here is None else source_if_here.identifiers


def picked(pick: tuple[tuple[int, int], ...]) -> np.ndarray | None:
    """Objects that a person picked, ascending; None if none are. A page knows those too scattered for an address."""
    return np.concatenate([np.arange(first, last + 1) for first, last in pick]) if pick else None


def picked_mask(picked: np.ndarray | None, source: Content) -> np.ndarray | None:
    """The same for every object: (N,) bool, or None."""
    if picked is None or picked[-1] >= source.n_objects:
        return None
    chosen = np.zeros(source.n_objects, bool)
    chosen[picked] = True
    return chosen


def clusters_in_file(source: Content) -> np.ndarray | None:
    """Clusters in each base clustering that came with the file: (M,), or None for features."""
    if not isinstance(source, Pool):
        return None
    return np.array([len(np.unique(column[column != MISSING])) for column in source.members.T])
