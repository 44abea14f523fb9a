"""Stores and study files that were damaged: what is missing is said, and never silently fewer records."""

import io
import os
import shutil
import sqlite3
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from engine import Ensemble, TooLargeError
from engine.ensemble.saving import load_ensemble, save_ensemble
from engine.studies.__main__ import salvage
from engine.studies.files import read_study, write_study
from engine.studies.records import Record
from engine.studies.store import Store, StoreError, companions, opened
from engine.studies.study import InvalidStudyError

from .shared import Tally, drawn

_WORDS = (
    *"nan -1 1e999 [ {} true 1979-05-27 0x10 99999999999999999999 # a.b.c=2 [[a]] [grid.lwea] é=1".split(),
    *("", '"x"', "'''", '"\\ud800"', "\x00", '"""', "theta = [nan]", "k = 'true'", "\ufeff"),
)


def _records(number: int, draw: np.random.Generator) -> list[Record]:
    """Records with odd words and numbers in them."""
    odd = ("iris", "é\u202e", "=1+1", "a\nb", "'; DROP TABLE records; --", "x" * 3000)
    return [
        Record(
            key=f"{draw.integers(2**63):016x}{i:016x}",
            dataset=odd[i % 6],
            method=odd[i % 5],
            params="{}",
            n_clusterings=int(draw.integers(2**31)),
            repeat=i,
            seed=2**40 + i,
            k=None if i % 3 else i,
            scores={"ari": float(draw.normal()), "later": 1e-320},
            seconds=float(draw.random()),
            error=odd[-i % 6],
        )
        for i in range(number)
    ]


@pytest.fixture
def store(tmp_path) -> tuple[Path, dict[str, Record]]:
    """A store on disk, and what was written to it."""
    records = _records(60, np.random.default_rng(1))
    with closing(Store(tmp_path / "records.sqlite")) as made:
        made.add(records)
    return tmp_path / "records.sqlite", {one.key: one for one in records}


def _bits(held: bytearray, draw: np.random.Generator) -> None:
    for _ in range(int(draw.integers(1, 4))):
        held[int(draw.integers(len(held)))] ^= 1 << int(draw.integers(8))


def _head(held: bytearray, draw: np.random.Generator) -> None:
    held[int(draw.integers(120))] = int(draw.integers(256))


def _page(held: bytearray, draw: np.random.Generator) -> None:
    at = 4096 * int(draw.integers(len(held) // 4096))
    held[at : at + int(draw.integers(8, 4097))] = b""[:0].ljust(8, b"\0")


def _cut(held: bytearray, draw: np.random.Generator) -> None:
    del held[int(draw.integers(1, len(held))) :]


def _swapped(held: bytearray, draw: np.random.Generator) -> None:
    a, b = (4096 * int(draw.integers(len(held) // 4096)) for _ in range(2))
    held[a : a + 4096], held[b : b + 4096] = held[b : b + 4096], held[a : a + 4096]


def _doubled(held: bytearray, draw: np.random.Generator) -> None:
    at = 4096 * int(draw.integers(len(held) // 4096))
    held += held[at : at + 4096]


DAMAGES: tuple[Callable[[bytearray, np.random.Generator], None], ...] = (_bits, _head, _page, _cut, _swapped, _doubled)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda one: one.__name__)
def test_a_damaged_store_gives_all_its_records_or_says_so(tally: Tally, store, tmp_path, damage):
    path, records = store
    whole = path.read_bytes()
    for case, draw in drawn(20):
        held = bytearray(whole)
        damage(held, draw)
        copy = tmp_path / "copy.sqlite"
        for file in (copy, *companions(copy)):
            file.unlink(missing_ok=True)
        copy.write_bytes(held)
        tally.attempt(f"{case} read", partial(_lost, copy, records))
        copy.write_bytes(held)
        tally.attempt(f"{case} salvaged", partial(_salvaged, copy, tmp_path / "new.sqlite", records))
    tally.settle()


def _lost(path: Path, records: dict[str, Record]) -> str | None:
    """What a store tells that is not what was written: all, each by its key, how many, and a copy."""
    with opened(path) as there:
        every = {one.key: one for one in there.all()}
        if every != records:
            return f"{len(every)} of {len(records)} records, without a word"
        if there.find(records) != records or len(there) != len(records):
            return "records found by their keys are others"
    return None


def _salvaged(path: Path, goal: Path, records: dict[str, Record]) -> str | None:
    """What is saved is what was written, and what is not saved is counted."""
    goal.unlink(missing_ok=True)
    said = salvage(path, goal)
    with closing(Store(goal)) as saved:
        kept = {one.key: one for one in saved.all()}
    if len(kept) != said.kept:
        return "another number of records saved than said"
    if any(records.get(key) != one for key, one in kept.items()):
        return "a record was saved that was never written"
    silent = len(kept) < len(records) and not (said.damaged or said.out_of_reach)
    return "fewer records saved, without a word" if silent and said.written in (None, len(kept)) else None


def test_odd_places_of_a_store_are_said_or_work(tally: Tally, store, tmp_path):
    path, records = store
    folder = tmp_path / "odd"
    folder.mkdir()
    (folder / "link.sqlite").symlink_to(path)
    (folder / "loop.sqlite").symlink_to("loop.sqlite")
    (folder / "gone.sqlite").symlink_to("nowhere.sqlite")
    os.mkfifo(folder / "pipe.sqlite")
    (folder / "empty.sqlite").touch()
    (folder / "text.sqlite").write_text("key,record\n" * 500)
    with closing(sqlite3.connect(folder / "other.sqlite")) as other:
        other.execute("CREATE TABLE records (key TEXT)")
        other.commit()
    tally.attempt("link", lambda: _lost(folder / "link.sqlite", records))
    for name in ("loop", "gone", "text", "other"):
        tally.attempt(name, lambda name=name: _lost(folder / f"{name}.sqlite", {}) or "taken")
    for place in (
        "/dev/null",
        "/dev/full",
        "/dev/zero",
        "/proc/self/mem",
        str(folder),
        "",
        "\x00",
        "a" * 300,
        "/nowhere/a",
    ):
        tally.attempt(place[:20], lambda place=place: _lost(Path(place), records))
    tally.settle()


@pytest.mark.parametrize("journal", ["wal", "delete"])
def test_what_lies_beside_a_store_may_be_missing_or_of_another(tally: Tally, store, tmp_path, journal):
    """Logs that another program left, cut, emptied, or of another store: what was committed is there, or it is said."""
    path, records = store
    for case, draw in drawn(10):
        copy = tmp_path / "beside.sqlite"
        for file in (copy, *companions(copy)):
            file.unlink(missing_ok=True)
        shutil.copyfile(path, copy)
        if journal == "wal":
            with closing(sqlite3.connect(copy)) as changed:
                changed.execute("PRAGMA journal_mode = WAL")
                changed.execute("UPDATE tally SET n = n")
                changed.commit()
                kept = {file: file.read_bytes() for file in (copy, *companions(copy)) if file.exists()}
            for file, content in kept.items():
                file.write_bytes(content)
        log = companions(copy)[1 if journal == "wal" else 0]
        content = bytearray(log.read_bytes() if log.exists() else draw.bytes(2000))
        match int(draw.integers(4)):
            case 0:
                log.unlink(missing_ok=True)
            case 1:
                log.write_bytes(content[: int(draw.integers(len(content) + 1))])
            case 2:
                _bits(content, draw) if content else None
                log.write_bytes(content)
            case 3:
                log.write_bytes(draw.bytes(600))
        tally.attempt(f"{case}", lambda copy=copy: _lost(copy, records))
    tally.settle()


def test_rows_that_another_program_takes_out_are_missed(tally: Tally, store):
    path, records = store
    gone = next(iter(records))
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TRIGGER count_DELETE")
        other.execute("DELETE FROM records WHERE key = ?", [gone])
        other.commit()
    tally.attempt("taken out", lambda: _lost(path, records) or "all of them there")
    assert tally.counts["refused"] == 1
    tally.settle()


_STUDY = """name = "one"
datasets = ["wine", "iris"]
methods = ["lwea", "lwgp"]
n_clusterings = [5, 10]
repeats = 3
k = "true"
seed = 1
generator = "kmeans"
[files."a.csv"]
kind = "features"
[grid.lwea]
theta = [0.2, 0.4]
""".replace('"wine", "iris"', '"wine", "iris", "a.csv"')


def test_study_files_are_read_or_refused(tally: Tally):
    for case, draw in drawn(400):
        lines = _STUDY.splitlines()
        for _ in range(int(draw.integers(1, 4))):
            _changed(lines, draw)
        tally.attempt(f"{case} {lines}"[:300], lambda lines=lines: _study_fault("\n".join(lines)))
    tally.settle()
    assert tally.counts["answered"]


def _changed(lines: list[str], draw: np.random.Generator) -> None:
    """One change of a study: a value, a line, or letters somewhere."""
    at, word = int(draw.integers(len(lines))), _WORDS[int(draw.integers(len(_WORDS)))]
    line = lines[at]
    match int(draw.integers(6)):
        case 0 if "=" in line:
            lines[at] = f"{line.partition('=')[0]}= {word}"
        case 1 if "=" in line:
            lines[at] = f"{word} = {line.partition('=')[2]}"
        case 2 if len(lines) > 1:
            del lines[at]
        case 3:
            lines.insert(at, word)
        case 4:
            lines[at] = line.replace("[", "[" * int(draw.integers(1, 40))).replace(
                "5", "5" * int(draw.integers(1, 400))
            )
        case _:
            place = int(draw.integers(len(line) + 1))
            lines[at] = line[:place] + word + line[place + int(draw.integers(3)) :]


def _study_fault(text: str) -> str | None:
    """A study that is taken is written as a text that is the same study."""
    study = read_study(text)
    try:
        written = write_study(study)
    except UnicodeEncodeError:
        return "taken, and cannot be written"
    again = read_study(written)
    return None if again == study or write_study(again) == written else "another study once it is written"


def test_saved_ensembles_are_read_or_refused(tally: Tally, tmp_path):
    made = Ensemble.from_labels(np.random.default_rng(0).integers(0, 3, (20, 4)))
    save_ensemble(made, tmp_path / "made.npz")
    whole = (tmp_path / "made.npz").read_bytes()
    for case, draw in drawn(60):
        held = bytearray(whole)
        DAMAGES[(0, 1, 3)[case % 3]](held, draw)
        copy = tmp_path / "copy.npz"
        copy.write_bytes(held)

        def differ(copy=copy) -> str | None:
            return (
                None if np.array_equal(load_ensemble(copy).labels, made.labels) else "another ensemble, without a word"
            )

        tally.attempt(f"{case}", differ)
    tally.settle()


def test_saved_ensembles_that_declare_what_they_do_not_hold_are_refused(tally: Tally):
    """Entries whose headers lie, in archives that are whole: byte damage falls over their checksums before."""
    saved = io.BytesIO()
    save_ensemble(Ensemble.from_labels(np.random.default_rng(0).integers(0, 3, (20, 4))), saved)
    with zipfile.ZipFile(saved) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    for case, draw in drawn(60):
        name = sorted(entries)[case % len(entries)]
        shape = tuple(int(10 ** draw.uniform(0, 13)) for _ in range(int(draw.integers(1, 4))))
        lying = io.BytesIO()
        header = {"descr": str(draw.choice(["<i8", "<f4", "|b1", "<U99"])), "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(lying, header)
        lying.write(draw.bytes(int(draw.integers(0, 500))))

        tally.attempt(f"{case}", partial(_lying_fault, entries | {name: lying.getvalue()}, name))
    tally.settle()


def _lying_fault(entries: dict[str, bytes], name: str) -> str | None:
    """A file of which the entry `name` was changed is refused, unless it holds words alone."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for one, content in entries.items():
            archive.writestr(one, content)
    packed.seek(0)
    load_ensemble(packed)
    return None if name in ("provenance.npy", "format.npy") else "read"


def test_a_small_file_of_a_large_ensemble_is_refused_before_it_is_unpacked(monkeypatch):
    saved = io.BytesIO()
    save_ensemble(Ensemble.from_labels(np.zeros((1_000_000, 2), dtype=np.int8)), saved)
    assert len(saved.getvalue()) < 100_000
    monkeypatch.setenv("CONCORD_MEMORY_LIMIT", "1M")
    saved.seek(0)
    with pytest.raises(TooLargeError, match="the ensemble in the file"):
        load_ensemble(saved)


def test_refusals_say_which_file(store):
    path, _ = store
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(StoreError, match="records.sqlite"), opened(path) as there:
        there.all()
    with pytest.raises(InvalidStudyError, match="TOML"):
        read_study("\x00")
    with suppress(FileNotFoundError):
        path.unlink()
