"""Labels of every type that numpy and pandas have: taken, or refused in a sentence, at every door."""

import numpy as np
import pandas as pd
import pytest

from engine import Ensemble, InvalidEnsembleError, InvalidParameterError, confidence, metrics
from engine.distributed import distributed_consensus
from engine.estimators import ConsensusClustering
from engine.renumbering import first_appearance

ROWS = np.array([[0, 1], [1, 1], [0, 0], [2, 0]])
WORDS = np.array(["ash", "beech", "oak"])[ROWS]
HIDDEN = np.ma.masked_array(ROWS, ROWS == 2)


@pytest.mark.parametrize(
    "labels",
    [
        *(
            ROWS.astype(dtype)
            for dtype in (">i2", ">i4", ">i8", ">u8", ">f4", ">f8", np.float16, np.longdouble, object)
        ),
        WORDS,
        WORDS.astype(">U5"),
        WORDS.astype(object),
        WORDS.astype("S"),
        np.char.encode(np.char.add(WORDS, "é"), "latin-1"),
        WORDS.astype("S").astype(object),
        WORDS.tolist(),
        pd.DataFrame(WORDS),
        pd.DataFrame({"trees": WORDS[:, 0], "numbers": ROWS[:, 1]}),
        pd.DataFrame({"yes": WORDS[:, 0], "no": ROWS[:, 1] == 1}),
        pd.DataFrame(ROWS).astype("Int64"),
        pd.DataFrame(WORDS).astype("string"),
        pd.DataFrame(WORDS).astype("category"),
        (ROWS.astype(object) + 2**70),
    ],
    ids=lambda labels: f"{type(labels).__name__}-{getattr(labels, 'dtype', '')}",
)
def test_labels_of_every_type_are_one_ensemble(labels):
    assert Ensemble.from_labels(labels).labels.tolist() == [[0, 0], [1, 0], [0, 1], [2, 1]]


@pytest.mark.parametrize(
    "labels",
    [
        HIDDEN,
        list(HIDDEN),
        HIDDEN.astype(">i4"),
        HIDDEN.astype(object),
        np.ma.masked_array(WORDS.astype(object), HIDDEN.mask),
        np.where(HIDDEN.mask, pd.NA, ROWS.astype(object)),
        np.where(HIDDEN.mask, pd.NA, WORDS.astype(object)).tolist(),
        np.where(HIDDEN.mask, np.nan, WORDS.astype(object)).tolist(),
        np.where(HIDDEN.mask, pd.NaT, WORDS.astype(object)),
        np.where(HIDDEN.mask, b"", WORDS.astype("S")),
        np.where(HIDDEN.mask, -1, WORDS.astype(object)),
        np.where(HIDDEN.mask, "-1", WORDS.astype(object)),
        pd.DataFrame(ROWS).astype("Int64").mask(HIDDEN.mask),
        pd.DataFrame(WORDS).astype("string").mask(HIDDEN.mask),
    ],
    ids=lambda labels: f"{type(labels).__name__}-{getattr(labels, 'dtype', '')}",
)
def test_nothing_is_a_missing_label_in_every_type(labels):
    assert Ensemble.from_labels(labels).labels.tolist() == [[0, 0], [1, 0], [0, 1], [-1, 1]]


def test_a_number_and_its_word_are_two_labels():
    assert Ensemble.from_labels([[1], ["1"], [b"1"], [1.0], [True]]).labels.ravel().tolist() == [0, 1, 2, 0, 0]


@pytest.mark.parametrize(
    ("labels", "words"),
    [
        ([[0, 1], [1], [0, 0]], "rows of different lengths"),
        (np.array([["a", 1], [{}, 2]], dtype=object), r"Got \{\} in row 2, column 1"),
        (np.array([["a", 1], ["b", 0.5]], dtype=object), r"Got 0\.5 in row 2, column 2"),
        (np.array([["a", 1], ["b", np.inf]], dtype=object), r"Got inf in row 2, column 2"),
        (
            np.array([[0, 2.0**53], [1, 0]]),
            r"below 2\^53 where they are floats. Got 9007199254740992.0 in row 1",
        ),
        (pd.DataFrame({"when": pd.to_datetime(["2020", "2021"])}), "dtype datetime64"),
    ],
)
def test_what_is_no_label_is_refused_with_its_place(labels, words):
    with pytest.raises(InvalidEnsembleError, match=words):
        Ensemble.from_labels(labels)


@pytest.mark.parametrize("labels", [HIDDEN[:, 0], [0, None, 1, 1], [0, pd.NA, 1, 1], [0.0, np.nan, 1.0, 1.0]])
def test_who_compares_clusterings_needs_every_label(labels):
    ensemble = Ensemble.from_labels(ROWS)
    for ask in (
        lambda: metrics.ari(labels, [0, 0, 1, 1]),
        lambda: metrics.nmi([0, 0, 1, 1], labels),
        lambda: metrics.align(labels, [0, 0, 1, 1]),
        lambda: confidence.support(ensemble, labels),
        lambda: first_appearance(labels),
    ):
        with pytest.raises(InvalidParameterError, match="every object needs a label here. Got 1 without one"):
            ask()


@pytest.mark.parametrize("dtype", [">i8", object, "S", "U"])
def test_clusterings_of_every_type_are_compared(dtype):
    assert metrics.ari(ROWS[:, 0].astype(dtype), ROWS[:, 0]) == 1
    assert first_appearance(ROWS[:, 0].astype(dtype)).tolist() == [0, 1, 0, 2]


@pytest.mark.parametrize("labels", [WORDS, pd.DataFrame(WORDS), pd.DataFrame(ROWS).astype("Int64"), ROWS.astype(">i4")])
def test_the_estimator_takes_them_too(labels):
    assert ConsensusClustering("lwea", 2).fit(labels).ensemble_.labels.tolist() == [[0, 0], [1, 0], [0, 1], [2, 1]]


def test_tiles_say_what_they_are_given():
    with pytest.raises(InvalidEnsembleError, match="row 1: labels must be numbers, all of one type. Got <U5, 'ash'"):
        distributed_consensus(WORDS, "lwgp", 2)
