"""What is kept holds a share of the account and gives it back: caches, results of jobs, uploads of closed sessions."""

import gc
import weakref

import numpy as np
import pytest

from data.roles import columns_of
from engine import TooLargeError
from engine.runtime import memory
from engine.runtime.memory import require_memory
from ui.compute import jobs as jobs_module
from ui.compute import keeping, uploads
from ui.compute.jobs import Jobs, State
from ui.compute.keeping import Kept, size_of

M = 2**20


@pytest.fixture(autouse=True)
def account(monkeypatch):
    """An account of its own, in which nothing is held."""
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "100M")
    fresh = memory.Account()
    for module in (memory, jobs_module, keeping, uploads):
        monkeypatch.setattr(module, "ACCOUNT", fresh)
    return fresh


def test_a_value_is_made_once_and_the_oldest_goes(account):
    kept, made = Kept(2), []
    for key in ("a", "b", "a", "c", "a", "b"):
        kept.get(key, lambda key=key: made.append(key) or np.zeros(M))
    assert made == ["a", "b", "c", "b"]
    assert account.held == 16 * M
    kept.clear()
    assert account.held == 0


def test_kept_values_make_room_for_work(account):
    kept = Kept(8)
    for key in "abc":
        kept.get(key, lambda: np.zeros(4 * M))
    kept.find("a")
    require_memory("a matrix", 60 * M)
    assert [kept.find(key) is not None for key in "abc"] == [True, False, False]


def test_large_values_nobody_uses_are_swept(account, monkeypatch):
    kept = Kept(8, idle=60)
    large, small = kept.get("large", lambda: np.zeros(4 * M)), kept.get("small", lambda: np.zeros(4))
    account.sweep()
    assert kept.find("large") is large
    monkeypatch.setattr(keeping.time, "monotonic", lambda now=keeping.time.monotonic: now() + 100)
    kept.sweep()
    assert kept.find("large") is None
    assert kept.find("small") is small


def test_a_value_that_grows_is_weighed_again(account):
    kept, grown = Kept(2), []
    kept.get("key", lambda: {"list": grown})
    grown.append(np.zeros(M))
    account.weigh()
    assert account.held == 8 * M


def test_sizes_count_shared_arrays_once_and_words():
    one = np.zeros(10)
    assert size_of([one, {"same": one}]) == 80
    assert size_of(np.array(["w" * 1000] * 50, dtype=object)) > 50 * 1000


def test_results_hold_their_share_and_jobs_hold_what_they_asked_for(account):
    jobs, seen = Jobs(workers=1), []

    def compute(monitor):
        require_memory("what is needed on the way", 50 * M)
        seen.append(account.held)
        return np.zeros(M)

    assert jobs.submit("key", compute).future.result() is not None
    assert seen == [50 * M]
    assert account.held == 8 * M
    jobs.forget("key")
    assert account.held == 0


def test_results_on_a_page_stay_while_that_page_asks_for_more(account):
    jobs = Jobs(workers=1)
    for name in "abc":
        jobs.submit(name, lambda monitor: np.zeros(4 * M), "ann", place="matrices").future.result()

    def more(monitor):
        require_memory("one more", 30 * M)

    job = jobs.submit("d", more, "ann", place="matrices")
    assert isinstance(job.future.exception(), TooLargeError)  # rather than one for the other, for ever
    assert all(jobs.find(name) for name in "abc")
    jobs.submit("e", lambda monitor: 0, "ann", place="start").future.result()
    jobs.forget("d")
    assert jobs.submit("d", more, "ann", place="start").future.exception() is None
    assert jobs.find("a") is None


def test_an_error_keeps_no_arrays_alive():
    jobs, held = Jobs(workers=1), []

    def fail(monitor):
        large = np.zeros(M)
        held.append(weakref.ref(large))
        raise TooLargeError("a matrix", 2, 1)

    job = jobs.submit("key", fail)
    assert isinstance(job.future.exception(), TooLargeError)
    assert job.state is State.FAILED
    gc.collect()
    assert held[0]() is None


def test_uploads_of_closed_sessions_are_freed(account, monkeypatch):
    there = {"ann", "bob"}
    kept = uploads.Uploads(alive=there.__contains__, grace=30)
    rows = b"1,2,3\n" * 200_000
    made = uploads.keep_file("own.csv", rows, "features")
    uploads.UPLOADS.sweep()
    held = account.held
    kept.add(made, "ann")
    size = account.held - held
    assert size >= made.content.features.nbytes
    assert kept.find(made.id, "bob") is made
    there.remove("ann")
    kept.sweep()
    assert kept.oldest() is None  # bob is there
    there.remove("bob")
    kept.sweep()
    assert account.held - held == size  # a page that is loaded again is a new session
    monkeypatch.setattr(uploads.time, "monotonic", lambda now=uploads.time.monotonic: now() + 31)
    kept.sweep()
    assert account.held == held
    assert kept.find(made.id, "ann") is None


def test_a_file_that_two_sessions_bring_at_one_moment_is_held_once(account, monkeypatch):
    """A class opens the same file: both had looked for it, and neither had found it yet."""
    there = {"ann", "bob"}
    kept = uploads.Uploads(alive=there.__contains__, grace=0)
    monkeypatch.setattr(uploads, "UPLOADS", kept)
    held, content = account.held, b"1,2,3\n" * 200_000
    sheet = uploads.sheet(uploads.File("own.csv", content), "features")
    columns = columns_of(sheet.table, "features")
    looked = kept.find
    monkeypatch.setattr(kept, "find", lambda *_: None)  # as it is before the first one has kept it
    first = uploads.keep(sheet, columns, user="ann")
    size = account.held - held
    second = uploads.keep(sheet, columns, user="bob")
    assert account.held - held == size > 0
    monkeypatch.setattr(kept, "find", looked)
    assert kept.of("ann") == kept.of("bob") == [first]
    assert uploads.keep(sheet, columns, user="bob") is first is not second
    there.clear()
    kept.sweep()
    kept.sweep()
    assert account.held == held


def test_an_upload_that_finds_no_room_is_refused_in_words(monkeypatch):
    made = uploads.keep_file("own.csv", b"1,2\n" * 300_000, "labels")
    monkeypatch.setattr(memory, "memory_limit", lambda _age=0.0: M)
    with pytest.raises(uploads.DataError, match="own.csv needs .* Bring a smaller part"):
        uploads.Uploads().add(made, "ann")


def test_two_files_of_equal_bytes_keep_their_own_names():
    rows = b"1,2\n3,4\n5,7\n"
    one, other = (uploads.keep_file(name, rows, "features") for name in ("one.csv", "other.csv"))
    assert one.id != other.id
    assert (uploads.find(one.id).filename, uploads.find(other.id).filename) == ("one.csv", "other.csv")
    assert not uploads.same_file(one.id, other)
    assert uploads.same_file(one.id, one)
