import io
from datetime import date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

import data
from data.library import load_file
from data.uploads import open_table
from engine import save_ensemble
from engine.generators import make_ensemble
from tests.data.samples import FEATURES, LABELS, MEMBERS, WHOLE, csv, mat, mat73, npy, npz, parquet, written


@pytest.mark.parametrize("separator", [",", ";", "\t", "  ", " "])
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_text_tables(separator, header, ending):
    content = csv(separator, header, label=header).replace(b"\n", ending.encode())
    dataset = data.read_upload("folder/my set.csv", content, "features")
    assert dataset.name == "my set"
    assert np.array_equal(dataset.features, FEATURES)
    assert dataset.feature_names == (("a", "b", "c") if header else ())
    assert np.array_equal(dataset.labels, LABELS) if header else dataset.labels is None


@pytest.mark.parametrize("filename", [name for name in WHOLE if name.endswith((".npz", ".mat"))])
def test_arrays_are_found_by_name(filename):
    kind = "features" if filename in ("arrays.npz", "plain.mat", "v73.mat") else "labels"
    found = data.read_upload(filename, WHOLE[filename], kind)
    assert np.array_equal(found.labels, LABELS)
    assert np.array_equal(
        found.features if kind == "features" else found.members, FEATURES if kind == "features" else MEMBERS
    )


@pytest.mark.parametrize("features", ["fea", "X", "features", "data"])
@pytest.mark.parametrize("truth", ["gt", "gnd", "Y", "y", "labels", "label", "truth"])
@pytest.mark.parametrize("pack", [npz, mat, mat73])
def test_every_usual_name(features, truth, pack):
    content = pack(**{truth: LABELS[:, None], features: FEATURES})
    dataset = data.read_upload("a.npz" if pack is npz else "a.mat", content, "features")
    assert np.array_equal(dataset.features, FEATURES)
    assert np.array_equal(dataset.labels, LABELS)


@pytest.mark.parametrize("compress", [True, False])
@pytest.mark.parametrize("dtype", ["bool", "i1", "u2", "i4", "i8", "f4", "f8"])
def test_mat_variables_of_every_type_among_others(compress, dtype):
    array = (np.arange(35).reshape(7, 5) % 2).astype(dtype)
    others = {"words": "hello", "cells": np.array([1, "a"], dtype=object), "record": {"fea": np.eye(2)}}
    content = mat(compress=compress, **others, members=array, gt=np.arange(7), x9=np.eye(3))
    pool = data.read_upload("a.mat", content, "labels")
    assert np.array_equal(pool.members, array)
    assert pool.labels.tolist() == list(range(7))


def test_npy_and_parquet():
    assert np.array_equal(data.read_upload("A.NPY", npy(FEATURES), "features").features, FEATURES)
    dataset = data.read_upload("table.parquet", WHOLE["table.parquet"], "features")
    assert np.array_equal(dataset.features, FEATURES[:, :2])
    assert dataset.feature_names == ("a", "b")
    assert len(np.unique(dataset.labels)) == 3


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float32", ">f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_features_are_float64_whatever_was_stored(dtype, order):
    stored = np.asarray(np.arange(12).reshape(4, 3) % 7, dtype=dtype, order=order)
    features = data.read_upload("a.npy", npy(stored), "features").features
    assert features.dtype == np.float64
    assert np.array_equal(features, stored.astype(float))


def test_numbers_are_read_to_the_last_bit():
    values = np.random.default_rng(3).normal(size=500) * 10.0 ** np.arange(-250, 250)
    content = "\n".join(map(repr, values.tolist())).encode()
    assert np.array_equal(data.read_upload("a.txt", content, "features").features[:, 0], values)


@pytest.mark.parametrize("generator", ["kmeans", "lac"])
def test_an_ensemble_that_was_saved_is_read_as_base_clusterings(generator, tmp_path):
    made = make_ensemble(generator, data.load("iris").features, 4, seed=1)
    save_ensemble(made, tmp_path / "made.npz")
    content = (tmp_path / "made.npz").read_bytes()
    pool = data.read_upload("made.npz", content, "labels")
    assert (pool.members == made.labels).all()
    assert pool.labels is None
    assert pool.notes == (() if generator == "kmeans" else ("The ensemble's soft memberships stayed in the file.",))
    assert (load_file("made", tmp_path / "made.npz").members == made.labels).all()
    with pytest.raises(data.DataError, match="Open it as base clusterings"):
        data.read_upload("made.npz", content, "features")


def test_members_keep_gaps_and_negatives():
    pool = data.read_upload("pool.csv", b"1,-7\n900,-7\n1,3\n", "labels")
    assert pool.members.tolist() == [[1, -7], [900, -7], [1, 3]]
    assert (pool.n_objects, pool.n_clusterings) == (3, 2)


def test_large_labels_are_not_merged_or_wrapped():
    big = 2**63 - 1
    pool = data.read_upload("pool.csv", f"{big},{-(2**63)}\n{big - 1},1".encode(), "labels")
    assert pool.members.tolist() == [[big, -(2**63)], [big - 1, 1]]


def test_whole_numbers_stored_as_floats_are_labels():
    pool = data.read_upload("pool.npy", npy(MEMBERS.astype(float)), "labels")
    assert pool.members.dtype.kind == "i"
    assert np.array_equal(pool.members, MEMBERS)


def test_text_labels_are_coded_in_the_order_of_the_words():
    pool = data.read_upload("pool.csv", b"m1,m2\nb,4\na,4\nb,2\n", "labels")
    assert pool.members.tolist() == [[1, 4], [0, 4], [1, 2]]
    headless = data.read_upload("pool.csv", b"b,x\na,x\nb,y\n", "labels")
    assert headless.members.tolist() == [[1, 0], [0, 0], [1, 1]]


@pytest.mark.parametrize("name", ["label", "Class", "TARGET", "gt", "truth", "y"])
def test_label_column_by_name(name):
    content = f"w,{name}\n1.5,cat\n2,dog\n3,cat\n".encode()
    dataset = data.read_upload("pets.csv", content, "features")
    assert dataset.features.tolist() == [[1.5], [2], [3]]
    assert dataset.labels.tolist() == [0, 1, 0]
    assert any(f"{name!r} (0 = cat, 1 = dog)" in note for note in dataset.notes)


def test_y_beside_x_is_a_coordinate():
    assert data.read_upload("points.csv", b"x,y\n1,2\n3,4\n", "features").n_features == 2


def test_a_fractional_target_is_a_feature():
    assert data.read_upload("prices.csv", b"w,target\n1,2.5\n3,4\n", "features").n_features == 2


@pytest.mark.parametrize("label_column", [2, -1])
def test_label_column_by_position(label_column):
    content = b"5.1,1,setosa\n4.9,2,virginica\n5,3,setosa\n"
    dataset = data.read_upload("a.csv", content, "features", label_column=label_column)
    assert dataset.labels.tolist() == [0, 1, 0]
    assert dataset.n_features == 2


def test_label_column_of_array_files():
    content = npz(fea=FEATURES, other=LABELS, gt=np.zeros(40))
    assert np.array_equal(data.read_upload("a.npz", content, "features", label_column="other").labels, LABELS)
    with_labels = npy(np.column_stack([FEATURES, LABELS]))
    dataset = data.read_upload("a.npy", with_labels, "features", label_column=3)
    assert np.array_equal(dataset.features, FEATURES)
    assert np.array_equal(dataset.labels, LABELS)


@pytest.mark.parametrize("kind", ["features", "labels"])
def test_a_sparse_matrix_is_no_table(tmp_path, kind):
    """Its entries alone would be read as one feature."""
    sparse.save_npz(tmp_path / "a.npz", sparse.csr_array(np.eye(40)))
    with pytest.raises(data.DataError, match="holds a sparse matrix. Save its toarray"):
        data.read_upload("a.npz", (tmp_path / "a.npz").read_bytes(), kind)


def test_true_labels_of_several_columns_stay_in_the_file_and_that_is_said():
    dataset = data.read_upload("a.npz", npz(X=FEATURES, y=np.eye(3)[LABELS]), "features")
    assert dataset.labels is None
    assert "The array 'y' stayed in the file: true labels are one column." in dataset.notes
    assert not data.read_upload("a.npz", npz(X=FEATURES, y=LABELS), "features").notes


def test_true_labels_in_a_text_pool():
    pool = data.read_upload("pool.csv", b"c1,c2,gt\n1,1,0\n2,1,1\n", "labels")
    assert pool.labels.tolist() == [0, 1]
    assert pool.n_clusterings == 2


def test_a_long_table_is_read_as_a_short_one(monkeypatch):
    """Columns that change their kind far below: whole numbers, fractions, words, one beyond 63 bits, truth values."""
    rows = [f"{i},{i},{i},{i},true" for i in range(7)] + [f"8,0.5,word,{2**64 - 1},False", ",NA,?,7,True"]
    found = []
    for cells in (200_000, 10):
        monkeypatch.setattr("data.readers.text._CELLS_AT_ONCE", cells)
        found.append(open_table("a.csv", "\n".join(["a,b,c,d,e", *rows]).encode(), "features"))
    for table in found:
        assert [column.dtype.kind for column in table.columns] == ["f", "f", "O", "u", "b"]
        assert [str(column[7]) for column in table.columns] == ["8.0", "0.5", "word", str(2**64 - 1), "False"]
        assert table.columns[2].tolist() == [*map(str, range(7)), "word", None]
        assert np.isnan([table.columns[0][8], table.columns[1][8]]).all()
    assert [a.tolist()[:8] == b.tolist()[:8] for a, b in zip(found[0].columns, found[1].columns, strict=True)] == [
        True
    ] * 5


def test_decimal_commas():
    dataset = data.read_upload("a.csv", b"a;b\n1,5;2\n-3,25;4\n", "features")
    assert dataset.features.tolist() == [[1.5, 2], [-3.25, 4]]
    assert any("decimal" in note for note in dataset.notes)


@pytest.mark.parametrize(
    ("text", "first", "numbers"),
    [
        ('name,b,c\nn0,"hello, you; 0",0\nn1,"x; y",1\n', "name", [[0], [1]]),
        ("name,b,c\nn0,red;blue,1.5\nn1,red;blue,2.5\n", "name", [[1.5], [2.5]]),
        ('name,b,c\n"a\tb0",0.5,0\n"a\tb1",0.5,1\n', "name", [[0.5, 0], [0.5, 1]]),
        ("gene;alias,x,y\nT;P,1.0,2.0\nU;Q,3.0,2.5\n", "gene;alias", [[1, 2], [3, 2.5]]),
        ("name;x\na,b;1,5\nb,c;2,5\n", "name", [[1.5], [2.5]]),
        ("name,word\nn0,red;blue\nn1,red\nn2,a;b;c\n", "name", []),
        ('name,word\n"a; b",x\n"c; d",y\n', "name", []),
        ("name;x\nn0;1,5\nn1;2,5\n", "name", [[1.5], [2.5]]),
    ],
)
def test_a_mark_inside_cells_parts_no_cells(text, first, numbers):
    table = open_table("a.csv", text.encode(), "features")
    assert table.names[:1] == (first,)
    assert np.array([column for column in table.columns if column.dtype.kind in "if"]).T.tolist() == numbers


def test_the_header_of_r_lacks_the_cell_above_the_names():
    for text in ('"x" "y"\n"g1" 1.5 2\n"g2" 2.5 3\n', "x,y\ng1,1.5,2\ng2,2.5,3\n"):
        dataset = data.read_upload("a.csv", text.encode(), "features")
        assert (dataset.features.tolist(), dataset.feature_names) == ([[1.5, 2], [2.5, 3]], ("x", "y"))
        assert dataset.identifiers.tolist() == ["g1", "g2"]
    assert data.read_upload("a.txt", b"x y\n1 1.5 2\n2 2.5 3\n", "features").features.tolist() == [[1.5, 2], [2.5, 3]]
    with pytest.raises(data.DataError, match="Row 2 has 3 values where row 1 has 2"):  # words alone may lack a label
        data.read_upload("a.csv", b"red,blue\nred,blue,green\nblue,red,red\n", "labels")


@pytest.mark.parametrize("cells", [("\u22121.5", "2.5"), ("5%", "6%"), ("1 001,5", "2"), ("1'001", "7")])
def test_numbers_spelt_otherwise_are_text_and_that_is_said(cells):
    rows = "".join(f"{cells[i % 2]}\t{i}\n" for i in range(6))
    notes = open_table("a.tsv", f"a\tb\n{rows}".encode(), "features").notes
    assert any(f"Cells such as {cells[0]} were read as text" in note for note in notes)
    plain = open_table("a.csv", b"a,b\n2020-01-02,1\n2021-01-02,2\n", "features").notes
    assert not any("were read as text" in note for note in plain)


def test_byte_order_marks_quotes_comments_and_row_counters():
    plain = [[1, 2], [3, 4]]
    for content in (
        "\ufeffa,b\n1,2\n3,4\n".encode(),
        "a\tb\n1\t2\n3\t4\n".encode("utf-16"),
        b'"a","b"\n"1","2"\n"3", 4\n',
        b"# made by hand\na,b\n\n1,2\n% more\n3,4\n\n",
        b",a,b\n0,1,2\n1,3,4\n",
        b"a,b,\n1,2,\n3,4,\n",
    ):
        dataset = data.read_upload("a.csv", content, "features")
        assert dataset.features.tolist() == plain
        assert dataset.feature_names == ("a", "b")


@pytest.mark.parametrize("kind", ["labels", "features"])
def test_what_a_spreadsheet_writes_above_the_column_names_is_left_out(kind):
    rows = "a,b,c\n" + "\n".join(f"{n % 3},{n % 4},{n % 5}" for n in range(12))
    plain = open_table("a.csv", rows.encode(), kind)
    for above, said in (("Trial 3,,\n", "Row 1 was"), ("Trial 3,,\n,,\nseen,twice,\n", "The first 3 rows were")):
        found = open_table("a.csv", (above + rows).encode(), kind)
        assert found.names == ("a", "b", "c")
        assert [column.tolist() for column in found.columns] == [column.tolist() for column in plain.columns]
        assert found.notes[0] == f"{said} left out, above the column names."
    assert not any("left out" in note for note in plain.notes)


FRAME = "{head}\na,0,0,1\nb,0,1,1\nc,1,2,0\nd,1,2,1\n"
HEADS = [",0,1,2", ",1,2,3", "id,0,1,2", "barcode,2,3,4", ",10,20,70", "#id,r1,r2,r3", "cell_id,x,y,z"]


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("mark", [",", "\t"])
def test_the_header_of_a_data_frame_is_no_object_and_its_index_no_base_clustering(head, counted, mark):
    text = FRAME.format(head=head).replace(",", mark)
    for place, name in enumerate("abcd") if counted else ():
        text = text.replace(f"\n{name}{mark}", f"\n{3 * place + 2}{mark}")  # rows that were chosen
    found = data.read_upload(f"a.{'csv' if mark == ',' else 'tsv'}", text.encode(), "labels")
    assert found.members.tolist() == [[0, 0, 1], [0, 1, 1], [1, 2, 0], [1, 2, 1]]
    assert found.identifiers.tolist() == (["2", "5", "8", "11"] if counted else list("abcd"))


def test_rows_of_numbers_and_of_labels_are_no_header():
    for text, shape in (
        ("1,1,2\n1,2,3\n2,1,2\n", (3, 3)),
        ("a,1,1,2\nb,1,2,3\nc,2,1,1\n", (3, 3)),
        ("3,4\n3,5\n1,4\n", (3, 2)),
        (",1\n0,1\n1,0\n0,0\n", (4, 2)),  # the first object has no label there
        (",2,3\n1,2,1\n1,1,3\n2,2,2\n", (4, 3)),
        (",10,20\n1,10,10\n1,20,10\n2,20,20\n", (4, 3)),
    ):
        assert data.read_upload("a.csv", text.encode(), "labels").members.shape == shape


@pytest.mark.parametrize(("n", "named"), [(11, True), (10, False)])
def test_a_first_column_of_many_objects_each_alone_numbers_them(n, named):
    rows = "place,r1,r2\n" + "\n".join(f"{7 * i},{i % 3},{i % 2}" for i in range(n))
    found = data.read_upload("a.csv", rows.encode(), "labels")
    assert (found.identifiers is not None, found.members.shape[1]) == (named, 2 if named else 3)


@pytest.mark.parametrize(
    ("head", "said"), [("cell,2,4,6", True), ("cell,4,2,6", False), (f"cell,{'9' * 5000},1,2", False)]
)
def test_numbers_that_rise_beside_a_word_may_be_a_header_and_that_is_said(head, said):
    rows = f"a,0,0,1\nb,0,1,1\nc,{'1' * 5000},{'2' * 5000},{'3' * 5000}\n"  # no number that Python would read
    found = open_table("a.csv", f"{head}\n{rows}".encode(), "labels")
    assert ("Row 1 was read as values, though it may be a header with numbers." in found.notes) == said


def test_a_name_may_begin_as_a_comment_does():
    rows = "gene,r1,r2\n#1,1,1\n# a remark\n%2,1,2\na,2,1\n"
    found = data.read_upload("a.csv", rows.encode(), "labels")
    assert found.identifiers.tolist() == ["#1", "%2", "a"]
    assert found.members.tolist() == [[1, 1], [1, 2], [2, 1]]


@pytest.mark.parametrize("head", ["", "label\n"])
@pytest.mark.parametrize("word", ["{} cell", "Cluster {}", "a {} of many words"])
def test_labels_of_several_words_are_one_column(head, word):
    names = ["T", "B", "T", "NK", "B"] if "cell" in word else ["1", "2", "1", "3", "2"]
    content = head + "\n".join(map(word.format, names))
    found = open_table("a.csv", content.encode(), "labels")
    assert [column.tolist() for column in found.columns] == [list(map(word.format, names))]
    assert found.names == (("label",) if head else ())


def test_gaps_and_words_are_no_title():
    """A name that is not there, rows of words with gaps, and values without names."""
    for text, n in ((",a,b\nr1,1,2\nr2,3,4\n", 2), ("x,\ny,z\nx,z\n", 3), ("1,\n2,3\n3,4\n", 3), ("1,\na,b\n1,2\n", 3)):
        found = open_table("a.csv", text.encode(), "labels")
        assert len(found.columns[0]) == n
        assert not any("left out" in note for note in found.notes)


def _as_labels(columns) -> bool:
    rows = "\n".join(",".join(map(str, row)) for row in zip(*columns, strict=True))
    notes = data.read_upload("runs.csv", f"{rows}\n".encode(), "features").notes
    return any("as labels do" in note and "runs_members.csv" in note for note in notes)


@pytest.mark.parametrize(
    ("changed", "told"),
    [([0, 1, 2] * 4, True), ([-1, 0, 1] * 4, True), ([0, 1, 3] * 4, False), ([2, 3, 4] * 4, False),
     ([0.5, 1, 2] * 4, False), (range(12), False), ([1] * 12, False), ([0, 1] * 6, True)],
)  # fmt: skip
def test_features_that_may_be_base_clusterings_are_told(changed, told):
    """A label matrix read as features is clustered like one, without a complaint."""
    assert _as_labels([[1, 2, 3] * 4, changed]) is told
    assert not _as_labels([[0, 1] * 6, [1, 0, 0] * 4]), "columns of 0 and 1 say whether something is there"


def test_constant_columns_are_noted():
    dataset = data.read_upload("a.csv", b"p,q,r\n1,2,3\n1,2,4\n", "features")
    assert "2 constant columns: p, q." in dataset.notes


def test_repeated_text_in_parquet_stays_small():
    repeated = pa.DictionaryArray.from_arrays(np.zeros(50_000, dtype=np.int32), ["x" * 100_000])
    content = parquet({"a": np.arange(50_000.0), "label": repeated})
    assert data.read_upload("a.parquet", content, "features").labels.max() == 0


def test_numbers_stored_as_text_in_parquet():
    dataset = data.read_upload("a.parquet", parquet({"a": ["1.5", "2"], "label": ["7", "9"]}), "features")
    assert dataset.features.tolist() == [[1.5], [2]]
    assert dataset.labels.tolist() == [7, 9]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_cells_may_hold_line_breaks_in_quotes(end):
    rows = ["name,a,b", f'"the ""first"",{end}of{end}# lines",1,"2{end}"', "w,2,1", "v,1,4", "u,2,1"]
    roles = {"name": "identifier"}
    found = data.read_upload("a.csv", end.join(rows).encode(), "features", roles=roles)
    assert found.features.tolist() == [[1, 2], [2, 1], [1, 4], [2, 1]]
    assert found.identifiers[0] == 'the "first", of # lines'
    for wrong, words in (("t,1", "Row 9 has 2 values"), ('"t,1,2', "Row 9 opens a quotation mark and does not close")):
        with pytest.raises(data.DataError, match=words):
            data.read_upload("a.csv", end.join([*rows, wrong, "s,2,2"]).encode(), "features", roles=roles)


@pytest.mark.parametrize("names", [("a", "b", "a"), ("a", "a", "b"), ("a.b", "a", "b"), ("", "b", "")])
def test_columns_of_parquet_keep_their_values_whatever_they_are_called(names):
    stored = pa.Table.from_arrays([pa.array([i, i + 3]) for i in range(3)], list(names))
    table = open_table("a.parquet", written(lambda stream: pq.write_table(stored, stream)), "features")
    assert table.names == names
    assert [column.tolist() for column in table.columns] == [[0, 3], [1, 4], [2, 5]]


def test_words_of_parquet_under_a_name_that_is_there_twice_are_refused():
    stored = pa.Table.from_arrays([pa.array(["x", "y"]), pa.array([1, 2]), pa.array([3, 4])], ["a", "b", "a"])
    with pytest.raises(data.DataError, match="Several columns are called 'a'"):
        open_table("a.parquet", written(lambda stream: pq.write_table(stored, stream)), "features")


def test_columns_of_parquet_of_every_other_type_are_read_or_left_in_the_file_with_a_word():
    """Dates are words, decimals numbers, an empty column is empty; what is neither harms nobody else."""
    days = [date(2020, 1, 1 + i) for i in range(4)]
    columns = {
        "x": [1.0, 2.0, 3.0, 4.0],
        "price": pa.array([Decimal("1.25"), Decimal("2.50"), Decimal("0.75"), Decimal("4.00")]),
        "day": days,
        "moment": [datetime(2020, 1, 1 + i, 12) for i in range(4)],
        "nothing": pa.nulls(4),
        "wait": [timedelta(i) for i in range(4)],
        "list": [[1], [2], [3], [4]],
        "bytes": [b"a", b"b", b"c", b"d"],
    }
    content = io.BytesIO()
    pq.write_table(pa.table(columns), content)
    dataset = data.read_upload("a.parquet", content.getvalue(), "features")
    assert dataset.feature_names == ("x", "price")
    assert dataset.features[:, 1].tolist() == [1.25, 2.5, 0.75, 4]
    said = " ".join(dataset.notes)
    assert "left in the file: wait (duration[us]), list (list<" in said
    assert "2 columns left out: moment, nothing" in said
    assert dataset.identifiers.tolist() == [str(day) for day in days]
    content = io.BytesIO()
    pq.write_table(pa.table({"list": columns["list"]}), content)
    with pytest.raises(data.DataError, match="No column holds numbers or words. The file has list"):
        data.read_upload("a.parquet", content.getvalue(), "features")


@pytest.mark.parametrize("index", [["s03", "s01", "s07"], [7, 3, 9]])
def test_the_index_of_a_data_frame_names_objects_in_parquet_as_in_text(index, tmp_path):
    frame = pd.DataFrame({"a": [0.5, 1.5, 2.5], "b": [3, 1, 2]}, index)
    frame.to_parquet(tmp_path / "frame.parquet")
    found = data.read_upload("frame.parquet", (tmp_path / "frame.parquet").read_bytes(), "features")
    same = data.read_upload("frame.csv", frame.to_csv().encode(), "features")
    assert found.identifiers.tolist() == same.identifiers.tolist() == list(map(str, index))
    assert found.feature_names == same.feature_names == ("a", "b")
    two = frame.set_index(pd.MultiIndex.from_arrays([index, index]))
    two.to_parquet(tmp_path / "two.parquet")
    assert data.read_upload("two.parquet", (tmp_path / "two.parquet").read_bytes(), "features").n_features == 2


def test_a_file_as_the_uci_repository_has_it_is_read():
    read = data.read_upload(
        "iris.data", b"5.1,3.5,Iris-setosa\n4.9,3.1,Iris-setosa\n6.9,3,Iris-virginica\n", "features"
    )
    assert (read.name, read.features.shape, read.class_names) == ("iris", (3, 2), ("Iris-setosa", "Iris-virginica"))


def test_two_numbers_that_may_be_a_header_are_said_to():
    content = b"0,1\n1.5,2.5\n3.5,4.5\n9.5,8.5\n"
    assert any("may be a header with numbers" in one for one in data.read_upload("two.csv", content, "features").notes)
    star = b"0,1\n0,2\n0,3\n0,4\n"  # as edges begin
    assert not any("may be a header" in note for note in data.read_graph("star.csv", star).notes)
