"""Pages lead to each other: every page but the last ends with the question of the next."""

from pathlib import Path

import pytest

from tests.app.conftest import ROOT
from ui.frame.navigation import question_of, title_of

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


def test_the_last_page_leads_nowhere(app):
    links = app("methods", data="iris", m="6").get("page_link")
    assert not [link for link in links if link.proto.label.startswith("Next")]


def test_titles_are_words():
    assert [title_of(path) for path in PAGES][:6] == [
        "Start",
        "Data",
        "Consensus",
        "Ensemble",
        "Matrices",
        "Elite neighbours",
    ]
