"""Studies from the command line, one of which is killed."""

import csv
import json
import signal
import subprocess
import sys
import time
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine import __version__
from engine.consensus.running import run_settings
from engine.studies import units
from engine.studies.__main__ import main
from engine.studies.store import Store
from tests.engine.studies.examples import sample, without_cost

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]


STUDY = """
name = "small"
datasets = ["iris"]
methods = ["lwea", "lwgp"]
n_clusterings = 10
repeats = 3
k = "true"
seed = 0
[grid.lwea]
theta = [0.2, 0.4, 1.0]
"""


def command(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "engine.studies", *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        **options,
    )


def test_what_failed_is_run_once_more_where_one_asks(tmp_path, capsys, monkeypatch):
    """An error stays, as every record does: what it needed may be there by now."""
    (tmp_path / "study.toml").write_text(
        'datasets = ["iris"]\nmethods = ["eac", "mcla"]\nn_clusterings = 4\nrepeats = 1'
    )
    asked = ["run", str(tmp_path / "study.toml"), "--store", str(tmp_path / "store")]
    with monkeypatch.context() as before:
        before.setattr(units, "run_settings", without_memory_for_mcla)
        assert main(asked) == 0
    assert "2 records, 1 of them errors" in (said := capsys.readouterr().err)
    assert said.rstrip().endswith("; --again runs them once more")
    with closing(Store(tmp_path / "store")) as store:
        kept = {record.method: record for record in store.all()}
    assert main(asked) == 0
    assert "1 of them errors" in capsys.readouterr().err
    assert main([*asked, "--again"]) == 0
    assert "2 records, 0 of them errors" in capsys.readouterr().err
    with closing(Store(tmp_path / "store")) as store:
        now = {record.method: record for record in store.all()}
    assert (kept["eac"], kept["mcla"].error != now["mcla"].error) == (now["eac"], True)


def without_memory_for_mcla(method, *asked):
    for outcome in run_settings(method, *asked):
        yield replace(outcome, labels=None, error="TooLargeError: x") if method == "mcla" else outcome


@pytest.mark.parametrize("kind", ["--csv", "--parquet"])
def test_a_store_is_not_exported_over_itself(kind, tmp_path, capsys):
    Store(tmp_path / "s").close()
    (tmp_path / "link").symlink_to(tmp_path / "s")
    before = (tmp_path / "s").read_bytes()
    for goal in ("s", "link"):
        assert main(["export", "--store", str(tmp_path / "s"), kind, str(tmp_path / goal)]) == 1
        assert "is the store itself" in capsys.readouterr().err
    assert (tmp_path / "s").read_bytes() == before
    both = str(tmp_path / "out")
    assert main(["export", "--store", str(tmp_path / "s"), "--csv", both, "--parquet", both]) == 1
    assert "Name two files" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_one_file_is_not_both_tables_however_it_is_spelt(tmp_path, capsys):
    with closing(Store(tmp_path / "s")) as store:
        store.add([sample()])
    (tmp_path / "runs").mkdir()
    twice = ["--csv", str(tmp_path / "runs" / ".." / "z.csv"), "--parquet", str(tmp_path / "z.csv")]
    assert main(["export", "--store", str(tmp_path / "s"), *twice]) == 1
    assert "can be one of CSV and Parquet" in capsys.readouterr().err
    assert main(["export", "--store", str(tmp_path / "s"), "--csv", str(tmp_path / "z.csv")]) == 0
    assert capsys.readouterr().err == "1 of 1 record exported\n"


def test_the_command_line_runs_and_exports(tmp_path):
    (tmp_path / "study.toml").write_text(STUDY)
    done = command("run", tmp_path / "study.toml", "--store", tmp_path / "s")
    assert done.returncode == 0, done.stderr
    assert "12 of 12" in done.stderr
    assert command("export", "--store", tmp_path / "s", "--csv", tmp_path / "out.csv").returncode == 0
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))
    assert len(rows) == 12
    assert {row["params"] for row in rows if row["method"] == "lwgp"} == {'{"theta": 0.4}'}
    assert {(row["n_clusterings"], row["version"]) for row in rows} == {("10", __version__)}
    assert {json.loads(row["generator"])["init"] for row in rows} == {"random"}
    assert all(float(row["nmi_max"]) > 0.5 and row["k"] == "3" for row in rows)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("datasets = [", "not valid TOML"),
        (STUDY.replace("iris", "irish"), "irish"),
        (f'scaling = "log"\n{STUDY}', "scaling must be one of standard, minmax, none"),
    ],
)
def test_the_command_line_says_what_is_wrong(tmp_path, text, words):
    (tmp_path / "study.toml").write_text(text)
    done = command("run", tmp_path / "study.toml", "--store", tmp_path / "s")
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_killed_study_goes_on_where_it_was(tmp_path):
    text = STUDY.replace('["iris"]', '["digits"]').replace("repeats = 3", "repeats = 8").replace('"lwgp"', '"pta"')
    (tmp_path / "study.toml").write_text(text)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    assert command("run", tmp_path / "study.toml", "--store", whole).returncode == 0
    process = subprocess.Popen(
        [sys.executable, "-m", "engine.studies", "run", str(tmp_path / "study.toml"), "--store", str(broken)],
        cwd=ROOT,
        stderr=subprocess.DEVNULL,
    )
    while not broken.exists() or len(Store(broken)) < 3:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    kept = Store(broken).all()
    assert 3 <= len(kept) < 32
    assert command("run", tmp_path / "study.toml", "--store", broken).returncode == 0
    assert without_cost(Store(broken).all()) == without_cost(Store(whole).all())
    assert {record.key: record.seconds for record in kept}.items() <= {
        record.key: record.seconds for record in Store(broken).all()
    }.items()  # what was there was not computed again
