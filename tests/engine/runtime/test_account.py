"""One account for the process: everybody asks first, gives back, and what is merely kept goes before anybody waits."""

import math
import pickle
import threading
import time

import numpy as np
import pytest

from engine import Cancelled, Ensemble, TooLargeError, consensus_methods, run_consensus
from engine.evidence import clustering_agreement
from engine.partitions import partition_distances
from engine.runtime import memory
from engine.runtime.memory import Account, free_in_cgroup, require_memory, working
from tests.monitors import stopping_at_stage
from tests.strategies import random_labels

M = 2**20


@pytest.fixture
def account(monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "100M")
    fresh = Account()
    monkeypatch.setattr(memory, "ACCOUNT", fresh)
    return fresh


class Shelf:
    """A keeper of results of 30 MiB."""

    def __init__(self, account, *ages):
        self._account, self.kept = account, {age: account.hold(30 * M) for age in ages}
        account.join(self)

    def oldest(self):
        return min(self.kept, default=None)

    def drop_oldest(self):
        self.kept.pop(min(self.kept)).give_back()

    def weigh(self):
        pass

    def sweep(self):
        while self.kept:
            self.drop_oldest()


def test_shares_add_up_and_come_back(account):
    with account.ask("one", 60 * M):
        with pytest.raises(TooLargeError, match="two needs 50 MiB, and 100 MiB .* of which 60 MiB are in use"):
            account.ask("two", 50 * M)
        account.ask("small", 3 * M).give_back()  # what is small never waits
    account.ask("two", 50 * M).give_back()
    assert account.held == 0


def test_what_is_kept_goes_first_the_oldest_before_the_others(account):
    early, late = Shelf(account, 1.0, 5.0), Shelf(account, 3.0)
    with account.ask("work", 60 * M):
        assert list(early.kept) == [5.0]
        assert not late.kept
    account.sweep()
    assert account.held == 0


def test_work_waits_for_other_work(account):
    begun, done = threading.Event(), []

    def other():
        with working():
            require_memory("theirs", 60 * M)
            begun.set()
            time.sleep(0.3)

    thread = threading.Thread(target=other)
    thread.start()
    begun.wait()
    with working():
        require_memory("ours", 60 * M)
        done.append(account.held)
    thread.join()
    assert done == [60 * M]
    assert account.held == 0


def test_who_waits_hears_a_cancel(account):
    begun, end = threading.Event(), threading.Event()

    def other():
        with working():
            require_memory("theirs", 60 * M)
            begun.set()
            end.wait(10)

    thread = threading.Thread(target=other)
    thread.start()
    begun.wait()
    with pytest.raises(Cancelled), working(stopping_at_stage("waiting for memory")):
        require_memory("ours", 60 * M)
    end.set()
    thread.join()


def test_two_that_wait_for_each_other_do_not_wait_for_ever(account):
    both, refused = threading.Barrier(2), []

    def one(name):
        with working():
            require_memory(f"first of {name}", 45 * M)
            both.wait()
            try:
                require_memory(f"second of {name}", 45 * M)
            except TooLargeError:
                refused.append(name)

    threads = [threading.Thread(target=one, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert len(refused) == 1  # the other had its turn
    assert account.held == 0


def test_what_is_asked_for_again_and_again_counts_once(account):
    with working():
        for needed in (40 * M, 30 * M, 50 * M, 50 * M):
            require_memory("a matrix", needed)
        assert account.held == 50 * M
        with pytest.raises(TooLargeError):
            require_memory("another", 60 * M)
    require_memory("alone", 90 * M)  # outside of work nothing is held
    assert account.held == 0


@pytest.mark.parametrize(
    ("limit", "rule"),
    [("100M", "set by CONCORD_MEMORY_LIMIT"), (None, "half of the free memory; CONCORD_MEMORY_LIMIT sets another")],
)
def test_a_refusal_names_the_rule_that_applied_and_the_way_out(monkeypatch, account, limit, rule):
    if limit is None:
        monkeypatch.delenv("CONCORD_MEMORY_LIMIT")
        monkeypatch.setattr(memory, "_free_memory", lambda: 200 * M - account.held)
    account.hold(90 * M)
    for needed in (50 * M, 101 * M):  # in use by others, and never to be had
        with pytest.raises(TooLargeError) as refused:
            account.ask("a matrix", needed)
        assert f"100 MiB may be used ({rule})" in str(refused.value)
        assert str(pickle.loads(pickle.dumps(refused.value))) == str(refused.value)


def test_what_a_method_says_names_the_rule_too(monkeypatch):
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1K")
    labels = [[place % 20, place // 20] for place in range(100)]
    with pytest.raises(TooLargeError, match=r"set by CONCORD_MEMORY_LIMIT\).*would do without"):
        run_consensus("ec_cms", Ensemble.from_labels(labels), 3)


def test_of_many_objects_and_few_clusters_none_is_named_that_is_refused(monkeypatch):
    """PTGP was, for its similarities of objects to clusters."""
    ensemble = Ensemble.from_labels(random_labels(3000, 8, 12, seed=1))
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "3M")
    with pytest.raises(TooLargeError) as refused:
        run_consensus("srs", ensemble, 3)
    named = [method for method in consensus_methods().values() if method.title in refused.value.alternatives]
    for method in named:
        assert run_consensus(method.key, ensemble, 3).n_clusters == 3
    assert {"KCC", "U-SENC"} < {method.title for method in named}


@pytest.mark.parametrize("key", ["lwea", "weac"])
def test_two_wide_base_clusterings_are_refused_and_one_is_not(monkeypatch, key):
    """A column of identifiers beside another took gigabytes that no limit knew, or ended in a MemoryError."""
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "100M")
    rows = np.arange(4000)
    labels = np.stack([rows % 3, rows // 4 % 5, rows], 1)
    assert len(run_consensus(key, Ensemble.from_labels(labels), 3).labels) == 4000
    alone = Ensemble.from_labels(rows[:, None])
    assert len(run_consensus(key, alone, 3).labels) == 4000, "one base clustering shares nothing with another"
    wide = Ensemble.from_labels(np.column_stack([labels, rows[::-1]]))
    with pytest.raises(TooLargeError, match=r"share \(4,000 x 4,000 clusters\).*KCC") as refused:
        run_consensus(key, wide, 3)
    assert not {key.upper(), f"{key.upper()} with its default parameters"} & set(refused.value.alternatives)
    for asked in (clustering_agreement, lambda one: partition_distances(one.labels)):
        assert asked(Ensemble.from_labels(labels)).shape == (3, 3)
        with pytest.raises(TooLargeError, match=r"share \(4,000 x 4,000 clusters\)"):
            asked(wide)


def test_what_is_held_does_not_lower_the_limit_a_second_time(monkeypatch, account):
    monkeypatch.delenv("CONCORD_MEMORY_LIMIT")
    monkeypatch.setattr(memory, "_free_memory", lambda: 200 * M - account.held)
    assert memory.memory_limit() == 100 * M
    account.hold(80 * M)
    assert memory.memory_limit() == 100 * M


@pytest.mark.parametrize(
    ("line", "folder", "files"),
    [
        ("0::/a/b", "a", {"memory.max": "500", "memory.current": "300", "memory.stat": "anon 1\ninactive_file 50\n"}),
        (
            "7:cpu,memory:/a/b",
            "memory/a",
            {
                "memory.limit_in_bytes": "500",
                "memory.usage_in_bytes": "300",
                "memory.stat": "inactive_file 7\ntotal_inactive_file 50\n",
            },
        ),
    ],
)
def test_control_groups_bound_what_is_free(tmp_path, line, folder, files):
    inner, outer = tmp_path / folder / "b", tmp_path / folder
    inner.mkdir(parents=True)
    for name, content in files.items():
        (outer / name).write_text(content)
    unbounded = {"memory.max": "max", "memory.limit_in_bytes": str(2**63 - 4096), "memory.current": "3"}
    for name, content in {**unbounded, "memory.usage_in_bytes": "3", "memory.stat": ""}.items():
        (inner / name).write_text(content)
    membership = tmp_path / "cgroup"
    membership.write_text(f"3:devices:/a/b\n{line}\n")
    assert free_in_cgroup(tmp_path, membership) == [250]
    assert free_in_cgroup(tmp_path, tmp_path / "missing") == []


def test_the_tightest_bound_counts(monkeypatch):
    monkeypatch.setattr(memory, "free_in_cgroup", lambda: [3 * M, 9 * M])
    assert memory._free_memory() == 3 * M


def test_small_asks_in_a_row_look_at_the_machine_once(monkeypatch):
    looks = []
    monkeypatch.delenv("CONCORD_MEMORY_LIMIT", raising=False)
    monkeypatch.setattr(memory, "_looked", -math.inf)
    monkeypatch.setattr(memory, "_free_memory", lambda: looks.append(1) or 1 << 34)
    for _ in range(50):
        memory.require_memory("something small", memory.SMALL)
    assert len(looks) <= 2
    for _ in range(3):
        memory.require_memory("something large", memory.SMALL + 1)
    assert len(looks) >= 4
