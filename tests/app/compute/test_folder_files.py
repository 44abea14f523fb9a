"""Files of the folder that CONCORD_DATA names: read like uploads in another process, and called what can be shown."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

import data
from data.reading.elsewhere import READY
from engine.studies.files import write_study
from engine.studies.study import Study
from tests.app.conftest import at_rest, words
from tests.data.samples import csv, npy, npz
from ui.compute import data_sets
from ui.studies import study_panel


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("CONCORD_DATA", str(tmp_path))
    return tmp_path


@pytest.fixture
def _nothing_is_read_here(monkeypatch):
    def refuse(*_):
        raise AssertionError("read in the app")

    for name in ("data.uploads.read_table", "data.reading.opening.array_names", "data.reading.opening.is_long"):
        monkeypatch.setattr(name, refuse)


@pytest.mark.long
def test_the_same_comes_back_as_when_it_is_read_here(folder):
    (folder / "a.csv").write_bytes(csv())
    np.savetxt(folder / "a_label.csv", np.arange(len(data.load("a").features)) % 2, fmt="%d")
    (folder / "b.npz").write_bytes(npz(members=np.arange(12).reshape(6, 2) % 3))
    (folder / "c_members.npy").write_bytes(npy(np.arange(12).reshape(6, 2) % 3))
    for name in "a", "b", "c_members":
        here, there = data.load(name), data_sets.find(name)
        assert type(here) is type(there)
        assert (here.fingerprint, here.notes, here.name) == (there.fingerprint, there.notes, there.name)


@pytest.mark.long
def test_a_file_that_is_written_anew_is_what_the_command_reads_on_the_page_and_in_a_study(app, folder):
    file, beside = folder / "mine.csv", folder / "mine_label.csv"
    study = Study(("mine",), ("eac",))
    seen = []
    for write in (
        lambda: file.write_bytes(csv()),
        lambda: file.write_bytes(csv()[:1200].rpartition(b"\n")[0]),
        lambda: np.savetxt(beside, np.arange(data_sets.find("mine").n_objects) % 2, fmt="%d"),
        beside.unlink,
        file.unlink,
    ):
        write()
        if not file.is_file():
            with pytest.raises(data.DataError, match="There is no data set 'mine'"):
                data_sets.find("mine")
            continue
        here = data.load("mine")
        at = at_rest(app, "data", data="mine")
        assert f"**{here.n_objects} objects with 3 features" in words(at)
        source = study_panel.sources(study)["mine"]
        assert len(source.features) == here.n_objects
        assert len(np.unique(source.truth)) == len(np.unique(here.labels))
        assert data_sets.find("mine").fingerprint == here.fingerprint
        seen.append(here.fingerprint)
    assert len(set(seen)) == 3


def test_a_name_follows_the_files_that_stand_beside_its_own(folder):
    (folder / "s.csv").write_bytes(csv())
    assert data_sets.find("s").n_objects == 40
    (folder / "s.npy").write_bytes(npy(np.arange(12.0).reshape(6, 2)))  # now both are called by their endings
    with pytest.raises(data.DataError, match="There is no data set 's'"):
        data_sets.find("s")
    assert [data_sets.find(name).n_objects for name in ("s.csv", "s.npy")] == [40, 6]
    (folder / "s.csv").unlink()
    assert data_sets.find("s").n_objects == 6


@pytest.mark.long
def test_a_study_of_many_files_reads_each_of_them_once(app, folder):
    names = [f"set_{i:02}" for i in range(12)]
    for name in names:
        (folder / f"{name}.csv").write_bytes(csv())
    study = write_study(Study(tuple(names), ("eac",))).encode()
    at = app("compare", compared="methods")
    at.file_uploader(key="study_file").set_value(("many.toml", study, "application/toml")).run()
    deadline = time.monotonic() + 60
    while not any(button.key == "use_study" for button in at.button) and time.monotonic() < deadline:
        at.run()
    assert at.button(key="use_study")


@pytest.mark.usefixtures("_nothing_is_read_here")
def test_the_app_reads_none_of_them(folder):
    (folder / "a.csv").write_bytes(csv())
    (folder / "a_label.csv").write_bytes(csv())
    (folder / "b.npz").write_bytes(npz(members=np.arange(12).reshape(6, 2) % 3))
    assert data_sets.find("b").members.shape == (6, 2)
    with pytest.raises(data.DataError, match=r"^a_label.csv: Row 2"):
        data_sets.find("a")


def test_what_is_wrong_with_a_file_is_said_with_its_name_as_it_is(app, folder):
    (folder / "a.csv").write_bytes(csv())
    (folder / "a_label.csv").write_bytes(csv())
    said = words(at_rest(app, "data", data="a"))
    assert "\na\\_label.csv: Row 2" in said
    assert "choose another data set in the sidebar.\n" in said + "\n"


def test_a_file_that_ends_its_reader_is_said_on_the_page(app, folder, monkeypatch):
    (folder / "bad.npz").write_bytes(b"PK")
    dead, pipe = [sys.executable, "-c", "import os; os.kill(os.getpid(), 11)"], subprocess.PIPE
    monkeypatch.setattr(READY, "take", lambda: subprocess.Popen(dead, stdin=pipe, stdout=pipe, text=True))
    assert "ended without an answer" in words(app("data", data="bad"))


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are text")
def test_a_file_is_read_for_the_table_of_methods_too(app, folder):
    (folder / "a.csv").write_bytes(csv())
    at = at_rest(app, "all_methods", data="a", m="4")
    assert "not fetched" not in words(at)
    assert any("objects" in one.value for one in at.sidebar.caption)


def test_names_that_are_no_text_are_written_so_that_they_can_be(app, folder):
    for name in (b"caf\xe9.csv", b"caf\xe9.npy", b"caf\xe8.csv"):
        with open(os.path.join(os.fsencode(folder), name), "wb") as file:
            file.write(csv() if name.endswith(b"csv") else npy(np.arange(12.0).reshape(6, 2)))
    names = data.catalog()[-3:]
    assert names == ["caf(e8)", "caf(e9).csv", "caf(e9).npy"]
    at = at_rest(app, "data", data=names[1])
    assert "**40 objects with 3 features.** caf(e9).csv" in words(at)
    assert not at.error


def test_a_file_that_hangs_its_reader_is_cancelled_on_the_page(app, folder, monkeypatch):
    (folder / "slow.csv").write_bytes(csv())
    deaf, pipe, begun = [sys.executable, "-c", "import time; time.sleep(600)"], subprocess.PIPE, []

    def take():
        begun.append(subprocess.Popen(deaf, stdin=pipe, stdout=pipe, text=True))
        return begun[-1]

    monkeypatch.setattr(READY, "take", take)
    monkeypatch.setattr("ui.widgets.progress.PATIENCE", 0.2)
    at = app("data", data="slow")
    next(button for button in at.button if button.label == "Cancel").click().run()
    assert begun[0].wait(5) != 0
    assert not at.exception
