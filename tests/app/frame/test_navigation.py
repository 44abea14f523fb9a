"""Pages lead to each other: every page but the last ends with the question of the next."""

from pathlib import Path

import pytest

from tests.app.conftest import ROOT, words
from ui.frame.shell import BEHIND, FIRST, MOVED, question_of, title_of
from ui.session.run_config import from_query
from ui.widgets import progress

PAGES = sorted((ROOT / "pages").glob("[0-9]*.py"))


@pytest.mark.parametrize("path", PAGES[1:], ids=lambda path: path.stem)
def test_a_page_asks_what_its_file_says(app, path: Path):
    at = app(path.stem.split("_", 1)[1], data="iris", m="6")
    assert question_of(path) in [title.value for title in at.title]


def test_a_page_ends_with_the_question_of_the_next(app):
    at = app("matrices", data="iris", m="6")
    (link,) = (link for link in at.get("page_link") if link.proto.label.startswith("Next"))
    assert link.proto.label == "Next: Which partition settles it?"
    assert link.proto.page_script_hash


def _next(at) -> list[str]:
    return [link.proto.label for link in at.get("page_link") if link.proto.label.startswith("Next")]


@pytest.mark.parametrize("page", ["all_methods", "glossary"])
def test_the_last_pages_lead_nowhere(app, page):
    assert not _next(app(page, data="iris", m="6"))


def test_the_menu_has_about_twelve_pages_and_the_others_stand_behind_them(app, monkeypatch):
    """What is behind a page is led to from there, and is not what comes next."""
    monkeypatch.setattr(progress, "PATIENCE", 60)  # the links stand below what is computed
    assert len(PAGES) - len(BEHIND) <= 14
    for page in ("compare", "all_methods"):
        at = app(page, data="iris", m="6")
        labels = [link.proto.label for link in at.main.get("page_link")]
        assert "What the papers print, beside ours" in labels, words(at)
    asked = question_of(next(path for path in PAGES if path.stem.endswith("lessons")))
    for page in ("compare", "published_tables"):
        assert _next(app(page, data="iris", m="6")) == [f"Next: {asked}"]


def test_titles_are_words():
    assert [title_of(path) for path in PAGES][:6] == [
        "Start",
        "Data",
        "Ensemble",
        "Matrices",
        "Consensus",
        "Walks",
    ]


@pytest.mark.parametrize("old", MOVED)
def test_an_old_address_has_a_page_to_lead_to(old):
    name, asked = MOVED[old]
    names = {path.stem.split("_", 1)[1] for path in PAGES}
    assert name in names
    assert old not in names or old == FIRST
    assert not from_query(asked)[1]


def test_the_sidebar_has_the_pages_of_the_section_and_those_in_no_menu(app):
    labels = [link.proto.label for link in app("walks", data="iris", m="6").sidebar.get("page_link")]
    assert labels == [
        "Consensus",
        "Walks",
        "Enhanced matrix",
        "Growing trees",
        "Subspaces",
        "Published tables",
        "Glossary",
    ]
    labels = [link.proto.label for link in app("published_tables", data="iris", m="6").sidebar.get("page_link")]
    assert labels == ["Which method", "How many", "Compare", "Published tables", "Glossary"]
