"""The curve of inconsistency over resolutions, as drawn, and the page that asks for it."""

import numpy as np
import pytest

from engine.partitions import Inconsistency, ResolutionCurve
from tests.app.figures.checked import checked
from tests.app.figures.reading import trace
from tests.scenes import scene_of
from ui.figures.partitions.numbers_of_clusters import resolution_figure
from ui.pictures import drawn, pictures

drawn_curve = checked(resolution_figure)


def _curve(values, ks):
    found = tuple(Inconsistency(one, np.linspace(one, one + 0.1, 20), 0) for one in values)
    return ResolutionCurve(np.geomspace(0.5, 2, len(ks)), np.array(ks), found, np.zeros((4, len(ks)), np.int32))


def test_no_difference_has_a_place_below_all_others_and_a_dot_knows_its_resolution(theme):
    fig = drawn_curve(_curve([1.0, 1.2, 1.02], [2, 5, 9]), _curve([2.0, 3.0, 2.0], [4, 8, 20]), 1.005, theme)
    own = trace(fig, "this graph")
    assert own.y.tolist() == pytest.approx([1e-4, 0.2, 0.02])
    assert own.x.tolist() == [2, 5, 9]
    assert list(own.customdata) == [[0], [1], [2]]
    assert own.text[0] == "resolution 0.5: 2 clusters, IC 1.000"
    assert fig.layout.yaxis.ticktext[0] == "0"


def test_resolutions_inside_the_range_are_full(theme):
    curve = _curve([1.1, 1.2, 1.3], [2, 5, 9])
    fill = trace(drawn_curve(curve, curve, 1.005, theme, taken=(0.9, 2.1)), "this graph").marker.color
    assert fill[0] != fill[1] == fill[2]


def test_resolutions_of_a_data_set_are_compared_with_a_graph_by_chance():
    scene = scene_of(data="iris", generator="leiden", m="6")
    own, null = scene.resolution_runs
    assert own.n_clusters[0] >= 2
    assert min(one.value for one in own.found) < min(
        one.value for one, k in zip(null.found, null.n_clusters, strict=True) if k > 1
    )
    assert drawn("resolution_curve", scene, "light") is not None
    assert "graph by chance" in pictures()["resolution_curve"].sentence(scene)
    assert scene.object_consistency.shape == (150,)
    assert drawn("consistency", scene, "dark") is not None
    assert len(scene.tree_of_resolutions.keys) > 1


def test_base_clusterings_of_no_graph_have_no_resolutions():
    scene = scene_of(data="iris", m="6")
    assert scene.resolution_runs is None
    assert drawn("resolution_curve", scene, "light") is None
    assert drawn("resolution_tree", scene, "light") is None
