"""Records on disk: kept, found, exported, and what happens to files that are none of ours."""

import csv
import io
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from engine.studies.__main__ import salvage
from engine.studies.records import COLUMNS, FORMS, to_csv, to_parquet
from engine.studies.store import Store, StoreError
from tests.engine.studies.examples import sample

ROOT = Path(__file__).parents[3]


def test_a_record_comes_back_as_it_was(store):
    records = [sample("a"), sample("b", k=None, error='he said "no",\nand left', ari=None)]
    store.add(records)
    assert store.find(["a", "b", "c"]) == {"a": records[0], "b": records[1]}
    store.add([sample("a", k=9)])
    assert store.find(["a"])["a"].k == 3
    assert Store(store.path).all() == store.all()


def test_many_keys_are_found_and_readers_do_not_wait_for_who_has_not_finished(store):
    store.add([sample(str(i)) for i in range(1200)])
    assert len(store.find(str(i) for i in range(1100))) == 1100
    writer = sqlite3.connect(store.path)
    writer.execute("BEGIN IMMEDIATE")
    writer.execute("DELETE FROM records WHERE key = '7'")  # somebody writes, and has not finished
    assert len(Store(store.path)) == 1200
    writer.close()


def test_an_empty_store_exports_the_header_alone(store):
    assert to_csv(store.all()) == ",".join(COLUMNS) + "\n"
    assert ",".join(COLUMNS) == (
        "dataset,method,params,repeat,seed,k,nmi_max,nmi_arithmetic,nmi_sqrt,ari,pairwise_f,accuracy,purity,seconds,"
        "error,n_clusterings,generator,version,k_asked,peak_mb,margin,anmi,stability,key"
    )


def test_exports_hold_every_number(store, tmp_path):
    import pandas as pd

    store.add([sample("a"), sample("b", repeat=1, k=None, ari=None, error='x, "y"\nz')])
    rows = list(csv.DictReader(io.StringIO(to_csv(store.all()))))
    assert (float(rows[0]["ari"]), rows[1]["error"]) == (0.123456789012345, 'x, "y"\nz')
    assert [(row["k"], row["nmi_max"], row["seed"]) for row in rows] == [("3", "", "0"), ("", "", "0")]
    (tmp_path / "t.parquet").write_bytes(to_parquet(store.all()))
    frame = pd.read_parquet(tmp_path / "t.parquet")
    assert frame.ari[0] == 0.123456789012345
    assert (frame.k[0], frame.peak_mb[0]) == (3, 0.0)
    assert frame.k.isna().tolist() == [False, True]
    assert len(frame) == 2


def test_records_on_a_file_called_like_a_formula_hold_none(store):
    store.add([sample("a", dataset="=1+1")])
    assert next(csv.DictReader(io.StringIO(to_csv(store.all()))))["dataset"] == "'=1+1"


def test_a_file_of_something_else_is_refused(tmp_path):
    (tmp_path / "text").write_text("not a database at all, but long enough to be taken for one" * 50)
    with pytest.raises(StoreError, match="it is no store, or the file is damaged from its first byte on") as refused:
        Store(tmp_path / "text")
    assert "salvage" not in str(refused.value)
    other = sqlite3.connect(tmp_path / "other")
    other.execute("CREATE TABLE t (a)")
    other.commit()
    with pytest.raises(StoreError, match="another program"):
        Store(tmp_path / "other")
    other.execute("PRAGMA application_id = 7")
    with pytest.raises(StoreError, match="another program"):
        Store(tmp_path / "other")


FOR_EVER = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT i AS key, i, i FROM n"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "change",
    [
        f"DROP TABLE records; CREATE VIEW records (key, record, checksum) AS {FOR_EVER};",
        f"DROP TABLE tally; CREATE VIEW tally (n, m, o) AS {FOR_EVER};",
        "DROP TABLE records; CREATE VIRTUAL TABLE records USING fts5(key, record, checksum);",
    ],
)
def test_a_store_that_computes_what_it_holds_is_refused_before_it_does(tmp_path, form, change):
    """Somebody else made it: a view may go on for ever, and SQLite does not hear Ctrl-C meanwhile."""
    Store(tmp_path / "s").close()
    with closing(sqlite3.connect(tmp_path / "s")) as other:
        other.executescript(f"{change} PRAGMA user_version = {form};")
    with pytest.raises(StoreError, match="is nothing that Concord makes"):
        Store(tmp_path / "s")
    if "DROP TABLE tally" in change:
        assert salvage(tmp_path / "s", tmp_path / "new").written is None
    else:
        with pytest.raises(StoreError, match="no table of records"):
            salvage(tmp_path / "s", tmp_path / "new")


@pytest.mark.parametrize("name", ["mine", "tally", "records", "count_INSERT_"])
@pytest.mark.parametrize("first", [True, False])
def test_a_store_with_a_trigger_of_somebody_else_is_refused(name, first, tmp_path):
    """Also where it is called like a table, and stands before or behind it."""
    trigger = f"CREATE TRIGGER {name} AFTER INSERT ON records BEGIN DELETE FROM records; END"
    Store(tmp_path / "s").close()
    with closing(sqlite3.connect(tmp_path / "s")) as other:
        if first:
            other.executescript(
                f"DROP TABLE tally; {trigger}; CREATE TABLE tally (n INTEGER); INSERT INTO tally VALUES (0)"
            )
        else:
            other.execute(trigger)
    with pytest.raises(StoreError, match="is nothing that Concord makes"):
        Store(tmp_path / "s")


@pytest.mark.parametrize(("version", "who"), [(0, "an earlier"), (1, "an earlier"), (4, "an earlier"), (99, "a later")])
def test_a_store_of_another_form_is_refused_in_plain_words_and_left_as_it_is(tmp_path, version, who):
    with closing(Store(tmp_path / "s")) as strange:
        strange.add([sample("a")])
        strange._connection.execute(f"PRAGMA user_version = {version}")
    before = (tmp_path / "s").read_bytes()
    with pytest.raises(StoreError, match=f"was written by {who} version of Concord, .* Choose another file"):
        Store(tmp_path / "s")
    assert (tmp_path / "s").read_bytes() == before


def test_a_damaged_page_is_a_message_never_a_wrong_table(tmp_path):
    kept = Store(tmp_path / "s")
    kept.add([sample(str(i), error="x" * 500) for i in range(200)])
    kept.close()
    content = bytearray((tmp_path / "s").read_bytes())
    content[8192:20000] = content[8192:8200] + b"\xff" * (20000 - 8200)
    (tmp_path / "s").write_bytes(content)
    with pytest.raises(StoreError, match="the file is damaged"):
        Store(tmp_path / "s").all()


def test_a_full_disk_is_a_message_and_keeps_what_was_there(store):
    store.add([sample("a")])
    pages = store._connection.execute("PRAGMA page_count").fetchone()[0]
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreError, match="Make room"):
        store.add([sample(str(i), error="x" * 1000) for i in range(1000)])
    assert [record.key for record in store.all()] == ["a"]
    store._connection.execute("PRAGMA max_page_count = 100000")
    store.add([sample("b")])  # nothing is left half-way: with room there is work again
    assert [record.key for record in store.all()] == ["a", "b"]


def test_what_cannot_be_kept_leaves_the_store_as_it_was(store):
    with pytest.raises(StoreError, match="could not be written"):
        store.add([sample("a"), sample("b", k=object())])
    store.add([sample("c")])
    assert [record.key for record in store.all()] == ["c"]


def test_all_records_stand_in_the_order_of_what_they_are_of(store):
    wine = [sample("z", k=2), sample("y", repeat=1), sample("x", params='{"theta": 1.0}'), sample("w", method="pta")]
    store.add([*reversed(wine), sample("a", dataset="iris")])
    assert [record.key for record in store.all()] == ["a", "x", "z", "y", "w"]


def test_a_folder_that_cannot_be_written_is_named():
    with pytest.raises(StoreError, match="/proc/nowhere"):
        Store("/proc/nowhere/records.sqlite")


def test_the_store_is_where_the_environment_says(monkeypatch, tmp_path):
    from engine.studies.store import default_path

    monkeypatch.setenv("CONCORD_STORE", str(tmp_path / "mine"))
    assert default_path() == tmp_path / "mine"
    monkeypatch.delenv("CONCORD_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path() == tmp_path / "concord" / "records.sqlite"


def test_threads_may_write_at_once(store):
    def write(start):
        for i in range(50):
            store.add([sample(f"{start}-{i}")])

    threads = [threading.Thread(target=write, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store) == 200


WRITER = """
import sys
from engine.studies.records import Record
from engine.studies.store import Store
store = Store(sys.argv[1])
for i in range(150):
    store.add([Record(f"{sys.argv[2]}-{i}", "d", "m", "{}", 1, 0, 0)])
"""


@pytest.mark.long
def test_two_processes_may_write_at_once(tmp_path):
    path = tmp_path / "s"
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], cwd=ROOT) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    assert len(Store(path)) == 300
