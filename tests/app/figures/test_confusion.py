"""Confusion matrices."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from tests.app.figures.checked import figures


def test_confusion_numbers_sit_in_their_cells(theme):
    counts = np.array([[1204, 0], [3, 40]])
    fig = figures.confusion_figure(counts, ["a", "b"], ["0", "1"], theme)
    written = {
        (int(y), int(x)): text
        for trace in fig.data[1:]
        for x, y, text in zip(trace.x, trace.y, trace.text, strict=True)
    }
    assert written == {(0, 0): "1,204", (0, 1): "0", (1, 0): "3", (1, 1): "40"}
    assert_allclose(fig.data[0].z.sum(axis=1), 1)
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]


@pytest.mark.parametrize(("columns", "numbered"), [(30, True), (31, False)])
def test_confusion_drops_numbers_when_wide(columns, numbered):
    counts = np.arange(2 * columns).reshape(2, columns)
    fig = figures.confusion_figure(counts, ["a", "b"], [str(c) for c in range(columns)], "light")
    assert (len(fig.data) > 1) == numbered


def test_confusion_survives_an_empty_class():
    fig = figures.confusion_figure(np.array([[0, 0], [1, 2]]), "ab", "xy", "light")
    assert np.isfinite(fig.data[0].z).all()
