"""The map of partitions, the tree over k, the cloud of chance and the curve of numbers, as drawn."""

import numpy as np
import pytest

from engine.partitions import partition_tree
from tests.app.figures.checked import checked
from tests.app.figures.reading import scatters, trace, words
from ui.figures.partitions import partition_map_figure, partition_tree_figure
from ui.figures.selections import enough_figure, selection_cloud_figure
from ui.figures.stills import still

drawn_map, drawn_tree = checked(partition_map_figure), checked(partition_tree_figure)
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
        assert low < 0 < high
        assert "<circle" in still(fig)


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
    assert "grey lines: 1 flow of less than 1 % of the objects each, 0.5 % of all moves" in words(fig)


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
    fig = drawn_cloud(values, (0.41, 0.59), ["A", "B"], [0.7, 0.5], [100, 50], theme, x_name="ARI")
    dots = trace(fig, "strategies")
    assert dots.marker.color[0] == dots.marker.line.color != dots.marker.color[1]
    assert fig.layout.yaxis.ticktext == ("random choices", "A: 100 %", "B: 50 %")
    assert fig.layout.meta["alt"].endswith("outside the cloud: A.")
    assert (fig.layout.shapes[0].x0, fig.layout.shapes[0].x1) == (0.41, 0.59)


def test_the_place_from_which_it_is_flat_is_marked(theme):
    sizes, median = [2, 4, 8], [0.5, 0.6, 0.6]
    band = np.array([[0.4, 0.59, 0.6], [0.6, 0.61, 0.6]])
    fig = drawn_enough(sizes, median, band, 4, theme, y_name="ARI")
    assert fig.layout.shapes[0].x0 == 4
    assert "<b>flat from M = 4 on</b>" in words(fig)
    assert not drawn_enough(sizes, median, band, None, theme, y_name="ARI").layout.shapes
    drawn_enough([2], [0.5], [[0.5], [0.5]], None, theme, y_name="ARI")
