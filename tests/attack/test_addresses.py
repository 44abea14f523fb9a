"""Addresses somebody else made: every page opens on any query, and says in known words what it left out."""

import json

import numpy as np
import pytest

from tests.app.conftest import _figures_are_checked, _own_store  # noqa: F401 - fixtures for every test here
from tests.app.opening import opened
from ui.session.run_config import from_query
from ui.session.settings import settings
from ui.session.state import PAGES

from .shared import SEED, VOLUME, Tally, drawn

_ODD = (
    *"0 1 -1 2 3 7 99 1e9 999999999999 9999999999999 0.5 1.0 .5 nan -inf 1e-320 0x10 1_0 １２ ٣ auto yes no".split(),
    *"true.false a,b a.b ../../etc/passwd http://x/y javascript:alert(1) <script>alert(1)</script> {{x}} ${x}".split(),
    *"iris wine lwea kmeans lac leiden upload:0 karate got ec_cms pta labels 0.1.2 5.4.3 1.1.1.1 0.0 0.99999".split(),
    *(
        "",
        " ",
        "\n",
        "\x00",
        "é",
        "e\u0301",
        "\u202e",
        "\U0001f600",
        "\ud800",
        "a" * 300,
        "1" * 5000,
        "[a](b)",
        "$x^2$",
    ),
    *('"', "'", "=1+1", "%s", "%00"),
)
_KNOWN = ("It was left out.", "instead.")
_NAMES = tuple(settings())


def _query(draw: np.random.Generator, most: int) -> dict[str, str]:
    """A few settings with values that they may have, that others have, and odd ones."""
    made = {}
    for _ in range(int(draw.integers(1, most))):
        name = _NAMES[int(draw.integers(len(_NAMES)))]
        one = settings()[name]
        other = settings()[_NAMES[int(draw.integers(len(_NAMES)))]]
        made[name] = (one.text(one.default), other.text(other.default), _ODD[int(draw.integers(len(_ODD)))])[
            int(draw.integers(3))
        ]
    if draw.random() < 0.2:
        made[_ODD[int(draw.integers(len(_ODD)))] or "x"] = "1"
    return made


@pytest.mark.long
def test_every_query_is_a_config_and_complaints(tally: Tally):
    """Without a page: what was read is written as a query that is read as the same."""
    for case, draw in drawn(1500):
        query = _query(draw, 12)
        tally.attempt(f"{case} {query}"[:300], lambda query=query: _unlike(query))
    for name, odd in ((name, odd) for name in _NAMES for odd in _ODD):
        tally.attempt(f"{name}={odd[:40]!r}", lambda query={name: odd}: _unlike(query))  # noqa: B006 - of this round
    tally.settle()


def _unlike(query: dict[str, str]) -> str | None:
    config, problems = from_query(query)
    if not all(problem.endswith(_KNOWN) for problem in problems):
        return f"a complaint in unknown words: {problems}"
    again, more = from_query(config.to_query())
    if more:
        return f"its own query is complained of: {more}"
    return None if again.to_query() == config.to_query() else "another config once it is written"


@pytest.mark.long
@pytest.mark.parametrize("page", [path.stem.partition("_")[2] for path in sorted(PAGES.glob("[0-9]*.py"))])
def test_every_page_opens_on_every_query(tally: Tally, page):
    number = 1 if VOLUME <= 1 else max(1, round(VOLUME / 3))
    for case in range(number):
        draw = np.random.default_rng([SEED, case, *page.encode()])
        query = {name: value for name, value in _query(draw, 9).items() if not _too_long(name, value)}
        tally.attempt(f"{case} {json.dumps(query)}"[:600], lambda query=query: _page_fault(page, query), 60)
    tally.settle()


def _too_long(name: str, value: str) -> bool:
    """A server answers no query of more than 2 kB, and a browser sends no half characters."""
    return len(value) > 1000 or any("\ud800" <= one <= "\udfff" for one in name + value)


def _page_fault(page: str, query: dict[str, str]) -> str | None:
    """What is wrong with a page."""
    at = opened(page, query, timeout=120)
    said = sum("In the link," in one.value for one in at.warning)
    for _ in range(60):
        if at.exception or not any(button.label == "Cancel" for button in at.button):
            break
        at.run()
    if at.exception:
        return f"an exception box: {at.exception[0].message[:200]} {' '.join(at.exception[0].stack_trace[-3:])[:300]}"
    n_problems = len(from_query(query)[1])
    return None if said == n_problems else f"{said} of {n_problems} complaints"
