"""Files are read in a process of their own, which can fail, hang, grow or be left behind without harm to the app."""

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import h5py
import numpy as np
import psutil
import pytest

import data
from data.readers.tables import Table
from data.reading import elsewhere
from data.reading.elsewhere import READY
from data.reading.handed_over import load_table, save_table
from engine import Cancelled
from engine.monitor import Monitor
from tests.app.compute.test_jobs import endless, until
from tests.data.readers_gone_wrong import doing
from tests.data.samples import WHOLE, npy, written
from tests.monitors import Heard, stopping_at_tick
from ui.compute import reading, uploads
from ui.compute.jobs import Jobs, State

GOLDEN = Path(__file__).parents[2] / "golden/arrays"


@pytest.mark.parametrize("filename", WHOLE)
def test_the_same_comes_back_as_when_it_is_read_here(filename):
    kind = "labels" if filename in ("pool.npz", "packed.mat") else "features"
    here = data.read_upload(filename, WHOLE[filename], kind, reading=data.HERE)
    there = uploads.keep_file(filename, WHOLE[filename], kind)
    assert there.content.fingerprint == here.fingerprint
    assert there.content.notes == here.notes


def test_a_table_survives_its_folder(tmp_path):
    words = np.array(["a\ud800", None, "", "a\ud800"], dtype=object)
    columns = (np.arange(4), words, np.array([1.5, np.nan, 2, 3]), np.array([1, 2, 3, 4], np.uint8))
    table = Table(columns, ("n", "w", "", "u"), np.array([2, 3, 5, 6]), np.array([["x"], ["y"], ["x"], ["y"]]), ("so",))
    save_table(table, tmp_path)
    again = load_table(tmp_path)
    for before, after in zip(table.columns, again.columns, strict=True):
        assert after.dtype == before.dtype
        assert all(x == y or x != x for x, y in zip(before, after, strict=True))
    assert (again.names, again.notes, again.row_numbers.tolist()) == (table.names, ("so",), [2, 3, 5, 6])
    assert again.truth.ravel().tolist() == ["x", "y", "x", "y"]


def read(content=b"1,2\n3,4\n", monitor=None, name="a.csv"):
    return reading.read_file(name, content, "features", None, monitor or Monitor())


@pytest.fixture
def taken(monkeypatch):
    """The processes that readers are."""
    found, before = [], READY.take
    monkeypatch.setattr(READY, "take", lambda: found.append(before()) or found[-1])
    return found


def test_a_cancel_kills_the_reader(taken):
    with pytest.raises(Cancelled):
        read(monitor=stopping_at_tick(1))
    assert taken[0].poll() is not None


def test_a_reader_that_is_done_at_once_does_not_outrun_a_cancel(taken, monkeypatch):
    monkeypatch.setattr(elsewhere.Conversation, "over", lambda talk, seconds: True)
    with pytest.raises(Cancelled):
        read(monitor=stopping_at_tick(1))
    assert taken[0].poll() is not None


def test_a_reader_that_says_nothing_for_long_is_ended(taken, monkeypatch):
    doing(monkeypatch, "busy")
    with pytest.raises(data.DataError, match="Nothing was heard of the reader of a.csv for 0.5 s"):
        reading.Reading(silence=0.5).table("a.csv", b"1,2\n3,4\n", "features")
    assert taken[0].poll() is not None


def test_a_reader_that_goes_on_for_ever_is_given_up(taken, monkeypatch):
    doing(monkeypatch, "slow")
    monkeypatch.setattr(elsewhere, "SECONDS", 1)
    with pytest.raises(data.DataError, match="took more than 1 s"):
        read()
    assert taken[0].poll() is not None


def test_names_of_arrays_are_listed_by_the_reader_too(taken):
    small = (GOLDEN / "small.h5ad").read_bytes()
    assert reading.arrays_in("small.h5ad", small) == ["X", "obsm/X_pca"]
    assert len(taken) == 1
    assert taken[0].poll() is not None


@pytest.mark.parametrize("shape", [(1, 300_000_000), (10**10,)])
@pytest.mark.parametrize("room", ["obsm", "layers"])
def test_an_array_in_place_of_a_group_of_matrices_takes_no_server(room, shape):
    def build(stream):
        with h5py.File(stream, "w") as file:
            file["X"] = np.ones((3, 2))
            file.create_dataset(room, shape, "f8", chunks=tuple(min(n, 1000) for n in shape))

    bad = written(build)
    assert len(bad) < 20_000
    with pytest.raises(data.DataError, match=f"{room} is an array where a group of matrices belongs"):
        reading.arrays_in("bad.h5ad", bad)


def test_a_reader_that_dies_is_said_so(monkeypatch):
    doing(monkeypatch, "crashed")
    with pytest.raises(data.DataError, match="ended without an answer"):
        read()


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space")
def test_a_reader_has_only_the_memory_it_was_given(monkeypatch):
    content = npy(np.ones((2_000_000, 12), np.int8))
    monkeypatch.setattr(elsewhere, "SLACK", 2**20)
    monkeypatch.setattr(reading, "MOST_BYTES", 2**20)
    with pytest.raises(data.DataError, match="more memory than there is"):
        reading.read_file("a.npy", content, "labels", None)


def test_nothing_is_left_behind(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    modes = []

    def look(heard):
        modes.append([oct(path.stat().st_mode & 0o777) for path in tmp_path.iterdir()])

    table = read(monitor=Heard(look))
    assert modes[0] == ["0o700"]
    assert list(tmp_path.iterdir()) == []
    assert [column.tolist() for column in table.columns] == [[1, 3], [2, 4]]
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (tmp_path / f"concord-upload-{gone.pid}-x").mkdir()  # of an app that was killed
    (tmp_path / f"concord-upload-{os.getpid()}-x").mkdir()
    reading.warm()
    assert [path.name for path in tmp_path.iterdir()] == [f"concord-upload-{os.getpid()}-x"]


def test_a_reader_ends_with_the_app():
    script = "import os; from data.reading.elsewhere import READY; print(READY.take().pid, flush=True); os._exit(9)"
    root = Path(reading.__file__).parents[2]
    said = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=False)
    pid = int(said.stdout.split()[-1])
    until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE, 20)


def test_work_stops_when_everybody_has_left():
    there = {"ann"}
    jobs = Jobs(workers=1, alive=there.__contains__)
    job = jobs.submit("key", endless, "ann")
    study, gate = jobs.submit("study", lambda monitor: gate.wait(10), "ann", patient=True), threading.Event()
    until(lambda: job.state is State.RUNNING)
    jobs.sweep()
    time.sleep(0.05)
    assert job.state is State.RUNNING
    there.clear()
    jobs.sweep()
    until(lambda: job.state is State.CANCELLED)
    assert not study.stop.is_set()  # a study goes on
    gate.set()
    assert jobs.submit("key", lambda monitor: 7, "bob").future.result() == 7


#: What a file that had taken over its reader would try, and what comes of it, said as notes of a table.
_TAKEN_OVER = """
import os, socket, subprocess, tempfile
import numpy as np
from data.readers.tables import Table

def tried(*_):
    def connect():
        socket.create_connection(("127.0.0.1", {port}), 2).close()
    def send():
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", {port}))
    def write():
        open({outside!r}, "w").write("x")
    def remove():
        os.remove({victim!r})
    def run():
        subprocess.run(["/bin/true"], check=True)
    def fill():
        with open(os.path.join(tempfile.gettempdir(), "filled"), "wb") as file:
            file.truncate(2**40)
    found = []
    for act in (connect, send, write, remove, run, fill):
        try:
            act()
            found.append(act.__name__)
        except OSError:
            pass
    found += [] if open("/proc/self/stat").read().split()[5] == str(os.getpid()) else ["session"]
    found += [] if "NoNewPrivs:\\t1" in open("/proc/self/status").read() else ["privileges"]
    return Table((np.arange(3),), notes=tuple(found))

import data.reading.opening
data.reading.opening.open_table = tried
"""


def _may_be_apart():
    """Whether the system lets a process have a network of its own."""
    asked = "import ctypes, sys; sys.exit(ctypes.CDLL(None).unshare(0x50000000) and 1)"
    return sys.platform == "linux" and subprocess.run([sys.executable, "-c", asked], check=False).returncode == 0


def test_a_reader_taken_over_by_its_file_can_reach_and_change_nothing(monkeypatch, tmp_path):
    lacking = []
    monkeypatch.setattr(reading, "_say_once", lacking.extend)
    victim = tmp_path / "victim"
    victim.touch()
    with socket.create_server(("127.0.0.1", 0)) as server:
        places = {"port": server.getsockname()[1], "outside": str(tmp_path / "outside"), "victim": str(victim)}
        begun = elsewhere.ALONE.replace(
            "from data.reading.process", _TAKEN_OVER.format(**places) + "from data.reading.process"
        )
        monkeypatch.setattr(elsewhere, "ALONE", begun)
        monkeypatch.setattr(READY, "_spare", None)
        found = read()
        if lacking:
            assert not (_may_be_apart() and any("network" in one for one in lacking))
            pytest.skip(f"this system reads files without {'; '.join(lacking)}")
        assert found.notes == ()
    assert victim.exists()
