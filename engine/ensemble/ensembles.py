"""The ensemble: N objects, M base clusterings, and what follows from the labels alone."""

import hashlib
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ..params import require_integer
from ..runtime.errors import InvalidEnsembleError, InvalidParameterError, MissingEvidenceError, shown
from .canonical import CanonicalForm, canonical_form, row_codes
from .clusters import Clusters
from .graphs import Graph
from .microclusters import Microclusters, consecutive, frozen
from .reading_labels import as_labels_and_missing, as_memberships
from .renumbering import renumber_columns, stable_order

Value = TypeVar("Value")


class _Choice(NamedTuple):
    """Which of another ensemble's base clusterings and clusters these are, each in the order they have here."""

    whole: "weakref.ref[Ensemble]"
    clusterings: NDArray[np.int64]
    clusters: NDArray[np.int64]

    def ordered(self, form: CanonicalForm) -> "_Choice":
        """The same in canonical order."""
        return _Choice(self.whole, self.clusterings[form.clusterings], self.clusters[np.argsort(form.numbers)])


#: Clusters for each label, from which a file is more likely one of identifiers or measurements than of clusters.
_MOSTLY_ALONE = 0.5


def nearly_all_alone(n_clusters: int, n_labels: int, n_alone: Callable[[], int]) -> str:
    """What to say of base clusterings most of whose clusters, `n_alone()` of them, have one object each.

    >>> nearly_all_alone(90, 100, lambda: 80)  # doctest: +ELLIPSIS
    'The base clusterings have 90 clusters for 100 labels: 80 of them are one object, ...'
    >>> nearly_all_alone(12, 100, lambda: 0), nearly_all_alone(6, 9, lambda: 3)
    ('', '')
    """
    if n_clusters <= _MOSTLY_ALONE * n_labels or (alone := n_alone()) <= n_clusters / 2:
        return ""
    return (
        f"The base clusterings have {n_clusters:,} clusters for {n_labels:,} labels: {alone:,} of them are one object, "
        "so hardly anything can agree. Are these identifiers or measurements rather than clusters?"
    )


@dataclass(frozen=True, eq=False)
class Ensemble:
    """M base clusterings of N objects. Build it with `Ensemble.from_labels`; all arrays are read-only.

    Attributes
    ----------
    labels : (N, M) int32
        Column m holds labels 0..k_m-1, numbered by first appearance; -1 where a label is missing.
    memberships : (N, K) float64 or None
        Soft memberships in the clusters of all base clusterings, in the order of `offsets`.
    provenance : dict
        Where the labels come from, for display.
    graph : Graph or None
        What links the objects, where they are nodes of a graph.
    toss : int or None
        The seed that drew which of two mirror images is which (`tossed`); None if the order of rows decides.
    """

    labels: NDArray[np.int32]
    memberships: NDArray[np.float64] | None = None
    provenance: dict[str, Any] = field(default_factory=dict)
    graph: Graph | None = None
    toss: int | None = None
    _memo: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    _choice: "_Choice | None" = field(default=None, init=False, repr=False)

    @classmethod
    def from_labels(
        cls,
        labels: ArrayLike,
        memberships: ArrayLike | None = None,
        provenance: dict[str, Any] | None = None,
        missing: int | str | None = -1,
        graph: Graph | None = None,
    ) -> "Ensemble":
        """Build an ensemble from labels of any value.

        Parameters
        ----------
        labels : (N, M) array or DataFrame of int, bool, str, bytes, or integer-valued float
            One base clustering a column; N >= 2, M >= 1. Values may have gaps and be negative. NaN, None, pd.NA, empty
            strings and what a numpy mask hides are missing labels: the base clustering did not see the object, which
            is in none of its clusters.
        memberships : (N, K) array of float, optional
            Soft memberships: base clustering after base clustering a column for each of its clusters, in the ascending
            order of its labels where these are numbers, in that of their first appearance where they are words.
        provenance : dict, optional
            Where the labels come from; numbers of numpy become plain ones.
        missing : int, str or None
            A value that is a missing label too; None if every value is a label.
        graph : Graph, optional
            Of N nodes, which are the objects.

        Returns
        -------
        Ensemble
            Every column numbered 0..k_m - 1 by first appearance, missing labels -1.

        Raises
        ------
        InvalidEnsembleError
            If the shape or a value is not that of labels, an object has no label at all, a base clustering fewer
            than two, or the graph has another number of nodes.

        Examples
        --------
        >>> Ensemble.from_labels([[7, 0], [7, -2], [3, 0]]).labels.tolist()
        [[0, 0], [0, 1], [1, 0]]
        >>> Ensemble.from_labels([[7, 0], [7, -1], [3, 0]]).labels.tolist()
        [[0, 0], [0, -1], [1, 0]]
        """
        matrix, unseen = as_labels_and_missing(labels, missing)
        renumbered = renumber_columns(matrix, unseen)
        if not isinstance(graph, Graph | None):
            raise InvalidEnsembleError(f"graph must be a Graph. Got {shown(graph)}")
        if not isinstance(provenance, Mapping | None):
            raise InvalidEnsembleError(f"provenance must be a mapping of names to values. Got {shown(provenance)}")
        if graph is not None and graph.n_nodes != len(renumbered):
            raise InvalidEnsembleError(f"the graph must have {len(renumbered):,} nodes. Got {graph.n_nodes:,}")
        soft = as_memberships(memberships, renumbered)
        if soft is not None and matrix.dtype.kind in "iub":
            soft = frozen(np.take(soft, _by_first_appearance(matrix, renumbered), axis=1))
        return cls(frozen(renumbered), soft, _plain(provenance or {}), graph)

    @property
    def n_objects(self) -> int:
        """N."""
        return self.labels.shape[0]

    @property
    def objects(self) -> NDArray[np.int64]:
        """The object at every place, as numbered by whoever brought the labels: (N,)."""
        return np.arange(self.n_objects)

    @property
    def n_clusterings(self) -> int:
        """M."""
        return len(self.offsets) - 1

    @cached_property
    def n_clusters_each(self) -> NDArray[np.int64]:
        """Clusters in every base clustering, k_m: (M,)."""
        return frozen(np.diff(self.offsets))

    @cached_property
    def offsets(self) -> NDArray[np.int64]:
        """Global id of the first cluster of every base clustering, and K at the end: (M + 1,)."""
        return frozen(np.concatenate([[0], np.cumsum(self.labels.max(axis=0).astype(np.int64) + 1)]))

    @property
    def n_clusters_total(self) -> int:
        """K, the clusters of all base clusterings together."""
        return int(self.offsets[-1])

    @property
    def finding(self) -> str:
        """What should be known before anything is computed: that most clusters have one object alone, else empty."""
        return nearly_all_alone(self.n_clusters_total, self.labels.size, lambda: int((self.cluster_sizes == 1).sum()))

    @cached_property
    def complete(self) -> bool:
        """Whether every base clustering labels every object."""
        return bool(self.labels.min() >= 0)

    @cached_property
    def n_missing(self) -> int:
        """Labels that are missing."""
        return 0 if self.complete else int((self.labels < 0).sum())

    @cached_property
    def cluster_index(self) -> NDArray[np.int32]:
        """Global cluster id of every object in every base clustering, -1 where its label is missing: (N, M)."""
        index = self.labels + self.offsets[:-1].astype(np.int32)
        return frozen(index if self.complete else np.where(self.labels < 0, np.int32(-1), index))

    @property
    def cluster_sizes(self) -> NDArray[np.int64]:
        """Objects in every cluster: (K,)."""
        return self.clusters.sizes

    @cached_property
    def incidence(self) -> sparse.csr_array:
        """Which object is in which cluster: CSR (N, K) of ones, uint8."""
        n, m = self.labels.shape
        ids, start = self.cluster_index.ravel(), np.arange(0, n * m + 1, m)
        if not self.complete:
            seen = self.labels >= 0
            ids, start = self.cluster_index[seen], np.concatenate([[0], np.cumsum(seen.sum(axis=1))])
        return sparse.csr_array((np.ones(len(ids), np.uint8), ids, start), shape=(n, self.n_clusters_total))

    @cached_property
    def form(self) -> CanonicalForm:
        """The canonical order of base clusterings, clusters and microclusters."""
        return canonical_form(self.labels, self.memberships, self.toss, self.graph)

    @property
    def microclusters(self) -> Microclusters:
        """The groups of objects no base clustering tells apart, in canonical order."""
        return self.form.microclusters

    @cached_property
    def clusters(self) -> Clusters:
        """Which microcluster lies in which cluster; clusters by base clustering, then by first appearance."""
        micro = self.microclusters
        labels = self.labels[micro.representatives]
        table = labels + self.offsets[:-1].astype(np.int32)
        if not self.complete:
            table[labels < 0] = -1
        return Clusters.of_table(table, self.offsets, micro.sizes)

    @property
    def fingerprint(self) -> str:
        """Hash of the content (labels, memberships and graph) and of the toss, if any: 32 hexadecimal digits."""
        return self.content if self.toss is None else f"{self.content[:16]}{self.toss:016x}"

    @cached_property
    def content(self) -> str:
        """Hash of labels, memberships and graph, 32 hexadecimal digits."""
        digest = hashlib.blake2b(repr(self.labels.shape).encode(), digest_size=16)
        digest.update(self.labels.data)
        if self.memberships is not None:
            digest.update(self.memberships.data)
        if self.graph is not None:
            digest.update(self.graph.fingerprint.encode())
        return digest.hexdigest()

    @cached_property
    def canonical(self) -> "CanonicalEnsemble":
        """The same ensemble as every method sees it, so that no order of rows, columns or names decides anything."""
        return CanonicalEnsemble(self)

    def tossed(self, seed: int) -> "Ensemble":
        """The same ensemble, with a toss by a seed for what is a toss: which of exact mirror images is which.

        Parameters
        ----------
        seed : int
            Non-negative.

        Returns
        -------
        Ensemble
            Its microclusters stand in another order, as a method sees them; this one where no groups of objects are
            mirror images (`form.mirrored`), or a seed has decided already.
        """
        seed = require_integer("seed", seed)
        if self.toss is not None or not self.form.mirrored:
            return self
        last = self._memo.get("tossed")
        if last is None or last.toss != seed:
            last = self._memo["tossed"] = replace(self, toss=seed)
        return last

    def remember(self, name: str, make: Callable[[], Value]) -> Value:
        """What `make` answers, made once for this ensemble: for what others derive from it and need again.

        Parameters
        ----------
        name : str
            Under which it is kept; one name, one meaning.
        make : callable
            Without arguments; called the first time alone.

        Returns
        -------
        object
            What `make` answered, the same object every time.
        """
        if name not in self._memo:
            self._memo[name] = make()
        return self._memo[name]

    def remembered(self, name: str) -> Any:
        """What `remember` keeps under a name.

        Parameters
        ----------
        name : str

        Returns
        -------
        object
            None where nobody asked for it yet.
        """
        return self._memo.get(name)

    @property
    def choice(self) -> "tuple[Ensemble, NDArray[np.int64], NDArray[np.int64]] | None":
        """The ensemble that `select` chose this one from, in canonical form, if that is still there.

        With it the ids that this one's clusters have there, (K,), and the base clusterings there that were left out.
        """
        if self._choice is None or (whole := self._choice.whole()) is None:
            return None
        if (canonical := whole._canonical_if_here) is None:
            return None
        left_out = np.setdiff1d(np.arange(whole.n_clusterings), self._choice.clusterings)
        places = np.argsort(whole.form.clusterings).astype(np.int64)
        return canonical, whole.form.numbers[self._choice.clusters].astype(np.int64), places[left_out]

    @property
    def _canonical_if_here(self) -> "CanonicalEnsemble | None":
        return self.__dict__.get("canonical")

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_choice": None, "_memo": {}}  # what others know or derived stays here

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        for name in ("labels", "memberships"):
            if state.get(name) is not None:
                frozen(state[name])  # a copy of an array forgets that it may only be read

    def select(self, clusterings: ArrayLike) -> "Ensemble":
        """The ensemble of some base clusterings, in the order given.

        Parameters
        ----------
        clusterings : (M',) int or (M,) bool
            Columns to keep.

        Returns
        -------
        Ensemble
            (N, M') labels, with the columns `kept` in `provenance`; this one if all columns are kept in their order.

        Raises
        ------
        InvalidEnsembleError
            If none is left, one is not there, or one of the objects would have no label left (see `seen_by`).
        """
        chosen = _places(clusterings, self.n_clusterings, "base clusterings")
        if not len(chosen):
            raise InvalidEnsembleError("an ensemble needs at least 1 base clustering. Got none")
        if np.array_equal(chosen, np.arange(self.n_clusterings)):
            return self
        labels, memberships = frozen(np.take(self.labels, chosen, axis=1)), self._memberships_of(chosen)
        lost = np.flatnonzero((labels < 0).all(axis=1)) if not self.complete else np.empty(0, np.int64)
        if len(lost):
            raise InvalidEnsembleError(
                f"these base clusterings must label every object. Got {len(lost):,} without any label, "
                f"the first in row {lost[0] + 1:,}"
            )
        made = Ensemble(labels, memberships, self._provenance_of(chosen), self.graph)
        if len(np.unique(chosen)) == len(chosen):
            object.__setattr__(made, "_choice", _Choice(weakref.ref(self), chosen, self._columns_of(chosen)))
        return made

    def seen_by(self, clusterings: ArrayLike) -> tuple["Ensemble", NDArray[np.int64]]:
        """The ensemble of some base clusterings on the objects they label, and these objects.

        Parameters
        ----------
        clusterings : (M',) int or (M,) bool

        Returns
        -------
        ensemble : Ensemble
            Of N' objects in M' base clusterings.
        objects : (N',) int64
            Which objects of this ensemble they are, ascending.

        Raises
        ------
        InvalidEnsembleError
            If nothing is left.
        """
        chosen = _places(clusterings, self.n_clusterings, "base clusterings")
        if self.complete or not len(chosen):
            return self.select(chosen), np.arange(self.n_objects)
        return self.among(np.arange(self.n_objects), chosen)

    def drawn(self, clusterings: NDArray[np.int64]) -> tuple["Ensemble", NDArray[np.int64]]:
        """As `seen_by`, with rows in canonical order, and the objects that they are.

        A few of many base clusterings may have mirror images that all together have not. Which is which is then decided
        by the order of rows, and this one does not hang on how the objects were given.

        Parameters
        ----------
        clusterings : (M',) int
            In any order; one may be there more than once.

        Returns
        -------
        ensemble : Ensemble
            Of N' objects in M' base clusterings.
        objects : (N',) int64
            Which objects of this ensemble they are.

        Raises
        ------
        InvalidEnsembleError
            If nothing is left.
        """
        places = np.argsort(self.form.clusterings)[clusterings]
        part, rows = self.canonical.seen_by(np.sort(places))
        return part, self.canonical.objects[rows]

    def of_objects(self, objects: ArrayLike, clusterings: ArrayLike | None = None) -> "Ensemble":
        """The ensemble of some objects; base clusterings that label fewer than two of them are left out.

        Parameters
        ----------
        objects : (N',) int or (N,) bool
            At least 2.
        clusterings : (M',) int, optional
            Base clusterings to keep, by default all.

        Returns
        -------
        Ensemble
            Of N' objects, clusters that lost all theirs left out; base clusterings that are kept stand as `kept` in
            `provenance`, unless all are. Soft memberships stay where all objects do, in their order: on fewer there
            are none.

        Raises
        ------
        InvalidEnsembleError
            If fewer than two objects are left, or one is not there.
        InvalidParameterError
            If there is a graph, and an object is chosen twice.
        """
        m = self.n_clusterings
        columns = np.arange(m) if clusterings is None else _places(clusterings, m, "base clusterings")
        places = _places(objects, self.n_objects, "objects")
        if len(places) < 2:
            raise InvalidEnsembleError(f"an ensemble needs at least 2 objects. Got {len(places)}")
        labels = self.labels[places][:, columns]
        several = (labels >= 0).sum(axis=0) >= 2
        if self.memberships is not None and np.array_equal(places, np.arange(self.n_objects)):
            return self.select(columns[several])
        graph = None if self.graph is None else self.graph.of_nodes(places)
        provenance = self._provenance_of(columns[several])
        return Ensemble.from_labels(labels[:, several], provenance=provenance, graph=graph)

    def among(
        self, objects: NDArray[np.int64], clusterings: NDArray[np.int64] | None = None
    ) -> tuple["Ensemble", NDArray[np.int64]]:
        """As `of_objects`, without those that nothing ties to the others: drawn without whoever shares their labels.

        Parameters
        ----------
        objects : (N',) int64
        clusterings : (M',) int64, optional
            Base clusterings to keep, by default all.

        Returns
        -------
        ensemble : Ensemble
        objects : (N'',) int64
            Which of them are in it.

        Raises
        ------
        InvalidEnsembleError
            As `of_objects`.
        """
        seen = (self.labels[objects] if clusterings is None else self.labels[np.ix_(objects, clusterings)]) >= 0
        left = objects[seen[:, seen.sum(axis=0) >= 2].any(axis=1)]
        return self.of_objects(left, clusterings), left

    def _provenance_of(self, clusterings: NDArray) -> dict[str, Any]:
        """Where base clusterings come from; which of those made first they are, unless they are all of these."""
        if np.array_equal(clusterings, np.arange(self.n_clusterings)):
            return self.provenance
        before = self.provenance.get("kept")
        if not isinstance(before, list) or len(before) != self.n_clusterings:  # somebody's own, which says other things
            before = range(self.n_clusterings)
        before = np.asarray(before)
        return self.provenance | {"kept": before[clusterings].tolist()}

    def _memberships_of(self, clusterings: NDArray) -> NDArray[np.float64] | None:
        if self.memberships is None:
            return None
        return frozen(np.take(self.memberships, self._columns_of(clusterings), axis=1))

    @property
    def given_last(self) -> int:
        """Number of the base clustering that was given last."""
        return self.n_clusterings - 1

    def in_given_order(self, values: NDArray) -> NDArray:
        """Values on the clusters of `canonical`, (K,), put back into this ensemble's order.

        Parameters
        ----------
        values : (K, ...) array
            One row a cluster of `canonical`.

        Returns
        -------
        (K, ...) array
            One row a cluster of this ensemble.
        """
        return values[self.form.numbers]

    def objects_in_given_order(self, values: NDArray) -> NDArray:
        """Values on the objects of `canonical`, (N,), put back into this ensemble's order.

        Parameters
        ----------
        values : (N, ...) array
            One row an object of `canonical`.

        Returns
        -------
        (N, ...) array
            One row an object of this ensemble.
        """
        given = np.empty_like(values)
        given[self.canonical.objects] = values
        return given

    def _columns_of(self, clusterings: NDArray) -> NDArray[np.int64]:
        """Global ids of the clusters of some base clusterings, in their order."""
        return np.concatenate([np.arange(self.offsets[m], self.offsets[m + 1]) for m in clusterings])


def _by_first_appearance(labels: NDArray, renumbered: NDArray) -> NDArray[np.int64]:
    """The columns of all clusters, which stand in the order of their labels (N, M), in that of their numbers: (K,)."""
    order, before = [], 0
    for given, numbers in zip(labels.T, renumbered.T, strict=True):
        seen = numbers >= 0
        _, first = np.unique(given[seen], return_index=True)
        order.append(before + np.argsort(numbers[seen][first]))
        before += len(first)
    return np.concatenate(order)


def _places(chosen: ArrayLike, n: int, what: str) -> NDArray[np.int64]:
    """Which of n are chosen: an empty list is one of no places, not of floats."""
    try:
        found = np.asarray(chosen)
        if found.ndim == 1:
            return np.arange(n)[found if found.size else found.astype(np.int64)]
    except (IndexError, ValueError):
        pass
    raise InvalidEnsembleError(f"{what} are chosen by integers below {n:,}, or a bool for each. Got {shown(chosen)}")


def require_ensemble(ensemble: Any) -> Ensemble:
    """An ensemble, and not the labels that one is made of.

    >>> require_ensemble([[0, 1], [1, 1]])
    Traceback (most recent call last):
    engine.runtime.errors.InvalidParameterError: ensemble must be an Ensemble. Of labels (N, M) make one: \
Ensemble.from_labels(...). Got [[0, 1], [1, 1]]
    """
    if not isinstance(ensemble, Ensemble):
        raise InvalidParameterError(
            f"ensemble must be an Ensemble. Of labels (N, M) make one: Ensemble.from_labels(...). Got {shown(ensemble)}"
        )
    return ensemble


def _plain(value: Any) -> Any:
    """Numbers of numpy as those of Python, also inside mappings and lists."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def require_complete(ensemble: Ensemble, what: str, who: str = "Co-association takes") -> None:
    """Refuse an ensemble that misses labels, for what is made of all; `who` takes them as they are."""
    if ensemble.complete:
        return
    missing = "1 is missing" if ensemble.n_missing == 1 else f"{ensemble.n_missing:,} are missing"
    raise MissingEvidenceError(
        f"{what} needs a label of every object in every base clustering, and {missing}. {who} them as they are; or "
        "drop the objects that miss one, or complete each by its most similar labelled object "
        f"({__package__.partition('.')[0]}.completion)"
    )


class CanonicalEnsemble(Ensemble):
    """An ensemble in canonical form: microclusters one after the other, objects sorted into them.

    Inside a microcluster objects are sorted by a hash of their soft memberships, where there are some, or else of where
    they lie in the graph.
    """

    _objects: NDArray[np.int64]
    _given_last: int

    def __init__(self, given: Ensemble):
        form, micro = given.form, given.microclusters
        memberships, order = given.memberships, np.arange(given.n_objects)
        if memberships is not None:
            memberships = memberships[:, np.argsort(form.numbers)]
            order = np.argsort(row_codes(memberships), kind="stable")
        elif given.graph is not None:
            order = np.argsort(given.graph.codes(micro.assignment), kind="stable")
        objects = frozen(stable_order(micro.assignment, len(micro), order))
        if memberships is not None:
            memberships = frozen(memberships[objects])
        own = replace(
            form,
            clusterings=frozen(np.arange(given.n_clusterings)),
            numbers=frozen(np.arange(given.n_clusters_total, dtype=np.int32)),
            microclusters=consecutive(micro.sizes),
        )
        known = {
            "memberships": memberships,
            "provenance": given.provenance,
            "graph": None if given.graph is None else given.graph.of_nodes(objects),
            "toss": given.toss,
            "_memo": {},
            "_choice": given._choice and given._choice.ordered(form),
            "_objects": objects,
            "_given_last": int(form.clusterings.argmax()),
            "form": own,
            "offsets": form.clusters.offsets,
            "clusters": form.clusters,
        }
        for name, value in known.items():
            object.__setattr__(self, name, value)

    @property
    def objects(self) -> NDArray[np.int64]:
        """The given ensemble's object at every place: (N,)."""
        return self._objects

    @property
    def given_last(self) -> int:
        """Number here of the base clustering that was given last."""
        return self._given_last

    @cached_property
    def labels(self) -> NDArray[np.int32]:  # made when asked for: methods work on microclusters
        """Column m holds canonical labels 0..k_m-1: (N, M)."""
        local = self.clusters.columns().T
        return frozen(np.repeat(local, self.microclusters.sizes, axis=0))

    @property
    def n_objects(self) -> int:
        """N."""
        return len(self.objects)

    @property
    def complete(self) -> bool:
        """Whether every base clustering labels every object."""
        return self.clusters.complete

    @property
    def canonical(self) -> "CanonicalEnsemble":
        """Itself."""
        return self

    _canonical_if_here = canonical

    def tossed(self, seed: int) -> "CanonicalEnsemble":
        """Itself: what is a toss is decided."""
        return self

    def objects_in_given_order(self, values: NDArray) -> NDArray:
        """Values, as they are."""
        return values
