"""Files nobody should have written: read in words or refused in words, by the library and by the reader's process."""

import io
import json
import math
import subprocess
import sys
from functools import partial
from itertools import islice
from pathlib import Path

import h5py
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.io import savemat
from scipy.sparse import csc_array, csr_array

from data.uploads import open_table
from ui.compute.reading import arrays_in, read_file, read_graph_file

from .bad_files import MAKERS, WORDS, bad_file
from .shared import VOLUME, Tally, drawn

ROOT = Path(__file__).parents[2]
_A_PART = 400


@pytest.mark.parametrize("part", range(math.ceil(VOLUME)))
def test_the_library_reads_or_refuses_every_file(tally, part):
    """Many files a process, and another process once one ends it."""
    start, stop = part * _A_PART, (part + 1) * _A_PART
    while start < stop:
        start = _some_read(start, stop, tally)
    tally.settle()


def _some_read(start: int, stop: int, tally: Tally) -> int:
    """Read cases elsewhere; the first that is left."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.attack.bad_files", str(start), str(stop)]
    done = subprocess.run(command, cwd=ROOT, text=True, capture_output=True, check=False)
    last = {"case": start, "name": "none"}
    for line in map(json.loads, done.stdout.splitlines()):
        last = line if "case" in line else last
        tally.counts.update(line.get("counts", {}))
        for kind, cases in line.get("fallen", {}).items():
            tally.fallen.setdefault(kind, []).extend(f"case {last['case']}: {one}" for one in cases)
    if done.returncode:
        tally.fell(f"the process ended: {done.returncode} {done.stderr[-300:]}", f"case {last['case']}: {last['name']}")
    return last["case"] + 1


def _parquet(values: np.ndarray, names: list[str], draw: np.random.Generator) -> bytes:
    columns = [pa.array(column if draw.random() < 0.8 else column.astype(float)) for column in values.T]
    held = io.BytesIO()
    pq.write_table(pa.Table.from_arrays(columns, names), held, row_group_size=int(draw.integers(1, 9)))
    return held.getvalue()


def _text(values: np.ndarray, names: list[str], draw: np.random.Generator) -> bytes:
    mark, ends = str(draw.choice([",", ";", "\t"])), str(draw.choice(["\n", "\r\n", "\r"]))
    rows = [[f'"{name}"' for name in names], *values.tolist()]
    text = ends.join(mark.join(map(str, row)) for row in rows)
    return text.encode(str(draw.choice(["utf-8", "utf-8-sig", "utf-16"])))


def _array(values: np.ndarray, names: list[str], draw: np.random.Generator) -> bytes:
    held, kind = io.BytesIO(), str(draw.choice(["i1", ">i4", "u8", "f4", ">f8", "f2"]))
    np.save(held, np.asarray(values.astype(kind), order=str(draw.choice(["C", "F"]))))
    return held.getvalue()


def _arrays(values: np.ndarray, names: list[str], draw: np.random.Generator) -> bytes:
    held = io.BytesIO()
    (np.savez if draw.random() < 0.5 else np.savez_compressed)(held, fea=np.asfortranarray(values), other=np.zeros(3))
    return held.getvalue()


def _matlab(values: np.ndarray, names: list[str], draw: np.random.Generator) -> bytes:
    held = io.BytesIO()
    savemat(held, {"fea": values.astype(str(draw.choice(["i1", "f8", "u2"])))}, do_compression=bool(draw.integers(2)))
    return held.getvalue()


def _cells(values: np.ndarray, names: list[str], draw: np.random.Generator) -> bytes:
    held, words = io.BytesIO(), h5py.string_dtype()
    form = ("array", "csr_matrix", "csc_matrix")[int(draw.integers(3))]
    with h5py.File(held, "w") as file:
        if form == "array":
            file["X"] = values.astype("f4")
        else:
            stored, group = {"csr_matrix": csr_array, "csc_matrix": csc_array}[form](values), file.create_group("X")
            group.attrs["encoding-type"], group.attrs["shape"] = form, values.shape
            for part in ("data", "indices", "indptr"):
                group[part] = getattr(stored, part)
        for room, called in (("obs", [f"o{i}" for i in range(len(values))]), ("var", names)):
            group = file.create_group(room)
            group.attrs["_index"] = "_index"
            group.attrs.create("column-order", np.array([], object), dtype=words)
            group.create_dataset("_index", data=called, dtype=words)
    return held.getvalue()


@pytest.mark.parametrize(
    ("ending", "write"),
    [
        (".csv", _text),
        (".npy", _array),
        (".npz", _arrays),
        (".mat", _matlab),
        (".parquet", _parquet),
        (".h5ad", _cells),
    ],
)
def test_what_was_written_is_read(tally, ending, write):
    """The same values in the same places under the same names, however odd these are, also twice."""
    plain = [word for word in WORDS if word.isprintable() and '"' not in word and "\\" not in word]

    def differ(values: np.ndarray, names: list[str], content: bytes) -> str | None:
        table = open_table(f"a{ending}", content, "features")
        if table.names and list(table.names[: len(names)]) != names:
            return f"other names: {table.names}"
        read = np.column_stack([column.astype(float) for column in table.columns[: len(names)]])
        return None if np.array_equal(read, values) else "other values"

    for case, draw in drawn(25):
        values = draw.integers(0, 90, (int(draw.integers(3, 20)), int(draw.integers(2, 7))))
        names = [f"n{plain[int(draw.integers(len(plain)))]}".strip()[: int(draw.integers(2, 40))] for _ in values.T]
        content = write(values, names, draw)
        tally.attempt(f"{case} {names}"[:200], partial(differ, values, names, content))
    tally.settle()
    assert not tally.counts["refused"]


@pytest.mark.long
@pytest.mark.parametrize("ending", MAKERS)
def test_the_readers_process_reads_or_refuses(tally, ending):
    """As the pages do it, a process a file."""
    files = (one for case in range(10**6) if (one := bad_file(10**6 + case))[0].endswith(ending))
    for (case, _), (name, content) in zip(drawn(1), islice(files, 10**4), strict=False):
        for act in (arrays_in, partial(read_file, kind="features", matrix=None), partial(read_graph_file, place=None)):
            tally.attempt(f"{case} {name} {act}", lambda act=act, n=name, c=content: act(n, c) and None)
    tally.settle()
