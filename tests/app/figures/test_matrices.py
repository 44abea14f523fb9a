"""Matrices as images."""

import numpy as np
import plotly.graph_objects as go
from numpy.testing import assert_allclose, assert_array_equal

from tests.app.figures.checked import figures


def test_matrix_sends_bytes_on_a_fixed_range(theme):
    values = np.array([[0, 0.5], [1.0, 0.254]])
    image = figures.matrix_image(values, theme).data[0]
    assert image.z.dtype == np.uint8
    assert_array_equal(image.z, [[0, 50], [100, 25]])
    assert (image.zmin, image.zmax) == (0, 100)
    assert list(image.colorbar.ticktext) == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert_allclose(image.colorbar.tickvals, np.arange(0, 101, 20))


def test_matrix_range_never_follows_the_data():
    low, high = (figures.matrix_image(np.full((3, 3), v), "light").data[0] for v in (0.1, 0.9))
    assert (low.zmin, low.zmax) == (high.zmin, high.zmax)


def test_difference_is_centred(theme):
    values = np.array([[-0.5, 0], [0.5, 0.25]])
    image = figures.matrix_image(values, theme, scale="difference", limit=0.5).data[0]
    assert image.z.dtype == np.int8
    assert_array_equal(image.z, [[-100, 0], [100, 50]])
    assert image.zmin == -image.zmax
    assert list(image.colorbar.ticktext) == ["-0.5", "-0.25", "0", "0.25", "0.5"]
    assert "of 0.5" in image.hovertemplate


def test_matrix_cells_fill_their_extent():
    image = figures.matrix_image(np.zeros((4, 4)), "light", extent=(100, 140, 200, 220)).data[0]
    assert (image.y0 - image.dy / 2, image.y0 + 3.5 * image.dy) == (100, 140)
    assert (image.x0 - image.dx / 2, image.x0 + 3.5 * image.dx) == (200, 220)


def test_matrix_strips_and_borders():
    labels = np.array([0, 0, 1, 2])
    fig = figures.matrix_image(np.zeros((4, 4)), "light", row_labels=labels, column_labels=labels, borders=True)
    assert [type(trace) for trace in fig.data] == [go.Heatmap] * 3 + [go.Scatter]
    assert fig.data[1].z.shape == (4, 1)
    assert fig.data[2].z.shape == (1, 4)
    assert np.isnan(fig.data[3].x).sum() == np.isnan(fig.data[3].x[2::3]).sum() == 2
    assert set(fig.data[3].y[:6][~np.isnan(fig.data[3].x[:6])]) == {2, 3}
    assert fig.layout.yaxis.scaleanchor == "x"
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]


def test_an_axis_of_residuals_has_two_numbers_however_short_it_is(theme):
    fig = figures.residual_figure(np.array([[0.9, 0.8, np.inf, 0, 0.62]] * 3), 0.6, theme)
    assert list(fig.layout.yaxis.tickvals) == [0.6, 0.7, 0.8, 0.9]
    fig = figures.residual_figure(np.array([[1.0] * 5, [1e-7] * 5]), 1e-6, theme)
    assert_allclose(fig.layout.yaxis.tickvals, 10.0 ** np.arange(-7, 1))
