"""The session follows the browser's history, and writes only deliberate changes into it."""

from urllib.parse import urlencode

import pytest

from tests.app.opening import opened
from ui.session import state
from ui.session.run_config import RunConfig
from ui.session.state import page_file


def shown(at):
    """Seed of the session, and of the query the server knows."""
    seed = at.query_params["seed"]
    return at.session_state.run_config.seed, int(seed[0] if isinstance(seed, list) else seed)


def goes_back(at, **query):
    """What the browser reports after Back: the entry before, and that it went there."""
    went = at.session_state["_went"] if "_went" in at.session_state else None
    at.query_params["went"] = str(int(went or 0) + 1)
    for name, value in query.items():
        at.query_params[name] = value
    return at.run()


def test_a_change_is_written_and_the_way_back_is_followed(app):
    at = app(data="iris", m="6", seed="3", method="lwea")
    at.sidebar.number_input(key="seed").set_value(4).run()
    assert shown(at) == (4, 4)
    goes_back(at, seed="3")
    assert shown(at) == (3, 3)
    assert at.sidebar.number_input(key="seed").value == 3
    at.sidebar.number_input(key="seed").set_value(9).run()
    assert shown(at) == (9, 9)


@pytest.mark.parametrize(("n_off", "told"), [(300, True), (3_000, False)])
def test_no_address_is_longer_than_a_server_reads(n_off, told, monkeypatch):
    off = tuple(range(1, 3 * n_off, 3))
    pick = tuple((n, n) for n in range(10_000, 10_300, 2))  # as many ranges as a link may have
    chosen = RunConfig(data="iris", switched_off=off, pick=pick)
    monkeypatch.setattr(state, "config", lambda: chosen)
    query = state._query_of(chosen)
    assert len(urlencode(query)) <= state.LONGEST_QUERY
    assert (state.off_beyond_links(), "switched_off" in query) == (not told, told)
    assert len(query["pick"].split(",")) == 150


def test_the_address_is_told_before_a_page_is_drawn(app, monkeypatch):
    """Pictures behind a change may take long, and a run that follows cuts this one short."""
    at = app("ensemble", data="iris", m="6", seed="3")
    at.session_state.run_config = at.session_state.run_config.with_(seed=5)

    def cut_short(*_):
        raise RuntimeError("cut short")

    monkeypatch.setattr("ui.frame.shell.drawing", cut_short)
    at.run()
    assert at.exception
    assert shown(at) == (5, 5)


def test_a_run_that_reports_what_was_told_changes_nothing(app):
    at = app(data="iris", m="6", seed="3", theta="0.2")
    before = at.session_state.run_config
    at.run()
    assert at.session_state.run_config == before
    at.query_params.clear()  # a page that was opened by its link in the navigation
    at.run()
    assert at.session_state.run_config == before


def test_a_widget_wins_over_a_query_that_came_too_late(app):
    at = app(data="iris", m="6", seed="3")
    at.sidebar.number_input(key="seed").set_value(4).run()
    at.query_params["seed"] = "3"  # the browser had not heard of the last change when this one was made
    at.sidebar.number_input(key="seed").set_value(5).run()
    assert shown(at) == (5, 5)


def test_a_browser_that_is_behind_did_not_go_back(app):
    """A slider moved to and fro under load: the address of a moment ago comes with a run that changes nothing."""
    at = app(data="iris", m="6", seed="3")
    at.sidebar.number_input(key="seed").set_value(4).run()
    at.query_params["seed"] = "3"
    at.run()
    assert at.session_state.run_config.seed == 4
    goes_back(at, seed="3")
    assert at.session_state.run_config.seed == 3
    at.sidebar.number_input(key="seed").set_value(5).run()
    at.query_params["seed"], at.query_params["went"] = "3", "1"  # where it went before the last change
    at.run()
    assert at.session_state.run_config.seed == 5


def test_what_an_entry_cannot_mean_is_said(app):
    at = app(data="iris", m="6", seed="3")
    at.sidebar.number_input(key="seed").set_value(4).run()
    goes_back(at, seed="many")
    assert any("must be an integer in" in warning.value for warning in at.warning)


def test_a_fragment_may_be_drawn_before_the_browser_was_told_a_word(monkeypatch):
    """In a session's very first run, when all results are there already, a picture is complete before the page is."""
    monkeypatch.setattr(state.st, "session_state", {"run_config": RunConfig()})
    state.add_entry()
    assert set(state.st.session_state) == {"run_config"}


def said_of_the_link(at) -> list[str]:
    return [one.value for one in at.warning if one.value.startswith("In the link")]


@pytest.mark.parametrize("page", ["compare", "consensus"])
def test_what_a_link_asks_in_vain_is_said_until_a_knob_is_moved(app, page):
    at = app(page, data="iris", m="6", votes_delta="many")
    assert len(said_of_the_link(at.run())) == 1, "a page runs again by itself, and it was read by nobody yet"
    at.slider(key="m").set_value(7).run()
    assert said_of_the_link(at) == []


def test_what_a_link_asks_in_vain_is_said_on_the_page_it_leads_to_alone(app):
    at = app("consensus", data="iris", m="6", votes_delta="many")
    assert said_of_the_link(at)
    assert said_of_the_link(at.switch_page(page_file("matrices")).run()) == []


def test_names_that_nothing_has_and_values_that_are_two_are_said():
    asked = {"x": "foo:1,2", "left": "foo", "y": "theta:0.2,0.4", "right": "truth", "m": ["5", "8"]}
    at = opened("consensus", {"data": "iris", **asked})
    said = said_of_the_link(at)
    assert at.session_state.run_config.m == 8
    assert [one.removeprefix("In the link, ").split(":")[0].split(" ")[0] for one in said] == ["left=foo", "x=foo", "m"]
    assert said[-1].endswith("m is there more than once. The last one counts, 8.")


def test_what_a_page_sets_by_itself_is_no_step_back(app):
    """Compare takes the data of the sidebar among its sets."""
    at = app(data="three_gaussian", m="6", seed="3")
    turn = at.session_state["_told"].turn
    at.switch_page(page_file("compare")).run()
    assert at.session_state.run_config.sets[0] == "three_gaussian"
    told = at.session_state["_told"]
    assert told.config == at.session_state.run_config
    assert "sets" not in at.query_params, "Streamlit would have made an entry of it"
    assert told.turn > turn
