"""Classes keep the names they have in a file."""

import data
from data.records import class_name

ROWS = b"kind,a,b\noak,1,2\nelm,3,4\noak,5,6\nash,7,9\n"


def test_text_classes_keep_their_names():
    trees = data.read_upload("trees.csv", ROWS.replace(b"kind", b"class"), "features")
    assert trees.labels.tolist() == [2, 1, 2, 0]
    assert [class_name(trees, label) for label in trees.labels] == ["oak", "elm", "oak", "ash"]


def test_words_stand_in_the_order_of_a_dictionary_and_of_the_numbers_in_them():
    rows = "class,a\ngrade 10,1\nGrade 9,2\nfail,3\ngrade 010,4\n" + "9" * 5000 + "x,5\n"
    school = data.read_upload("school.csv", rows.encode(), "features")
    assert school.class_names == ("9" * 5000 + "x", "fail", "Grade 9", "grade 010", "grade 10")


def test_numbers_are_called_by_themselves():
    numbered = data.read_upload("n.csv", b"label,a\n7,1\n-2,3\n7,5\n", "features")
    assert numbered.class_names == ()
    assert [class_name(numbered, label) for label in numbered.labels] == ["7", "-2", "7"]


def test_names_stay_with_their_classes_when_rows_go():
    gap = ROWS.replace(b"kind", b"class").replace(b"oak,1,2", b"oak,,2")
    trees = data.read_upload("trees.csv", gap, "features", missing="drop")
    assert [class_name(trees, label) for label in trees.labels] == ["elm", "oak", "ash"]


def test_pools_have_them_too():
    pool = data.read_upload("pool.csv", b"class,x,y\noak,0,1\nelm,1,1\noak,0,0\n", "labels")
    assert [class_name(pool, label) for label in pool.labels] == ["oak", "elm", "oak"]
    gappy = data.read_upload("pool.csv", b"class,x,y\noak,0,1\nelm,1,\nash,0,0\n", "labels").labelled_everywhere()
    assert [class_name(gappy, label) for label in gappy.labels] == ["oak", "ash"]


def test_sets_of_the_catalog_have_them():
    assert data.load("iris").class_names == ("setosa", "versicolor", "virginica")
    assert data.load("moons").class_names == ()
