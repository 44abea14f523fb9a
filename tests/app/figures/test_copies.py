"""Figures for a room and for a card."""

import numpy as np

from ui.figures import scatter
from ui.figures.copies import bare, enlarged


def figure():
    points, labels = np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 0.5]]), np.array([0, 0, 1])
    return scatter(points, labels, "light", truth=np.array([0, 1, 1]), axis_names=("x", "y"), equal=True)


def test_words_grow_and_the_original_stays():
    before = figure()
    after = enlarged(before, 1.5)
    after.to_plotly()  # checked by plotly
    template = before.layout["template"]["layout"]
    assert after.layout["template"]["layout"]["font"]["size"] == 1.5 * template["font"]["size"]
    assert (
        after.layout["template"]["layout"]["xaxis"]["tickfont"]["size"] == 1.5 * template["xaxis"]["tickfont"]["size"]
    )
    assert after.data[0]["x"] is before.data[0]["x"]
    assert figure().layout["template"]["layout"] == template


def test_a_card_has_no_words_and_its_own_size():
    made = bare(figure(), 176, 120)
    made.to_plotly()  # checked by plotly
    assert (made.layout["width"], made.layout["height"]) == (176, 120)
    assert made.layout["annotations"] == []
    assert not made.layout["xaxis"]["visible"]
    assert np.max(made.data[0]["marker"]["size"]) < np.max(figure().data[0]["marker"]["size"])
