"""Terms of the glossary are explained where a page first uses them."""

import json
import re
from html import unescape

import pytest

from tests.app.conftest import ROOT, at_rest, charts, unexplained
from ui.figures.spec import Figure, scatter
from ui.learn import GLOSSARY
from ui.widgets import terms
from ui.widgets.terms import explained, linked, terms_in

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


def test_a_part_drawn_again_explains_what_the_page_explains_only_below_it(monkeypatch):
    monkeypatch.setattr(terms.st, "session_state", {})
    terms.begin()
    explained("A prototype above.", terms._seen())
    above = terms.explained_above()
    explained("A microcluster below.", terms._seen())
    terms.begin(above)
    assert not TOOLTIP.findall(explained("Another prototype.", terms._seen()))
    assert TOOLTIP.findall(explained("The microcluster of a click.", terms._seen()))


def test_where_no_html_is_read_a_term_is_a_link_that_says_what_it_means():
    words = r"LWEA needs a base clustering, `NMI`, a < b and \*consensus\*"
    said = linked(words, {})
    assert f'a [base clustering](glossary "{GLOSSARY["base clustering"]}"), `NMI`, a < b' in said
    assert said.startswith("[LWEA](glossary ")
    assert unexplained(said) == words


def test_a_meaning_can_stand_in_the_title_of_a_link():
    assert not [term for term, meaning in GLOSSARY.items() if '"' in meaning or "\n" in meaning]


def test_every_kind_of_words_in_a_figure_is_read():
    figure = Figure()
    bar = {"colorbar": {"title": {"text": "beside a bar"}}}
    figure.add_trace(
        scatter(x=["a place"], name="in the legend", text=["at a dot"], hovertemplate="on hover", marker=bar)
    )
    figure.update_xaxes(title_text="along an axis", ticktext=["at a tick"])
    figure.add_annotation(text="a note")
    figure.update_layout(showlegend=True, sliders=[{"steps": [{"label": "a caption"}]}], meta={"alt": "unseen"})
    read = ["a place", "at a dot", "on hover", "beside a bar", "along an axis", "at a tick", "a note", "a caption"]
    assert sorted(figure.words()) == sorted(["in the legend", *read])


#: Pages by what they show under these settings; on the glossary everything is explained.
PAGES = [path.stem[3:] for path in sorted((ROOT / "pages").glob("*.py")) if not path.stem.endswith("glossary")]
IRIS = {"data": "iris", "m": "8"}
TEXTS = ("markdown", "caption", "title", "header", "subheader", "info", "warning", "error")
LINK = re.compile(r'\[([^]]+)\]\(glossary "([^"]+)"\)')
#: What the glossary says of terms, where it stands below other words.
_MEANINGS = re.compile("|".join(re.escape(f"*{term}*: {meaning}") for term, meaning in GLOSSARY.items()))


def elements(block):
    """Whatever stands on a page, top to bottom."""
    for one in block.children.values():
        yield one
        if hasattr(one, "children"):
            yield from elements(one)


def of(one, name):
    """A word of an element's own, such as its label."""
    return getattr(getattr(one, "proto", None), name, "") or ""


@pytest.mark.parametrize("page", PAGES)
def test_every_term_is_explained_where_a_page_has_it_first(app, page):
    found: dict[str, str] = {}
    n_terms = 0
    for one in elements(at_rest(app, page, **IRIS, method="ec_cms").main):
        if one.type not in TEXTS:
            continue
        told = {meaning for meaning in GLOSSARY.values() if meaning in of(one, "help")}  # of the picture below
        plain = unexplained(one.value).replace("&lt;", "<")
        expected = [word for _, word in TOOLTIP.findall(explained(plain, found))]
        shown = [word for _, word in TOOLTIP.findall(one.value)] + [word for word, _ in LINK.findall(one.value)]
        assert shown == expected, plain
        found |= {term: "help" for term, meaning in GLOSSARY.items() if meaning in told and term not in found}
        n_terms += len(expected)
    assert n_terms > 0 or page == "data"  # it has none


@pytest.mark.parametrize("query", [{"method": "ec_cms"}, {"method": "pta", "measure": "ari"}], ids=["ec_cms", "pta"])
@pytest.mark.parametrize("page", PAGES)
def test_labels_boxes_and_pictures_have_no_term_that_the_page_does_not_explain(app, page, query):
    at = at_rest(app, page, **IRIS, **query)
    standing, told = [], []
    for one in (*elements(at.main), *elements(at.sidebar)):
        told.append(of(one, "help"))
        standing.append(_MEANINGS.sub("", of(one, "help")))  # what a widget's help says itself
        standing += [of(one, "label"), *map(str, of(one, "options"))]
        if one.type == "dataframe":
            standing += [*map(str, one.value.columns), str(one.value.index.name or "")]
            helps = [column.get("help") or "" for column in json.loads(of(one, "columns") or "{}").values()]
            told += helps
            standing += [_MEANINGS.sub("", words) for words in helps]
        if one.type in TEXTS:
            told += [unescape(meaning) for meaning, _ in TOOLTIP.findall(one.value)]
            told += [meaning for _, meaning in LINK.findall(one.value)]
            standing.append(unexplained(one.value))
    standing += [word for one in charts(at).values() for word in Figure(one["data"], one["layout"]).words()]
    missing = {term: text for text in standing for term in terms_in(text) if GLOSSARY[term] not in "\n".join(told)}
    assert not missing


def test_no_text_of_a_page_goes_past_the_explanations():
    rooms = [*(ROOT / "pages").glob("*.py"), *(ROOT / "ui").rglob("*.py")]
    bare = re.compile(r"\bst\.(markdown|caption|title|header|subheader|info|warning|error)\(")
    past = {path.relative_to(ROOT).as_posix() for path in rooms if bare.search(path.read_text())}
    # The glossary itself, and the words of an app that cannot begin.
    assert past == {"ui/widgets/terms.py", "ui/all_methods.py", "ui/frame/main.py"}
