"""Data sets of OpenML on the Data page, with a stand-in for its server."""

import threading
import time

import pytest

import data
from engine.studies.files import write_study
from engine.studies.study import Study
from tests.app.conftest import ROOT, end_all_jobs, words
from tests.data.openml_server import OpenML
from ui.compute import data_sets
from ui.compute.work import jobs

pytestmark = pytest.mark.long

COLUMNS = {"width": ("REAL", ()), "height": ("REAL", ()), "class": ("{a,b}", ("is_target",))}
ROWS = [f"{i % 2},{i},{'ab'[i % 2]}" for i in range(12)]


@pytest.fixture
def server(monkeypatch, tmp_path):
    stand_in = OpenML()
    stand_in.in_place_of_the_real_one(monkeypatch, tmp_path)
    stand_in.add(7, "Plants", 1, COLUMNS, ROWS)
    yield stand_in
    for event in stand_in.slow.values():
        event.set()
    end_all_jobs()  # one that goes on would write into the next one's cache
    stand_in.stop()
    jobs.clear()
    data_sets._LOADED.clear()


def ask(at, name, version=None):
    """Fill in the fields, and press the button."""
    at.text_input(key="openml_name").set_value(name).run()
    if version is not None:
        at.number_input(key="openml_version").set_value(version)
    return at.button(key="openml_fetch").click().run()


def fetch(at, name, version=None):
    """Ask, and wait for the answer."""
    return settled(ask(at, name, version))


def settled(at, cancel="cancel_openml"):
    """The page once nothing is being fetched."""
    deadline = time.monotonic() + 20
    while any(button.key == cancel for button in at.button) and time.monotonic() < deadline:
        time.sleep(0.2)
        at.run()
    assert not at.exception
    return at


def test_a_set_is_fetched_shown_and_listed(app, server):
    at = fetch(app("data", data="moons", m="4"), "plants", 1)
    assert not at.error
    assert at.query_params["data"] == "openml/plants/1"
    assert "**12 objects with 2 features.** OpenML, data set 7: plants, version 1" in words(at)
    assert at.selectbox(key="data").value == "openml/plants/1"
    assert "plants (OpenML, version 1)" in at.selectbox(key="data").options


def test_what_was_fetched_opens_by_its_link_without_a_connection(app, server):
    data.load("openml/plants/1")
    server.stop()
    at = app("data", data="openml/plants/1", m="4")
    assert "**12 objects with 2 features.**" in words(at)
    assert not at.error


def test_without_a_version_the_only_active_one_is_taken(app, server):
    at = fetch(app("data", data="moons", m="4"), "Plants")
    assert at.query_params["data"] == "openml/plants/1"


def test_an_unknown_name_is_said_and_the_data_stay(app, server):
    at = fetch(app("data", data="moons", m="4"), "nobody", 1)
    assert [error.value for error in at.error] == [
        "OpenML has no active data set nobody in version 1. Look up name and version on openml.org."
    ]
    assert at.query_params["data"] == "moons"
    assert "**500 objects" in words(at)


def test_offline_is_said_and_the_button_asks_again(app, server, monkeypatch):
    real = data.openml.loading._LIST
    monkeypatch.setattr(data.openml.loading, "_LIST", "http://127.0.0.1:9/{}")
    at = fetch(app("data", data="moons", m="4"), "plants", 1)
    assert "OpenML cannot be reached" in at.error[0].value
    monkeypatch.setattr(data.openml.loading, "_LIST", real)
    at.button(key="openml_fetch").click().run()
    assert settled(at).query_params["data"] == "openml/plants/1"


def test_a_fetch_can_be_cancelled(app, server):
    slow = server.slow["/data/v1/download/7/Plants.arff"] = threading.Event()
    at = ask(app("data", data="moons", m="4"), "plants", 1)
    begun = time.monotonic()
    at.button(key="cancel_openml").click().run()
    while "Fetching from OpenML: stopped" not in words(at):
        assert time.monotonic() - begun < 5
        at.run()
    slow.set()
    server.slow.clear()
    at.button(key="continue_openml").click().run()
    assert settled(at).query_params["data"] == "openml/plants/1"


def test_a_set_that_comes_after_somebody_went_on_takes_nothing_over(app, server):
    slow = server.slow["/data/v1/download/7/Plants.arff"] = threading.Event()
    at = ask(app("data", data="moons", m="4"), "plants", 1)
    at.selectbox(key="data").set_value("iris").run()
    slow.set()
    settled(at)
    at.run()
    assert at.query_params["data"] == "iris"
    assert any("plants" in option for option in at.selectbox(key="data").options)
    assert fetch(at, "plants", 1).query_params["data"] == "openml/plants/1"


def test_missing_values_offer_a_choice(app, server):
    server.add(8, "gaps", 2, COLUMNS, ["?,1,a", *ROWS])
    at = fetch(app("data", data="moons", m="4"), "gaps", 2)
    assert "1 value is missing" in at.error[0].value
    at.radio(key="openml_missing").set_value("drop").run()
    assert settled(at).query_params["data"] == "openml/gaps/2/drop"
    assert "**12 objects" in words(at)
    assert "gaps (OpenML, version 2, rows with gaps dropped)" in at.selectbox(key="data").options


def test_a_link_to_a_set_that_is_nowhere_says_what_to_do(app, server):
    at = app("data", data="openml/nobody/3", m="4")
    assert "OpenML has no active data set nobody in version 3" in at.error[0].value
    assert "nobody (OpenML, version 3)" in at.selectbox(key="data").options


def test_a_link_to_a_set_that_was_never_fetched_keeps_no_page_waiting(app, server):
    slow = server.slow["/data/v1/download/7/Plants.arff"] = threading.Event()
    begun = time.monotonic()
    at = app("consensus", data="openml/Plants/1", m="4")
    assert time.monotonic() - begun < 15  # the stand-in answers after 30 s
    at.button(key="cancel_openml_link").click().run()
    while "Fetching plants (OpenML, version 1): stopped" not in words(at):
        assert time.monotonic() - begun < 25
        at.run()
    assert "choose another data set in the sidebar" in words(at)
    slow.set()
    server.slow.clear()
    at.button(key="continue_openml_link").click().run()
    at = settled(at, "cancel_openml_link")
    assert not at.error
    assert "stopped" not in words(at)
    assert "12 objects, 2 features" in words(at)


def test_a_link_offline_says_so_and_asks_again(app, server, monkeypatch):
    real = data.openml.loading._LIST
    monkeypatch.setattr(data.openml.loading, "_LIST", "http://127.0.0.1:9/{}")
    at = settled(app("data", data="openml/plants/1", m="4"), "cancel_openml_link")
    assert "OpenML cannot be reached" in at.error[0].value
    monkeypatch.setattr(data.openml.loading, "_LIST", real)
    at.button(key="again_openml_link").click().run()
    assert "**12 objects with 2 features.**" in words(settled(at, "cancel_openml_link"))


def test_a_link_needs_no_folder_that_keeps_sets(app, server, monkeypatch):
    monkeypatch.setattr(data.openml.loading.cache, "remember", lambda entry, url: None)
    at = settled(app("data", data="openml/plants/1", m="4"), "cancel_openml_link")
    assert "**12 objects with 2 features.**" in words(at)
    assert len([path for path in server.asked if "/list/" in path]) == 1


@pytest.mark.parametrize("page", [file.stem[3:] for file in sorted((ROOT / "pages").glob("*.py"))])
def test_no_page_waits_for_a_set_that_is_far(page, app, server):
    server.slow["/api/v1/json/data/list/data_name/plants/limit/100/data_version/1"] = threading.Event()
    begun = time.monotonic()
    at = app(page, data="openml/plants/1", m="4")
    assert time.monotonic() - begun < 15
    for button in at.button:
        if button.key == "cancel_openml_link":
            button.click().run()


def test_a_study_file_about_a_set_that_is_far_fetches_it_first(app, server):
    slow = server.slow["/data/v1/download/7/Plants.arff"] = threading.Event()
    at = app("compare", compared="settings", data="moons", m="4", draws="2")
    study = write_study(Study(("openml/plants/1",), ("lwea",))).encode()
    at.file_uploader(key="study_file").set_value(("plants.toml", study, "application/toml")).run()
    keys = {button.key for button in at.button}
    assert "cancel_openml_study" in keys
    assert "use_study" not in keys
    slow.set()
    settled(at, "cancel_openml_study").button(key="use_study").click().run()
    assert at.session_state.run_config.data == "openml/plants/1"
