"""The exported script, executed, gives the labels on the page."""

import numpy as np
import pytest

from engine import consensus_of_sample, run_consensus
from tests.app.conftest import executed, words
from ui.compute import uploads
from ui.export.script import file_name, labels_name
from ui.export.script import script as script_of
from ui.scene import Scene
from ui.session.run_config import from_query


def labels_on_the_page(config):
    scene = Scene(config)
    made, k = scene.ensemble, scene.wanted_k
    if config.sample:
        return consensus_of_sample(config.method, made, k, config.sample, config.method_params, config.seed).labels
    return run_consensus(config.method, made, k, config.method_params, config.seed).labels


QUERIES = [
    {"data": "moons"},
    {"data": "wine", "m": "9", "seed": "5", "method": "lwgp", "k": "4", "theta": "0.15", "scaling": "minmax"},
    {"data": "iris", "m": "12", "k_range": "3-6", "init": "k-means++", "n_init": "2", "method": "eac"},
    {"data": "iris", "m": "5", "generator": "subspaces", "feature_fraction": "0.3", "method": "eac"},
    {"data": "iris", "m": "5", "generator": "lac", "inverse_h": "0.5-50", "lac_k": "4", "method": "wbpa"},
    {"data": "wine", "m": "9", "method": "lwea", "theta": "0.15", "sample": "100"},
    {"data": "iris", "m": "6", "switched_off": "0.4", "method": "eac", "linkage": "complete"},
]


@pytest.mark.parametrize("query", QUERIES)
def test_the_script_reproduces_the_labels(query):
    config, problems = from_query(query)
    assert not problems
    expected = labels_on_the_page(config)
    scope = executed(script_of(Scene(config)))
    assert (scope["labels"] == expected).all()


@pytest.mark.parametrize("strategy", ["least_alike", "snmi"])
def test_the_script_selects_by_name_what_the_strategy_keeps(strategy):
    config, _ = from_query({"data": "wine", "m": "9", "strategy": strategy, "keep": "0.4", "method": "eac"})
    kept = Scene(config).kept_members
    config = config.with_(switched_off=tuple(np.setdiff1d(np.arange(9), kept).tolist()))
    script = script_of(Scene(config))
    assert f"select(ensemble, {strategy!r}, 4, n_clusters=3, seed=7)" in script
    assert "from concord.selection import select\n" in script
    assert (executed(script)["labels"] == labels_on_the_page(config)).all()
    others = config.with_(switched_off=tuple(kept[:5].tolist()))
    assert "not in {" in script_of(Scene(others))
    assert "concord.selection" not in script_of(Scene(others))


@pytest.mark.parametrize(("m", "call"), [("3", "generators.draw"), ("6", "Ensemble.from_labels")])
def test_the_script_of_an_upload_reads_the_file(m, call, tmp_path):
    rng = np.random.default_rng(1)
    content = "\n".join(",".join(map(str, row)) for row in rng.integers(4, size=(50, 6))).encode()
    (tmp_path / "members.csv").write_bytes(content)
    config, _ = from_query({"data": uploads.keep_file("members.csv", content, "labels").id, "m": m, "k": "4"})
    expected, script = labels_on_the_page(config), script_of(Scene(config.with_(k=4)))
    assert call in script
    assert (executed(script, tmp_path)["labels"] == expected).all()


def test_a_script_imports_what_it_calls_and_no_more(tmp_path):
    content = b"name,load,scale\na,1,2\nb,2,1\nc,8,9\nd,9,8\n"
    config, _ = from_query({"data": uploads.keep_file("load(confidence.csv", content, "features").id, "m": "3"})
    script = script_of(Scene(config.with_(k=2)))
    assert "from concord import generators, run_consensus\n" in script
    assert "from concord.data import read_upload, scale\n" in script
    assert "Path('load(confidence_lwea_k2.csv')" in script


def test_files_are_called_as_the_file_that_was_brought():
    content = b"name,w,h\na,1,2\nb,2,1\nc,8,9\nd,9,8\n"
    config, _ = from_query({"data": uploads.keep_file("my plants.csv", content, "features").id, "m": "3"})
    assert (file_name(config), labels_name(config, 2)) == ("my plants", "my plants_lwea_k2")
    assert "Path('my plants_lwea_k2.csv').write_bytes" in script_of(Scene(config.with_(k=2)))


def test_a_script_of_a_method_that_finds_k_calls_its_file_as_the_page_does():
    scene = Scene(from_query({"data": "communities", "generator": "leiden", "m": "6", "method": "ecg", "k": "7"})[0])
    assert scene.consensus.n_clusters != 7
    assert f"Path('{labels_name(scene.config, scene.consensus.n_clusters)}.csv')" in script_of(scene)


def test_the_page_shows_the_script(app):
    at = app("consensus", data="iris", m="5")
    assert "run_consensus('lwea', ensemble, n_clusters=3, seed=7)" in at.code[0].value
    assert "LWEA joins" in words(at)
