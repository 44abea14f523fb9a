"""Graphs in files: lists of edges, sparse matrices, GraphML, and what AnnData keeps between cells."""

import io
import re
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from .errors import DataError, counted, files_of, refusing, shortened
from .limits import MAX_LABEL_ROWS, check_bytes, check_content
from .readers import known_readers, read_table
from .readers.anndata import read_connectivities
from .readers.arrays import classes_of, edges_of
from .readers.numpy_files import sparse_npz
from .readers.tables import Table, as_numbers
from .reading.elsewhere import ELSEWHERE
from .reading.progress import goes_on, noted
from .records import Graph
from .roles import NAMELESS

if TYPE_CHECKING:
    from .reading.opening import Reading

#: Names of the columns of an edge list, in lower case; else the first two are the ends, and a third is the weight.
_ENDS = (("source", "from", "src", "node1", "a"), ("target", "to", "dst", "node2", "b"))
_WEIGHTS = ("weight", "weights", "w", "value")
#: Attributes of nodes in GraphML that name them, and that are classes.
_NAMES, _CLASSES = ("name", "label", "id"), ("class", "community", "group", "club")
_LONGEST_LINE = 1000
#: A table of as many rows as columns is a matrix from so many on.
_SQUARE = 4
#: What igraph says around a fault: the line of its own source, and the kind of error.
_WHERE_IN_IGRAPH = re.compile(r"^Error at \S+: |\.? -- [^-]*$")


def read_graph(filename: str, content: bytes | Path, place: str | None = None, reading: "Reading" = ELSEWHERE) -> Graph:
    r"""Read a graph somebody brought.

    By the ending of `filename`: CSV, TSV, TXT, DATA and Parquet are lists of edges, one a row, two ends and perhaps a
    weight, by the names of columns (source, target, weight) or in this order, or square matrices of weights; MTX and
    NPZ are sparse ones (scipy's `save_npz`); GraphML goes through igraph; H5AD gives obsp/connectivities, with X_pca
    as features and X_umap as coordinates where they are there.

    Parameters
    ----------
    filename : str
        Name with its ending; any folders in it are ignored.
    content : bytes or Path
        The whole file; an H5AD file may also be opened where it is, so that no more of it is read than is asked for.
    place : str, optional
        The matrix of obsp of an H5AD file, "connectivities" (the default) or "obsp/connectivities".
    reading : Reading, optional
        Who opens the file: by default a process of its own with limits of memory and time, `data.HERE` this one.

    Returns
    -------
    Graph
        Edges as in the file: loops, edges given twice and weights below 0 are still there (`engine.Graph.of_edges` has
        the rules).

    Raises
    ------
    DataError
        If the file cannot be used; the message says what is wrong, where, and what to do.

    Examples
    --------
    >>> roads = read_graph("roads.csv", b"from,to,weight\nA,B,2\nB,C,1\n")
    >>> roads.identifiers.tolist(), roads.sources, roads.targets, roads.weights
    (['A', 'B', 'C'], array([0, 1]), array([1, 2]), array([2., 1.]))
    """
    return reading.graph(filename, content, place)


def open_graph(filename: str, content: bytes | Path, place: str | None = None) -> Graph:
    r"""Return the graph in a file, as `read_graph` says, opened in this process.

    >>> open_graph("roads.csv", b"from,to\nA,B\nB,C\n").n_objects
    3
    """
    path = PurePosixPath(filename.replace("\\", "/"))
    known, ending = graph_readers(), path.suffix.lower()
    if ending not in known:
        formats = ", ".join(sorted(known))
        raise DataError(f"{files_of(ending)} hold no graph. Save it as one of {formats}.")
    return known[ending].read(path, content, place)


@dataclass(frozen=True)
class GraphReader:
    """How files of an ending are read as graphs, and what people call them."""

    title: str
    read: Callable[[PurePosixPath, bytes | Path, str | None], Graph]


def graph_readers() -> dict[str, GraphReader]:
    """Return what files may hold a graph, by ending: tables whose rows may be edges, as `READERS` say, and others.

    >>> list(graph_readers())
    ['.csv', '.tsv', '.txt', '.data', '.parquet', '.mtx', '.npz', '.graphml', '.h5ad']
    """
    lists = {ending: GraphReader(one.title, _of_list) for ending, one in known_readers().items() if one.edges}
    matrices = {".mtx": GraphReader("MTX", _of_matrix), ".npz": GraphReader("NPZ", _of_matrix)}
    return lists | matrices | {".graphml": GraphReader("GraphML", _of_graphml), ".h5ad": GraphReader("H5AD", _of_cells)}


def can_only_be_graph(filename: str) -> bool:
    """Return whether files of this ending hold nothing but graphs.

    >>> can_only_be_graph("Karate.GraphML"), can_only_be_graph("cells.h5ad"), can_only_be_graph("edges.csv")
    (True, False, False)
    """
    return PurePosixPath(filename).suffix.lower() in graph_readers().keys() - known_readers().keys()


def are_ends(names: Sequence[str]) -> bool:
    """Return whether columns of these names say themselves that their rows are edges.

    >>> are_ends(["Source", "Target", "weight"]), are_ends(["a", "b", "c"])
    (True, False)
    """
    known = {name.casefold() for name in names}
    return all(known & set(ends) - {"a", "b"} for ends in _ENDS)


def _bytes(content: bytes | Path) -> bytes:
    read = content.read_bytes() if isinstance(content, Path) else content
    check_content(len(read))
    check_bytes(len(read))
    return read


def _of_cells(path: PurePosixPath, content: bytes | Path, place: str | None) -> Graph:
    return read_connectivities(path.stem, path.name, content, (place or "connectivities").removeprefix("obsp/"))


def _of_list(path: PurePosixPath, content: bytes | Path, place: str | None) -> Graph:
    return _of_table(path, _with_first(_parted(read_table(path.suffix.lower(), _bytes(content), "labels", None))))


def _parted(table: Table) -> Table:
    """Ends that are words with white space between them, which as labels are one column of several words."""
    if len(table.columns) != 1 or table.columns[0].dtype.kind != "O":
        return table
    names, rows = " ".join(table.names).split(), [str(cell).split() for cell in table.columns[0]]
    if len(set(map(len, rows))) != 1 or len(names) not in (0, len(rows[0])):
        return table
    columns = tuple(as_numbers(np.array(column, dtype=object)) for column in zip(*rows, strict=True))
    return replace(table, columns=columns, names=tuple(names))


def _with_first(table: Table) -> Table:
    """Names of two columns that are ends of edges, too, are the first edge: in their own column they come once."""
    words = [column for column in table.columns if column.dtype.kind == "O"]
    numbers = table.row_numbers
    if len(words) != 2 or len(table.names) != 2 or numbers is None or not set(table.names) & set(np.concatenate(words)):
        return table
    columns = tuple(
        np.append(np.array([name], dtype=object), column) for name, column in zip(table.names, words, strict=True)
    )
    return Table(columns, (), np.append(numbers[0] - 1, numbers))


def _of_matrix(path: PurePosixPath, content: bytes | Path, place: str | None) -> Graph:
    matrix = sparse_npz(_bytes(content)) if path.suffix.lower() == ".npz" else _of_mtx(_bytes(content))
    if matrix.shape[0] != matrix.shape[1] or not 1 <= matrix.shape[0] <= MAX_LABEL_ROWS:
        raise DataError(
            f"The matrix has {matrix.shape[0]:,} rows and {matrix.shape[1]:,} columns; a graph has as many of both, "
            f"at most {MAX_LABEL_ROWS:,}."
        )
    return Graph(path.stem, matrix.shape[0], *edges_of(matrix), None, path.name)


def _of_table(path: PurePosixPath, table: Table) -> Graph:
    if (square := _square(table)) is not None:
        matrix, rows = square
        notes = (*table.notes, "Read as a square matrix of weights.")
        graph = Graph(path.stem, len(matrix), *edges_of(sparse.csr_array(matrix)), None, path.name, notes)
        return graph if rows is None else replace(graph, identifiers=rows)
    if len(table.columns) < 2:
        raise DataError("A list of edges needs two columns, the ends of every edge. Check the separator.")
    places = _columns(table)
    ends, names = _ends(table, places[:2])
    weights = np.ones(len(ends[0]))
    if len(places) == 3:
        column = table.columns[places[2]]
        faulty = [0] if column.dtype.kind == "O" else np.flatnonzero(~np.isfinite(column.astype(float)))
        if len(faulty):
            raise DataError(f"Row {table.row(int(faulty[0]))} has no number as weight in {table.column(places[2])}.")
        weights = column.astype(float)
    notes, unused = table.notes, len(table.columns) - len(places)
    unweighed = "" if len(places) == 3 else " No weight was read."
    beside = "ends and weight" if len(places) == 3 else "the ends"
    notes += (f"{counted(unused, 'column')} beside {beside} left out.{unweighed}",) if unused else ()
    measured = [table.column(place) for place in places[:2] if _named(table.columns[place]).dtype.kind == "f"]
    if measured:
        where = " and ".join(measured)
        notes += (f"The ends in {where} are numbers with fractions. Measurements are brought as features.",)
    called = np.array(names, object)
    return Graph(path.stem, len(names), ends[0], ends[1], weights, None, path.name, notes, identifiers=called)


def _square(table: Table) -> tuple[np.ndarray, np.ndarray | None] | None:
    """Return a matrix of weights that stands there as a table, row by row, and names of its rows; of a list, None.

    A row may begin with its name. A list of so many columns as edges is not taken for one below four.
    """
    known = {name.casefold() for name in table.names}
    if known & {*_ENDS[0], *_ENDS[1], *_WEIGHTS} - {"a", "b", "w"}:
        return None
    first = table.columns[0]
    named = len(table.columns) == table.n_rows + 1 and (
        first.dtype.kind == "O" or (bool(known) and table.names[0].casefold() in NAMELESS)
    )
    columns = table.columns[1:] if named else table.columns
    if len(columns) != table.n_rows or len(columns) < _SQUARE or any(one.dtype.kind == "O" for one in columns):
        return None
    matrix = np.stack(columns, axis=1).astype(float)
    if not np.isfinite(matrix).all():
        raise DataError("The matrix has cells that are no numbers. Write 0 where there is no edge.")
    names = table.names[-len(columns) :] if table.names else table.columns[0] if named else None
    return matrix, None if names is None else np.array([str(one) for one in names], object)


def _columns(table: Table) -> list[int]:
    """Places of the two ends, and of the weight if there is one."""
    known = [name.casefold() for name in table.names]
    found = [next((known.index(name) for name in names if name in known), None) for names in _ENDS]
    first = 1 if len(table.columns) > 2 and known and known[0] in NAMELESS else 0  # the index of a data frame
    places = [first, first + 1] if None in found else [place for place in found if place is not None]
    named = next((known.index(name) for name in _WEIGHTS if name in known), None)
    if named is None and not known and len(table.columns) == 3 and table.columns[2].dtype.kind in "iuf":
        named = 2
    return places if named is None or named in places else [*places, named]


def _ends(table: Table, places: Sequence[int]) -> tuple[list[np.ndarray], list[str]]:
    """Numbers of the nodes at both ends of every edge, and their names: numbers in their order, or words in theirs."""
    columns = [table.columns[place] for place in places]
    for column, place in zip(columns, places, strict=True):
        words = column.dtype.kind == "O"
        empty = np.array([cell is None for cell in column]) if words else np.isnan(column.astype(float))
        if empty.any():
            row = table.row(int(np.argmax(empty)))
            raise DataError(f"Row {row} has no end of an edge in {table.column(place)}. Complete or delete it.")
    both = np.concatenate([_named(column) for column in columns])
    goes_on()
    if any(column.dtype.kind == "O" for column in columns):
        both = both.astype(str)
        goes_on()
    known, numbers = np.unique(both, return_inverse=True)
    return list(np.split(numbers, 2)), [str(one) for one in known.tolist()]


def _named(column: np.ndarray) -> np.ndarray:
    """Nodes as whole numbers where all are, else as they are."""
    whole = column.dtype.kind == "f" and (column == np.floor(column)).all() and np.abs(column).max(initial=0) < 2**53
    return column.astype(np.int64) if whole else column


#: What stands below the diagonal of a Matrix Market file stands above it, too, times so much.
_MIRRORED = {"general": 0, "symmetric": 1, "hermitian": 1, "skew-symmetric": -1}
_NUMBERS_A_LINE = {"pattern": 2, "integer": 3, "real": 3}


def _of_mtx(content: bytes) -> sparse.coo_array:
    """The matrix of a Matrix Market file, its declared size looked at first.

    scipy would read it too, but a fraction among whole numbers, or a pattern called hermitian, ends its process.
    """
    with refusing("a Matrix Market file", ValueError, OverflowError, MemoryError):
        file = io.BytesIO(content)
        banner = file.readline(_LONGEST_LINE).decode("ascii").casefold().split()
        if len(banner) != 5 or banner[:2] != ["%%matrixmarket", "matrix"]:
            raise ValueError("the first line is not %%MatrixMarket matrix coordinate real general or the like")
        form, kind, symmetry = banner[2:]
        if form != "coordinate" or kind not in _NUMBERS_A_LINE or symmetry not in _MIRRORED:
            raise DataError(
                f"The file holds a {kind} {symmetry} matrix as {form}; a graph is a sparse one of real numbers."
            )
        size = next((line for line in file if line.strip() and not line.startswith(b"%")), b"")
        rows, columns, n_entries = map(int, size[:_LONGEST_LINE].split())
        if min(rows, columns, n_entries) < 0:
            raise ValueError("a size below 0")
        check_bytes(24 * n_entries + 8 * max(rows, columns))
        entries = _entries(file.read(), n_entries, _NUMBERS_A_LINE[kind], (rows, columns))
    places, weights = entries[:, :2].T.astype(np.int64) - 1, entries[:, 2] if kind != "pattern" else np.ones(n_entries)
    if sign := _MIRRORED[symmetry]:
        off = places[0] != places[1]
        places, weights = np.hstack([places, places[::-1, off]]), np.append(weights, sign * weights[off])
    return sparse.coo_array((weights, tuple(places)), shape=(rows, columns))


def _entries(body: bytes, n_entries: int, width: int, shape: tuple[int, int]) -> np.ndarray:
    """The lines of entries as numbers, rows and columns counted from 1 and within the shape: (entries, width)."""
    there = np.loadtxt(noted(io.BytesIO(body)), comments="%", ndmin=2) if body.strip() else np.empty((0, width))
    if there.shape != (n_entries, width):
        found = f"{counted(there.shape[0], 'line')} of {there.shape[1]}"
        raise ValueError(f"{counted(n_entries, 'line')} of {width} numbers are declared, and {found} there")
    places = there[:, :2]
    if not ((places >= 1) & (places <= shape) & (places == np.floor(places))).all():
        raise ValueError("an entry beyond the matrix")
    return there


def _of_graphml(path: PurePosixPath, content: bytes | Path, place: str | None) -> Graph:
    """What igraph reads from GraphML, with the attributes that name nodes, and that are weights and classes."""
    import igraph

    with (
        tempfile.TemporaryDirectory(prefix="concord-") as folder,
        refusing("GraphML", ValueError),
    ):
        file = Path(folder, "graph.graphml")
        file.write_bytes(_bytes(content))
        try:
            read = igraph.Graph.Read_GraphML(str(file))
        except igraph.InternalError as exc:
            raise ValueError(_WHERE_IN_IGRAPH.sub("", str(exc))) from exc
    goes_on()
    ends = np.array(read.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    attribute = next((name for name in read.es.attributes() if name.casefold() in _WEIGHTS), None)
    weights = np.ones(len(ends)) if attribute is None else np.array([_number(one) for one in read.es[attribute]])
    known = {name.casefold(): name for name in read.vs.attributes()}
    names, classes = (next((known[one] for one in some if one in known), None) for some in (_NAMES, _CLASSES))
    called, labels, untold = classes_of(read.vs[classes], classes) if classes else ((), None, ())
    notes = ("The graph is directed; directions are not read.",) if read.is_directed() else ()
    return Graph(
        path.stem,
        read.vcount(),
        ends[:, 0],
        ends[:, 1],
        weights,
        labels,
        path.name,
        notes + untold,
        identifiers=None if names is None else np.array([str(one) for one in read.vs[names]], object),
        class_names=called,
    )


def _number(value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise DataError(f"An edge has the weight {shortened(str(value))!r}, which is no number.") from None
