"""What the pages give away, as another program reads it."""

import csv
import io
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import h5py
import numpy as np
import pytest
from scipy.cluster import hierarchy

import data
from data.roles import columns_of
from engine import Ensemble, InvalidEnsembleError, load_ensemble
from engine.tables import as_csv, labels_csv
from tests.scenes import scene_of
from tests.strategies import random_labels
from ui.compute import uploads
from ui.compute.data_sets import cells_of
from ui.consensus.downloads import cells_file, labels_file, linkage_bytes, newick_bytes
from ui.ensemble import ensemble_csv, ensemble_npz, headings


def rows(table: bytes) -> list[dict]:
    return list(csv.DictReader(io.StringIO(table.decode())))


def test_labels_carry_the_names_of_the_file_and_no_formula():
    names = np.array(["patient 1", "=HYPERLINK()", "-2", 'a "b"'])
    found = rows(labels_csv(np.array([0, 1, 1, 0]), {"margin": np.array([-0.5, 1, 0.25, 0])}, None, names))
    assert [row["identifier"] for row in found] == ["patient 1", "'=HYPERLINK()", "-2", 'a "b"']
    assert [row["margin"] for row in found] == ["-0.5", "1", "0.25", "0"]
    assert [row["object"] for row in found] == ["0", "1", "2", "3"]
    assert as_csv({"@id": [1]}) == b"'@id\n1\n"


@pytest.mark.parametrize("word", ["a;=1+1", "a\t=1+1", "a; @q"])
def test_a_formula_is_none_behind_another_separator(word):
    made = rows(as_csv({"a": [word]}))[0]["a"]
    assert all(not cell.strip().startswith(("=", "@")) for cell in made.replace("\t", ";").split(";"))


@pytest.mark.parametrize("word", [" =1+1", "\n=1+1", "\xa0@q", "\uff1d1+1", "\u3000+q"])
def test_a_formula_is_none_after_white_space_or_in_full_width(word):
    assert rows(as_csv({"a": [word]}))[0]["a"] == f"'{word}"


def test_an_ensemble_comes_back_from_its_files():
    labels = random_labels(20, 4, 3)
    labels[0, 1] = -1
    made = Ensemble.from_labels(labels)
    source = SimpleNamespace(identifiers=[f"s{place}" for place in range(20)], rows=np.arange(1, 21))
    for one in (source, None):
        assert load_ensemble(io.BytesIO(ensemble_npz(made, one))).fingerprint == made.fingerprint
    again = data.read_upload("made.npz", ensemble_npz(made, source), "labels")
    assert again.identifiers.tolist() == source.identifiers
    assert again.rows.tolist() == source.rows.tolist()
    assert "Objects are named by the identifiers in the file." in again.notes
    unnamed = data.read_upload("made.npz", ensemble_npz(made, SimpleNamespace(rows=source.rows)), "labels")
    assert (unnamed.identifiers.tolist(), unnamed.rows.tolist()) == (
        [str(row) for row in source.rows],
        source.rows.tolist(),
    )
    mixed = data.read_upload("made.npz", ensemble_npz(made, SimpleNamespace(rows=source.rows[::-1])), "labels")
    assert (mixed.rows, mixed.identifiers[0]) == (None, "20")
    assert again.members.tolist() == made.labels.tolist()
    for name, wrong in (
        ("identifiers", ["a", "b"]),
        ("rows", [1, 2]),
        ("identifiers", [["a"] * 2] * 20),
        ("rows", [0.5] * 20),
    ):
        held, damaged = dict(np.load(io.BytesIO(ensemble_npz(made, source)))), io.BytesIO()
        if name == "rows":
            del held["identifiers"]
        np.savez(damaged, **held | {name: np.array(wrong)})
        with pytest.raises(InvalidEnsembleError, match=f"{name} that are not one for each"):
            load_ensemble(io.BytesIO(damaged.getvalue()))
        with pytest.raises(data.DataError, match=f"its {name} are not one for each of 20"):
            data.read_upload("made.npz", damaged.getvalue(), "labels")
    found = rows(ensemble_csv(made, source, [f"clustering_{m}" for m in (0, 2, 3, 5)]))
    assert (found[0]["object"], found[0]["identifier"], found[0]["clustering_2"]) == ("1", "s0", "")
    read = [[row[f"clustering_{m}"] for m in (0, 2, 3, 5)] for row in found]
    assert Ensemble.from_labels([[-1 if cell == "" else int(cell) for cell in row] for row in read]).fingerprint == (
        made.fingerprint
    )


def test_base_clusterings_leave_under_the_names_they_came_with():
    names = ["gmm", "class", "id", "support", "gmm", "tree"]
    lines = [["who", *names], *([f"s{n}", *row] for n, row in enumerate(random_labels(20, 6, 3).tolist()))]
    content = "\n".join(",".join(map(str, line)) for line in lines).encode()
    roles = {"who": "identifier", **dict.fromkeys(range(1, 7), "clustering")}
    brought = uploads.sheet(uploads.File("runs.csv", content), "labels")
    scene = scene_of(data=uploads.keep(brought, columns_of(brought.table, "labels", roles)).id, k="3", switched_off="0")
    given = ensemble_csv(scene.ensemble, scene.source, headings(scene))
    assert list(rows(given)[0]) == ["object", "identifier", "clustering_1", "clustering_2", "support", "gmm", "tree"]
    back = scene_of(data=uploads.keep_file("back.csv", given, "labels").id, k="3")
    assert back.ensemble.fingerprint == scene.ensemble.fingerprint
    assert back.identifiers.tolist() == scene.identifiers.tolist()


def kept(labels, names=None) -> str:
    """A file of labels (N, M), -1 missing, that was brought; `names` (N,) in a column of identifiers."""
    columns = [[f"m{m}", *("" if one < 0 else one for one in column)] for m, column in enumerate(labels.T)]
    columns = columns if names is None else [["id", *names], *columns]
    lines = [",".join(map(str, line)) for line in zip(*columns, strict=True)]
    return uploads.keep_file("tree.csv", "\n".join(lines).encode(), "labels").id


def test_a_tree_leaves_with_the_names_of_its_objects():
    names = [f"s{place}" if place else "" for place in range(30)]
    scene = scene_of(data=kept(random_labels(30, 5, 3), names), k="3")
    tree, leaf = scene.consensus.trace["dendrogram"], scene.consensus.microclusters.assignment
    text = newick_bytes(scene).decode()
    assert text.endswith(";\n")
    assert tips(text) == {"0", *names[1:]}
    assert hierarchy.is_valid_linkage(np.load(io.BytesIO(linkage_bytes(tree, leaf))), throw=True)


@pytest.mark.parametrize("aside", [False, True])
def test_a_tree_calls_an_object_without_a_name_as_the_table_of_labels_does(aside):
    labels = random_labels(30, 5, 3)
    labels[[0, 3, 7], [0, 2, 1]] = -1
    scene = scene_of(data=kept(labels), k="3").varied(labelled=aside)
    objects = {row["object"] for row in rows(labels_file(scene))}
    assert tips(newick_bytes(scene).decode()) == objects
    assert ("3" in objects) != aside


def tips(text: str) -> set[str]:
    """Names at the leaves of a tree in Newick; here none has signs of its own."""
    return set(re.findall(r"(?<=[(,])\w+(?=:)", text))


def test_the_buttons_are_where_the_things_are(app):
    at = app("consensus", data="iris", m="5")
    assert {"get_labels", "get_script", "get_newick", "get_linkage"} <= {
        button.key for button in at.get("download_button")
    }
    at = app("ensemble", data="iris", m="5")
    assert {"get_ensemble", "get_ensemble_csv"} <= {button.key for button in at.get("download_button")}


CELLS = Path(__file__).parents[2] / "golden/arrays/small.h5ad"


def of_cells(folder, content):
    """What stands in obs and uns of a file that a page gives away, read by anndata."""
    (folder / "out.h5ad").write_bytes(content)
    read = pytest.importorskip("anndata").read_h5ad(folder / "out.h5ad")
    return read.obs, read.uns["concord"]


def test_cells_leave_with_what_was_found(tmp_path):
    upload = uploads.keep_file("small.h5ad", CELLS.read_bytes(), "features")
    scene = scene_of(data=upload.id, m="6", k="2")
    obs, said = of_cells(tmp_path, cells_file(scene, cells_of(upload.id)))
    assert obs["concord_consensus"].tolist() == scene.consensus.labels.astype(str).tolist()
    np.testing.assert_allclose(obs["concord_margin"], scene.firmness.margin)
    assert (said["method"], said["k"], said["m"], said["scaling"]) == ("lwea", 2, 6, scene.config.scaling)
    assert said["generator"]["generator"] == "kmeans"
    assert obs["cell_type"].notna().all()


def test_cells_leave_whatever_column_of_theirs_names_them(tmp_path):
    """A result is written where its cell stands: what names it on pages may be no name in obs."""
    brought = uploads.sheet(uploads.File("small.h5ad", CELLS.read_bytes()), "features")
    chosen = {brought.table.names.index("score"): "identifier"}
    upload = uploads.keep(brought, columns_of(brought.table, "features", chosen), "refuse", chosen)
    scene = scene_of(data=upload.id, m="6", k="2")
    obs, _ = of_cells(tmp_path, cells_file(scene, cells_of(upload.id)))
    assert scene.identifiers.tolist() != obs.index.tolist()
    assert obs["concord_consensus"].tolist() == scene.consensus.labels.astype(str).tolist()


def test_cells_leave_with_the_name_of_the_matrix_that_was_chosen(tmp_path):
    brought = uploads.sheet(uploads.File("small.h5ad", CELLS.read_bytes()), "features", "obsm/X_pca")
    upload = uploads.keep(brought, columns_of(brought.table, "features"))
    scene = scene_of(data=upload.id, m="6", k="2", scaling="none")
    _, said = of_cells(tmp_path, cells_file(scene, cells_of(upload.id)))
    assert (said["matrix"], said["scaling"]) == ("obsm/X_pca", "none")


@pytest.mark.parametrize("name_is_there_twice", [False, True])
def test_cells_that_were_left_out_stay_without_a_value(tmp_path, name_is_there_twice):
    shutil.copyfile(CELLS, tmp_path / "gaps.h5ad")
    with h5py.File(tmp_path / "gaps.h5ad", "r+") as file:
        file["X/data"][0] = np.nan  # of the first cell
        names = file["obs"][file["obs"].attrs["_index"]]
        names[5] = names[6] if name_is_there_twice else names[5]
    upload = uploads.keep_file("gaps.h5ad", (tmp_path / "gaps.h5ad").read_bytes(), "features", "drop")
    assert upload.content.n_objects == 11
    scene = scene_of(data=upload.id, m="6", k="2")
    obs, _ = of_cells(tmp_path, cells_file(scene, cells_of(upload.id)))
    assert obs["concord_consensus"].isna().tolist() == [True] + 11 * [False]
    assert obs["concord_margin"].isna().sum() == 1
    assert obs["concord_consensus"].tolist()[1:] == scene.consensus.labels.astype(str).tolist()


def test_a_file_of_the_folder_is_copied_and_others_have_no_cells(tmp_path, monkeypatch, app):
    monkeypatch.setenv("CONCORD_DATA", str(tmp_path))
    shutil.copyfile(CELLS, tmp_path / "mine.h5ad")
    obs, _ = of_cells(tmp_path, cells_file(scene_of(data="mine", m="6", k="2"), cells_of("mine")))
    assert "concord_consensus" in obs
    assert cells_of("iris") is None
    buttons = [
        {one.proto.label for one in app("consensus", data=name).get("download_button")} for name in ("mine", "iris")
    ]
    assert ["AnnData (H5AD)" in some for some in buttons] == [True, False]
