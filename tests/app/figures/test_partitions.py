"""The map of partitions, the tree over k, the cloud of chance and the curve of numbers, as drawn."""

import re

import numpy as np
import pytest

from engine.partitions import partition_tree
from engine.selection import Enough
from tests.app.figures.checked import checked
from tests.app.figures.reading import scatters, trace, words
from ui.figures.partitions.maps import (
    LED,
    enough_figure,
    legend_of,
    partition_map_figure,
    room_of_map,
    selection_cloud_figure,
    sheet_of_marks,
    sheet_of_members,
    sheet_of_rings,
    stress_figure,
)
from ui.figures.partitions.trees import partition_tree_figure
from ui.figures.stills import still

drawn_map, drawn_tree = checked(partition_map_figure), checked(partition_tree_figure)
drawn_stress = checked(stress_figure)
drawn_cloud, drawn_enough = checked(selection_cloud_figure), checked(enough_figure)
POINTS = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.5], [0.0, 0.0], [2.0, 1.0]])
PARTS = (POINTS, np.array([3, 3, 5]), np.array([0.9, 0.9, 0.4]), ["a", "b", "c"], ["consensus", "truth"])


def test_dots_on_one_another_are_one_with_their_number(theme):
    fig = drawn_map(*PARTS, theme, unit="bits")
    dots = trace(fig, "base clusterings")
    assert sorted(zip(dots.x, dots.y, strict=True)) == [(0, 0), (1, 0.5)]
    assert [t.text for t in scatters(fig) if t.mode == "text"] == [("2",)]
    assert dots.text[0] == "a: k = 3, mean NMI 0.90<br>b: k = 3, mean NMI 0.90"
    assert dots.marker.size[0] > dots.marker.size[1]
    assert dots.marker.color.tolist() == [3, 5]
    assert {"consensus", "truth"} == {one.name for one in fig.data if one.showlegend}
    assert trace(fig, "truth").x[0] == 2
    assert trace(fig, "truth").marker.symbol != trace(fig, "consensus").marker.symbol
    assert fig.layout.xaxis.title.text == "first axis, bits"
    assert "0.40 to 0.90" in " ".join(words(fig))


def test_a_map_of_equal_partitions_and_of_one_is_drawn():
    for m in (1, 4):
        fig = partition_map_figure(
            np.zeros((m, 2)), np.full(m, 3), np.ones(m), list("abcd")[:m], [], "light", unit="bits"
        )
        fig.to_plotly()
        low, high = fig.layout["xaxis"]["range"]
        assert low < -0.1 < 0.1 < high, "no axis is about what is left of rounding"
        assert "<circle" in still(fig)


def test_a_place_is_hollow_where_all_that_lie_there_are_left_out(theme):
    fig = drawn_map(*PARTS, theme, unit="bits", off=[0, 2])
    dots, rings = trace(fig, "base clusterings"), trace(fig, "left out")
    assert fig.data[0].name == "left out"  # below the others, which it would hide
    assert list(dots.customdata) == [[0, 1]]  # one of both is on
    assert list(rings.customdata) == [[2]]
    assert rings.hovertext == ("c: k = 5, mean NMI 0.40",)
    assert "3 base clusterings of 3 to 5 clusters, with consensus and truth among them; 2 left out." in str(fig.layout)
    both = drawn_map(*PARTS, theme, unit="bits", off=[0, 1])
    assert trace(both, "left out").marker.size[0] == dots.marker.size[0]
    assert [t.text for t in scatters(fig) if t.mode == "text"] == [("2",)]  # on the dot
    (number,) = [t for t in scatters(both) if t.mode == "text"]
    assert (number.text, number.x, number.y) == (("2",), trace(both, "left out").x, trace(both, "left out").y)


def sheets(consensus, theme="light", off=(), away=()):
    """Members, rings and marks."""
    points, ks, agreement, names, marks = PARTS
    points = np.vstack([points[:3], consensus, points[4:]])
    look = {"theme": theme, "unit": "bits", "room": room_of_map(points, 3)}
    below = sheet_of_members(points[:3], ks, agreement, names, off=away, **look)
    rings = sheet_of_rings(points[:3], ks, agreement, off or [2], away, **look)
    found = below, rings, sheet_of_marks(points, 3, marks, **look)
    for one in found:
        one.to_plotly()
    return found


def as_json(figure):
    return figure.to_plotly().to_json()


def test_a_mark_that_moves_leaves_the_sheets_below_as_they_are(theme):
    below, rings, above = sheets([0.4, 0.2], theme)
    same, around, moved = sheets([-0.01, 0.1], theme)  # a little beyond all others
    assert as_json(below) == as_json(same)
    assert as_json(rings) == as_json(around)
    assert as_json(above) != as_json(moved)
    assert {"base clusterings"} == {one.get("name") for one in below.data} - {None}
    assert {"consensus", "truth"} == {one.get("name") for one in above.data} - {None}


def test_who_is_left_out_is_a_ring_on_dots_that_stay_or_below_the_others():
    below, rings, _ = sheets([0.4, 0.2], off=[2])
    assert as_json(below) == as_json(sheets([0.4, 0.2])[0])
    (ring,) = rings.data
    dots = next(one for one in below.data if one.get("name") == "base clusterings")
    at = [members == [2] for members in dots["customdata"]].index(True)
    assert [ring["x"][0], ring["y"][0]] == [dots["x"][at], dots["y"][at]]
    assert ring["marker"]["size"][0] == dots["marker"]["size"][at]
    assert "customdata" not in ring
    hollow, more, _ = sheets([0.4, 0.2], off=[0, 1, 2], away=[2])
    assert [one.get("name") for one in hollow.data][:2] == ["left out", "base clusterings"]
    assert ring["x"][0] not in list(more.data[0]["x"])  # who is hollow below needs no ring


def test_room_that_marks_had_is_kept_unless_it_is_far_too_wide():
    points = np.vstack([PARTS[0][:3], [[0.4, 0.2]]])
    needed = room_of_map(points, 3)
    wider = tuple([low - 0.2, high + 0.2] for low, high in needed)
    assert room_of_map(points, 3, wider) == wider
    assert room_of_map(points, 3, ([-30.0, 30.0], [-30.0, 30.0])) == needed
    aside = tuple([low + 0.3, high + 0.3] for low, high in needed)  # not all of what is needed is in it
    assert room_of_map(points, 3, aside) == tuple([low, high + 0.3] for low, high in needed)
    far = np.vstack([points, [[30.0, -4.0]]])
    assert room_of_map(far, 3, needed)[0][1] > 30


@pytest.mark.parametrize("consensus", [[0.4, 0.2], [30.0, -4.0], [0.0, 0.0]])
def test_sheets_have_one_place_on_the_page_and_every_mark_inside(consensus):
    below, *upper = sheets(consensus)
    for above in upper:
        for name in ("xaxis", "yaxis"):
            assert below.layout[name]["range"] == above.layout[name]["range"]
            assert below.layout[name].get("scaleanchor") == above.layout[name].get("scaleanchor")
        assert below.layout["margin"] == above.layout["margin"]
        assert below.layout["height"] == above.layout["height"]
    assert not below.layout["margin"]["autoexpand"]
    x_low, x_high = below.layout["xaxis"]["range"]
    assert x_low < min(0, consensus[0])
    assert x_high > max(2, consensus[0])


def test_the_legend_of_sheets_says_forms_names_and_lines():
    points, marks = PARTS[0], PARTS[-1]
    assert legend_of(points, 3, marks) == "◇ consensus, ☆ truth"
    assert legend_of(np.vstack([points[:3], [[0.5, 0.5], [0.5, 0.5]]]), 3, marks) == f"◇ consensus, ☆ truth; {LED}"


def test_thirty_marks_differ_in_form_or_filling_in_the_picture_and_in_words():
    points, ks, agreement, names, _ = PARTS
    marks = [f"mark {place}" for place in range(30)]
    points = np.vstack([points[:3], np.column_stack([np.arange(30), np.arange(30) % 7])])
    figure = partition_map_figure(points, ks, agreement, names, marks, "light", unit="bits")
    signs = {one["name"]: one["marker"]["symbol"] for one in figure.data if one.get("name") in marks}
    assert len(set(signs.values())) == 30
    said = re.findall(r"(\S+(?: \(.*?\))?) (mark \d+)", legend_of(points, len(ks), marks))
    assert [name for _, name in said] == marks
    assert len({sign for sign, _ in said}) == 30


def tree_of(*rows):
    return partition_tree({k: np.asarray(row) for k, row in enumerate(rows, 2)})


def areas(x, y):
    """Area of every outline between gaps, by the shoelace formula."""
    x, y = np.asarray(x, float), np.asarray(y, float)
    ends = np.flatnonzero(np.isnan(x))
    parts = zip(np.concatenate([[0], ends[:-1] + 1]), ends, strict=True)
    return [abs(np.dot(x[a:b], np.roll(y[a:b], 1)) - np.dot(y[a:b], np.roll(x[a:b], 1))) / 2 for a, b in parts]


def test_ribbons_are_as_wide_as_objects_and_no_flow_is_missing(theme):
    above, below = np.repeat([0, 1], [120, 80]), np.repeat([0, 1, 2], [110, 50, 40])
    below[-1] = 0  # one object of 200 goes from the last cluster to the first
    tree = tree_of(above, below)
    fig = drawn_tree(tree, theme)
    thick = [f.objects for f in tree.flows if f.objects >= 2]
    assert sorted(np.array(areas(trace(fig, "flows").x, trace(fig, "flows").y)) * 200 / 0.72) == pytest.approx(
        sorted(thick)
    )
    x = np.array(trace(fig, "flows").x)
    gaps = np.flatnonzero(np.isnan(x))
    for starts, ends in ((np.append(0, gaps[:-1] + 1), gaps - 1), ((gaps - 17), gaps - 16)):  # upper, then lower edge
        edges = sorted(zip(x[starts], x[ends], strict=True), key=min)
        assert all(max(one) <= min(other) + 1e-9 for one, other in zip(edges, edges[1:], strict=False))
    assert np.isnan(trace(fig, "thin flows").x).sum() == len(tree.flows) - len(thick) == 1
    assert "grey lines: 1 flow of less than 1 % each, in all 0.5 %" in words(fig)


def test_boxes_are_as_wide_as_clusters_and_do_not_overlap(theme):
    tree = tree_of(np.repeat([0, 1], [30, 10]), np.repeat([1, 0, 2], [12, 18, 10]))
    fig = drawn_tree(tree, theme)
    boxes = [t for t in scatters(fig) if t.fill == "toself" and t.name is None]
    widths = [max(box.x) - min(box.x) for box in boxes]
    assert widths == pytest.approx([node.size / 40 for node in tree.nodes])
    for row in (0, 1):
        ends = sorted((min(box.x), max(box.x)) for box in boxes if min(box.y) < row < max(box.y))
        assert all(one[1] < other[0] for one, other in zip(ends, ends[1:], strict=False))
    assert "grey" not in " ".join(words(fig))
    assert not [t for t in fig.data if t.type == "heatmap"]  # no stability was given
    firm = partition_tree({2: np.array([0, 1])}, {2: np.array([0.2, 1.0])})
    assert [t for t in drawn_tree(firm, theme).data if t.type == "heatmap"]


def test_a_strategy_outside_the_cloud_is_full(theme):
    values = np.linspace(0.4, 0.6, 40)
    fig = drawn_cloud(values, (0.41, 0.59), ["A", "B"], [0.7, 0.5], [100, 50], [True, False], theme, x_name="ARI")
    dots = trace(fig, "strategies")
    assert dots.marker.color[0] == dots.marker.line.color != dots.marker.color[1]
    assert fig.layout.yaxis.ticktext == ("random choices", "A: 100 %", "B: 50 %")
    assert fig.layout.meta["alt"].endswith("outside the cloud: A.")
    assert (fig.layout.shapes[0].x0, fig.layout.shapes[0].x1) == (0.41, 0.59)


def curve(sizes, median, band):
    """An `Enough` whose median and band are these."""
    return Enough(np.array(sizes), np.array([band[0], median, band[1]]).T, "ARI")


def test_the_place_from_which_it_is_flat_is_marked(theme):
    one = curve([2, 4, 8], [0.5, 0.6, 0.6], [[0.4, 0.595, 0.6], [0.6, 0.605, 0.6]])
    fig = drawn_enough({"EAC": one}, theme, y_name="ARI")
    assert fig.layout.shapes[0].x0 == 4
    assert "<b>flat from M = 4 on</b>" in words(fig)
    assert not [t for t in fig.data if t.showlegend]
    never = curve([2, 4], [0.5, 0.6], [[0.1, 0.3], [0.9, 0.9]])
    assert not drawn_enough({"EAC": never}, theme, y_name="ARI").layout.shapes
    drawn_enough({"EAC": curve([2], [0.5], [[0.5], [0.5]])}, theme, y_name="ARI")


def test_two_methods_have_two_curves_with_their_names(theme):
    one = curve([2, 4, 8], [0.5, 0.6, 0.6], [[0.4, 0.595, 0.6], [0.6, 0.605, 0.6]])
    other = curve([2, 4, 8], [0.3, 0.4, 0.5], [[0.2, 0.3, 0.5], [0.4, 0.5, 0.5]])
    fig = drawn_enough({"LWEA": one, "EAC": other}, theme, y_name="ARI")
    assert {t.name for t in fig.data if t.showlegend} == {"LWEA", "EAC"}
    assert trace(fig, "LWEA").line.color != trace(fig, "EAC").line.color
    assert "<b>flat from M = 4 on</b> (LWEA)" in words(fig)
    assert fig.layout.yaxis.range[0] < 0.2 < 0.605 < fig.layout.yaxis.range[1]
    assert fig.layout.meta["alt"].endswith("LWEA from 0.500 to 0.600, EAC from 0.300 to 0.500.")


def test_marks_on_one_another_stand_apart_and_lead_to_their_places(theme):
    points = np.concatenate([POINTS[:3], np.tile([[1.0, 0.5]], (5, 1)), [[0.0, 1.0]]])
    marks = ["consensus", "EAC", "WEAC", "PTA", "GoT", "truth"]
    fig = drawn_map(points, *PARTS[1:4], marks, theme, unit="bits")
    shown = np.array([[trace(fig, name).x[0], trace(fig, name).y[0]] for name in marks])
    between = np.linalg.norm(shown[:, None] - shown[None], axis=2)[np.triu_indices(6, 1)]
    assert between.min() > 0.159  # of a map of width 1: as wide as a mark is on a telephone
    assert tuple(shown[5]) == (0, 1)
    starts = np.array([trace(fig, "threads").x[::3], trace(fig, "threads").y[::3]]).T
    assert len(starts) == 5
    assert (starts == [1, 0.5]).all()
    low, high = fig.layout.xaxis.range
    assert low < shown[:, 0].min()
    assert shown[:, 0].max() < high


def test_a_ring_before_every_row_takes_it(theme):
    tree = tree_of(np.repeat([0, 1], [30, 10]), np.repeat([1, 0, 2], [12, 18, 10]))
    fig = drawn_tree(tree, theme, now=3)
    rings = trace(fig, "rows")
    assert [list(one) for one in rings.customdata] == [[0], [1]]
    assert tuple(rings.y) == (0, 1)
    assert rings.text == ("take 2", "3: taken now")
    assert fig.layout.xaxis.range[0] < min(rings.x)
    targets = next(t for t in scatters(fig) if t.meta == {"target": True})
    assert sorted(len(one) for one in targets.customdata) == [0] * len(tree.flows) + [2] * len(tree.nodes)


def test_the_stress_of_the_plane_is_the_full_dot(theme):
    fig = drawn_stress([0.4, 0.2, 0.1], theme)
    fills = trace(fig, "stress 1").marker.color
    assert fills[1] != fills[0] == fills[2]
    assert tuple(trace(fig, "stress 1").x) == (1, 2, 3)


def test_the_colour_of_clusters_has_one_name_on_the_bar_and_under_the_pointer(theme):
    firm = partition_tree({2: np.array([0, 1])}, {2: np.array([0.2, 1.0])})
    fig = drawn_tree(firm, theme, stability="cluster consensus")
    assert [t.colorbar.title.text for t in fig.data if t.type == "heatmap"] == ["cluster consensus"]
    assert "cluster consensus 0.20" in " ".join(next(t for t in fig.data if (t.meta or {}).get("target")).text)
