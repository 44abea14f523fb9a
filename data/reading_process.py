"""The process that reads one file somebody brought: `python -m data.reading_process`, started by the app.

It takes one line of JSON (where the file is, what it is to be read as, how much memory and time it may take), leaves
the table in the same folder, answers with one line of JSON, and ends. Whatever a file does to its reader, it does not
do to the app: the process has limits of its own (`data.reading_limits`), and can be killed. Numbers of the table are
NPY files, which can be mapped into memory, the rest is JSON: nothing is pickled.
"""

import json
import os
import shutil
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from . import DataError
from .annotated import annotate
from .folder import HERE
from .graph_files import read_graph, save_graph
from .readers.tables import Table
from .reading_limits import limit
from .uploads import open_table

_META = "table.json"


def save_table(table: Table, folder: Path) -> None:
    """Write a table into a folder that exists and has none yet."""
    kinds: dict[str, list[int]] = {}
    for place, column in enumerate(table.columns):
        kinds.setdefault(column.dtype.str if column.dtype.kind != "O" else "words", []).append(place)
    words = [_save_columns(table, places, folder / f"{k}.npy") for k, places in enumerate(kinds.values())]
    for name in ("row_numbers", "truth"):
        if (array := getattr(table, name)) is not None:
            np.save(folder / f"{name}.npy", array, allow_pickle=False)
    meta = {name: getattr(table, name) for name in ("names", "notes", "proposed", "numbers")}
    stored = {"kinds": list(kinds.values()), "words": words, **meta}
    (folder / _META).write_text(json.dumps(stored), encoding="utf-8")


def load_table(folder: Path) -> Table:
    """Return the table in a folder; its columns are read-only views of mapped files, and those of words new arrays.

    Its files may be deleted afterwards where the system allows that of mapped ones.
    """
    stored = json.loads((folder / _META).read_text(encoding="utf-8"))
    columns: dict[int, np.ndarray] = {}
    for k, (places, words) in enumerate(zip(stored.pop("kinds"), stored.pop("words"), strict=True)):
        block = np.load(folder / f"{k}.npy", mmap_mode="r", allow_pickle=False)
        known = None if words is None else np.array([*words, None], dtype=object)
        for row, place in zip(block, places, strict=True):
            columns[place] = row if known is None else known[row]
    arrays = {
        name: np.load(path, allow_pickle=False)
        for name in ("row_numbers", "truth")
        if (path := folder / f"{name}.npy").exists()
    }
    lists: dict = {name: tuple(value) for name, value in stored.items()}
    return Table(tuple(columns[place] for place in sorted(columns)), **lists, **arrays)


def _save_columns(table: Table, places: list[int], path: Path) -> list[str] | None:
    """Write columns of one type as the rows of one file; words as codes, -1 where empty, with the list of words."""
    first = table.columns[places[0]]
    coded = first.dtype.kind == "O"
    shape = (len(places), len(first))
    block = np.lib.format.open_memmap(path, "w+", np.int32 if coded else first.dtype, shape)
    known: dict[str, int] = {}
    for row, place in enumerate(places):
        cells = table.columns[place]
        block[row] = (
            [-1 if cell is None else known.setdefault(str(cell), len(known)) for cell in cells] if coded else cells
        )
    block.flush()
    return list(known) if coded else None


#: The name of the file in its folder, without its ending.
CONTENT = "content"


def main() -> None:
    """Wait for a request, and answer it."""
    answer = _private_stdout()
    _import_readers()
    line = sys.stdin.readline()
    if line:
        request = json.loads(line)
        threading.Thread(target=_end_with_parent, args=(request["folder"],), daemon=True).start()
        os.write(answer, (json.dumps(read(**request)) + "\n").encode())


#: What is asked for instead of a kind where only the names of the arrays are wanted, and whether it is a long file.
NAMES = "names"
#: What is asked for where the file is to be read as a graph, which `data.graph_files.load_graph` then takes up.
GRAPH = "graph"

#: What is asked for where results are to be written into the file (`data.annotate`): the folder has them, too.
ANNOTATED = "annotated"
_COLUMNS, _BESIDE = "columns.npz", "beside.json"


def save_columns(columns: Mapping[str, np.ndarray], settings: Mapping[str, Any], names: Any, folder: Path) -> None:
    """Leave what is to be written into a file beside it."""
    np.savez(folder / _COLUMNS, allow_pickle=False, **columns)
    beside = {"settings": settings, "names": None if names is None else [str(name) for name in names]}
    (folder / _BESIDE).write_text(json.dumps(beside, default=np.ndarray.tolist), encoding="utf-8")


def _annotate(folder: Path) -> None:
    with np.load(folder / _COLUMNS, allow_pickle=False) as columns:
        annotate(folder / CONTENT, dict(columns), **json.loads((folder / _BESIDE).read_text(encoding="utf-8")))


def read(folder: str, filename: str, kind: str, matrix: str | None, n_bytes: int, seconds: int) -> dict[str, Any]:
    """Read the file in a folder under limits, and leave its table there; or say which arrays it has."""
    place = Path(folder)
    lacking = limit(place, n_bytes, seconds)
    return _answer(place, filename, kind, matrix) | {"lacking": lacking}


def _answer(place: Path, filename: str, kind: str, matrix: str | None) -> dict[str, Any]:
    """What the file comes to, or in words why it cannot be read."""
    try:
        content = (place / CONTENT).read_bytes()
        if kind == NAMES:
            names, long = HERE.look(filename, content)
            return {"names": names, "long": long}
        if kind == GRAPH:
            save_graph(read_graph(filename, content, matrix), place)
            return {}
        if kind == ANNOTATED:
            _annotate(place)
            return {}
        save_table(open_table(filename, content, kind, matrix), place)  # type: ignore[arg-type]
    except DataError as error:
        return {"error": str(error)}
    except MemoryError:
        return {"error": "Reading the file takes more memory than there is. Bring a smaller part."}
    return {}


def _private_stdout() -> int:
    """A descriptor for the answer alone: what libraries print goes nowhere."""
    answer = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    return answer


def _end_with_parent(folder: str) -> None:
    """End once nobody holds the other end of the pipe, folder and all: the app was killed, and nobody waits."""
    sys.stdin.read()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)


def _import_readers() -> None:
    """Import what takes a second before there is anything to do."""
    for name in ("pyarrow.parquet", "h5py", "igraph"):
        try:
            __import__(name)
        except ImportError:  # said in words once a file needs it
            continue


if __name__ == "__main__":
    main()
