"""The library opens files in processes of their own, which may hang, end or dawdle without harm to whoever asks."""

import contextlib
import ctypes
import io
import os
import signal
import subprocess
import sys
import tempfile
import threading
import warnings
from pathlib import Path

import igraph
import numpy as np
import pytest

import data
from data.library import load_file
from data.reading import elsewhere, process
from data.reading.elsewhere import Elsewhere
from data.reading.progress import Watched, listen
from tests.data.readers_gone_wrong import doing
from tests.data.samples import WHOLE, npz

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
HANGS = ["asleep", "deaf", "busy"]


@pytest.fixture
def started(monkeypatch):
    """The readers there were."""
    found, before = [], elsewhere.READY.take
    monkeypatch.setattr(elsewhere.READY, "take", lambda: found.append(before()) or found[-1])
    return found


@pytest.mark.parametrize("name", WHOLE)
def test_the_same_comes_back_as_when_it_is_read_here(name, started):
    kind = "labels" if name in ("pool.npz", "packed.mat") else "features"
    there, here = (data.read_upload(name, WHOLE[name], kind, reading=one) for one in (elsewhere.ELSEWHERE, data.HERE))
    assert (there.fingerprint, there.notes, there.name) == (here.fingerprint, here.notes, here.name)
    assert repr(vars(there)) == repr(vars(here))
    assert len(started) == 1


@pytest.mark.parametrize("deed", HANGS)
def test_a_reader_that_hangs_is_ended_and_the_file_named(deed, started, monkeypatch):
    doing(monkeypatch, deed)
    with pytest.raises(data.DataError, match=r"Nothing was heard of the reader of bad.csv for 0.5 s"):
        data.read_upload("there/bad.csv", b"1,2\n3,4\n", "features", reading=Elsewhere(silence=0.5))
    assert started[0].poll() == -signal.SIGKILL  # by who waits for it, before the system's own, longer limits


@pytest.mark.long
def test_a_reader_that_goes_on_is_waited_for(monkeypatch):
    doing(monkeypatch, "slow")
    found = data.read_upload("a.csv", b"1,2\n3,4\n", "features", reading=Elsewhere(silence=1))
    assert found.features.tolist() == [[1, 2], [3, 4]]


def test_a_reader_that_crashes_is_said_so(monkeypatch):
    doing(monkeypatch, "crashed")
    with pytest.raises(data.DataError, match="The reader of bad.csv ended without an answer"):
        data.read_upload("bad.csv", b"1,2\n3,4\n", "features")


def test_files_of_the_folder_are_read_elsewhere_too(monkeypatch, tmp_path, started):
    monkeypatch.setenv("CONCORD_DATA", str(tmp_path))
    (tmp_path / "a.npz").write_bytes(npz(members=np.arange(12).reshape(6, 2) % 3))
    assert data.load("a").members.shape == (6, 2)
    assert len(started) == 2  # its names, and its table
    doing(monkeypatch, "crashed")
    with pytest.raises(data.DataError, match="ended without an answer"):
        data.load("a")


def test_every_door_opens_files_elsewhere_unless_told_otherwise(started, tmp_path):
    (tmp_path / "a.csv").write_bytes(b"1,2\n3,4\n")
    (tmp_path / "a.h5ad").write_bytes((ROOT / "tests/golden/arrays/small.h5ad").read_bytes())
    doors = {
        "read_upload": lambda: data.read_upload("a.csv", b"1,2\n3,4\n", "features"),
        "read_graph": lambda: data.read_graph("a.csv", b"a,b\nb,c\n"),
        "load_file": lambda: load_file("a", tmp_path / "a.csv"),
        "annotate": lambda: data.annotate(tmp_path / "a.h5ad", {}, {}),
    }
    for name, opens in doors.items():
        started.clear()
        opens()
        assert started, name


def test_what_ships_with_the_package_is_read_here(started):
    assert data.load("iris").n_objects == 150
    assert data.load_graph("communities").n_objects > 0
    assert not started


@pytest.mark.long
def test_refusals_are_the_same_as_here(tmp_path):
    asked = [
        ("a.csv", b"", {}),
        ("a.exe", b"1", {}),
        ("a.csv", b"x,y\n1,2\n3,4\n", {"label_column": "none"}),
        ("a.csv", b"x,y\n1,two\n3,4\n", {}),
        ("a.npy", b"\x93NUMPY", {}),
        ("odd\udcff\n.csv", b"x,y\n1,2\n3\n", {}),
        ("a.csv", b"x,y\n1,2\n3,4\n", {"kind": "graph"}),
        ("a.h5ad", tmp_path / "none.h5ad", {}),
        ("a.h5ad", tmp_path, {}),
    ]
    for name, content, how in asked:
        said = []
        for reading in (data.HERE, elsewhere.ELSEWHERE):
            with pytest.raises((data.DataError, OSError)) as caught:
                data.read_upload(name, content, **{"kind": "features", **how}, reading=reading)
            said.append((type(caught.value), str(caught.value)))
        assert said[0] == said[1]


@pytest.mark.parametrize("place", [1, "b", -1])
def test_columns_are_asked_for_by_place_or_name(place):
    found = data.read_upload("a.csv", b"a,b\n1,2\n3,4\n5,4\n", "features", label_column=place)
    assert found.labels.tolist() == [2, 4, 4]


def test_files_are_found_from_where_one_stands(monkeypatch, tmp_path):
    (tmp_path / "odd\udcff \n.h5ad").write_bytes((ROOT / "tests/golden/arrays/small.h5ad").read_bytes())
    (tmp_path / "numpy.py").write_text("raise SystemExit('not this one')")
    monkeypatch.chdir(tmp_path)
    path = Path("odd\udcff \n.h5ad")
    here, there = (data.read_upload("x.h5ad", path, "features", reading=one) for one in (data.HERE, Elsewhere()))
    assert here.fingerprint == there.fingerprint


def test_what_a_library_warns_of_is_passed_on():
    graph = igraph.Graph.Ring(5)
    graph.vs["id"] = list("abcde")
    held = tempfile.mkstemp(suffix=".graphml")[1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        graph.write_graphml(held)
    content = Path(held).read_bytes()
    os.unlink(held)
    said = []
    for reading in (data.HERE, elsewhere.ELSEWHERE):
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            data.read_graph("a.graphml", content, reading=reading)
        said.append([(one.category, str(one.message)) for one in heard])
    assert said[0] == said[1]
    assert said[0]


def test_results_are_written_where_the_file_is(tmp_path):
    h5py = pytest.importorskip("h5py")
    whole = (ROOT / "tests/golden/arrays/small.h5ad").read_bytes()
    paths = [tmp_path / name for name in ("here.h5ad", "there.h5ad")]
    rows = data.read_upload("a.h5ad", whole, "features", reading=data.HERE).n_objects
    columns = {"consensus": np.array(["0", "1"])[np.arange(rows) % 2], "firm": np.linspace(0, 1, rows)}
    columns["second"] = np.array([None, "a"], dtype=object)[np.arange(rows) % 2]
    for path, reading in zip(paths, (data.HERE, elsewhere.ELSEWHERE), strict=True):
        path.write_bytes(whole)
        data.annotate(path, columns, {"k": 2, "rates": np.array([0.5, 1]), "words": ["a"]}, reading=reading)
    listed = []
    for path in paths:
        with h5py.File(path) as file:
            found: list = []
            file.visititems(lambda name, item, to=found: to.append((name, str(getattr(item, "dtype", "")))))
            listed.append((found, file["obs/concord_firm"][()].tolist()))
    assert listed[0] == listed[1]
    assert sorted(tmp_path.iterdir()) == paths
    with pytest.raises(data.DataError, match="results, and obs has"):
        data.annotate(paths[0], {"short": np.arange(1), "long": np.arange(3)}, {})


def test_nothing_is_left_behind(monkeypatch, tmp_path, started):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    data.read_upload("a.csv", b"1,2\n3,4\n", "features")
    with pytest.raises(data.DataError):
        data.read_upload("a.csv", b"", "features")
    assert list(tmp_path.iterdir()) == []
    assert all(one.poll() is not None for one in started)


def test_only_what_is_read_first_is_progress():
    heard: list[int] = []
    listen(lambda: heard.append(1))
    try:
        with Watched(bytes(100_000)) as held, io.BufferedReader(held) as file:
            counts = []
            for _ in range(3):
                file.seek(0)
                assert len(file.read()) == 100_000
                counts.append(len(heard))
    finally:
        listen(lambda: None)
    assert counts[0] == counts[2] > 1


@pytest.mark.long
def test_a_folder_goes_although_something_is_still_written_into_it(tmp_path):
    for trial in range(20):
        folder = tmp_path / str(trial)
        folder.mkdir()

        def write(folder=folder):
            with contextlib.suppress(OSError):  # once the folder is gone
                for place in range(5_000):
                    (folder / f"{place}.npy").write_bytes(b"0")

        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        while not list(folder.iterdir()):
            pass
        process._remove(str(folder))
        writer.join(10)
        assert not writer.is_alive()
        assert not folder.exists()


UNDER_LIMITS = """
import io, numpy as np, data
held = io.BytesIO()
np.savez(held, X=np.arange(12.0).reshape(6, 2))
print(data.read_upload("a.npz", held.getvalue(), "features").n_objects)
"""
LABELS_UNDER_LIMITS = """
import numpy as np
from engine.distributed.tiles import open_labels
np.save("a.npy", np.arange(12).reshape(6, 2))
print(open_labels("a.npy").n_objects)
"""


def _as_on_a_cluster() -> None:
    """Two GiB of address space and 300 s, which this process may not raise again (PR_CAPBSET_DROP of SYS_RESOURCE)."""
    import resource

    ctypes.CDLL(None).prctl(24, 24, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (300, 300))


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
@pytest.mark.parametrize("script", [UNDER_LIMITS, LABELS_UNDER_LIMITS], ids=["file", "labels"])
def test_lower_limits_from_outside_are_kept_and_no_damage(script, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-c", script]
    done = subprocess.run(  # noqa: PLW1509 - one thread
        command, cwd=tmp_path, env=environment, preexec_fn=_as_on_a_cluster, capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("6\n", 0), done.stderr
