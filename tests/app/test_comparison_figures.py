"""Figures of the Tuning and Compare pages: what they send to the browser, and what they claim."""

import itertools
import json

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from ui import figures
from ui.figures import style
from ui.figures.cells import short_score
from ui.figures.comparisons import pareto_front
from ui.figures.rank_diagrams import stacked
from ui.figures.tuning import setting_names

NAN = np.nan
FIFTEEN = "LWEA LWGP PTA PTGP EAC EC-CMS GoT CSPA HGPA MCLA HBGF WSPA WBPA k-means Spectral".split()


@pytest.fixture
def rng():
    return np.random.default_rng(11)


@pytest.fixture(params=["light", "dark"])
def theme(request):
    return request.param


def trace(fig, name):
    return next(found for found in fig.data if found.name == name)


def words(fig):
    return [note.text for note in fig.layout.annotations]


def boxes_of(notes, letter=6.0, line=13):
    """Left, right, bottom, top of annotations of one anchor pixel, from their offsets."""
    for note in notes:
        dx, dy = (note.ax, -note.ay) if note.showarrow else (note.xshift or 0, note.yshift or 0)
        width = letter * len(note.text)
        left = dx - {"left": 0, "center": 0.5, "right": 1}[note.xanchor] * width
        yield left, left + width, dy - line / 2, dy + line / 2


def overlap(one, two):
    return min(one[1], two[1]) > max(one[0], two[0]) and min(one[3], two[3]) > max(one[2], two[2])


# Ranks


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


# Time and quality


def test_pareto_front_is_what_nothing_beats(rng):
    seconds, quality = rng.integers(1, 9, (2, 40)).astype(float)
    points = set(zip(seconds, quality, strict=True))
    best = {(s, q) for s, q in points if not any(a <= s and b >= q and (a, b) != (s, q) for a, b in points)}
    front = pareto_front(seconds, quality)
    assert len(front) == len(best)
    assert set(zip(seconds[front], quality[front], strict=True)) == best
    assert (np.diff(seconds[front]) > 0).all()


def test_time_and_quality(theme):
    fig = figures.time_quality_figure([0.1, 2, 1, NAN], [0.5, 0.7, 0.4, 0.9], list("abcd"), theme, [0.1, 0.02, NAN, 0])
    dots, front = trace(fig, "methods"), trace(fig, "front")
    assert_array_equal(dots.customdata, [0, 1, 2])
    assert_allclose(dots.error_y.array, [0.1, 0.02, 0])
    assert_allclose(front.x, [0.1, 2])
    ink = style.INKS[theme]
    assert dots.marker.color.tolist() == [ink.accent, ink.accent, ink.paper]
    assert "no result yet: d" in words(fig)
    assert {"a", "b", "c"} <= set(words(fig))
    named = next(note for note in fig.layout.annotations if note.text == "b")
    assert (named.x, named.y) == (pytest.approx(np.log10(2)), 0.7)  # annotations count in decades
    assert fig.layout.xaxis.range[0] < np.log10(0.1)
    assert fig.layout.yaxis.range[0] < 0.38
    assert "3 methods; none beats a, b in both" in fig.layout.meta["alt"]


def test_names_of_equal_dots_stand_apart():
    n = 9
    fig = figures.time_quality_figure(np.ones(n), np.full(n, 0.5), FIFTEEN[:n], "light")
    boxes = list(boxes_of(fig.layout.annotations))
    assert len(boxes) == n
    assert not any(overlap(*pair) for pair in itertools.combinations(boxes, 2))


def test_no_time_has_no_place_on_a_logarithmic_axis():
    fig = figures.time_quality_figure([0, 1], [0.4, 0.5], ["a", "b"], "light")
    assert_array_equal(trace(fig, "methods").customdata, [1])
    assert "no result yet: a" in words(fig)


def test_no_method_yet():
    fig = figures.time_quality_figure([NAN, NAN], [NAN, NAN], ["a", "b"], "light")
    assert len(trace(fig, "methods").x) == 0
    assert "no result yet: a, b" in words(fig)
    assert fig.layout.meta["alt"] == "NMI with the truth against seconds a run: no results yet."


# Flows


def test_flows_count_objects(theme):
    left, right = np.array([0, 0, 0, 1, 1, -1]), np.array([0, 0, 2, 2, 2, 2])
    fig = figures.flow_figure(left, right, theme, titles=("LWEA", "PTA"))
    node, link = fig.data[0].node, fig.data[0].link
    assert list(node.customdata) == [
        "not yet assigned of LWEA", "cluster 0 of LWEA", "cluster 1 of LWEA", "cluster 0 of PTA", "cluster 2 of PTA",
    ]  # fmt: skip
    assert list(node.color) == [style.UNASSIGNED, *style.PALETTE[:2], style.PALETTE[0], style.PALETTE[2]]
    flows = dict(zip(zip(link.source, link.target, strict=True), link.value, strict=True))
    assert flows == {(0, 4): 1, (1, 3): 2, (1, 4): 1, (2, 4): 2}
    assert link.color[0] == style.translucent(style.UNASSIGNED, 0.38)
    assert fig.data[0].valueformat == ",d"
    assert "2 of them keep their cluster" in fig.layout.meta["alt"]
    assert any("LWEA</b>, 2 clusters" in text for text in words(fig))


def test_many_clusters_flow_as_others(rng):
    left = np.repeat(np.arange(60), np.arange(60) + 1)
    right = rng.integers(0, 40, len(left))
    fig = figures.flow_figure(left, right, "dark", titles=("a", "b"))
    names = list(fig.data[0].node.customdata)
    assert names[:2] == ["cluster 21 of a", "cluster 22 of a"]  # the 39 largest
    assert names[39] == "others of a"
    assert len(names) == 80
    assert fig.data[0].node.color[39] == style.UNASSIGNED
    assert sum(fig.data[0].link.value) == len(left)
    others = np.array(fig.data[0].link.source) == 39
    assert np.array(fig.data[0].link.value)[others].sum() == (left < 21).sum()
    assert "21 small clusters of a are drawn together" in fig.layout.meta["alt"]
    assert "of b are drawn together" not in fig.layout.meta["alt"]
    assert set(fig.data[0].node.label) == {""}


def test_flow_names_cluster_ids_with_gaps():
    fig = figures.flow_figure(np.array([7, 7, 3]), np.array([3, 3, 3]), "light")
    assert fig.data[0].node.label == ("cluster 3", "cluster 7", "cluster 3")
    assert "1 of them keep" in fig.layout.meta["alt"]


# Cells


def scatters(fig):
    return [found for found in fig.data if found.type == "scatter"]


def numbers(fig):
    return {(int(y), int(x)): t for f in scatters(fig) for x, y, t in zip(f.x, f.y, f.text, strict=True)}


def test_agreement_is_on_the_common_scale(theme):
    fig = figures.agreement_figure([[1, 0.53, NAN], [0.53, 1, 0.07], [NAN, 0.07, 1]], ["a", "b", "c"], theme)
    image = trace(fig, "NMI")
    assert (image.zmin, image.zmax) == (0, 1)
    assert image.colorscale == style.SIMILARITY_SCALE
    assert numbers(fig)[0, 1] == ".53"
    assert numbers(fig)[2, 2] == "1.00"
    assert (0, 2) not in numbers(fig)
    assert_array_equal(np.isnan(trace(fig, "not yet").z), [[1, 1, 0], [1, 1, 1], [0, 1, 1]])
    assert fig.layout.yaxis.range[0] > fig.layout.yaxis.range[1]
    assert list(fig.layout.xaxis.ticktext) == ["a", "b", "c"]
    assert fig.layout.meta["alt"] == "NMI between 3 methods, from 0.07 to 0.53."


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
        "auto", "True", "2", "2", "0.1235", "1,234,567", "3", "0.5", "published",
    ]  # fmt: skip


# Lines


def lines(fig):
    return [found for found in fig.data if found.mode == "lines+markers"]


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
    fig = figures.tuning_line(values, np.ones(5), np.zeros(5), np.ones(5, int), "light", x_name="θ", y_name="NMI",
                              marked=0.4, log_x=True)  # fmt: skip
    assert list(fig.layout.xaxis.ticktext) == ["0.05", "0.1", "0.4", "", "4"]
    assert list(fig.layout.xaxis.tickvals) == list(values)
