"""Lessons are read by rules; what is wrong is said with its line, and nothing is executed."""

import pytest

from tests.app.lessons.conftest import LESSON
from ui.lessons import library
from ui.lessons.lesson import MOST_WORDS, Broken, Lesson
from ui.lessons.reading import LessonError, read_file, read_lesson
from ui.session.run_config import from_query


def read(text=LESSON):
    return read_lesson(text, "mine")


def refused(old, new):
    """What is said of the lesson with a change, and of which line."""
    assert old in LESSON
    with pytest.raises(LessonError) as found:
        read(LESSON.replace(old, new, 1))
    return str(found.value), LESSON.replace(old, new, 1).splitlines()[found.value.line - 1]


def test_a_lesson_is_plain_data():
    lesson = read()
    assert (lesson.title, lesson.minutes, len(lesson.steps)) == ("Do two runs agree?", 1, 2)
    second = lesson.steps[1]
    assert second.knob.values == (5, 20)
    assert second.asks.choices[1].right
    assert not second.asks.choices[0].right
    assert [claim.text for claim in second.claims] == ["score(eac, m=20) >= 95%"]


def test_a_state_is_read_as_a_url_is():
    query = {"data": "moons", "k_range": "10-20", "m": "5", "seed": "7", "method": "eac"}
    assert read().steps[0].config == from_query(query)[0]


def test_a_step_adds_to_the_state_of_its_lesson():
    lesson = read(LESSON.replace("[step.knob]", "[step.state]\nm = 20\nconfidence = true\n[step.knob]", 1))
    assert (lesson.steps[0].config.m, lesson.steps[1].config.m) == (5, 20)
    assert lesson.steps[1].config.confidence


@pytest.mark.parametrize(
    ("old", "new", "words", "line"),
    [
        ("m = 5", "m = 0", "m=0", "m = 0"),
        ("m = 5", "moon = 5", "nothing here has that name", "moon = 5"),
        ('method = "eac"', 'method = "magic"', "must be one of", 'method = "magic"'),
        ('"truth"]', '"a_rainbow"]', "one or two of", 'shows = ["a_rainbow"]'),
        ('page = "consensus"', 'page = "casino"', "there is no page 'casino'", 'page = "casino"'),
        ("{objects}", "{open('x')}", "is no fact", None),
        ("objects == 500", "objects == sixty", "is no fact", 'claims = ["objects == sixty"]'),
        ("objects == 500", "__import__('os')", "is no claim", None),
        ("score(eac, m=20) >= 95%", "score(eac, m=0) >= 95%", "m=0", None),
        ("score(eac, m=20) >= 95%", "score(nobody) >= 95%", "must be one of", None),
        ("There are", "<b>There</b> are", "HTML is not allowed", None),
        ("There are", "![x](http://x/y.png) are", "pictures by address", None),
        ("There are", "word " * (MOST_WORDS + 1), "60 is the most", None),
        ("values = [5, 20]", "values = [20, 50]", "is no value of it", None),
        (", right = true", "", "exactly one of them is right", "[step.asks]"),
        ("minutes = 1", 'minutes = "one"', "must be a whole number", 'minutes = "one"'),
        ("minutes = 1", "minutes = true", "must be a whole number", "minutes = true"),
        ("minutes = 1", "minutes = -12", "takes 1 minute or more", "minutes = -12"),
        ('["truth"]', '[["truth"]]', "one or two of", 'shows = [["truth"]]'),
        ('["truth"]', "[{a=1}]", "one or two of", "shows = [{a=1}]"),
        ("{objects}", "{objects", "between one brace and another", 'text = "There are {objects objects."'),
        ("{objects}", "{{objects}}", "between one brace and another", 'text = "There are {{objects}} objects."'),
        ("First", "{objects}", "stand in a step's text and in a why alone", 'heading = "{objects}"'),
        ("Which?", "Is {objects} all?", "stand in a step's text and in a why alone", None),
        ('text = "This."', 'text = "{objects}."', "stand in a step's text and in a why alone", None),
        ("m = 5", "m = " + "[" * 5000, "", None),
        ("minutes = 1", "minutes = 1\nsound = 3", "'sound' is unknown here", "sound = 3"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(old, new, words, line):
    said, where = refused(old, new)
    assert words in said
    if line is not None:
        assert where == line


def test_what_is_refused_is_not_said_to_be_replaced():
    said, _ = refused('k_range = "10-20"\nm = 5', 'krange = "10-20"\nm = 0')
    assert said == "krange=10-20: nothing here has that name; m=0: must be an integer in [1, 1000], or auto"


def test_a_mark_at_the_beginning_of_a_file_is_no_part_of_it(tmp_path):
    (tmp_path / "mine.toml").write_text(LESSON, encoding="utf-8-sig")
    assert read_file(tmp_path / "mine.toml") == read()


def test_broken_toml_names_its_line(tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('title = "x"\nfor = \n')
    found = read_file(path)
    assert isinstance(found, Broken)
    assert (found.file, found.line) == ("bad.toml", 2)


def test_a_missing_folder_is_said(tmp_path):
    (found,) = library.in_folder(tmp_path / "nowhere")
    assert "no such folder" in found.error


def test_a_folder_adds_lessons(folder, monkeypatch):
    before = [lesson.key for lesson in library.lessons()]
    monkeypatch.setenv(library.FOLDER, str(folder))
    (folder / "crowd.toml").write_text(LESSON)
    (folder / "bad.toml").write_text("title = 3\n")
    assert [lesson.key for lesson in library.lessons()] == [*before, "mine"]
    assert library.find("crowd").built_in
    assert {one.file for one in library.broken()} == {"bad.toml", "crowd.toml"}


def test_every_built_in_file_is_a_lesson_and_none_is_broken(monkeypatch):
    monkeypatch.delenv(library.FOLDER, raising=False)
    found = library.lessons()
    assert [type(one) for one in found] == [Lesson] * len(list(library.BUILT_IN.glob("*.toml")))
    assert len(found) >= 9
    assert not library.broken()
    for lesson in found:
        assert lesson.title.endswith("?")
        asking = sum(step.asks is not None for step in lesson.steps)
        assert asking >= len(lesson.steps) // 2 - 1, "about every second step asks"
        assert sum(bool(step.claims) for step in lesson.steps) >= len(lesson.steps) - 2


def test_the_vocabulary_stands_in_the_document():
    from pathlib import Path

    text = (Path(__file__).parents[3] / "docs" / "writing_a_lesson.md").read_text()
    assert library.vocabulary() in text, "write library.vocabulary() between the marks"


def test_lessons_stand_in_the_order_of_their_numbers():
    keys = [entry.key for entry in library.in_folder(library.BUILT_IN, built_in=True)]
    assert keys[0] == "crowd"
    assert keys[9] == "seeds"
