"""Nodes and pictures of the ensemble as a whole: odd ensembles, and what the sentences say."""

import numpy as np
import pytest

from engine.partitions import partition_distances
from tests.app.test_doors import brought
from tests.app.test_one_k import as_csv
from tests.scenes import scene_of
from ui.compute import uploads
from ui.figures.stills import still
from ui.pictures import drawn, pictures
from ui.scene.partitions import JUDGED

NAMES = ("partition_map", "partition_tree", "selection_cloud", "enough")


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
