"""The Lessons page: cards, steps, questions, the way to a page and back."""

import pytest
from streamlit.runtime.state.session_state import WStates

from tests.app.conftest import words
from tests.app.lessons.conftest import LESSON
from ui.lessons import library, panels
from ui.lessons.lesson import Lesson
from ui.lessons.staging import AHEAD
from ui.session.state import page_file


@pytest.fixture
def lessons(app, tmp_path, monkeypatch):
    """The page, with one lesson of a folder after those of the app."""
    (tmp_path / "mine.toml").write_text(LESSON)
    monkeypatch.setenv(library.FOLDER, str(tmp_path))

    def open_page(**query):
        return app("lessons", **query)

    return open_page


def press(at, key):
    at.button(key=key).click().run()
    return settled(at)


def settled(at):
    """Run on until a step that takes its time on a busy machine is there."""
    for _ in range(100):
        if not any("Preparing" in bar.proto.text for bar in at.get("progress")):
            break
        at.run()
    assert not at.exception
    return at


def keys(at):
    return {button.key for button in at.button}


def test_every_lesson_has_a_card(lessons):
    at = lessons()
    assert {f"open_{lesson.key}" for lesson in library.lessons()} <= keys(at)
    assert "For a test." in words(at)


def test_a_broken_lesson_is_listed_with_its_line(lessons, tmp_path):
    (tmp_path / "bad.toml").write_text(LESSON.replace("m = 5", "m = 0"))
    at = lessons()
    (warning,) = at.warning
    assert "bad.toml" in warning.value
    assert "line 8" in warning.value
    assert "open_bad" not in keys(at)


def test_a_step_shows_its_picture_and_its_numbers(lessons):
    at = press(lessons(), "open_mine")
    assert "There are 500 objects." in words(at)
    assert len(at.get("plotly_chart")) == 1
    assert at.session_state.run_config.data == "moons"
    assert at.session_state.run_config.method == "eac"


def test_a_question_comes_before_the_picture(lessons):
    at = press(press(lessons(), "open_mine"), "lesson_next")
    assert "Which?" in words(at)
    assert not at.get("plotly_chart")
    assert "The vote scores" not in words(at)
    press(at, "answer_1")
    assert len(at.get("plotly_chart")) == 2
    assert "Not quite: *This.*" in words(at)
    assert "*That.*" in words(at)


def test_without_an_answer_the_right_one_is_told(lessons):
    at = press(lessons(lesson="mine", step="2"), "lesson_next")
    assert ":material/check: *That.* So it is." in words(at)


def test_the_right_answer_is_called_right(lessons):
    at = press(lessons(lesson="mine", step="2"), "answer_2")
    assert "Right: *That.* So it is." in words(at)
    assert "Not quite" not in words(at)


def test_next_looks_without_an_answer(lessons):
    at = press(lessons(lesson="mine", step="2"), "lesson_next")
    assert len(at.get("plotly_chart")) == 2
    assert "Right:" not in words(at)


def test_a_bare_link_opens_a_step_in_its_own_state(lessons):
    at = lessons(lesson="mine", step="1")
    assert at.session_state.run_config.k_range == (10, 20)


def test_a_link_with_a_moved_knob_keeps_it(lessons):
    at = lessons(lesson="mine", step="2", data="moons", m="20", seed="7", method="eac", k_range="10-20")
    press(at, "lesson_next")
    assert at.session_state.run_config.m == 20
    assert "The vote scores 1.00" in words(at)


def test_who_comes_back_by_the_menu_finds_the_step_as_it_is(lessons):
    """Its words are about its own state, whatever one played with; where its knob alone was moved, it stays so."""
    at = lessons(lesson="mine", step="2")
    at = press(at, "lesson_next") if at.button(key="lesson_next").label == "Look" else settled(at)
    own = at.session_state.run_config
    for played, stays in (({"m": 20}, {"m": 20}), ({"k": 9, "m": 20}, {}), ({"data": "iris"}, {})):
        at.session_state.run_config = own.with_(**played)
        assert settled(at.run()).session_state.run_config == own.with_(**stays)


def test_a_stop_that_cannot_be_shown_says_what_it_lacks(lessons, tmp_path):
    text = LESSON.replace("values = [5, 20]", "values = [1, 5]").replace(
        "with 20 runs {score(eac, m=20)}", "{two_members}"
    )
    (tmp_path / "mine.toml").write_text(text)
    at = lessons(lesson="mine", step="2")
    at = press(at, "lesson_next") if at.button(key="lesson_next").label == "Look" else settled(at)
    at.session_state.run_config = at.session_state.run_config.with_(m=1)
    assert "There is 1 base clustering" in words(settled(at.run()))


def test_the_knob_moves_the_numbers(lessons):
    at = press(lessons(lesson="mine", step="2"), "lesson_next")
    before = words(at)
    settled(at.select_slider(key="lesson_knob_m").set_value("20").run())
    assert at.session_state.run_config.m == 20
    assert words(at) != before or "scores 1.00" in before


def test_the_number_of_the_present_step_leads_back_to_how_it_begins(lessons):
    at = press(lessons(lesson="mine", step="2"), "lesson_next")
    began = at.session_state.run_config
    settled(at.select_slider(key="lesson_knob_m").set_value("20").run())
    assert at.session_state.run_config != began
    assert at.button(key="step_2").help.endswith(": back to how it begins")
    assert not at.button(key="step_1").help.endswith(": back to how it begins")
    settled(at.button(key="step_2").click().run())
    assert at.session_state.run_config == began
    assert at.select_slider(key="lesson_knob_m").value == str(began.m)


def test_playing_leads_to_the_page_and_back(lessons):
    at = press(press(lessons(lesson="mine", step="2"), "lesson_next"), "lesson_play")
    at.switch_page(page_file("consensus")).run()
    assert "Which partition settles it?" in words(at)
    assert at.session_state.run_config.m == 5
    assert "Step 2: Second" in words(at)
    at.number_input(key="k_input").set_value(5).run()
    press(at, "lesson_return")
    at.switch_page(page_file("lessons")).run()
    assert at.session_state.run_config.k is None
    assert "Second" in words(at)


def test_leaving_brings_back_what_was_there(lessons):
    at = lessons(data="iris", m="9", seed="3")
    press(press(at, "open_mine"), "lesson_overview")
    chosen = at.session_state.run_config
    assert (chosen.data, chosen.m, chosen.seed, chosen.lesson) == ("iris", 9, 3, "")


def own(at):
    """The settings of a session, leaving aside the lesson it is in."""
    return at.session_state.run_config.with_(lesson="", step=1, lecture=False)


def finish(at):
    """Press Finish, looking first where the step asks."""
    at = press(at, "lesson_next")
    return press(at, "lesson_next") if "lesson_next" in keys(at) else at


def test_a_knob_moved_as_one_finishes_leaves_a_persons_settings_alone(lessons, monkeypatch):
    """A slider tells its move a moment later, so that the button may be heard first."""
    at = press(press(lessons(data="iris", m="9"), "open_mine"), "step_2")
    press(at, "lesson_next")
    at.button(key="lesson_next").click()
    at.select_slider(key="lesson_knob_m").set_value("20")
    monkeypatch.setattr(WStates, "__iter__", lambda states: reversed(list(states.states)))
    settled(at.run())
    assert (own(at).data, own(at).m) == ("iris", 9)


def test_a_page_opened_in_a_lesson_gives_nothing_of_it_to_the_person(app, lessons):
    query = {"lesson": "mine", "step": "2", "data": "moons", "m": "20", "k_range": "2-2"}
    at = app("consensus", **query)
    press(at, "lesson_return")
    at.switch_page(page_file("lessons")).run()
    finish(at)
    assert own(at).k_range == "sqrt"


def test_back_into_a_lesson_and_out_again_keeps_a_persons_settings(lessons):
    """The browser's Back leads into a lesson that was left; what one had then comes back."""
    at = lessons(data="iris", m="9")
    press(at, "open_mine")
    inside = at.session_state.run_config.to_query()
    press(at, "lesson_overview")
    at.query_params.clear()
    for name, value in (inside | {"went": "1"}).items():
        at.query_params[name] = value
    at.run()
    assert at.session_state.run_config.lesson == "mine"
    press(at, "lesson_overview")
    assert (own(at).data, own(at).m) == ("iris", 9)


def test_progress_stays_in_the_session(lessons):
    at = press(press(lessons(), "open_mine"), "lesson_overview")
    assert [bar.proto.text for bar in at.get("progress")] == ["1 of 2 steps seen"]


def test_a_step_one_passes_before_its_picture_is_there_counts(lessons, monkeypatch):
    at = lessons(lesson="mine", step="1")
    monkeypatch.setattr(panels, "settle", lambda *_: None)
    at.session_state["_lessons"]["mine"].seen.clear()
    at.run()
    press(press(at, "lesson_next"), "lesson_overview")
    assert [bar.proto.text for bar in at.get("progress")] == ["1 of 2 steps seen"]


def test_the_end_leads_to_the_overview(lessons):
    at = press(press(lessons(lesson="mine", step="2"), "lesson_next"), "lesson_next")
    assert "open_mine" in keys(at)


def test_lecture_mode_has_the_note_on_demand(lessons):
    at = press(lessons(lesson="mine", step="2"), "lesson_lecture")
    assert "Only for me." not in words(at)
    press(at, "lesson_note")
    assert "Only for me." in words(at)


def test_the_next_lesson_is_as_large_as_this_one(lessons):
    """Of two lessons in one lecture the second was small again; who goes back to the desk stays there."""
    at = press(lessons(lesson="mine", step="2"), "lesson_lecture")
    at = press(press(at, "lesson_next"), "lesson_next")
    assert not at.session_state.run_config.lecture
    assert press(at, "open_crowd").session_state.run_config.lecture
    at = press(press(at, "lesson_lecture"), "lesson_overview")
    assert not press(at, "open_mine").session_state.run_config.lecture


def test_a_note_is_hidden_again_on_the_next_step(lessons, tmp_path):
    (tmp_path / "mine.toml").write_text(
        LESSON.replace('There are {objects} objects."', 'There are {objects} objects."\nnote = "Mine, too."')
    )
    at = press(press(lessons(lesson="mine", step="1"), "lesson_lecture"), "lesson_note")
    assert "Mine, too." in words(at)
    press(press(at, "lesson_next"), "answer_1")
    assert "Only for me." not in words(at)


def test_every_card_has_a_handout(lessons):
    names = {button.proto.label or button.proto.id for button in lessons().get("download_button")}
    assert sum("handout_" in name for name in names) == len(library.lessons())


def test_the_next_step_is_made_ahead_and_let_go_of(lessons):
    at = press(lessons(), "open_mine")
    assert AHEAD in at.session_state["_held_jobs"]
    press(at, "lesson_overview")
    assert AHEAD not in at.session_state["_held_jobs"]


def test_an_unknown_lesson_is_said(lessons):
    at = lessons(lesson="nothing")
    assert "There is no lesson called 'nothing'" in words(at)
    assert "open_mine" in keys(at)


def test_start_invites_once(app):
    at = app()
    assert "lesson_begin" in keys(at)
    press(at, "lesson_dismiss")
    assert "lesson_begin" not in keys(at)
    at.run()
    assert "lesson_begin" not in keys(at)


def test_the_invitation_begins_lesson_one(app):
    at = press(app(), "lesson_begin")
    at.switch_page(page_file("lessons")).run()
    first = library.lessons()[0]
    assert isinstance(first, Lesson)
    assert first.steps[0].heading in words(at)


@pytest.mark.parametrize("key", [lesson.key for lesson in library.lessons()])
def test_every_step_of_a_built_in_lesson_opens(app, key):
    lesson = library.find(key)
    at = app("lessons", lesson=key, step="1")
    for number, step in enumerate(lesson.steps, 1):
        if step.asks is not None:
            press(at, "lesson_next")
        for _ in range(200):
            if len(at.get("plotly_chart")) == len(step.shows):
                break
            at.run()
        assert len(at.get("plotly_chart")) == len(step.shows), f"step {number}"
        assert step.heading in words(at)
        press(at, "lesson_next")


def test_every_lesson_has_two_sentences_and_a_link_for_a_syllabus(app):
    blocks = [one.value for one in app("lessons").get("code")]
    for lesson, block in zip(library.lessons(), blocks, strict=True):
        assert 60 < len(lesson.about) <= 200
        title, about, last = block.split("\n")
        assert (title, about) == (lesson.title, lesson.about)
        assert last.endswith(f"?lesson={lesson.key}")


def test_the_second_window_shows_the_note_of_the_step_and_what_comes_next(app):
    first = library.lessons()[0]
    text = words(app("lessons", lesson=first.key, step="1", notes="yes"))
    assert first.steps[0].note in text
    assert f"**Next**: {first.steps[1].heading}" in text
