"""The command on graphs and cells: base clusterings are made on the way, and cells come back as they were, and more."""

import csv
import shutil
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
from scipy.io import mmwrite

import data
from engine import Graph, cli, confidence, run_consensus
from engine.generators import kmeans_ensemble, leiden_ensemble
from engine.metrics import ari
from tests.data.test_graph_files import cells
from tests.engine.communities.test_leiden import planted


@pytest.fixture
def edges(tmp_path):
    """A file of edges with four planted groups, and the graph in it, its nodes in the order of their names."""
    graph, truth = planted(160, 4, 0.3, 0.02)
    file = tmp_path / "edges.csv"
    lines = [f"n{i:03},n{j:03}" for i, j in zip(graph.sources, graph.targets, strict=True)]
    file.write_text("\n".join(["from,to", *lines]) + "\n")
    return file, graph, truth


@pytest.fixture
def annotated(tmp_path, edges):
    """The same graph between cells of an AnnData file."""
    file = tmp_path / "cells.h5ad"
    file.write_bytes(cells(160, matrix=edges[1].matrix))
    return file


def table(path):
    return list(csv.DictReader(path.open()))


def test_edges_to_a_consensus_whose_k_is_an_outcome(edges, tmp_path, capsys):
    file, graph, truth = edges
    out = tmp_path / "found.csv"
    asked = ["consensus", str(file), "--edges", "--generator", "leiden", "--m", "6", "--method", "ecg", "--seed", "3"]
    assert cli.main([*asked, "--out", str(out)]) == 0
    said = capsys.readouterr().err
    assert f"160 nodes, {graph.n_edges:,} edges" in said
    assert "found: 4 clusters" in said
    assert "--k" not in said
    assert cli.main([*asked, "--k", "7", "--out", str(tmp_path / "again.csv")]) == 0
    assert "--k is not used: ECG finds the number of clusters itself" in capsys.readouterr().err
    assert (tmp_path / "again.csv").read_bytes() == out.read_bytes()
    rows = table(out)
    assert [row["identifier"] for row in rows] == [f"n{i:03}" for i in range(160)]
    made = leiden_ensemble(Graph.of_edges(graph.sources, graph.targets, None, 160), 6, seed=3)
    assert [int(row["label"]) for row in rows] == run_consensus("ecg", made, None, seed=3).labels.tolist()
    assert ari([int(row["label"]) for row in rows], truth) > 0.95


def test_edges_alone_mean_leiden_and_any_method_takes_its_clusterings(edges, tmp_path):
    file, _, truth = edges
    out = tmp_path / "found.csv"
    asked = ["--edges", "--m", "4", "--k", "4", "--with", "resolution=0.5-1"]
    assert cli.main(["consensus", str(file), *asked, "--out", str(out)]) == 0
    assert ari([int(row["label"]) for row in table(out)], truth) > 0.95


def test_an_ensemble_of_a_graph_is_that_of_its_consensus(edges, annotated, tmp_path, capsys):
    """Also of cells that have features: every command reads the graph where the generator takes one."""
    for file, said in ((edges[0], ["--edges"]), (annotated, ["--generator", "leiden"])):
        once, saved, twice = tmp_path / "once.csv", tmp_path / "saved.npz", tmp_path / "twice.csv"
        asked = [*said, "--m", "6", "--seed", "3"]
        assert cli.main(["consensus", str(file), *asked, "--method", "ecg", "--out", str(once)]) == 0
        assert cli.main(["ensemble", str(file), *asked, "--out", str(saved)]) == 0
        assert cli.main(["consensus", str(saved), "--method", "ecg", "--seed", "3", "--out", str(twice)]) == 0
        labels = [[row["label"] for row in table(path)] for path in (once, twice)]
        assert labels[0] == labels[1]
        capsys.readouterr()
        for question in (["choose-k", "--k-max", "4"], ["choose-method", "--k", "4", "--budget", "1"]):
            assert cli.main([question[0], str(file), *question[1:], *asked, "--json"]) == 0
            assert f"160 nodes, {edges[1].n_edges:,} edges" in capsys.readouterr().err


def test_options_of_a_table_are_refused_where_cells_are_read_as_a_graph(annotated, tmp_path, capsys):
    for command in ("consensus", "ensemble", "choose-k"):
        assert cli.main([command, str(annotated), "--generator", "leiden", "--m", "3", "--id", "nosuch"]) == 2
        assert "FILE is read as a graph" in capsys.readouterr().err


def test_a_file_that_can_only_be_a_graph_is_one(edges, tmp_path, capsys):
    file = tmp_path / "graph.mtx"
    mmwrite(file, edges[1].matrix)
    assert cli.main(["consensus", str(file), "--m", "6", "--method", "ecg", "--out", str(tmp_path / "o.csv")]) == 0
    assert "160 nodes" in capsys.readouterr().err


def test_rows_that_look_like_edges_are_said_to(tmp_path, capsys):
    file = tmp_path / "pairs.csv"
    file.write_text("source,target\n" + "\n".join(f"{i},{(i * 7) % 30}" for i in range(30)))
    assert cli.main(["ensemble", str(file), "--m", "3", "--out", str(tmp_path / "pairs.npz")]) == 0
    assert "if its rows are edges, read it as a graph" in capsys.readouterr().err


def test_cells_come_back_with_consensus_confidence_margin_and_second_choice(annotated, tmp_path, capsys):
    out = tmp_path / "out.h5ad"
    given = annotated.read_bytes()
    asked = ["consensus", str(annotated), "--generator", "leiden", "--m", "5", "--seed", "2"]
    assert cli.main([*asked, "--method", "fastensemble", "--out", str(out)]) == 0
    assert "The graph is obsp/connectivities." in capsys.readouterr().err
    assert annotated.read_bytes() == given
    made = leiden_ensemble(planted(160, 4, 0.3, 0.02)[0], 5, seed=2)
    found = run_consensus("fastensemble", made, None, seed=2).labels
    profile = confidence.cluster_profile(made, found)
    with h5py.File(out) as file:
        obs = file["obs"]
        words = obs["concord_consensus/categories"].asstr()[()][obs["concord_consensus/codes"][()]]
        second = obs["concord_second_choice/categories"].asstr()[()][obs["concord_second_choice/codes"][()]]
        assert words.tolist() == [str(label) for label in found]
        assert second.tolist() == [str(label) for label in profile.neighbour]
        assert np.allclose(obs["concord_confidence"], profile.own)
        assert np.allclose(obs["concord_margin"], profile.margin)
        said = file["uns/concord"]
        assert said["method"].asstr()[()] == "fastensemble"
        assert (said["seed"][()], said["m"][()], said["generator/seed"][()]) == (2, 5, 2)
        assert said["version"].asstr()[()] == cli.__version__


def test_cells_without_a_graph_are_clustered_by_their_features(tmp_path, capsys):
    file, out = tmp_path / "cells.h5ad", tmp_path / "out.h5ad"
    file.write_bytes(cells(40, place="distances", matrix=planted(40, 2)[0].matrix))
    asked = ["consensus", str(file), "--generator", "leiden", "--m", "3", "--method", "ecg"]
    assert cli.main([*asked, "--out", str(out)]) == 0
    assert "nodes" not in capsys.readouterr().err
    assert cli.main([*asked, "--edges", "--out", str(out)]) == 2
    assert "obsp has distances" in capsys.readouterr().err


def test_the_features_of_a_graph_are_clustered_where_the_generator_takes_no_graph(tmp_path):
    file, out = tmp_path / "cells.h5ad", tmp_path / "out.csv"
    file.write_bytes(cells(40, matrix=planted(40, 2)[0].matrix))
    asked = ["--edges", "--generator", "kmeans", "--m", "4", "--k", "2", "--seed", "3", "--out", str(out)]
    assert cli.main(["consensus", str(file), *asked]) == 0
    made = kmeans_ensemble(data.scale(np.arange(80.0).reshape(40, 2), "standard"), 4, seed=3)  # its obsm/X_pca
    assert [int(row["label"]) for row in table(out)] == run_consensus("lwea", made, 2, seed=3).labels.tolist()


def test_cells_that_were_left_out_stay_empty_whatever_the_others_are_called(tmp_path):
    file, out = tmp_path / "cells.h5ad", tmp_path / "out.h5ad"
    shutil.copyfile(Path(__file__).parents[1] / "golden/arrays/small.h5ad", file)
    with h5py.File(file, "r+") as held:
        held["X/data"][0] = np.nan  # of the first cell
        names = held["obs"][held["obs"].attrs["_index"]]
        names[5] = names[6]
    asked = ["--generator", "kmeans", "--missing", "drop", "--m", "4", "--k", "2", "--out", str(out)]
    assert cli.main(["consensus", str(file), *asked]) == 0
    with h5py.File(out) as held:
        assert (held["obs/concord_consensus/codes"][()] < 0).tolist() == [True] + 11 * [False]


def test_cells_that_another_column_names_keep_their_places(tmp_path):
    file, out, plain = (tmp_path / name for name in ("cells.h5ad", "out.h5ad", "plain.h5ad"))
    shutil.copyfile(Path(__file__).parents[1] / "golden/arrays/small.h5ad", file)
    asked = ["consensus", str(file), "--generator", "kmeans", "--m", "4", "--k", "2"]
    assert cli.main([*asked, "--out", str(plain)]) == 0
    assert cli.main([*asked, "--id", "score", "--out", str(out)]) == 0
    found = []
    for path in (plain, out):
        with h5py.File(path) as held:
            found.append(held["obs/concord_consensus/codes"][()].tolist())
    assert found[0] == found[1]


def test_what_an_earlier_consensus_wrote_is_no_base_clustering(tmp_path, capsys):
    rng = np.random.default_rng(0)
    file, words = tmp_path / "cells.h5ad", {f"leiden_{m}": rng.choice(list("abc"), 30).tolist() for m in range(3)}
    anndata = pytest.importorskip("anndata")
    with pd.option_context("future.infer_string", False):
        obs = pd.DataFrame(words, index=[f"c{i}" for i in range(30)]).astype("category")
        anndata.AnnData(rng.random((30, 2)), obs=obs).write_h5ad(file)
    asked = ["consensus", str(file), "--k", "3", "--method", "eac"]
    assert cli.main([*asked, "--out", str(tmp_path / "before.csv")]) == 0
    assert cli.main([*asked, "--out", str(file), "--newick", str(tmp_path / "tree.nwk")]) == 0
    assert (tmp_path / "tree.nwk").read_text().endswith(";\n")
    assert cli.main([*asked, "--out", str(tmp_path / "after.csv")]) == 0
    assert (tmp_path / "after.csv").read_text() == (tmp_path / "before.csv").read_text()
    pool = data.read_upload("cells.h5ad", file.read_bytes(), "labels")
    assert pool.members.shape == (30, 3)
    assert cli.main([*asked, "--out", str(file), "--json"]) == 2
    assert cli.main(["consensus", str(file), "--k", "3", "--method", "kcc", "--out", str(file), "--newick", "t"]) == 1
    assert "kcc builds no dendrogram" in capsys.readouterr().err


def test_a_single_cluster_that_was_found_is_written_without_a_margin(tmp_path, capsys):
    file, out = tmp_path / "clique.csv", tmp_path / "out.csv"
    file.write_text("\n".join(f"{i},{j}" for i in range(8) for j in range(i)))
    assert cli.main(["consensus", str(file), "--edges", "--method", "ecg", "--confidence", "--out", str(out)]) == 0
    assert {row["label"] for row in table(out)} == {"0"}
    assert "a margin is between two clusters" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--edges", "--generator", "kmeans"], 1, "k-means needs features, and this is a graph; leiden takes it"),
        (["--edges", "--out", "out.h5ad"], 2, "FILE must be one, too"),
        (["--method", "ecg"], 1, "ECG needs a graph between the objects"),
    ],
)
def test_what_cannot_be_is_said(edges, arguments, code, words, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = edges[0]
    if "--edges" not in arguments:
        file.write_text("\n".join(f"{i % 2},{i % 3}" for i in range(12)))
    assert cli.main(["consensus", str(file), *arguments]) == code
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out.h5ad").exists()
