"""The command: what it writes, where, and how it says no."""

import csv
import io
import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from data import scale
from engine import (
    Ensemble,
    __version__,
    cli,
    confidence,
    consensus_methods,
    load_ensemble,
    run_consensus,
    save_ensemble,
)
from engine.choosing_k import choose_k
from engine.distributed.__main__ import main as distributed
from engine.generators import draw, kmeans_ensemble, make_ensemble
from engine.partition import linkage_matrix, newick
from engine.selection import select, selected
from engine.studies.__main__ import main as studies
from engine.tables import labels_csv
from ui.report.__main__ import main as report

ROOT = Path(__file__).parents[2]


@pytest.fixture
def labels(tmp_path):
    """A file of 30 objects in 6 base clusterings, and the matrix in it."""
    rng = np.random.default_rng(1)
    matrix = (np.arange(30)[:, None] // 10 + (rng.random((30, 6)) < 0.15)) % 3
    file = tmp_path / "labels.csv"
    file.write_text("\n".join(",".join(map(str, row)) for row in matrix) + "\n")
    return file, matrix


def rows(text: str) -> list[dict]:
    return list(csv.DictReader(io.StringIO(text)))


def command(*arguments, **options):
    """The command in a process of its own."""
    whole = [sys.executable, "-m", "engine.cli", *map(str, arguments)]
    return subprocess.run(whole, cwd=ROOT, capture_output=True, check=False, **options)


def file_of(table):
    return [list(row.values()) for row in table]


def test_no_result_is_written_over_what_it_is_made_of(labels, tmp_path, capsys, monkeypatch):
    file, _ = labels
    before = file.read_bytes()
    (tmp_path / "other.csv").hardlink_to(file)
    monkeypatch.chdir(file.parent)
    for option, goal in (
        ("--out", file.name),
        ("--out", tmp_path / "other.csv"),
        ("--linkage", file),
        ("--newick", file),
    ):
        assert cli.main(["consensus", str(file), "--k", "3", option, str(goal)]) == 2
        assert f"{option} is the file that is read" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_the_consensus_of_a_file_of_labels(labels, tmp_path, capsysbinary):
    file, matrix = labels
    ensemble = Ensemble.from_labels(matrix)
    expected = run_consensus("lwea", ensemble, 3, {"theta": 0.8}).labels
    assert cli.main(["consensus", str(file), "--k", "3", "--param", "theta=0.8", "--confidence"]) == 0
    found = rows(capsysbinary.readouterr().out.decode())
    assert [int(row["object"]) for row in found] == list(range(30))
    assert [int(row["label"]) for row in found] == expected.tolist()
    beside = {"support": confidence.support(ensemble, expected), "margin": confidence.margin(ensemble, expected)}
    assert file_of(found) == file_of(rows(labels_csv(expected, beside).decode()))  # digit by digit what pages write
    assert cli.main(["consensus", str(file), "--k", "3", "--out", str(tmp_path / "out.csv")]) == 0
    assert len(rows((tmp_path / "out.csv").read_text())) == 30
    assert sorted(one.name for one in tmp_path.iterdir()) == ["labels.csv", "out.csv"]


@pytest.mark.long
def test_the_tree_that_k_was_looked_for_on_is_not_grown_again(labels, monkeypatch, capsys):
    file, matrix = labels
    assert cli.main(["consensus", str(file)]) == 0
    said = capsys.readouterr()
    k = int(said.err.rpartition("k = ")[2].partition(":")[0])
    expected = run_consensus("lwea", Ensemble.from_labels(matrix), k).labels
    assert [int(row["label"]) for row in rows(said.out)] == expected.tolist()
    monkeypatch.setattr(cli, "run_consensus", None)
    assert cli.main(["consensus", str(file)]) == 0
    assert capsys.readouterr().out == said.out


def test_a_strategy_keeps_some_of_the_base_clusterings(labels, capsys):
    file, matrix = labels
    ensemble = Ensemble.from_labels(matrix)
    for words, number in (("joint:4", 4), ("joint", 3), ("joint:70%", 4)):
        assert cli.main(["consensus", str(file), "--k", "3", "--select", words]) == 0
        said = capsys.readouterr()
        kept = select(ensemble, "joint", number, 3)
        expected = run_consensus("lwea", ensemble.select(kept), 3).labels
        assert [int(row["label"]) for row in rows(said.out)] == expected.tolist()
        assert f"{number} of 6 base clusterings (joint): {', '.join(map(str, kept.tolist()))}" in said.err
    for words, why in (
        ("best", "strategy must be one of snmi"),
        ("snmi:7", "from 1 to 6"),
        ("snmi:a", "STRATEGY:NUMBER"),
        ("snmi:", "STRATEGY:NUMBER"),
        ("snmi:0%", "from 1 % to 100 %"),
    ):
        assert cli.main(["consensus", str(file), "--k", "3", "--select", words]) != 0
        assert why in capsys.readouterr().err


def test_an_ensemble_is_written_without_those_that_a_strategy_leaves_out(tmp_path, capsys):
    points = np.random.default_rng(0).normal(size=(40, 3))
    file, whole, some = tmp_path / "points.csv", tmp_path / "all.npz", tmp_path / "some.npz"
    np.savetxt(file, points, delimiter=",")
    arguments = ["ensemble", str(file), "--m", "8", "--seed", "3"]
    assert cli.main([*arguments, "--out", str(whole)]) == 0
    assert cli.main([*arguments, "--select", "least_alike:25%", "--k", "4", "--out", str(some)]) == 0
    made = load_ensemble(whole)
    kept = select(made, "least_alike", 2, 4, seed=3)
    written = load_ensemble(some)
    assert (written.labels == made.labels[:, kept]).all()
    assert written.provenance == made.provenance | {"select": "least_alike:25%", "kept": kept.tolist()}
    assert f"2 of 8 base clusterings (least_alike): {kept[0]}, {kept[1]}" in capsys.readouterr().err


def test_columns_have_the_roles_that_the_command_names(labels, tmp_path, capsysbinary):
    _, matrix = labels
    rows_ = [f"thing{i},{','.join(map(str, row))},{i // 10}" for i, row in enumerate(matrix)]
    file = tmp_path / "named.csv"
    file.write_text("\n".join(["who,a,b,c,d,e,f,extra", *rows_]) + "\n")
    assert cli.main(["consensus", str(file), "--k", "3", "--id", "who", "--ignore", "7"]) == 0
    found = rows(capsysbinary.readouterr().out.decode())
    expected = run_consensus("lwea", Ensemble.from_labels(matrix), 3).labels
    assert [(row["identifier"], int(row["label"])) for row in found] == [
        (f"thing{i}", k) for i, k in enumerate(expected)
    ]
    out = tmp_path / "made.npz"
    arguments = [str(file), "--m", "4", "--class", "extra", "--id", "who", "--scaling", "none", "--out", str(out)]
    assert cli.main(["ensemble", *arguments, "--with", "k_range=2-3"]) == 0
    assert load_ensemble(out).fingerprint == kmeans_ensemble(matrix.astype(float), 4, (2, 3), seed=0).fingerprint


def test_of_a_file_of_labels_as_many_columns_are_drawn_as_the_command_says(labels, tmp_path, capsys):
    file, matrix = labels
    out = tmp_path / "out.csv"
    assert cli.main(["consensus", str(file), "--k", "3", "--m", "1", "--seed", "4", "--out", str(out)]) == 0
    expected = run_consensus("lwea", draw(matrix, 1, 4), 3, seed=4).labels
    assert expected.tolist() != run_consensus("lwea", Ensemble.from_labels(matrix), 3, seed=4).labels.tolist()
    assert [int(row["label"]) for row in rows(out.read_text())] == expected.tolist()
    save_ensemble(Ensemble.from_labels(matrix), tmp_path / "made.npz")
    assert cli.main(["consensus", str(tmp_path / "made.npz"), "--k", "3", "--m", "3"]) == 2
    assert "--select keeps some" in capsys.readouterr().err


def test_lac_takes_as_many_clusters_as_the_file_has_classes(tmp_path):
    rng, own, out = np.random.default_rng(0), np.repeat(np.arange(5), 20), tmp_path / "made.npz"
    points = 9 * rng.normal(size=(5, 3))[own] + rng.normal(size=(100, 3))
    file = tmp_path / "five.csv"
    file.write_text(
        "a,b,c,class\n" + "".join(f"{','.join(map(str, row))},{c}\n" for row, c in zip(points, own, strict=True))
    )
    assert (
        cli.main(["ensemble", str(file), "--generator", "lac", "--m", "3", "--scaling", "none", "--out", str(out)]) == 0
    )
    assert load_ensemble(out).fingerprint == make_ensemble("lac", points, 3, n_classes=5).fingerprint


def test_a_folder_of_label_vectors_is_an_ensemble(labels, tmp_path, capsysbinary):
    _, matrix = labels
    (tmp_path / "runs").mkdir()
    for place, column in enumerate(matrix.T):
        np.savetxt(tmp_path / "runs" / f"run{place}.csv", column, fmt="%d")
    for place, name in enumerate((b"run1\xfe.csv", b"run1\xff.csv")):  # no UTF-8, and alike but for that
        with suppress(OSError):  # where names must be
            (tmp_path / "runs" / f"run{place + 1}.csv").rename(tmp_path / "runs" / os.fsdecode(name))
    os.utime(tmp_path / "runs" / "run0.csv", (0, 0))  # a ZIP file knows no time before 1980
    for path in ("runs", "runs/", "runs/../runs//."):
        assert cli.main(["consensus", f"{tmp_path}/{path}", "--k", "3"]) == 0
        found = [int(row["label"]) for row in rows(capsysbinary.readouterr().out.decode())]
        assert found == run_consensus("lwea", Ensemble.from_labels(matrix), 3).labels.tolist()


def test_faulty_cells_wait_for_a_word(tmp_path, capsys):
    (tmp_path / "gap.csv").write_text("a,b\n1,2\n2,\n3,4\n5,1\n")
    arguments = ["ensemble", str(tmp_path / "gap.csv"), "--m", "2", "--out", str(tmp_path / "made.npz")]
    assert cli.main(arguments) == 1
    assert "1 value is missing" in capsys.readouterr().err
    assert cli.main([*arguments, "--missing", "drop"]) == 0
    assert load_ensemble(tmp_path / "made.npz").n_objects == 3


def test_json_says_what_made_it(labels, capsysbinary):
    assert cli.main(["consensus", str(labels[0]), "--k", "2", "--method", "eac", "--json"]) == 0
    found = json.loads(capsysbinary.readouterr().out)
    assert (found["method"], found["k"], found["version"]) == ("eac", 2, __version__)
    assert found["params"] == {"linkage": "average"}
    assert found["label"] == run_consensus("eac", Ensemble.from_labels(labels[1]), 2).labels.tolist()


def test_without_k_most_criteria_choose(labels, capsysbinary):
    assert cli.main(["consensus", str(labels[0]), "--json"]) == 0
    expected = choose_k(Ensemble.from_labels(labels[1]), "lwea", effort="quick").k
    assert json.loads(capsysbinary.readouterr().out)["k"] == expected


def test_the_dendrogram_leaves_as_newick_and_for_scipy(labels, tmp_path, capsysbinary):
    from scipy.cluster import hierarchy

    file, matrix = labels
    out = [tmp_path / name for name in ("tree.nwk", "tree.npy")]
    assert cli.main(["consensus", str(file), "--k", "3", "--newick", str(out[0]), "--linkage", str(out[1])]) == 0
    found = run_consensus("lwea", Ensemble.from_labels(matrix), 3)
    tree = found.trace["dendrogram"], found.microclusters.assignment
    assert out[0].read_text() == newick(tree[0], None, tree[1]) + "\n"
    assert hierarchy.is_valid_linkage(np.load(out[1]), throw=True)
    assert (np.load(out[1]) == linkage_matrix(*tree)).all()
    capsysbinary.readouterr()
    assert cli.main(["consensus", str(file), "--k", "3", "--method", "lwgp", "--newick", str(tmp_path / "no.nwk")]) == 1
    said = capsysbinary.readouterr()
    assert b"lwgp builds no dendrogram" in said.err
    assert said.out == b""
    assert not (tmp_path / "no.nwk").exists()


def test_labels_are_safe_when_the_dendrogram_finds_no_room(labels, tmp_path, capsys):
    out = tmp_path / "found.csv"
    assert cli.main(["consensus", str(labels[0]), "--k", "3", "--newick", "/dev/full", "--out", str(out)]) == 1
    assert "No space left on device" in capsys.readouterr().err
    assert len(rows(out.read_text())) == len(labels[1])


def test_an_ensemble_goes_to_a_file_and_from_there_on(tmp_path, capsysbinary):
    points = np.random.default_rng(0).normal(size=(40, 3))
    np.save(tmp_path / "points.npy", points)
    out = tmp_path / "made.npz"
    arguments = ["--m", "5", "--seed", "3", "--scaling", "none", "--with", "k_range=2-4", "--out", str(out)]
    assert cli.main(["ensemble", str(tmp_path / "points.npy"), *arguments]) == 0
    assert load_ensemble(out).fingerprint == kmeans_ensemble(points, 5, (2, 4), seed=3).fingerprint
    assert cli.main(["consensus", str(out), "--k", "2"]) == 0
    assert len(rows(capsysbinary.readouterr().out.decode())) == 40


def test_k_is_chosen_from_features_or_labels(labels, tmp_path, capsysbinary):
    rng = np.random.default_rng(0)
    np.savetxt(tmp_path / "points.csv", rng.normal(size=(60, 2)) + 9 * (np.arange(60)[:, None] % 3), delimiter=",")
    assert cli.main(["choose-k", str(tmp_path / "points.csv"), "--m", "8", "--k-max", "5", "--json"]) == 0
    found = json.loads(capsysbinary.readouterr().out)
    assert (found["k"], found["ks"]) == (3, [2, 3, 4, 5])
    assert "rcsi" in found["curves"]
    assert cli.main(["choose-k", str(labels[0]), "--labels", "--k-max", "4"]) == 0
    said = capsysbinary.readouterr().out.decode()
    assert "votes say" in said
    assert "rcsi: needs the features" in said


def test_a_consensus_of_features_takes_the_k_that_choose_k_says(tmp_path, capsys):
    np.savetxt(tmp_path / "noise.csv", np.random.default_rng(3).normal(size=(60, 3)), delimiter=",")
    assert cli.main(["choose-k", str(tmp_path / "noise.csv"), "--m", "8", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["k"] == 1
    assert cli.main(["consensus", str(tmp_path / "noise.csv"), "--generator", "kmeans", "--m", "8"]) == 0
    assert f"k = 2, the fewest that a consensus can have: {found['verdict']}" in capsys.readouterr().err


def test_help_prints_a_percent_sign_as_it_is_typed(capsys):
    with pytest.raises(SystemExit):
        cli.main(["consensus", "--help"])
    assert capsys.readouterr().out.count("STRATEGY[:NUMBER|:SHARE%]") == 2


@pytest.mark.long
def test_a_method_is_chosen_from_features_or_labels(labels, tmp_path, capsysbinary):
    rng = np.random.default_rng(0)
    np.savetxt(tmp_path / "points.csv", rng.normal(size=(60, 2)) + 9 * (np.arange(60)[:, None] % 3), delimiter=",")
    arguments = ["choose-method", str(tmp_path / "points.csv"), "--k", "3", "--budget", "0.5", "--json"]
    assert cli.main(arguments) == 0
    found = json.loads(capsysbinary.readouterr().out)
    assert found["method"] == found["rows"][0]["method"]
    assert len(found["rows"][0]["labels"]) == 60
    assert found["rows"][0]["calibrated"]["feature_silhouette"] > 0
    assert found["left_out"]["wspa"] == "needs soft memberships, as LAC makes them"
    assert cli.main(["choose-method", str(labels[0]), "--labels", "--k", "3", "--budget", "0.5"]) == 0
    said = capsysbinary.readouterr().out.decode()
    assert "\nlwea " in said
    assert "feature" not in said.splitlines()[-1]


def test_methods_are_listed(capsysbinary):
    assert cli.main(["methods"]) == 0
    listed = capsysbinary.readouterr().out.decode().splitlines()
    assert [line.split()[0] for line in listed] == list(consensus_methods())
    assert cli.main(["methods", "--json"]) == 0
    assert [row["key"] for row in json.loads(capsysbinary.readouterr().out)] == list(consensus_methods())


def test_studies_are_those_of_their_own_command(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["study", "run", str(tmp_path / "none.toml"), "--store", str(tmp_path / "store")])
    assert ended.value.code == 1
    assert "none.toml" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["consensus", "{labels}", "--method", "guess"], "method must be one of"),
        (["consensus", "{labels}", "--param", "guess=1"], "parameters are name=value, of theta"),
        (["consensus", "{labels}", "--param", "theta"], "parameters are name=value"),
        (["consensus", "{labels}", "--param", "theta=much"], "theta must be a number"),
        (["consensus", "{labels}", "--k", "40"], "n_clusters must be at most"),
        (["consensus", "{folder}/none.csv"], "none.csv: there is no such file or folder"),
        (["consensus", "{labels}", "--k", "3", "--out", "{folder}"], "is a folder"),
        (["consensus", "{labels}", "--k", "3", "--out", "{folder}/no/out.csv"], "there is no folder"),
        (["ensemble", "{folder}/points.csv", "--generator", "guess"], "generator must be one of"),
        (["ensemble", "{folder}/text.csv"], "only one row of values"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments, words, labels, tmp_path, capsys):
    (tmp_path / "text.csv").write_text("a word\nand another\n")
    (tmp_path / "points.csv").write_text("0.5,1\n2,3\n4,5\n")
    given = [word.format(labels=labels[0], folder=tmp_path) for word in arguments]
    assert cli.main(given) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("error: ")
    assert said.err.count("\n") == 1
    assert words in said.err
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["consensus", "{labels}", "--k", "3", "--with", "k_range=2-3"], "name a --generator, too"),
        (["consensus", "{labels}", "--k", "3", "--scaling", "none"], "name a --generator, too"),
        (["consensus", "{labels}", "--k", "3", "--newick", "-"], "two results would be written to one place"),
        (["consensus", "{labels}", "--k", "3", "--newick", "{folder}/a", "--linkage", "{folder}/./a"], "to one place"),
        (["choose-k", "{labels}", "--labels", "--scaling", "none"], "--labels brings base clusterings"),
        (["consensus", "", "--k", "3"], "FILE is an empty word"),
        (["choose-method", "{labels}", "--k", "3", "--labels", "--with", "k_range=2-3"], "--labels brings base"),
        (
            ["choose-k", "{labels}", "--labels", "--generator", "subspaces"],
            "--generator, --with, --edges and --scaling are for",
        ),
        (["consensus", "{labels}", "--edges", "--id", "a", "--k", "2"], "FILE is read as a graph"),
        (["ensemble", "{labels}", "--out", "{folder}/e.csv"], "let --out end in .npz"),
        (["consensus", "{labels}", "--k", "3", "--m", "999"], "--m must be at most "),
        (["league", "--ensemble", "iris", "--json"], "--json writes text"),
        (["league", "--ensemble", "iris", "--draw", "10"], "--draw must be from 0 to 9"),
    ],
)
def test_what_would_do_nothing_or_overwrite_is_refused(arguments, words, labels, tmp_path, capsys):
    assert cli.main([word.format(labels=labels[0], folder=tmp_path) for word in arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err


def test_objects_that_miss_a_label_are_left_out_where_one_says_so(tmp_path, capsys):
    (tmp_path / "gaps.csv").write_text("a,b,c\n0,0,0\n0,,0\n1,1,1\n1,1,0\n2,1,1\n")
    asked = ["consensus", str(tmp_path / "gaps.csv"), "--method", "got", "--k", "2", "--out", str(tmp_path / "out.csv")]
    assert cli.main(asked) == 1
    assert "needs a label of every object" in capsys.readouterr().err
    assert cli.main([*asked, "--labelled-everywhere"]) == 0
    assert "1 of 5 objects that miss a label are set aside" in capsys.readouterr().err
    assert [line.split(",")[0] for line in (tmp_path / "out.csv").read_text().split()] == ["object", "0", "2", "3", "4"]


def test_so_are_objects_without_any_label(tmp_path, capsys):
    (tmp_path / "gaps.csv").write_text("a,b,c\n0,0,0\n,,\n0,,0\n1,1,1\n1,1,0\n2,1,1\n")
    asked = ["consensus", str(tmp_path / "gaps.csv"), "--method", "got", "--k", "2", "--out", str(tmp_path / "out.csv")]
    assert cli.main([*asked, "--labelled-everywhere"]) == 0
    assert "Dropped 1 of 6 rows" in capsys.readouterr().err
    assert [line.split(",")[0] for line in (tmp_path / "out.csv").read_text().split()] == ["object", "0", "3", "4", "5"]


@pytest.mark.parametrize("saved", [True, False])
def test_so_are_those_of_an_ensemble_that_was_made_or_saved(saved, tmp_path, capsys):
    points = np.random.default_rng(0).normal(size=(30, 2))
    (tmp_path / "points.csv").write_bytes(labels_table(points, tmp_path))
    made, file = ["--generator", "subsampling", "--m", "3"], str(tmp_path / "points.csv")
    if saved:
        assert cli.main(["ensemble", file, *made, "--out", str(tmp_path / "made.npz")]) == 0
        made, file = [], str(tmp_path / "made.npz")
    asked = ["consensus", file, *made, "--method", "pta", "--k", "2"]
    assert cli.main(asked) == 1
    capsys.readouterr()
    assert cli.main([*asked, "--labelled-everywhere"]) == 0
    out, said = capsys.readouterr()
    whole = (make_ensemble("subsampling", scale(points, "standard"), 3).labels >= 0).all(axis=1)
    assert [int(line.split(",")[0]) for line in out.splitlines()[1:]] == np.flatnonzero(whole).tolist()
    assert f"{30 - whole.sum()} of 30 objects that miss a label are set aside." in said


def labels_table(points, folder):
    """Features as text with all their digits."""
    np.savetxt(folder / "held.csv", points, "%.17g", ",")
    return (folder / "held.csv").read_bytes()


def test_a_saved_ensemble_knows_whose_labels_it_has(tmp_path, capsys):
    """The same objects as where its base clusterings are made at once; and how a file was read is said."""
    rows = [f"p{i},{i // 10}.{i % 10},{'' if i % 7 == 3 else i % 3 + 0.5}" for i in range(30)]
    (tmp_path / "table.csv").write_text("\n".join(["name,a,b", *rows]))
    making = ["--missing", "drop", "--m", "4"]
    assert cli.main(["ensemble", str(tmp_path / "table.csv"), *making, "--out", str(tmp_path / "made.npz")]) == 0
    said = capsys.readouterr().err
    assert "Objects are named by column 'name'." in said
    assert "Dropped 4 of 30 rows for missing values." in said
    found = []
    for arguments in ([str(tmp_path / "made.npz")], [str(tmp_path / "table.csv"), "--generator", "kmeans", *making]):
        assert cli.main(["consensus", *arguments, "--k", "2"]) == 0
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]
    assert found[0].splitlines()[4].startswith("4,p4,")
    assert cli.main(["consensus", str(tmp_path / "made.npz"), "--missing", "drop", "--k", "2"]) == 2
    assert "FILE is an ensemble that was saved" in capsys.readouterr().err


def test_a_column_may_be_called_by_a_number(tmp_path, capsys):
    """Its name comes before its place."""
    (tmp_path / "a.csv").write_text("id,1,2,3\na,0,0,1\nb,0,1,0\nc,1,1,1\nd,1,0,0\n")
    outs = []
    for word in ("3", "-1", "2"):
        assert cli.main(["consensus", str(tmp_path / "a.csv"), "--ignore", word, "--k", "2", "--json"]) == 0
        outs.append(capsys.readouterr().err)
    assert outs[0] == outs[1] != outs[2]
    assert "column left out: 3." in outs[0].replace("'", "")


def test_an_ensemble_is_known_by_its_ending_in_capitals_too(tmp_path, capsys):
    made = Ensemble.from_labels([[0, 0], [0, 1], [1, 1]], memberships=np.eye(4)[[0, 1, 2]])
    save_ensemble(made, tmp_path / "MADE.NPZ")
    assert cli.main(["consensus", str(tmp_path / "MADE.NPZ"), "--k", "2", "--m", "1"]) == 2
    assert "of an ensemble that was saved" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("run", "arguments"),
    [
        (cli.main, ["consensus", "labels.csv", "--k", "-1"]),
        (cli.main, ["consensus", "labels.csv", "--k", "0"]),
        (cli.main, ["consensus", "labels.csv", "--k", "1"]),
        (cli.main, ["consensus", "labels.csv", "--k", "2.5"]),
        (cli.main, ["consensus", "labels.csv", "--seed", "-1"]),
        (cli.main, ["ensemble", "labels.csv", "--m", "0"]),
        (cli.main, ["ensemble", "labels.csv", "--seed", "-2"]),
        (cli.main, ["choose-k", "labels.csv", "--m", "-1"]),
        (cli.main, ["choose-k", "labels.csv", "--k-max", "1"]),
        (distributed, ["run", "--labels", "labels.npy", "--out", "out.npy", "--n-clusters", "-3"]),
        (distributed, ["run", "--labels", "labels.npy", "--out", "out.npy", "--n-clusters", "3", "--seed", "-1"]),
        (report, ["labels.csv", "--k", "-1"]),
        (report, ["labels.csv", "--m", "-1"]),
        (report, ["labels.csv", "--seed", "-1"]),
    ],
)
def test_a_number_that_cannot_be_meant_is_refused_before_work_starts(run, arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        run(arguments)
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert f"argument {arguments[-2]}: must be a whole number of at least" in said.err
    assert f"Got {arguments[-1]!r}" in said.err


def test_where_the_criteria_see_one_group_two_clusters_come_with_a_word(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(cli, "answer", lambda *_, **__: SimpleNamespace(k=1, n_clusters=2, verdict="One group."))
    np.save(tmp_path / "labels.npy", np.random.default_rng(0).integers(3, size=(40, 5)))
    assert cli.main(["consensus", str(tmp_path / "labels.npy")]) == 0
    said = capsys.readouterr()
    assert said.err == "k = 2, the fewest that a consensus can have: One group.\n"
    assert said.out.count("\n") == 41


@pytest.mark.long
def test_labels_may_come_through_a_pipe_and_leave_through_a_closed_one(labels):
    done = command("consensus", "-", "--k", "3", input=labels[0].read_bytes())
    assert done.returncode == 0, done.stderr
    assert len(rows(done.stdout.decode())) == 30
    code = f"{sys.executable} -m engine.cli methods --json | head -c 10"
    cut = subprocess.run(["bash", "-c", code], cwd=ROOT, capture_output=True, check=False)
    assert cut.stdout.strip().startswith(b"[")
    assert cut.stderr == b""


def test_mirror_images_are_said_to_be_some(tmp_path, capsys):
    (tmp_path / "grid.csv").write_text("\n".join(f"{i % 3},{i // 3}" for i in range(12)) + "\n")
    assert cli.main(["consensus", str(tmp_path / "grid.csv"), "--k", "2"]) == 0
    assert "mirror images of each other in the base clusterings: which is which is a toss" in capsys.readouterr().err


@pytest.mark.parametrize("saved", [True, False])
def test_objects_are_set_aside_before_base_clusterings_are_kept(saved, tmp_path, capsys):
    rng = np.random.default_rng(0)
    labels = np.where(rng.random((90, 8)) < 0.05, -1, rng.integers(0, 4, (90, 8)))
    file = tmp_path / ("a.npz" if saved else "a.csv")
    if saved:
        save_ensemble(Ensemble.from_labels(labels), file)
    else:
        np.savetxt(file, labels, fmt="%d", delimiter=",", header=",".join("abcdefgh"), comments="")
    asked = ["consensus", str(file), "--method", "eac", "--k", "3", "--select", "snmi:4", "--labelled-everywhere"]
    assert cli.main(asked) == 0
    out, said = capsys.readouterr()
    whole = np.flatnonzero((labels >= 0).all(axis=1))
    assert [int(line.split(",")[0]) for line in out.splitlines()[1:]] == whole.tolist()
    kept = selected(Ensemble.from_labels(labels[whole]), "snmi:4", 3, 0)[1]
    assert f"4 of 8 base clusterings (snmi): {', '.join(map(str, kept.tolist()))}" in said


def test_an_object_without_any_label_is_named_by_its_row_and_can_be_dropped(tmp_path, capsys):
    rows = [f"{i % 3},{i % 2},{i % 4}" for i in range(30)]
    rows[4] = ",,"
    (tmp_path / "a.csv").write_text("a,b,c\n" + "\n".join(rows))
    asked = ["consensus", str(tmp_path / "a.csv"), "--method", "eac", "--k", "2"]
    assert cli.main(asked) == 1
    assert "1 object has no label at all (empty or -1 in every base clustering), the first in row 6." in (
        capsys.readouterr().err
    )
    assert cli.main([*asked, "--missing", "drop"]) == 0
    out, said = capsys.readouterr()
    assert [int(line.split(",")[0]) for line in out.splitlines()[1:]] == [i for i in range(30) if i != 4]
    assert "Dropped 1 of 30 rows for missing values." in said


@pytest.mark.parametrize("threads", ["abc", "1.5", "-1"])
def test_a_number_of_threads_that_is_none_is_refused_in_words(threads, labels, monkeypatch, capsys):
    monkeypatch.setenv("CONCORD_THREADS", threads)
    assert cli.main(["consensus", str(labels[0]), "--method", "lwgp", "--k", "3"]) == 1
    assert f"CONCORD_THREADS must be a whole number of threads. Got '{threads}'" in capsys.readouterr().err


@pytest.mark.parametrize("variable", ["CONCORD_THREADS", "CONCORD_MEMORY_LIMIT"])
def test_a_variable_that_is_empty_is_not_set(variable, labels, monkeypatch):
    monkeypatch.setenv(variable, "")
    assert cli.main(["consensus", str(labels[0]), "--method", "lwgp", "--k", "3"]) == 0


def test_a_study_of_a_graph_asks_for_a_generator_that_takes_edges(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("e.csv").write_text("source,target\na,b\nb,c\nc,a\nc,d\nd,e\ne,f\nf,d\n")
    study = 'datasets = ["e.csv"]\nmethods = ["eac"]\nn_clusterings = [4]\nrepeats = 1\nk = [2]\n'
    files = '[files."e.csv"]\nkind = "graph"\n'
    for generator, code in (("", 1), ('generator = "leiden"\n', 0)):
        Path("a.toml").write_text("version = 1\n" + study + generator + files)
        assert studies(["run", "a.toml", "--store", "a.sqlite"]) == code
        said = capsys.readouterr().err
        assert ("generator must be one that takes edges (leiden): e.csv is a graph. Got kmeans" in said) == bool(code)


def test_a_report_into_more_clusters_than_there_can_be_is_refused(labels, capsys):
    assert report([str(labels[0]), "--labels", "--k", "29"]) == 1
    assert "n_clusters must be at most" in capsys.readouterr().err


def test_studies_are_called_as_whoever_called_them(capsys):
    for call, said in ((cli.main, "usage: concord study run"), (studies, "usage: python -m engine.studies run")):
        with pytest.raises(SystemExit):
            call(["study", "run", "--help"] if call is cli.main else ["run", "--help"])
        assert capsys.readouterr().out.startswith(said)
