"""The exported script, executed, gives the labels on the page."""

import csv
from types import SimpleNamespace

import numpy as np
import pytest

from engine import cli, consensus_of_sample, run_consensus
from tests.app.conftest import executed, words
from ui.compute import uploads
from ui.consensus.downloads import labels_file
from ui.export.script import beside, file_name, labels_name
from ui.export.script import script as script_of
from ui.scene import Scene
from ui.session.run_config import from_query


def table_of(content):
    return list(csv.DictReader(content.decode().splitlines()))


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
    assert script.startswith("# Needs the package concord: `pip install .`")
    assert "from concord import generators, run_consensus\n" in script
    assert "from concord.data import read_upload, scale\n" in script
    assert "Path('load(confidence_lwea_k2.csv')" in script


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("features", b"a,b\n1,2\n,3\n1,2.5\n9,9\n8,\n9,8\n8.5,9\n"),
        ("labels", b"p,q,r\n0,0,1\n0,.5,1\n1,1,0\n1,1,1\nx,1,1\n0,0,1\n0,1,1\n"),
        ("labels", b"id,p,q,r\na,0,0,1\nb,0,.5,1\n=c,1,1,0\nd,1,1,1\ne,x,1,1\nf,0,0,1\n,0,1,1\n"),
    ],
)
def test_labels_stand_beside_the_rows_of_the_file_where_some_were_dropped(kind, content, tmp_path):
    (tmp_path / "gaps.csv").write_bytes(content)
    kept = uploads.keep_file("gaps.csv", content, kind, missing="drop")
    scene = Scene(from_query({"data": kept.id, "m": "3", "k": "2"})[0])
    given = labels_file(scene)
    assert [row["object"] for row in table_of(given)] == ["0", "2", "3", "5", "6"]
    executed(script_of(scene, beside(scene)), tmp_path)
    assert (tmp_path / "gaps_lwea_k2.csv").read_bytes() == given
    made = ["--generator", "kmeans", "--m", "3", "--seed", "7"] if kind == "features" else []
    asked = ["consensus", str(tmp_path / "gaps.csv"), "--k", "2", "--missing", "drop", *made]
    assert cli.main([*asked, "--confidence", "--out", str(tmp_path / "command.csv")]) == 0
    assert (tmp_path / "command.csv").read_bytes() == given


def test_nothing_stands_beside_the_labels_of_a_single_cluster():
    scene = Scene(from_query({"data": "iris", "m": "4"})[0])
    measured = scene.with_given(measured=SimpleNamespace(stability=np.ones(150)))
    assert beside(measured) == ["support", "margin", "stability"]
    assert beside(measured.with_given(profile=None)) == []
    assert labels_file(measured.with_given(profile=None)).splitlines()[0] == b"object,label"


def test_files_are_called_as_the_file_that_was_brought():
    content = b"name,w,h\na,1,2\nb,2,1\nc,8,9\nd,9,8\n"
    config, _ = from_query({"data": uploads.keep_file("my plants.csv", content, "features").id, "m": "3"})
    assert (file_name(config), labels_name(config, 2)) == ("my plants", "my plants_lwea_k2")
    assert "Path('my plants_lwea_k2.csv').write_bytes" in script_of(Scene(config.with_(k=2)))


@pytest.mark.parametrize("stem", ["e" * 245, "名" * 82], ids=["latin", "chinese"])
def test_no_file_is_called_longer_than_a_folder_takes(stem, tmp_path):
    content = b"name,w,h\na,1,2\nb,2,1\nc,8,9\nd,9,8\n"
    config, _ = from_query({"data": uploads.keep_file(f"{stem}.csv", content, "features").id, "m": "3"})
    name = labels_name(config.with_(method="fast_consensus"), 1000)
    assert stem.startswith(name[:50])
    (tmp_path / f"{name}_ensemble.parquet").write_bytes(b"")


def test_a_script_of_a_method_that_finds_k_calls_its_file_as_the_page_does():
    scene = Scene(from_query({"data": "communities", "generator": "leiden", "m": "6", "method": "ecg", "k": "7"})[0])
    assert scene.consensus.n_clusters != 7
    assert f"Path('{labels_name(scene.config, scene.consensus.n_clusters)}.csv')" in script_of(scene)


def test_the_page_shows_the_script(app):
    at = app("consensus", data="iris", m="5")
    assert "run_consensus('lwea', ensemble, n_clusters=3, seed=7)" in at.code[0].value
    assert "LWEA joins" in words(at)


def test_one_class_and_automatic_k_make_what_the_page_makes(tmp_path):
    rows = "\n".join(f"{a:.3f},{b:.3f},x" for a, b in np.random.default_rng(0).random((40, 2)))
    (tmp_path / "one.csv").write_text(f"a,b,class\n{rows}\n")
    id = uploads.keep_file("one.csv", (tmp_path / "one.csv").read_bytes(), "features").id
    config, _ = from_query({"data": id, "generator": "lac", "m": "4", "k": "3"})
    assert (executed(script_of(Scene(config)), tmp_path)["labels"] == labels_on_the_page(config)).all()
