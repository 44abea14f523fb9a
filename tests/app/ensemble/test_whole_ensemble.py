"""Nodes and pictures of the ensemble as a whole: odd ensembles, and what the sentences say."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from engine import consensus_methods
from engine.partitions import partition_distances, stress_scree
from engine.selection import enough, known_strategies, selection_of
from tests.app.conftest import ROOT
from tests.app.test_doors import brought
from tests.app.test_one_k import as_csv
from tests.scenes import scene_of
from ui.compute import uploads
from ui.compute.keeping import Kept
from ui.figures.stills import still
from ui.pictures import drawn, pictures
from ui.pictures.ensembles import marks_of_map, members_of_map
from ui.scene import Scene, partitions
from ui.scene.partitions import JUDGED, MOST_CLUSTERS, ROWS, number_kept
from ui.scene.scene import PENDING, AtOnce
from ui.session.run_config import RunConfig

NAMES = ("partition_map", "map_scree", "partition_tree", "members_tree", "answers_tree", "selection_cloud", "enough")


def pool(columns):
    """An address of base clusterings as a file has them."""
    return uploads.keep_file("pool.csv", as_csv(np.column_stack(columns)), "labels").id


def labels_of(name):
    truth = np.repeat([0, 1, 2], 20)
    moved = np.where(np.arange(60) < 5, 1, truth)
    return {"equal": [truth] * 6, "copies": [truth] * 4 + [moved] * 3, "pair": [truth, moved]}[name]


@pytest.mark.parametrize("name", ["equal", "copies", "pair", "missing"])
def test_odd_ensembles_are_drawn_without_a_truth(name):
    scene = scene_of(data=brought("missing") if name == "missing" else pool(labels_of(name)))
    for one in NAMES:
        figure = drawn(one, scene, "dark")
        figure.to_plotly()
        assert still(figure).startswith("<svg")
        assert pictures()[one].sentence(scene).endswith(".")


def test_the_map_counts_copies_and_places_the_consensus_by_its_distance():
    scene = scene_of(data=pool(labels_of("copies")), k="3")
    points = scene.whole_map.points
    distances = partition_distances(np.column_stack([scene.ensemble.labels, scene.consensus.labels]))
    assert np.linalg.norm(points[0] - points[6]) == pytest.approx(distances[0, 6], abs=1e-3)
    texts = [t["text"] for t in drawn("partition_map", scene, "light").data if t.get("mode") == "text"]
    assert sorted(word for words in texts for word in words) == ["3", "4"]
    assert "Stress 1 of the map is 0.00: distances can be read off it" in pictures()["partition_map"].sentence(scene)


@pytest.mark.parametrize(("stress", "words"), [(0.104, "read off"), (0.149, "only roughly"), (0.196, "coarse shape")])
def test_a_map_is_trusted_as_far_as_its_stress_goes(stress, words):
    scene = scene_of(data=pool(labels_of("copies")), k="3")
    told = scene.with_given(whole_map=replace(scene.whole_map, stress=stress))
    assert words in pictures()["partition_map"].sentence(told)


def test_while_there_is_no_consensus_the_base_clusterings_are_on_the_map_alone():
    class Waiting(AtOnce):
        def __call__(self, node, inputs, slot=""):
            return PENDING if node.name == "consensus" else super().__call__(node, inputs, slot)

    waiting, whole = (Scene(RunConfig(data="iris", m=9), run) for run in (Waiting(), AtOnce()))
    dots = [
        next(trace for trace in drawn("partition_map", one, "light").data if "customdata" in trace)
        for one in (waiting, whole)
    ]
    assert (dots[0]["x"] == dots[1]["x"]).all()
    assert marks_of_map(waiting) == []
    assert marks_of_map(whole) == ["consensus", "truth"]
    said = [pictures()["partition_map"].sentence(one) for one in (waiting, whole)]
    assert all(one.startswith("9 base clusterings by variation of information") for one in said)


def test_a_method_that_cannot_run_marks_nothing_on_the_map():
    scene = scene_of(data=brought("missing"), method="pta")
    assert marks_of_map(scene) == []
    assert drawn("partition_map", scene, "light").data
    assert "what is near is alike" in pictures()["partition_map"].sentence(scene)


def test_choices_of_many_objects_are_judged_on_some_and_it_is_said():
    scene = scene_of(data="digits", m="6", method="eac", scaling="none")
    assert scene.members.ensemble.n_objects == JUDGED
    assert len(scene.members.truth) == JUDGED
    assert f"Judged on 500 of {scene.ensemble.n_objects:,} objects." in pictures()["enough"].sentence(scene)
    found = scene.selections
    assert set(found.values) == {"snmi", "joint", "cas", "least_alike", "hull", "most_clusters"}
    assert found.cloud.number == 3
    assert found.cloud.title == "NMI (max)"


def test_a_tree_that_only_splits_moves_everything_with_the_largest_flow():
    scene = scene_of(data="iris", m="8")
    assert "100.0 % of the moves" in pictures()["partition_tree"].sentence(scene)
    tree = scene.tree_over_k
    assert tree.keys == tuple(scene.partitions)
    assert sum(flow.objects for flow in tree.flows) == 150 * (len(tree.keys) - 1)
    first = scene.firmness_by_k[2].own[scene.partitions[2] == 0]
    assert tree.nodes[0].stability == pytest.approx(first.mean())


def test_one_base_clustering_has_a_map_and_no_choices():
    scene = scene_of(data="iris", m="1")
    assert drawn("partition_map", scene, "light").data
    assert drawn("selection_cloud", scene, "light") is None
    assert drawn("enough", scene, "light") is None


@pytest.mark.long
def test_a_thousand_base_clusterings_are_mapped_and_ten_of_them_stand_below_each_other():
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(6), 50)
    columns = [np.where(rng.random(300) < 0.2, rng.integers(2 + place % 40, size=300), truth) for place in range(1000)]
    scene = scene_of(data=pool(columns), k="6", method="eac")
    assert scene.whole_map.points.shape == (1001, 2)
    ks = scene.ensemble.n_clusters_each[scene.members_by_k]
    assert len(ks) == ROWS
    assert ks.max() <= MOST_CLUSTERS < scene.ensemble.n_clusters_each.max()
    assert (np.diff(ks) >= 0).all()
    assert "10 of 1,000 base clusterings, evenly spaced by k" in pictures()["members_tree"].sentence(scene)
    flows = sum(flow.objects for flow in scene.tree_of_members.flows)
    assert flows == 300 * (ROWS - 1)


def test_names_of_labels_move_nothing_on_the_map():
    columns = [np.random.default_rng(m).integers(3 + m, size=60) for m in range(5)]
    renamed = [(len(columns) * 7 - column) % 11 + 40 for column in columns]
    one, other = (scene_of(data=pool(given), k="3") for given in (columns, renamed))
    assert np.allclose(one.whole_map.points, other.whole_map.points)
    assert one.tree_of_members.crossings == other.tree_of_members.crossings


def test_a_node_of_a_base_clustering_has_the_reliability_of_its_cluster():
    scene = scene_of(data="iris", m="4")
    m = scene.members_by_k[0]
    first = [node.stability for node in scene.tree_of_members.nodes if node.row == 0]
    start = scene.ensemble.offsets[m]
    assert first == pytest.approx(scene.reliability[start : start + len(first)].tolist())


def test_the_second_method_is_left_out_where_it_cannot_run():
    scene = scene_of(data=brought("missing"), method="eac", method_beside="pta")
    assert not consensus_methods()["pta"].can_run(scene.ensemble)
    assert scene.numbers_beside is None
    assert scene_of(data="iris", m="4", method="eac", method_beside="eac").numbers_beside is None
    assert len(scene_of(data="iris", m="4", method="eac", method_beside="lwea").numbers_beside.sizes) == 3


class Counting(AtOnce):
    """Notes what was made."""

    def __init__(self):
        super().__init__()
        self.made = []

    def __call__(self, node, inputs, slot=""):
        if self.known(node, inputs) is PENDING:
            self.made.append(node.name)
        return super().__call__(node, inputs, slot)


@pytest.mark.parametrize("changed", [{"theta": 0.9}, {"method": "eac"}, {"switched_off": (1, 4)}])
def test_a_knob_and_who_is_switched_off_move_marks_and_no_dot(changed):
    run = Counting()
    scene = Scene(RunConfig(data="iris", m=9, k=3, method="lwea"), run)
    dots, _ = members_of_map(scene), scene.whole_map
    run.made.clear()
    other = scene.varied(**changed)
    again, _ = members_of_map(other), other.whole_map
    assert "consensus" in run.made
    assert not {"member_distances", "members_map"} & set(run.made)
    assert other.members_map is scene.members_map
    assert (other.whole_map.points[:9] == scene.whole_map.points[:9]).all()
    assert repr(again) == repr(dots)


def test_where_a_knob_moves_the_consensus_only_that_is_compared_with_all_again(monkeypatch):
    compared, distances_to = [], partitions.distances_to
    monkeypatch.setattr(partitions, "_DISTANCES", Kept(64))
    monkeypatch.setattr(partitions, "distances_to", lambda *of: compared.append(of[1].tolist()) or distances_to(*of))
    scene = scene_of(data="iris", m="9", k="3")
    first, other = scene, scene.varied(method="lwgp", k=4)
    _ = first.whole_map, other.whole_map
    assert compared == [one.tolist() for one in (first.consensus.labels, first.truth, other.consensus.labels)]


def test_the_consensus_of_some_has_its_own_place_among_all():
    scene = scene_of(data="iris", m="9", k="3").varied(switched_off=(1, 4))
    columns = np.column_stack([scene.everything.ensemble.labels, scene.consensus.labels, scene.truth])
    assert scene.ensemble.n_clusterings == 7
    wanted = partition_distances(columns)
    assert scene.member_distances == pytest.approx(wanted[:9, :9], abs=1e-12)
    assert scene.mark_distances == pytest.approx(wanted[9:], abs=1e-12)
    assert scene.map_scree == pytest.approx(stress_scree(wanted), abs=1e-9)
    assert scene.whole_map.points.shape == (11, 2)
    assert (scene.agreement == scene.everything.agreement[np.ix_(scene.switched_on, scene.switched_on)]).all()
    assert (scene.base_scores == scene.everything.base_scores[scene.switched_on]).all()


def test_those_left_out_are_hollow_and_it_is_said():
    scene = scene_of(data=pool(labels_of("copies")), k="3").varied(switched_off=(0, 4, 5, 6))
    traces = drawn("partition_map", scene, "light").data
    left = next(trace for trace in traces if trace.get("name") == "left out")
    numbers = {trace["text"][0]: [*trace["x"], *trace["y"]] for trace in traces if trace.get("mode") == "text"}
    assert numbers["3"] == [*left["x"], *left["y"]]  # of the other four copies one is left out: it stays with them
    assert "7 base clusterings (4 left out: hollow) by variation" in pictures()["partition_map"].sentence(scene)
    everyone = scene.everything
    assert "left out" not in {trace.get("name") for trace in drawn("partition_map", everyone, "light").data}
    assert "hollow" not in pictures()["partition_map"].sentence(everyone)


def measured(method):
    """By strategy what the table has: p, clusters as a share of chance's, the percentile beside them, and it alone."""
    text = (ROOT / "bench" / "results" / "selection.md").read_text()
    (section,) = [part for part in text.split("\n## ") if part.startswith(f"{method}\n")]
    rows = [line.strip("| ").split(" | ") for line in section.split("\n\n")[1].splitlines()[2:]]
    return {
        row[0]: (float(row[5].lstrip("< ")), float(row[6].rstrip("x")), float(row[7]), float(row[1].split()[0]))
        for row in rows
    }


def test_what_the_page_says_of_strategies_stands_in_the_table():
    titles = {key: one.title for key, one in known_strategies().items() if key != "random"}
    beyond = {
        method: {s: row[3] > 50 for s, row in measured(method).items() if row[0] <= 0.05}
        for method in ("LWEA", "LWGP", "EAC", "EC-CMS")
    }
    gained = {method: {s for s, above in found.items() if above} for method, found in beyond.items()}
    assert set(measured("LWEA")) == set(titles.values())
    for method in ("LWEA", "LWGP"):
        assert titles["least_alike"] in gained[method]
        assert all(measured(method)[strategy][1] > 1.05 for strategy in gained[method])
        assert beyond[method].keys() == gained[method]
        assert all(measured(method)[strategy][2] <= 55 for strategy in gained[method])
    assert {titles["snmi"], titles["most_clusters"]} <= gained["EAC"]
    assert min(measured("EAC")[titles[key]][2] for key in ("snmi", "joint")) > 55
    assert not beyond["EC-CMS"]


@pytest.mark.parametrize(("theta", "low"), [(0.05, "below 0.001"), (2.0, "0.")])
def test_reliabilities_that_are_next_to_nothing_are_said_to_be(theta, low):
    said = pictures()["cluster_reliability"].sentence(scene_of(data="iris", m="10", theta=str(theta)))
    assert f"reliability (ECI) {low}" in said
    assert " 0.000" not in said


@pytest.mark.parametrize("m", [2, 3, 5, 9, 20, 33])
def test_a_share_keeps_as_many_base_clusterings_as_the_command_does(m):
    made = SimpleNamespace(n_clusterings=m)
    for percent in range(1, 101):
        _, number = selection_of(f"snmi:{percent}%", m)
        assert number_kept(percent / 100, made) == min(max(2, number), max(2, m - 1)), percent
    assert number_kept(0.5, made) == min(max(2, selection_of("snmi", m)[1]), max(2, m - 1))


def test_pairs_of_base_clusterings_are_named_in_the_order_in_which_they_are_drawn():
    scene = Scene(RunConfig(data="moons", m=7, switched_off=(0,)))
    figure = drawn("agreement", scene, "light")
    order, keys = scene.agreement_order, scene.clustering_keys
    assert list(figure.layout["yaxis"]["ticktext"]) == [str(keys[m]) for m in order]
    first, second = order[:2]
    value = scene.agreement[first, second]
    assert figure.data[-1]["text"][1] == f"{keys[first]} and {keys[second]}<br>NMI (max) {value:.3f}"
    content = b"<b>q,a<br>b,c\n" + b"".join(b"%d,%d,%d\n" % (i % 2, i % 3, i // 5) for i in range(12))
    odd = Scene(RunConfig(data=uploads.keep_file("odd.csv", content, "labels").id, m=3))
    for name in ("agreement", "influence"):
        assert "<b>q" not in str(drawn(name, odd, "light").data) + str(drawn(name, odd, "light").layout)
    many = drawn("agreement", Scene(RunConfig(data="moons", m=61)), "light")
    assert not many.layout["yaxis"]["showticklabels"]
    assert "row" not in many.data[0]["hovertemplate"]


def test_what_is_enough_is_what_the_library_says():
    scene = Scene(RunConfig(data="iris", m=14, method="eac"))
    asked = scene.ensemble, "eac", scene.n_clusters
    found = enough(*asked, truth=scene.truth, score=scene.config.measure, seed=scene.config.seed)
    assert scene.members.ensemble.n_objects == len(scene.truth)
    assert scene.numbers_of_members.sizes.tolist() == found.sizes.tolist()
    assert scene.numbers_of_members.values.tolist() == found.values.tolist()


def test_a_lone_base_clustering_agrees_with_no_others(app):
    table = app("ensemble", data="moons", m="1").dataframe[0].value
    assert table.columns.tolist() == ["on", "clusters", "NMI (max), truth"]
