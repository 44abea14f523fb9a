"""The package `concord`: built, installed into an environment of its own, and used there."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import engine

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def run(*words, **options) -> str:
    """What a process prints; one that fails fails the test with what it said."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False, env=clean, **options
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of a copy of the tree, for building leaves files behind."""
    copy, out = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("dist")
    for name in ("engine", "data", "pyproject.toml", "README.md", "LICENSE"):
        run("cp", "-r", ROOT / name, copy)
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", out, copy)
    (found,) = out.glob("concord-*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """A fresh environment with the wheel and what it requires; the folder of its programs."""
    folder = tmp_path_factory.mktemp("environment")
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "pip", "install", "-q", wheel, "pytest")
    return folder / "bin"


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
    text = (ROOT / "README.md").read_text()
    section = text[text.index("## As a library") :].split("\n## ")[0]
    blocks = re.findall(r"```python\n(.*?)```", section, flags=re.S)
    assert len(blocks) >= 2
    for place, block in enumerate(blocks):
        (tmp_path / f"example_{place}.py").write_text(block)
        run(installed / "python", f"example_{place}.py", cwd=tmp_path)
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
    checks = (ROOT / "tests" / "engine" / "test_estimators.py").read_text()
    (tmp_path / "test_installed.py").write_text(re.sub(r"^from engine", "from concord", checks, flags=re.M))
    said = run(installed / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_installed.py", cwd=tmp_path)
    assert " passed" in said
