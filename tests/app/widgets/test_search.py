"""Tables show their first rows; a search finds the others."""

import numpy as np
import pytest

from data.roles import columns_of
from tests.app.conftest import words
from ui.compute import uploads
from ui.widgets.search import ROWS, holding


def preview(at):
    return next(frame.value for frame in at.dataframe if str(frame.key).startswith("preview_"))


@pytest.fixture
def garden():
    """900 plants, every third a tulip."""
    rows = "\n".join(f"{'rose' if i % 3 else 'Tulip'}-{i},{'ab'[i % 2]},{i * 0.5},{i % 7}" for i in range(900))
    content = f"name,class,x,y\n{rows}\n".encode()
    sheet = uploads.sheet(uploads.File("garden.csv", content), "features")
    given = {"name": "identifier", "class": "class"}
    return uploads.keep(sheet, columns_of(sheet.table, "features", given), "refuse", given).id


def least_sure(at):
    return next(frame.value for frame in at.dataframe if "margin" in frame.value and "cluster" in frame.value)


def test_a_number_finds_its_object_among_many(app):
    at = app("data", data="digits")
    assert preview(at).index.tolist() == list(range(1, ROWS + 1))
    at.text_input(key="find_rows").set_value("1500").run()
    assert preview(at).index.tolist() == [1500]
    assert "1 of 1,797 objects found." in words(at)


def test_a_part_of_a_name_finds_its_objects(app, garden):
    at = app("data", data=garden)
    at.text_input(key="find_rows").set_value("tulip").run()
    assert preview(at).index.tolist() == [f"Tulip-{i}" for i in range(0, 900, 3)][:ROWS]
    assert f"300 of 900 objects found, the first {ROWS} shown." in words(at)


def test_a_class_finds_its_objects_by_its_name(app, garden):
    at = app("data", data=garden)
    at.text_input(key="find_rows").set_value("B").run()
    assert set(preview(at)["class"]) == {"b"}
    assert "450 of 900 objects found" in words(at)


def test_a_class_finds_its_objects_by_its_number(app):
    at = app("data", data="digits")
    at.text_input(key="find_rows").set_value("7").run()
    table = preview(at)
    assert 7 in table.index
    assert set(table["class"][table.index != 7]) == {"7"}
    assert len(table) == 180


def test_what_is_nowhere_is_said(app):
    at = app("data", data="wine")
    at.text_input(key="find_rows").set_value("zebra").run()
    assert not at.exception
    assert len(preview(at)) == 0
    assert "0 of 178 objects found." in words(at)


def test_the_least_sure_are_searched_too(app):
    at = app("consensus", data="digits", m="10", unsure="0.2")
    assert len(least_sure(at)) == ROWS
    wanted = least_sure(at).index[7]
    at.text_input(key="find_least_sure").set_value(str(wanted)).run()
    assert wanted in least_sure(at).index
    assert len(least_sure(at)) < ROWS


def test_capitals_do_not_matter():
    assert holding(np.array(["Rose-1", "tulip-1", "Tulip-2"]), "TULIP").tolist() == [False, True, True]


def test_rows_chosen_by_their_places_are_not_kept_where_other_objects_stand_there(app):
    def key(at):
        return next(str(frame.key) for frame in at.dataframe if str(frame.key).startswith("preview_"))

    at = app("data", data="iris", m="4")
    keys = [key(at), key(at.run()), key(at.text_input(key="find_rows").set_value("virginica").run())]
    keys.append(key(app("data", data="wine", m="4")))
    assert keys[0] == keys[1]
    assert len(set(keys)) == 3
