"""What pages say where there is one of something, or two: one base clustering, one object, no link."""

import pytest

from tests.app.conftest import words
from ui.compute import uploads
from ui.figures.style import whole_ticks
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.widgets.chart import sentence_of

#: Two objects, and one base clustering.
FILES = {
    "two": ("two.csv", b"a,b\n0,1\n1,0\n", "features"),
    "alone": ("alone.csv", b"a\n" + b"\n".join(b"%d" % (i % 3) for i in range(30)), "labels"),
}


def brought(name):
    """The id of such a file; other names are those of data sets."""
    return uploads.keep_file(*FILES[name]).id if name in FILES else name


def test_two_objects_are_weighed_into_two_clusters(app):
    at = app("subspaces", data=brought("two"))
    assert not at.error
    assert not [one for one in at.slider if one.key == "subspace_k"]  # there is nothing to choose
    assert Scene(RunConfig(data=brought("two"))).n_subspaces == 2


def test_of_one_base_clustering_nobody_says_that_no_two_agree(app):
    for query in ({"data": "alone"}, {"data": "iris", "m": "1"}):
        said = words(app(**query | {"data": brought(query["data"])}))
        assert "Here is just one, and it need not be right. But whenever" in said
        assert "No two agree" not in said


def test_who_has_one_base_clustering_is_not_sent_to_a_knob_that_is_not_there(app):
    assert "Bring a file with more of them." in words(app("which_method", data=brought("alone")))
    assert "Raise M in the sidebar." in words(app("which_method", data="iris", m="1"))


@pytest.mark.parametrize(
    ("page", "query", "said"),
    [
        (None, {"data": "alone"}, "bring a file with several base clusterings"),
        (None, {"data": "iris", "m": "4"}, "Or roll the dice in the sidebar"),
        ("matrices", {"data": "two", "m": "3"}, "confirm put together"),
        ("matrices", {"data": "iris", "m": "4"}, "put the truth on the right"),
        ("subspaces", {"data": "alone"}, "open a story above, and raise 1/h"),
        ("enhanced_matrix", {"data": "alone"}, "from where on do blocks run into one another?"),
    ],
)
def test_what_to_try_can_be_tried_with_these_data(app, page, query, said):
    assert said in words(app(page, **query | {"data": brought(query["data"])}))


def test_of_no_links_no_share_is_told():
    scene = Scene(RunConfig(data=brought("alone"), K=1))
    assert scene.graph.nnz == 0
    assert set(scene.ladder.kept) == {1.0}
    assert "keeps **0 links** between" in sentence_of(scene, "elite_graph")


@pytest.mark.parametrize(
    ("values", "ticks"), [(([1, 2],), {"dtick": 1}), (([0], [3, 8]), {"dtick": 1}), (([0, 40],), {}), (([0.5],), {})]
)
def test_whole_numbers_are_named_each_where_they_are_few(values, ticks):
    assert whole_ticks(*values) == ticks
