"""Files of AnnData (.h5ad), read with h5py as their format is published: X or one of obsm, and columns of obs.

An HDF5 file can point at other files; one that does is refused, as in `hdf5`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from ..errors import DataError, NoColumnError, refusing
from ..limits import MAX_FEATURE_COLUMNS, check_array, check_bytes, check_parts, check_size
from ..reading.progress import Watched, noted
from ..records import Graph, Kind
from .arrays import classes_of, edges_of, real
from .hdf5 import ERRORS, check_stored, refuse_broken_heaps, refuse_elsewhere
from .tables import Reader, Table, as_numbers

if TYPE_CHECKING:
    import h5py

#: Under which name our settings stand in uns, and what names of our columns in obs begin with.
OURS = "concord"
_SPARSE = {"csr_matrix": sparse.csr_array, "csc_matrix": sparse.csc_array}
_CLASSES = ("cell_type", "celltype", "label", "labels", "class", "target")
_DEEPEST = 16
_REDUCED = "X_pca"  # what stands in for a matrix of too many columns
_DRAWN = "X_umap"


def read_h5ad(content: bytes | Path, kind: Kind, label_column: str | int | None) -> Table:
    """Return the matrix with the columns of obs behind it, or, of labels, these columns alone; then the names of obs.

    The matrix is X, or `X_pca` where X has more columns than features may have; what is elsewhere the label column
    asks for another one, such as "obsm/X_umap". Columns of obs are ignored at first, but for the class, and for base
    clusterings where those are wanted: columns of words or categories. Of a Path no more is read than these.
    """
    import h5py

    refuse_broken_heaps(content)
    here = isinstance(content, Path)
    with (
        refusing("an AnnData file (.h5ad)", *ERRORS, IndexError),
        Watched(content) as held,
        h5py.File(held, "r") as file,
    ):
        looked_at = set[int]()  # by address: one array may have thousands of names
        for item in _plain(file):
            if not isinstance(item, h5py.Dataset) or (here and not item.name.startswith("/obs/")):
                continue
            if (address := h5py.h5o.get_info(item.id).addr) not in looked_at:
                looked_at.add(address)
                check_stored(item)
        _places(file)  # what is refused where a matrix is chosen is refused where none is, too
        index, columns = _obs(file, kind)
        table = _of_labels(columns) if kind == "labels" else _of_features(file, columns, label_column)
        return _with_names(table, index)


def read_connectivities(name: str, source: str, content: bytes | Path, place: str) -> Graph:
    """Return a matrix of obsp as a graph, with X_pca as features, X_umap as coordinates, and the class of obs.

    No more is read than these: X may be of any size.
    """
    import h5py

    refuse_broken_heaps(content)
    with (
        refusing("an AnnData file (.h5ad)", *ERRORS, IndexError),
        Watched(content) as held,
        h5py.File(held, "r") as file,
    ):
        for _ in _plain(file):
            pass
        _places(file)
        index, columns = _obs(file)
        there = list(file["obsp"]) if isinstance(file.get("obsp"), h5py.Group) else []
        if place not in there:
            raise NoColumnError(f"There is no 'obsp/{place}' in the file; obsp has {', '.join(there) or 'nothing'}.")
        matrix = _sparse(file["obsp"][place], f"obsp/{place}")
        if matrix.shape != (len(index), len(index)):
            raise DataError(f"obsp/{place} has the shape {matrix.shape}, and obs {len(index):,} rows. Save it again.")
        dense, left_out = _beside(file, len(index))
        classed = _classed(Table(tuple(columns.values()), tuple(columns), proposed=("ignore",) * len(columns)))
        at = classed.proposed.index("class") if "class" in classed.proposed else None
        called, labels, untold = ((), None, ()) if at is None else classes_of(classed.columns[at], classed.names[at])
        features, drawn = dense.get(_REDUCED), dense.get(_DRAWN)
        return Graph(
            name,
            len(index),
            *edges_of(matrix),
            labels,
            source,
            (f"The graph is obsp/{place}.", *left_out, *untold),
            features,
            () if features is None else tuple(f"{_REDUCED} {j + 1}" for j in range(features.shape[1])),
            None if drawn is None else drawn[:, :2],
            index,
            called,
        )


def _beside(file: "h5py.File", n_rows: int) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
    """Return features and coordinates as far as they can be used, and notes on what cannot."""
    there = [one for one in (_REDUCED, _DRAWN) if f"obsm/{one}" in file]
    found = {one: _matrix(_stored(file["obsm"][one]), one) for one in there}
    least = {_REDUCED: 1, _DRAWN: 2}
    usable = {
        one: matrix
        for one, matrix in found.items()
        if len(matrix) == n_rows and matrix.shape[1] >= least[one] and np.isfinite(matrix).all()
    }
    return usable, tuple(
        f"obsm/{one} is left out: {'x'.join(map(str, matrix.shape))} values, not all of them finite or of these rows."
        for one, matrix in found.items()
        if one not in usable
    )


def _stored(item: Any) -> Any:
    """Return an array or the parts of a sparse one, once what it declares has been looked at."""
    for one in [item[part] for part in ("data", "indices", "indptr")] if hasattr(item, "keys") else [item]:
        check_stored(one)
    return item


def names_h5ad(content: bytes) -> list[str]:
    """Return the places of the matrices in the file: X, those of obsm and of layers, then the graphs of obsp."""
    import h5py

    refuse_broken_heaps(content)
    with refusing("an AnnData file (.h5ad)", *ERRORS), Watched(content) as held, h5py.File(held, "r") as file:
        return _places(file)


def _obs(file: "h5py.File", kind: Kind = "labels") -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Return the names of the objects, and the columns of obs."""
    if "obs" not in file or "_index" not in file["obs"].attrs:
        raise DataError("The file has no table obs, so it is no AnnData file. Check what was saved.")
    obs = file["obs"]
    index, names = obs[obs.attrs["_index"]], [name for name in _words(obs.attrs["column-order"]) if name in obs]
    n_rows = len(_values(index))
    check_size(n_rows, len(names), kind)
    return _column(index, n_rows), {name: _column(obs[name], n_rows) for name in names}


def _plain(file: "h5py.File") -> Iterator[Any]:
    """Return all there is in the file, refusing what points elsewhere."""
    for count, (name, item) in enumerate(_everything(file)):
        check_parts(count, "arrays and groups")
        refuse_elsewhere(name, item)
        yield item


def _everything(group: "h5py.Group", path: str = "") -> Iterator[tuple[str, Any]]:
    """Return every name in the file with what it is, `None` for a link to somewhere else."""
    import h5py

    if path.count("/") > _DEEPEST:
        raise DataError(f"The file has groups in groups more than {_DEEPEST} deep. Save the table alone.")
    for name in group:
        place = f"{path}{name}"
        item = group[name] if isinstance(group.get(name, getlink=True), h5py.HardLink) else None
        yield place, item
        if isinstance(item, h5py.Group):
            yield from _everything(item, f"{place}/")


def _of_labels(columns: dict[str, np.ndarray]) -> Table:
    """Return the columns of obs; those that are words are base clusterings, but for what an earlier consensus wrote."""
    votes = [column.dtype.kind == "O" and not name.startswith(f"{OURS}_") for name, column in columns.items()]
    roles = ["" if vote else "ignore" for vote in votes]
    return _classed(Table(tuple(columns.values()), tuple(columns), proposed=tuple(roles)))


def _of_features(file: "h5py.File", columns: dict[str, np.ndarray], asked: str | int | None) -> Table:
    """Return the columns of the matrix, then those of obs."""
    place = str(asked) if str(asked).startswith(("obsm/", "layers/")) else _place(file)
    if place not in file:
        raise DataError(f"There is no {place!r} in the file; it has {', '.join(_matrices(file)) or 'no matrix'}.")
    matrix = _matrix(_stored(file[place]), place)
    own = _words(file["var"][file["var"].attrs["_index"]][()]) if place == "X" or place.startswith("layers/") else []
    names = own or [f"{place.removeprefix('obsm/')} {j + 1}" for j in range(matrix.shape[1])]
    roles = ["feature"] * len(names) + ["ignore"] * len(columns)
    notes = (f"Features are {place}.",)
    return _classed(Table((*matrix.T, *columns.values()), (*names, *columns), notes=notes, proposed=tuple(roles)))


def _place(file: "h5py.File") -> str:
    """Return where the matrix is: X, or the reduced one where X is not there or too wide."""
    reduced, wide = f"obsm/{_REDUCED}", "X" in file and _shape(file["X"])[1] > MAX_FEATURE_COLUMNS
    if "X" in file and not (wide and reduced in file):
        return "X"
    return reduced if reduced in file else next(iter(_matrices(file)), "X")


def _places(file: "h5py.File") -> list[str]:
    """Return the places of all matrices: of objects, then of pairs of them."""
    return _matrices(file) + _named(file, "obsp")


def _matrices(file: "h5py.File") -> list[str]:
    """Return the places of all matrices of objects."""
    return ["X"] * ("X" in file) + _named(file, "obsm") + _named(file, "layers")


def _named(file: "h5py.File", room: str) -> list[str]:
    """Return the places of the matrices in a room; one that is an array holds no names, but as many rows."""
    import h5py

    if not isinstance(file.get(room, getlink=True), h5py.HardLink):
        return []
    if not isinstance(file[room], h5py.Group):
        raise DataError(f"{room} is an array where a group of matrices belongs: the file is damaged.")
    check_parts(len(file[room]), "arrays and groups")
    return [f"{room}/{name}" for name in file[room]]


def _classed(table: Table) -> Table:
    """Return the table with the first column that is a class by its name proposed as such; words may be numbers."""
    found = [name.casefold() for name in table.names]
    place = next((found.index(name) for name in _CLASSES if name in found), None)
    roles = ["class" if j == place else role for j, role in enumerate(table.proposed)]
    columns = tuple(as_numbers(column) if column.dtype.kind == "O" else column for column in table.columns)
    return Table(columns, table.names, notes=table.notes, proposed=tuple(roles))


def _with_names(table: Table, index: np.ndarray) -> Table:
    """Return the table with the names of obs as its last column, the identifiers."""
    if len(table.names) != len(table.columns) or any(len(column) != len(index) for column in table.columns):
        raise DataError("The matrix has other rows or columns than obs and var have names. Save the file again.")
    roles = (*table.proposed, "identifier")
    return Table((*table.columns, index), (*table.names, "obs_names"), notes=table.notes, proposed=roles)


def _shape(item: Any) -> tuple[int, ...]:
    return tuple(int(n) for n in (item.attrs["shape"] if "shape" in item.attrs else item.shape))


def _matrix(item: Any, name: str) -> np.ndarray:
    """Return a dense or sparse matrix as a dense one, its declared shape checked first."""
    shape, encoding = _shape(item), item.attrs.get("encoding-type", "array")
    check_array(shape, 8, name, "features")
    if encoding not in ("array", *_SPARSE):
        raise DataError(f"{name!r} is stored as {encoding}, which is not read here. Save it as a plain array.")
    if encoding == "array":
        return real(np.asarray(item[()])).reshape(len(item), -1)
    return _sparse(item, name).toarray()


def _sparse(item: Any, name: str) -> sparse.sparray:
    """Return a sparse matrix as it is stored, its parts checked first."""
    encoding = item.attrs.get("encoding-type", "array")
    if encoding not in _SPARSE:
        raise DataError(f"{name!r} is stored as {encoding}, not as a sparse matrix.")
    check_bytes(sum(item[part].size * item[part].dtype.itemsize for part in ("data", "indices", "indptr")))
    parts = tuple(real(_stored(item)[part][()]) for part in ("data", "indices", "indptr"))
    matrix = _SPARSE[encoding](parts, shape=_shape(item))
    matrix.check_format(full_check=True)  # a damaged file may point beyond its own rows
    return matrix


def _column(item: Any, n_rows: int) -> np.ndarray:
    """Return one column of obs: numbers, or words with None where one is missing; categories are words."""
    encoding, stored = item.attrs.get("encoding-type", "array"), _values(item)
    if stored.shape != (n_rows,):
        raise DataError(f"obs has {n_rows:,} rows, and a column of it the shape {stored.shape}. Save the file again.")
    values = stored[()]
    if encoding == "categorical":
        words = np.array([*_words(item["categories"][()]), None], dtype=object)
        codes = values.astype(np.int64)
        if not -1 <= codes.min(initial=-1) <= codes.max(initial=-1) < len(words) - 1:
            raise DataError("A column of obs has codes beyond its categories: the file is damaged. Save it again.")
        return words[codes]
    if encoding.startswith("nullable"):
        mask = item["mask"][()].reshape(n_rows)
        return np.where(mask, np.nan, values.astype(np.float64)) if values.dtype.kind in "biuf" else values
    return np.array(_words(values), dtype=object) if values.dtype.kind in "OSU" else real(values)


def _values(item: Any) -> Any:
    """Return what holds one value a row of a column of obs, not yet read."""
    encoding = item.attrs.get("encoding-type", "array")
    return item["codes"] if encoding == "categorical" else item["values"] if encoding.startswith("nullable") else item


def _words(values: Any) -> list[str]:
    cells = noted(np.asarray(values).ravel())
    return [value.decode("utf-8") if isinstance(value, bytes) else str(value) for value in cells]


READERS = (Reader("H5AD", (".h5ad",), read_h5ad, names=names_h5ad, choice=True, in_place=True, place=41),)
