"""A refusal for memory leads on: to methods that fit, to fewer base clusterings, to the command."""

import pytest

from engine import memory
from engine.memory import ACCOUNT
from tests.app.conftest import words


@pytest.fixture
def tight(monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "4K")


def test_a_method_that_fits_is_a_click_away(app, monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1M")  # more than clusters x clusters, less than n x n
    at = app("consensus", data="digits", m="20", krange="2-8", method="tome")
    assert "Ways out" in words(at)
    at.button(key="way_lwgp_consensus").click().run()
    assert not at.exception
    assert at.session_state.run_config.method == "lwgp"
    assert "Ways out" not in words(at)
    assert "LWGP joins" in words(at)


def test_fewer_base_clusterings_are_a_click_away(app, tight):
    at = app("consensus", data="wine", m="10", method="got")
    at.button(key="way_m_consensus").click().run()
    assert at.session_state.run_config.m == 5


def test_the_command_is_ready_to_copy(app, tight):
    at = app("consensus", data="wine", m="10", method="got", k="4")
    (line,) = [code.value for code in at.code if "engine.distributed" in code.value]
    assert line == (
        "python -m engine.distributed run --labels 'FOLDER/*.npy' --method lwgp --n-clusters 4 --out LABELS.npy"
    )


@pytest.mark.parametrize("page", ["enhanced_matrix", "growing_trees"])
def test_pages_that_need_a_matrix_say_what_to_do_instead(app, tight, page):
    at = app(page, data="wine", m="10")
    assert "Ways out" in words(at)
    assert any(button.key.startswith("way_m_") for button in at.button)


def test_what_others_hold_can_be_asked_for_again(app, monkeypatch):
    monkeypatch.setattr(memory, "PATIENCE", 0)
    while ACCOUNT._made_room():  # what other tests left is merely kept, and would go first
        pass
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", str(ACCOUNT.held + 2**28))
    with ACCOUNT.hold(2**28):
        at = app("consensus", data="digits", m="20", krange="2-60", method="pta", seed="31")
        assert "in use by others just now" in at.error[0].value
    at.button(key="again_consensus").click().run()
    assert not at.error
