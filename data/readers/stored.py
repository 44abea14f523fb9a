"""A Table in a folder: numbers as NPY files, which can be mapped into memory, the rest as JSON; never pickled."""

import json
from pathlib import Path

import numpy as np

from .tables import Table

_META = "table.json"


def save_table(table: Table, folder: Path) -> None:
    """Write a table into a folder.

    Parameters
    ----------
    table : Table
        As a reader returned it.
    folder : Path
        It exists, and has no table yet.
    """
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

    Parameters
    ----------
    folder : Path
        As `save_table` left it. Its files may be deleted afterwards where the system allows that of mapped ones.

    Returns
    -------
    Table
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
