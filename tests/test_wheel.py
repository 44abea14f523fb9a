"""The package `concord`: built, installed into an environment of its own, and used there."""

import os
import re
import subprocess
import tomllib
import zipfile
from contextlib import closing
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import engine
from bench import wheels
from bench.serving import free_port
from bench.wheels import ROOT, run
from data.roles import columns_of
from engine.studies.files import write_study
from engine.studies.running import run_study
from engine.studies.store import Store
from ui.compute import uploads
from ui.consensus.downloads import labels_file
from ui.export.script import beside, labels_name, script
from ui.report.making import gathered
from ui.session.run_config import from_query
from ui.studies import study_panel, sweeps

pytestmark = pytest.mark.long

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built where a package was built before, of which a module is gone since."""
    tree = tmp_path_factory.mktemp("tree")
    gone = tree / "build" / "lib" / "concord" / "methods" / "gone.py"
    gone.parent.mkdir(parents=True)
    gone.write_text("raise ImportError")
    return wheels.wheel(tree, tmp_path_factory.mktemp("dist"))


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
    assert "concord/methods/gone.py" not in inside
    kept = [path for path in files if path.suffix in (".py", ".csv", ".md")]
    for path in kept:
        place = path.relative_to(ROOT).as_posix()
        assert "concord/" + place.removeprefix("engine/") in inside


def test_the_examples_of_readme_and_docs_run_on_the_package(installed, tmp_path):
    assert wheels.run_the_examples(installed, tmp_path) >= 8
    assert len((tmp_path / "found.csv").read_text().splitlines()) == 301
    assert not re.search("streamlit|pandas|pyarrow|metis", run(installed / "pip", "list"))


@pytest.fixture(scope="module")
def with_extras(wheel, installed, tmp_path_factory):
    """A fresh environment with all that examples say they need, and the kernels that were compiled without them."""
    extras = sorted({extra for example in wheels.examples() for extra in example.extras})
    programs = wheels.environment(tmp_path_factory.mktemp("extras"), [f"{wheel}[{','.join(extras)}]"])
    run("cp", "-a", *installed.parent.glob("lib/*/site-packages/concord"), *programs.parent.glob("lib/*/site-packages"))
    return programs


@pytest.mark.parametrize("example", [one for one in wheels.examples() if one.extras], ids=lambda one: one.extras[0])
def test_the_examples_that_need_more_run_with_what_they_name(example, with_extras, tmp_path):
    wheels.files_of_the_examples(tmp_path)
    (tmp_path / "FOLDER").mkdir()
    labels = np.loadtxt(tmp_path / "labels.csv", int, delimiter=",")
    for part, rows in enumerate((labels[:120], labels[120:])):
        table = pa.table({f"b{m}": rows[:, m] for m in range(8)})
        pq.write_table(table, tmp_path / "FOLDER" / f"{part}.parquet")
    if "dask" in example.extras:
        run_on_a_cluster(example, with_extras, tmp_path)
    else:
        wheels.run_example(example, with_extras / "python", tmp_path)
    made = {
        "io": "LABELS.parquet",
        "studies": "records.csv",
        "dask": "records.sqlite",
        "graphs": "resolutions.csv",
    }
    assert (tmp_path / made[example.extras[0]]).stat().st_size > 500


def run_on_a_cluster(example, programs, folder):
    """Scheduler and worker as the document starts them, on a free port; then its study, where they are exported."""
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


PLANTS = b"plant,w,h,site\n" + b"".join(
    f"p{i},{i % 7},{'' if i == 5 else i // 20 * 9 + i % 3},{'ba'[i // 40]}\n".encode() for i in range(60)
)
GAPPY = b"name,a,b,c,d,e\n" + b"".join(
    f"o{i},{i // 10},{i % 4 // 3 + i // 15},{'' if i % 9 == 4 else i // 10},{i // 20},{i % 2}\n".encode()
    for i in range(40)
)


def brought(name, content, kind, missing="refuse", **roles):
    """The id of an upload, read as somebody on the page Data would have it."""
    sheet = uploads.sheet(uploads.File(name, content), kind)
    given = {int(place): role for place, role in roles.items()}
    return uploads.keep(sheet, columns_of(sheet.table, kind, given), missing, given).id


#: Files by name, and settings that use the first of them; k and the number of columns are as a page has them.
SCRIPTS = {
    "features": ({"my plants.csv": PLANTS}, ("features", "drop", {"3": "ignore"}), {"m": "6", "k": "3"}),
    "labels": ({"runs.csv": GAPPY}, ("labels", "refuse", {}), {"m": "5", "k": "2", "method": "lwgp"}),
    "lent": ({"runs.csv": GAPPY}, ("labels", "refuse", {}), {"m": "4", "k": "2", "method": "got", "lend": "yes"}),
    "aside": ({"runs.csv": GAPPY}, ("labels", "refuse", {}), {"m": "5", "k": "2", "method": "eac", "labelled": "yes"}),
    "bundled": ({}, None, {"data": "moons", "m": "5", "switched_off": "1"}),
    "folder": ({"mine.csv": PLANTS.replace(b"p5,5,,", b"p5,5,1,")}, "folder", {"data": "mine", "m": "5", "k": "2"}),
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_script_in_an_empty_folder_writes_the_labels_of_the_page(name, installed, tmp_path, monkeypatch):
    files, how, settings = SCRIPTS[name]
    for file, content in files.items():
        (tmp_path / file).write_bytes(content)
        if how == "folder":
            monkeypatch.setenv("CONCORD_DATA", str(tmp_path))
        else:
            settings = {"data": brought(file, content, *how[:2], **how[2]), **settings}
    config, problems = from_query(settings)
    assert not problems
    session = gathered(config)
    (tmp_path / "script.py").write_text(script(session, beside(session)))
    run("env", "-u", "CONCORD_DATA", installed / "python", "script.py", cwd=tmp_path)
    (made,) = set(tmp_path.iterdir()) - {tmp_path / file for file in [*files, "script.py"]}
    assert made.name == f"{labels_name(session.config, session.n_clusters)}.csv"
    assert made.name.startswith(Path(next(iter(files), "moons")).stem)
    assert made.read_bytes() == labels_file(session)


def test_a_study_file_in_an_empty_folder_finds_what_the_page_finds(installed, tmp_path):
    id = brought("my plants.csv", PLANTS, "features", "drop")
    config, _ = from_query({"data": id, "m": "5", "draws": "2", "x": "theta:0.2,0.8"})
    study = sweeps.study(config)
    (tmp_path / "study.toml").write_text(write_study(study_panel.shared(study)[0]))
    (tmp_path / "my plants.csv").write_bytes(PLANTS)
    run(installed / "concord", "study", "run", "study.toml", "--store", "store.sqlite", cwd=tmp_path)
    with closing(Store(tmp_path / "store.sqlite")) as there, closing(Store(tmp_path / "page.sqlite")) as here:
        found, expected = there.all(), run_study(study, study_panel.sources(study), here)
    assert {record.dataset for record in found} == {"my plants.csv"}
    numbers = [
        sorted((one.params, one.repeat, one.k, one.ari, one.margin) for one in some) for some in (found, expected)
    ]
    assert numbers[0] == numbers[1]
    assert len(found) == len(expected) > 3


def test_scikit_learn_takes_the_installed_estimators(installed, tmp_path):
    assert " passed" in wheels.check_the_estimators(installed, tmp_path)
