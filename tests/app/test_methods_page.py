"""Methods: every method stands in one family, can be found and chosen, and its paper is cited in plain words."""

import unicodedata

import pytest

from engine import consensus_methods
from engine.consensus import FAMILIES
from tests.app.conftest import words
from ui.learn import costs
from ui.learn.references import cited, entries
from ui.learn.terms import GLOSSARY
from ui.methods import panels
from ui.methods.examples import answers
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


def test_authors_and_accents_are_read():
    assert unicodedata.normalize("NFC", cited("demsar2006")).startswith("Demšar: Statistical comparisons")
    assert cited("strehl2002").startswith("Strehl and Ghosh: Cluster Ensembles — A Knowledge")


def test_the_page_lists_finds_and_chooses(app):
    at = app("methods", data="iris", m="8")
    text = words(at)
    for method in consensus_methods().values():
        assert f"**{method.title}**" in text
    assert "Not implemented: SRW" in text
    assert f"*microcluster*: {GLOSSARY['microcluster']}" in text
    assert "kB for n = " in text
    at.button(key="choose_got").click().run()
    assert at.session_state.run_config.method == "got"
    assert at.button(key="choose_got").disabled
    at.text_input(key="search_methods").set_value("nothing at all").run()
    assert "No method has these words" in words(at)


def test_filters_leave_a_family_and_a_need(app):
    at = app("methods", data="iris", m="8", families="medians,soft", takes="labels")
    text = words(at)
    assert "**KCC**" in text
    assert "**WSPA**" not in text
    assert "**LWEA**" not in text
    at.selectbox(key="takes").set_value("memberships").run()
    assert "**WSPA**" in words(at)
    assert "**KCC**" not in words(at)


def test_who_takes_missing_labels_is_found_and_who_does_not_says_so(app):
    query = {"data": "iris", "m": "8", "generator": "subsampling"}
    at = app("methods", **query, families="pairs", takes="gaps")
    assert "**LWEA**" in words(at)
    assert "**WCT**" not in words(at)
    assert "a label of every object" not in words(at)
    at.selectbox(key="takes").set_value("any").run()
    assert "**WCT**" in words(at)
    assert "a label of every object in every base clustering, of which" in words(at)
    assert "a label of every object" not in words(app("methods", data="iris", m="8"))


def test_time_and_memory_are_expected_of_every_method_that_was_measured(app):
    text = words(app("methods", data="iris", m="8"))
    measured = {key for key in costs.laws() if " " not in key}
    assert text.count(" expected") == len(measured)
    assert measured <= set(consensus_methods())
    left = set(consensus_methods()) - set(costs.laws())
    assert all(consensus_methods()[key].unavailable for key in left)


def test_a_law_is_a_sum_of_terms():
    law = costs.Law((1.0, 0, 0, 0.5, 0, 0, 0, 0, 0.25), (2.0, 0, 1.0, 0, 0), 1500, 1.5, 0.01)
    assert law.expected(10, 3, 4, factor=2.0) == (2 * (1 + 50 + 16), 2 + 40)
    assert costs.term_values(costs.TIME, 2, 3, 5).tolist() == [1, 6, 10, 4, 12, 2.4, 8, 25, 125]


def test_laws_are_never_negative_and_grow():
    for law in costs.laws().values():
        small, large = law.expected(200, 10, 60), law.expected(2000, 20, 400)
        assert 0 < small[0] <= large[0]
        assert 0 < small[1] <= large[1]


def test_every_method_answers_the_example():
    found = answers()
    assert set(found.labels) == {key for key, method in consensus_methods().items() if not method.unavailable}
    assert all(set(labels) == {0, 1} for labels in found.labels.values())


def test_every_method_stands_beside_its_picture_unless_nobody_wants_any(app, monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 60)

    def pictured(**query):
        bodies = [element.proto.body for element in app("methods", data="iris", m="8", **query).get("html")]
        return sum("makes of the example" in body for body in bodies)

    assert pictured() == len(answers().labels)
    assert pictured(pictured="no") == 0


def test_what_cannot_be_run_says_what_is_printed_of_it(app):
    text = words(app("methods", data="iris", m="8"))
    assert "Not implemented: SRW (seeded random walk" in text
    assert "printed numbers" in text


def test_a_matrix_that_does_not_fit_is_said(app, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "4K")
    assert "which does not fit into the 4.1 kB" in words(app("methods", data="iris", m="8"))
