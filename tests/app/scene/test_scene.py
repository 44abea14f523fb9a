"""A scene: what it can be asked for, what is made anew when a setting moves, and every picture from many addresses."""

import inspect

import numpy as np
import pytest

import data
from engine.choosing_method import choosing
from engine.runtime.errors import EngineError
from tests.app.test_doors import ADDRESSES, brought
from tests.scenes import scene_of
from ui.figures.spec import Figure
from ui.lessons.staging import stage
from ui.pictures import drawn, pictures
from ui.scene import AtOnce, Scene, nodes
from ui.scene.data_set import NotThereError
from ui.scene.scene import PENDING, rests_on
from ui.session.run_config import RunConfig
from ui.session.settings import settings

#: Pictures that look at many ensembles, which lessons draw from sets that suit them.
STUDIES = {"score_by_m", "seed_by_seed", "copies", "score_by_k", "structure_test", "twin_structure", "error_by_h"}
STUDIES |= {"twin", "toy_sorted", "toy_shuffled"}


def test_every_input_of_a_node_is_a_node_or_a_setting():
    known = {*nodes(), *settings(), "scene", "config", "recipe", "graph_recipe", "method_params"}
    assert {name: set(node.inputs) - known for name, node in nodes().items() if set(node.inputs) - known} == {}
    assert set(nodes()) & set(settings()) == {"truth"}  # whether it is shown, and the classes themselves


def test_what_takes_long_says_what_is_being_done():
    for node in nodes().values():
        if node.long:
            assert ":" in inspect.getdoc(node.make), node.name
            assert node.doing[0].isupper()


def test_nothing_rests_on_itself():
    for name in nodes():
        assert name not in rests_on(name) or "scene" in rests_on(name)


def test_a_setting_makes_anew_what_rests_on_it_and_nothing_else():
    scene = scene_of(data="iris", m="8")
    scene.get("consensus")
    moved = scene.varied(theta=0.1)
    assert moved.ensemble is scene.ensemble
    assert moved.consensus is not scene.consensus
    assert scene.varied(theta=0.1) is moved
    assert scene.varied(theta=scene.config.theta) is scene
    assert scene.varied(data="wine").ensemble.n_objects == 178


class Never(AtOnce):
    """Everything that takes long is still being made."""

    def __init__(self):
        super().__init__()
        self.asked = []

    def __call__(self, node, inputs, slot=""):
        self.asked.append(slot)
        return PENDING

    def known(self, node, inputs):
        return PENDING


def test_while_something_is_made_what_rests_on_it_is_none_and_is_begun_once():
    run = Never()
    scene = Scene(RunConfig(data="iris"), run)
    assert scene.known("ensemble") is None
    assert run.asked == []
    assert scene.consensus is None
    assert scene.forest is None
    assert scene.profile is None
    assert scene.partitions is None  # what the criteria say is being made, and is not None to what rests on it
    assert scene.ensemble is None
    assert run.asked == ["ensemble"]
    assert scene.varied("A", k=5).consensus is None
    assert run.asked == ["ensemble"]


@pytest.mark.parametrize("name", sorted(set(pictures()) - STUDIES))
def test_a_picture_of_what_is_being_made_is_none(name):
    scene = Scene(RunConfig(data="iris"), Never())
    found = drawn(name, scene, "light")
    assert found is None or isinstance(found, Figure)
    assert isinstance(pictures()[name].sentence(scene), str)


def test_a_given_value_stands_in_for_a_node_and_what_rests_on_it_follows():
    scene = scene_of(data="iris", m="6")
    labels = np.zeros(150, int)
    assert scene.class_names
    assert scene.with_given(truth=None).base_scores is None
    assert scene.with_given(truth=labels).wanted_k == 2


def test_a_scene_has_no_attribute_but_its_nodes():
    with pytest.raises(AttributeError, match="has no 'consensuss'"):
        scene_of(data="iris").consensuss  # noqa: B018


@pytest.fixture(scope="module")
def shared():
    """Addresses that differ in the method alone ask other methods once, not each of them anew."""
    return AtOnce()


@pytest.mark.long
@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: "-".join(address.values()))
def test_every_picture_is_drawn_from_every_address(address, shared, monkeypatch):
    query = {name: text for name, text in address.items() if name != "off"}
    query["data"] = brought(query["data"]) if query["data"] not in data.catalog() else query["data"]
    if address != ADDRESSES[0]:
        query["budget"] = "1"  # who takes long is waited for once, at the first
        monkeypatch.setattr(choosing, "AT_LEAST", 1)
    scene = scene_of(shared, **query)
    seen = 0
    for name in sorted(set(pictures()) - STUDIES):
        try:
            figure = drawn(name, scene, "dark")
            words = pictures()[name].sentence(scene)
        except (EngineError, NotThereError):
            continue  # said in words
        seen += figure is not None
        assert isinstance(words, str)
        if figure is not None:
            figure.to_plotly()
    assert seen > 20


def test_a_lesson_says_that_a_picture_has_nothing_to_show():
    with pytest.raises(NotThereError, match="Iris has nothing that the picture 'missing_labels' could show"):
        stage({"data": "iris", "m": "4"}, data.load("iris"), ("missing_labels",), (), "light")


def test_one_tree_serves_every_k_and_those_who_ask_which(monkeypatch):
    """20,000 objects take seconds to grow one: a step of k takes none, and where k is looked for the tree is there."""
    from engine.consensus import running
    from ui.scene import consensus

    ran, run = [], running.run_consensus

    def counting(method, made, *given, **named):
        ran.append((method, made.n_clusterings))
        return run(method, made, *given, **named)

    for module in (running, consensus):
        monkeypatch.setattr(module, "run_consensus", counting)
    monkeypatch.setattr(consensus, "TREES", trees := consensus.Trees(8))
    monkeypatch.setattr("ui.scene.how_many.TREES", trees)
    monkeypatch.setattr("ui.scene.methods.TREES", trees)
    monkeypatch.setattr(consensus, "MOST", {"microclusters": 0, "clusters": 0})  # as if there were too many to draw
    address = {"data": "wine", "m": "10", "seed": "3", "method": "lwea", "methods": "lwea,cspa"}
    assert scene_of(**address).quick_look.n_clusters > 1
    for k in (2, 3, 5):
        state = scene_of(**address, k=str(k))
        assert state.consensus.n_clusters == k
        assert (state.consensus.labels == state.method_answers.labels["lwea"]).all()
    assert [method for method, m in ran if m == 10] == ["lwea", "cspa", "cspa", "cspa"]  # others are on halves
    assert (state.consensus.labels == run("lwea", state.ensemble, 5, seed=3).labels).all()
    ran.clear()
    assert [scene_of(**{**address, "seed": "4"}, k=str(k)).consensus.n_clusters for k in (2, 4)] == [2, 4]
    assert ran == [("lwea", 10)]  # also where nobody asked which k
