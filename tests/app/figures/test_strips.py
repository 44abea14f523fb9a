"""Strips and curves of scores."""

import numpy as np
from numpy.testing import assert_allclose

from tests.app.figures.checked import figures


def test_score_strip_lines_are_where_the_scores_are(theme):
    fig = figures.score_strip(np.array([0.2, 0.4]), 0.9, theme)
    dots, mean, consensus = fig.data
    assert_allclose(dots.x, [0.2, 0.4], rtol=1e-6)
    assert_allclose([mean.x[0], consensus.x[0]], [0.3, 0.9], rtol=1e-6)
    assert "0.900" in fig.layout.annotations[0].text
    assert "mean 0.300" in fig.layout.xaxis.title.text


def test_score_strip_without_consensus_and_below_zero():
    fig = figures.score_strip(np.array([-0.1, 0.4]), None, "light")
    assert len(fig.data) == 2
    assert not fig.layout.annotations
    assert fig.layout.xaxis.range[0] < -0.1
    assert figures.score_strip(np.array([0.4, 0.5]), None, "light").layout.xaxis.range == (-0.02, 1.02)


def test_score_curve_marks_nearest_value():
    fig = figures.score_curve([2, 3, 4], [0.1, 0.5, 0.3], "light", marked=3.2, x_name="k", y_name="NMI")
    assert fig.data[-1].x.tolist() == [3]
    assert "k = 3: 0.500" in fig.layout.annotations[0].text
    assert len(figures.score_curve([2, 3], [0, 1], "light").data) == 1
