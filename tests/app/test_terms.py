"""Terms of the glossary are explained where a page first uses them."""

import re

import pytest

from tests.app.conftest import ROOT
from ui.learn.terms import GLOSSARY
from ui.widgets.terms import explained

TOOLTIP = re.compile(r'<abbr[^>]* title="([^"]+)">([^<]+)</abbr>')


def test_the_first_use_of_a_term_is_explained_and_only_the_first():
    seen: dict[str, str] = {}
    first = explained("Every dot is a microcluster; microclusters are never split.", seen)
    assert TOOLTIP.findall(first) == [(GLOSSARY["microcluster"], "microcluster")]
    assert explained("Another microcluster.", seen) == "Another microcluster."


def test_plurals_capitals_and_short_names_are_terms_too():
    text = explained("Base clusterings vote. ECI says which to trust. Prototypes take root.", {})
    assert [word for _, word in TOOLTIP.findall(text)] == ["Base clusterings", "ECI", "Prototypes"]


def test_parts_of_words_are_no_terms():
    assert explained("A nonconsensus, an aries.", {}) == "A nonconsensus, an aries."


def test_capitals_are_part_of_an_abbreviation():
    text = explained("It got there by GoT, on the lac by LAC.", {})
    assert [word for _, word in TOOLTIP.findall(text)] == ["GoT", "LAC"]


def test_a_kind_of_nmi_is_a_term_of_its_own():
    found = TOOLTIP.findall(explained("NMI (max) 0.7, then NMI.", {}))
    assert found == [(GLOSSARY["NMI (max)"], "NMI (max)"), (GLOSSARY["NMI"], "NMI")]


def test_code_formulas_and_addresses_stay_as_they_are():
    words = r"`NMI`, $ARI$, [here](/consensus) and \*consensus\*"
    assert TOOLTIP.findall(explained(words, {})) == [(GLOSSARY["consensus"], "consensus")]
    assert explained(words, {}).startswith(r"`NMI`, $ARI$, [here](/consensus) and \*<abbr")


@pytest.mark.parametrize("words", ["<script>alert(1)</script>", "a <img src=x onerror=y> b", "<!-- x -->", "</abbr>"])
def test_nothing_else_is_read_as_html(words):
    assert "<" not in explained(words, {})


def test_the_same_words_with_other_numbers_are_explained_again():
    seen: dict[str, str] = {}
    assert "<abbr" in explained("n = 7 microclusters", seen)
    assert "<abbr" in explained("n = 12 microclusters", seen)  # a fragment drew them anew
    assert "<abbr" not in explained("microclusters again", seen)


def texts(block):
    """Sentences and captions of a page, top to bottom."""
    for one in block.children.values():
        if one.type in ("markdown", "caption"):
            yield one.value
        elif hasattr(one, "children"):
            yield from texts(one)


#: Pages by what they show under these settings; on the glossary everything is explained.
PAGES = [path.stem[3:] for path in sorted((ROOT / "pages").glob("*.py")) if not path.stem.endswith("glossary")]


@pytest.mark.parametrize("page", PAGES)
def test_every_term_is_explained_where_a_page_has_it_first(app, page):
    at = app(page, data="iris", m="8", method="ec_cms")
    for _ in range(100):
        if not any(button.label == "Cancel" for button in at.button):
            break
        at.run()
    found: dict[str, str] = {}
    n_terms = 0
    for shown in texts(at.main):
        plain = re.sub("</?abbr[^>]*>", "", shown).replace("&lt;", "<")
        expected = TOOLTIP.findall(explained(plain, found))
        assert TOOLTIP.findall(shown) == expected, plain
        n_terms += len(expected)
    assert n_terms > 0 or page == "data"  # it has none


def test_no_text_of_a_page_goes_past_the_explanations():
    rooms = [*(ROOT / "pages").glob("*.py"), *(ROOT / "ui").rglob("*.py")]
    bare = re.compile(r"\bst\.(markdown|caption)\(")
    past = {path.relative_to(ROOT).as_posix() for path in rooms if bare.search(path.read_text())}
    assert past == {"ui/widgets/terms.py", "ui/all_methods/panels.py"}  # the second is the glossary itself
