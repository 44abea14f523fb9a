"""Roles of columns: what is proposed, what is counted, and what becomes of it; beside loops that do the same."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import data
from data.readers.tables import Table
from data.roles import ROLES, columns_of
from data.uploads import assembled, faulty_rows, open_table


def proposed(text, kind="features"):
    table = open_table("a.csv", text.encode(), kind)
    return {column.name: column.role for column in columns_of(table, kind)}


@pytest.mark.parametrize(
    ("text", "kind", "roles"),
    [
        ("id,a,b,class\nx,1,2,u\ny,3,4,u\n", "features", "identifier feature feature class"),
        ("a,species\n1,u\n2,v\n3,u\n", "features", "feature class"),
        ("a,species,site\n1,u,n\n2,v,n\n3,u,s\n", "features", "feature ignore ignore"),
        ("a,species,label\n1,u,0\n2,v,0\n3,u,1\n", "features", "feature ignore class"),
        ("plant,a\nx,1\ny,2\nz,3\n", "features", "identifier feature"),
        ("id,a\n1,1.5\n2,2\n", "features", "identifier feature"),
        ("id,a\n1,1.5\n1,2\n", "features", "feature feature"),
        ("id,a\n1.5,1.5\n2,2\n", "features", "feature feature"),
        ("a,b\n1,\n2,\n", "features", "feature ignore"),
        ("x,y\n1,2\n2,3\n", "features", "feature feature"),
        ("object,run1,run2\n0,1,2\n1,1,2\n", "labels", "identifier clustering clustering"),
        ("name,run1,gt\nann,a,2\nbob,b,2\ncid,a,1\n", "labels", "identifier clustering class"),
        ("run1,run2\na,u\nb,u\na,v\n", "labels", "clustering clustering"),
    ],
)
def test_roles_follow_from_names_and_types(text, kind, roles):
    assert list(proposed(text, kind).values()) == roles.split()


def joined(head, names, kind="labels"):
    """Roles of a table whose first column has these names, and two columns of small numbers."""
    lines = [f"{name},{n % 3},{n % 4}" for n, name in enumerate(names)]
    return [*proposed("\n".join([f"{head},a,b", *lines]), kind).values()]


@pytest.mark.parametrize("kind", ["features", "labels"])
@pytest.mark.parametrize(
    ("head", "names", "role"),
    [
        ("id", [*range(20), *range(20)], "identifier"),
        ("barcode", [f"c{n}" for n in [*range(30), 4]], "identifier"),
        ("sample_id", [*range(40), 7], "identifier"),
        ("", [*range(15)] * 4, "identifier"),  # the index begins anew in every part
        ("Unnamed: 0", [*range(15)] * 4, "identifier"),
        ("", [n % 7 for n in range(60)], None),
        ("cluster_id", [n % 7 for n in range(60)], None),
        ("id", [n // 3 for n in range(60)], None),
        ("a0", [*range(20), *range(20)], None),
    ],
)
def test_names_of_files_that_were_joined_are_names_though_some_come_again(head, names, role, kind):
    main = "feature" if kind == "features" else "clustering"
    assert joined(head, names, kind) == [role or main, main, main]


def test_what_may_have_been_measured_is_a_feature_where_values_come_again():
    twice = [*range(20), *range(20)]
    assert joined("index", twice, "features")[0] == joined("sample", twice, "features")[0] == "feature"
    assert joined("index", twice, "labels")[0] == joined("index", range(40), "features")[0] == "identifier"
    assert joined("sample", [f"s{n}" for n in twice], "features")[0] == "identifier"


def test_names_that_come_again_are_told():
    text = "id,a,b\n" + "\n".join(f"{n % 20},{n % 3},{n % 4}" for n in range(40))
    pool = data.read_upload("a.csv", text.encode(), "labels")
    assert pool.members.shape == (40, 2)
    assert "Objects are named by column 'id'; 20 names not for the first time." in pool.notes


@pytest.mark.parametrize("cells", [[f"{n}.5%" for n in range(2, 41)], [f"2024-01-{1 + n % 28:02}" for n in range(40)]])
def test_words_that_hardly_come_again_are_no_classes(cells):
    text = "\n".join(["a,b", *(f"{n},{cell}" for n, cell in enumerate([*cells, cells[0]]))])
    assert proposed(text)["b"] == "ignore"


def test_a_given_role_goes_before_a_proposed_one():
    table = open_table("a.csv", b"id,a,class\nx,1,u\ny,2,v\n", "features")
    roles = columns_of(table, "features", {"class": "ignore", 0: "class", -2: "identifier"})
    assert [column.role for column in roles] == ["class", "identifier", "ignore"]


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        ({"b": "feature"}, "no column 'b'"),
        ({"a": "clustering"}, "one of feature, class, answer, identifier, ignore, got 'clustering'"),
        ({"a": "class", "id": "class"}, "Only one column can be the class; column 'a' and column 'id'"),
        ({"a": "ignore"}, "zero columns of features"),
    ],
)
def test_roles_that_cannot_be_are_refused(roles, words):
    with pytest.raises(data.DataError, match=words):
        data.read_upload("a.csv", b"id,a\nx,1\ny,2\n", "features", roles=roles)


def test_identifiers_stay_with_their_objects():
    content = b"plant,width,class\nann,1.5,u\n,2,u\ncid,,v\ndot,4,v\n"
    found = data.read_upload("a.csv", content, "features", "drop", roles={"plant": "identifier"})
    assert found.identifiers.tolist() == ["ann", "", "dot"]
    assert (found.features.ravel().tolist(), found.labels.tolist()) == ([1.5, 2, 4], [0, 0, 1])
    assert not found.identifiers.flags.writeable
    other = data.read_upload("a.csv", content.replace(b"dot", b"dan"), "features", "drop", roles={0: "identifier"})
    assert other.fingerprint != found.fingerprint
    plain = data.read_upload("a.csv", content, "features", "drop", roles={0: "ignore"})
    assert plain.identifiers is None
    assert any("1 column left out: plant." in note for note in plain.notes)


def named(ids, kind, header=True):
    """What is read of objects with such identifiers in front of three columns of labels."""
    rows = [f"{one},{i % 3},{i % 2},{i % 4}" for i, one in enumerate(ids)]
    return data.read_upload("a.csv", "\n".join(["id,a,b,c"] * header + rows).encode(), kind)


#: Identifiers of digits: padded, padded in two ways, longer than any number; and numbers, one padded by chance.
SPELT = {
    "padded": [f"{i:03d}" for i in range(40)],
    "in two ways": [f"{i:0{2 + i % 2}d}" for i in range(1, 41)],
    "the same numbers": [f"{i:02d}" for i in range(1, 21)] + [f"{i:03d}" for i in range(1, 21)],
    "long": [f"9{i:024d}" for i in range(40)],
}


@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("kind", ["features", "labels"])
@pytest.mark.parametrize("ids", SPELT.values(), ids=SPELT)
def test_names_of_digits_stay_as_they_are_spelt(ids, kind, header):
    found = named(ids, kind, header)
    assert found.identifiers.tolist() == ids
    assert (found.features if kind == "features" else found.members).shape == (40, 3)


def test_numbers_with_zeros_in_front_that_come_again_are_numbers():
    found = data.read_upload("a.csv", b"x,y\n01,1\n1,2\n010,3\n01,4\n", "features")
    assert found.features[:, 0].tolist() == [1, 1, 10, 1]
    spelt = data.read_upload("a.csv", b"x,y\n01,1\n2,2\n010,3\n", "features", roles={"x": "feature"})
    assert spelt.features[:, 0].tolist() == [1, 2, 10]
    labels = data.read_upload("a.csv", b"x,y\n01,1\n2,2\n010,2\n", "labels", roles={"x": "clustering"})
    assert labels.members[:, 0].tolist() == [1, 2, 10]
    classes = data.read_upload("a.csv", b"x,y\n01,1\n2,2\n010,2\n", "features", roles={"x": "class"})
    assert (classes.labels.tolist(), classes.class_names) == ([1, 2, 10], ())


@pytest.mark.parametrize("first", [0, 1])
def test_a_first_feature_that_counts_the_rows_is_named(first):
    rows = [f"{i + first},{i % 7 + 0.5}" for i in range(40)]
    read = data.read_upload("a.csv", "\n".join(rows).encode(), "features")
    assert "Column 1 counts the rows; ignore it if it is no feature." in read.notes
    assert not data.read_upload("a.csv", "\n".join(rows[::-1]).encode(), "features").notes


def test_a_name_in_a_message_is_spelt_as_in_the_file():
    with pytest.raises(data.DataError, match="Column 'petalWidth' has no value at all"):
        data.read_upload("a.csv", b"a,petalWidth\n1,\n2,\n3,\n", "features", "mean", roles={"petalWidth": "feature"})


def test_a_matrix_of_numbers_alone_has_no_names():
    labels = np.column_stack([np.arange(40), np.arange(40) % 3])
    held = io.BytesIO()
    np.save(held, labels)
    assert data.read_upload("a.npy", held.getvalue(), "labels").members.shape == (40, 2)
    text = "\n".join(f"{a},{b}" for a, b in labels).encode()
    read = data.read_upload("a.csv", text, "labels")
    assert read.members.shape == (40, 2)
    assert read.notes == ("Column 1 counts the rows; ignore it if it is no base clustering.",)
    assert data.read_upload("a.csv", b"id,a\n" + text, "labels").identifiers.tolist() == [str(i) for i in range(40)]


def test_a_row_that_counts_from_0_above_labels_is_a_header():
    rows = "\n".join(",".join(str(i * j % 4) for j in range(6)) for i in range(1, 30))
    found = data.read_upload("a.csv", f"0,1,2,3,4,5\n{rows}".encode(), "labels")
    assert (found.members.shape, found.clustering_names[-1]) == ((29, 6), "5")


@pytest.mark.parametrize("renamed", [(b"width", b"height"), (b"u", b"t")])
def test_features_and_classes_of_other_names_are_other_data(renamed):
    content = b"width,class\n1.5,u\n2,v\n"
    one, other = (data.read_upload("a.csv", text, "features") for text in (content, content.replace(*renamed)))
    assert one.features.tolist() == other.features.tolist()
    assert one.fingerprint != other.fingerprint


def test_own_answers_come_along_and_are_never_used():
    content = b"a,mine,other,class\n1,x,3,u\n,y,3,u\n2,x,4,v\n5,y,4,v\n"
    roles = {"mine": "answer", "other": "answer"}
    found = data.read_upload("a.csv", content, "features", "drop", roles=roles)
    assert found.features.ravel().tolist() == [1, 2, 5]
    assert {name: labels.tolist() for name, labels in found.answers.items()} == {"mine": [0, 0, 1], "other": [3, 4, 4]}
    without = data.read_upload("a.csv", content, "features", "drop", roles=dict.fromkeys(roles, "ignore"))
    assert without.answers == {}
    assert without.fingerprint != found.fingerprint
    pool = data.read_upload("a.csv", b"r1,r2,mine\n0,1,5\n,1,6\n2,1,7\n", "labels", roles={"mine": "answer"})
    assert pool.clustering_names == ("r1", "r2")
    assert pool.labelled_everywhere().answers["mine"].tolist() == [5, 7]
    with pytest.raises(data.DataError, match="Row 3, column 'mine': the cell is empty. Complete the column, drop"):
        data.read_upload("a.csv", content.replace(b",y,3", b",,3"), "features", "mean", roles=roles)


def test_first_cells_read_as_a_person_writes_them():
    table = Table((np.array([2, 0.25, np.nan], np.float32), np.array(["u", None, "v"], object)))
    assert [column.first for column in columns_of(table, "features")] == [("2", "0.25", ""), ("u", "", "v")]


def test_identifiers_may_be_numbers_and_may_recur():
    found = data.read_upload("a.csv", b"key,a\n7,1\n7,2\n,3\n", "features", roles={"key": "identifier"})
    assert found.identifiers.tolist() == ["7", "7", ""]
    assert "Objects are named by column 'key'; 1 name not for the first time." in found.notes


def test_base_clusterings_keep_their_names():
    pool = data.read_upload("a.csv", b"id,km,gmm,label\na,0,1,9\nb,0,,9\nc,1,1,8\n", "labels")
    assert pool.clustering_names == ("km", "gmm")
    assert pool.labelled_everywhere().identifiers.tolist() == ["a", "c"]
    assert pool.labelled_everywhere().clustering_names == ("km", "gmm")
    assert data.read_upload("a.csv", b"0,1\n0,0\n1,1\n", "labels").clustering_names == ()


def test_faults_of_labels_are_counted_and_their_rows_dropped():
    content = b"km,gmm,label\n0,u,9\n1.5,u,9\n0,3,8\nx,v,8\n1,v,\n"
    table = open_table("a.csv", content, "labels")
    columns = columns_of(table, "labels")
    counts = [(c.empty, c.text, c.infinite, c.fractional) for c in columns]
    assert counts == [(0, 1, 0, 1), (0, 1, 0, 0), (1, 0, 0, 0)]
    pool = data.read_upload("a.csv", content + b"0,u,8\n", "labels", "drop")
    assert (pool.members.tolist(), pool.labels.tolist()) == ([[0, 0], [0, 0]], [9, 8])


@pytest.mark.parametrize(
    ("missing", "said"), [("refuse", "undecided"), ("drop", "rows are dropped"), ("mean", "become the column mean")]
)
def test_every_column_says_what_is_done(missing, said):
    table = open_table("a.csv", b"a,b,c,id\n1,2,3,u\n,4,5,v\n3,4,,w\n", "features")
    columns = columns_of(table, "features", {"b": "ignore"})
    assert [column.outcome(missing) for column in columns] == [said, "left out", said, ""]
    needed = columns_of(table, "features", {"c": "class"})[2].outcome("mean")
    assert needed == "undecided: drop rows or ignore"


CELLS = st.one_of(
    st.integers(-3, 3).map(str),
    st.floats(-9, 9).map(lambda v: f"{v:.3f}"),
    st.sampled_from(["", "inf", "-inf", "wide"]),
)


@st.composite
def sheets(draw):
    n, d = draw(st.integers(2, 8)), draw(st.integers(1, 4))
    cells = [[draw(CELLS) for _ in range(d)] for _ in range(n)]
    kind = draw(st.sampled_from(["features", "labels"]))
    return cells, kind, [draw(st.sampled_from(ROLES[kind])) for _ in range(d)]


def naive_fault(cell, column, role):
    """What is wrong with one cell in its column, by asking for one thing after the other."""
    numbers = [c for c in column if c not in ("", "wide")]
    words = [c for c in column if c == "wide"]
    if role == "identifier":
        return "empty" if cell == "" else None
    if role == "ignore":
        return None
    if cell == "":
        return None if role == "clustering" else "empty"
    if role != "feature" and len(words) > len(numbers):
        return None if cell == "wide" else "text"
    if cell == "wide":
        return "text"
    if cell in ("inf", "-inf"):
        return "infinite"
    return "fractional" if role != "feature" and float(cell) != int(float(cell)) else None


@given(sheets())
def test_faults_are_those_that_a_loop_finds(sheet):
    cells, kind, roles = sheet
    for role in ("class", "identifier"):
        if roles.count(role) > 1:
            return
    columns = [[row[j] for row in cells] for j in range(len(roles))]
    arrays = tuple(np.array([cell or None for cell in column], dtype=object) for column in columns)
    table = Table(arrays)
    found = columns_of(table, kind, dict(enumerate(roles)))
    expected = [
        [naive_fault(cell, column, role) for cell in column] for column, role in zip(columns, roles, strict=True)
    ]
    for column, faults in zip(found, expected, strict=True):
        if column.role != "ignore":
            for name in ("empty", "text", "infinite", "fractional"):
                assert getattr(column, name) == faults.count(name)
    named = [j for j, role in enumerate(roles) if role == "identifier"]
    bad = [any(faults[i] for j, faults in enumerate(expected) if j not in named) for i in range(len(cells))]
    assert faulty_rows(table, found).tolist() == bad
    if kind == "features" and "feature" in roles and len(bad) - sum(bad) >= 2:
        kept = [
            [float(row[j]) for j, role in enumerate(roles) if role == "feature"]
            for row, one in zip(cells, bad, strict=True)
            if not one
        ]
        assert assembled("a.csv", table, found, kind, "drop").features.tolist() == kept


def notes(content, kind="features", name="a.csv"):
    return " ".join(data.read_upload(name, content, kind, missing="drop").notes)


def test_a_header_of_numbers_taken_as_values_is_noted():
    years = b"2019,2020,2021\n5.1,4.2,1.5\n6.2,3.3,2.5\n"
    assert "Row 1 was read as values, though it may be a header with numbers" in notes(years)
    counted = b"0,1,2\n3,7,9\n4,4,8\n"
    assert "may be a header" in notes(counted, "labels")
    assert "may be a header" in notes(b"10,20,30\n1.5,2.5,3.5\n4.5,5.5,6.5\n")
    assert "may be a header" in notes(b"a,b,2021\n1,2,3\n4,5,6\n7,8,9\n")
    for plain in (b"3,1,2\n4,4,1\n1,2,5\n", b"1,2,3\n2,3,4\n7,7,7\n", b"5.5,4,3\n1.5,2.5,3.5\n4.5,5.5,6.5\n"):
        assert "header" not in notes(plain)


def test_a_comma_that_may_group_thousands_is_noted():
    assert "1,234 were read as 1.234; if the comma groups thousands" in notes(b"a;b\n1,234;2\n5,678;3\n")
    assert "thousands" not in notes(b"a;b\n1,234;2\n5,6;3\n")
    assert "thousands" not in notes(b"a;b\n0,234;2\n0,678;3\n")


def test_mixed_decimal_marks_are_noted():
    mixed = b"a;b\n" + b"1,5;2\n" * 3 + b"1.5;3\n" * 3
    assert "Decimal marks are mixed: cells such as 1,5 were read as text" in notes(mixed)
    late = b"a;b\n" + b"1,5;2\n" * 1500 + b"1.5;3\n" * 3
    assert "mixed: cells such as 1,5 were read as 1.5" in notes(late)
    assert "mixed" not in notes(b"a;b;c\n1,5;2;x\n1,25;3;y\n")


LABELS_AWAY = (b"object,label,support\n0,0,.5\n3,0,.5\n7,1,1\n", ["0", "3", "7"], ("label",))
NAMED_AWAY = (b"object,identifier,label\n0,a,0\n3,b,0\n7,c,1\n", ["a", "b", "c"], ("label",))
ENSEMBLE_AWAY = (b"object,identifier,u,v\n0,5,0,1\n3,6,0,2\n7,8,1,1\n", ["5", "6", "8"], ("u", "v"))


@pytest.mark.parametrize(("content", "names", "clusterings"), [LABELS_AWAY, NAMED_AWAY, ENSEMBLE_AWAY])
def test_files_that_were_given_away_come_back_as_they_were(content, names, clusterings):
    pool = data.read_upload("away.csv", content, "labels")
    assert pool.identifiers.tolist() == names
    assert pool.clustering_names == clusterings
    assert pool.members[:, 0].tolist() == [0, 0, 1]
    assert pool.labels is None


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"a,target,class\n1,7,x\n2,8,y\n3,7,y\n", "Column 'target' looks like labels"),
        (b"a,code,class\n1,7,x\n2,8,y\n3,7,x\n", "Column 'code' looks like labels"),
        (b"a,label,code,gt\n1,0,5,1\n2,1,6,2\n3,1,6,2\n", "Column 'code', column 'gt' look like labels"),
        (b"a,b,class\n1,1,x\n2,2,x\n3,4,y\n", ""),
        (b"a,y,class\n1,7,x\n2,8,y\n3,7,y\n", "Column 'y' looks like labels"),
        (b"x,y,class\n1,7,x\n2,8,y\n3,7,y\n", ""),
        (b"a,y,class\n1,7.5,x\n2,8,y\n3,7,y\n", ""),
    ],
)
def test_a_second_column_of_labels_is_noted(content, what):
    found = notes(content)
    assert what in found
    assert ("look" in found) == bool(what)


@pytest.mark.parametrize(
    ("head", "row", "is_header"),
    [
        ("0,1,2,3,4", "2,0,1,1,0", True),
        ("1,2,3,4,5", "2,0,1,1,0", False),  # may be labels, and that is noted
        ("0,1,2,3", "2,0,1,1", False),  # four may be by chance
        ("0,1,2,3,4", "5,6,7,8,9", False),  # others count, too
        ("1,2,3,4,5", "a,b,c,a,b", True),
        ("0,1,2,3,4", "a,b,c,a,b", True),
    ],
)
def test_a_count_is_a_header_where_nothing_else_counts(head, row, is_header):
    rows = "\n".join([head, row, row, ",".join(reversed(row.split(",")))])
    assert data.read_upload("a.csv", rows.encode(), "labels").n_objects == (3 if is_header else 4)
