"""Methods: every method stands in one family, can be found and chosen, and its paper is cited in plain words."""

import unicodedata

import pytest

from engine import consensus_methods
from engine.consensus import FAMILIES, costs
from tests.app.conftest import words
from ui import all_methods as panels
from ui.all_methods import answers
from ui.learn import GLOSSARY, bibtex, cited, entries
from ui.session.run_config import RunConfig
from ui.widgets import progress
from ui.widgets.method_menu import by_family


def test_every_method_stands_in_one_family():
    assert {method.family for method in consensus_methods().values()} <= set(FAMILIES)
    assert sorted(by_family()) == sorted(consensus_methods())


def test_a_search_looks_into_everything_said():
    def found(words):
        return {one.key for methods in panels.found(RunConfig(), words).values() for one in methods}

    keys = found("walk")
    assert {"pta", "ptgp"} <= keys
    assert "eac" not in keys
    assert found("STREHL ghosh") == {"cspa", "hgpa", "mcla"}
    assert not found("no such words")


@pytest.mark.parametrize("key", consensus_methods())
def test_papers_are_cited_in_plain_words(key):
    text = cited(consensus_methods()[key].reference)
    assert not set("{}\\") & set(text)
    assert text.endswith(f"{entries()[consensus_methods()[key].reference]['year']}.")


def test_a_paper_without_an_entry_is_cited_by_its_key():
    """A method is one file: its page opens, and its report is written, before anybody has written the entry."""
    assert bibtex("you2026") == "% you2026 has no entry in references.bib"
    assert cited("you2026") == "you2026 (no entry in references.bib)."


def test_authors_and_accents_are_read():
    assert unicodedata.normalize("NFC", cited("demsar2006")).startswith("Demšar: Statistical comparisons")
    assert cited("strehl2002").startswith("Strehl and Ghosh: Cluster Ensembles — A Knowledge")


def rows(at):
    """The table of the page, by the titles of the methods."""
    return at.dataframe[0].value.set_index("method")


def test_the_page_lists_finds_and_chooses(app):
    at = app("all_methods", data="iris", m="8")
    assert sorted(rows(at).index) == sorted(method.title for method in consensus_methods().values())
    assert "**LWEA**" in words(at)  # the one that is chosen, until somebody looks at another
    at = app("all_methods", data="iris", m="8", about="got")
    assert "**GoT**" in words(at)
    assert "kB for n = " in words(at)
    at.button(key="choose_got").click().run()
    assert at.session_state.run_config.method == "got"
    assert at.button(key="choose_got").disabled
    at.text_input(key="search_methods").set_value("nothing at all").run()
    assert "No method has these words" in words(at)


def test_the_glossary_explains_every_term(app):
    text = words(app("glossary", data="iris", m="8"))
    for term, meaning in GLOSSARY.items():
        assert f"*{term}*: {meaning}" in text


def test_filters_leave_a_family_and_a_need(app):
    at = app("all_methods", data="iris", m="8", families="medians,soft", takes="labels")
    assert "KCC" in rows(at).index
    assert not {"WSPA", "LWEA"} & set(rows(at).index)
    at.selectbox(key="takes").set_value("memberships").run()
    assert "WSPA" in rows(at).index
    assert "KCC" not in rows(at).index
    at = app("all_methods", data="iris", m="8", takes="graph")
    assert sorted(rows(at).index) == ["ECG", "Fast consensus", "FastEnsemble"]


def test_who_takes_missing_labels_is_found_and_who_does_not_says_so(app):
    query = {"data": "iris", "m": "8", "generator": "subsampling"}
    at = app("all_methods", **query, families="pairs", takes="gaps")
    assert "LWEA" in rows(at).index
    assert "WCT" not in rows(at).index
    assert "a label of every object" not in words(at)
    at = app("all_methods", **query, about="wct")
    assert "a label of every object in every base clustering, of which" in words(at)
    assert "a label of every object" not in words(app("all_methods", data="iris", m="8", about="wct"))


def test_time_and_memory_are_expected_of_every_method_that_was_measured(app):
    expected = rows(app("all_methods", data="iris", m="8"))["expected here"]
    possible = {key for key, one in consensus_methods().items() if not (one.unavailable or "graph" in one.needs)}
    assert set(expected[expected != ""].index) == {consensus_methods()[key].title for key in possible}
    assert all(one.unavailable or key in costs.laws() for key, one in consensus_methods().items())
    assert " expected" in words(app("all_methods", data="iris", m="8", about="ec_cms"))


def test_a_law_is_a_sum_of_terms():
    law = costs.Law((1.0, 0, 0, 0.5, 0, 0, 0, 0, 0.25, 0, 0, 0.5), (2.0, 0, 1.0, 0, 0, 0.5), 1500, 1.5, 0.01)
    assert law.expected(costs.Size(10, 3, 4), factor=2.0) == (2 * (1 + 50 + 16), 2 + 40)
    assert law.expected(costs.Size(10, 3, 4, 8, 20)) == (1 + 50 + 16 + 6, 2 + 40 + 4)
    of_labels = [1, 6, 10, 4, 12, 2.4, 8, 25, 125]
    assert costs.term_values(costs.TIME, costs.Size(2, 3, 5)).tolist() == [*of_labels, 0, 0, 0]
    assert costs.term_values(costs.TIME, costs.Size(2, 3, 5, 7, 14)).tolist() == [*of_labels, 21, 1, 3]


def test_laws_are_never_negative_and_grow():
    for law in costs.laws().values():
        small, large = (
            law.expected(costs.Size(200, 10, 60, 900, 300)),
            law.expected(costs.Size(2000, 20, 400, 9000, 3000)),
        )
        assert 0 < small[0] <= large[0]
        assert 0 < small[1] <= large[1]


def test_every_method_answers_the_example():
    found = answers()
    methods = consensus_methods().items()
    assert set(found.labels) == {key for key, one in methods if not one.unavailable and "graph" not in one.needs}
    assert all(set(labels) == {0, 1} for labels in found.labels.values())


def test_every_method_stands_beside_its_picture_unless_nobody_wants_any(app, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 60)
    at = app("all_methods", data="iris", m="8")
    assert (rows(at)["picture"] != panels.NO_PICTURE).sum() == len(answers().labels)
    assert "picture" in at.dataframe[0].proto.column_order
    assert at.dataframe[0].proto.row_height > 64  # only then are sentences broken into lines
    without = app("all_methods", data="iris", m="8", pictured="no")
    assert "picture" not in without.dataframe[0].proto.column_order


def test_a_matrix_that_does_not_fit_is_said(app, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "4K")
    assert "which does not fit into the 4.1 kB" in words(app("all_methods", data="iris", m="8", about="ec_cms"))
