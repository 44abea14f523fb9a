"""Scatter plots and small multiples."""

import base64
from io import BytesIO

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from PIL import Image

from tests.app.figures.checked import figures
from tests.app.figures.reading import seen_color
from tests.scenes import scene_of
from ui.figures import style
from ui.figures.objects import density
from ui.figures.objects.scatter import marker_size
from ui.pictures import drawn
from ui.pictures.methods import differing


def test_scatter_colours_do_not_depend_on_other_clusters(points, labels):
    whole = figures.scatter(points, labels, "light").data[0].marker
    part = figures.scatter(points[labels < 2], labels[labels < 2], "light").data[0].marker
    pick = [seen_color(m.to_plotly_json() | {"colorscale": m.colorscale}, 2) for m in (whole, part)]
    assert pick == [style.PALETTE[1]] * 2


@pytest.mark.parametrize(("scale", "shift"), [(1, 0), (1e99, 0), (1e-60, 0), (1, 1.7e9), (1e-3, 1e6)])
def test_objects_stand_apart_whatever_the_scale(points, labels, scale, shift):
    placed = points * scale + shift
    x = figures.scatter(placed, labels, "light").data[0].x
    assert np.isfinite(x).all()
    assert np.abs(x - placed[:, 0]).max() <= 1e-3 * np.ptp(placed[:, 0])
    assert x.dtype == ("float32" if (scale, shift) == (1, 0) else "float64")


def test_scatter_rings_only_known_disagreements(points, labels):
    truth, found = labels.copy(), labels.copy()
    truth[[3, 5]] = (truth[[3, 5]] + 1) % 5
    found[5], truth[7] = -1, -1
    fig = figures.scatter(points, found, "light", truth=truth)
    assert fig.data[1].customdata.tolist() == [4]
    assert fig.layout.annotations[0].text == "ringed: 1 unlike the truth"


def test_where_nothing_is_unlike_the_truth_nothing_is_said_of_rings(points, labels):
    assert not figures.scatter(points, labels, "light", truth=labels).layout.annotations


def test_rings_are_the_finer_the_more_objects_there_are():
    points, labels = np.random.default_rng(0).normal(size=(2_000, 2)), np.zeros(2_000, int)
    few, many = (
        figures.scatter(points[:n], labels[:n], "light", truth=np.arange(n) % 2).data[1].marker for n in (100, 2_000)
    )
    assert many.size - marker_size(2_000) < few.size - marker_size(100)
    assert many.line.width < few.line.width


def test_scatter_names_unassigned(points, labels):
    labels[0] = -1
    dots = figures.scatter(points, labels, "dark").data[0]
    assert dots.text[0] == "not yet assigned"
    assert dots.text[1] == f"cluster {labels[1] + 1}"


def test_grey_dots_of_a_base_clustering_have_no_label(points, labels):
    labels[0] = -1
    panel = figures.small_multiples(points, [labels], ["first"], "light").data[0]
    assert panel.text[:2].tolist() == ["without a label", f"cluster {labels[1] + 1}"]


def test_grey_dots_of_two_answers_are_those_on_which_they_agree():
    scene = scene_of(data="iris", m="6", methods="eac,lwgp")
    same = ~differing(scene)
    for name in ("differs_first", "differs_second"):
        dots = drawn(name, scene, "light").data[0]
        agreed = same[np.asarray(dots["customdata"]) - 1]
        assert 0 < same.sum() < len(same)
        assert_array_equal(np.asarray(dots["text"]) == "in the same cluster of both", agreed)
        assert_array_equal(agreed, np.sort(same)[::-1], "those who differ lie on top, however few they are")


def test_scatter_fades_what_is_not_selected(points, labels):
    fig = figures.scatter(points, labels, "dark", selected=labels == 1)
    assert_array_equal(fig.data[0].marker.opacity, np.where(np.sort(labels == 1), 1, np.float32(0.15)))
    assert_array_equal(labels[np.array(fig.data[0].customdata) - 1] == 1, np.sort(labels == 1), "the selected on top")


def test_scatter_samples_says_so_and_keeps_indices(points, labels):
    fig = figures.scatter(points, labels, "light", max_points=50)
    again = figures.scatter(points, labels, "light", max_points=50)
    drawn = fig.data[0].customdata
    assert "50 of 300 objects" in fig.layout.annotations[0].text
    assert len(np.unique(drawn)) == 50
    assert_array_equal(drawn, again.data[0].customdata)
    assert_array_equal(fig.data[0].x, points[drawn - 1, 0].astype(np.float32))
    assert_array_equal(fig.data[0].marker.color, labels[drawn - 1] + 1)
    assert not figures.scatter(points, labels, "light", max_points=300).layout.annotations


def test_scatter_range_ignores_sampling(points, labels):
    few, all_ = (figures.scatter(points, labels, "light", max_points=m) for m in (10, 300))
    assert few.layout.xaxis.range == all_.layout.xaxis.range
    assert few.layout.xaxis.range[0] < points[:, 0].min()


def test_scatter_equal_units(points, labels):
    assert figures.scatter(points, labels, "light", equal=True).layout.yaxis.scaleanchor == "x"
    assert figures.scatter(points, labels, "light").layout.yaxis.scaleanchor is None


def test_small_multiples_share_axes(points, labels):
    titles = [f"k = {k}" for k in range(2, 9)]
    fig = figures.small_multiples(points, [labels] * 7, titles, "light", columns=3, equal=True)
    assert [trace.type for trace in fig.data] == ["scattergl"] * 7
    assert len({trace.xaxis for trace in fig.data}) == 7
    assert len({trace_axis.range for trace_axis in fig.select_xaxes()}) == 1
    assert [note.text for note in fig.layout.annotations] == titles


def test_small_multiples_refuse_too_many(points, labels):
    with pytest.raises(ValueError, match="at most 12"):
        figures.small_multiples(points, [labels] * 13, ["k"] * 13, "light")


def test_small_multiples_say_that_they_sample(points, labels):
    fig = figures.small_multiples(points, [labels] * 2, ["a", "b"], "light", max_points=100)
    assert len(fig.data[0].x) == 50
    assert "50 of 300 objects" in fig.layout.annotations[-1].text


def test_a_few_edges_are_thin_lines_below_the_dots(points, labels):
    edges = np.array([[0, 1], [2, 0], [3, 4]])
    lines, dots, *_ = figures.scatter(points, labels, "light", edges=edges).data
    assert (lines["mode"], dots["mode"]) == ("lines", "markers")
    drawn = np.column_stack([lines["x"], lines["y"]]).reshape(3, 3, 2)
    np.testing.assert_allclose(drawn[:, :2], points[edges], rtol=1e-5)
    assert np.isnan(drawn[:, 2]).all()


def test_many_edges_are_shaded_darkest_where_most_cross():
    angle = np.linspace(0, 2 * np.pi, 400, endpoint=False)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])  # its diameters cross in the middle
    across = np.column_stack([np.arange(200), np.arange(200) + 200])
    shade = density.shaded_edges(ring, across)
    y, x = np.unravel_index(shade.argmax(), shade.shape)
    assert abs(x - shade.shape[1] / 2) < 20
    assert abs(y - shade.shape[0] / 2) < 20
    assert shade[0, 0] == 0
    figure = figures.scatter(ring, None, "light", edges=across, shade=shade)
    assert [one["mode"] for one in figure.data] == ["markers"]
    (image,) = figure.layout["images"]
    drawn = np.asarray(Image.open(BytesIO(base64.b64decode(image["source"].partition(",")[2]))))
    assert_array_equal(drawn[..., 3], shade)


def test_a_sample_stands_for_more_edges_than_are_counted(monkeypatch):
    monkeypatch.setattr(density, "MOST_SHADED", 100)
    points = np.random.default_rng(0).normal(size=(300, 2))
    edges = np.random.default_rng(1).integers(0, 300, (5_000, 2))
    few, all_of_them = density.shaded_edges(points, edges[:100]), density.shaded_edges(points, edges)
    assert (all_of_them > 0).sum() < 1.5 * (few > 0).sum()


def test_a_reader_hears_what_colours_stand_for():
    points, labels = np.random.default_rng(0).random((6, 2)), np.array([0, 0, 1, 2, -1, -1])
    alt = [
        figures.scatter(points, labels, "light", **options).layout.meta["alt"]
        for options in ({}, {"classes": ["a", "b", "c"]}, {"title": "A &amp; B", "grey": "in both"})
    ]
    assert alt[0] == "6 objects in the plane, 2 not yet assigned, the others coloured by 3 clusters."
    assert alt[1] == "6 objects in the plane, 2 not yet assigned, the others coloured by 3 classes."
    assert alt[2] == "A & B: 6 objects in the plane, 2 in both, the others coloured by 3 clusters."
