"""What the pages give away, as another program reads it."""

import csv
import io
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.cluster import hierarchy

from engine import Ensemble, load_ensemble, run_consensus
from engine.tables import as_csv, labels_csv
from tests.strategies import random_labels
from ui.consensus.downloads import linkage_bytes, newick_bytes
from ui.ensemble.downloads import ensemble_csv, ensemble_npz


def rows(table: bytes) -> list[dict]:
    return list(csv.DictReader(io.StringIO(table.decode())))


def test_labels_carry_the_names_of_the_file_and_no_formula():
    names = np.array(["patient 1", "=HYPERLINK()", "-2", 'a "b"'])
    found = rows(labels_csv(np.array([0, 1, 1, 0]), {"margin": np.array([-0.5, 1, 0.25, 0])}, None, names))
    assert [row["identifier"] for row in found] == ["patient 1", "'=HYPERLINK()", "-2", 'a "b"']
    assert [row["margin"] for row in found] == ["-0.5", "1", "0.25", "0"]
    assert [row["object"] for row in found] == ["0", "1", "2", "3"]
    assert as_csv({"@id": [1]}) == b"'@id\n1\n"


@pytest.mark.parametrize("word", ["a;=1+1", "a\t=1+1", "a; @q"])
def test_a_formula_is_none_behind_another_separator(word):
    made = rows(as_csv({"a": [word]}))[0]["a"]
    assert all(not cell.strip().startswith(("=", "@")) for cell in made.replace("\t", ";").split(";"))


@pytest.mark.parametrize("word", [" =1+1", "\n=1+1", "\xa0@q", "\uff1d1+1", "\u3000+q"])
def test_a_formula_is_none_after_white_space_or_in_full_width(word):
    assert rows(as_csv({"a": [word]}))[0]["a"] == f"'{word}"


def test_an_ensemble_comes_back_from_its_files():
    labels = random_labels(20, 4, 3)
    labels[0, 1] = -1
    made = Ensemble.from_labels(labels)
    assert load_ensemble(io.BytesIO(ensemble_npz(made))).fingerprint == made.fingerprint
    source = SimpleNamespace(identifiers=[f"s{place}" for place in range(20)], rows=np.arange(1, 21))
    found = rows(ensemble_csv(made, source, [0, 2, 3, 5]))
    assert (found[0]["object"], found[0]["identifier"], found[0]["clustering_2"]) == ("1", "s0", "")
    read = [[row[f"clustering_{m}"] for m in (0, 2, 3, 5)] for row in found]
    assert Ensemble.from_labels([[-1 if cell == "" else int(cell) for cell in row] for row in read]).fingerprint == (
        made.fingerprint
    )


def test_a_tree_leaves_with_the_names_of_its_objects():
    found = run_consensus("lwea", Ensemble.from_labels(random_labels(30, 5, 3)), 3)
    tree, leaf = found.trace["dendrogram"], found.microclusters.assignment
    text = newick_bytes(tree, [f"s{place}" if place else "" for place in range(30)], leaf).decode()
    assert text.endswith(";\n")
    assert all(f"s{place}:" in text for place in range(1, 30))
    assert "0:" in text
    assert hierarchy.is_valid_linkage(np.load(io.BytesIO(linkage_bytes(tree, leaf))), throw=True)


def test_the_buttons_are_where_the_things_are(app):
    at = app("consensus", data="iris", m="5")
    assert {"get_labels", "get_script", "get_newick", "get_linkage"} <= {
        button.key for button in at.get("download_button")
    }
    at = app("ensemble", data="iris", m="5")
    assert {"get_ensemble", "get_ensemble_csv"} <= {button.key for button in at.get("download_button")}
