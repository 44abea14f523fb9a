"""A graph without features on every page: what can be shown is, and what needs features says so."""

import csv

import numpy as np
import pytest
from scipy import sparse

import data
from engine import cli
from engine.studies.__main__ import sources_of
from engine.studies.files import read_study, write_study
from tests.app.conftest import executed, words
from tests.app.test_pages import PAGES
from tests.data.test_graph_files import FILES, cells
from ui.compute import uploads
from ui.export.script import script
from ui.pictures import drawn, objects
from ui.report import __main__ as reporting
from ui.report.tables import data_rows, ensemble_rows
from ui.scene import Scene, places
from ui.session.run_config import RunConfig
from ui.studies import study_panel, sweeps
from ui.widgets import progress

pytestmark = pytest.mark.long

GRAPH = "communities"
#: Pages that speak of k-means whatever the data are.
PLANTED = sparse.csr_array(np.kron(np.eye(3), np.ones((4, 4))) - np.eye(12))
OF_ALL = ("all_methods", "glossary", "lessons", "published_tables")


@pytest.fixture(scope="module")
def scene():
    return Scene(RunConfig(data=GRAPH, m=6))


@pytest.mark.parametrize("page", PAGES)
def test_pages_show_a_bundled_graph(app, page):
    at = app(page, data=GRAPH, m="6")
    assert not at.error
    assert "k-means" not in words(at) or page in OF_ALL


@pytest.mark.parametrize("generator", ["kmeans", "leiden"])
@pytest.mark.parametrize("page", ["data", "ensemble", "subspaces", "how_many", "which_method", "compare"])
def test_pages_show_cells_with_features_and_a_graph(app, page, generator):
    cell = uploads.keep_file("cells.h5ad", cells(12, matrix=PLANTED), "graph")
    at = app(page, data=cell.id, m="6", generator=generator)
    assert not at.error
    assert {"scaling", "generator"} <= {one.key for one in at.sidebar.selectbox}
    scene = Scene(at.session_state.run_config)
    on_edges = scene.ensemble.graph is not None and scene.ensemble.graph.n_edges == scene.linked.n_edges
    assert on_edges == (generator == "leiden")


def test_base_clusterings_are_communities_whatever_the_session_made_of_features(scene):
    for generator in ("kmeans", "lac"):
        chosen = Scene(RunConfig(data=GRAPH, m=6, generator=generator, leiden_quality="rb"))
        assert (chosen.making.generator, chosen.making.params.quality) == ("leiden", "rb")
    assert scene.ensemble.graph.n_edges == scene.linked.n_edges
    assert "neighbors" not in {spec.name for spec in scene.making_specs}


def test_data_says_what_the_graph_is(app):
    text = words(app("data", data=GRAPH, m="6"))
    assert "**500 objects and 2,459 edges between them.**" in text
    assert "12 classes" in text


def test_what_needs_features_says_so(app):
    at = app("subspaces", data=GRAPH, m="6")
    assert "This page needs features; this graph has edges only." in words(at)


def test_nodes_stand_where_the_file_says_else_by_their_edges(scene):
    assert scene.placed[1] == places.OF_EDGES
    upload = uploads.keep_file("cells.h5ad", cells(12, matrix=PLANTED), "graph")
    placed = Scene(RunConfig(data=upload.id)).placed
    assert placed[1] == places.OF_FILE
    assert np.array_equal(placed[0], upload.content.coordinates)


@pytest.mark.parametrize("name", ["data", "truth", "consensus", "agreed"])
def test_pictures_of_objects_have_the_edges_below(scene, name):
    lines, dots = drawn(name, scene, "light").data[:2]
    assert (lines["mode"], dots["mode"]) == ("lines", "markers")
    assert len(lines["x"]) == 3 * scene.linked.n_edges


def test_many_edges_are_shaded_once_for_all_pictures(monkeypatch):
    calls = []
    monkeypatch.setattr(objects, "MOST_LINES", 100)
    monkeypatch.setattr(places, "shaded_edges", lambda *given: calls.append(1) or np.ones((3, 3), np.uint8))
    scene = Scene(RunConfig(data=GRAPH, m=6))
    for name in ("data", "consensus"):
        figure = drawn(name, scene, "light")
        assert figure.data[0]["mode"] == "markers"
        assert len(figure.layout["images"]) == 1
    assert len(calls) == 1


def test_the_menu_of_generators_has_what_takes_a_graph(app):
    at = app("ensemble", data=GRAPH, m="6")
    menu = at.sidebar.selectbox(key="generator_of_edges")
    assert (menu.options, menu.disabled) == (["communities (Leiden)"], True)
    assert "scaling" not in {one.key for one in at.sidebar.selectbox}


def test_the_script_makes_the_labels_of_the_page(scene):
    assert np.array_equal(executed(script(scene))["labels"], scene.consensus.labels)


def test_a_study_runs_on_the_graph_here_and_from_a_file(scene):
    study = sweeps.study(scene.config)
    here = study_panel.sources(study)[GRAPH]
    there = sources_of(read_study(write_study(study)))[GRAPH]
    assert here.graph.fingerprint == there.graph.fingerprint == scene.linked.fingerprint
    made = there.ensemble(study.recipe, 6, scene.config.seed)
    assert np.array_equal(made.labels, scene.ensemble.labels)


def test_the_report_says_edges_and_communities(scene):
    rows = dict(data_rows(scene)), dict(ensemble_rows(scene))
    assert rows[0]["Edges"] == "2,459"
    assert "Features" not in rows[0]
    assert rows[1]["From"].startswith("communities (Leiden)")


@pytest.fixture
def patient(monkeypatch):
    """Files are read in another process; here a page waits until it has."""
    monkeypatch.setattr(progress, "PATIENCE", 30)


def bring(app, name, content, kind="graph"):
    """The Data page with a file in its uploader."""
    at = app("data")
    if kind != "features":
        at.radio(key="upload_kind").set_value(kind).run()
    at.file_uploader(key=f"file_{kind}").set_value((name, content, "")).run()
    assert not at.exception
    return at


def brought(at):
    """The graph that the page took over."""
    return uploads.find(at.session_state.run_config.data).content


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("name", FILES)
def test_the_page_takes_graphs_of_every_kind(app, name):
    at = bring(app, name, FILES[name])
    assert brought(at).fingerprint == data.read_graph(name, FILES[name]).fingerprint
    n = data.read_graph(name, FILES[name]).n_objects
    assert f"{n} objects and {4} edges between them" in words(at)
    assert "parts that no edge links" in words(at)
    scene = Scene(at.session_state.run_config)
    assert scene.making.generator == "leiden"
    assert (scene.config.generator == "leiden") == scene.has_features  # else data taken next would have it, too


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("name", ["matrix.mtx", "graph.graphml"])
def test_what_can_only_be_a_graph_is_recognised(app, name):
    assert brought(bring(app, name, FILES[name], "features")).n_objects == 6


@pytest.mark.usefixtures("patient")
def test_a_table_whose_columns_name_ends_is_offered_as_a_graph(app):
    at = bring(app, "list.csv", b"source,target\n0,1\n1,2\n2,0\n3,4\n", "features")
    assert isinstance(brought(at), data.Dataset)
    at.button(key="as_graph").click().run()
    assert isinstance(brought(at), data.Graph)


@pytest.mark.usefixtures("patient")
def test_what_the_rules_did_to_the_edges_is_said(app):
    rows = b"from,to,weight\na,a,1\na,b,1\nb,a,3\nb,c,-2\nc,d,1\ne,f,1\n"
    text = words(bring(app, "odd.csv", rows))
    assert "1 edge from a node to itself left out." in text
    assert "1 edge of weight 0 or below left out." in text
    assert "1 edge given more than once; the largest weight counts." in text
    assert "3 parts that no edge links." in text


@pytest.mark.usefixtures("patient")
def test_a_graph_of_cells_under_another_name_is_found(app):
    content = cells(12, "distances", PLANTED)
    at = bring(app, "cells.h5ad", content)
    assert at.session_state.run_config.generator == "leiden"
    assert "The graph is obsp/distances." in words(at)
    assert brought(at).features is not None


@pytest.mark.usefixtures("patient")
def test_a_refusal_of_a_graph_says_what_is_wrong(app):
    at = bring(app, "half.csv", b"source,target\na,\nb,c\n")
    assert "Row 2 has no end of an edge" in "".join(one.value for one in at.error)


def planted_file() -> tuple[str, bytes]:
    """A list of edges with three planted groups whose nodes have names."""
    rng = np.random.default_rng(0)
    pairs = [(i, j) for i in range(60) for j in range(i) if rng.random() < (0.5 if i // 20 == j // 20 else 0.03)]
    lines = [f"n{i:02},n{j:02},{1 + (i + j) % 3}" for i, j in pairs]
    return "roads.csv", ("\n".join(["source,target,weight", *lines]) + "\n").encode()


@pytest.mark.parametrize("method", ["ecg", "lwea"])
def test_page_script_and_command_give_the_same_labels(tmp_path, method):
    name, content = planted_file()
    upload = uploads.keep_file(name, content, "graph")
    scene = Scene(RunConfig(data=upload.id, m=5, seed=3, method=method, k=3))
    (tmp_path / name).write_bytes(content)
    asked = ["consensus", str(tmp_path / name), "--edges", "--generator", "leiden", "--m", "5", "--seed", "3"]
    asked += ["--method", method, "--out", str(tmp_path / "found.csv"), *(["--k", "3"] if method == "lwea" else [])]
    assert cli.main(asked) == 0
    with (tmp_path / "found.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [int(row["label"]) for row in rows] == scene.consensus.labels.tolist()
    assert [row["identifier"] for row in rows] == scene.identifiers.tolist()
    assert np.array_equal(executed(script(scene), tmp_path)["labels"], scene.consensus.labels)


def test_the_command_reports_on_a_file_of_edges(tmp_path):
    name, content = planted_file()
    (tmp_path / name).write_bytes(content)
    asked = [
        str(tmp_path / name),
        "--edges",
        "--m",
        "4",
        "--k",
        "3",
        "--method",
        "ecg",
        "--out",
        str(tmp_path / "a.html"),
    ]
    assert reporting.main(asked) == 0
    page = (tmp_path / "a.html").read_text()
    assert "communities (Leiden)" in page
    assert "Edges" in page
    assert "k-means" not in page


def test_a_study_of_a_file_runs_beside_the_file(tmp_path):
    name, content = planted_file()
    upload = uploads.keep_file(name, content, "graph")
    config = RunConfig(data=upload.id, m=5, seed=3)
    (tmp_path / name).write_bytes(content)
    told, _ = study_panel.shared(sweeps.study(config))
    there = sources_of(read_study(write_study(told)), tmp_path)
    assert there[name].graph.fingerprint == Scene(config).linked.fingerprint
    assert study_panel.with_uploads(told).datasets == (upload.id,)


@pytest.mark.parametrize("page", ["ensemble", "consensus", "matrices"])
def test_one_community_everywhere_is_no_error(app, page):
    upload = uploads.keep_file("pair.csv", b"source,target\na,b\n", "graph")
    at = app(page, data=upload.id, m="6")
    assert not at.error
    assert "There is one microcluster" in words(at)


def test_the_data_page_asks_nothing_of_features_that_are_not_there(app):
    text = words(app("data", data=GRAPH, m="6"))
    assert "scaling" not in text
    assert "take a graph whose communities are harder to find" in text


def test_who_keeps_company_is_drawn_in_the_colours_of_the_consensus():
    scene = Scene(RunConfig(data="communities_hard", m=6, method="ecg"))  # its clusters are numbered unlike the classes
    marks = [
        next(one for one in drawn(name, scene, "light").data if "customdata" in one)["marker"]
        for name in ("consensus", "consistency")
    ]
    assert len({str([list(mark["color"]), mark.get("colorscale")]) for mark in marks}) == 1


def test_a_method_that_finds_k_is_not_asked_for_one(app):
    """Without classes it was red on the first visit of nearly every page."""
    edges = b"".join(b"%d,%d\n" % (i, j) for i in range(12) for j in range(i) if i // 4 == j // 4 or i + j == 7)
    made = uploads.keep_file("a.csv", edges, "graph").id
    for page in ("consensus", "matrices", "which_method"):
        at = app(page, data=made, method="ecg", m="6")
        assert not at.error, page
        assert "asking the criteria was not possible" not in words(at)
