"""Files as other tools write them: what was once read wrongly without a word."""

import io
import zipfile

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from scipy.io import savemat

import data
from data.uploads import open_table
from tests.data.samples import mat, written


def members(content, name="a.csv", **how):
    return data.read_upload(name, content, "labels", **how).members.tolist()


def features(content, name="a.txt", **how):
    return data.read_upload(name, content, "features", **how).features.tolist()


@pytest.mark.parametrize("header", [b"", b"a b\n"])
def test_decimal_commas_between_blanks_are_no_separators(header):
    assert features(header + b"0,637 0,270\n0,017 0,813\n1 0,5\n") == [[0.637, 0.27], [0.017, 0.813], [1, 0.5]]


def test_a_first_row_with_decimal_commas_is_an_object():
    rows = "".join(f"{i},5;{i + 1},25\n" for i in range(12))
    read = data.read_upload("a.csv", rows.encode(), "features")
    assert (read.n_objects, read.features[0].tolist()) == (12, [0.5, 1.25])
    assert read.notes == ("The comma was read as the decimal mark.",)


@pytest.mark.parametrize("truth", [0, 2])
def test_a_separator_at_the_end_of_rows_alone_moves_no_name(truth):
    names = ["r1", "r2"]
    names.insert(truth, "class")
    rows = [[0, 1, 2], [0, 1, 1], [1, 2, 1], [1, 2, 2]]
    content = ",".join(names) + "\n" + "".join(",".join(map(str, row)) + ",\n" for row in rows)
    read = data.read_upload("a.csv", content.encode(), "labels")
    assert read.labels.tolist() == [row[truth] for row in rows]
    assert read.members.tolist() == [row[:truth] + row[truth + 1 :] for row in rows]


def test_words_in_quotation_marks_are_columns_of_their_own():
    rows = b'"V1" "V2"\n"1" "a" "x"\n"2" "a" "x"\n"3" "b" "y"\n"4" "b" "x"\n'
    assert members(rows, "a.txt") == [[0, 0], [0, 0], [1, 1], [1, 0]]
    assert members(b'"V1" "V2"\n"a" "x"\n"b" "x"\n"b" "y"\n', "a.txt") == [[0, 0], [1, 0], [1, 1]]
    assert members(b'"V1" "V2"\n"1" "2"\n"1" "1"\n"2" "1"\n', "a.txt") == [[1, 2], [1, 1], [2, 1]]


def test_lines_of_words_read_as_one_label_are_told():
    said = " ".join(open_table("a.txt", b"a x u\nb y u\nc z u\nb y u\n", "labels").notes)
    assert "The 3 words of a line were read as one label" in said
    assert "words of a line" not in " ".join(open_table("a.txt", b"group one\ngroup two\ngroup one\n", "labels").notes)


@pytest.mark.parametrize("written", ["#N/A", "#NA", "<NA>", "n/a", "NAN"])
def test_what_others_write_for_a_missing_label_is_one(written):
    assert members(f"{written},1\n0,1\n0,0\n1,0\n".encode()) == [[-1, 1], [0, 1], [0, 0], [1, 0]]
    assert members(f"r,s\na,x\na,x\n{written},x\nb,y\n".encode()) == [[0, 0], [0, 0], [-1, 0], [1, 1]]
    with pytest.raises(data.DataError, match="Row 3"):
        members(f"r\n0\n{written}\n1\n".encode())


def test_the_header_that_numpy_writes_as_a_comment_names_columns():
    file = io.BytesIO()
    np.savetxt(file, np.arange(8).reshape(4, 2) % 3, fmt="%d", header="eac lwea")
    assert open_table("a.txt", file.getvalue(), "labels").names == ("eac", "lwea")


def test_objects_whose_names_begin_as_comments_do_stay():
    content = b"a0 0 1\n#4 0 1\n#5 1 1\n# and a comment\n# of 3\n"
    read = data.read_upload("a.txt", content, "labels")
    assert read.identifiers.tolist() == ["a0", "#4", "#5"]


def test_a_row_of_empty_cells_between_tabs_is_no_blank_line():
    with pytest.raises(data.DataError, match="row 3"):
        members(b"a\tb\n0\t1\n\t\n1\t0\n0\t0\n", "a.tsv")


def test_numbers_spelt_otherwise_are_clusters_of_their_own():
    assert members(b"r,s\n01,1\n1,1\n01,2\n1,2\n") == [[0, 1], [1, 1], [0, 2], [1, 2]]
    assert members(b"r,s\n01,1\n02,1\n01,2\n02,2\n") == [[1, 1], [2, 1], [1, 2], [2, 2]]
    frame = pd.DataFrame({"r": ["01", "1", "01"], "s": [1, 1, 2]})
    assert members(written(frame.to_parquet), "a.parquet") == [[0, 1], [1, 1], [0, 2]]
    long = pd.DataFrame({"r": pd.array([2**60 + 1, 2**60 + 2, None, 2**60 + 1], dtype="Int64"), "s": [0, 1, 1, 0]})
    assert members(written(long.to_parquet), "a.parquet") == [[0, 0], [1, 1], [-1, 1], [0, 0]]


def test_a_named_index_of_parquet_names_the_objects():
    frame = pd.DataFrame({"r": np.arange(30) % 3}, index=pd.Index(np.arange(100, 130), name="subject"))
    read = data.read_upload("a.parquet", written(frame.to_parquet), "labels")
    assert (read.n_clusterings, read.identifiers[:2].tolist()) == (1, ["100", "101"])


def test_settings_above_labels_are_told():
    rows = "".join(f"{i % 3},{i % 2},{i % 3}\n" for i in range(12))
    said = "Row 1 was read as values, though it may be a header with numbers."
    assert said in open_table("a.csv", f"101,7,42\n{rows}".encode(), "labels").notes
    assert said not in open_table("a.csv", f"0,1,1\n{rows}".encode(), "labels").notes


def test_a_folder_says_what_its_files_say():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in "ab":
            archive.writestr(f"{name}.csv", "only\n" + "x\ny\n" * 5)
    assert "a.csv, b.csv: Row 1 was read as column names." in open_table("f.zip", packed.getvalue(), "labels").notes


def test_names_beside_labels_some_of_which_are_missing_are_a_column():
    rows = b"".join(b"s%d %s\n" % (7 * i, b"NA" if i % 4 == 3 else b"%d" % (i % 3)) for i in range(20))
    names, labels = open_table("a.txt", rows, "labels").columns
    assert (names[:2].tolist(), np.isnan(labels).sum(), labels[:3].tolist()) == (["s0", "s7"], 5, [0, 1, 2])


def test_blanks_before_commas_are_no_decimal_marks():
    assert members(b"1 ,0 ,1\n0 ,0 ,1\n1 ,1 ,0\n") == [[1, 0, 1], [0, 0, 1], [1, 1, 0]]


def test_bars_part_columns():
    assert members(b"r,s\na|b,x\na|b,y\nc|d,x\n") == [[0, 0], [0, 1], [1, 0]]
    assert members(b"r1|r2\n1|2\n1|1\n2|2\n") == [[1, 2], [1, 1], [2, 2]]


def test_a_lone_label_beside_names_is_a_clustering():
    rows = "".join(f"a{i},{i % 3}\n" for i in range(20))
    read = data.read_upload("a.csv", f"id,label\n{rows}".encode(), "labels")
    assert (read.members.ravel()[:3].tolist(), read.labels) == ([0, 1, 2], None)


def test_an_edge_list_of_as_many_rows_as_columns_stays_one():
    graph = data.read_graph("a.csv", b"source,target,weight,year\n1,2,.5,1999\n2,3,.5,2000\n3,4,1,2001\n4,5,1,2002\n")
    assert (graph.n_objects, graph.weights.tolist()) == (5, [0.5, 0.5, 1, 1])


def test_levels_of_an_index_are_columns():
    frame = pd.DataFrame({"weight": [1.0, 2.0, 3.0]}, index=pd.MultiIndex.from_tuples([(0, 1), (1, 2), (2, 3)]))
    frame.index.names = ["source", "target"]
    assert data.read_graph("a.parquet", written(frame.to_parquet)).weights.tolist() == [1, 2, 3]


def test_bars_inside_words_part_nothing():
    rows = b"".join(b"sp|P%d|N%d_HUMAN %d.5 1.%d\n" % (i, i, i, i) for i in range(12))
    read = data.read_upload("a.txt", rows, "features")
    assert (read.features.shape, read.identifiers[0]) == ((12, 2), "sp|P0|N0_HUMAN")
    assert members(b"k__B|p__1\nk__B|p__2\nk__B|p__1\n") == [[0], [1], [0]]


def test_rows_that_were_commented_out_stay_out():
    assert features(b"1.5 2 3\n#9.1 9.5 9.9\n# 9 12\n4 5 6\n") == [[1.5, 2, 3], [4, 5, 6]]
    assert members(b"0 1 1\n#0 1 1\n1 1 0\n", "a.txt") == [[0, 1, 1], [1, 1, 0]]


def test_lines_of_tabs_that_are_no_row_or_stand_below_all_are_blank():
    assert members(b"a\tb\tc\n0\t1\t1\n\t\n1\t0\t1\n\t\t\n", "a.tsv") == [[0, 1, 1], [1, 0, 1]]


def test_none_may_be_a_class():
    rows = "".join(f"{i}.5,{('None', 'Mild', 'Severe')[i % 3]}\n" for i in range(9))
    assert data.read_upload("a.csv", f"x,kind\n{rows}".encode(), "features").class_names == ("Mild", "None", "Severe")


def test_numbers_with_blanks_inside_are_no_columns():
    table = open_table("a.csv", b"amount,n\n1 200,3\n2 300,4\n", "features")
    assert table.names == ("amount", "n")


def test_measurements_that_begin_with_a_zero_are_numbers():
    content = b"hour,x\n08,1.5\n8,2.5\n9,3.5\n9,1.5\n"
    assert features(content, "a.csv") == [[8, 1.5], [8, 2.5], [9, 3.5], [9, 1.5]]
    assert open_table("a.csv", content, "features").columns[0].dtype == np.int64


def test_words_about_the_index_that_are_none_are_no_matter():
    import pyarrow as pa
    import pyarrow.parquet as pq

    for words in (b"nothing", b'{"index_columns": null}', b'{"index_columns": 5}'):
        table = pa.table({"r": [0, 1, 0], "s": [1, 1, 0]}).replace_schema_metadata({b"pandas": words})
        assert members(written(lambda stream, table=table: pq.write_table(table, stream)), "a.parquet")[0] == [0, 1]


def test_what_is_sparse_beside_the_labels_of_matlab_stays_in_the_file():
    content = mat(members=np.array([[0, 1], [1, 1]]), links=sparse.eye(3, format="csc"))
    assert members(content, "a.mat") == [[0, 1], [1, 1]]
    with pytest.raises(data.DataError, match="sparse"):
        members(mat(members=sparse.eye(3, format="csc")), "a.mat")
    words = written(lambda stream: savemat(stream, {"names": "abc"}))
    with pytest.raises(data.DataError, match="no plain matrix of numbers: cells, structs"):
        members(words, "a.mat")


MATRIX = [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 2], [0, 0, 2, 0]]


@pytest.mark.parametrize("named", ["not", "columns", "both"])
def test_a_square_table_is_a_matrix_of_weights(named):
    names = list("pqrs")
    rows = [([name] if named == "both" else []) + row for name, row in zip(names, MATRIX, strict=True)]
    above = {"not": [], "columns": [names], "both": [["", *names]]}[named]
    graph = data.read_graph("a.csv", "\n".join(",".join(map(str, row)) for row in above + rows).encode())
    assert (graph.n_objects, graph.sources.tolist(), graph.targets.tolist()) == (4, [0, 0, 1, 2], [1, 2, 2, 3])
    assert graph.weights.tolist() == [1, 1, 1, 2]
    assert graph.identifiers is None if named == "not" else graph.identifiers.tolist() == names


def test_the_index_of_a_data_frame_is_no_end_of_edges():
    graph = data.read_graph("a.csv", b",u,v\n0,100,101\n3,101,102\n4,100,102\n7,102,103\n")
    assert graph.identifiers.tolist() == ["100", "101", "102", "103"]
    assert "No weight was read." in " ".join(graph.notes)


def test_a_file_that_was_cut_off_is_told_in_its_own_coding():
    with pytest.raises(data.DataError, match="bytes that are not UTF-16"):
        members("r1,r2\n1,2\n1,1\n2,2\n".encode("utf-16")[:-3])
