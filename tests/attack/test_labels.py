"""Label arrays of every odd kind: the partition they say, or a refusal in words."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from engine import Ensemble, Graph, consensus_methods, run_consensus
from engine.metrics import ari
from engine.runtime.errors import EngineError

from .shared import drawn

#: What says that there is no label, by the type of the others.
NOTHING = (None, np.nan, float("nan"), pd.NA, pd.NaT, "", np.ma.masked, np.float32("nan"), "nan", b"", b"nan")


def _matrix(draw: np.random.Generator, gaps: bool) -> np.ndarray:
    """Labels with -1 where one is missing; every object has one, every base clustering two."""
    n, m = int(draw.integers(2, 30)), int(draw.integers(1, 7))
    labels = draw.integers(0, int(draw.integers(1, 8)), (n, m))
    if gaps:
        hidden = draw.random((n, m)) < 0.2
        hidden[hidden.all(axis=1), 0] = False
        hidden[:, (~hidden).sum(axis=0) < 2] = False
        labels[hidden] = -1
    return labels


def _words(labels: np.ndarray, words: list, dtype: object = object) -> np.ndarray:
    """The same partition under other names; -1 stays -1."""
    made = np.empty(labels.shape, object)
    for place, label in np.ndenumerate(labels):
        made[place] = -1 if label < 0 else words[label]
    return made if dtype is object else made.astype(dtype)


def _missing(labels: np.ndarray, made: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """An object array with odd values where a label is missing."""
    out = made.astype(object)
    for row, column in np.argwhere(labels < 0):
        out[row, column] = NOTHING[int(draw.integers(len(NOTHING)))]
    return out


def _wide(labels: np.ndarray, draw: np.random.Generator) -> np.ndarray:
    """A view into a larger array that skips rows and columns and runs backwards."""
    large = draw.integers(0, 99, (3 * len(labels) + 2, 2 * labels.shape[1] + 1))
    view = large[1::3][: len(labels)][::-1, ::2][:, : labels.shape[1]]
    view[...] = labels
    return view


def _read_only(labels: np.ndarray) -> np.ndarray:
    out = labels.copy()
    out.setflags(write=False)
    return out


_NAMES = ["a", "A", "é", "e\u0301", " a", "-2", "\U0001f600", "\udcff"]
_BYTES = [b"a", b"\xff", b"\xfe\x00x", b"a ", b"\xc3\xa9", b"\xe9", b"0", b"-3"]
_MIXED = [0, "0", b"x", 2.0, True + 4, Fraction(6), np.int8(7), np.str_("w")]
_HUGE = [2**63, -(2**63), 10**40, 2**64 - 1, 0, -5, 2**53, 2**53 + 1]

#: Ways to write one matrix without gaps; what comes of each is the same ensemble.
WHOLE = {
    **{kind: lambda x, _, kind=kind: x.astype(kind) for kind in "i1 i2 >i4 >i8 u1 u2 >u8 f2 f4 >f8 g".split()},
    "bool of two": lambda x, _: x > 0,
    "fortran": lambda x, _: np.asfortranarray(x),
    "strided": _wide,
    "read-only": lambda x, _: _read_only(x),
    "shifted": lambda x, _: x.astype(np.int64) + 2**62,
    "high": lambda x, _: np.uint64(2**64 - 1) - x.astype(np.uint64),
    "negative": lambda x, _: -x - 2,
    "minus zero": lambda x, _: np.where(x == 0, -0.0, x),
    "words": lambda x, _: _words(x, _NAMES, str) if x.max() < 7 else _words(x, list("abcdefgh"), str),
    "words of any length": lambda x, _: np.array(x.astype(str), dtype=np.dtypes.StringDType()),
    "bytes": lambda x, _: _words(x, _BYTES, "S8"),
    "objects": lambda x, _: _words(x, _MIXED),
    "huge": lambda x, _: _words(x, _HUGE),
    "list": lambda x, _: x.tolist(),
    "tuple of arrays": lambda x, _: tuple(x),
    "list of words": lambda x, _: [[f"w\x00{one}\x00" for one in row] for row in x.tolist()],
    "frame": lambda x, _: pd.DataFrame(x),
    "frame of categories": lambda x, _: pd.DataFrame(x).astype("category"),
    "frame of words": lambda x, _: pd.DataFrame(x).astype(str).astype("string"),
    "frame of arrow": lambda x, _: pd.DataFrame(x).astype("int64[pyarrow]"),
    "frame of several": lambda x, _: pd.DataFrame(x).astype({0: "category"}),
    "no mask": lambda x, _: np.ma.array(x),
    "matrix": lambda x, _: np.asmatrix(x),
}

#: The same with gaps, -1 in the matrix.
GAPS = {
    "-1": lambda x, _: x.astype("i1"),
    "-1.0": lambda x, _: x.astype("f4"),
    "nan": lambda x, _: np.where(x < 0, np.nan, x),
    "half nan": lambda x, _: np.where(x < 0, np.nan, x).astype("f2"),
    "mask": lambda x, d: np.ma.array(np.where(x < 0, d.integers(0, 99, x.shape), x), mask=x < 0),
    "mask over nan": lambda x, _: np.ma.array(np.where(x < 0, np.nan, x), mask=x < 0),
    "mask over words": lambda x, _: np.ma.array(x.astype(str), mask=x < 0),
    "mask of unsigned": lambda x, _: np.ma.array(np.abs(x).astype("u1"), mask=x < 0),
    "mask over objects": lambda x, _: np.ma.array(_words(x, _MIXED), mask=x < 0),
    "hard mask": lambda x, _: np.ma.array(np.asfortranarray(x), mask=x < 0, hard_mask=True),
    "masked rows": lambda x, _: [np.ma.array(row, mask=row < 0) for row in x],
    "odd values": lambda x, d: _missing(x, _words(x, _MIXED), d),
    "words": lambda x, d: np.where(x < 0, "", x.astype(str)),
    "word -1": lambda x, d: x.astype(str),
    "bytes": lambda x, d: np.where(x < 0, b"", _words(np.abs(x), _BYTES, "S8")),
    "frame of Int64": lambda x, _: pd.DataFrame(x).astype("Int64").mask(x < 0),
    "frame of words": lambda x, _: pd.DataFrame(x).astype("string").mask(x < 0),
    "frame of categories": lambda x, _: pd.DataFrame(x).mask(x < 0).astype("category"),
    "frame of arrow": lambda x, _: pd.DataFrame(x).astype("int64[pyarrow]").mask(x < 0),
    "lists with None": lambda x, _: [[None if one < 0 else one for one in row] for row in x.tolist()],
    "lists of words": lambda x, _: [[None if one < 0 else str(one) for one in row] for row in x.tolist()],
    "words of any length": lambda x, _: np.array(
        np.where(x < 0, None, x.astype(str)), dtype=np.dtypes.StringDType(na_object=None)
    ),
}

#: What is no matrix of labels, and must be refused.
REFUSED = {
    "nothing": lambda x: [],
    "one number": lambda x: 3,
    "0-d": lambda x: np.array(3),
    "one column alone": lambda x: x[:, 0],
    "three axes": lambda x: x[..., None],
    "no rows": lambda x: x[:0],
    "no columns": lambda x: x[:, :0],
    "one row": lambda x: x[:1],
    "ragged": lambda x: [row[: 1 + i % 2] for i, row in enumerate(np.hstack([x, x]).tolist())],
    "complex": lambda x: x + 0j,
    "halves": lambda x: x + 0.5,
    "infinite": lambda x: np.where(x == x.max(), np.inf, x),
    "beyond floats": lambda x: x + 2.0**60,
    "dates": lambda x: x.astype("M8[s]"),
    "lengths of time": lambda x: x.astype("m8[s]"),
    "structured": lambda x: np.zeros(x.shape, [("a", "i4")]),
    "void": lambda x: np.zeros(x.shape, "V4"),
    "sparse": lambda x: sparse.csr_array(x),
    "sets": lambda x: _words(x, [{1}] * 8),
    "lists in cells": lambda x: _words(x, [[1]] * 8),
    "arrays in cells": lambda x: _words(x, [np.arange(3)] * 8),
    "decimals": lambda x: _words(x, [Decimal(7) / 2] * 8),
    "complex objects": lambda x: _words(x, [1j] * 8),
    "infinite objects": lambda x: _words(x, [math.inf] * 8),
    "a word": lambda x: "labels",
    "bytes": lambda x: b"labels",
    "None": lambda x: None,
    "a mapping": lambda x: {"a": x},
    "a set": lambda x: {1, 2},
    "a generator": lambda x: (row for row in x),
    "all missing": lambda x: np.full(x.shape, np.nan),
    "all hidden": lambda x: np.ma.array(x, mask=True),
    "a type": lambda x: np.ndarray,
}


@pytest.mark.parametrize("way", WHOLE)
def test_labels_are_what_they_say_however_they_are_written(tally, way):
    for case, draw in drawn(20):
        labels = _matrix(draw, gaps=False)
        given = (labels > 0).astype(int) if way.startswith("bool") else labels
        tally.attempt(f"{case}", lambda x=given, y=labels, d=draw: _differ(x, WHOLE[way](y, d)))
    tally.settle()
    assert not tally.counts["refused"]


@pytest.mark.parametrize("way", GAPS)
def test_gaps_are_what_they_say_however_they_are_written(tally, way):
    for case, draw in drawn(20):
        labels = _matrix(draw, gaps=True)
        tally.attempt(f"{case}", lambda x=labels, d=draw: _differ(x, GAPS[way](x, d)))
    tally.settle()
    assert not tally.counts["refused"]


@pytest.mark.parametrize("way", REFUSED)
def test_what_is_no_matrix_of_labels_is_refused(tally, way):
    for case, draw in drawn(2):
        labels = _matrix(draw, gaps=False)
        tally.attempt(f"{case}", lambda x=labels: Ensemble.from_labels(REFUSED[way](x)) and "taken")
    tally.settle()


@pytest.mark.parametrize("missing", [np.int64(-1), np.int8(-1), -1.0, np.float64(-1)])
def test_a_value_for_missing_labels_is_taken_whatever_its_type(tally, missing):
    for case, draw in drawn(5):
        labels = _matrix(draw, gaps=True)
        tally.attempt(f"{case}", lambda x=labels: _differ(x, x, missing))
        tally.attempt(f"{case} floats", lambda x=labels: _differ(x, x.astype(float), missing))
        tally.attempt(f"{case} objects", lambda x=labels: _differ(x, x.astype(object), missing))
    tally.settle()


def _differ(labels: np.ndarray, written: object, missing: object = -1) -> str | None:
    """Whether the ensembles of a plain matrix and of another way to write it differ."""
    plain, odd = Ensemble.from_labels(labels), Ensemble.from_labels(written, missing=missing)
    return None if np.array_equal(plain.labels, odd.labels) else "another ensemble"


@pytest.mark.parametrize(
    "soft",
    ["no", [[1]], [["a"]], [[1], [1, 2]], None.__class__, np.array([[1j]]), {"a": 1}, 3, [[np.nan]], np.zeros((0, 3))],
    ids=repr,
)
def test_odd_memberships_are_refused(tally, soft):
    tally.attempt("odd", lambda: Ensemble.from_labels([[0, 0], [1, 0], [1, 1]], soft) and "taken")
    wanted = np.full((3, 4), 0.25)
    for odd in (wanted + 0j + 1j, wanted.astype(str), np.ma.array(wanted, mask=wanted > 0), -wanted, wanted * np.inf):
        tally.attempt(repr(odd)[:40], lambda odd=odd: Ensemble.from_labels([[0, 0], [1, 0], [1, 1]], odd) and "taken")
    tally.settle()


ODD = (
    *(0, 1, -1, True, 2.0, 2.5, np.nan, np.inf, 10**30, 10**5000, -(10**5000), np.int8(-3), Decimal(2), Fraction(5, 2)),
    *(
        2j,
        "2",
        b"2",
        "lwea\x00",
        "\ud800",
        None,
        pd.NA,
        np.ma.masked,
        np.array([2]),
        np.array(2.0),
        [2],
        (2,),
        {},
        object,
    ),
)


@pytest.mark.parametrize("what", ["key", "n_clusters", "params", "param", "seed", "record"])
def test_odd_arguments_of_a_run_are_refused_or_answered(tally, what):
    draw = np.random.default_rng(0)
    ensemble = Ensemble.from_labels(draw.integers(0, 3, (12, 4)))
    for odd in ODD:
        said = {"key": "lwea", "n_clusters": 2, "params": None, "seed": 0, "record": ()}
        name = "params" if what == "param" else what
        said[name] = {"theta": odd} if what == "param" else odd
        case = repr(odd) if not isinstance(odd, int) or abs(odd) < 10**99 else "huge"
        tally.attempt(case, lambda said=said: _unlike(run_consensus(ensemble=ensemble, **said).labels, 2))
    tally.settle()


def _unlike(labels: np.ndarray, k: int) -> str | None:
    return None if len(np.unique(labels)) == k else f"{len(np.unique(labels))} clusters"


@pytest.mark.parametrize(
    "key", [key for key, one in consensus_methods().items() if not one.needs & {"graph", "memberships"}]
)
def test_order_and_names_decide_nothing(tally, key):
    """Rows and columns shuffled, labels renamed: the same partition, where nothing is a toss."""
    method = consensus_methods()[key]
    for case, draw in drawn(3):
        n, m, most = int(draw.integers(20, 60)), int(draw.integers(3, 8)), int(draw.integers(3, 7))
        truth = draw.integers(0, 3, n)
        labels = np.where(draw.random((n, m)) < 0.7, truth[:, None], draw.integers(0, most, (n, m)))
        rows, columns = draw.permutation(n), draw.permutation(m)
        renamed = np.column_stack([draw.permutation(99)[column] for column in labels[rows][:, columns].T])
        one, other = Ensemble.from_labels(labels), Ensemble.from_labels(renamed)
        if one.form.symmetry:
            continue
        k = None if method.finds_k else int(draw.integers(2, 5))
        tally.attempt(f"{case}", lambda a=one, b=other, k=k, r=rows: _moved(key, a, b, k, r))
    tally.settle()


def _moved(key: str, one: Ensemble, other: Ensemble, k: int | None, rows: np.ndarray) -> str | None:
    first, second = (run_consensus(key, each, k, seed=3).labels for each in (one, other))
    if k and not set(first.tolist()) == set(second.tolist()) == set(range(k)):
        return "another number of clusters than asked for"
    return None if ari(first[rows], second) == 1 else "another partition"


_ENDS = (
    *(
        [0, 1],
        [],
        [0.5, 1],
        [-1, 0],
        [2**40, 0],
        [2**70, 1],
        ["a", "b"],
        [None, 1],
        [np.nan, 1],
        [1j, 0],
        [True, False],
    ),
    *(
        3,
        None,
        "ab",
        {},
        [[0], [1, 2]],
        np.ma.array([0, 1], mask=[1, 0]),
        np.array([0, 1], "M8[s]"),
        np.array([0, 1], "u8"),
    ),
)
_WEIGHTS = (
    *(
        [1],
        [np.nan, 1],
        [np.inf, 1],
        [-1, 0],
        ["a", 1],
        [1j, 1],
        [2**70, 1],
        [10**400, 1],
        [],
        3.0,
        "ab",
        [[1], [1, 2]],
    ),
    *(np.ma.array([1, 5], mask=[1, 0]), np.array([1, None]), {}),
)


def test_odd_edges_are_a_graph_or_refused(tally):
    for odd in _ENDS:
        tally.attempt(f"sources {odd!r}", lambda odd=odd: _beyond(Graph.of_edges(odd, [0, 1], [1, 1], 2)))
        tally.attempt(f"targets {odd!r}", lambda odd=odd: _beyond(Graph.of_edges([0, 1], odd, [1, 1], 2)))
    for odd in _WEIGHTS:
        tally.attempt(f"weights {odd!r}"[:99], lambda odd=odd: _beyond(Graph.of_edges([0, 1], [1, 0], odd, 2)))
    for odd in (0, -1, 1, 2.0, 2.7, "2", 10**30, 2**31, np.nan, True, [2], np.int8(2), {}):
        tally.attempt(f"n_nodes {odd!r}", lambda odd=odd: _beyond(Graph.of_edges([0, 1], [1, 0], [1, 1], odd)))
    for odd in ([0, 1], [-1, 0], np.ma.array([1, 0], mask=[1, 0])):
        tally.attempt("hidden", lambda odd=odd: Graph.of_edges(odd, odd).n_edges and "an edge from a node to itself")
    tally.settle()
    with pytest.raises(EngineError, match="hidden"):
        Graph.of_edges(np.ma.array([0, 1], mask=[1, 0]), [1, 0])
    with pytest.raises(EngineError, match="hidden"):
        Graph.of_edges([0, 1], [1, 0], np.ma.array([1, 5], mask=[1, 0]))


def _beyond(graph: Graph) -> str | None:
    """Whether an edge ends where no node is, or weighs nothing."""
    if not (np.isfinite(graph.weights).all() and (graph.weights > 0).all()):
        return "a weight of nothing"
    return (
        None if max(graph.sources.max(initial=0), graph.targets.max(initial=0)) < max(graph.n_nodes, 1) else "no node"
    )


def test_refusals_are_of_the_engine():
    with pytest.raises(EngineError):
        Ensemble.from_labels([[0]])
