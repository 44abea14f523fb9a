"""Faults put into a study that runs: killed, its store taken away, replaced, read-only, full.

Every end is the records of an undisturbed run, or an EngineError; and the study run again comes to these records.
"""

import resource
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engine.studies.running import run_study
from engine.studies.store import Store
from tests.engine.studies.examples import sample, without_cost
from tests.engine.studies.faults import N_TASKS, STUDY, moments, same_or_an_error, small_sources
from tests.monitors import Once

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    """The records of a run that nobody disturbs, without what they cost."""
    with closing(Store(tmp_path_factory.mktemp("undisturbed") / "s")) as store:
        found = without_cost(run_study(STUDY, small_sources(), store))
    assert len(found) == N_TASKS
    assert not any(record["error"] for record in found)
    return found


def goes_on(path, wanted):
    """What is in the store is of the undisturbed run, and the study run again has all of it."""
    by_key = {record["key"]: record for record in wanted}
    with closing(Store(path)) as store:
        kept = store.all()
        assert all(by_key[record["key"]] == record for record in without_cost(kept))
        again = run_study(STUDY, small_sources(), store)
    assert without_cost(again) == wanted
    assert {record.key: record.seconds for record in kept}.items() <= {r.key: r.seconds for r in again}.items()
    return len(kept)


KILLED = """
import os, signal, sys
from engine.studies import running, store
from tests.engine.studies.faults import STUDY, small_sources
at, before = int(sys.argv[2]), sys.argv[3] == "before"
added, plain = [], store.Store.add

def end():
    os.kill(os.getpid(), signal.SIGKILL)

def add(self, records):
    added.append(records)
    if len(added) == at and before:
        self._connection.set_trace_callback(lambda text: end() if text == "COMMIT" else None)
    plain(self, records)
    if len(added) == at:
        end()

store.Store.add = add
running.run_study(STUDY, small_sources(), store.Store(sys.argv[1]))
"""


def child(code, *arguments, **options):
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True, timeout=300, **options)


@pytest.mark.parametrize("n", moments())
def test_killed_at_the_nth_record(n, wanted, tmp_path):
    when = "before" if n % 2 else "after"  # its commit
    done = child(KILLED, tmp_path / "s", n, when)
    assert done.returncode == -signal.SIGKILL, done.stderr
    kept = goes_on(tmp_path / "s", wanted)
    assert n - 3 <= kept <= n + 1  # two threads work: one may be past the other


def removed(store):
    store.path.unlink()


def replaced_by_nothing(store):
    (store.path.parent / "empty").touch()
    (store.path.parent / "empty").replace(store.path)


def replaced_by_another(store):
    with closing(Store(store.path.parent / "other")) as other:
        other.add([sample("other")])
    (store.path.parent / "other").replace(store.path)


def replaced_by_a_copy(store):
    shutil.copy(store.path, store.path.parent / "copy")
    (store.path.parent / "copy").replace(store.path)


@pytest.mark.parametrize("n", moments())
@pytest.mark.parametrize("act", [removed, replaced_by_nothing, replaced_by_another, replaced_by_a_copy])
def test_the_store_is_taken_away_at_the_nth_record(act, n, wanted, tmp_path):
    store = Store(tmp_path / "s")
    error = same_or_an_error(
        lambda: run_study(STUDY, small_sources(), store, Once(lambda heard: heard.done >= n, lambda: act(store))),
        wanted,
    )
    assert error is not None
    assert f"{tmp_path / 's'} could not be" in str(error)
    assert "while it was open" in str(error)
    with closing(Store(tmp_path / "s")) as again:
        again.forget(["other"])
    goes_on(tmp_path / "s", wanted)


def read_only(store):
    store._connection.execute("PRAGMA query_only = 1")


def full(store):
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")


@pytest.mark.parametrize("n", moments())
@pytest.mark.parametrize(("act", "words"), [(read_only, "may not be written to"), (full, "Make room")])
def test_the_store_takes_nothing_more_from_the_nth_record_on(act, words, n, wanted, tmp_path):
    store = Store(tmp_path / "s")
    error = same_or_an_error(
        lambda: run_study(STUDY, small_sources(), store, Once(lambda heard: heard.done >= n, lambda: act(store))),
        wanted,
    )
    if error is not None:
        assert words in str(error)
    elif act is read_only:
        assert n >= N_TASKS - 1  # nothing more was to be written
    store.close()
    assert goes_on(tmp_path / "s", wanted) >= min(n, N_TASKS) - 1


LIMITED = """
import sys
from engine import EngineError
from engine.studies import running, store
from tests.engine.studies.faults import STUDY, small_sources
import resource
kept, sources = store.Store(sys.argv[1]), small_sources()
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    running.run_study(STUDY, sources, kept)
except EngineError as error:
    sys.exit(f"EngineError: {error}")
"""


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="needs limits of file sizes")
@pytest.mark.parametrize("n", moments())
def test_a_disk_that_ends_at_some_size(n, wanted, tmp_path):
    done = child(LIMITED, tmp_path / "s", 20_000 + 6_000 * n)
    assert done.returncode == 0 or done.stderr.splitlines()[-1].startswith("EngineError: "), done.stderr
    assert "Traceback" not in done.stderr
    goes_on(tmp_path / "s", wanted)
