"""Command lines that cannot be meant, and streams that are closed: one line that says so, and exit code 2."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from engine import Ensemble, InvalidParameterError, cli, evidence, run_consensus
from engine.choosing_k import choose_k
from engine.distributed.files import paths_of
from engine.studies.store import Store, StoreError

ROOT = Path(__file__).parents[2]
LABELS = "id,a,b\n1,0,1\n2,0,1\n3,1,0\n4,1,0\n"


@pytest.fixture
def file(tmp_path):
    (tmp_path / "labels.csv").write_text(LABELS)
    return str(tmp_path / "labels.csv")


@pytest.mark.parametrize("word", ["²", "--5", "1²", "-9", "7", "9" * 5000])
@pytest.mark.parametrize("option", ["--id", "--class", "--ignore"])
def test_a_column_that_is_not_there(file, option, word, capsys):
    assert cli.main(["consensus", file, "--k", "2", f"{option}={word}"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: There is no column ")
    assert said.count("\n") == 1
    assert len(said) < 200


def test_files_are_sorted_by_numbers_alone(tmp_path):
    for name in ("1²2.npy", "1²10.npy"):
        (tmp_path / name).touch()
    assert [Path(path).name for path in paths_of(tmp_path)] == ["1²2.npy", "1²10.npy"]


def test_a_store_is_no_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for command in (["export", "--csv", "x"], ["salvage", "--to", "x"], ["run", "x.toml"]):
        with pytest.raises(SystemExit) as ended:
            cli.main(["study", *command, "--store", "."])
        assert ended.value.code == 2
        assert capsys.readouterr().err.endswith("argument --store: must be a file. . is a folder\n")
    with pytest.raises(StoreError, match="is a folder. Name a file"):
        Store(".")


def closed(streams, *arguments):
    """The command with some of its streams closed: its exit code, stdout and stderr."""
    script = f'exec "$0" -m engine.cli "$@" {streams}'
    done = subprocess.run(
        ["sh", "-c", script, sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="a shell that closes streams")
def test_closed_streams(file, tmp_path):
    told = "consensus", file, "--k", "2", "--id", "id"
    found = closed("", *told)[1]
    assert closed(">&-", *told) == (2, "", "error: stdout is closed. Say --out FILE\n")
    assert closed("<&-", "consensus", "-", "--k", "2") == (2, "", "error: stdin is closed. Say FILE\n")
    assert closed("2>&-", "consensus", file, "--id", "id")[:2] == (0, found)  # what is said of k goes nowhere else
    assert closed("<&- >&- 2>&-", *told, "--out", str(tmp_path / "out.csv")) == (0, "", "")
    assert (tmp_path / "out.csv").read_text() == found


def test_labels_are_no_ensemble_and_an_object_is_one_of_n():
    with pytest.raises(InvalidParameterError, match=r"make one: Ensemble.from_labels"):
        run_consensus("lwea", np.zeros((4, 2), int), 2)
    ensemble = Ensemble.from_labels([[0, 1], [1, 0], [1, 1]])
    for objects in ([3], [-1], [10**6]):
        with pytest.raises(InvalidParameterError, match="0 to 2"):
            evidence.block_profiles(ensemble, objects, 1)
    with pytest.raises(InvalidParameterError, match="n_blocks"):
        evidence.block_profiles(ensemble, [0], 0)
    with pytest.raises(InvalidParameterError, match="seed"):
        choose_k(ensemble, seed=-1)
