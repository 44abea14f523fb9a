"""AnnData files, one as anndata 0.12.19 itself wrote it, and folders of label vectors."""

import io
import sys
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import data
from data.reading.elsewhere import ELSEWHERE
from data.records import class_name
from engine import cli
from tests.data.samples import npy, written

SMALL = (Path(__file__).parents[1] / "golden/arrays/small.h5ad").read_bytes()
TYPES = [["T", "B", "NK"][i % 3] for i in range(12)]


def test_features_are_those_of_x_and_the_class_that_of_obs():
    found = data.read_upload("small.h5ad", SMALL, "features")
    assert found.feature_names == ("gene0", "gene1", "gene2", "gene3")
    assert found.features[:3].tolist() == [[0, 4, 0, 2], [0, 0, 5, 5], [8, 3, 0, 0]]
    assert found.identifiers.tolist() == [f"cell-{i}" for i in range(12)]
    assert [class_name(found, label) for label in found.labels] == ["T", "B", "NK"] * 4
    assert "4 columns left out: leiden, louvain, n_genes, score." in found.notes


def test_another_matrix_can_be_asked_for():
    found = data.read_upload("small.h5ad", SMALL, "features", label_column="leiden", matrix="obsm/X_pca")
    assert found.features[:2].tolist() == [[-0.378, -1.091], [-1.278, 0.63]]
    assert found.feature_names == ("X_pca 1", "X_pca 2")
    with pytest.raises(data.DataError, match="it has X, obsm/X_pca"):
        data.read_upload("small.h5ad", SMALL, "features", matrix="obsm/X_umap")


def test_of_a_file_on_disk_no_more_is_read_than_is_asked_for(tmp_path):
    def widened(file):
        del file["X"]
        file.create_dataset("X", (3, 10**9), "f4", chunks=(1, 10**6))  # declared, and nowhere stored
        file["X"].attrs["encoding-type"] = "array"
        file.create_dataset("obsm/X_pca", data=np.eye(3))

    content = h5ad(widened)
    (tmp_path / "large.h5ad").write_bytes(content)
    found = data.read_upload("large.h5ad", tmp_path / "large.h5ad", "features")
    assert found.feature_names == ("X_pca 1", "X_pca 2", "X_pca 3")
    with pytest.raises(data.DataError, match="does not hold"):
        data.read_upload("large.h5ad", content, "features")
    (tmp_path / "small.csv").write_bytes(b"a,b\n1,2\n3,4\n")
    assert data.read_upload("small.csv", tmp_path / "small.csv", "features").features.tolist() == [[1, 2], [3, 4]]


def test_columns_of_obs_are_base_clusterings():
    pool = data.read_upload("small.h5ad", SMALL, "labels", roles={"cell_type": "class"})
    assert pool.clustering_names == ("leiden", "louvain")
    assert pool.members[:, 0].tolist() == [i % 4 for i in range(12)]
    assert pool.members[:6, 1].tolist() == [0, 0, 0, 0, 1, -1]
    assert pool.identifiers[2] == "cell-2"


def h5ad(change=lambda file: None):
    """A file of the format's least parts, then changed."""

    def build(stream):
        with h5py.File(stream, "w") as file:
            obs = file.create_group("obs")
            obs.attrs["_index"], obs.attrs["column-order"] = "names", np.array(["kind"], dtype=object)
            obs["names"], obs["kind"] = ["a", "b", "c"], ["u", "v", "u"]
            var = file.create_group("var")
            var.attrs["_index"] = "names"
            var["names"] = ["g", "h"]
            file["X"] = np.arange(6.0).reshape(3, 2)
            change(file)

    return written(build)


@pytest.mark.parametrize("room", ["obsm", "layers", "obsp"])
def test_an_array_in_place_of_a_room_is_refused_at_every_door(room, tmp_path, monkeypatch, capsys):
    """Where a matrix is chosen the page had refused it, and the command had read X."""
    content = h5ad(lambda file: file.create_dataset(room, data=np.zeros((1, 3))))
    path = tmp_path / "odd.h5ad"
    path.write_bytes(content)
    monkeypatch.setenv("CONCORD_DATA", str(tmp_path))
    doors = [
        lambda: data.read_upload("odd.h5ad", content, "features"),
        lambda: data.read_upload("odd.h5ad", content, "labels"),
        lambda: data.read_upload("odd.h5ad", path, "features"),
        lambda: data.load("odd"),
        lambda: ELSEWHERE.look("odd.h5ad", content),
        lambda: data.read_graph("odd.h5ad", content),
    ]
    for door in doors:
        with pytest.raises(data.DataError, match=f"{room} is an array"):
            door()
    assert cli.main(["ensemble", str(path), "--out", str(tmp_path / "out.npz")]) == 1
    assert f"{room} is an array" in capsys.readouterr().err


def sparse(file, indices=(0, 1, 1), indptr=(0, 1, 2, 3), shape=(3, 2)):
    """X as a sparse matrix."""
    del file["X"]
    group = file.create_group("X")
    group.attrs["encoding-type"], group.attrs["shape"] = "csr_matrix", shape
    group["data"], group["indices"], group["indptr"] = np.ones(3), np.array(indices), np.array(indptr)


def column(values, /, **parts):
    """The column of obs replaced by other values, or by these parts of an encoding."""

    def change(file):
        del file["obs/kind"]
        if not parts:
            file["obs/kind"] = values
            return
        file["obs"].create_group("kind").attrs["encoding-type"] = values
        for name, part in parts.items():
            file[f"obs/kind/{name}"] = part

    return h5ad(change)


def matrix(values):
    """X replaced."""

    def change(file):
        del file["X"]
        file["X"] = values

    return h5ad(change)


def test_sparse_and_dense_matrices_are_read():
    assert data.read_upload("a.h5ad", h5ad(), "features").features.tolist() == [[0, 1], [2, 3], [4, 5]]
    assert data.read_upload("a.h5ad", h5ad(sparse), "features").features.tolist() == [[1, 0], [0, 1], [0, 1]]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"no hdf5", "not an AnnData file"),
        (h5ad(lambda file: file.__delitem__("obs")), "no table obs"),
        (h5ad(lambda file: file.__delitem__("X")), "it has no matrix"),
        (h5ad(lambda file: sparse(file, indices=(0, 1, 9))), "damaged"),
        (h5ad(lambda file: sparse(file, indptr=(0, 1, 2, 99))), "damaged"),
        (h5ad(lambda file: sparse(file, shape=(3, 10**9))), "unpacks to|columns; the limit"),
        (h5ad(lambda file: file["obs"].__setitem__("far", h5py.ExternalLink("x.h5", "y"))), "points to another place"),
        (h5ad(lambda file: file.__setitem__("obs/soft", h5py.SoftLink("/X"))), "points to another place"),
        (h5ad(lambda file: file["X"].parent.create_dataset("Y", (2,), "f8", external="y.bin")), "another file"),
        (SMALL[: len(SMALL) // 2], "damaged"),
        (column(3.0), r"obs has 3 rows, and a column of it the shape \(\)"),
        (column(np.eye(3)), r"the shape \(3, 3\)"),
        (column(np.zeros(3, [("a", "f8")])), "not real numbers"),
        (column("categorical", codes=[0, 1, -2], categories=[b"a", b"b"]), "codes beyond its categories"),
        (column("categorical", codes=[0, 1, 2], categories=[b"a", b"b"]), "codes beyond its categories"),
        (column("nullable-integer", values=[1, 2, 3], mask=[True, False]), "damaged"),
        (matrix(np.eye(3, dtype=complex)[:, :2]), "not real numbers"),
        (matrix(np.full((3, 2), b"a")), "not real numbers"),
        (matrix(np.arange(3.0)), "damaged"),
        (matrix(np.ones((4, 2))), "other rows or columns"),
        (matrix(np.ones((3, 3))), "other rows or columns"),
    ],
)
def test_what_is_wrong_with_an_anndata_file_is_said(content, words):
    with pytest.raises(data.DataError, match=words):
        data.read_upload("a.h5ad", content, "features")


def test_without_h5py_the_line_that_installs_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "h5py", None)
    with pytest.raises(data.DataError, match="pip install h5py"):
        data.read_upload("small.h5ad", SMALL, "features")


@given(st.integers(0, len(SMALL) - 1), st.integers(0, 255))
def test_a_damaged_byte_is_read_or_refused_in_words(place, byte):
    damaged = bytearray(SMALL)
    damaged[place] = byte
    try:
        data.read_upload("a.h5ad", bytes(damaged), "features", missing="mean")
    except data.DataError:
        pass


def folder(**files):
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_dot_", "."), content)
    return held.getvalue()


def test_a_folder_of_label_vectors_is_a_pool():
    content = folder(
        runs__b_dot_csv=b"0\n0\n1\n",
        runs__a_dot_txt=b"label\nu\nv\nv\n",
        c_dot_npy=npy([3, 3, 4]),
        runs__readme_dot_md=b"# not one",
        runs__gt_dot_csv=b"1\n1\n2\n",
    )
    pool = data.read_upload("runs.zip", content, "labels")
    assert pool.clustering_names == ("c", "a", "b")
    assert pool.members.tolist() == [[3, 0, 0], [3, 1, 0], [4, 1, 1]]
    assert pool.labels.tolist() == [1, 1, 2]


def test_files_of_one_name_are_told_apart():
    content = folder(x__run_dot_csv=b"0\n0\n1\n", y__run_dot_csv=b"0\n1\n1\n")
    assert data.read_upload("a.zip", content, "labels").clustering_names == ("x/run.csv", "y/run.csv")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (folder(a_dot_csv=b"0\n1\n1\n", b_dot_csv=b"0\n1\n"), "b.csv has 2 labels where a.csv has 3"),
        (folder(a_dot_csv=b"0,1\n1,1\n"), "a.csv has 2 columns"),
        (folder(a_dot_csv=b""), "a.csv: "),
        (folder(a_dot_md=b"0\n1\n"), "0 files of labels"),
        (folder(a_dot_zip=folder(b_dot_csv=b"0\n1\n")), "0 files of labels"),
        (b"no zip", "not a ZIP file"),
    ],
)
def test_what_is_wrong_with_a_folder_is_said(content, words):
    with pytest.raises(data.DataError, match=words):
        data.read_upload("a.zip", content, "labels")


def test_a_folder_holds_no_features():
    with pytest.raises(data.DataError, match="folder of label vectors"):
        data.read_upload("a.zip", folder(a_dot_csv=b"0\n1\n"), "features")


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_of_two_files_of_one_name_none_is_lost_without_a_word():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for content in ("0\n1\n1\n", "0\n0\n1\n"):
            archive.writestr("run.csv", content)
    with pytest.raises(data.DataError, match="more than one file called run.csv"):
        data.read_upload("a.zip", held.getvalue(), "labels")


def test_a_folder_under_a_password_is_said_to_be_so():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("a.csv", "0\n1\n1\n")
    content = bytearray(held.getvalue())
    content[6] |= 1  # the flag in the member's own head, and the one in the list of members
    content[content.find(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(data.DataError, match="locked by a password"):
        data.read_upload("a.zip", bytes(content), "labels")


def test_a_folder_is_no_bomb(monkeypatch):
    monkeypatch.setattr("data.limits.MAX_BYTES", 1 << 20)
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", b"1\n" * (1 << 20))
    with pytest.raises(data.DataError, match="unpacks to"):
        data.read_upload("a.zip", held.getvalue(), "labels")
