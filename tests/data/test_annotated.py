"""What is written into an AnnData file is read back by anndata itself, and everything else is as it was."""

import shutil

import h5py
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import data

anndata = pytest.importorskip("anndata")


@pytest.fixture
def cells(tmp_path):
    """A file as anndata writes it: sparse X, layers, raw, categories, a graph, words and numbers in obs and uns."""
    rng = np.random.default_rng(0)
    with pd.option_context("future.infer_string", False):  # this anndata writes no strings of arrow
        obs = pd.DataFrame(
            {"type": pd.Categorical(["T", "B", "NK"] * 10), "score": rng.random(30)},
            index=[f"cell-{i}" for i in range(30)],
        )
        made = anndata.AnnData(sparse.random(30, 20, 0.3, format="csr", random_state=0), obs=obs)
        made.layers["counts"], made.raw = made.X.copy(), made
        made.obsm["X_umap"] = rng.random((30, 2))
        made.obsp["connectivities"] = sparse.random(30, 30, 0.2, format="csr", random_state=1)
        made.uns["leiden"] = {"params": {"resolution": 1.0, "method": "umap"}}
        made.write_h5ad(tmp_path / "cells.h5ad", compression="gzip")
    return tmp_path / "cells.h5ad"


SETTINGS = {
    "method": "ecg",
    "k": 3,
    "theta": 0.5,
    "strict": True,
    "nothing": None,
    "words": ["a", "b"],
    "generator": {"resolution": [0.5, 1.5], "seed": 7},
}


def columns():
    return {
        "consensus": np.array(["0", "1", "2"] * 10),
        "confidence": np.linspace(0, 1, 30),
        "second_choice": np.array(["1", "2", "0"] * 10, dtype=object),
    }


def stored(path):
    """Every dataset of a file outside of what is written, with its bytes, type, chunks, filters and attributes."""
    found = {}

    def look(name, item):
        if "concord" in name:
            return
        attributes = {key: np.asarray(value).tolist() for key, value in item.attrs.items() if key != "column-order"}
        if isinstance(item, h5py.Dataset):
            own = np.asarray(item[()]).tolist(), item.dtype, item.chunks, item.compression
            found[name] = (*map(str, own), attributes)
        else:
            found[name] = attributes

    with h5py.File(path) as file:
        file.visititems(look)
    return found


def test_anndata_reads_columns_and_settings_back(cells):
    before = stored(cells)
    data.annotate(cells, columns(), SETTINGS)
    assert stored(cells) == before
    read = anndata.read_h5ad(cells)
    assert list(read.obs.columns) == [
        "type",
        "score",
        "concord_consensus",
        "concord_confidence",
        "concord_second_choice",
    ]
    assert isinstance(read.obs["concord_consensus"].dtype, pd.CategoricalDtype)
    assert read.obs["concord_consensus"].tolist() == ["0", "1", "2"] * 10
    assert read.obs["concord_second_choice"].tolist() == ["1", "2", "0"] * 10
    assert np.allclose(read.obs["concord_confidence"], np.linspace(0, 1, 30))
    said = read.uns["concord"]
    assert (said["method"], said["k"], said["theta"], bool(said["strict"])) == ("ecg", 3, 0.5, True)
    assert "nothing" not in said
    assert list(said["words"]) == ["a", "b"]
    assert list(said["generator"]["resolution"]) == [0.5, 1.5]
    assert read.raw.shape == (30, 20)
    assert read.uns["leiden"]["params"]["method"] == "umap"
    assert (read.layers["counts"] != read.X).nnz == 0


def test_a_second_run_replaces_the_first(cells):
    data.annotate(cells, columns(), SETTINGS)
    data.annotate(cells, {"consensus": np.array(["x"] * 30)}, {"method": "lwea"})
    read = anndata.read_h5ad(cells)
    assert list(read.obs.columns).count("concord_consensus") == 1
    assert set(read.obs["concord_consensus"]) == {"x"}
    assert dict(read.uns["concord"]) == {"method": "lwea"}


def test_many_clusters_and_a_file_without_uns_are_written(cells):
    with h5py.File(cells, "r+") as file:
        del file["uns"]
    many = np.array([f"{i % 200}" for i in range(30)], dtype=object)
    data.annotate(cells, {"consensus": many}, {"k": 200})
    assert anndata.read_h5ad(cells).obs["concord_consensus"].tolist() == many.tolist()


def test_rows_that_were_left_out_stay_empty_by_name_and_by_place(cells):
    """Names may be there twice; places are not."""
    rows = np.delete(np.arange(30), [3, 7])
    few = {name: values[rows] for name, values in columns().items()}
    data.annotate(cells, few, {}, names=[f"cell-{row}" for row in rows])
    by_name = anndata.read_h5ad(cells).obs
    data.annotate(cells, few, {}, names=rows)
    pd.testing.assert_frame_equal(by_name, anndata.read_h5ad(cells).obs)
    assert by_name["concord_consensus"].isna().to_numpy().nonzero()[0].tolist() == [3, 7]
    with h5py.File(cells, "r+") as file:
        file["obs/_index"][5] = file["obs/_index"][6]
    data.annotate(cells, few, {}, names=rows)
    with pytest.raises(data.DataError, match="names in obs are not unique"):
        data.annotate(cells, few, {}, names=[f"cell-{row}" for row in rows])
    with pytest.raises(data.DataError, match="none at the places that are named"):
        data.annotate(cells, few, {}, names=rows + 1)


def test_names_decide_also_where_there_are_as_many(cells):
    """Cells got the labels of others, and a file of others was not refused."""
    names = [f"cell-{row}" for row in range(30)]
    data.annotate(cells, {"consensus": np.arange(30)}, {}, names=names[::-1])
    assert anndata.read_h5ad(cells).obs["concord_consensus"].tolist() == list(range(29, -1, -1))
    data.annotate(cells, {"consensus": np.arange(30)}, {}, names=np.arange(30)[::-1])
    assert anndata.read_h5ad(cells).obs["concord_consensus"].tolist() == list(range(29, -1, -1))
    hidden = np.ma.array(np.arange(30.0), mask=np.arange(30) == 1)
    data.annotate(cells, {"consensus": hidden}, {}, names=names)
    assert np.isnan(anndata.read_h5ad(cells).obs["concord_consensus"].iloc[1])
    for given, said in (
        ([f"other-{row}" for row in range(30)], "another file"),
        ([names[0], *names[:29]], "Two results are for one row"),
        (np.zeros(30, int), "Two results are for one row"),
        (names[:29], "30 results, and names are of 29 rows"),
    ):
        with pytest.raises(data.DataError, match=said):
            data.annotate(cells, {"consensus": np.arange(30)}, {}, names=given)


def test_another_file_and_no_file_of_anndata_are_refused(cells, tmp_path):
    with pytest.raises(data.DataError, match="29 results, and obs has 30 rows"):
        data.annotate(cells, {"consensus": np.array(["0"] * 29)}, {})
    bare, elsewhere, old = (tmp_path / f"{name}.h5ad" for name in ("bare", "elsewhere", "old"))
    bare.write_bytes(b"no such thing")
    with h5py.File(elsewhere, "w") as file:
        file["obs"] = h5py.ExternalLink(str(cells), "obs")
    shutil.copyfile(cells, old)
    with h5py.File(old, "r+") as file:
        del file["obs"].attrs["column-order"]
    for path, words in ((bare, "not an AnnData file"), (elsewhere, "no group obs of its own"), (old, "old form")):
        with pytest.raises(data.DataError, match=words):
            data.annotate(path, columns(), SETTINGS)
