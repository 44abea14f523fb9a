"""A store whose file is taken away, damaged, or looked at by others: an error that names it, never a wrong record."""

import os
import random
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from engine.studies.__main__ import main, salvage
from engine.studies.store import Store, StoreError, companions, make_private
from tests.engine.studies.examples import sample

pytestmark = pytest.mark.long

#: One record, and a value of it changed behind the store's back.
SEVENTH = "FROM records WHERE record LIKE '%\"repeat\": 7,%'"
CHANGED = "UPDATE records SET record = replace(record, '0.123', '0.923') " + SEVENTH.removeprefix("FROM records ")
SALVAGE = r"Save what is whole: python -m engine.studies salvage --store .* --to NEW"
ROOT = Path(__file__).parents[3]
#: Every bit of a small store flipped is a matter of minutes: some hundred of them in CI.
FLIPS = 20_000 if os.environ.get("CONCORD_ALL") else 300


@pytest.fixture
def filled(tmp_path):
    """A closed store of 40 records, and these."""
    path, records = tmp_path / "filled", [sample(f"{i * 6:02x}{i}", error="ä" * 200, repeat=i) for i in range(40)]
    with closing(Store(path)) as store:
        store.add(records)
    return path, records


@pytest.mark.parametrize("act", [lambda s: s.add([sample("b")]), lambda s: s.all(), len, lambda s: s.forget(["a"])])
def test_a_file_removed_while_open_is_noticed(store, act):
    store.add([sample("a")])
    assert store.is_there()
    store.path.unlink()
    assert not store.is_there()
    with pytest.raises(StoreError, match=r"records\.sqlite could not be .*: it was removed while it was open"):
        act(store)


def test_a_file_replaced_while_open_is_noticed(store, filled):
    store.add([sample("a")])
    os.replace(filled[0], store.path)
    with pytest.raises(StoreError, match="replaced while it was open"):
        store.add([sample("b")])
    assert len(Store(store.path)) == 40


def test_one_that_was_replaced_is_left_alone_from_then_on(store, filled):
    store.add([sample("a")])
    os.replace(filled[0], store.path)
    with pytest.raises(StoreError, match="replaced"):
        store.add([sample("b")])
    with closing(Store(store.path)) as other:
        for _ in range(2):
            other.add([sample("c")])
            with pytest.raises(StoreError, match="replaced"):
                store.add([sample("b")])
        assert len(other) == 41


def test_a_row_put_out_of_reach_is_missed(filled):
    path, _ = filled
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TRIGGER count_DELETE")
        other.execute(f"DELETE {SEVENTH}")
        other.commit()
    with pytest.raises(StoreError, match=f"it has 39 records, and 40 were written. {SALVAGE}"):
        Store(path)
    assert salvage(path, path.with_name("saved")).kept == 39


@pytest.mark.parametrize("damage", ["DELETE FROM tally", "INSERT INTO tally VALUES (40)", "UPDATE tally SET n = NULL"])
def test_a_damaged_count_is_noticed_on_opening(filled, damage):
    with closing(sqlite3.connect(filled[0])) as other:
        other.execute(damage)
        other.commit()
    with pytest.raises(StoreError, match=SALVAGE):
        Store(filled[0])


def test_a_file_removed_during_a_write_is_noticed(store):
    store.add([sample("a")])
    store._connection.set_trace_callback(lambda text: text.startswith("INSERT") and store.path.unlink(missing_ok=True))
    with pytest.raises(StoreError, match="could not be written: it was removed while it was open"):
        store.add([sample("b")])


#: Writes 151 records one by one, then begins to write more than the cache holds; killed where it was told to.
KILLED = """
import os, signal, sys
from engine.studies.store import Store
from tests.engine.studies.examples import sample
store = Store(sys.argv[1])
for i in range(151):
    store.add([sample(f"{i * 17:04x}")])
if sys.argv[2] == "while writing":
    store._connection.execute("PRAGMA cache_size = 2")
    store._connection.set_trace_callback(lambda text: text == "COMMIT" and os.kill(os.getpid(), signal.SIGKILL))
    store.add(sample(f"{i * 13 + 1:04x}", error="x" * 300) for i in range(400))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(params=["between records", "while writing"])
def killed(request, tmp_path):
    """A store of 151 records that a killed process leaves, and what lies beside it."""
    path = tmp_path / "killed" / "s"
    command = [sys.executable, "-c", KILLED, str(path), request.param]
    done = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    beside = [file for file in path.parent.iterdir() if file != path]
    assert bool(beside) == (request.param == "while writing")
    return path, beside


def exported(path, capsys):
    """How many records an export writes; None where it ends with an error that says a number or what to do."""
    code = main(["export", "--store", str(path), "--csv", str(path.with_name("out.csv"))])
    said = capsys.readouterr().err
    if code == 0:
        return len(path.with_name("out.csv").read_text().splitlines()) - 1
    assert re.search(SALVAGE, said)
    return None


def test_after_a_kill_nothing_is_lost_with_what_lies_beside(killed, tmp_path, capsys):
    """All 151 records, whether the file is copied alone or one bit beside it is flipped; or an error that says so."""
    path, beside = killed
    alone = tmp_path / "alone"
    shutil.copy(path, alone)
    assert exported(alone, capsys) in ([None] if beside else [151])
    draw = random.Random(0)
    for file in beside:
        content = file.read_bytes()
        for at in draw.sample(range(8 * len(content)), FLIPS // 10):
            mutated = bytearray(content)
            mutated[at // 8] ^= 1 << at % 8
            shutil.copy(path, alone)
            alone.with_name("alone-journal").write_bytes(mutated)
            assert exported(alone, capsys) in (None, 151), f"bit {at}"
    whole = salvage(path, tmp_path / "saved")
    assert (whole.kept, whole.damaged) == (151, 0)
    assert exported(path, capsys) == 151


def test_a_store_with_a_log_beside_it_is_taken_over(filled):
    """As stores were before: what is in the log comes into the file."""
    path, records = filled
    other = sqlite3.connect(path)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute(f"DELETE {SEVENTH}")
    other.commit()
    copy = path.with_name("copy")
    for ending in ("", "-wal"):
        shutil.copy(f"{path}{ending}", f"{copy}{ending}")
    other.close()
    with closing(Store(copy)) as store:
        assert len(store) == len(records) - 1
        assert not Path(f"{copy}-wal").exists()


def test_no_flipped_bit_reads_as_something_else(filled, tmp_path):
    path, records = filled
    content, flipped = path.read_bytes(), tmp_path / "flipped"
    draw = random.Random(0)
    as_written = refused = 0
    for at in draw.sample(range(8 * len(content)), FLIPS):
        mutated = bytearray(content)
        mutated[at // 8] ^= 1 << at % 8
        flipped.write_bytes(mutated)
        try:
            with closing(Store(flipped)) as store:
                found = store.all()
        except StoreError:
            refused += 1
        else:
            assert found == records, f"bit {at}"
            as_written += 1
        for file in companions(flipped):
            file.unlink(missing_ok=True)
    assert refused > FLIPS / 4
    assert as_written > 0  # bits that nothing stands on


@pytest.mark.parametrize("value", ["NULL", "'x'", "7", "CAST(x'ff' AS TEXT)", "CAST(record AS BLOB)"])
@pytest.mark.parametrize("column", ["record", "checksum", "key"])
def test_values_of_another_kind_are_refused(filled, column, value):
    path, records = filled
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE loose AS SELECT * FROM records")
        other.execute("DROP TABLE records")
        other.execute("CREATE TABLE records (key, record, checksum)")
        other.execute("INSERT INTO records SELECT * FROM loose")
        other.execute(f"UPDATE records SET {column} = {value} {SEVENTH.removeprefix('FROM records ')}")
        other.commit()
    with closing(Store(path)) as store, pytest.raises(StoreError, match=f"1 of 40 records are damaged. {SALVAGE}"):
        store.all()
    assert len(Store(path).find([records[3].key])) == 1


def test_a_changed_value_is_refused_wherever_it_is_read(filled):
    path, records = filled
    with closing(sqlite3.connect(path)) as other:
        other.execute(CHANGED)
        other.commit()
    store = Store(path)
    for read in (store.all, lambda: store.find([records[7].key])):
        with pytest.raises(StoreError, match="records are damaged"):
            read()


def test_pages_that_do_not_fit_are_noticed_on_opening(tmp_path):
    kept = Store(tmp_path / "s")
    kept.add([sample(f"{i:03x}", error="x" * 500) for i in range(500)])
    kept.close()
    content = bytearray((tmp_path / "s").read_bytes())
    content[4096 * 5 : 4096 * 6] = content[4096 * 6 : 4096 * 7]
    (tmp_path / "s").write_bytes(content)
    with pytest.raises(StoreError, match=f"could not be opened: the file is damaged.* {SALVAGE}"):
        Store(tmp_path / "s")


def test_what_is_whole_is_salvaged(tmp_path, capsys):
    records = [sample(f"{i:03x}", error="x" * 500) for i in range(0, 4096, 8)]
    with closing(Store(tmp_path / "s")) as kept:
        kept.add(records)
    content = bytearray((tmp_path / "s").read_bytes())
    content[4096 * 20 : 4096 * 21] = b"\xff" * 4096
    (tmp_path / "s").write_bytes(content)
    with pytest.raises(StoreError, match="damaged"):
        Store(tmp_path / "s").all()
    assert main(["salvage", "--store", str(tmp_path / "s"), "--to", str(tmp_path / "new")]) == 0
    assert "and pages that cannot be read" in capsys.readouterr().err
    saved = Store(tmp_path / "new").all()
    assert 480 < len(saved) < len(records)  # a page holds some seven
    assert {record.key: record for record in records}.items() >= {record.key: record for record in saved}.items()
    assert main(["salvage", "--store", str(tmp_path / "s"), "--to", str(tmp_path / "new")]) == 1
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize("place", [0, 5, 15, 16, 17, 18, 19, 20, 21, 22, 23])
def test_a_store_whose_first_bytes_are_damaged_is_salvaged_whole(filled, place):
    damaged = filled[0].with_name("damaged")
    content = bytearray(filled[0].read_bytes())
    content[place] ^= 64 if place in (18, 19) else 1
    damaged.write_bytes(content)
    assert salvage(damaged, damaged.with_name("saved")).kept == 40


@pytest.mark.parametrize("left", [0.99, 0.7])  # somewhere in a page
def test_of_a_file_that_was_cut_off_the_pages_that_are_there_are_salvaged(tmp_path, left):
    """A copy that broke off, or a full disk: SQLite refuses the whole of it."""
    records = [sample(f"{i:03x}", error="x" * 500) for i in range(0, 4096, 8)]
    with closing(Store(tmp_path / "s")) as kept:
        kept.add(records)
    content = (tmp_path / "s").read_bytes()
    (tmp_path / "s").write_bytes(content[: int(left * len(content))])
    found = salvage(tmp_path / "s", tmp_path / "new")
    assert found.kept > (left - 0.25) * len(records)
    saved = Store(tmp_path / "new").all()
    assert {record.key: record for record in records}.items() >= {record.key: record for record in saved}.items()


def test_salvaging_leaves_out_what_is_damaged_and_refuses_what_is_no_store(filled, tmp_path):
    path, records = filled
    with closing(sqlite3.connect(path)) as other:
        other.execute(CHANGED)
        other.commit()
    found = salvage(path, tmp_path / "new")
    assert (found.kept, found.damaged, found.out_of_reach, found.written) == (39, 1, False, 40)
    assert Store(tmp_path / "new").all() == records[:7] + records[8:]
    with closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE records DROP COLUMN checksum")
        other.commit()
    with pytest.raises(StoreError, match="no table of records with checksums"):
        salvage(path, tmp_path / "x")
    for wrong in (tmp_path / "nowhere", tmp_path):
        with pytest.raises(StoreError, match="no such file"):
            salvage(wrong, tmp_path / "x")
    (tmp_path / "text").write_text("nothing of ours" * 1000)
    with pytest.raises(StoreError, match="nothing of it is whole"):
        salvage(tmp_path / "text", tmp_path / "x")
    assert not (tmp_path / "x").exists()


def rights(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_store_is_its_owners_alone(tmp_path):
    before = os.umask(0o022)
    try:
        with closing(Store(tmp_path / "new" / "records.sqlite")) as store:
            store.add([sample("a")])
            files = list(store.path.parent.iterdir())
            assert [file.name for file in files] == ["records.sqlite"]
            assert {rights(file) for file in files} == {0o600}
            assert rights(store.path.parent) == 0o700
    finally:
        os.umask(before)


def test_a_store_of_before_becomes_its_owners_alone(filled):
    path, _ = filled
    path.chmod(0o644)
    folder = rights(path.parent)
    Store(path).close()
    assert rights(path) == 0o600
    assert rights(path.parent) == folder  # a folder that was there is somebody's choice
    path.chmod(0o444)
    Store(path).close()
    assert rights(path) == 0o400


def test_what_is_no_file_keeps_its_rights(tmp_path):
    """Who is root and names /dev/null as the store would take it from everybody."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    pipe.chmod(0o666)
    make_private(pipe)
    assert rights(pipe) == 0o666


def told(capsys, *arguments):
    """The exit code of a command, and what it says."""
    code = main([str(one) for one in arguments])
    return code, capsys.readouterr().err


@pytest.mark.parametrize("command", [("export", "--csv"), ("backup", "--to"), ("salvage", "--to")])
def test_a_store_that_is_only_read_is_there_or_an_error(tmp_path, capsys, command):
    code, said = told(capsys, command[0], "--store", tmp_path / "mistyped", command[1], tmp_path / "out")
    assert (code, said.endswith("mistyped could not be read: there is no such file\n")) == (1, True)
    assert not list(tmp_path.iterdir())


def test_an_export_says_how_many_records_were_written(filled, tmp_path, capsys):
    assert told(capsys, "export", "--store", filled[0], "--csv", tmp_path / "out.csv") == (
        0,
        "40 of 40 records exported\n",
    )
    with closing(sqlite3.connect(filled[0])) as other:
        (page,) = other.execute("SELECT rootpage FROM sqlite_master WHERE name = 'records'").fetchone()
    content = bytearray(filled[0].read_bytes())
    content[4096 * (page - 1) + 8 : 4096 * page] = b"\xff" * 4088
    filled[0].write_bytes(content)
    code, said = told(capsys, "export", "--store", filled[0], "--csv", tmp_path / "other.csv")
    assert code == 1
    assert "40 records were written to it" in said
    assert not (tmp_path / "other.csv").exists()


def test_an_export_is_whole_or_as_it_was(filled, tmp_path, monkeypatch):
    """Where the disk is full, or the process is ended, in the middle of writing."""
    monkeypatch.setattr("engine.studies.__main__.to_csv", lambda records: "a" * 10**6)
    monkeypatch.setattr("engine.studies.__main__.to_parquet", lambda records: b"a" * 10**6)
    for option, goal in (("--csv", tmp_path / "out.csv"), ("--parquet", tmp_path / "out.parquet")):
        goal.write_text("before")
        goal.chmod(0o640)
        limited = f"ulimit -f 100; exec {sys.executable} -c '{WRITES}' {filled[0]} {option} {goal}"
        done = subprocess.run(["sh", "-c", limited], cwd=ROOT, check=False, capture_output=True, text=True)
        assert done.returncode == 1, done.stderr
        assert "File too large" in done.stderr
        assert goal.read_text() == "before"
        assert main(["export", "--store", str(filled[0]), option, str(goal)]) == 0
        assert (goal.stat().st_size, rights(goal)) == (10**6, 0o640)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["filled", "out.csv", "out.parquet"]


#: An export of a megabyte; what is beyond a limit of the system is an error there, as on a full disk.
WRITES = """
import signal, sys
import engine.studies.__main__ as command
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
command.to_csv, command.to_parquet = lambda records: "a" * 10**6, lambda records: b"a" * 10**6
sys.exit(command.main(["export", "--store", *sys.argv[1:]]))
"""


def test_what_is_no_store_stays_as_it_is(tmp_path, capsys):
    other = tmp_path / "some.toml"
    other.write_text("datasets = ['iris']\n" * 100)
    other.chmod(0o664)
    with closing(sqlite3.connect(tmp_path / "foreign")) as foreign:
        foreign.execute("CREATE TABLE records (a)")
    (tmp_path / "foreign").chmod(0o664)
    for file in (other, tmp_path / "foreign"):
        before = file.read_bytes()
        for command in (("export", "--csv"), ("backup", "--to")):
            assert told(capsys, command[0], "--store", file, command[1], tmp_path / "out")[0] == 1
        with pytest.raises(StoreError):
            Store(file)
        assert (rights(file), file.read_bytes()) == (0o664, before)
    assert len(list(tmp_path.iterdir())) == 2


def test_a_backup_is_a_whole_store_also_while_somebody_writes(filled, tmp_path, capsys):
    path, records = filled
    with closing(Store(path)) as writer:
        writer.add([sample("zz")])
        assert told(capsys, "backup", "--store", path, "--to", tmp_path / "copy") == (
            0,
            f"41 records copied to {tmp_path / 'copy'}\n",
        )
        writer.add([sample("zzz")])
    assert [record.key for record in Store(tmp_path / "copy").all() if record.key.startswith("z")] == ["zz"]
    assert rights(tmp_path / "copy") == 0o600
    assert "is there already" in told(capsys, "backup", "--store", path, "--to", tmp_path / "copy")[1]
    assert len(Store(path)) == len(records) + 2


def _mounts() -> bool:
    command = ["unshare", "-rm", "true"]
    return bool(shutil.which("unshare")) and not subprocess.run(command, check=False, capture_output=True).returncode


@pytest.mark.skipif(not _mounts(), reason="a system that lets one mount")
@pytest.mark.parametrize("form", ["now", "with a log", "before", "killed"])
def test_a_store_on_media_that_cannot_be_written_is_exported(form, filled, tmp_path):
    folder = tmp_path / "media"
    folder.mkdir()
    shutil.copy(Path(__file__).with_name("form_5.sqlite") if form == "before" else filled[0], folder / "s")
    expected = "3 of 3" if form == "before" else "40 of 40"
    if form == "with a log":
        with closing(sqlite3.connect(folder / "s")) as other:
            other.execute("PRAGMA journal_mode = WAL")
    if form == "killed":
        expected = "151 of 151"
        command = [sys.executable, "-c", KILLED, str(folder / "k"), "while writing"]
        assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
        for ending in ("", "-journal"):
            os.replace(f"{folder}/k{ending}", f"{folder}/s{ending}")
    script = (
        f"mount --bind {folder} {folder} && mount -o remount,ro,bind {folder} && "
        f"exec {sys.executable} -m engine.studies export --store {folder}/s --csv {tmp_path}/out.csv"
    )
    done = subprocess.run(["unshare", "-rm", "sh", "-c", script], cwd=ROOT, check=False, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, f"{expected} records exported\n")
