"""What pages say where there is one of something, or two: one base clustering, one object, no link."""

from types import SimpleNamespace

import numpy as np
import pytest
from streamlit import config

from tests.app.conftest import words
from ui.compute import uploads
from ui.figures.style import whole_ticks
from ui.pictures import ensembles, methods
from ui.report import tables
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.widgets.chart import sentence_of

GAPS = b"\n".join(b"%d,%d,%s" % (i % 3, i % 2, b"%d" % (i % 4) * (i > 3)) for i in range(30))
#: Two objects, one base clustering, and labels of which some are missing.
FILES = {
    "two": ("two.csv", b"a,b\n0,1\n1,0\n", "features"),
    "gaps": ("gaps.csv", b"a,b,c\n" + GAPS, "labels"),
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
        assert "Here is just one, and it need not be right. How often" in said
        assert "more often than two that do not" not in said
        assert "No two agree" not in said


def test_who_has_one_base_clustering_is_not_sent_to_a_knob_that_is_not_there(app):
    assert "Bring a file with more of them." in words(app("which_method", data=brought("alone")))
    assert "Raise M in the sidebar." in words(app("which_method", data="iris", m="1"))


@pytest.mark.parametrize(
    ("page", "query", "said"),
    [
        (None, {"data": "alone"}, "bring a file with several base clusterings"),
        (None, {"data": "iris", "m": "4"}, "Or roll the dice in the sidebar"),
        ("matrices", {"data": "two", "m": "3"}, "no other clustering confirms"),
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


def test_one_flow_stands_and_two_stand():
    flows = [SimpleNamespace(row=0, target=c, objects=n) for c, n in enumerate((1, 998, 1, 999))]
    one, two = (SimpleNamespace(keys="ab", flows=flows[:n], n_objects=1000) for n in (2, 3))
    assert ensembles._moves(one, "k").endswith(" 1 flow of less than 1 % of the objects stands as a grey line.")
    assert ensembles._moves(two, "k").endswith(" 2 flows of less than 1 % of the objects stand as grey lines.")


@pytest.mark.parametrize(("n", "said"), [(1, "1 object shifts, most often"), (2, "2 objects shift, most often")])
def test_one_object_shifts_and_two_shift(n, said):
    core = np.arange(9) >= n
    common = SimpleNamespace(core=core, other=np.where(core, -1, 1), core_percent=90)
    row = SimpleNamespace(labels=np.repeat([0, 1, 2], 3), method="eac")
    assert said in methods._shared(SimpleNamespace(method_choice=SimpleNamespace(common=common, rows=[row])))


def test_reliabilities_that_are_all_one_number_have_no_spread():
    scene = SimpleNamespace(reliability=np.ones(3), config=SimpleNamespace(theta=0.4))
    assert ensembles._reliable(scene) == "3 clusters; reliability (ECI) 1.00 throughout at θ = 0.4."
    scene.reliability = np.array([0.5, 1])
    assert "reliability (ECI) 0.500 to 1.00, median 0.750" in ensembles._reliable(scene)


def test_one_picked_object_stands_in_the_rows_or_in_none_of_them(app):
    asked = {"data": "iris", "m": "6", "order": "input"}
    assert "The picked object stands in these rows." in words(app("matrices", **asked, pick="5"))
    assert "The picked object stands in none of these rows." in words(
        app("matrices", **asked, pick="149", zoom="0.20.0.20")
    )
    assert "2 of the 2 picked objects stand in these rows." in words(app("matrices", **asked, pick="5-6"))


def test_base_clusterings_of_one_size_have_that_size_in_the_report():
    rows = dict(tables.ensemble_rows(Scene(RunConfig(data="iris", m=4, k_range=(3, 3)))))
    assert rows["Clusters in each"] == "3"
    assert "to" in dict(tables.ensemble_rows(Scene(RunConfig(data="iris", m=4))))["Clusters in each"]


def test_nobody_on_a_page_is_told_of_a_module(app):
    said = words(app("compare", data=brought("gaps"), methods="pta,eac"))
    assert "PTA is left out" in said
    assert "engine.completion" not in said


def test_pages_are_not_taken_apart():
    assert config.get_option("runner.magicEnabled") is False
