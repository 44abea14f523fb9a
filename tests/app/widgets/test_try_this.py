"""Every page and every method says what to try, and shows its formula with the session's numbers."""

import re
import time

import pytest

from engine import consensus_methods
from tests.app.conftest import ROOT, words
from ui.widgets.try_this import filled_in, of_method

PAGES = [path.stem.split("_", 1)[1] for path in sorted((ROOT / "pages").glob("[0-9]*.py"))]
NAME = re.compile(r"<(\w+)>")


def at_rest(at):
    """The page once nothing is computed any more: some formulas have numbers that take a while."""
    for _ in range(240):
        if not at.get("progress"):
            break
        time.sleep(0.25)
        at.run()
    return at


def formulas(at) -> str:
    """All LaTeX on a page."""
    return "\n".join(element.value for element in at.latex)


@pytest.mark.parametrize("page", [page for page in PAGES if page not in ("lessons", "glossary")])
def test_every_page_ends_with_something_to_try_and_a_formula(app, page):
    at = at_rest(app(page, data="iris", m="8"))
    assert words(at).count("> **Try this**") == 1
    assert [one.label for one in at.expander].count("The formula, with your numbers") >= 1


@pytest.mark.parametrize("key", consensus_methods())
def test_every_method_has_a_formula_of_its_own_parameters(key):
    one = consensus_methods()[key]
    assert one.try_this.endswith((".", "?"))
    assert set(NAME.findall(one.formula)) <= {spec.name for spec in one.params.specs()} | {"M", "N", "n", "k"}
    assert one.formula.count("{") == one.formula.count("}")


@pytest.mark.parametrize("key", consensus_methods())
def test_a_value_a_method_proposes_is_one_it_takes(key):
    one = consensus_methods()[key]
    known = {spec.symbol: spec for spec in one.params.specs()}
    for symbol, value in re.findall(r"set (\S+) to ([\d.]*\d)", one.try_this):
        known[symbol].validate(float(value) if "." in value else int(value))


def test_alpha_of_gp_mgla_stands_at_the_links_it_weighs():
    """Small alpha listens to links between clusters alone, as the parameter says."""
    one = consensus_methods()["gp_mgla"]
    assert r"\text{object to cluster: } <alpha>\, w_m" in one.formula
    assert "lower α" in one.try_this


def test_numbers_are_those_of_the_session(app):
    at = app("consensus", data="iris", m="8", method="lwea", theta="0.2")
    assert r"e^{-H(C) / (θ \cdot M)}" in formulas(at)
    assert r"e^{-H(C) / (0.2 \cdot 8)}" in formulas(at)


def test_an_automatic_parameter_stands_at_what_it_comes_to(app):
    at = app("consensus", data="iris", m="8", method="ptgp")
    assert re.search(r"walks of } \d+ \\text\{ steps on } \d+ ", formulas(at))


def test_names_are_filled_in():
    assert filled_in("<a> <b>", {"a": "1", "b": "x"}) == "1 x"
    assert of_method("wct").concepts["dc"]
