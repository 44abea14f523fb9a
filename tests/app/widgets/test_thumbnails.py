"""Small pictures of data sets: every dot inside, whatever the data."""

import re
import warnings
from urllib.parse import unquote

import numpy as np
import pytest

from ui.widgets.chart import thumbnail

SPREAD = np.arange(12.0).reshape(6, 2)
#: Points, and the pixels that they are to span.
POINTS = {
    "spread": (SPREAD, 66),
    "on a line": (SPREAD * [1, 0], 110),
    "in one place": (SPREAD * 0, 0),
    "one": (SPREAD[:1], 0),
}


@pytest.mark.parametrize("name", POINTS)
def test_every_dot_is_inside(name):
    points, span = POINTS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn = unquote(thumbnail.__wrapped__(name, points, None))
    places = np.array(re.findall(r'cx="([^"]*)" cy="([^"]*)"', drawn), float)
    assert places.shape == points.shape
    assert ((places >= 0) & (places <= [120, 76])).all()
    assert np.ptp(places, axis=0).max() == pytest.approx(span)
