"""Headers and names of objects that come twice: every page shows them, and no table or menu goes by them."""

import pytest

from data.roles import columns_of
from tests.app.data.test_column_roles import bring, roles
from ui.compute import uploads
from ui.figures.numbering import distinct
from ui.scene import Scene
from ui.session.run_config import from_query
from ui.widgets import progress

#: Two columns of one name, a class beside a label, our tables' words, names of objects twice or never.
FILE = b"id,a,a,class,label,object\n" + b"".join(
    b"%s,%.2f,%.2f,%d,%s,%d\n"
    % (b"" if i == 4 else b"plant %d" % (i % 10), i % 7 + i / 50, i % 5 + i / 9, i % 4, b"ns"[i % 2 :][:1], i % 3)
    for i in range(30)
)
POOL = b"a,a,class,label,object,a\n" + b"".join(
    b"%d,%d,%d,%d,%d,%d\n" % (i % 3, i % 2, i // 10, i % 5, i // 7, i % 4) for i in range(30)
)
PAGES = ("start", "data", "consensus", "ensemble", "matrices", "subspaces", "compare")


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """Files are read in another process; here a page waits until it has."""
    monkeypatch.setattr(progress, "PATIENCE", 30)


def kept(kind):
    """The id of such a file."""
    sheet = uploads.sheet(uploads.File("twice.csv", FILE if kind == "features" else POOL), kind)
    given = {0: "identifier"} if kind == "features" else {}
    return uploads.keep(sheet, columns_of(sheet.table, kind, given), "refuse", given).id


@pytest.mark.parametrize("kind", ["features", "labels"])
@pytest.mark.parametrize("page", PAGES)
def test_every_page_shows_them(app, page, kind):
    at = app(page, data=kept(kind), m="4", k="2", pick="3-5", pair="3.4")
    assert not at.error, at.error[0].value
    for table in [*at.dataframe, *at.data_editor]:
        assert table.value.columns.is_unique


@pytest.mark.long
def test_headers_are_numbered_in_tables_and_menus(app):
    at = bring(app, FILE)
    assert roles(at).value["column"].tolist() == ["id", "a", "a", "class", "label", "object"]
    assert at.dataframe[-1].value.columns.tolist() == ["class", "a", "a (2)", "class (2)", "object (2)"]
    at = bring(app, POOL, "labels")
    assert at.dataframe[-1].value.columns.tolist() == ["class", "a", "a (2)", "class (2)", "object (2)", "a (3)"]
    config, _ = from_query({"data": kept("features"), "m": "4"})
    assert Scene(config).feature_names == ["a", "a (2)", "class", "object"]
    config, _ = from_query({"data": kept("labels")})
    assert Scene(config).clustering_keys == ["a", "a (2)", "class", "object", "a (3)"]


def test_files_of_one_name_are_told_apart_in_menus_and_tables(app):
    """A menu goes by its words: of two that are alike it would always take the last."""
    first, second = (
        uploads.keep_file("mine.csv", content, "features").id
        for content in (b"x,y\n1,2\n3,4\n5,6\n", b"x,y\n1,2\n3,5\n5,6\n")
    )
    at = app("compare", data=first, sets=f"{first},{second}", m="2", draws="1")
    assert at.selectbox(key="data").options.count("mine.csv") == 1
    chosen = at.multiselect(key="sets")
    assert len(set(chosen.options)) == len(chosen.options)
    assert chosen.value == [first, second]
    assert [chosen.options[place] for place in chosen.indices] == ["mine.csv", "mine.csv (2)"]


def test_a_number_makes_no_new_double():
    assert distinct(["a (2)", "a", "a", "a", 1, 1]) == ["a (2)", "a", "a (3)", "a (4)", 1, "1 (2)"]
