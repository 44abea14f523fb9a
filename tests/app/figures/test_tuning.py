"""Sweeps as heatmaps and lines."""

import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.app.figures.checked import figures
from tests.app.figures.reading import NAN, lines, numbers, scatters, trace, words
from ui.figures import style
from ui.figures.cells import short_score
from ui.figures.scores.tuning import setting_names


@pytest.fixture
def rng():
    return np.random.default_rng(11)


@pytest.mark.parametrize("draw", ["agreement", "heatmap"])
def test_every_cell_answers_a_click(draw):
    values = np.array([[1, 0.5], [NAN, 1]])
    fig = (
        figures.agreement_figure(values, ["a", "b"], "light")
        if draw == "agreement"
        else figures.tuning_heatmap([5, 9], [0.1, 0.2], values, values, "light", "K", "θ")
    )
    squares = fig.data[-1]
    assert squares.type == "scattergl"
    # As lists: rows of a typed array reach the page as {"0": row, "1": column}.
    assert json.loads(fig.to_json())["data"][-1]["customdata"] == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert_array_equal(np.column_stack([squares.y, squares.x]), squares.customdata)
    assert squares.marker.color == "rgba(0, 0, 0, 0)"
    assert fig.layout.hoverdistance == -1
    assert all(found.hoverinfo == "skip" for found in fig.data[:-1])
    assert "not yet" in squares.text[2]


def test_heatmap_shows_values_and_gaps(theme):
    mean = np.array([[0.61, 0.712, NAN], [1.0, -0.0123, 0.3]])
    fig = figures.tuning_heatmap(
        [None, 20], [0.1, 0.4, 1], mean, mean / 10, theme, "K", "θ", marked=(20, 0.4), name="NMI"
    )
    assert numbers(fig) == {(0, 0): ".610", (0, 1): ".712", (1, 0): "1.00", (1, 1): "-.012", (1, 2): ".300"}
    assert "5 of 6 settings are there" in words(fig)
    assert fig.data[-1].text[1] == "K = auto, θ = 0.4<br>NMI 0.712, sd 0.071"
    assert fig.data[-1].text[2] == "K = auto, θ = 1<br>NMI: not yet"
    assert (list(fig.layout.xaxis.ticktext), list(fig.layout.yaxis.ticktext)) == (["0.1", "0.4", "1"], ["auto", "20"])
    frame = fig.layout.shapes[-1]
    assert (frame.x0 + frame.x1, frame.y0 + frame.y1) == (2, 2)
    assert "highest 1.000 at 20 and 0.1; the current setting is framed" in fig.layout.meta["alt"]


def test_heatmap_does_not_blow_up_small_differences():
    image = trace(figures.tuning_heatmap([1, 2], [1], [[0.70], [0.72]], [[0], [0]], "light", "K", "T"), "score")
    assert (image.zmin, image.zmax) == (pytest.approx(0.66), pytest.approx(0.76))
    wide = trace(figures.tuning_heatmap([1, 2], [1], [[0.2], [0.7]], [[0], [0]], "light", "K", "T"), "score")
    assert (wide.zmin, wide.zmax) == (0.2, 0.7)
    asked = figures.tuning_heatmap([1, 2], [1], [[0.2], [0.7]], [[0], [0]], "light", "K", "T", score_range=(0, 1))
    assert (trace(asked, "score").zmin, trace(asked, "score").zmax) == (0, 1)


@pytest.mark.parametrize("marked", [(2, 3), (3, 1), None])
def test_a_setting_outside_the_cells_is_not_framed(marked):
    fig = figures.tuning_heatmap([1, 2], [1], [[0.2], [0.7]], [[0], [0]], "light", "K", "T", marked=marked)
    assert not fig.layout.shapes


def test_heatmap_before_anything_is_there():
    fig = figures.tuning_heatmap(
        [1, 2], [1], np.full((2, 1), NAN), np.full((2, 1), NAN), "dark", "K", "T", marked=(3, 1)
    )
    assert not numbers(fig)
    assert not fig.layout.shapes  # the current setting is not among the cells
    assert "no scores yet" in fig.layout.meta["alt"]
    assert "framed" not in fig.layout.meta["alt"]


@pytest.mark.parametrize(("shape", "numbered"), [((3, 15), True), ((3, 16), False), ((17, 3), False)])
def test_numbers_only_where_they_fit(rng, shape, numbered):
    values = rng.random(shape)
    fig = figures.tuning_heatmap(range(shape[0]), range(shape[1]), values, values, "light", "K", "T")
    assert bool(numbers(fig)) == numbered


def test_numbers_read_on_their_cells(rng):
    values = np.linspace(0, 1, 16).reshape(4, 4)
    fig = figures.agreement_figure(values, "abcd", "dark")
    inks = {(y, x): f.textfont.color for f in scatters(fig) for x, y in zip(f.x, f.y, strict=True)}
    expected = style.ink_on(style.scale_color(style.SIMILARITY_SCALE, values.ravel())).reshape(4, 4)
    assert inks == {(y, x): expected[y, x] for y in range(4) for x in range(4)}


def test_short_scores():
    assert [short_score(v) for v in (0, 0.9994, 0.9996, -0.5, 12.345)] == [".000", ".999", "1.00", "-.500", "12.35"]


def test_settings_as_words():
    assert setting_names([None, True, 2, 2.0, 0.123456, 1234567, np.int64(3), np.float32(0.5), "published"]) == [
        "auto",
        "True",
        "2",
        "2",
        "0.1235",
        "1,234,567",
        "3",
        "0.5",
        "published",
    ]


def test_line_has_gaps_and_bands(theme):
    x, mean = [0.1, 0.2, 0.4, 0.8, 1.6], [0.5, 0.6, NAN, 0.7, NAN]
    fig = figures.tuning_line(x, mean, [0.1] * 5, [20, 20, 0, 1, 0], theme, "θ", "NMI")
    [line] = lines(fig)
    assert_allclose(line.y, mean)
    assert line.connectgaps is False
    assert_array_equal(line.customdata, range(5))
    assert line.text[0] == "θ = 0.1<br>NMI 0.500, sd 0.100, 20 draws"
    assert line.text[2] == "θ = 0.4<br>NMI: not yet"
    assert line.text[3].endswith("1 draw")
    band = fig.data[0]
    assert_allclose(band.x, [0.1, 0.2, 0.2, 0.1, NAN, 0.8, 0.8, NAN])
    assert_allclose(band.y, [0.4, 0.5, 0.7, 0.6, NAN, 0.6, 0.8, NAN])
    assert_allclose(line.error_y.array, [NAN, NAN, NAN, 0.1, NAN])  # it has no band
    assert fig.layout.yaxis.range[0] < 0.4 < 0.8 < fig.layout.yaxis.range[1]
    assert fig.layout.meta["alt"] == "NMI against 5 values of θ, highest 0.700 at 0.8; 2 still to come."


def test_line_marks_the_current_setting():
    fig = figures.tuning_line([1, 2, 4], [0.5, 0.6, 0.7], [0.1] * 3, 9, "light", "T", "NMI", marked=2)
    now = trace(fig, "now")
    assert (now.x[0], now.y[0]) == (2, 0.6)
    assert fig.layout.shapes[0].x0 == 2
    assert "now T = 2: NMI 0.600, sd 0.100, 9 draws" in words(fig)
    between = figures.tuning_line([1, 2, 4], [0.5, 0.6, 0.7], [0.1] * 3, 9, "light", "T", "NMI", marked=3)
    assert between.layout.shapes[0].x0 == 3
    assert "now T = 3: no score yet" in words(between)
    assert all(found.name != "now" for found in between.data)
    assert not figures.tuning_line([1, 2], [0, 1], [0, 0], 1, "light", "T", "NMI").layout.shapes
    assert not figures.tuning_line(["a", "b"], [0, 1], [0, 0], 1, "light", "T", "NMI", marked="c").layout.shapes


def test_line_over_words_is_evenly_spaced():
    fig = figures.tuning_line([None, 2, 8], [0.5, 0.6, 0.7], [0] * 3, 1, "light", "K", "NMI", log_x=True)
    assert_array_equal(lines(fig)[0].x, [0, 1, 2])
    assert list(fig.layout.xaxis.ticktext) == ["auto", "2", "8"]
    assert fig.layout.xaxis.type == "linear"
    assert trace(fig, "now").x[0] == 0  # None is a setting here


def test_log_axis_only_for_positive_numbers():
    def axis(x):
        return figures.tuning_line(x, [0] * len(x), [0] * len(x), 1, "light", "θ", "NMI", log_x=True).layout.xaxis

    assert axis([0.1, 10]).type == "log"
    assert list(axis([0.1, 10]).ticktext) == ["0.1", "10"]
    assert axis([0, 10]).type == "linear"


def test_several_lines_share_the_axis():
    others = {f"m{i}": ([0.2 + i / 10, 0.3], [0.01, NAN]) for i in range(8)}
    fig = figures.tuning_line([1, 2], [0.5, 0.6], [0.1, 0.1], 5, "dark", "T", "NMI", name="PTA", others=others)
    assert [line.name for line in lines(fig)] == ["PTA", *others]
    assert fig.layout.showlegend
    assert "draws" not in lines(fig)[1].text[0]
    assert fig.layout.yaxis.range[0] < 0.19
    assert fig.layout.yaxis.range[1] > 0.9
    assert len({line.line.color for line in lines(fig)[:6]}) == 6


def test_line_before_anything_is_there():
    fig = figures.tuning_line([1, 2], [NAN, NAN], [NAN, NAN], 0, "light", "T", "NMI", marked=1)
    assert fig.layout.meta["alt"].startswith("NMI against T: no scores yet.")
    assert "no score yet" in fig.layout.meta["alt"]
    assert len(lines(fig)[0].x) == 2


def test_clicks_do_not_dim_the_line():
    line = lines(figures.tuning_line([1, 2], [0, 1], [0, 0], 1, "light", "T", "NMI"))[0]
    assert line.unselected.marker.opacity == line.selected.marker.opacity == 1


def test_words_on_a_logarithmic_axis_stay_apart():
    values = (0.05, 0.1, 0.4, 0.45, 4.0)
    fig = figures.tuning_line(
        values, np.ones(5), np.zeros(5), np.ones(5, int), "light", x_name="θ", y_name="NMI", marked=0.4, log_x=True
    )
    assert list(fig.layout.xaxis.ticktext) == ["0.05", "0.1", "0.4", "", "4"]
    assert list(fig.layout.xaxis.tickvals) == list(values)
