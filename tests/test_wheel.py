"""The package `concord`: built, installed into an environment of its own, and used there."""

import os
import re
import subprocess
import tomllib
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import engine
from bench import wheels
from bench.serving import free_port
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
    assert wheels.run_the_readme(installed, tmp_path) >= 7
    assert len((tmp_path / "found.csv").read_text().splitlines()) == 301
    assert not re.search("streamlit|pandas|pyarrow|metis", run(installed / "pip", "list"))


@pytest.fixture(scope="module")
def with_extras(wheel, tmp_path_factory):
    """A fresh environment with all that examples of README say they need."""
    extras = sorted({extra for example in wheels.readme_examples() for extra in example.extras})
    return wheels.environment(tmp_path_factory.mktemp("extras"), [f"{wheel}[{','.join(extras)}]"])


@pytest.mark.parametrize(
    "example", [one for one in wheels.readme_examples() if one.extras], ids=lambda one: one.extras[0]
)
def test_the_examples_that_need_more_run_with_what_they_name(example, with_extras, tmp_path):
    wheels.files_of_the_readme(tmp_path)
    (tmp_path / "FOLDER").mkdir()
    labels = np.loadtxt(tmp_path / "labels.csv", int, delimiter=",")
    for part, rows in enumerate((labels[:120], labels[120:])):
        table = pa.table({f"b{m}": rows[:, m] for m in range(8)})
        pq.write_table(table, tmp_path / "FOLDER" / f"{part}.parquet")
    if "dask" in example.extras:
        run_on_a_cluster(example, with_extras, tmp_path)
    else:
        wheels.run_example(example, with_extras / "python", tmp_path)
    made = {"io": "LABELS.parquet", "studies": "records.csv", "dask": "records.sqlite"}
    assert (tmp_path / made[example.extras[0]]).stat().st_size > 500


def run_on_a_cluster(example, programs, folder):
    """Scheduler and worker as README starts them, on a port that is free; then its study, where they are exported."""
    port, processes = str(free_port()), []
    path = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": ""}
    scheduler, worker, export = (line.replace("SCHEDULER", "127.0.0.1", 1) for line in example.commands)
    export = export.replace("CONCORD_127.0.0.1", "CONCORD_SCHEDULER").replace("SCHEDULER:", "127.0.0.1:")
    try:
        for words in (f"{scheduler} --host 127.0.0.1 --port {port} --no-dashboard", f"{worker} --no-dashboard"):
            command = ["bash", "-c", f"exec {words.replace('8786', port)}"]
            processes.append(subprocess.Popen(command, cwd=folder, env=path, stderr=subprocess.DEVNULL))
        study = f"{export.replace('8786', port)}; {programs}/concord study run STUDY.toml --store records.sqlite"
        run("bash", "-c", study, cwd=folder, timeout=200)
    finally:
        for process in processes:
            process.terminate()
            process.wait()


def test_the_command_is_there_and_names_what_is_missing(installed, tmp_path):
    (tmp_path / "labels.npy").write_bytes(_labels())
    assert run(installed / "concord", "consensus", "labels.npy", "--k", "2", cwd=tmp_path).count("\n") == 7
    assert run(installed / "concord", "--version").strip() == engine.__version__
    for words, named in (
        (["consensus", "labels.npy", "--method", "cspa", "--k", "2"], "pip install pymetis"),
        (["app"], "source tree"),
        (["report", "labels.csv"], "source tree"),
        (["consensus", "labels.parquet", "--k", "2"], "pip install pyarrow"),
    ):
        (tmp_path / "labels.parquet").write_bytes(b"PAR1")
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
