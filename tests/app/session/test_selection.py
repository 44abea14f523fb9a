"""Objects a person picked: in the URL as ranges, the same on every page."""

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.app.conftest import at_rest, words
from ui.figures import add_ticks, matrix_image
from ui.scene import Scene
from ui.session import selection
from ui.session.run_config import RunConfig, from_query
from ui.session.selection import ranges_of
from ui.session.settings import Ranges, settings, value_of


@given(st.sets(st.integers(0, 300), min_size=1, max_size=80))
def test_ranges_come_back_from_their_text(numbers):
    objects = np.array(sorted(numbers))
    ranges = ranges_of(objects)
    assert value_of(Ranges(), Ranges().text(ranges)) == ranges
    np.testing.assert_array_equal(np.concatenate([np.arange(a, b + 1) for a, b in ranges]), objects)
    assert all(after[0] > before[1] + 1 for before, after in zip(ranges, ranges[1:], strict=False))


@pytest.mark.parametrize("text", ["", "a", "5-3", "3,1", "3,3", "1-4,2-6", "-3", "1" * 12, ",".join(["1"] * 400)])
def test_what_is_no_range_is_refused(text):
    with pytest.raises(ValueError, match="ranges"):
        value_of(Ranges(), text)


def test_a_link_brings_its_picked_objects(app):
    at = app("data", data="iris", m="6", pick="3-5,9")
    assert "Picked: 4 objects (4, 5, 6, 10) from a link" in words(at)
    assert at.session_state.run_config.to_query()["pick"] == "3-5,9"
    at.button(key="clear_selection").click().run()
    assert "Picked" not in words(at)
    assert "pick" not in at.session_state.run_config.to_query()


def test_objects_that_do_not_exist_pick_nothing_that_is_drawn(app):
    at = app("data", data="iris", m="6", pick="9000-9001")
    assert not at.exception


def test_other_data_let_them_go(app):
    at = app("data", data="iris", m="6", pick="3-5")
    at.sidebar.selectbox(key="data").set_value("wine").run()
    assert "Picked" not in words(at)


def test_more_than_four_picked_objects_are_shortened(app):
    assert "Picked: 5 objects (4, 5, 6, 7, ...)" in words(app("data", data="iris", m="6", pick="3-7"))


@pytest.mark.parametrize(("last", "is_drawn"), [(149, True), (150, False)])
def test_the_last_object_can_be_picked_and_the_one_after_it_not(last, is_drawn):
    chosen = Scene(RunConfig(data="iris"), picked=np.array([0, last])).picked_mask
    assert (chosen is not None) == is_drawn
    if is_drawn:
        assert chosen.nonzero()[0].tolist() == [0, last]


@pytest.mark.parametrize(
    ("query", "said"), [({"seed": "x"}, "Using 7 instead."), ({"pick": "x"}, "Using none instead.")]
)
def test_a_value_that_is_refused_names_what_is_used_instead(query, said):
    config, (problem,) = from_query(query)
    assert problem.endswith(said)
    assert config == RunConfig()


@pytest.mark.parametrize("name", [*settings(), "a name of nothing" * 20])
def test_what_is_used_instead_is_said_whatever_a_link_asks_for(name):
    _, problems = from_query({name: "\x01" * 300})
    for problem in problems:
        assert len(problem) < 400
        assert problem.endswith(("instead.", "It was left out."))


def test_a_sidebar_says_what_is_used_instead_of_a_word_that_is_one_of_many(app):
    at = app("data", data="iris", m="6", left="x" * 300)
    (said,) = [one.value for one in at.warning if "In the link" in one.value]
    assert said.endswith("Using ca instead.")


@pytest.mark.parametrize("page", ["matrices", "enhanced_matrix", "walks", "growing_trees"])
def test_what_is_picked_is_said_above_the_page_and_marked_in_its_pictures(app, page):
    at = at_rest(app, page, data="iris", m="8", pick="3-5,120")
    assert "Picked: 4 objects" in "\n".join(element.value for element in at.main.caption)
    assert marks(at)
    assert not marks(at_rest(app, page, data="iris", m="8"))


def marks(at) -> list[dict]:
    """Traces that mark what is picked, in all figures of a page."""
    figures = [json.loads(one.proto.spec) for one in at.get("plotly_chart")]
    return [trace for figure in figures for trace in figure["data"] if trace.get("name") == "picked"]


def test_ticks_stand_at_the_picked_rows_and_columns():
    figure = matrix_image(np.zeros((10, 10)), "light", extent=(20, 30, 40, 50))
    add_ticks(figure, (20, 30, 40, 50), [0, 3], [9], "light")
    marks = figure.to_plotly().data[-1]
    assert sorted(set(marks.y[:6].tolist())) == [20.5, 23.5]
    assert set(marks.x[6:].tolist()) == {49.5}
    assert max(np.nanmax(marks.x[:6]), 40) == 40


class State(dict):
    """A session's state, of a page that is not drawn."""

    __getattr__, __setattr__ = dict.__getitem__, dict.__setitem__


def test_objects_too_scattered_for_an_address_are_those_of_their_data_alone(monkeypatch):
    session = State(run_config=RunConfig(data="digits"))
    monkeypatch.setattr("streamlit.session_state", session)
    selection.pick(np.arange(0, 800, 2), "a table")
    assert session.run_config.pick == ()
    assert selection.picked().tolist() == list(range(0, 800, 2))
    assert selection.origin() == "a table"
    for change in {"labelled": True}, {"data": "wine"}:
        session.run_config = RunConfig(data="digits").with_(**change)
        assert selection.picked() is None
        assert selection.origin() == "a link"


def test_of_many_words_that_were_possible_a_refusal_names_a_few():
    (said,) = from_query({"method": "magic"})[1]
    assert re.fullmatch(r"method=magic: must be one of (\w+, ){7}\w+ and \d+ more\. Using lwea instead\.", said)
