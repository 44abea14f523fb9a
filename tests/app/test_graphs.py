"""A graph without features on every page: what can be shown is, and what needs features says so."""

import numpy as np
import pytest

from engine.studies.__main__ import sources_of
from engine.studies.files import read_study, write_study
from tests.app.conftest import executed, words
from tests.app.test_pages import PAGES
from ui.export.script import script
from ui.report.tables import data_rows, ensemble_rows
from ui.scene import Scene
from ui.session.run_config import RunConfig
from ui.studies import study_panel, sweeps

GRAPH = "communities"
#: Pages that speak of k-means whatever the data are.
OF_ALL = ("all_methods", "glossary", "lessons", "published_tables")


@pytest.fixture(scope="module")
def scene():
    return Scene(RunConfig(data=GRAPH, m=6))


@pytest.mark.parametrize("page", PAGES)
def test_pages_show_a_bundled_graph(app, page):
    at = app(page, data=GRAPH, m="6")
    assert not at.error
    assert "k-means" not in words(at) or page in OF_ALL


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
