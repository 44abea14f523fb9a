"""Files a person brings on the Data page: roles of columns, all faults at once, and the file's names everywhere."""

import shutil
import threading
from types import SimpleNamespace

import numpy as np
import pytest

from data.roles import columns_of
from data.uploads import open_table, read_upload
from engine import TooLargeError
from tests.app.conftest import ROOT, executed, words
from ui.compute import reading, uploads
from ui.data import bringing
from ui.export.script import script as script_of
from ui.figures.numbering import object_keys, object_names
from ui.scene import Scene
from ui.session.run_config import from_query
from ui.session.state import page_file
from ui.why import Pair, votes
from ui.widgets import progress

PLANTS = b"plant,width,height,site\n" + b"\n".join(
    b"plant %d,%.2f,%.2f,%s" % (i, i % 7 + i / 50, i % 5, b"north" if i % 2 else b"south") for i in range(30)
)
HOLEY = PLANTS.replace(b"plant 3,", b"plant 3,oops")
POOL = b"who,km,gmm,tree\n" + b"\n".join(b"ann%d,%d,%d,%d" % (i, i % 3, i % 2, i // 10) for i in range(30))


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """Files are read in another process; here a page waits until it has."""
    monkeypatch.setattr(progress, "PATIENCE", 30)


def bring(app, content, kind="features", **query):
    """The Data page with a file in its uploader."""
    at = app("data", **query)
    if kind == "labels":
        at.radio(key="upload_kind").set_value("labels").run()
    at.file_uploader(key=f"file_{kind}").set_value(("plants.csv", content, "text/csv")).run()
    assert not at.exception
    return at


def roles(at):
    """The table of roles as it stands."""
    (table,) = [one for one in at.data_editor if one.key.startswith("column_roles_")]
    return table


def edited(at, row, role):
    """The page after one role was changed in the table."""
    at.session_state[roles(at).key] = {"edited_rows": {row: {"role": role}}, "added_rows": [], "deleted_rows": []}
    at.run()
    assert not at.exception
    return at


def test_a_file_for_which_others_left_no_room_can_be_tried_again(app, monkeypatch):

    def refused(what, n_bytes):
        raise TooLargeError(what, n_bytes, n_bytes // 2, in_use=n_bytes // 2)

    content = PLANTS + b"\nplant 30,1,2,east"  # what no test has read before
    with monkeypatch.context() as full:
        full.setattr(reading, "require_memory", refused)
        at = bring(app, content)
        assert "once others have closed their pages" in at.error[0].value
    at.button(key="again_sheet").click().run()
    assert not at.error
    assert "31 objects with 2 features" in words(at)


def test_a_file_that_needs_no_decision_is_used_at_once(app):
    at = bring(app, PLANTS)
    assert roles(at).value["role"].tolist() == ["identifier", "feature", "feature", "class"]
    assert roles(at).value["first rows"][0] == "plant 0, plant 1, plant 2, plant 3, plant 4"
    assert "30 objects with 2 features" in words(at)
    assert "2 classes" in words(at)
    config = at.session_state.run_config
    assert Scene(config).source.identifiers[3] == "plant 3"


def test_another_role_makes_another_data_set_of_the_same_file(app):
    at = edited(bring(app, PLANTS), 3, "ignore")
    assert "Classes** are not known" in words(at)
    assert roles(at).value["what is done"].tolist() == ["", "", "", "left out"]
    assert len(at.session_state["uploads"]) == 1
    at = edited(at, 2, "class")
    assert "with 1 feature.**" in words(at)
    assert "5 classes" in words(at)


def test_a_new_class_takes_the_place_of_the_old_one(app):
    assert roles(edited(bring(app, PLANTS), 2, "class")).value["role"].tolist()[2:] == ["class", "ignore"]


def test_all_faults_are_counted_at_once_and_wait_for_a_decision(app):
    lines = PLANTS.split(b"\n")
    lines[2], lines[5], lines[9] = b"plant 1,,1,north", b"plant 4,wide,4,south", b"plant 8,3,inf,"
    at = bring(app, b"\n".join(lines))
    table = roles(at).value
    assert table[["empty", "text", "infinite"]].to_numpy().tolist() == [[0, 0, 0], [1, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert table["what is done"].tolist() == ["", "undecided", "undecided", "undecided"]
    assert "4 cells in 3 columns cannot be used. Drop their 3 rows" in words(at)
    assert "what is shown below is not this file" in words(at)
    assert "moons" in at.session_state.run_config.data
    at.radio(key="upload_missing").set_value("mean").run()
    assert "undecided: drop rows or ignore" in roles(at).value["what is done"].tolist()
    at.radio(key="upload_missing").set_value("drop").run()
    assert "27 objects with 2 features" in words(at)
    assert "3 of 30 rows are dropped" in words(at)


def test_what_to_do_about_faults_stays_chosen_while_the_columns_are_looked_at_again(app, monkeypatch):
    at = bring(app, PLANTS.replace(b"\nplant 3,", b"\nplant 3,?"))
    at.radio(key="upload_missing").set_value("drop").run()
    again = threading.Event()
    look = uploads.columns_of
    monkeypatch.setattr(uploads, "columns_of", lambda *given: again.wait(20) and look(*given))
    monkeypatch.setattr(progress, "PATIENCE", 0)
    at = edited(at, 3, "ignore")
    assert not [one for one in at.radio if one.key == "upload_missing"]  # the table is not there yet
    again.set()
    monkeypatch.setattr(progress, "PATIENCE", 30)
    at.run()
    assert at.radio(key="upload_missing").value == "drop"
    assert "29 objects with 2 features" in words(at)


def test_a_refusal_leaves_the_table_and_the_page(app):
    at = bring(app, b"a,b\n1,x\n2,x\n")
    at = edited(at, 0, "ignore")
    assert "zero columns" in at.error[0].value
    assert roles(at).value["role"].tolist() == ["ignore", "ignore"]


def test_the_script_reads_the_file_as_the_page_does(app, tmp_path):
    sheet = uploads.sheet(uploads.File("plants.csv", PLANTS), "features")
    given = {2: "ignore", 3: "identifier", 0: "ignore"}
    upload = uploads.keep(sheet, columns_of(sheet.table, "features", given), "refuse", given)
    (tmp_path / "plants.csv").write_bytes(PLANTS)
    config, _ = from_query({"data": upload.id, "m": "4", "k": "2"})
    scope = executed(script_of(Scene(config.with_(k=2))), tmp_path)
    assert scope["source"].fingerprint == upload.content.fingerprint
    assert scope["ensemble"].fingerprint == Scene(config).ensemble.fingerprint


@pytest.fixture
def plants():
    return uploads.keep_file("plants.csv", PLANTS, "features").id


@pytest.fixture
def pool():
    sheet = uploads.sheet(uploads.File("pool.csv", POOL), "labels")
    return uploads.keep(sheet, columns_of(sheet.table, "labels", {"who": "identifier"})).id


def hovers(at):
    """Every text that a point of a figure shows on hover by itself."""
    import json

    specs = [json.loads(one.proto.spec) for one in at.get("plotly_chart")]
    traces = [trace for spec in specs for trace in spec["data"]]
    return [
        text
        for trace in traces
        for word in ("hovertext", "text")
        for text in trace.get(word) or ()
        if isinstance(text, str)
    ]


@pytest.mark.parametrize("page", ["data", "consensus", "start"])
def test_objects_are_named_on_hover(app, page, plants):
    assert "plant 17" in hovers(app(page, data=plants, m="4", k="2"))


def test_objects_are_named_in_matrices_tables_and_why(app, plants):
    assert any(text.startswith("plant 3 (class ") for text in hovers(app("matrices", data=plants, m="4", k="2")))
    at = app("consensus", data=plants, m="4", k="2", pick="3-5")
    assert "Picked: 3 objects (plant 3, plant 4, plant 5)" in words(at)
    assert any(str(one.value.index[0]).startswith("plant ") for one in at.dataframe)
    at = app("matrices", data=plants, m="4", k="2", pair="3.4")
    assert "i is **plant 3** and j is **plant 4**" in words(at)
    assert list(app("data", data=plants).dataframe[0].value.index[:2]) == ["plant 0", "plant 1"]


def test_base_clusterings_are_named_as_in_the_file(app, pool):
    at = app("ensemble", data=pool, m="3", k="2")
    (table,) = [one.value for one in at.data_editor if one.key.startswith("switches")]
    assert table.index.tolist() == ["km", "gmm", "tree"]
    assert any(text.startswith("base clustering gmm, ") for text in hovers(at))
    config, _ = from_query({"data": pool, "m": "3"})
    config = config.with_(switched_off=(0,))
    scene = Scene(config)
    assert scene.clustering_keys == ["gmm", "tree"]
    assert set(votes(Pair(0, 1, scene))["no."]) == {"gmm", "tree"}


def test_a_draw_from_a_pool_keeps_the_names_of_its_columns(pool):
    config, _ = from_query({"data": pool, "m": "2", "seed": "3"})
    scene = Scene(config)
    members = scene.source.members
    for name, column in zip(scene.clustering_keys, scene.ensemble.labels.T, strict=True):
        own = members[:, ["km", "gmm", "tree"].index(name)]
        assert len(set(zip(own.tolist(), column.tolist(), strict=True))) == len(set(own.tolist()))


def test_without_names_there_are_numbers():
    config, _ = from_query({"data": "iris", "m": "6"})
    config = config.with_(switched_off=(1, 3))
    assert Scene(config).clustering_names[:2] == ["base clustering 1", "base clustering 3"]
    assert object_names([0, 1200], None) == ["object 1", "object 1,201"]
    assert object_keys(np.array([3]), None) == [4]
    assert object_keys(np.array([0, 1]), np.array(["a", ""], object)) == ["a", "2"]  # a column of a table has one type


def test_words_of_a_file_are_no_markup(app):
    content = PLANTS.replace(b"plant 3,", b"*a* <b>,")
    at = app("consensus", data=uploads.keep_file("odd.csv", content, "features").id, m="4", k="2", pick="3-4")
    assert r"(\*a\* \<b\>, plant 4)" in words(at)
    assert "*a* &lt;b&gt;" in hovers(at)


def test_an_anndata_file_lets_one_choose_its_matrix(app, tmp_path):
    small = ROOT / "tests/golden/arrays/small.h5ad"
    at = app("data")
    at.file_uploader(key="file_features").set_value(("small.h5ad", small.read_bytes(), "")).run()
    assert "12 objects with 4 features" in words(at)
    at.selectbox(key="upload_matrix").set_value("obsm/X_pca").run()
    assert "12 objects with 2 features" in words(at)
    assert len(at.session_state["uploads"]) == 1
    shutil.copy(small, tmp_path)
    scope = executed(script_of(Scene(at.session_state.run_config.with_(m=3).with_(k=2))), tmp_path)
    assert scope["source"].feature_names == ("X_pca 1", "X_pca 2")


def test_roles_have_a_word_each():
    assert set(bringing.ROLE_NAMES) == {"feature", "clustering", "class", "answer", "identifier", "ignore"}


def test_a_file_that_was_let_go_is_taken_again(app, monkeypatch):
    at, gone, kept, keep = bring(app, PLANTS), [False], [], uploads.keep
    monkeypatch.setattr(uploads, "is_here", lambda id: gone.pop() if gone else True)
    monkeypatch.setattr(uploads, "keep", lambda *args: kept.append(1) or keep(*args))
    at.run()
    assert not at.exception
    assert "30 objects with 2 features" in words(at)
    assert kept == [1]


@pytest.mark.parametrize("kind", ["features", "labels", "graph"])
@pytest.mark.parametrize("name", ["book.xlsx", "table.csv.gz", "notes"])
def test_a_kind_of_file_that_is_not_read_is_refused_with_a_way_out(app, kind, name):
    at = app("data")
    at.radio(key="upload_kind").set_value(kind).run()
    at.file_uploader(key=f"file_{kind}").set_value((name, b"PK\x03\x04", "")).run()
    said = " ".join(one.value for one in at.error)
    assert ("hold no graph" if kind == "graph" else "are not read here") in said
    assert "Save it as one of .csv" in said


def test_rows_that_are_dropped_are_those_that_are_said_to_be():
    content = b"a,b\n0,1\n,\n1,wide\n1,0\n0,1\n"
    table = open_table("a.csv", content, "labels")
    said = bringing.to_decide(SimpleNamespace(table=table, kind="labels"), columns_of(table, "labels"), "drop")
    assert said.endswith("; 2 of 5 rows are dropped.")
    assert read_upload("a.csv", content, "labels", "drop").rows.tolist() == [0, 3, 4]


def test_a_file_that_waits_for_a_decision_is_still_there_after_other_pages(app):
    at = bring(app, HOLEY)
    assert "Until that is decided" in words(at)
    at.switch_page(page_file("consensus")).run().switch_page(page_file("data")).run()
    assert "plants.csv" in words(at)
    assert "not taken over yet" in words(at)
    at.radio(key="upload_missing").set_value("drop").run()
    assert "29 objects with 2 features" in words(at)
    assert "was read and is shown below" in at.success[0].value  # and can be taken over in another way
    assert "not taken over yet" not in words(at)
    at.radio(key="upload_missing").set_value("refuse").run()
    assert "Until that is decided" in words(at)
    at.switch_page(page_file("consensus")).run().switch_page(page_file("data")).run()
    assert "not taken over yet" in words(at)
    at.radio(key="upload_missing").set_value("drop").run()
    at.switch_page(page_file("consensus")).run().switch_page(page_file("data")).run()  # taken over: nothing more to say
    assert "not taken over yet" not in words(at)
    assert not at.exception


def test_a_file_of_before_can_be_let_go(app):
    at = bring(app, HOLEY)
    at.switch_page(page_file("consensus")).run().switch_page(page_file("data")).run()
    at.button(key="let_file_go").click().run()
    assert "Until that is decided" not in words(at)
    assert "Nothing leaves this machine" in words(at)
