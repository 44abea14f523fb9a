"""Own labels beside the league: a method of the league scored as a stranger has its own place and numbers."""

import json

import numpy as np
import pytest

import data
from engine import InvalidParameterError, cli, load_ensemble, metrics, run_consensus
from engine.choosing_method import beside_league, league
from engine.choosing_method.league import OBJECTS, ensemble_of, frozen
from engine.choosing_method.own_labels import league_set
from engine.tables import as_csv


def told(name):
    """The league's lines of a set, by method."""
    return {one.method: one for one in league() if one.set == name}


def answers(method, name):
    """What a method says on every draw of the league."""
    draws = range(told(name)[method].draws)
    made = [(draw, *ensemble_of(name, draw)) for draw in draws]
    return [run_consensus(method, ensemble, k, seed=draw).labels for draw, ensemble, _, k in made]


def written(tmp_path, columns):
    file = tmp_path / "own.csv"
    file.write_bytes(as_csv(columns))
    return str(file)


def scored(capsys, *arguments):
    assert cli.main(["league", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_method_of_the_league_stands_at_its_own_place():
    rows = beside_league({("a stranger", name): answers("lwea", name) for name in ("iris", "6 features of noise")})
    for row, name in zip(rows, ("iris", "6 features of noise"), strict=False):
        lines = told(name)
        assert (row.ari, row.nmi, row.loss) == pytest.approx([lines["lwea"].ari, lines["lwea"].nmi, lines["lwea"].loss],
                                                             abs=2e-4)  # fmt: skip
        assert row.place == 1 + sum(one.ari > lines["lwea"].ari for one in lines.values())
        assert (row.vectors, row.draws, row.methods) == (lines["lwea"].draws, lines["lwea"].draws, len(lines))
        assert row.best_ari == max(one.ari for one in lines.values()) == lines[row.best].ari
    assert rows[2].sets == ("iris", "6 features of noise")
    assert rows[2].loss == pytest.approx((rows[0].loss + rows[1].loss) / 2)


def test_the_truth_is_ahead_of_all_and_one_cluster_behind():
    truth = frozen("wine").truth
    first, last = beside_league({("truth", "wine"): [truth], ("one", "wine"): [np.zeros(len(truth), int)]})
    assert (first.place, first.ari) == (1, 1)
    assert first.loss < 0
    assert last.place == last.methods + 1


def test_a_large_set_is_scored_on_the_objects_of_the_league(tmp_path, capsys):
    whole = data.load("digits").labels
    objects = league_set("digits").objects
    assert len(objects) == OBJECTS < len(whole)
    wrong_elsewhere = np.where(np.isin(np.arange(len(whole)), objects), whole, 0)
    for labels in (whole, wrong_elsewhere, whole[objects]):
        row, = scored(capsys, written(tmp_path, {"mine": labels.tolist()}), "--data", "digits")  # fmt: skip
        assert (row["method"], row["ari"]) == ("mine", 1)


@pytest.mark.parametrize("called", ["{}", "{}.0", "o{}"])
@pytest.mark.parametrize("first", [0, 1])
def test_an_index_of_rows_is_no_method_and_says_which_objects_they_are(called, first, tmp_path, capsys):
    """As pandas, counting from 0, and R, from 1, write it; names that count nothing leave the order of the file."""
    truth = data.load("iris").labels
    rows = np.arange(150) if called == "o{}" else np.random.default_rng(0).permutation(150)
    lines = [f"{called.format(row + first)},{truth[row]},{row % 3}" for row in rows]
    file = tmp_path / "own.csv"
    file.write_text("\n".join([",mine,other", *lines]))
    mine, other = scored(capsys, str(file), "--data", "iris")
    assert (mine["method"], mine["ari"], other["method"]) == ("mine", 1, "other")


def test_of_a_file_of_several_sets_one_may_be_asked_for(tmp_path, capsys):
    sets = {name: data.load(name).labels for name in ("iris", "wine")}
    columns = {
        "set": [name for name, truth in sets.items() for _ in truth],
        "object": [row for truth in sets.values() for row in range(len(truth))],
        "label": [label for truth in sets.values() for label in truth.tolist()],
    }
    (row,) = scored(capsys, written(tmp_path, columns), "--data", "wine")
    assert row["sets"] == ["wine"]
    assert cli.main(["league", written(tmp_path, columns), "--data", "seeds"]) == 2
    assert "no row of the file has 'seeds' in its column set" in capsys.readouterr().err


def test_a_label_a_row_says_the_same_in_any_order(tmp_path, capsys):
    own = {("a", "iris", draw): labels for draw, labels in enumerate(answers("kcc", "iris"))}
    own |= {("b", "wine", 0): answers("eac", "wine")[0]}
    lines = [(m, name, draw, place, int(label)) for (m, name, draw), labels in own.items()
             for place, label in zip(league_set(name).objects.tolist(), labels, strict=True)]  # fmt: skip
    order = np.random.default_rng(3).permutation(len(lines))
    columns = zip(*[lines[i] for i in order], strict=True)
    file = written(tmp_path, dict(zip(("method", "set", "draw", "object", "label"), columns, strict=True)))
    found = {row["method"]: row for row in scored(capsys, file)}
    assert found["a"]["ari"] == pytest.approx(told("iris")["kcc"].ari, abs=1e-4)
    assert found["a"]["vectors"] == told("iris")["kcc"].draws
    assert found["b"]["ari"] == pytest.approx(metrics.ari(own["b", "wine", 0], frozen("wine").truth))


@pytest.mark.long
@pytest.mark.parametrize("given", ["given.npz", "given.csv"])
@pytest.mark.parametrize("name", ["two_gaussian", "digits"])
def test_the_ensemble_of_the_league_is_handed_out_and_its_consensus_scored(name, given, tmp_path, capsys):
    """Of digits the league has 1,000 objects, whose places in the set travel with it."""
    made, truth, k = ensemble_of(name, 1)
    assert cli.main(["league", "--ensemble", name, "--draw", "1", "--out", str(tmp_path / given)]) == 0
    if given.endswith("npz"):
        assert load_ensemble(tmp_path / given).fingerprint == made.fingerprint
    consensus = ["consensus", str(tmp_path / given), "--k", str(k), "--method", "eac", "--seed", "1", "--out"]
    assert cli.main([*consensus, str(tmp_path / "own.csv"), "--confidence"]) == 0
    capsys.readouterr()
    row, = scored(capsys, str(tmp_path / "own.csv"), "--data", name)  # fmt: skip
    assert row["ari"] == pytest.approx(metrics.ari(run_consensus("eac", made, k, seed=1).labels, truth))
    assert cli.main(["league", str(tmp_path / "own.csv"), "--data", name]) == 0
    assert f"{row['place']} of {row['methods'] + 1}" in capsys.readouterr().out


def test_an_ensemble_of_one_group_is_handed_out_too(tmp_path):
    """No method is ranked on it, and the league counts no draws of it."""
    handed = ["league", "--ensemble", "no structure, flat, 2 features", "--draw", "3", "--out"]
    assert cli.main([*handed, str(tmp_path / "given.npz")]) == 0
    made, _, _ = ensemble_of("no structure, flat, 2 features", 3)
    assert load_ensemble(tmp_path / "given.npz").fingerprint == made.fingerprint


@pytest.mark.parametrize(
    ("columns", "arguments", "why", "code"),
    [
        ({"a": [0, 1]}, ["--data", "iris"], "150 objects. Got 2 labels", 1),
        ({"a": [0, 1]}, [], "--data SET", 2),
        ({"a": [0, 1]}, ["--data", "nowhere"], "not in the league. Its sets are", 1),
        ({"a": [0, 1], "object": [0, 0]}, ["--data", "iris"], "object 0 of 'iris' has 2 labels", 1),
        ({"a": [0, 1], "object": [0, 1]}, ["--data", "iris"], "148 objects of 'iris' have no label, the first is 2", 1),
        ({"a": [0, 1], "object": [0, 150]}, ["--data", "iris"], "are 0 to 149. Got 150", 1),
        ({"a": [0.5] * 150}, ["--data", "iris"], "whole number", 1),
        ({"a": [0] * 300}, ["--data", "no structure, flat, 2 features"], "nothing to score", 1),
    ],
)
def test_what_cannot_be_scored_is_named(columns, arguments, why, code, tmp_path, capsys):
    assert cli.main(["league", written(tmp_path, columns), *arguments]) == code
    assert why in capsys.readouterr().err


def test_a_set_that_only_has_the_name_is_refused(monkeypatch):
    wine = frozen("wine")
    monkeypatch.setattr("engine.choosing_method.own_labels.frozen", lambda name: wine)
    with pytest.raises(InvalidParameterError, match="another set"):
        league_set("iris")


def test_objects_without_a_label_are_in_no_cluster():
    labels = np.where(np.arange(150) < 2, -1, league_set("iris").truth)
    with pytest.raises(InvalidParameterError, match=r"2 objects have the label -1 in 'dbscan', of 'iris'"):
        beside_league({("dbscan", "iris"): [labels]})
