"""Terms of the glossary are explained where a page first uses them."""

import re

from ui.learn.terms import GLOSSARY
from ui.widgets.terms import explained

TOOLTIP = re.compile(r'<abbr[^>]* title="([^"]+)">([^<]+)</abbr>')


def test_the_first_use_of_a_term_is_explained_and_only_the_first():
    seen: set[str] = set()
    first = explained("Every dot is a microcluster; microclusters are never split.", seen)
    assert TOOLTIP.findall(first) == [(GLOSSARY["microcluster"], "microcluster")]
    assert explained("Another microcluster.", seen) == "Another microcluster."


def test_plurals_capitals_and_short_names_are_terms_too():
    text = explained("Base clusterings vote. ECI says which to trust. Prototypes take root.", set())
    assert [word for _, word in TOOLTIP.findall(text)] == ["Base clusterings", "ECI", "Prototypes"]


def test_parts_of_words_are_no_terms():
    assert explained("A nonconsensus, an aries.", set()) == "A nonconsensus, an aries."


def test_pages_explain_what_they_say_first(app):
    at = app("walks", data="iris", m="8")
    text = "\n".join(element.value for element in at.markdown)
    assert [word for _, word in TOOLTIP.findall(text)].count("microcluster") == 1
