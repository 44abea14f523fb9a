import json
import stat
import threading
import time

import numpy as np
import pytest

import data
from data.openml import cache, loading
from data.reading import elsewhere
from data.reading.elsewhere import Elsewhere
from tests.data.openml_server import OpenML

pytestmark = pytest.mark.long

NUMBER, CLASS = ("REAL", ()), ("{b,a}", ("is_target",))
ROWS = ["1.5,2,b", "2.5,2,a", "3.5,4,b"]


@pytest.fixture
def far(monkeypatch, tmp_path):
    """OpenML's stand-in, asked by a process of its own."""
    stand_in = OpenML()
    stand_in.in_place_of_the_real_one(monkeypatch, tmp_path)
    monkeypatch.delenv("CONCORD_DATA", raising=False)
    yield stand_in
    stand_in.stop()


@pytest.fixture
def server(far, monkeypatch):
    """The same, asked by this process: what is read is the same, and nobody waits for another to start."""
    monkeypatch.setattr(Elsewhere, "openml", lambda self, did, name: data.HERE.openml(did, name))
    return far


@pytest.fixture
def plants(server):
    server.add(7, "Plants", 1, {"width": NUMBER, "height": NUMBER, "class": CLASS}, ROWS)
    return server


def test_features_and_classes_are_read(plants):
    found = data.load_openml("Plants", 1)
    np.testing.assert_array_equal(found.features, [[1.5, 2], [2.5, 2], [3.5, 4]])
    np.testing.assert_array_equal(found.labels, [1, 0, 1])
    assert found.feature_names == ("width", "height")
    assert found.name == "openml/plants/1"
    assert found.source == "OpenML, data set 7: plants, version 1"
    assert found.notes == ("Labels are taken from column 'class' (0 = a, 1 = b).",)


def test_what_was_loaded_is_not_asked_for_again(plants):
    first = data.load_openml("Plants", 1)
    asked = len(plants.asked)
    plants.stop()
    again = data.load("openml/plants/1")
    assert len(plants.asked) == asked
    np.testing.assert_array_equal(again.features, first.features)


def test_the_catalog_lists_what_is_in_the_cache_alone(plants):
    plants.add(8, "Other", 3, {"width": NUMBER, "class": CLASS}, ["1,a", "2,b"])
    before = data.catalog()
    assert not any(name.startswith("openml/") for name in before)
    data.load("openml/Plants/1")
    asked = len(plants.asked)
    assert data.catalog() == [*before, "openml/plants/1"]
    assert len(plants.asked) == asked


def test_titles_need_no_connection(server):
    assert data.title("openml/iris/1") == "iris (OpenML, version 1)"
    assert data.title("openml/iris/1/drop") == "iris (OpenML, version 1, rows with gaps dropped)"
    assert server.asked == []


@pytest.mark.parametrize(
    "name",
    [
        "openml/",
        "openml/iris",
        "openml/iris/0",
        "openml/iris/x",
        "openml/iris/1/guess",
        "openml/../../etc/1",
        "openml/a;b/1",
    ],
)
def test_names_of_another_form_are_refused(server, name):
    with pytest.raises(data.DataError, match="named like openml/iris/1|is no name on OpenML"):
        data.load(name)
    assert server.asked == []


def test_one_active_version_needs_no_number(plants):
    plants.add(9, "Plants", 2, {"width": NUMBER}, ["1", "2"], status="deactivated")
    assert data.load_openml("plants").name == "openml/plants/1"


def test_several_active_versions_are_named(plants):
    plants.add(9, "Plants", 3, {"width": NUMBER}, ["1", "2"])
    with pytest.raises(data.DataError, match=r"several active versions of plants: 1, 3\. Say which"):
        data.load_openml("plants")


def test_a_withdrawn_version_is_read_with_a_note(server):
    server.add(7, "plants", 1, {"width": NUMBER, "class": CLASS}, ["1,a", "2,b"], status="deactivated")
    with pytest.warns(UserWarning, match="inactive"):
        found = data.load_openml("plants", 1)
    assert found.notes[0] == "OpenML lists this version as deactivated."


def test_an_unknown_name_or_version_is_refused(plants):
    with pytest.raises(data.DataError, match="no active data set nobody in version 1"):
        data.load_openml("nobody", 1)
    with pytest.raises(data.DataError, match="no active data set plants in version 2"):
        data.load_openml("plants", 2)
    with pytest.raises(data.DataError, match=r"no active data set nobody\."):
        data.load_openml("nobody")


@pytest.mark.parametrize(("told", "said"), [((200_001, 3), "200,001 rows"), ((10, 10_002), "10,001 columns")])
def test_what_is_too_large_is_refused_before_its_data_are_asked_for(server, told, said):
    server.add(7, "plants", 1, {"width": NUMBER, "class": CLASS}, ["1,a", "2,b"], told=told)
    with pytest.raises(data.DataError, match=said):
        data.load_openml("plants", 1)
    assert len(server.asked) == 1


def test_categories_become_columns_of_0_and_1(server):
    columns = {"colour": ("{red,blue,green}", ()), "size": NUMBER, "class": CLASS}
    server.add(7, "plants", 1, columns, ["red,1,a", "green,2,b", "red,3,b"])
    found = data.load_openml("plants", 1)
    assert found.feature_names == ("colour = green", "colour = red", "size")
    np.testing.assert_array_equal(found.features, [[0, 1, 1], [1, 0, 2], [0, 1, 3]])
    assert "1 column of categories became columns of 0 and 1." in found.notes


def test_categories_that_are_numbers_stay_numbers(server):
    server.add(7, "plants", 1, {"level": ("{1,2,10}", ()), "class": ("{1,2}", ("is_target",))}, ["10,2", "1,1", "2,2"])
    found = data.load_openml("plants", 1)
    np.testing.assert_array_equal(found.features.ravel(), [10, 1, 2])
    np.testing.assert_array_equal(found.labels, [2, 1, 2])


def test_text_is_refused_by_name(server):
    server.add(7, "plants", 1, {"remark": ("STRING", ()), "class": CLASS}, ["tall,a", "small,b"])
    with pytest.raises(data.DataError, match=r"Text where numbers belong, in 1 column: remark"):
        data.load_openml("plants", 1)


def test_rows_and_columns_openml_ignores_are_no_features(server):
    columns = {"id": ("INTEGER", ("is_row_identifier",)), "width": NUMBER, "class": CLASS}
    server.add(7, "plants", 1, columns, ["1,5,a", "2,6,b"])
    assert data.load_openml("plants", 1).feature_names == ("width",)


def test_missing_values_are_refused_dropped_or_filled(server):
    columns = {"width": NUMBER, "colour": ("{red,blue}", ()), "class": CLASS}
    server.add(7, "plants", 1, columns, ["1,red,a", "?,blue,b", "5,?,b", "3,blue,a"])
    with pytest.raises(data.MissingValuesError) as caught:
        data.load("openml/plants/1")
    assert (caught.value.rows, caught.value.count) == ((2, 3), 3)
    assert caught.value.columns == ("column 'width'", "column 'colour = blue'", "column 'colour = red'")
    dropped = data.load("openml/plants/1/drop")
    np.testing.assert_array_equal(dropped.features, [[1, 0, 1], [3, 1, 0]])
    np.testing.assert_array_equal(dropped.labels, [0, 0])
    assert dropped.name == "openml/plants/1/drop"
    filled = data.load("openml/plants/1/mean")
    np.testing.assert_allclose(filled.features[1:3], [[3, 1, 0], [5, 2 / 3, 1 / 3]])


@pytest.mark.parametrize(
    ("target", "rows", "note"),
    [
        (("REAL", ("is_target",)), ["1,2.5", "2,3.5"], "'y' is a measurement"),
        (("REAL", ()), ["1,2.5", "2,3.5"], "OpenML names no target here"),
    ],
)
def test_without_classes_there_are_no_labels(server, target, rows, note):
    server.add(7, "plants", 1, {"x": NUMBER, "y": target}, rows)
    found = data.load_openml("plants", 1)
    assert found.labels is None
    assert note in found.notes[0]


def test_nobody_listening_is_said_calmly(plants):
    plants.stop()
    with pytest.raises(data.DataError, match=r"OpenML cannot be reached \(.*refused.*\)\. Check the connection"):
        data.load_openml("plants", 1)


DATA, FEATURES, LIST = (
    "/data/v1/download/7/Plants.arff",
    "/api/v1/json/data/features/7",
    ("/api/v1/json/data/list/data_name/plants/limit/100/data_version/1"),
)


@pytest.mark.filterwarnings("ignore:Invalid cache:RuntimeWarning", "ignore:A network error:UserWarning")
@pytest.mark.parametrize("path", [DATA, FEATURES, LIST])
def test_an_answer_that_breaks_off_is_damaged_and_mended_by_another_try(plants, path):
    plants.cut.add(path)
    with pytest.raises(data.DataError, match="damaged or cut off"):
        data.load_openml("plants", 1)
    assert not cache.cached_names()
    plants.cut.clear()
    assert data.load_openml("plants", 1).n_objects == 3


@pytest.mark.filterwarnings("ignore:Invalid cache:RuntimeWarning")
@pytest.mark.parametrize(
    ("path", "answer"),
    [
        (DATA, b"@RELATION other\n@ATTRIBUTE width REAL\n@DATA\n1\n"),
        (FEATURES, b"<html>a proxy's page</html>"),
        (FEATURES, b'{"data_features": {}}'),
        (LIST, b"[]"),
        (LIST, b'{"data": {"dataset": 3}}'),
        (LIST, b'{"data": {"dataset": [{"version": 1}]}}'),
    ],
)
def test_other_contents_are_damaged(plants, path, answer):
    plants.answers[path] = answer
    with pytest.raises(data.DataError, match="damaged or cut off"):
        data.load_openml("plants", 1)


@pytest.mark.filterwarnings("ignore:A network error:UserWarning")
@pytest.mark.parametrize("path", [LIST, "/data/v1/download/7/Plants.arff"])
def test_a_server_in_trouble_is_named_by_its_error(plants, path):
    plants.answers[path] = 503
    with pytest.raises(data.DataError, match=r"OpenML cannot answer now \(error 503\)"):
        data.load_openml("plants", 1)


def test_sparse_sets_are_refused(plants):
    described = json.loads(plants.answers["/api/v1/json/data/7"])
    described["data_set_description"]["format"] = "Sparse_ARFF"
    plants.answers["/api/v1/json/data/7"] = json.dumps(described).encode()
    with pytest.raises(data.DataError, match="stored as a sparse matrix"):
        data.load_openml("plants", 1)


def test_a_damaged_note_in_the_cache_is_passed_over(plants, tmp_path):
    data.load_openml("plants", 1)
    (note,) = (tmp_path / "openml" / "names").iterdir()
    note.write_text("{")
    assert not cache.cached_names()
    assert data.load_openml("plants", 1).n_objects == 3
    assert cache.cached_names() == ["openml/plants/1"]


@pytest.mark.parametrize("lost", ["Plants.arff.gz", "data/7.gz", "features/7.gz", "qualities/7.gz"])
def test_a_set_whose_files_are_gone_is_far_again(plants, tmp_path, lost):
    data.load_openml("plants", 1)
    assert not data.is_far("openml/plants/1")
    (file,) = (path for path in (tmp_path / "openml").rglob("*.gz") if path.as_posix().endswith(f"/{lost}"))
    file.unlink()
    assert data.is_far("openml/plants/1")
    assert not cache.cached_names()
    assert data.load_openml("plants", 1).n_objects == 3
    assert not data.is_far("openml/plants/1")


def test_a_note_of_an_earlier_version_counts_as_whole(plants, tmp_path):
    data.load_openml("plants", 1)
    (note,) = (tmp_path / "openml" / "names").iterdir()
    note.write_text(json.dumps({"name": "plants", "version": 1, "did": 7}))
    assert not data.is_far("openml/plants/1")
    assert cache.cached_names() == ["openml/plants/1"]


def test_the_cache_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("CONCORD_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "concord" / "openml"
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path / "own"))
    assert cache.folder() == tmp_path / "own" / "openml"


def test_the_cache_is_its_owners_alone(plants, tmp_path):
    (tmp_path / "openml").mkdir(mode=0o755)
    data.load_openml("plants", 1)
    assert stat.S_IMODE((tmp_path / "openml").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "path", ["/api/v1/json/data/list/data_name/plants/limit/100/data_version/1", "/data/v1/download/7/Plants.arff"]
)
def test_a_download_can_be_let_go(plants, path):
    class StopError(Exception):
        pass

    def stop():
        if path in plants.asked:
            raise StopError

    plants.slow[path] = threading.Event()
    begun = time.monotonic()
    with pytest.raises(StopError):
        data.load_openml("plants", 1, meanwhile=stop)
    assert time.monotonic() - begun < 5
    plants.slow.pop(path).set()
    assert data.load_openml("plants", 1, meanwhile=lambda: None).n_objects == 3


def test_a_cache_that_cannot_be_written_is_named(plants, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path / "file"))
    with pytest.raises(data.DataError, match="The cache folder .* cannot be used"):
        data.load_openml("plants", 1)


def test_the_loader_asks_the_real_server_where_nobody_stands_in():
    assert loading._LIST.startswith("https://www.openml.org/")


COLUMNS = {"width": NUMBER, "colour": ("{red,blue}", ()), "class": CLASS}
MIXED = ["1.5,red,b", "?,blue,a", "3.5,?,b", "2,red,a"]


@pytest.fixture
def started(monkeypatch):
    """The processes that read."""
    found, before = [], elsewhere._started
    monkeypatch.setattr(elsewhere, "_started", lambda *given: found.append(before(*given)) or found[-1])
    return found


def test_a_process_of_its_own_reads_the_same(far, started, tmp_path):
    far.add(7, "plants", 1, COLUMNS, MIXED, status="deactivated")
    with pytest.warns(UserWarning, match="inactive"):
        there = data.load_openml("plants", 1, "mean")
    assert started[0].poll() is not None
    asked = len(far.asked)
    with pytest.warns(UserWarning, match="inactive"):
        here = data.load_openml("plants", 1, "mean", reading=data.HERE)
    assert len(started) == 1
    assert len(far.asked) == asked  # both know one cache
    np.testing.assert_array_equal(there.features, here.features)
    np.testing.assert_array_equal(there.labels, here.labels)
    for said in ("name", "source", "feature_names", "notes", "class_names"):
        assert getattr(there, said) == getattr(here, said)


@pytest.mark.filterwarnings("ignore:Invalid cache:RuntimeWarning", "ignore:A network error:UserWarning")
@pytest.mark.parametrize(
    ("path", "answer", "said"), [(DATA, 503, r"error 503\)"), (FEATURES, b"<html>", "damaged or cut off")]
)
def test_its_refusals_are_the_same(far, path, answer, said):
    far.add(7, "Plants", 1, COLUMNS, MIXED)
    far.answers[path] = answer
    with pytest.raises(data.DataError, match=said):
        data.load_openml("plants", 1)


def test_a_set_that_takes_too_much_memory_takes_nobody_with_it(far, monkeypatch):
    far.add(7, "Plants", 1, {f"x{i}": NUMBER for i in range(400)}, [",".join("1" * 400)] * 20_000, told=(10, 10))
    monkeypatch.setattr(elsewhere, "MOST_BYTES", 2**20)
    monkeypatch.setattr(elsewhere, "SLACK", 2**20)
    with pytest.raises(data.DataError, match="plants takes more memory than there is"):
        data.load_openml("plants", 1)


@pytest.mark.long
def test_a_set_that_never_comes_is_given_up(far, started, monkeypatch):
    far.add(7, "Plants", 1, COLUMNS, MIXED)
    far.slow[DATA] = threading.Event()
    monkeypatch.setattr(elsewhere, "_SILENCE_OF_OPENML", 1.0)
    with pytest.raises(data.DataError, match="Nothing was heard of the reader of plants for 1 s"):
        data.load_openml("plants", 1)
    far.slow.pop(DATA).set()
    assert started[0].poll() is not None


def test_whoever_stops_ends_the_process(far, started):
    far.add(7, "Plants", 1, COLUMNS, MIXED)
    far.slow[DATA] = threading.Event()

    class Impatient(Elsewhere):
        def meanwhile(self):
            if DATA in far.asked:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        data.load_openml("plants", 1, reading=Impatient())
    far.slow.pop(DATA).set()
    assert started[0].poll() is not None
