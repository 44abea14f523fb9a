"""What a browser may send of a menu."""

from types import SimpleNamespace

import pytest

from ui.session import bound


@pytest.mark.parametrize(("sent", "taken"), [("page", [{"policy": "page"}]), ("k = 5, as on the pages", [])])
def test_a_menu_never_takes_words_that_it_does_not_have(monkeypatch, sent, taken):
    """A browser may send the words by which an entry was called before."""
    heard = []
    monkeypatch.setattr(bound, "st", SimpleNamespace(session_state={"policy": sent}))
    monkeypatch.setattr(bound, "is_echo", lambda key, name: False)
    monkeypatch.setattr(bound, "change", lambda **fields: heard.append(fields))
    bound._store("policy", "policy", ("true", "page"))
    assert heard == taken
