"""What a reader hands over, in the folder it may write in: tables, graphs, and results to be written into a file.

Numbers are NPY files, which can be mapped into memory, the rest is JSON: nothing is pickled.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ..readers.tables import Table
from ..records import Graph
from .progress import goes_on

#: The name of a file that came as bytes, in its folder.
CONTENT = "content"
_TABLE, _GRAPH, _BESIDE, _NAMES = "table.json", "graph.json", "beside.json", "names.json"
#: What a table says of its rows.
_BESIDE_COLUMNS = ("row_numbers", "truth", "places")
_TUPLES = ("notes", "class_names", "feature_names")
_ARRAYS = ("sources", "targets", "weights", "labels", "features", "coordinates")


def save_table(table: Table, folder: Path) -> None:
    """Write a table into a folder that exists and has none yet."""
    kinds: dict[tuple[str, int], list[int]] = {}
    for place, column in enumerate(table.columns):
        kind = column.dtype.str if column.dtype.kind != "O" else "words"
        kinds.setdefault((kind, len(column)), []).append(place)
    words = [_save_columns(table, places, folder / f"{k}.npy") for k, places in enumerate(kinds.values())]
    for name in _BESIDE_COLUMNS:
        if (array := getattr(table, name)) is not None:
            np.save(folder / f"{name}.npy", array, allow_pickle=False)
    meta = {name: getattr(table, name) for name in ("names", "notes", "proposed", "numbers")}
    stored = {"kinds": list(kinds.values()), "words": words, **meta}
    (folder / _TABLE).write_text(json.dumps(stored), encoding="utf-8")


def load_table(folder: Path) -> Table:
    """Return the table in a folder; its columns are read-only views of mapped files, and those of words new arrays.

    Its files may be deleted afterwards where the system allows that of mapped ones.
    """
    stored = json.loads((folder / _TABLE).read_text(encoding="utf-8"))
    columns: dict[int, np.ndarray] = {}
    for k, (places, words) in enumerate(zip(stored.pop("kinds"), stored.pop("words"), strict=True)):
        block = np.load(folder / f"{k}.npy", mmap_mode="r", allow_pickle=False)
        known = None if words is None else np.array([*words, None], dtype=object)
        for row, place in zip(block, places, strict=True):
            columns[place] = np.asarray(row) if known is None else known[row]
    arrays = {
        name: np.load(path, allow_pickle=False) for name in _BESIDE_COLUMNS if (path := folder / f"{name}.npy").exists()
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
        goes_on()
        cells = table.columns[place]
        block[row] = (
            [-1 if cell is None else known.setdefault(str(cell), len(known)) for cell in cells] if coded else cells
        )
    block.flush()
    return list(known) if coded else None


def save_graph(graph: Graph, folder: Path) -> None:
    """Write a graph into a folder that exists and has none yet; nothing is pickled."""
    there = [name for name in _ARRAYS if getattr(graph, name) is not None]
    for name in there:
        np.save(folder / f"{name}.npy", getattr(graph, name), allow_pickle=False)
    said = {name: getattr(graph, name) for name in ("name", "n_objects", "source", *_TUPLES)}
    names = None if graph.identifiers is None else graph.identifiers.tolist()
    stored = {"arrays": there, "identifiers": names, **said}
    (folder / _GRAPH).write_text(json.dumps(stored), encoding="utf-8")


def load_graph(folder: Path) -> Graph:
    """Return the graph in a folder."""
    stored = json.loads((folder / _GRAPH).read_text(encoding="utf-8"))
    arrays = {name: np.load(folder / f"{name}.npy", allow_pickle=False) for name in stored.pop("arrays")}
    tuples = {name: tuple(stored[name]) for name in _TUPLES}
    fields: dict[str, Any] = {"labels": None, **stored, **arrays, **tuples}
    return Graph(**fields)


def save_arrays(arrays: Mapping[str, np.ndarray], folder: Path) -> None:
    """Write arrays of any names into a folder that exists and has none yet."""
    (folder / _NAMES).write_text(json.dumps(list(arrays)), encoding="utf-8")
    for k, array in enumerate(arrays.values()):
        np.save(folder / f"{k}.npy", array, allow_pickle=False)


def load_arrays(folder: Path) -> dict[str, np.ndarray]:
    """Return the arrays in a folder by name."""
    names = json.loads((folder / _NAMES).read_text(encoding="utf-8"))
    return {name: np.load(folder / f"{k}.npy", allow_pickle=False) for k, name in enumerate(names)}


def save_results(
    columns: Mapping[str, np.ndarray],
    settings: Mapping[str, Any],
    names: Sequence[str] | np.ndarray | None,
    folder: Path,
) -> None:
    """Leave in a folder what `data.annotate` is to write into a file."""
    save_table(Table(tuple(map(np.asarray, columns.values())), tuple(columns)), folder)
    places = names is not None and np.asarray(names).dtype.kind in "iu"
    listed = None if names is None else [int(one) if places else str(one) for one in names]
    beside = {"settings": settings, "names": listed}
    (folder / _BESIDE).write_text(json.dumps(beside, default=lambda one: one.tolist()), encoding="utf-8")


def load_results(folder: Path) -> dict[str, Any]:
    """Return them, as `data.annotate` names them."""
    table = load_table(folder)
    return {"columns": dict(zip(table.names, table.columns, strict=True))} | json.loads(
        (folder / _BESIDE).read_text(encoding="utf-8")
    )
