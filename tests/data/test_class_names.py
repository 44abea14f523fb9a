"""Classes keep the names they have in a file."""

import data
from data.records import class_name

ROWS = b"kind,a,b\noak,1,2\nelm,3,4\noak,5,6\nash,7,9\n"


def test_text_classes_keep_their_names():
    trees = data.read_upload("trees.csv", ROWS.replace(b"kind", b"class"), "features")
    assert trees.labels.tolist() == [0, 1, 0, 2]
    assert [class_name(trees, label) for label in trees.labels] == ["oak", "elm", "oak", "ash"]


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
