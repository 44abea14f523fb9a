"""Curves over k on one axis, the strip of matrices, and the distributions."""

import numpy as np
import pytest

from ui.figures import cdf_figure, criteria_figure, histogram, matrix_strip, silhouette_figure

KS = np.arange(2, 7)


def rows(rng):
    values = rng.random(5)
    return [
        {"title": "one", "values": values, "pick": 4, "counted": True, "spread": np.full(5, 0.1), "null": None},
        {"title": "two", "values": values, "pick": 6, "counted": False, "null": (values + 1, np.full(5, 0.05))},
        {"title": "three", "values": np.full(5, np.nan), "pick": None, "counted": False},
    ]


def test_every_criterion_has_a_row_on_the_one_axis_of_k(theme, rng):
    figure = criteria_figure(KS, rows(rng), theme, taken=3).to_plotly()
    curves = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert [trace.yaxis for trace in curves] == ["y", "y2", "y3"]
    assert {trace.xaxis or "x" for trace in figure.data} == {"x"}
    assert all((trace.customdata == KS).all() for trace in curves)
    assert [int(KS[np.argmax(trace.marker.size)]) for trace in curves[:2]] == [4, 6]
    said = [one.text for one in figure.layout.annotations]
    assert said[:3] == ["one: <b>4</b>", "two: <b>6</b> (not counted)", "three: no pick"]
    assert "k = 3 now" in said
    assert figure.layout.xaxis.spikemode == "across"
    assert all(trace.text[2].startswith("<b>k = 4</b><br>one: 0.") for trace in curves)
    assert "Picks: one 4, two 6." in figure.layout.meta["alt"]


def test_the_k_of_now_is_named_inside_the_figure(theme, rng):
    sides = []
    for taken in (2, 4, 6):
        said = criteria_figure(KS, rows(rng), theme, taken=taken).to_plotly().layout.annotations
        sides.append(next(one.xanchor for one in said if one.text == f"k = {taken} now"))
    assert sides == ["left", "center", "right"]


def test_a_k_that_the_axis_does_not_reach_is_said_to_lie_beyond_and_has_no_line(theme, rng):
    for taken, place, side in ((1, 2, "left"), (50, 6, "right")):
        figure = criteria_figure(KS, rows(rng), theme, taken=taken).to_plotly()
        (said,) = (one for one in figure.layout.annotations if "now" in one.text)
        assert said.text == f"k = {taken} now, beyond this axis"
        assert (said.x, said.xanchor) == (place, side)
        assert not figure.layout.shapes


def test_bands_reach_two_spreads_of_the_null_and_one_of_the_mean(theme, rng):
    given = rows(rng)
    figure = criteria_figure(KS, given, theme).to_plotly()
    spread, null = (np.asarray(trace.y) for trace in figure.data if trace.fill == "toself")
    assert np.allclose(spread[:5], given[0]["values"] + 0.1)
    assert np.allclose(null[:5], given[1]["null"][0] + 0.1)


def test_the_strip_has_a_picture_a_k(theme, rng):
    matrices = rng.integers(0, 101, (5, 20, 20)).astype(np.uint8)
    figure = matrix_strip(matrices, [f"k = {k}" for k in KS], theme).to_plotly()
    assert len(figure.data) == 5
    assert (np.asarray(figure.data[0].z) == matrices[0]).all()
    assert [one.text for one in figure.layout.annotations] == [f"k = {k}" for k in KS]
    tall = matrix_strip(matrices, ["k<br>PAC<br>1 %"] * 5, theme).to_plotly().layout
    assert (tall.margin.t, tall.height - figure.layout.height) == (51, 34)
    assert "k, PAC, 1 %" in tall.meta["alt"]


def test_distributions_have_a_line_a_k(theme):
    grid = np.linspace(0, 1, 11)
    figure = cdf_figure(grid, np.tile(grid, (5, 1)), KS, theme).to_plotly()
    assert [trace.name for trace in figure.data] == [str(k) for k in KS]
    assert figure.layout.shapes[0].x0 == 0.1
    assert figure.layout.meta["alt"].endswith(".")


def test_silhouettes_are_sorted_inside_their_clusters(theme, rng):
    values, labels = rng.uniform(-0.3, 1, 50), np.repeat([0, 2], [30, 20])
    figure = silhouette_figure(values, labels, theme).to_plotly()
    assert len(figure.data) == 2
    for trace, cluster in zip(figure.data, (0, 2), strict=True):
        drawn = np.asarray(trace.x)[:-1]
        assert np.allclose(drawn, np.sort(values[labels == cluster])[::-1], atol=1e-6)
    assert [text.split(":")[0] for text in figure.layout.yaxis.ticktext] == ["1", "3"]
    large = silhouette_figure(rng.random(50_000), rng.integers(0, 3, 50_000), theme)
    assert sum(len(trace["x"]) for trace in large.data) < 4_000


@pytest.mark.parametrize(("sizes", "shown"), [((1, 2, 20, 27), [2, 3, 4]), ((20, 27, 2, 1), [1, 2, 3])])
def test_of_two_names_without_room_the_larger_cluster_has_it(sizes, shown):
    axis = silhouette_figure(np.zeros(50), np.repeat(np.arange(4), sizes), "light").layout["yaxis"]
    assert [int(word.split(":")[0]) for word in axis["ticktext"]] == shown


def test_names_of_small_clusters_do_not_overlap(theme):
    small = silhouette_figure(np.zeros(50), np.repeat(np.arange(14), [6] * 6 + [1] * 7 + [7]), theme).layout["yaxis"]
    names = [int(word.split(":")[0]) for word in small["ticktext"]]
    assert names == sorted(names)
    assert {1, 2, 3, 4, 5, 6, 14} < set(names) < set(range(1, 15))
    assert np.diff(small["tickvals"]).min() / (small["range"][0] - small["range"][1]) > 14 / 380


def test_an_axis_of_whole_numbers_names_these_alone():
    axis = histogram([4, 4, 4], "light", x_name="k").to_plotly().layout.xaxis
    assert list(axis.tickvals) == [4]
    assert axis.range[1] - axis.range[0] > 3  # one bar alone fills no picture
    assert list(histogram([2, 5], "light", x_name="k").to_plotly().layout.xaxis.tickvals) == [2, 3, 4, 5]


def test_sizes_that_differ_much_have_bars_that_double():
    sizes = [1] * 40 + [2, 3, 4, 4, 5, 8, 9, 300]
    figure = histogram(sizes, "light", x_name="objects", y_name="groups").to_plotly()
    (bars,) = figure.data
    assert list(bars.y) == [40, 1, 3, 2, 1, 0, 0, 0, 0, 1]
    assert list(bars.text[:4]) == ["1", "2", "3 to 4", "5 to 8"]
    assert (figure.layout.xaxis.title.text, figure.layout.xaxis.ticktext[-1]) == ("objects, up to", "256")
    assert len(histogram([0, 300], "light", x_name="links").data[0]["x"]) == 2  # nothing is no double of anything
