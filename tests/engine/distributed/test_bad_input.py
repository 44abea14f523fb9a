"""What is wrong with a label matrix is said before work starts, with file and row."""

import sys
import time
from pathlib import Path
from random import Random

import dask.array
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from engine import Cancelled, InvalidEnsembleError, InvalidParameterError
from engine.distributed import __main__ as command
from engine.distributed import distributed_consensus, files
from engine.distributed.__main__ import main
from engine.distributed.tiles import open_labels
from engine.monitor import Monitor
from engine.runtime import side_process

pytestmark = pytest.mark.long

GOOD = np.arange(60).reshape(20, 3) % 4


def refused(source, **options):
    with pytest.raises(InvalidEnsembleError) as raised:
        distributed_consensus(source, "lwgp", 2, tile=6, **options)
    return str(raised.value)


def parquet(path, **columns):
    base = {f"b{m}": GOOD[:, m].tolist() for m in range(3)}
    pq.write_table(pa.table({**base, **columns}), path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"b1": [*range(19), "apple"]}, "row 20, column b1: 'apple'"),
        ({"b1": [*[0.0] * 12, 0.5, *[1.0] * 7]}, "row 13: labels must be whole numbers, and base clustering 2 has 0.5"),
        ({"b1": [*[0.0] * 4, np.inf, *[1.0] * 15]}, "row 5: labels must be whole numbers"),
        ({f"b{m}": [*range(7), None, *range(12)] for m in range(3)}, "row 8: no base clustering labels this object"),
        ({"b9": GOOD[:, 0].tolist()}, "has a column b9"),
    ],
)
def test_a_bad_file_among_good_ones_is_named_with_its_row(change, words, tmp_path):
    parquet(tmp_path / "part_1.parquet")
    change = {name: [str(v) for v in values] if "apple" in values else values for name, values in change.items()}
    parquet(tmp_path / "part_2.parquet", **change)
    said = refused(str(tmp_path / "*.parquet"))
    assert "part_2.parquet" in said
    assert words in said


def test_a_missing_column_and_another_m_are_named(tmp_path):
    parquet(tmp_path / "part_1.parquet")
    pq.write_table(pa.table({"b0": [1, 2], "b2": [0, 1]}), tmp_path / "part_2.parquet")
    assert "part_2.parquet has no column b1" in refused(tmp_path)
    np.save(tmp_path / "x.npy", GOOD)
    np.save(tmp_path / "y.npy", GOOD[:, :2])
    assert "y.npy has 2 columns" in refused([tmp_path / "x.npy", tmp_path / "y.npy"])
    assert "call their columns differently" in refused([tmp_path / "part_1.parquet", tmp_path / "x.npy"])


def test_an_order_of_columns_that_nothing_tells_is_refused(tmp_path):
    pq.write_table(pa.table({str(m): GOOD[:, m - 1].tolist() for m in (2, 1, 3)}), tmp_path / "a.parquet")
    np.save(tmp_path / "b.npy", GOOD)
    assert "b.npy have their columns in another order" in refused([tmp_path / "a.parquet", tmp_path / "b.npy"])
    twice = pa.Table.from_arrays([pa.array(GOOD[:, m]) for m in range(3)], names=["b0", "b1", "b0"])
    pq.write_table(twice, tmp_path / "twice.parquet")
    assert "twice.parquet has two columns b0" in refused(tmp_path / "twice.parquet")


@pytest.mark.parametrize(
    ("write", "words"),
    [
        (lambda path: np.save(path, np.array(["a", "b"])), "must hold a matrix of numbers"),
        (lambda path: np.save(path, np.arange(4)), "of shape (4,)"),
        (lambda path: np.save(path, np.array([[None]]), allow_pickle=True), "numbers. Got object of shape (1, 1)"),
        (lambda path: path.write_bytes(b"rubbish"), "cannot be read"),
        (
            lambda path: np.save(path, np.array([[2**63 + 5, 1], [1, 2]], np.uint64)),
            "row 1: labels must lie within 2^62 of 0",
        ),
        (lambda path: np.save(path, np.zeros((1, 3), int)), "at least 2 rows"),
    ],
)
def test_files_that_hold_no_labels(write, words, tmp_path):
    write(tmp_path / "one.npy")
    assert words in refused(tmp_path / "one.npy")


def test_nothing_there(tmp_path):
    assert "There is none" in refused(tmp_path / "*.parquet")
    assert "There is none" in refused(tmp_path)
    (tmp_path / "a.csv").write_text("1,2")
    assert "a.csv" in refused([tmp_path / "a.csv"])
    (tmp_path / "a.parquet").write_bytes(b"PAR1 and rubbish")
    assert "a.parquet cannot be read as Parquet" in refused(tmp_path)


def test_chunks_are_named_by_their_row():
    wrong = np.where(np.arange(20)[:, None] == 14, 0.25, GOOD)
    assert "row 15: labels must be whole numbers" in refused(dask.array.from_array(wrong, (3, 2)))
    assert "(N, M)" in refused(np.arange(5))
    unlabelled = np.column_stack([GOOD[:, 0], np.full(20, -1)])
    assert "base clustering 2 labels fewer than two objects" in refused(unlabelled)


def test_parts_come_in_the_order_of_their_numbers(tmp_path):
    for part in range(11):
        np.save(tmp_path / f"part_{part}.npy", np.full((2, 2), part // 6))
    found = distributed_consensus(tmp_path, "usenc", 2)
    assert found.labels.tolist() == [0] * 12 + [1] * 10


@pytest.mark.parametrize("names", [range(20), [f"o{n}" for n in range(20)]])
def test_the_index_of_a_data_frame_is_no_base_clustering(names, tmp_path):
    parquet(tmp_path / "plain.parquet")
    parquet(tmp_path / "indexed.parquet", __index_level_0__=list(names))
    plain, indexed = (distributed_consensus(tmp_path / f"{name}.parquet", "lwgp", 2) for name in ("plain", "indexed"))
    assert indexed.n_clusterings == plain.n_clusterings == 3
    assert indexed.labels.tolist() == plain.labels.tolist()


def test_the_command(tmp_path, capsys):
    parquet(tmp_path / "part_1.parquet")
    arguments = ["run", "--labels", str(tmp_path / "*.parquet"), "--method", "lwgp", "--n-clusters", "2"]
    assert main([*arguments, "--param", "theta=0.5", "--out", str(tmp_path / "out.npy")]) == 0
    assert "20 objects in 2 clusters, of 3 base clusterings, " in capsys.readouterr().err
    assert len(np.load(tmp_path / "out.npy")) == 20
    assert main([*arguments, "--param", "tau=1", "--out", str(tmp_path / "new.npy")]) == 1
    assert capsys.readouterr().err == "error: parameters are name=value, of theta. Got 'tau=1'\n"
    assert not (tmp_path / "new.npy").exists()


def test_the_command_is_called_as_the_package_it_is_in(monkeypatch, capsys):
    monkeypatch.setattr(command, "__package__", "concord.distributed")
    with pytest.raises(SystemExit):
        main(["--help"])
    assert capsys.readouterr().out.startswith("usage: python -m concord.distributed ")


@pytest.mark.parametrize("value", [0, -1, 1.5, True])
@pytest.mark.parametrize("name", ["tile", "sample"])
def test_numbers_that_cannot_be_meant(name, value):
    with pytest.raises(InvalidParameterError, match=f"{name} must be an integer of at least 1. Got {value}"):
        distributed_consensus(GOOD, "lwgp", 2, **{name: value})


@pytest.mark.parametrize("value", [-1, 1.5, "a", True, None])
def test_a_seed_that_is_none_is_refused_before_any_file_is_opened(value, tmp_path):
    with pytest.raises(InvalidParameterError, match=f"seed must be an integer of at least 0. Got {value!r}"):
        distributed_consensus(tmp_path / "nowhere.npy", "lwgp", 2, seed=value)


def test_damage_inside_a_file_is_said_with_its_name(tmp_path):
    """Bytes of pages and headers, of a hundred files; some are read all the same."""
    rows, random, refused_ones, read_ones = np.tile(GOOD, (50, 1)), Random(0), 0, 0
    pq.write_table(pa.table({f"b{m}": rows[:, m] for m in range(3)}), tmp_path / "whole.parquet", row_group_size=100)
    whole = (tmp_path / "whole.parquet").read_bytes()
    for _ in range(100):
        content = bytearray(whole)
        for _ in range(random.choice([1, 3, 30])):
            content[random.randrange(4, len(content) - 8)] = random.randrange(256)
        (tmp_path / "a.parquet").write_bytes(content)
        try:
            distributed_consensus(tmp_path / "a.parquet", "lwgp", 2, tile=300)
        except InvalidEnsembleError as error:
            refused_ones += "a.parquet" in str(error)
        else:
            read_ones += 1
    assert refused_ones > 40
    assert refused_ones + read_ones == 100


@pytest.mark.parametrize("ending", ["parquet", "npy"])
@pytest.mark.parametrize("shape", [(9, 3), (20, 2), (0, 3), None])
def test_a_file_rewritten_while_it_is_read(ending, shape, tmp_path):
    path = tmp_path / f"a.{ending}"

    def write(rows):
        if ending == "npy":
            np.save(path, rows)
        else:
            pq.write_table(pa.table({f"b{m}": rows[:, m] for m in range(rows.shape[1])}), path)

    write(GOOD)
    last = open_labels(path, 6).tiles[-1]
    write(GOOD[: shape[0], : shape[1]]) if shape else path.unlink()
    with pytest.raises(InvalidEnsembleError, match=f"a.{ending}"):
        last.read()


_OPENED: list[str] | None = None


def _note(event, arguments):
    if _OPENED is not None and event == "open":
        _OPENED.append(str(arguments[0]))


@pytest.mark.parametrize("ending", ["parquet", "npy"])
def test_whoever_computes_opens_no_file(ending, tmp_path, monkeypatch):
    """An audit hook hears of every file that Python opens here, and Arrow, which asks the system itself, is away."""
    parquet(tmp_path / "a.parquet")
    np.save(tmp_path / "a.npy", GOOD)
    sys.addaudithook(_note)
    monkeypatch.setattr(sys.modules[__name__], "_OPENED", [])
    monkeypatch.setattr(pq, "ParquetFile", None)
    assert len(distributed_consensus(tmp_path / f"a.{ending}", "lwgp", 2, tile=6).labels) == 20
    assert any(path.endswith("/found") for path in _OPENED), "the hook hears nothing"
    assert not [path for path in _OPENED if path.startswith(str(tmp_path))]


@pytest.mark.parametrize(
    ("does", "words"),
    [
        ("import os; os.kill(os.getpid(), 11)", "ended with status -11"),
        ("while True: pass", "took too long and was ended"),
        ("import time; time.sleep(60)", "took too long and was ended"),
        ("held = bytearray(1 << 40)", "takes more memory than a reader may"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere readers have fewer limits")
def test_what_a_file_does_to_its_reader_it_does_to_nobody_else(does, words, tmp_path, monkeypatch):
    script = tmp_path / "reader.py"
    script.write_text(files._READER.read_text().replace("    with open(path", f"    {does}\n    with open(path"))
    assert does in script.read_text()
    monkeypatch.setattr(files, "_READER", script)
    monkeypatch.setattr(files, "READER_SECONDS", 1)
    np.save(tmp_path / "a.npy", GOOD)
    begun = time.monotonic()
    said = refused(tmp_path / "a.npy")
    assert "a.npy" in said
    assert words in said
    assert time.monotonic() - begun < 15


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere readers have fewer limits")
def test_few_bytes_that_unpack_into_many_are_refused(tmp_path, monkeypatch):
    zeros = pa.chunked_array([pa.array(np.zeros(1 << 24, np.int64))] * 2)
    pq.write_table(pa.table({"b0": zeros, "b1": zeros}), tmp_path / "a.parquet", row_group_size=1 << 25)
    assert (tmp_path / "a.parquet").stat().st_size < 1 << 20
    parquet(tmp_path / "small.parquet")
    open_labels(tmp_path / "small.parquet").tiles[0].read()  # what the reader took for this one is no room for the next
    monkeypatch.setattr(files, "READER_BYTES", 1 << 27)
    with pytest.raises(InvalidEnsembleError, match=r"a.parquet, rows 1 to 262,144, takes more .* smaller row groups"):
        open_labels(tmp_path / "a.parquet").tiles[0].read()


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere readers have fewer limits")
@pytest.mark.parametrize("ending", ["parquet", "npy"])
def test_a_disk_may_be_slow_as_long_as_something_comes(ending, tmp_path, monkeypatch):
    """Tenths of a second for each 60 bytes, where three seconds are allowed for a step."""
    script, own = tmp_path / "reader.py", files._READER.read_text()
    own = own.replace("_STEP, _BYTES = 1 << 22, 1 << 20", "_STEP, _BYTES = 1 << 22, 60")
    own = own.replace("place += got\n", "place += got; time.sleep(0.5)\n")
    script.write_text(own.replace("pieces.append(piece)\n", "pieces.append(piece); time.sleep(0.2)\n"))
    assert script.read_text().count("time.sleep") == 2
    monkeypatch.setattr(files, "_READER", script)
    monkeypatch.setattr(files, "READER_SECONDS", 3)
    if ending == "npy":
        np.save(tmp_path / "a.npy", GOOD)
    else:
        parquet(tmp_path / "a.parquet")
    begun = time.monotonic()
    assert np.array_equal(open_labels(tmp_path / f"a.{ending}").tiles[0].read(), GOOD)
    assert time.monotonic() - begun > 3.5, "it was not slow"


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere readers have fewer limits")
@pytest.mark.parametrize("ending", ["parquet", "npy"])
def test_a_reader_may_be_busy_as_long_as_it_gets_on(ending, tmp_path, monkeypatch):
    """Thirty times a fifth of a second of the processor, where five seconds are allowed for a step."""
    busy = "begun = time.process_time()\n        while time.process_time() < begun + 0.2: pass"
    script, own = tmp_path / "reader.py", files._READER.read_text()
    own = own.replace("_STEP, _BYTES = 1 << 22, 1 << 20", "_STEP, _BYTES = 1, 120")
    own = own.replace("        table = opened", f"        {busy}\n        table = opened")
    script.write_text(own.replace("        place += got\n", f"        place += got\n        {busy}\n"))
    monkeypatch.setattr(files, "_READER", script)
    monkeypatch.setattr(files, "READER_SECONDS", 5)
    rows = np.tile(GOOD, (1, 10))
    if ending == "npy":
        np.save(tmp_path / "a.npy", rows)
    else:
        pq.write_table(pa.table({f"b{m}": rows[:, m] for m in range(30)}), tmp_path / "a.parquet")
    begun = time.monotonic()
    assert np.array_equal(open_labels(tmp_path / f"a.{ending}").tiles[0].read(), rows)
    assert time.monotonic() - begun > 5.5, "it was not busy"


def test_a_header_in_npy_that_promises_more_than_there_is(tmp_path):
    np.save(tmp_path / "a.npy", GOOD)
    content = (tmp_path / "a.npy").read_bytes().replace(b"(20, 3), }", b"(90, 3), }")
    (tmp_path / "a.npy").write_bytes(content)
    assert "shorter than its header says" in refused(tmp_path / "a.npy")


@pytest.mark.parametrize("kind", [">i4", "<u2", "f2", ">f8", "?", "f4"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_are_read_as_numpy_reads_them(kind, order, tmp_path):
    np.save(tmp_path / "a.npy", np.asarray(GOOD, kind, order=order))
    found = open_labels(tmp_path / "a.npy", 7).tiles[1].read()
    expected = np.load(tmp_path / "a.npy")[7:14]
    assert found.dtype == expected.dtype.newbyteorder("=")
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("ending", ["parquet", "npy"])
@pytest.mark.parametrize("stage", ["joining clusters through objects", "moving centres, round 1", "labelling"])
def test_a_file_of_the_same_shape_that_takes_its_place_is_no_part_of_an_answer(ending, stage, tmp_path):
    """Old rows and new ones together would be clusters of neither."""
    path, aside, random = tmp_path / f"a.{ending}", tmp_path / f"new.{ending}", np.random.default_rng(0)

    def write(rows):
        if ending == "npy":
            np.save(aside, rows)
        else:
            pq.write_table(pa.table({f"b{m}": rows[:, m] for m in range(rows.shape[1])}), aside)
        aside.replace(path)

    class Rewriting(Monitor):
        def tick(self, now, done, total):
            if now == stage and done == 1:
                write(np.roll(labels, 1, axis=0))
            super().tick(now, done, total)

    labels = np.where(random.random((4_000, 6)) < 0.2, random.integers(0, 4, (4_000, 6)), np.arange(4_000)[:, None] % 4)
    write(labels)
    with pytest.raises(InvalidEnsembleError, match=f"a.{ending} changed while they were read"):
        distributed_consensus(path, "lwgp", 4, tile=100, sample=500, monitor=Rewriting())


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere readers have fewer limits")
@pytest.mark.parametrize("error", [Cancelled, KeyboardInterrupt])
def test_a_reader_that_sleeps_ends_with_who_asked_it(error, tmp_path, monkeypatch):
    script = tmp_path / "reader.py"
    sleeping = '    if columns: __import__("time").sleep(60)\n    with open(path'
    script.write_text(files._READER.read_text().replace("    with open(path", sleeping))
    monkeypatch.setattr(files, "_READER", script)
    np.save(tmp_path / "a.npy", GOOD)
    begun = time.monotonic()

    class Stopping(Monitor):
        def tick(self, stage, done, total):
            if stage == "looking through the labels" and time.monotonic() > begun + 1:
                raise error

    with pytest.raises(error):
        distributed_consensus(tmp_path / "a.npy", "lwgp", 2, tile=6, monitor=Stopping())
    assert time.monotonic() - begun < 8


def test_truth_values_with_gaps_are_labels(tmp_path):
    columns = {f"b{m}": [None, *[True, False] * 5] if m == 0 else [False, *[True, False] * 5] for m in range(3)}
    pq.write_table(pa.table(columns), tmp_path / "a.parquet")
    found = open_labels(tmp_path / "a.parquet").tiles[0].read()
    assert np.isnan(found[0, 0])
    assert found[1:, 0].tolist() == [1, 0] * 5
    assert distributed_consensus(tmp_path / "a.parquet", "lwgp", 2).labels.tolist() == [0, *[1, 0] * 5]


def test_many_columns_of_a_long_row_group_are_read_a_few_at_a_time(tmp_path, monkeypatch):
    column = pa.array(np.arange(1 << 20) % 7)
    pq.write_table(pa.table({f"b{m}": column for m in range(40)}), tmp_path / "a.parquet", row_group_size=1 << 20)
    monkeypatch.setattr(files, "READER_BYTES", 200 << 20)  # all of them together are 320 MiB
    assert open_labels(tmp_path / "a.parquet", 1000).tiles[-1].read().shape == ((1 << 20) % 1000, 40)


@pytest.mark.parametrize("line", ["done", "7", '["O", [1]]', '["<i4", [7]]', '["<x9", [1]]', "[1, 2, 3]", '{"<i4": 1}'])
def test_an_answer_that_is_none_is_refused(line, tmp_path, monkeypatch):
    """A reader that a file took over may say what it likes."""

    def answer(process, *_):
        Path(process._folder.name, "found").write_bytes(bytes(8))
        return line

    monkeypatch.setattr(side_process._Process, "_answer", answer)
    np.save(tmp_path / "a.npy", GOOD)
    assert "a.npy cannot be read: its process left an answer that cannot be read" in refused(tmp_path / "a.npy")


def test_no_file_is_written_over_that_is_read(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "parts"
    folder.mkdir()
    for name in ("a.npy", "parts/1.npy", "parts/2.npy"):
        np.save(name, GOOD)
    tried = [("a.npy", "a.npy", "is a file that is read"), ("parts", "parts/2.npy", "the next time")]
    tried += [(["parts/1.npy", "parts/2.npy"], folder / "2.npy", "is a file that is read")]
    tried += [("parts/*.npy", "parts/out.npy", "the next time"), (folder, "parts/out.npy", "the next time")]
    for source, out, why in tried:
        with pytest.raises(InvalidParameterError, match=why):
            distributed_consensus(source, "lwgp", 2, out=out)
    assert all((np.load(name) == GOOD).all() for name in ("a.npy", "parts/1.npy", "parts/2.npy"))
    assert sorted(one.name for one in folder.iterdir()) == ["1.npy", "2.npy"]
    (folder / "found").mkdir()
    for source in ("parts", "parts/*.npy"):
        for out in ("out.npy", "parts/found/out.npy"):  # a folder inside is not read
            assert distributed_consensus(source, "lwgp", 2, out=out).n_objects == 40


@pytest.mark.parametrize("sample", [2, 1000])
def test_what_no_ensemble_may_be_is_refused_of_any_sample(sample):
    least, alone = np.array(GOOD, np.int64), np.array(GOOD, np.int64)
    least[3, 0] = np.iinfo(np.int64).min
    alone[1:, 0] = -1
    with pytest.raises(InvalidEnsembleError, match=r"row 4.*: labels must lie within 2\^62 of 0"):
        distributed_consensus(least, "lwgp", 2, sample=sample)
    with pytest.raises(InvalidEnsembleError, match="at least two objects|fewer than two objects"):
        distributed_consensus(alone, "lwgp", 2, sample=sample)


@pytest.mark.parametrize("method", ["lwgp", "kcc"])
def test_a_sample_tells_as_many_groups_apart_as_are_asked_for(method):
    with pytest.raises(InvalidParameterError, match="the groups that the sample, . of all rows, tells apart. Got 2"):
        distributed_consensus(np.repeat(GOOD, 3, axis=0), method, 2, sample=1)
    with pytest.raises(InvalidParameterError, match="n_clusters must be at most 3"):
        distributed_consensus(np.repeat([[0, 0], [1, 1], [2, 2]], 20, axis=0), method, 4, sample=30)


def test_a_named_index_is_no_base_clustering_and_an_empty_column_is_one(tmp_path):
    labels = np.arange(60).reshape(20, 3) % 4
    frame = pd.DataFrame(labels, columns=list("abc"), index=pd.Index(np.arange(100, 120), name="cell"))
    frame.to_parquet(tmp_path / "part-0.parquet")
    frame.assign(c=None).to_parquet(tmp_path / "part-1.parquet")
    found = open_labels(f"{tmp_path}/*.parquet")
    assert (found.n_objects, found.n_clusterings) == (40, 3)
    rows = found.tiles[0].read()
    assert (rows[:20] == labels).all()
    assert np.isnan(rows[20:, 2]).all()


def test_an_array_that_holds_fewer_rows_than_it_says_is_refused():
    labels = np.arange(72).reshape(36, 2) % 5
    fewer = dask.array.from_array(labels, chunks=(6, 2)).map_blocks(lambda one: one[:-2], dtype=labels.dtype)
    with pytest.raises(InvalidEnsembleError, match=r"the array says \(36, 2\) of its rows from 1 on, and holds"):
        distributed_consensus(fewer, "sec", 3)


def test_labels_that_floats_cannot_tell_apart_are_refused(tmp_path):
    labels = np.array([[0, 2.0**53], [1, 1.0], [0, 3.0]])
    with pytest.raises(InvalidEnsembleError, match=r"below 2\^53 where they are floats or some are missing"):
        distributed_consensus(labels, "sec", 2)
    assert distributed_consensus(np.array([[0, 1], [1, 0], [0, 1]], np.float16), "sec", 2).n_objects == 3
