"""The app is killed in the middle of things; the next one goes on, and shows nothing half."""

import re
import signal
import sqlite3
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from bench.serving import Server
from bench.visitor import Visitor
from tests.app.compute.test_jobs import until
from tests.app.conftest import ROOT

pytestmark = pytest.mark.long

STUDY = {"data": "iris", "method": "lwgp", "draws": "200", "m": "8"}


def records(store: Path) -> int:
    """Records in a store, as another process sees them: what a kill left half written is taken back on opening."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=rw", uri=True)) as held:
            (table,) = [row[0] for row in held.execute("select name from sqlite_master where type='table'")][:1]
            return held.execute(f"select count(*) from {table}").fetchone()[0]
    except (sqlite3.Error, ValueError):
        return 0


def reads(child: psutil.Process) -> bool:
    """Whether a process is a reader of files; one that has just ended is none."""
    try:
        return any("data.reading.process" in word for word in child.cmdline())
    except psutil.NoSuchProcess:  # ZombieProcess among them
        return False


def readers_of(server: Server) -> list[psutil.Process]:
    """The readers a server has by now."""
    return [one for one in psutil.Process(server.process.pid).children() if reads(one)]


@pytest.fixture
def killed(tmp_path):
    """A server that was killed in a study, and the one started after it: (records there were, visitor, store)."""
    first = Server(ROOT, tmp_path)
    store = tmp_path / f"{first.port}.sqlite"
    try:
        visitor = Visitor(f"127.0.0.1:{first.port}")
        visitor.open("compare", compared="settings", **STUDY)
        visitor.press("run_study", wait=False)
        until(lambda: records(store) >= 5, 120)
        readers = readers_of(first)
    finally:
        first.process.kill()
        first.process.wait()
    until(lambda: not any(one.is_running() and one.status() != psutil.STATUS_ZOMBIE for one in readers), 60)
    second = Server(ROOT, tmp_path, first.port)
    try:
        yield records(store), Visitor(f"127.0.0.1:{first.port}"), store
    finally:
        second.stop()


def test_a_study_goes_on_where_it_was_killed(killed):
    before, visitor, store = killed
    visitor.open("compare", compared="settings", **STUDY)
    assert not visitor.errors
    there = re.search(r"Run [\d,]+ tasks \((\d+) are there\)", visitor.label("run_study"))
    assert there is not None, visitor.label("run_study")
    assert int(there[1]) == before > 0
    visitor.press("run_study", wait=False)
    until(lambda: records(store) > before, 60)
    visitor.open("data", data="upload-0123456789abcdef")  # uploads went with the app, and that is said
    assert [error for error in visitor.errors if "uploaded in another session" in error] == visitor.errors != []


def slow_file():
    """A CSV that takes its reader a second or more."""
    return b"\n".join(b",".join(b"%d.%06d" % (i % 7, i * j % 999_983) for j in range(20)) for i in range(150_000))


def gone(process):
    """Whether a process has ended."""
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def busy(process, n_bytes):
    """Whether a reader has its request, for which it lowers its priority, and the file."""
    try:
        return process.nice() > psutil.Process().nice() and process.memory_info().rss > n_bytes
    except psutil.NoSuchProcess:
        return False


def test_an_upload_that_was_being_read_leaves_nothing_behind(tmp_path, monkeypatch):
    scratch, slow = tmp_path / "scratch", slow_file()
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    first = Server(ROOT, tmp_path)
    try:
        visitor = Visitor(f"127.0.0.1:{first.port}")
        visitor.open("data", data="moons", m="4")
        visitor.bring("file_features", "slow.csv", slow, wait=False)
        until(lambda: [one for one in scratch.glob("concord-upload-*/content") if one.stat().st_size == len(slow)], 60)
        until(lambda: any(busy(one, len(slow)) for one in readers_of(first)), 30)
        readers = readers_of(first)
        for one in readers:
            one.send_signal(signal.SIGSTOP)  # in the middle, however fast the machine
    finally:
        first.process.kill()
        first.process.wait()
    left = [path.name for path in scratch.glob("concord-upload-*/*")]
    for one in readers:
        one.send_signal(signal.SIGCONT)
    assert left == ["content"]  # read half
    until(lambda: all(map(gone, readers)), 30)
    assert not list(scratch.glob("concord-upload-*"))
    second = Server(ROOT, tmp_path, first.port)
    try:
        visitor = Visitor(f"127.0.0.1:{first.port}")
        visitor.open("data")
        assert not visitor.errors
        assert visitor.has("file_features")
        assert visitor.says("**500 objects with 2 features.**")
        assert not list(scratch.glob("concord-upload-*"))
    finally:
        second.stop()
