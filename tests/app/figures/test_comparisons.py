"""Time against quality, flows, agreement."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.app.figures.checked import figures
from tests.app.figures.reading import FIFTEEN, NAN, boxes_of, numbers, overlap, trace, words
from ui.figures import style
from ui.figures.scores.comparisons import pareto_front


@pytest.fixture
def rng():
    return np.random.default_rng(11)


def test_pareto_front_is_what_nothing_beats(rng):
    seconds, quality = rng.integers(1, 9, (2, 40)).astype(float)
    points = set(zip(seconds, quality, strict=True))
    best = {(s, q) for s, q in points if not any(a <= s and b >= q and (a, b) != (s, q) for a, b in points)}
    front = pareto_front(seconds, quality)
    assert len(front) == len(best)
    assert set(zip(seconds[front], quality[front], strict=True)) == best
    assert (np.diff(seconds[front]) > 0).all()


def test_time_and_quality(theme):
    fig = figures.time_quality_figure([0.1, 2, 1, NAN], [0.5, 0.7, 0.4, 0.9], list("abcd"), theme)
    dots, front = trace(fig, "methods"), trace(fig, "front")
    assert_array_equal(dots.customdata, [0, 1, 2])
    assert dots.text[0] == "a: 0.1 s<br>NMI with the truth 0.500"
    assert_allclose(front.x, [0.1, 2])
    ink = style.INKS[theme]
    assert dots.marker.color.tolist() == [ink.accent, ink.accent, ink.paper]
    assert "no result: d" in words(fig)
    assert {"a", "b", "c"} <= set(words(fig))
    named = next(note for note in fig.layout.annotations if note.text == "b")
    assert (named.x, named.y) == (pytest.approx(np.log10(2)), 0.7)  # annotations count in decades
    assert fig.layout.xaxis.range[0] < np.log10(0.1)
    assert fig.layout.yaxis.range[0] < 0.4
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
    assert "no result: a" in words(fig)


def test_no_method_yet():
    fig = figures.time_quality_figure([NAN, NAN], [NAN, NAN], ["a", "b"], "light")
    assert len(trace(fig, "methods").x) == 0
    assert "no result: a, b" in words(fig)
    assert fig.layout.meta["alt"] == "NMI with the truth against seconds a run: no results."


def test_flows_count_objects(theme):
    left, right = np.array([0, 0, 0, 1, 1, -1]), np.array([0, 0, 2, 2, 2, 2])
    fig = figures.flow_figure(left, right, theme, titles=("LWEA", "PTA"))
    node, link = fig.data[0].node, fig.data[0].link
    assert list(node.customdata) == [
        "not yet assigned of LWEA",
        "cluster 1 of LWEA",
        "cluster 2 of LWEA",
        "cluster 1 of PTA",
        "cluster 3 of PTA",
    ]
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
    assert names[:2] == ["cluster 22 of a", "cluster 23 of a"]  # the 39 largest
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
    assert fig.data[0].node.label == ("cluster 4", "cluster 8", "cluster 4")
    assert "1 of them keep" in fig.layout.meta["alt"]


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
    assert not image.showscale  # the numbers say it


def test_agreement_of_many_has_a_scale_instead_of_numbers(theme):
    fig = figures.agreement_figure(np.full((9, 9), 0.5), list("abcdefghi"), theme)
    assert (trace(fig, "NMI").showscale, numbers(fig)) == (None, {})
    assert list(fig.layout.yaxis.ticktext) == list("abcdefghi")
    assert not fig.layout.xaxis.showticklabels
