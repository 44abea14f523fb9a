"""A refusal for memory leads on: to methods that fit, to fewer base clusterings, to the command."""

import time

import pytest

from engine.runtime import memory
from engine.runtime.memory import ACCOUNT
from tests.app.conftest import at_rest, words
from ui.report.making import gathered, report
from ui.session.run_config import from_query
from ui.widgets import progress

pytestmark = pytest.mark.long

SAID = "joined a sample of 100 objects (the other 78 are put into their most similar cluster"


@pytest.fixture
def tight(monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "4K")


def test_a_method_that_fits_is_a_click_away(app, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1M")  # more than clusters x clusters, less than n x n
    at = app("consensus", data="digits", m="20", k_range="2-8", method="tome")
    assert "Ways out" in words(at)
    at.button(key="way_lwgp_consensus").click().run()
    assert not at.exception
    assert at.session_state.run_config.method == "lwgp"
    assert "Ways out" not in words(at)
    assert "LWGP joins" in words(at)


def test_where_walks_are_compared_a_method_is_offered_that_walks(app, monkeypatch):
    """Another one changed all pages but this, on which PTA stood in for it."""
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "4M")
    monkeypatch.setattr(progress, "fitting", lambda _: ["hbgf", "kcc", "lwgp", "ptgp"])
    at = app("walks", data="digits", m="20", method="lwea")
    ways = [str(button.key) for button in at.button if str(button.key).startswith("way_")]
    assert [way for way in ways if way.endswith("_consensus_method") and "way_m_" not in way] == [
        "way_ptgp_consensus_method"
    ]
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "16M")
    at.button(key="way_ptgp_consensus_method").click().run()
    assert at.session_state.run_config.method == "ptgp"
    assert "Ways out" not in words(at)


@pytest.mark.parametrize(
    ("page", "name", "limit", "query"),
    [
        ("consensus", "consensus", "80K", {"data": "wine", "m": "32", "method": "got"}),
        ("enhanced_matrix", "given", "400K", {"data": "wine", "m": "32", "k_range": "2-6"}),
    ],
)
def test_fewer_base_clusterings_are_offered_where_they_do(app, monkeypatch, page, name, limit, query):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", limit)
    at = app(page, **query)
    assert "Ways out" in words(at)
    at.button(key=f"way_m_{name}").click().run()
    at.run()
    assert at.session_state.run_config.m < 32
    assert "Ways out" not in words(at)


def test_fewer_base_clusterings_are_not_offered_where_they_would_be_refused_too(app, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1K")
    at = app("consensus", data="wine", m="10", method="got")
    assert "Ways out" in words(at)
    assert not [button.key for button in at.button if button.key and button.key.startswith("way_m_")]


def test_the_command_is_ready_to_copy(app, tight):
    at = app("consensus", data="wine", m="10", method="got", k="4")
    (line,) = [code.value for code in at.code if "engine.distributed" in code.value]
    assert line == (
        "python -m engine.distributed run --labels 'FOLDER/*.npy' --method lwgp --n-clusters 4 --out LABELS.npy"
    )


def test_a_sample_whose_answer_is_extended_is_a_click_away(app, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1M")  # more than clusters x clusters, less than n x n
    at = app("consensus", data="digits", m="20", k_range="2-8", method="tome")
    at.button(key="way_sample_consensus").click().run()
    assert not at.exception
    n = at.session_state.run_config.sample
    assert 100 <= n < 1797
    assert f"a sample of {n:,} objects (the other {1797 - n:,} are put into their most similar cluster" in words(at)
    assert at.number_input(key="sample").value == n
    at.button(key="sample_all").click().run()
    assert at.session_state.run_config.sample is None
    assert "Ways out" in words(at)


def test_a_sample_says_so_beside_the_answer_of_other_pages_and_in_the_report(app):
    for page in ("start", "walks"):
        at = app(page, data="wine", m="10", seed="3", method="pta", sample="100")
        for _ in range(40):  # beside other tests its job may take longer than a page waits
            if SAID in words(at):
                break
            time.sleep(0.1)
            at.run()
        assert SAID in words(at), page
    config, _ = from_query({"data": "wine", "m": "10", "method": "lwea", "sample": "100"})
    text = report(gathered(config))
    assert "a sample of 100 objects (the other 78 are put into their most similar cluster" in text


@pytest.mark.parametrize("page", ["consensus", "matrices", "walks", "growing_trees", "enhanced_matrix"])
@pytest.mark.parametrize("method", ["lwea", "pta", "ec_cms", "drec"])
def test_no_page_minds_a_sample(app, page, method):
    at = app(page, data="wine", m="10", seed="3", method=method, sample="100")
    assert not at.exception
    assert not [one.value for one in at.error]
    if page in ("growing_trees", "enhanced_matrix"):  # what they show is of all objects
        assert "a sample of" not in words(at)


@pytest.mark.parametrize("page", ["compare", "ensemble", "how_many", "which_method"])
def test_what_is_asked_on_all_objects_says_so_beside_a_sample(app, page):
    query = {"data": "iris", "m": "6", "k": "3", "methods": "lwea,eac", "budget": "1"}
    at = at_rest(app, page, **query, sample="100")
    assert "Asked on all 150 objects; on Consensus LWEA runs on a sample of 100 of them." in words(at)
    assert "Asked on all" not in words(app(page, **query))


@pytest.mark.parametrize("page", ["enhanced_matrix", "growing_trees"])
def test_pages_that_need_a_matrix_say_what_to_do_instead(app, tight, page):
    at = app(page, data="wine", m="10")
    assert "Ways out" in words(at)
    assert any("engine.distributed" in code.value for code in at.code)


def test_what_others_hold_can_be_asked_for_again(app, monkeypatch):
    monkeypatch.setattr(memory, "PATIENCE", 0)
    while ACCOUNT._made_room():  # what other tests left is merely kept, and would go first
        pass
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", str(ACCOUNT.held + 2**28))
    with ACCOUNT.hold(2**28):
        at = app("consensus", data="digits", m="20", k_range="2-60", method="pta", seed="31")
        assert "in use by others just now" in at.error[0].value
    at.button(key="again_consensus").click().run()
    assert not [one.value for one in at.error]
