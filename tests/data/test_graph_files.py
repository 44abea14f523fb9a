"""Graphs in files of every kind, and what is wrong with them said."""

import contextlib
import json
import tempfile
from pathlib import Path

import anndata
import h5py
import igraph
import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.io import mmwrite

import data
from data.reading import process
from data.reading.handed_over import CONTENT, load_graph
from data.reading.limits import Limits
from tests.data.samples import parquet, written

ENDS = np.array([[0, 1], [1, 2], [2, 0], [3, 4]])
WEIGHTS = np.array([0.5, 1.0, 2.0, 1.5])
MATRIX = sparse.coo_array((WEIGHTS, ENDS.T), shape=(6, 6)).tocsr()


def graphml():
    graph = igraph.Graph(n=6, edges=ENDS.tolist())
    graph.vs["name"], graph.vs["club"] = list("abcdef"), ["x", "x", "x", "y", "y", "y"]
    graph.es["weight"] = WEIGHTS.tolist()
    with tempfile.NamedTemporaryFile(suffix=".graphml") as file:
        graph.write_graphml(file.name)
        return Path(file.name).read_bytes()


def cells(n=6, place="connectivities", matrix=MATRIX, umap=None):
    """An AnnData file as it is published: X, obs with a class, X_pca, X_umap and a graph between cells."""
    umap = np.zeros((n, 2)) if umap is None else umap

    def write(stream):
        with h5py.File(stream, "w") as file:
            obs = file.create_group("obs")
            obs.attrs["_index"], obs.attrs["column-order"] = "_index", np.array(["cell_type"], dtype=object)
            obs.attrs["encoding-type"], obs.attrs["encoding-version"] = "dataframe", "0.2.0"
            obs["_index"] = [f"cell {i}" for i in range(n)]
            obs["cell_type"] = ["T", "B"] * (n // 2)
            file["X"], file["var/_index"] = np.random.default_rng(0).random((n, 3)), ["g1", "g2", "g3"]
            file["var"].attrs["_index"] = "_index"
            file["obsm/X_pca"], file["obsm/X_umap"] = np.arange(2.0 * n).reshape(n, 2), umap
            group = file.create_group(f"obsp/{place}")
            group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", matrix.shape
            for name in ("data", "indices", "indptr"):
                group[name] = getattr(matrix, name)

    return written(write)


def edges_of(graph):
    return sorted(zip(graph.sources.tolist(), graph.targets.tolist(), graph.weights.tolist(), strict=True))


FILES = {
    "list.csv": b"source,target,weight\na,b,0.5\nb,c,1\nc,a,2\nd,e,1.5\n",
    "list.tsv": b"0\t1\t0.5\n1\t2\t1\n2\t0\t2\n3\t4\t1.5\n",
    "list.parquet": parquet({"to": ENDS[:, 1] + 1, "from": ENDS[:, 0] + 1, "w": WEIGHTS}),
    "matrix.mtx": written(lambda stream: mmwrite(stream, MATRIX.tocoo())),
    "matrix.npz": written(lambda stream: sparse.save_npz(stream, MATRIX)),
    "symmetric.npz": written(lambda stream: sparse.save_npz(stream, (MATRIX + MATRIX.T).tocsc())),
    "graph.graphml": graphml(),
    "cells.h5ad": cells(),
}


@pytest.mark.parametrize("name", FILES)
def test_every_file_gives_the_same_edges(name):
    graph = data.read_graph(f"some/folder/{name}", FILES[name])
    listed = name.startswith("list")
    turned = name in ("symmetric.npz", "graph.graphml")  # the lower end comes first
    wanted = [
        (min(i, j), max(i, j), w) if turned else (i, j, w) for (i, j), w in zip(ENDS.tolist(), WEIGHTS, strict=True)
    ]
    assert edges_of(graph) == sorted(wanted)
    assert graph.n_objects == (5 if listed else 6)  # who has no edge is in no list
    assert graph.name == name.partition(".")[0]
    assert not graph.weights.flags.writeable


def test_names_classes_features_and_coordinates_come_along():
    assert data.read_graph("list.csv", FILES["list.csv"]).identifiers.tolist() == list("abcde")
    assert data.read_graph("list.parquet", FILES["list.parquet"]).identifiers.tolist() == list("12345")
    drawn = data.read_graph("graph.graphml", FILES["graph.graphml"])
    assert (drawn.identifiers.tolist(), drawn.labels.tolist()) == (list("abcdef"), [0, 0, 0, 1, 1, 1])
    found = data.read_graph("cells.h5ad", FILES["cells.h5ad"])
    assert found.identifiers.tolist() == [f"cell {i}" for i in range(6)]
    assert [found.class_names[label] for label in found.labels] == ["T", "B"] * 3
    assert found.features.tolist() == np.arange(12.0).reshape(6, 2).tolist()
    assert found.coordinates.shape == (6, 2)
    other = data.read_graph("cells.h5ad", cells(place="distances"), "distances")
    assert edges_of(other) == edges_of(found)


def test_columns_go_by_their_names_else_by_their_order_and_the_rest_is_said():
    named = data.read_graph("x.csv", b"when,weight,target,source\n2020,3,b,a\n2021,4,c,a\n")
    assert edges_of(named) == [(0, 1, 3.0), (0, 2, 4.0)]
    assert "1 column beside ends and weight left out." in named.notes
    plain = data.read_graph("x.csv", b"10,2\n2,9\n")
    assert plain.identifiers.tolist() == ["2", "9", "10"]
    assert plain.weights.tolist() == [1.0, 1.0]
    mixed = data.read_graph("x.csv", b"from,to\n1,b\n2,b\n")
    assert mixed.identifiers.tolist() == ["1", "2", "b"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.csv", b"a\nb\n", "needs two columns"),
        ("x.csv", b"from,to\na,b\nc,\n", "Row 3 has no end of an edge in column 'to'"),
        ("x.csv", b"from,to,weight\na,b,1\nc,d,\n", "Row 3 has no number as weight in column 'weight'"),
        ("x.mtx", b"%%MatrixMarket matrix coordinate real general\n9999999999 9999999999 1\n1 1 1\n", "unpacks to"),
        ("x.mtx", b"%%MatrixMarket matrix array real general\n2 2\n1\n1\n1\n1\n", "as array"),
        ("x.mtx", b"no such thing", "not a Matrix Market file"),
        ("x.mtx", b"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n", "an entry beyond the matrix"),
        ("x.mtx", b"%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n", "2 lines .* 1 line of 3 there"),
        ("x.npz", written(lambda stream: np.savez(stream, x=np.ones(3))), "no sparse matrix"),
        ("x.npz", written(lambda stream: sparse.save_npz(stream, MATRIX[:3])), "3 rows and 6 columns"),
        ("x.npz", b"PK nothing", "not an NPZ file"),
        ("x.graphml", b"<graphml><graph>", r"not GraphML, .* incomplete \(Line 1: [^)]*\w\)"),
        ("x.graphml", b"", r"empty \(0 bytes\)"),
        ("x.h5ad", cells(place="distances"), "There is no 'obsp/connectivities' in the file; obsp has distances."),
        ("x.h5ad", cells(matrix=MATRIX[:4, :4].tocsr()), r"obsp/connectivities has the shape \(4, 4\), and obs 6 rows"),
        ("x.json", b"{}", "Files ending in .json hold no graph"),
        ("edges", b"a,b", "Files whose name has no ending hold no graph"),
    ],
)
def test_what_is_no_graph_is_said(name, content, words):
    with pytest.raises(data.DataError, match=words):
        data.read_graph(name, content)


def test_measurements_that_are_taken_for_ends_are_told():
    assert "column 1 and column 2 are numbers with fractions" in data.read_graph("x.csv", b"5.1,3.5\n4.9,3\n").notes[-1]
    assert not data.read_graph("x.csv", b"5.0,3.0\n4,3\n").notes


def test_a_sparse_matrix_that_points_beyond_itself_is_refused():
    broken = written(
        lambda stream: np.savez(
            stream, format=b"csr", shape=[2, 2], data=[1.0], indices=np.array([7], np.int32), indptr=np.array([0, 1, 1])
        )
    )
    with pytest.raises(data.DataError, match="damaged"):
        data.read_graph("x.npz", broken)


@pytest.mark.parametrize(
    ("kind", "entry", "wanted"),
    [
        ("integer general", b"1 2 1.5", [(0, 1, 1.5)]),  # a fraction there ends scipy's process
        ("pattern hermitian", b"2 1", [(0, 1, 1.0)]),  # as this does
        ("real symmetric", b"2 1 3", [(0, 1, 3.0)]),
        ("real skew-symmetric", b"2 1 3", [(0, 1, -3.0), (1, 0, 3.0)]),
    ],
)
def test_matrix_market_files_of_every_kind(kind, entry, wanted):
    content = f"%%MatrixMarket matrix coordinate {kind}\n% drawn\n\n2 2 1\n".encode() + entry
    assert edges_of(data.read_graph("x.mtx", content)) == wanted


@pytest.mark.parametrize("name", FILES)
def test_cut_and_changed_files_are_read_or_refused(name):
    rng = np.random.default_rng(0)
    for _ in range(12):
        content = bytearray(FILES[name][: rng.integers(1, len(FILES[name]) + 1)])
        for place in rng.integers(len(content), size=rng.integers(3)):
            content[place] = rng.integers(256)
        with contextlib.suppress(data.DataError):  # anything else is a fault of ours
            assert data.read_graph(name, bytes(content)).n_objects > 0


@pytest.mark.parametrize("name", ["cells.h5ad", "list.csv"])
def test_the_reading_process_reads_graphs_too(name, tmp_path, monkeypatch):
    monkeypatch.setattr(process, "limit", lambda *limits: ())
    (tmp_path / CONTENT).write_bytes(FILES[name])
    limits = Limits(2**30, 60, 10)
    said = process.read(str(tmp_path), name, "graph", limits, place=None)
    assert said == {"lacking": (), "warnings": []}
    there, back = data.read_graph(name, FILES[name]), load_graph(tmp_path)
    assert back.fingerprint == there.fingerprint
    assert (back.notes, back.class_names, back.name) == (there.notes, there.class_names, there.name)
    said = process.read(str(tmp_path), "x.json", "graph", limits, place=None)
    assert "hold no graph" in json.dumps(said)


def test_an_anndata_file_is_opened_where_it_is(tmp_path):
    path = tmp_path / "cells.h5ad"
    path.write_bytes(FILES["cells.h5ad"])
    assert edges_of(data.read_graph("cells.h5ad", path)) == edges_of(data.read_graph("x.h5ad", FILES["cells.h5ad"]))


@pytest.mark.parametrize("umap", [np.full((6, 2), np.nan), np.zeros((5, 2)), np.zeros((6, 1))])
def test_places_of_cells_that_cannot_be_drawn_are_left_out_and_that_said(umap):
    graph = data.read_graph("cells.h5ad", cells(umap=umap))
    assert graph.coordinates is None
    assert graph.features.shape == (6, 2)
    assert any(note.startswith("obsm/X_umap is left out") for note in graph.notes)


@pytest.mark.parametrize("head", ["", "source target\n", "person friend\n"])
@pytest.mark.parametrize("mark", [" ", ",", "\t"])
def test_the_first_edge_of_words_is_no_header(head, mark):
    """Also where it stands alone in its columns, and ends are parted by white space."""
    text = f"{head}alice bob\nbob carol\ncarol dan\n".replace(" ", mark)
    found = data.read_graph("friends.txt", text.encode())
    assert found.identifiers.tolist() == ["alice", "bob", "carol", "dan"]
    assert (found.sources.tolist(), found.targets.tolist()) == ([0, 1, 2], [1, 2, 3])


@pytest.mark.parametrize("kind", ["graphml", "h5ad"])
def test_nodes_without_a_class_make_no_class_of_their_own(kind, tmp_path):
    """Cells that nobody named were one more type, against which everything was scored."""
    if kind == "graphml":
        graph = igraph.Graph(n=4, edges=[(0, 1), (2, 3)])
        graph.vs["club"] = ["x", "x", "", "y"]
        graph.write_graphml(str(tmp_path / "a.graphml"))
    else:
        with pd.option_context("future.infer_string", False):
            obs = pd.DataFrame({"cell_type": pd.Categorical(["x", "x", None, "y"])}, index=list("abcd"))
            made = anndata.AnnData(np.ones((4, 2)), obs=obs)
            made.obsp["connectivities"] = sparse.csr_matrix(np.ones((4, 4)) - np.eye(4))
            made.write_h5ad(tmp_path / "a.h5ad")
    found = data.read_graph(f"a.{kind}", (tmp_path / f"a.{kind}").read_bytes())
    assert (found.labels, found.class_names) == (None, ())
    assert "was not read as classes: 1 node has none." in " ".join(found.notes)
