"""The package `concord`: built, installed into an environment of its own, and used there."""

import re
import subprocess
import tomllib
import zipfile

import pytest

import engine
from bench import wheels
from bench.wheels import ROOT, run

pytestmark = pytest.mark.long

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return wheels.wheel(tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("dist"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A fresh environment with the wheel and what it requires; the folder of its programs."""
    return wheels.environment(tmp_path_factory.mktemp("environment"), [wheel, "pytest"])


def test_the_version_is_that_of_the_engine():
    assert PROJECT["project"]["version"] == engine.__version__


def test_every_package_is_named_and_every_file_travels(wheel):
    names = {
        path.parent.relative_to(ROOT).as_posix() for room in ("engine", "data") for path in ROOT.glob(f"{room}/**/*.py")
    }
    packages = {re.sub("^concord.", "", re.sub("^engine", "concord", name.replace("/", "."))) for name in names}
    listed = {re.sub("^concord.", "", name) for name in PROJECT["tool"]["setuptools"]["packages"]}
    assert listed == packages
    inside = set(zipfile.ZipFile(wheel).namelist())
    files = [path for room in ("engine", "data") for path in (ROOT / room).rglob("*")]
    kept = [path for path in files if path.suffix in (".py", ".csv", ".md")]
    for path in kept:
        place = path.relative_to(ROOT).as_posix()
        assert "concord/" + place.removeprefix("engine/") in inside


def test_the_examples_of_the_readme_run_on_the_package(installed, tmp_path):
    assert wheels.run_the_readme(installed, tmp_path) >= 2
    assert "streamlit" not in run(installed / "pip", "list")


def test_the_command_is_there_and_names_what_is_missing(installed, tmp_path):
    (tmp_path / "labels.npy").write_bytes(_labels())
    assert run(installed / "concord", "consensus", "labels.npy", "--k", "2", cwd=tmp_path).count("\n") == 7
    assert run(installed / "concord", "--version").strip() == engine.__version__
    for words, named in (
        (["consensus", "labels.csv"], "pip install pandas"),
        (["consensus", "labels.npy", "--method", "cspa", "--k", "2"], "pip install pymetis"),
        (["app"], "source tree"),
        (["report", "labels.csv"], "source tree"),
    ):
        (tmp_path / "labels.csv").write_text("0,0\n0,1\n1,1\n")
        done = subprocess.run(
            [installed / "concord", *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
        assert named in done.stderr


def _labels() -> bytes:
    import io

    import numpy as np

    held = io.BytesIO()
    np.save(held, np.array([[0, 0, 0], [0, 0, 1], [0, 0, 0], [1, 1, 1], [1, 1, 0], [1, 2, 1]]))
    return held.getvalue()


def test_scikit_learn_takes_the_installed_estimators(installed, tmp_path):
    assert " passed" in wheels.check_the_estimators(installed, tmp_path)
