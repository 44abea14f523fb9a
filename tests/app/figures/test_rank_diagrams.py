"""Critical-difference diagrams."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.app.figures.checked import figures
from tests.app.figures.reading import FIFTEEN, trace, words
from ui.figures.scores.rank_diagrams import stacked


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def test_ranks_are_where_they_should_be(theme):
    ranks = np.array([3.1, 2.0, 2.9, 1.9])
    fig = figures.critical_difference_figure(ranks, list("abcd"), 1.12, [(3, 1, 2), (2, 0)], theme)
    dots = trace(fig, "methods")
    assert_allclose(dots.x, ranks)
    assert_array_equal(dots.customdata, range(4))
    assert dots.text[1] == "b: average rank 2.00"
    bars = trace(fig, "groups")
    assert_allclose(bars.x.reshape(-1, 3)[:, :2], [[1.9, 2.9], [2.9, 3.1]])
    assert bars.y[0] != bars.y[3]  # they meet at 2.9
    ruler = trace(fig, "critical difference")
    assert_allclose(ruler.x[3:5], [1, 2.12])
    assert {"a  3.10", "b  2.00", "c  2.90", "d  1.90", "CD = 1.12"} <= set(words(fig))
    assert fig.layout.meta["alt"] == (
        "Average ranks: d 1.90, b 2.00, c 2.90, a 3.10. Critical difference 1.12. "
        "Not told apart: d, b, c. Not told apart: c, a."
    )


def test_rank_leaders_do_not_cross(rng):
    ranks = np.sort(rng.uniform(1, 15, 15))
    fig = figures.critical_difference_figure(rng.permutation(ranks), FIFTEEN, 4.3, [], "light")
    for side, sign in (("left", 1), ("right", -1)):
        x, y = trace(fig, side).x.reshape(-1, 4), trace(fig, side).y.reshape(-1, 4)
        assert len(np.unique(y[:, 1])) == len(y)
        order = np.argsort(y[:, 1])
        assert (np.diff(sign * x[order, 0]) > 0).all()  # deeper is further in: no upright meets another's name
    tags = [note for note in fig.layout.annotations if note.y and note.y > 0 and note.name != "notes"]
    assert len(tags) == 15
    assert len({(note.xanchor, note.y) for note in tags}) == 15
    assert {(note.xanchor, note.x) for note in tags} == {("right", 1), ("left", 15)}


def test_every_method_is_named_once(rng):
    for n in range(2, 16):
        fig = figures.critical_difference_figure(rng.uniform(1, n, n), FIFTEEN[:n], 1, [], "light")
        tags = [text.split("  ")[0] for text in words(fig)]
        assert sorted(tag for tag in tags if tag in FIFTEEN) == sorted(FIFTEEN[:n])


def test_rank_margins_hold_the_names():
    few, long = (
        figures.critical_difference_figure(np.array([1.2, 1.8]), [name, "b"], 1, [], "light").layout.margin.l
        for name in ("a", "a long name of a method")
    )
    assert few < 80 < 150 < long


def test_critical_difference_wider_than_the_axis():
    fig = figures.critical_difference_figure(np.array([1.4, 2.2, 2.4]), list("abc"), 2.3, [(0, 1, 2)], "dark")
    ruler = trace(fig, "critical difference")
    assert np.nanmax(ruler.x) == 3
    assert np.isnan(ruler.y[-2:]).all()  # no end stroke: it goes on
    assert "CD = 2.30, wider than the axis" in words(fig)


def test_bars_in_a_row_do_not_touch():
    assert stacked([(4, 6), (1, 3), (3, 5), (3.5, 7)]) == [(1, 3, 0), (3, 5, 1), (3.5, 7, 0), (4, 6, 2)]
