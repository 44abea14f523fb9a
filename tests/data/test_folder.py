import os
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat

import data
from tests.data.samples import FEATURES, LABELS, MEMBERS, csv, mat, npy, npz, parquet
from tests.data.small_folder import PUBLISHED, SMALL, write_small_folder

BUNDLED = 12


@pytest.fixture
def folder(tmp_path, monkeypatch):
    root = tmp_path / "sets"
    (root / "deep" / "er").mkdir(parents=True)
    monkeypatch.setenv("CONCORD_DATA", str(root))
    return root


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    """The published folder and the shapes in it; without it, small files of the same names."""
    if given := os.environ.get("CONCORD_DATA"):
        yield Path(given), PUBLISHED
        return
    root = write_small_folder(tmp_path_factory.mktemp("published"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CONCORD_DATA", str(root))
        yield root, SMALL


def test_names_are_paths_without_extension(folder):
    for path in ("b.csv", "a.npy", "deep/er/c.txt", "README.md", "README.txt", ".hidden.csv", "deep/image.png"):
        (folder / path).write_bytes(csv(" "))
    assert data.catalog()[BUNDLED:] == ["a", "b", "deep/er/c"]
    assert data.title("deep/er/c") == "c (deep/er)"


@pytest.mark.parametrize("graphs", [False, True])
def test_a_menu_of_all_looks_once_and_says_what_each_says(folder, monkeypatch, graphs):
    for path in ("b.csv", "a.npy", "deep/er/c.txt"):
        (folder / path).write_bytes(csv(" "))
    found = data.titles(graphs)
    assert found == {name: data.title(name) for name in data.catalog(graphs)}
    looks, walk = [], os.walk
    monkeypatch.setattr(os, "walk", lambda *given: looks.append(given) or walk(*given))
    assert data.titles(graphs) == found
    assert len(looks) == 1


def test_a_name_is_never_used_twice(folder):
    for path in ("iris.csv", "a.csv", "a.npy", "a.csv.txt"):
        (folder / path).write_bytes(csv())
    names = data.catalog()
    assert len(set(names)) == len(names)
    assert names[BUNDLED:] == ["a.csv", "a.csv.txt", "a.npy", "iris.csv"]
    assert data.load("iris").n_objects == 150
    assert data.load("iris.csv").n_objects == len(FEATURES)


def test_no_file_is_opened_for_the_catalog(folder):
    (folder / "broken.mat").write_bytes(b"nonsense")
    assert "broken" in data.catalog()
    with pytest.raises(data.DataError, match="not a MAT file"):
        data.load("broken")


def test_files_outside_the_folder_stay_outside(folder):
    (folder.parent / "outside.csv").write_bytes(csv())
    for name in ("../outside", "../outside.csv", str(folder.parent / "outside")):
        with pytest.raises(data.DataError, match="There is no data set"):
            data.load(name)


def test_members_make_a_pool(folder):
    (folder / "pool.mat").write_bytes(mat(members=MEMBERS, gt=LABELS))
    (folder / "deep" / "pool.npz").write_bytes(npz(members=MEMBERS))
    (folder / "plain.npy").write_bytes(npy(FEATURES))
    assert isinstance(data.load("pool"), data.Pool)
    assert data.load("deep/pool").labels is None
    assert data.load("deep/pool").name == "deep/pool"
    assert isinstance(data.load("plain"), data.Dataset)


@pytest.mark.parametrize("repeated", [LABELS, (LABELS + 1) % 3 + 1])
def test_labels_beside_a_set(folder, repeated):
    np.savetxt(folder / "s.txt", np.column_stack([FEATURES, repeated]))
    np.savetxt(folder / "s_label.txt", LABELS, fmt="%d")
    assert data.catalog()[BUNDLED:] == ["s"]
    dataset = data.load("s")
    assert np.array_equal(dataset.labels, LABELS)
    assert dataset.features == pytest.approx(FEATURES)
    assert any("repeated the labels" in note for note in dataset.notes)


def test_a_last_column_that_differs_from_the_labels_stays(folder):
    other = LABELS.copy()
    other[0] = (other[0] + 1) % 3
    np.savetxt(folder / "s.txt", np.column_stack([FEATURES, other]))
    np.savetxt(folder / "s_label.txt", LABELS, fmt="%d")
    assert data.load("s").n_features == 4


def test_labels_of_another_length_are_refused(folder):
    np.savetxt(folder / "s.txt", FEATURES)
    np.savetxt(folder / "s_label.txt", LABELS[:-1], fmt="%d")
    with pytest.raises(data.DataError, match="39 rows and 1 columns"):
        data.load("s")


def test_a_label_file_alone_is_a_set(folder):
    np.savetxt(folder / "s_label.txt", LABELS, fmt="%d")
    assert data.catalog()[BUNDLED:] == ["s_label"]


def test_a_folder_that_is_not_there(monkeypatch, tmp_path):
    monkeypatch.setenv("CONCORD_DATA", str(tmp_path / "none"))
    assert len(data.catalog()) == BUNDLED


def test_nothing_shows_where_the_folder_is(folder):
    (folder / "s.csv").write_bytes(csv())
    dataset = data.load("s")
    assert str(folder.parent) not in f"{dataset.source} {dataset.notes} {data.title('s')}"


def test_published_sets_are_all_listed(published):
    assert set(PUBLISHED) <= set(data.catalog())


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_set(published, name):
    folder, shapes = published
    found = data.load(name)
    table = found.members if name.startswith("pools") else found.features
    assert table.shape == shapes[name]
    assert found.labels.shape == (len(table),)
    assert found.name == name
    if (path := folder / f"{name}.mat").is_file():
        read = loadmat(path)
        assert np.array_equal(table, read[next(key for key in ("members", "fea", "X") if key in read)])
        assert np.array_equal(found.labels, read["Y" if "Y" in read else "gt"].ravel())


def test_long_files_of_whole_numbers_and_members_are_pools(folder, monkeypatch):
    whole, short = np.arange(400).reshape(200, 2) % 7, np.arange(40).reshape(20, 2) % 3
    for module in ("numpy_files", "parquet"):
        monkeypatch.setattr(f"data.readers.{module}.MAX_FEATURE_ROWS", 100)
    (folder / "long.npy").write_bytes(npy(whole))
    (folder / "by_columns.npy").write_bytes(npy(np.asfortranarray(whole)))
    (folder / "short.npy").write_bytes(npy(short))
    (folder / "measured.npy").write_bytes(npy(whole + 0.5))
    (folder / "few_members.npy").write_bytes(npy(short))
    (folder / "table.parquet").write_bytes(parquet({"a": whole[:, 0], "b": whole[:, 1]}))
    (folder / "mixed.parquet").write_bytes(parquet({"a": whole[:, 0], "b": whole[:, 1] + 0.5}))
    pools = [name for name in data.catalog()[BUNDLED:] if isinstance(data.load(name), data.Pool)]
    assert pools == ["by_columns", "few_members", "long", "table"]
    assert data.load("long").members.tolist() == data.load("by_columns").members.tolist() == whole.tolist()
