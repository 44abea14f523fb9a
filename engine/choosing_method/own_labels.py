"""Somebody's own label vectors beside the table of the league: scored on the same objects, placed among its methods."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..console import UsageError, data_sets
from ..metrics import ari, nmi
from ..runtime.errors import InvalidParameterError, shown
from .league import GENERATED, Frozen, Standing, frozen, league, no_set, structured

#: Columns of a file that has one label a row, and those it may have beside.
LONG, BESIDE = ("set", "object", "label"), ("method", "draw")
#: As many digits are no place in a file any more.
_DIGITS_OF_A_PLACE = 10
#: Digits of the league's table: what is the same in it is level.
DIGITS = 6

Vectors = dict[tuple[str, str], list[NDArray[np.int64]]]


@dataclass(frozen=True)
class Beside:
    """Somebody's method beside the league.

    Attributes
    ----------
    method : str
        As its column is called.
    sets : tuple of str
        What it was scored on; of several, everything is a mean over them.
    vectors, draws : int
        Label vectors that were scored, and draws a set that the league's numbers are means over, at least.
    nmi, ari : float
        NMI (max) and ARI with the classes.
    place, methods : int
        Its place by ARI with the league's methods around it, and how many these are.
    best : str
        The league's method with the highest ARI there.
    best_ari : float
    loss : float
        ARI below the mean, over all draws of the league, of the best answer of each; below 0 for one ahead of it.
    """

    method: str
    sets: tuple[str, ...]
    vectors: int
    draws: int
    nmi: float
    ari: float
    place: int
    methods: int
    best: str
    best_ari: float
    loss: float


def league_set(name: str) -> Frozen:
    """The objects of a set of the league; refused where it is none, or not the one that was measured."""
    known = {one.set: one for one in league()}
    if name not in known and name not in GENERATED:
        raise no_set(name)
    there = frozen(name)
    if structured(name) and (len(there.truth), there.k) != (known[name].objects, known[name].k):
        raise InvalidParameterError(
            f"{name!r} here has {len(there.truth):,} objects in {there.k} classes; the league's has "
            f"{known[name].objects:,} in {known[name].k}. It is another set"
        )
    return there


def own_vectors(table: Any, name: str | None = None) -> Vectors:
    """Label vectors of a file, (n,) each on the objects of the league, by own method and set.

    `table` is a `data.readers.tables.Table`. It has a column a method, of the set `name`, or one label a row under the
    names `LONG`, and `BESIDE` where there are several methods or draws.
    """
    places = {word: table.names.index(word) for word in (*LONG, *BESIDE) if word in table.names}
    read = data_sets().roles.integers
    found: Vectors = {}
    if all(word in places for word in LONG):
        alone = ["labels"] * table.n_rows  # what the method is called, and the draw, where no column says so
        told = [table.columns[places[word]] if word in places else alone for word in ("method", "set", "draw")]
        keys, first, group = np.unique(np.array(told, str), axis=1, return_index=True, return_inverse=True)
        rows_of = np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group))[:-1])
        objects, labels = read(table, places["object"]), read(table, places["label"])
        if name is not None and name not in keys[1]:
            raise UsageError(f"no row of the file has {name!r} in its column set. Leave out --data, or name another")
        for at in np.argsort(first):  # methods and draws as they come in the file
            (method, of, _), rows = keys[:, at].tolist(), rows_of[at]
            if name not in (None, of):
                continue
            found.setdefault((method, of), []).append(_on_the_league(of, labels[rows], objects[rows]))
        return found
    if name is None:
        raise UsageError(f"say which set the labels are of, --data SET, or give columns {', '.join(LONG)}")
    at, roles = places.get("object"), data_sets().roles
    index = roles.place_of(roles.columns_of(table, "labels"), "identifier") if at is None else None
    objects = _of_an_index(table, index, name) if at is None else _objects(table, at, name)
    beside = [*roles.beside_labels(table), index]
    for place in range(len(table.columns)):
        if place != at and place not in beside:
            called = table.names[place] if table.names else f"column {place + 1}"
            found[called, name] = [_on_the_league(name, read(table, place), objects)]
    return found


def _objects(table: Any, at: int, name: str) -> NDArray[np.int64]:
    """The objects a column says; the identifiers where these are the league's, and it counts the rows of a file."""
    read, there = data_sets().roles.integers, league_set(name).objects
    objects = read(table, at)
    if "identifier" not in table.names or np.isin(there, objects).all():
        return objects
    called = table.columns[table.names.index("identifier")].astype(str)
    return called.astype(np.int64) if set(called) == set(there.astype(str)) else objects


def _of_an_index(table: Any, place: int | None, name: str) -> NDArray[np.int64] | None:
    """The objects that names of rows are, counted from 0 or, as R does, from 1; None where they count none of them."""
    words = [] if place is None else [str(cell).removesuffix(".0") for cell in table.columns[place]]
    if not words or not all(word.isdecimal() and len(word) < _DIGITS_OF_A_PLACE for word in words):
        return None
    there, rows = league_set(name), np.array(words, np.int64)
    for first in (0, 1):
        if len(np.unique(rows)) == len(rows) and rows.min() >= first and rows.max() < there.whole + first:
            if np.isin(there.objects, rows - first).all():
                return rows - first
    return None


def _on_the_league(name: str, labels: NDArray[np.int64], objects: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Labels of the objects that the league has; of the whole set, or of these alone, in their order or by place."""
    there = league_set(name)
    if objects is None:
        if len(labels) not in (there.whole, len(there.objects)):
            some = f" (or {len(there.objects):,}, those of the league)" if len(there.objects) < there.whole else ""
            raise InvalidParameterError(f"{name!r} has {there.whole:,} objects{some}. Got {len(labels):,} labels")
        return labels[there.objects] if len(labels) == there.whole else labels
    number, most = Counter(objects.tolist()).most_common(1)[0]
    if most > 1:
        raise InvalidParameterError(f"object {number} of {name!r} has {most} labels; several draws need a column draw")
    if objects.min() < 0 or objects.max() >= there.whole:
        beyond = objects.min() if objects.min() < 0 else objects.max()
        raise InvalidParameterError(f"the objects of {name!r} are 0 to {there.whole - 1:,}. Got {beyond}")
    missing = np.setdiff1d(there.objects, objects)
    if len(missing):
        some, have = ("object", "has") if len(missing) == 1 else ("objects", "have")
        raise InvalidParameterError(f"{len(missing):,} {some} of {name!r} {have} no label, the first is {missing[0]}")
    order = np.argsort(objects)
    return labels[order[np.searchsorted(objects, there.objects, sorter=order)]]


def beside_league(vectors: Mapping[tuple[str, str], Sequence[ArrayLike]]) -> list[Beside]:
    """Score label vectors as the league does, and say where each method would stand among its own.

    Parameters
    ----------
    vectors : mapping of (str, str) to sequence of (n,) int
        By own method and set, a label vector for each draw, on the objects that the league has of the set.

    Returns
    -------
    list of Beside
        One a method and set, then one a method over all its sets where it has several.

    Raises
    ------
    InvalidParameterError
        For a set that is not in the league or has no classes, and for objects without a label (-1).

    Notes
    -----
    The league's numbers are means over its draws of the ensemble; one vector is one draw, or was found without.
    """
    by_set: dict[str, list[Standing]] = {}
    for one in league():
        by_set.setdefault(one.set, []).append(one)
    found: dict[str, dict[str, tuple[float, float, int]]] = {}
    for (method, name), own in vectors.items():
        if name in GENERATED and not structured(name):
            raise InvalidParameterError(f"{name!r} is one group: there is nothing to score")
        truth = league_set(name).truth
        _check_complete(method, name, own)
        scores = [(nmi(labels, truth, "max"), ari(labels, truth)) for labels in own]
        found.setdefault(method, {})[name] = (*np.mean(scores, axis=0).tolist(), len(own))
    rows = []
    for method, scored in found.items():
        rows += [_beside(method, {name: values}, by_set) for name, values in scored.items()]
        rows += [_beside(method, scored, by_set)] if len(scored) > 1 else []
    return rows


def _check_complete(method: str, name: str, vectors: Sequence[ArrayLike]) -> None:
    """Without a label is in no cluster, here as everywhere; and methods of the league label every object."""
    gaps = max(int((np.asarray(labels) == -1).sum()) for labels in vectors)
    if gaps:
        some = f"{gaps:,} objects have" if gaps > 1 else "1 object has"
        raise InvalidParameterError(
            f"{some} the label -1 in {shown(method)}, of {name!r}: none. Give each a cluster, or one of its own"
        )


def _beside(method: str, scored: dict[str, tuple[float, float, int]], by_set: dict[str, list[Standing]]) -> Beside:
    """Means over sets of what a method scored, among those of the league's methods."""
    tables = [by_set[name] for name in scored]
    keys = [one.method for one in tables[0]]
    means = np.array([[one.ari for one in table] for table in tables]).mean(axis=0).round(DIGITS)
    best_of_draws = np.mean([table[0].ari + table[0].loss for table in tables])
    own_nmi, own, _ = np.mean(list(scored.values()), axis=0)
    place = 1 + int((means > round(own, DIGITS)).sum())
    return Beside(
        method=method,
        sets=tuple(scored),
        vectors=sum(number for *_, number in scored.values()),
        draws=min(table[0].draws for table in tables),
        nmi=float(own_nmi),
        ari=float(own),
        place=place,
        methods=len(keys),
        best=keys[int(means.argmax())],
        best_ari=float(means.max()),
        loss=float(best_of_draws - own),
    )
